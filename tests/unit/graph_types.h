/**
 * \file
 * Graph types for the unit tests; described in graph_types.c.
 */
#ifndef TEST_GRAPH_TYPES_H
#define TEST_GRAPH_TYPES_H

#include <lade/lade.h>

typedef struct node node;
struct node {
    int32_t id;
    node *next, *other;
    char *name;
};

typedef struct author author;
typedef struct book book;
struct author {
    char *name;
    book *first;
};
struct book {
    int32_t year;
    author *by;
};

/* dense: no pointers, no padding */
typedef struct {
    double x, y;
} spot;

typedef struct {
    node *to;
    double cost;
} link_to;

/* pools of nodes and of doubles, two of the first */
typedef struct {
    node *nodes;
    uint32_t nnodes;
    node *more;
    uint16_t nmore;
    double *weights;
    size_t nweights;
    link_to *links;
    uint32_t nlinks;
    node *top, *last;
    double *best;
    spot *outside;
} mesh;

/* refs to scalars and dense records outside pools */
typedef struct {
    double *d;
    spot *s;
} holder;
typedef struct {
    holder *h;
    size_t n;
} bag;

/* everything that a ref might wrongly point into */
typedef struct {
    spot place;
    char *name;
} item;
typedef struct {
    item first;
    spot by_value;
    spot *dense;
    uint32_t ndense;
    item *items;
    uint32_t nitems;
    item *maybe;
    spot *maybe_dense;
    item in[2];
    spot *to_spot;
    item *to_item;
    double *to_double;
} album;

typedef struct inner inner;
struct inner {
    int32_t a;
    inner *self;
};
typedef struct outer outer;
struct outer {
    inner first;
    outer *self;
    inner *inside;
};

LADE_DECLARE(node)
LADE_DECLARE(author)
LADE_DECLARE(book)
LADE_DECLARE(spot)
LADE_DECLARE(mesh)
LADE_DECLARE(bag)
LADE_DECLARE(item)
LADE_DECLARE(album)
LADE_DECLARE(inner)
LADE_DECLARE(outer)

#endif
