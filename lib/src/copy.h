/**
 * \file
 * Deep copies in the making: memory, pools that are moved, objects and runs to come.
 */
#ifndef LADE_COPY_H
#define LADE_COPY_H

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
} copier;

/** The first room for small bodies or texts. */
enum { COPIER_ROOM_FIRST = 512 };

/** New memory; NULL and an error if there is none. */
void *lade_copier_memory(copier *c, size_t size, size_t align);
/** New memory for n values; `apart`: of a pool or array. */
void *lade_copier_values(copier *c, const lade_node *node, size_t n, bool apart);
/** Notes where something copied stands, to find references into it. */
bool lade_copier_note(copier *c, const lade_node *node, const void *body, size_t n, bool target);
/** Copies n values that are their bytes; others become a run to come. */
bool lade_copier_start(copier *c, lade_pairs *list, const lade_node *node, const void *from,
                       void *to, size_t n);
/** Copies the runs to come, to the end. */
bool lade_copier_runs(copier *c);
/** Returns false. */
bool lade_copier_no_memory(copier *c);

#endif
