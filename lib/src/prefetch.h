/**
 * \file
 * Asking for memory before it is needed. An object on the worklist has left the caches by the time
 * its turn comes; what its turn needs is therefore asked for in stages, some items ahead: the
 * object, then the bodies that its pointers lead to and the words of the id table for its refs,
 * then those words for the refs in the bodies. A plan knows where the pointers are.
 *
 * All of this changes how fast an encoder is and nothing else; what has many pointers, or has them
 * deep inside, is only helped in part.
 */
#ifndef LADE_PREFETCH_H
#define LADE_PREFETCH_H

#include "plan.h"

struct enc;

/** One pointer of a struct. */
struct lade_prefetch_link {
    size_t offset, count_offset; /* in the struct */
    size_t size;                 /* bytes of an element */
    uint32_t node;               /* of the target or the elements, in the plan; none for a text */
    uint8_t count_size;          /* bytes of the count; 0: there is one element */
    bool ref;                    /* by the id table */
    bool deep;                   /* a body with refs inside */
};

/** The links of a node: those before `refs` are its refs. */
struct lade_prefetch {
    uint32_t first, refs, end; /* in the plan's list of links */
    uint32_t values;           /* of an item that are looked at */
    size_t size;               /* bytes of a value */
};

/** Finds the links of all nodes of a plan; false if out of memory. */
bool lade_prefetch_plan(const lade_allocator *a, lade_plan *plan);
void lade_prefetch_free(const lade_allocator *a, lade_plan *plan);

/** Items of which each stage takes care at once: what they miss, caches and address translation,
 * then overlaps (bench: hextille_scattered save). */
enum { LADE_PREFETCH_BATCH = 16 };

/** Asks for what the next items of the worklist will need. To be called once for each batch. */
void lade_prefetch_next(const struct enc *e);

#endif
