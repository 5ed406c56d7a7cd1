#include "hextille_gen.h"

#include <stdlib.h>
#include <string.h>

#include "bench_bytes.h"

enum { TERRAINS = 5 };

static const int32_t step_q[HEXTILLE_DIRECTIONS] = {1, 1, 0, -1, -1, 0};
static const int32_t step_r[HEXTILLE_DIRECTIONS] = {0, -1, -1, 0, 1, 1};

/* The cells of a map by coordinates, in a square of which the map fills three quarters. */
typedef struct {
    int32_t radius;
    size_t side;
    hex **at;
} hexgrid;

uint64_t hextille_cell_count(uint32_t radius)
{
    return 3 * (uint64_t)radius * ((uint64_t)radius + 1) + 1;
}

/* Inner cells have 6 paths, the 6 corners 3, the 6(R-1) other border cells 4: 18R^2 + 6R. */
uint64_t hextille_path_count(uint32_t radius)
{
    return 18 * (uint64_t)radius * radius + 6 * (uint64_t)radius;
}

static bool grid_inside(const hexgrid *g, int32_t q, int32_t r)
{
    return abs(q) <= g->radius && abs(r) <= g->radius && abs(q + r) <= g->radius;
}

static hex **grid_slot(const hexgrid *g, int32_t q, int32_t r)
{
    return &g->at[(size_t)(q + g->radius) * g->side + (size_t)(r + g->radius)];
}

static int grid_init(hexgrid *g, uint32_t radius)
{
    if (radius < 1 || radius > HEXTILLE_RADIUS_MAX)
        return -1;
    g->radius = (int32_t)radius;
    g->side = 2 * (size_t)radius + 1;
    g->at = calloc(g->side * g->side, sizeof *g->at);
    return g->at ? 0 : -1;
}

static void grid_fini(hexgrid *g)
{
    free(g->at);
}

/* The next coordinates in the order (q, r) inside the map; begin with q = r = -radius - 1. */
static bool grid_next(const hexgrid *g, int32_t *q, int32_t *r)
{
    do {
        if (*q < -g->radius || *r == g->radius) {
            ++*q;
            *r = -g->radius;
        } else {
            ++*r;
        }
    } while (*q <= g->radius && !grid_inside(g, *q, *r));
    return *q <= g->radius;
}

static uint32_t grid_npaths(const hexgrid *g, int32_t q, int32_t r)
{
    uint32_t count = 0;

    for (int k = 0; k < HEXTILLE_DIRECTIONS; k++)
        count += grid_inside(g, q + step_q[k], r + step_r[k]);
    return count;
}

static uint64_t seed_of(int32_t q, int32_t r, int direction)
{
    uint64_t key = (uint64_t)(uint32_t)q << 32 | (uint32_t)r;

    return bench_mix(bench_mix(key + UINT64_C(0x9e3779b97f4a7c15)) + (uint64_t)direction);
}

static terrain expected_ground(int32_t q, int32_t r)
{
    return (terrain)(seed_of(q, r, HEXTILLE_DIRECTIONS) % TERRAINS);
}

static double expected_cost(int32_t q, int32_t r, int direction)
{
    return 1.0 + 9.0 * bench_unit(seed_of(q, r, direction));
}

static bool expected_open(int32_t q, int32_t r, int direction)
{
    return seed_of(q, r, direction) & 1;
}

/* Fills the paths of a cell whose array they are in; all cells are in the grid. */
static void link_cell(const hexgrid *g, hex *c)
{
    path *p = c->paths;

    for (int k = 0; k < HEXTILLE_DIRECTIONS; k++) {
        int32_t q = c->q + step_q[k], r = c->r + step_r[k];

        if (!grid_inside(g, q, r))
            continue;
        p->to = *grid_slot(g, q, r);
        p->cost = expected_cost(c->q, c->r, k);
        p->open = expected_open(c->q, c->r, k);
        p++;
    }
}

static void fill_cell(const hexgrid *g, hex *c, int32_t q, int32_t r)
{
    c->q = q;
    c->r = r;
    c->ground = expected_ground(q, r);
    c->npaths = grid_npaths(g, q, r);
    *grid_slot(g, q, r) = c;
}

int hextille_pool_create(uint32_t radius, hexmap *out)
{
    hexgrid g;
    hexmap map = {.radius = radius};
    path *slab;
    hex *c;

    if (grid_init(&g, radius))
        return -1;
    map.ncells = (uint32_t)hextille_cell_count(radius);
    map.cells = c = bench_alloc_touched(map.ncells, sizeof *map.cells);
    slab = bench_alloc_touched((size_t)hextille_path_count(radius), sizeof *slab);
    if (!map.cells || !slab)
        goto err_free;
    for (int32_t q = -g.radius - 1, r = q; grid_next(&g, &q, &r); c++) {
        fill_cell(&g, c, q, r);
        c->paths = slab;
        slab += c->npaths;
    }
    for (uint32_t i = 0; i < map.ncells; i++)
        link_cell(&g, &map.cells[i]);
    map.centre = *grid_slot(&g, 0, 0);
    grid_fini(&g);
    *out = map;
    return 0;

err_free:
    free(slab);
    free(map.cells);
    grid_fini(&g);
    return -1;
}

void hextille_pool_destroy(hexmap *map)
{
    if (map->cells)
        free(map->cells[0].paths);
    free(map->cells);
}

/* Frees every cell in the grid and its paths. */
static void grid_free_cells(hexgrid *g)
{
    for (int32_t q = -g->radius - 1, r = q; grid_next(g, &q, &r);) {
        hex *c = *grid_slot(g, q, r);

        if (c)
            free(c->paths);
        free(c);
    }
}

