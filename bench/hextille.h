/**
 * \file
 * The graph of the hextille cases: a hexagonal map of cells, each with a path to every neighbour it
 * has.
 */
#ifndef BENCH_HEXTILLE_H
#define BENCH_HEXTILLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness.h"

typedef enum terrain { water, sand, grass, forest, rock } terrain;

typedef struct hex hex;

typedef struct {
    hex *to;
    double cost;
    bool open;
} path;

struct hex {
    int32_t q, r; /* axial coordinates; the centre is (0, 0) */
    terrain ground;
    uint32_t npaths; /* 3 to 6 */
    path *paths;
};

/** All cells in one array, ordered by (q, r); all paths in one slab, in the order of their cells.
 */
typedef struct {
    uint32_t radius;
    uint32_t ncells;
    hex *cells;
    hex *centre;
} hexmap;

/** The same graph with each cell and each array of paths malloc'ed alone. */
typedef struct {
    hex *centre;
} hexroot;

extern const bench_impl bench_raw_hextille_pool, bench_raw_hextille_pool_fresh;
extern const bench_impl bench_raw_hextille_scattered, bench_raw_hextille_scattered_hash;
extern const bench_impl bench_raw_hextille_scattered_arena;

/** The values of the cases; n is the radius. The pool is also used by the MPI cases. */
int bench_hexmap_create(uint64_t n, bench_value *out);
void bench_hexmap_destroy(bench_value *value);

/** 0, or -1 after a message, if the loaded map is not whole or not equal to the job's value. */
int bench_hexmap_compare(const bench_job *job, const hexmap *loaded);
int bench_hexroot_compare(const bench_job *job, const hexroot *loaded);

#endif
