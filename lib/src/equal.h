/**
 * \file
 * Comparisons in the making: frames, the queue, and what stopped the walk.
 */
#ifndef LADE_EQUAL_H
#define LADE_EQUAL_H

#include "custom_memory.h"
#include "graph.h"
#include "grid.h"
#include "steps.h"

/* n values of a node, at value i; field `next` comes next, up to `end`. */
typedef struct frame {
    const lade_node *node;
    const unsigned char *a, *b;
    size_t i, n;
    uint32_t first, next, end;    /* fields */
    uint32_t at;                  /* the field at hand */
    size_t next_element, element; /* in a fixed array of pointers: to come, and at hand */
    const lade_field *by; /* how the next value is found: list, map or grid; NULL: it follows */
    const unsigned char *owner_a, *owner_b; /* the structs with that field */
    size_t grid;                            /* in the list of grids */
} frame;

/* A grid on both sides. */
typedef struct grid_pair {
    lade_grid_shape a, b;
} grid_pair;

/* A pool on both sides; the array, if the root is one. */
typedef struct pool_pair {
    const lade_node *node;
    lade_priv_view a, b;
} pool_pair;

typedef struct id_pair {
    lade_ids a, b;
} id_pair;

typedef enum verdict {
    SAME_SO_FAR,
    DIFFERENT,
    AGAIN, /* the walk must begin again, with pool objects in the tables */
    FOUND, /* the push of number `wanted` */
    FAILED
} verdict;

typedef struct comparing {
    lade_job *job;
    const lade_allocator *allocator;
    const lade_plan *plan;
    const lade_steps *steps;
    const lade_root *root;
    const unsigned char *other; /* the value that the root is compared with */
    frame *frames;
    grid_pair *grids; /* as many as frames; NULL if the plan has no grids */
    size_t depth;
    lade_pairs queue;
    uint64_t pushed,
        popped; /* pairs so far: the number of the pair at hand is `popped`, 0 the root */
    uint64_t wanted;
    id_pair *ids; /* by node */
    pool_pair *pools;
    size_t pool_count;
    bool mixed; /* an object in the pools of one value stands alone in the other */
    verdict verdict;
    size_t place; /* of the difference, or the push, in what its field holds; or SIZE_MAX */
    lade_customs customs;
} comparing;

/* All functions that return bool: false if the walk is to stop. */

static inline bool lade_equal_stop(comparing *c, verdict v)
{
    c->verdict = v;
    return false;
}

static inline bool lade_equal_differ(comparing *c, size_t place)
{
    c->place = place;
    return lade_equal_stop(c, DIFFERENT);
}

static inline bool lade_equal_fail(comparing *c, lade_status status, const char *text)
{
    lade_job_error(c->job, status, 0, "%s", text);
    return lade_equal_stop(c, FAILED);
}

/* The next field of a frame; of a fixed array of pointers, one element. */
bool lade_equal_field(comparing *c, frame *f);
/* n values, to be compared right here: leaves now, others in a frame. */
bool lade_equal_enter(comparing *c, const lade_node *node, const unsigned char *a,
                      const unsigned char *b, size_t n);
/* n values of an edge, right here or later. */
bool lade_equal_body(comparing *c, const lade_edge *edge, const void *a, const void *b, size_t n);
/* Two references to objects of a node. */
bool lade_equal_refs(comparing *c, const lade_node *node, const void *a, const void *b);
/* Two objects that correspond if they are met at the same places of both walks. */
bool lade_equal_objects(comparing *c, const lade_node *node, const void *a, const void *b,
                        bool contained);

/* Fields of rarer kinds (equal_kinds.c). */
bool lade_equal_any(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge,
                    const void *a, const void *b);
bool lade_equal_variant(comparing *c, const frame *f, const lade_field *field,
                        const lade_edge *edge);
bool lade_equal_grid(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge);
bool lade_equal_list(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge);
bool lade_equal_map(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge);
bool lade_equal_bits(comparing *c, const frame *f, const lade_field *field);
/* Moves a frame to its next value. */
void lade_equal_advance(comparing *c, frame *f);

#endif
