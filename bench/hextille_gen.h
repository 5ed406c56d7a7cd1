/**
 * \file
 * Makes hexagonal maps of any radius, the same ones every time, and checks them link by link.
 */
#ifndef BENCH_HEXTILLE_GEN_H
#define BENCH_HEXTILLE_GEN_H

#include "hextille.h"

enum { HEXTILLE_RADIUS_MAX = 10000, HEXTILLE_DIRECTIONS = 6 };

/** 3R(R+1)+1 cells and 18R^2+6R paths. */
uint64_t hextille_cell_count(uint32_t radius);
uint64_t hextille_path_count(uint32_t radius);

/** One array of cells, one slab of paths. 0, or -1; untouched on failure. */
int hextille_pool_create(uint32_t radius, hexmap *out);
void hextille_pool_destroy(hexmap *map);

/** Every cell and every array of paths by a malloc of its own, in shuffled order. */
int hextille_scattered_create(uint32_t radius, hexroot *out);
void hextille_scattered_destroy(uint32_t radius, hexroot *root);

/**
 * Walks everything that `centre` reaches. Proves that it is the map of that radius: each coordinate
 * has exactly one cell, every field is what the generator made, each path leads to the one cell at
 * its target's coordinates. Returns NULL and the checksum of the structure, or what is wrong.
 */
const char *hextille_check(const hex *centre, uint32_t radius, uint64_t *checksum);

#endif
