#include "checksum.h"

#include <string.h>

#include "array.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static const uint64_t start = UINT64_C(0xcbf29ce484222325);

static uint64_t add(uint64_t sum, uint64_t value)
{
    for (int shift = 0; shift < 64; shift += 8)
        sum = (sum ^ (value >> shift & 0xff)) * UINT64_C(0x100000001b3);
    return sum;
}

uint64_t array_checksum(const double *values, size_t count)
{
    uint64_t sum = add(start, count);

    for (size_t i = 0; i < count; i++)
        sum = add(sum, bits_of(values[i]));
    return sum;
}

const char *graph_checksum(const graph *g, uint64_t *sum)
{
    uint64_t s = add(add(start, g->nedges), g->nvertices);

    for (uint32_t k = 0; k < g->nvertices; k++) {
        const vertex *v = &g->vertices[k];

        s = add(add(add(s, v->id), (uint64_t)v->size), v->nweights);
        for (uint32_t i = 0; i < v->nweights; i++)
            s = add(s, (uint64_t)v->weights[i]);
        s = add(s, v->nedges);
        for (uint32_t i = 0; i < v->nedges; i++) {
            uint32_t to = array_index(g->vertices, g->nvertices, sizeof *v, v->edges[i].to);

            if (to == NOT_IN_ARRAY)
                return "an edge does not lead to a vertex of its own graph";
            s = add(add(s, to), (uint64_t)v->edges[i].weight);
        }
    }
    *sum = s;
    return NULL;
}

static uint64_t add_path(uint64_t sum, uint32_t to, const path *p)
{
    return add(add(add(sum, to), bits_of(p->cost)), p->open);
}

const char *hexmap_checksum(const hexmap *map, uint64_t *sum)
{
    uint64_t s = add(add(add(start, map->radius), map->seed), map->ncells);
    uint32_t centre = array_index(map->cells, map->ncells, sizeof *map->cells, map->centre);

    if (centre == NOT_IN_ARRAY)
        return "the centre is not a cell of its own map";
    s = add(s, centre);
    for (uint32_t k = 0; k < map->ncells; k++) {
        const hex *c = &map->cells[k];

        s = add(add(add(add(s, (uint64_t)c->q), (uint64_t)c->r), (uint64_t)c->ground), c->npaths);
        for (uint32_t i = 0; i < c->npaths; i++) {
            uint32_t to = array_index(map->cells, map->ncells, sizeof *c, c->paths[i].to);

            if (to == NOT_IN_ARRAY)
                return "a path does not lead to a cell of its own map";
            s = add_path(s, to, &c->paths[i]);
        }
    }
    *sum = s;
    return NULL;
}
