/**
 * \file
 * An undirected graph whose vertices point at each other, described for Lade.
 */
#ifndef EXAMPLES_GRAPH_H
#define EXAMPLES_GRAPH_H

#include <lade/lade.h>

typedef struct vertex vertex;

/** One end of an edge: it stands at the one vertex and points to the other. */
typedef struct {
    vertex *to;
    int32_t weight;
} edge;

struct vertex {
    uint32_t id; /**< from 1 */
    int32_t size;
    uint32_t nweights; /**< the same for all vertices */
    int32_t *weights;
    uint32_t nedges;
    edge *edges;
};

typedef struct {
    uint64_t nedges; /**< each stands at both of its ends */
    uint32_t nvertices;
    vertex *vertices;
} graph;

LADE_DECLARE(graph)

/** What is wrong at an edge, and the indices of the vertex where it stands and of its target. */
typedef struct {
    uint32_t from, to;
    const char *what;
} graph_fault;

/**
 * Looks for an edge that stands twice at a vertex, or at one of its ends only, or with different
 * weights at its ends. All pointers must lead to vertices of the graph.
 * \returns true if there is none; else *fault is filled, with from == nvertices if memory ran out.
 */
bool graph_check_edges(const graph *g, graph_fault *fault);

#endif
