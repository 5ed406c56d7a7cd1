/**
 * \file
 * The flat form of a hextille that the hand-written implementations share: a header, then each cell
 * (10 bytes) followed by its paths (13 bytes each), references as 4-byte ids of cells.
 */
#ifndef BENCH_HEXTILLE_FLAT_H
#define BENCH_HEXTILLE_FLAT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench_bytes.h"
#include "hextille.h"

enum {
    HEXFLAT_HEADER = 20, /* bytes */
    HEXFLAT_CELL = 10,
    HEXFLAT_PATH = 13,
    HEXFLAT_PATHS_MAX = 255,
    HEXFLAT_RECORD_MAX = HEXFLAT_CELL + HEXFLAT_PATHS_MAX * HEXFLAT_PATH
};

#define HEXFLAT_NULL UINT32_MAX /* the id of a null reference */

typedef struct {
    uint32_t radius;
    uint32_t ncells;
    uint32_t centre; /* id */
    uint64_t npaths; /* in all cells together */
} hexflat_header;

static inline uint8_t *hexflat_put_header(uint8_t *p, const hexflat_header *h)
{
    p = bench_put_u32(p, h->radius);
    p = bench_put_u32(p, h->ncells);
    p = bench_put_u32(p, h->centre);
    return bench_put_u64(p, h->npaths);
}

/** False if a body of `size` bytes cannot be what the header promises. */
static inline bool hexflat_get_header(const uint8_t *p, uint64_t size, hexflat_header *h)
{
    h->radius = bench_get_u32(p);
    h->ncells = bench_get_u32(p + 4);
    h->centre = bench_get_u32(p + 8);
    h->npaths = bench_get_u64(p + 12);
    return h->npaths <= size / HEXFLAT_PATH && h->centre < h->ncells &&
           size == (uint64_t)h->ncells * HEXFLAT_CELL + h->npaths * HEXFLAT_PATH;
}

static inline uint8_t *hexflat_put_cell(uint8_t *p, const hex *c)
{
    p = bench_put_u32(p, (uint32_t)c->q);
    p = bench_put_u32(p, (uint32_t)c->r);
    p[0] = (uint8_t)c->ground;
    p[1] = (uint8_t)c->npaths;
    return p + 2;
}

static inline const uint8_t *hexflat_get_cell(const uint8_t *p, hex *c)
{
    c->q = (int32_t)bench_get_u32(p);
    c->r = (int32_t)bench_get_u32(p + 4);
    c->ground = (terrain)p[8];
    c->npaths = p[9];
    return p + HEXFLAT_CELL;
}

static inline uint8_t *hexflat_put_path(uint8_t *p, uint32_t id, const path *e)
{
    p = bench_put_u32(p, id);
    p = bench_put_f64(p, e->cost);
    *p = e->open;
    return p + 1;
}

/** Everything but the reference. */
static inline const uint8_t *hexflat_get_path(const uint8_t *p, uint32_t *id, path *e)
{
    *id = bench_get_u32(p);
    e->cost = bench_get_f64(p + 4);
    e->open = p[12] & 1;
    return p + HEXFLAT_PATH;
}

/** A cell of a pool and its paths; the caller has made sure of room and of `npaths`. */
static inline uint8_t *hexflat_put_pooled(uint8_t *p, const hex *c, const hex *pool)
{
    const path *e = c->paths,
               *end = e + c->npaths; /* stores of bytes might change *c: read it once */

    p = hexflat_put_cell(p, c);
    for (; e < end; e++)
        p = hexflat_put_path(p, e->to ? (uint32_t)(e->to - pool) : HEXFLAT_NULL, e);
    return p;
}

/**
 * A cell of a pool and its paths, linked, into `c` and into the slab `*paths`, which has `*left`
 * free places. Returns the byte after them, or NULL if an id or the number of paths is wrong.
 */
static inline const uint8_t *hexflat_get_pooled(const uint8_t *p, hex *c, const hexmap *map,
                                                path **paths, uint64_t *left)
{
    path *e = *paths;

    p = hexflat_get_cell(p, c);
    if (c->npaths > *left)
        return NULL;
    c->paths = e;
    for (uint32_t k = 0; k < c->npaths; k++, e++) {
        uint32_t id;

        p = hexflat_get_path(p, &id, e);
        if (id >= map->ncells && id != HEXFLAT_NULL)
            return NULL;
        e->to = id != HEXFLAT_NULL ? &map->cells[id] : NULL;
    }
    *left -= c->npaths;
    *paths = e;
    return p;
}

#endif
