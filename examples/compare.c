#include "compare.h"

#include "array.h"

static uint32_t vertex_index(const graph *g, const vertex *v)
{
    return array_index(g->vertices, g->nvertices, sizeof *v, v);
}

static uint32_t hex_index(const hexmap *map, const hex *c)
{
    return array_index(map->cells, map->ncells, sizeof *c, c);
}

static const char *vertex_difference(const graph *a, const graph *b, uint32_t i)
{
    const vertex *v = &a->vertices[i], *w = &b->vertices[i];

    if (v->id != w->id || v->size != w->size || v->nweights != w->nweights ||
        v->nedges != w->nedges)
        return "a vertex has another id, size or number of weights or edges";
    for (uint32_t k = 0; k < v->nweights; k++) {
        if (v->weights[k] != w->weights[k])
            return "a weight of a vertex differs";
    }
    for (uint32_t k = 0; k < v->nedges; k++) {
        uint32_t to = vertex_index(a, v->edges[k].to);

        if (to == NOT_IN_ARRAY || to != vertex_index(b, w->edges[k].to))
            return "an edge leads to another vertex";
        if (v->edges[k].weight != w->edges[k].weight)
            return "the weight of an edge differs";
    }
    return NULL;
}

const char *graph_difference(const graph *a, const graph *b)
{
    const char *found = NULL;

    if (a->nvertices != b->nvertices || a->nedges != b->nedges)
        return "the numbers of vertices or edges differ";
    for (uint32_t i = 0; i < a->nvertices && !found; i++)
        found = vertex_difference(a, b, i);
    return found;
}

static const char *hex_difference(const hexmap *a, const hexmap *b, uint32_t i)
{
    const hex *c = &a->cells[i], *d = &b->cells[i];

    if (c->q != d->q || c->r != d->r || c->ground != d->ground || c->npaths != d->npaths)
        return "a cell has other coordinates, ground or number of paths";
    for (uint32_t k = 0; k < c->npaths; k++) {
        uint32_t to = hex_index(a, c->paths[k].to);

        if (to == NOT_IN_ARRAY || to != hex_index(b, d->paths[k].to))
            return "a path leads to another cell";
        if (c->paths[k].cost != d->paths[k].cost || c->paths[k].open != d->paths[k].open)
            return "the cost of a path or its being open differs";
    }
    return NULL;
}

const char *hexmap_difference(const hexmap *a, const hexmap *b)
{
    const char *found = NULL;

    if (a->radius != b->radius || a->seed != b->seed || a->ncells != b->ncells ||
        hex_index(a, a->centre) != hex_index(b, b->centre) ||
        hex_index(a, a->centre) == NOT_IN_ARRAY)
        return "the maps differ in radius, seed, number of cells or centre";
    for (uint32_t i = 0; i < a->ncells && !found; i++)
        found = hex_difference(a, b, i);
    return found;
}
