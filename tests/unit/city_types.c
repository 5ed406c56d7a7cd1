#include "city_types.h"

#include "support.h"

/* clang-format off */
LADE_ENUM(region, LAND, SEA, AIR)
LADE_STRUCT(path, (ref, to, hex), (value, cost), (value, open))
LADE_STRUCT(hex,
    (value, q), (value, r), (enumeration, ground, region), (vector, paths, npaths, path),
    (text, label))
LADE_STRUCT(district,
    (fixed_text, code), (vector, parts, nparts, district), (ref, up, district), (optional, level))
LADE_STRUCT(city,
    (value, version), (text, title), (pool, cells, ncells, hex), (vector, heights, nheights),
    (record, centre, district), (vector, flags, nflags, bool), (value, table), (ref, capital, hex),
    (vector, image, nimage))
/* clang-format on */

enum { CELLS = 20, PATHS = 3, HEIGHTS = 30, IMAGE = 4200 };

city *city_small(void)
{
    static city c;
    static hex cells[CELLS];
    static path paths[CELLS][PATHS];
    static double heights[HEIGHTS], level;
    static district parts[3], up;
    static bool flags[5] = {true, false, true, true, false};
    static uint8_t image[IMAGE];
    static char title[] = "a city", label[] = "cell";
    level = 2.5;
    for (int i = 0; i < HEIGHTS; i++)
        heights[i] = i * 0.5;
    for (int i = 0; i < IMAGE; i++)
        image[i] = (uint8_t)(i * 3);
    for (int i = 0; i < CELLS; i++) {
        cells[i] = (hex){i, -i, (region)(i % 4), PATHS, paths[i], i % 2 ? label : NULL};
        for (int k = 0; k < PATHS; k++)
            paths[i][k] = (path){k ? &cells[(i + k) % CELLS] : NULL, i + k * 0.25, k == 1};
    }
    up = (district){.code = "up", .up = &up};
    for (int i = 0; i < 3; i++)
        parts[i] =
            (district){.code = "part", .up = i ? &up : NULL, .level = i == 2 ? &level : NULL};
    c = (city){.version = 3,
               .title = title,
               .cells = cells,
               .ncells = CELLS,
               .heights = heights,
               .nheights = HEIGHTS,
               .centre = {"middle", parts, 3, &up, NULL},
               .flags = flags,
               .nflags = 5,
               .table = {{1, 2, 3}, {4}},
               .capital = &cells[7],
               .image = image,
               .nimage = IMAGE};
    return &c;
}

void city_check(const city *c)
{
    const city *is = city_small();
    assert_true(c->version == 3 && c->ncells == CELLS && c->nheights == HEIGHTS);
    assert_true(c->nflags == 5 && c->nimage == IMAGE && c->centre.nparts == 3);
    assert_string_equal(c->title, "a city");
    for (int i = 0; i < CELLS; i++) {
        const hex *a = &c->cells[i];
        assert_true(a->q == i && a->r == -i && (int)a->ground == i % 4 && a->npaths == PATHS);
        assert_true(i % 2 ? strcmp(a->label, "cell") == 0 : !a->label);
        for (int k = 0; k < PATHS; k++) {
            assert_true(a->paths[k].cost == i + k * 0.25 && a->paths[k].open == (k == 1));
            assert_ptr_equal(a->paths[k].to, k ? &c->cells[(i + k) % CELLS] : NULL);
        }
    }
    assert_memory_equal(c->heights, is->heights, sizeof(double[HEIGHTS]));
    assert_memory_equal(c->image, is->image, IMAGE);
    assert_memory_equal(c->table, is->table, sizeof c->table);
    assert_memory_equal(c->flags, is->flags, 5);
    assert_ptr_equal(c->capital, &c->cells[7]);
    const district *d = &c->centre;
    assert_memory_equal(d->code, "middle", 6);
    assert_true(d->up->up == d->up && d->parts[1].up == d->up && !d->parts[0].up && !d->level);
    assert_true(*d->parts[2].level == 2.5 && d->parts[2].nparts == 0 && !d->parts[2].parts);
}
