/**
 * \file
 * Hextille: a hexagonal map of cells, each with a path to every neighbour that it has. A cyclic
 * graph of any size, the same one for the same radius and seed, so that it can be checked to the
 * last pointer without another copy of it.
 */
#ifndef EXAMPLES_HEXTILLE_H
#define EXAMPLES_HEXTILLE_H

#include <lade/lade.h>

enum { HEXTILLE_RADIUS_MAX = 10000 };

typedef enum terrain { WATER, SAND, GRASS, FOREST, ROCK } terrain;

typedef struct hex hex;

typedef struct {
    hex *to;
    double cost;
    bool open;
} path;

struct hex {
    int32_t q, r; /**< axial coordinates; the centre is (0, 0) */
    terrain ground;
    uint32_t npaths; /**< 6, at the border 3 or 4, alone 0 */
    path *paths;
};

typedef struct {
    uint32_t radius;
    uint64_t seed;
    uint32_t ncells; /**< 3R(R+1) + 1 */
    hex *cells;      /**< ordered by q, then r */
    hex *centre;
} hexmap;

LADE_DECLARE(hexmap)

/** The numbers of cells and of paths of a map. */
uint32_t hexmap_cell_count(uint32_t radius);
uint64_t hexmap_path_count(uint32_t radius);

/** Makes a map of radius 0 to HEXTILLE_RADIUS_MAX. \param arena borrowed; owns all of the map.
 * \returns NULL if out of memory. */
hexmap *hexmap_create(uint32_t radius, uint64_t seed, lade_arena *arena);

/**
 * Proves that a map is the one of this radius and seed: its structure, every value, and that every
 * pointer leads to the one right cell in the map's own array.
 * \returns NULL, or what is wrong.
 */
const char *hexmap_check(const hexmap *map, uint32_t radius, uint64_t seed);

#endif