/* Item 2i is the cell at place i, item 2i+1 its paths, which are kept in `paths` until all cells
 * exist. */
static int scatter_item(const hexgrid *g, const int32_t (*place)[2], uint32_t item, path **paths)
{
    int32_t q = place[item / 2][0], r = place[item / 2][1];

    if (item % 2) {
        paths[item / 2] = malloc(grid_npaths(g, q, r) * sizeof(path));
        return paths[item / 2] ? 0 : -1;
    }
    *grid_slot(g, q, r) = calloc(1, sizeof(hex));
    if (!*grid_slot(g, q, r))
        return -1;
    fill_cell(g, *grid_slot(g, q, r), q, r);
    return 0;
}

static void shuffle(uint32_t *order, uint32_t count)
{
    uint64_t seed = 5;

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t k = (uint32_t)(bench_random(&seed) % i), kept = order[k];

        order[k] = order[i - 1];
        order[i - 1] = kept;
    }
}

int hextille_scattered_create(uint32_t radius, hexroot *out)
{
    hexgrid g;
    uint32_t n, i = 0;
    uint32_t *order;
    int32_t(*place)[2];
    path **paths;
    int status = -1;

    if (grid_init(&g, radius))
        return -1;
    n = (uint32_t)hextille_cell_count(radius);
    order = malloc((size_t)n * 2 * sizeof *order);
    place = malloc((size_t)n * sizeof *place);
    paths = calloc(n, sizeof *paths);
    if (!order || !place || !paths)
        goto done;
    shuffle(order, 2 * n);
    for (int32_t q = -g.radius - 1, r = q; grid_next(&g, &q, &r); i++) {
        place[i][0] = q;
        place[i][1] = r;
    }
    status = 0;
    for (i = 0; i < 2 * n && status == 0; i++)
        status = scatter_item(&g, (const int32_t(*)[2])place, order[i], paths);
    for (i = 0; i < n; i++) {
        hex *c = *grid_slot(&g, place[i][0], place[i][1]);

        if (c)
            c->paths = paths[i];
        else
            free(paths[i]);
        if (status == 0)
            link_cell(&g, c);
    }
    if (status)
        grid_free_cells(&g);
    else
        out->centre = *grid_slot(&g, 0, 0);

done:
    free(paths);
    free(place);
    free(order);
    grid_fini(&g);
    return status;
}

/* Puts all cells that are reached from `centre` into the grid. Returns NULL or what is wrong. */
static const char *grid_collect(hexgrid *g, const hex *centre)
{
    size_t limit = (size_t)hextille_cell_count((uint32_t)g->radius);
    const hex **queue = malloc(limit * sizeof *queue);
    size_t count = 0;
    const char *wrong = queue ? NULL : "no memory";

    if (queue && centre && centre->q == 0 && centre->r == 0) {
        queue[count++] = centre;
        memcpy(grid_slot(g, 0, 0), &centre, sizeof centre);
    }
    for (size_t i = 0; i < count && !wrong; i++) {
        if (queue[i]->npaths > HEXTILLE_DIRECTIONS) {
            wrong = "a cell has too many paths";
            break;
        }
        for (uint32_t k = 0; k < queue[i]->npaths && !wrong; k++) {
            const hex *to = queue[i]->paths[k].to;

            if (!to || !grid_inside(g, to->q, to->r)) {
                wrong = "a path leads out of the map";
            } else if (!*grid_slot(g, to->q, to->r)) {
                memcpy(grid_slot(g, to->q, to->r), &to, sizeof to);
                queue[count++] = to;
            } else if (*grid_slot(g, to->q, to->r) != to) {
                wrong = "two cells have the same coordinates";
            }
        }
    }
    if (!wrong && count != limit)
        wrong = "the map does not have all its cells";
    free(queue);
    return wrong;
}

void hextille_scattered_destroy(uint32_t radius, hexroot *root)
{
    hexgrid g;

    if (grid_init(&g, radius))
        return;
    if (!grid_collect(&g, root->centre))
        grid_free_cells(&g);
    grid_fini(&g);
    root->centre = NULL;
}

static const char *check_cell(const hexgrid *g, const hex *c, uint64_t *sum)
{
    const path *p = c->paths;

    if (c->ground != expected_ground(c->q, c->r) || c->npaths != grid_npaths(g, c->q, c->r))
        return "a cell is wrong";
    *sum = bench_mix(*sum + seed_of(c->q, c->r, (int)c->ground));
    for (int k = 0; k < HEXTILLE_DIRECTIONS; k++) {
        int32_t q = c->q + step_q[k], r = c->r + step_r[k];
        double cost = expected_cost(c->q, c->r, k);
        uint64_t bits;

        if (!grid_inside(g, q, r))
            continue;
        if (p->to != *grid_slot(g, q, r))
            return "a path leads to the wrong cell";
        if (memcmp(&p->cost, &cost, sizeof cost) != 0 || p->open != expected_open(c->q, c->r, k))
            return "a path is wrong";
        memcpy(&bits, &p->cost, sizeof bits);
        *sum = bench_mix(*sum + bits + seed_of(p->to->q, p->to->r, p->open));
        p++;
    }
    return NULL;
}

const char *hextille_check(const hex *centre, uint32_t radius, uint64_t *checksum)
{
    hexgrid g;
    uint64_t sum = 0;
    const char *wrong;

    if (grid_init(&g, radius))
        return "no memory";
    wrong = grid_collect(&g, centre);
    for (int32_t q = -g.radius - 1, r = q; !wrong && grid_next(&g, &q, &r);)
        wrong = check_cell(&g, *grid_slot(&g, q, r), &sum);
    grid_fini(&g);
    if (!wrong)
        *checksum = sum;
    return wrong;
}
