#include "graph.h"

#include <stdlib.h>

/* clang-format off: one field a line */
LADE_STRUCT(edge, (ref, to, vertex), (value, weight))

LADE_STRUCT(vertex, (value, id), (value, size), (vector, weights, nweights),
            (vector, edges, nedges, edge))

LADE_STRUCT(graph, (value, nedges), (pool, vertices, nvertices, vertex))
/* clang-format on */

/* An edge as seen from its other end. */
typedef struct {
    uint32_t from;
    int32_t weight;
} arrival;

/* All edges, turned round: those that lead to vertex v start at list[first[v]] and end before
 * list[first[v + 1]]. In seen[w], the last vertex that was found to have an edge to w, from 1. */
typedef struct {
    uint64_t *first;
    arrival *list, *seen;
} arrivals;

static void arrivals_fini(arrivals *a)
{
    free(a->first);
    free(a->list);
    free(a->seen);
}

static uint32_t target_of(const graph *g, const edge *e)
{
    return (uint32_t)(e->to - g->vertices);
}

/* A counting sort of the edges by where they lead. */
static bool arrivals_init(arrivals *a, const graph *g)
{
    uint64_t count = 0;

    for (uint32_t v = 0; v < g->nvertices; v++)
        count += g->vertices[v].nedges;
    a->first = calloc((size_t)g->nvertices + 2, sizeof *a->first);
    a->list = malloc((size_t)(count + 1) * sizeof *a->list);
    a->seen = calloc((size_t)g->nvertices + 1, sizeof *a->seen);
    if (!a->first || !a->list || !a->seen)
        return false;
    for (uint32_t v = 0; v < g->nvertices; v++) {
        for (uint32_t i = 0; i < g->vertices[v].nedges; i++)
            a->first[target_of(g, &g->vertices[v].edges[i]) + 2]++;
    }
    for (uint32_t v = 0; v < g->nvertices; v++)
        a->first[v + 2] += a->first[v + 1];
    /* first[v + 1] moves from the start of the list of v to its end. */
    for (uint32_t v = 0; v < g->nvertices; v++) {
        for (uint32_t i = 0; i < g->vertices[v].nedges; i++) {
            const edge *e = &g->vertices[v].edges[i];

            a->list[a->first[target_of(g, e) + 1]++] = (arrival){v, e->weight};
        }
    }
    return true;
}

/* Every edge that leads to v must be one that v has, too. As both are the same number over all
 * vertices, and no vertex has an edge twice, it follows that every edge of v leads back to it. */
static bool check_vertex(const arrivals *a, const graph *g, uint32_t v, graph_fault *fault)
{
    for (uint32_t i = 0; i < g->vertices[v].nedges; i++) {
        const edge *e = &g->vertices[v].edges[i];
        uint32_t w = target_of(g, e);

        if (a->seen[w].from == v + 1) {
            *fault = (graph_fault){v, w, "stands twice"};
            return false;
        }
        a->seen[w] = (arrival){v + 1, e->weight};
    }
    for (uint64_t i = a->first[v]; i < a->first[v + 1]; i++) {
        const arrival *back = &a->list[i];

        if (a->seen[back->from].from != v + 1) {
            *fault = (graph_fault){back->from, v, "is missing at its other end"};
            return false;
        }
        if (a->seen[back->from].weight != back->weight) {
            *fault = (graph_fault){v, back->from, "has another weight at its other end"};
            return false;
        }
    }
    return true;
}

bool graph_check_edges(const graph *g, graph_fault *fault)
{
    arrivals a;
    bool sound = arrivals_init(&a, g);

    if (!sound)
        *fault = (graph_fault){g->nvertices, 0, "out of memory"};
    for (uint32_t v = 0; sound && v < g->nvertices; v++)
        sound = check_vertex(&a, g, v, fault);
    arrivals_fini(&a);
    return sound;
}
