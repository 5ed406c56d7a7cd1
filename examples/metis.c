#include "metis.h"

#include "array.h"
#include "metis_header.h"

typedef struct {
    text text;
    metis_header header;
    graph *graph;
    edge *edges;     /* room for two for each edge of the header */
    uint64_t nedges; /* how many there are in the file */
    int32_t *weight; /* the next free one */
} reader;

static bool read_edge(reader *r, vertex *v)
{
    uint64_t to, weight = 1;
    text *t = &r->text;

    if (!text_integer(t, "neighbour", 1, r->graph->nvertices, &to))
        return false;
    if (to == v->id)
        return text_fail(t, "vertex %u is its own neighbour", (unsigned)v->id);
    if (r->header.has_edge_weights && !text_integer(t, "edge weight", 1, INT32_MAX, &weight))
        return false;
    if (v->nedges + 1 == r->graph->nvertices)
        return text_fail(t, "vertex %u has more neighbours than there are other vertices",
                         (unsigned)v->id);
    /* Those that are too many are only counted, for the message at the end. */
    if (r->nedges < 2 * r->header.nedges)
        r->edges[r->nedges] = (edge){&r->graph->vertices[to - 1], (int32_t)weight};
    r->nedges++;
    v->nedges++;
    return true;
}

/* The line of a vertex: [size] [weights] neighbour [weight] neighbour [weight] ... */
static bool read_vertex(reader *r, vertex *v)
{
    uint64_t number = 1;
    text *t = &r->text;

    if (r->header.has_sizes && !text_integer(t, "vertex size", 0, INT32_MAX, &number))
        return false;
    v->size = (int32_t)number;
    v->nweights = r->header.nweights;
    v->weights = v->nweights ? r->weight : NULL;
    for (uint32_t i = 0; i < v->nweights; i++) {
        if (!text_integer(t, "vertex weight", 0, INT32_MAX, &number))
            return false;
        *r->weight++ = (int32_t)number;
    }
    v->nedges = 0;
    v->edges = r->nedges < 2 * r->header.nedges ? r->edges + r->nedges : NULL;
    while (text_more(t)) {
        if (!read_edge(r, v))
            return false;
    }
    return true;
}

static bool read_vertices(reader *r)
{
    text *t = &r->text;

    for (uint32_t i = 0; i < r->graph->nvertices; i++) {
        if (!metis_next_row(t))
            return text_fail(t, "the file ends after %u vertices; line %llu announces %u",
                             (unsigned)i, (unsigned long long)r->header.line,
                             (unsigned)r->graph->nvertices);
        r->graph->vertices[i].id = i + 1;
        if (!read_vertex(r, &r->graph->vertices[i]))
            return false;
    }
    while (metis_next_row(t)) {
        if (text_more(t))
            return text_fail(t, "a line follows that of the last of the %u vertices",
                             (unsigned)r->graph->nvertices);
    }
    return true;
}

/* The lines of the vertices are not kept: the way to one is found again where an error needs it. */
static void go_to_vertex(reader *r, uint32_t index)
{
    text_rewind(&r->text);
    for (uint64_t row = 0; row < (uint64_t)index + 2; row++)
        (void)metis_next_row(&r->text);
}

/* A wrong edge is a better message than a wrong number of edges, so it comes first if it can. */
static bool check_edges(reader *r)
{
    graph_fault fault;
    text *t = &r->text;

    if (r->nedges <= 2 * r->header.nedges && !graph_check_edges(r->graph, &fault)) {
        if (fault.from == r->graph->nvertices)
            return text_fail(t, "%s", fault.what);
        go_to_vertex(r, fault.from);
        return text_fail(t, "the edge from vertex %u to vertex %u %s", (unsigned)fault.from + 1,
                         (unsigned)fault.to + 1, fault.what);
    }
    t->line = r->header.line;
    if (r->nedges != 2 * r->header.nedges)
        return text_fail(t, "%llu edges are announced, and so %llu neighbours, but there are %llu",
                         (unsigned long long)r->header.nedges,
                         2 * (unsigned long long)r->header.nedges, (unsigned long long)r->nedges);
    return true;
}

static bool reserve_graph(reader *r, lade_arena *arena)
{
    const metis_header *h = &r->header;
    vertex *vertices = array_create(arena, h->nvertices, sizeof *vertices);

    r->graph = array_create(arena, 1, sizeof *r->graph);
    r->edges = array_create(arena, 2 * h->nedges, sizeof *r->edges);
    r->weight = array_create(arena, (uint64_t)h->nvertices * h->nweights, sizeof *r->weight);
    if (!vertices || !r->graph || !r->edges || !r->weight)
        return text_fail(&r->text, "out of memory");
    *r->graph = (graph){h->nedges, h->nvertices, vertices};
    return true;
}

bool metis_read(const char *path, lade_arena *arena, graph **out, text_error *error)
{
    reader r = {.graph = NULL};
    bool good;

    if (!text_open(&r.text, path, error))
        return false;
    good = metis_header_read(&r.text, &r.header) && reserve_graph(&r, arena) && read_vertices(&r) &&
           check_edges(&r);
    text_close(&r.text);
    if (good)
        *out = r.graph;
    return good;
}
