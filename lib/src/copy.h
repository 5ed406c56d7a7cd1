/**
 * \file
 * Deep copies in the making: memory, pools that are moved, objects and runs to come.
 */
#ifndef LADE_COPY_H
#define LADE_COPY_H

#include "custom_memory.h"
#include "graph.h"
#include "steps.h"
#include "store.h"

/** Memory whose pointers are translated: a pool of the root, or the root itself if it is an array. */
typedef struct move {
    const lade_node *node;
    const unsigned char *from;
    unsigned char *to;
    size_t bytes;
} move;

/** What is left of memory that small things share. */
typedef struct room {
    unsigned char *at, *end;
    size_t next;
} room;

/** State of one node. */
typedef struct copy_node {
    lade_ids ids; /* of objects, whose ids are the addresses of their copies */
    move first;   /* its first pool */
} copy_node;

/** What runs once everything is copied: a map takes its entries, or n values have hooks. */
typedef struct copy_after {
    const lade_map *map; /* or NULL */
    const lade_node *node;
    void *value;
    void *entries; /* of the map */
    size_t n;
} copy_after;

/** One copy. */
typedef struct copier {
    lade_job *job;
    const lade_allocator *allocator;
    const lade_plan *plan;
    const lade_steps *steps;
    lade_store store;
    room bodies, texts;
    lade_pairs nested, recurring;
    copy_node *nodes;
    move *pools; /* as in the plan */
    const unsigned char *root;
    lade_range *ranges;
    size_t range_count, range_capacity;
    bool ranging;
    copy_after *after;
    size_t after_count, after_capacity;
    lade_customs customs;
} copier;

/** n values of `size` bytes, of which a step does a part. */
typedef struct block {
    const lade_node *node;
    const unsigned char *from;
    unsigned char *to;
    size_t n, size;
} block;

/** Does a step for one of its members in value i of a block. False: an error. */
typedef bool member_fn(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat);

static inline size_t lade_member_offset(const lade_step *s, const block *b, size_t i, size_t repeat)
{
    return i * b->size + s->offset + repeat * s->stride;
}

static inline void lade_member_set(unsigned char *member, const void *pointer)
{
    memcpy(member, &pointer, sizeof pointer);
}

/** The first room for small bodies or texts. */
enum { COPIER_ROOM_FIRST = 512 };

/** New memory; NULL and an error if there is none. */
void *lade_copier_memory(copier *c, size_t size, size_t align);
/** New memory for n values; `apart`: of a pool or array. */
void *lade_copier_values(copier *c, const lade_node *node, size_t n, bool apart);
/** Notes where something copied stands, to find references into it. */
bool lade_copier_note(copier *c, const lade_node *node, const void *body, size_t n, bool target);
/** The copy of what a reference leads to; NULL and an error on failure. */
void *lade_copier_target(copier *c, const lade_node *node, const void *target);
/** Steps of kinds that are rarer (copy_kinds.c). */
member_fn lade_copier_shifted, lade_copier_any, lade_copier_variant, lade_copier_grid,
    lade_copier_list, lade_copier_map, lade_copier_bits, lade_copier_custom, lade_copier_default,
    lade_copier_capacity;
/** Notes n values whose node has hooks. */
bool lade_copier_hooks(copier *c, const lade_node *node, void *values, size_t n);
/** Runs what is to run after the copy. False: an error. */
bool lade_copier_after(copier *c);
/** Copies n values that are their bytes; others become a run to come. */
bool lade_copier_start(copier *c, lade_pairs *list, const lade_node *node, const void *from,
                       void *to, size_t n);
/** Copies the runs to come, to the end. */
bool lade_copier_runs(copier *c);
/** Returns false. */
bool lade_copier_no_memory(copier *c);

#endif
