#include "hextille.h"

#include <stdlib.h>

#include "array.h"

LADE_ENUM(terrain, WATER, SAND, GRASS, FOREST, ROCK)

/* clang-format off: one field a line */
LADE_STRUCT(path, (ref, to, hex), (value, cost), (value, open))

LADE_STRUCT(hex, (value, q), (value, r), (enumeration, ground, terrain),
            (vector, paths, npaths, path))

LADE_STRUCT(hexmap, (value, radius), (value, seed), (pool, cells, ncells, hex), (ref, centre, hex))
/* clang-format on */

enum { DIRECTIONS = 6, TERRAINS = 5 };

static const int32_t step_q[DIRECTIONS] = {1, 1, 0, -1, -1, 0};
static const int32_t step_r[DIRECTIONS] = {0, -1, -1, 0, 1, 1};

uint32_t hexmap_cell_count(uint32_t radius)
{
    return 3 * radius * (radius + 1) + 1;
}

/* Inner cells have 6 paths, the 6 corners 3, the 6(R-1) other border cells 4. */
uint64_t hexmap_path_count(uint32_t radius)
{
    return 18 * (uint64_t)radius * radius + 6 * (uint64_t)radius;
}

/* The index of the first cell with this q. The columns from -R to 0 have R + 1, R + 2, ... cells;
 * those from R down to 1 the same numbers. */
static uint32_t column_start(int32_t radius, int32_t q)
{
    uint32_t before = (uint32_t)(q <= 0 ? radius + q : radius - q + 1);
    uint32_t cells = before * ((uint32_t)radius + 1) + before * (before - 1) / 2;

    return q <= 0 ? cells : hexmap_cell_count((uint32_t)radius) - cells;
}

/* The first r in the column of q; the last one is that of -q, negated. */
static int32_t column_first(int32_t radius, int32_t q)
{
    return q <= 0 ? -radius - q : -radius;
}

static hex *cell_at(const hexmap *map, int32_t q, int32_t r)
{
    int32_t radius = (int32_t)map->radius;

    if (abs(q) > radius || abs(r) > radius || abs(q + r) > radius)
        return NULL;
    return &map->cells[column_start(radius, q) + (uint32_t)(r - column_first(radius, q))];
}

/* What is random in a map, from the place alone: the finalizer of splitmix64. */
static uint64_t random_at(uint64_t seed, const hex *c, unsigned k)
{
    uint64_t place = (uint64_t)(uint32_t)c->q << 32 | (uint32_t)c->r;
    uint64_t x = seed + UINT64_C(0x9e3779b97f4a7c15) * (8 * place + k);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static terrain ground_at(const hexmap *map, const hex *c)
{
    return (terrain)(random_at(map->seed, c, DIRECTIONS) % TERRAINS);
}

/* The paths of a cell, whose q and r are set; returns how many. */
static uint32_t paths_at(const hexmap *map, const hex *c, path paths[DIRECTIONS])
{
    uint32_t n = 0;

    for (unsigned k = 0; k < DIRECTIONS; k++) {
        hex *to = cell_at(map, c->q + step_q[k], c->r + step_r[k]);
        uint64_t random = random_at(map->seed, c, k);

        if (to)
            paths[n++] = (path){to, 1.0 + (double)(random >> 11) * 0x1p-50, random & 1};
    }
    return n;
}

hexmap *hexmap_create(uint32_t radius, uint64_t seed, lade_arena *arena)
{
    int32_t bound = (int32_t)radius;
    hexmap *map = array_create(arena, 1, sizeof *map);
    hex *c = array_create(arena, hexmap_cell_count(radius), sizeof *c);
    path *p = array_create(arena, hexmap_path_count(radius), sizeof *p);

    if (!map || !c || !p)
        return NULL;
    *map = (hexmap){radius, seed, hexmap_cell_count(radius), c, NULL};
    map->centre = cell_at(map, 0, 0);
    for (int32_t q = -bound; q <= bound; q++) {
        for (int32_t r = column_first(bound, q); r <= -column_first(bound, -q); r++, c++) {
            path found[DIRECTIONS];

            *c = (hex){.q = q, .r = r, .paths = p};
            c->ground = ground_at(map, c);
            c->npaths = paths_at(map, c, found);
            for (uint32_t i = 0; i < c->npaths; i++)
                *p++ = found[i];
        }
    }
    return map;
}

static const char *check_cell(const hexmap *map, const hex *c)
{
    path expected[DIRECTIONS];

    if (cell_at(map, c->q, c->r) != c)
        return "a cell is not at the place that its coordinates say";
    if (c->ground != ground_at(map, c))
        return "the ground of a cell is wrong";
    if (c->npaths != paths_at(map, c, expected))
        return "a cell has the wrong number of paths";
    for (uint32_t i = 0; i < c->npaths; i++) {
        if (c->paths[i].to != expected[i].to)
            return "a path does not lead to the neighbour in the map's own array";
        if (c->paths[i].cost != expected[i].cost || c->paths[i].open != expected[i].open)
            return "the cost of a path or its being open is wrong";
    }
    return NULL;
}

const char *hexmap_check(const hexmap *map, uint32_t radius, uint64_t seed)
{
    const char *fault = NULL;

    if (map->radius != radius || map->seed != seed || map->ncells != hexmap_cell_count(radius) ||
        map->centre != cell_at(map, 0, 0))
        return "the map has another radius, seed, number of cells or centre";
    for (uint32_t i = 0; i < map->ncells && !fault; i++)
        fault = check_cell(map, &map->cells[i]);
    return fault;
}
