/**
 * \file
 * The step table of a plan: for each node what an operation on values in memory does, flattened through
 * records by value. Bytes that need no thought are coalesced into runs; pointers are steps of their own.
 */
#ifndef LADE_STEPS_H
#define LADE_STEPS_H

#include <string.h>

#include "plan.h"

typedef enum lade_step_kind {
    STEP_PLAIN, /* listed members that are their bytes */
    STEP_CLEAR, /* a gap: it may hide a member that is not listed, and these are zero in new memory */
    STEP_FIXED_TEXT, /* bytes up to a NUL */
    STEP_TEXT,
    STEP_BODY, /* vector, pool or optional: memory that the pointer owns */
    STEP_REF
} lade_step_kind;

/** One thing to do in each value of a node; `repeats` of them, `stride` bytes apart. */
typedef struct lade_step {
    lade_step_kind kind;
    lade_scalar count_scalar; /* of a body; LADE_NONE: one element if the pointer is not NULL */
    bool deferred;            /* the body's type can reach itself */
    bool pool;
    size_t offset; /* bytes from the start of the value */
    size_t size;   /* bytes, without a pointer */
    size_t repeats, stride;
    size_t count_offset, count_stride;
    const lade_node *node;   /* of the elements or the target */
    const lade_field *field; /* for errors; NULL for bytes */
} lade_step;

/** The steps of one node: plain runs first. */
typedef struct lade_node_steps {
    size_t first, count; /* in the table */
    size_t plain;        /* the first so many are plain runs */
    bool whole;          /* copy the whole value, then take the other steps: its gaps are small */
    bool bytes;          /* a value is its bytes: nothing else is to be done */
    bool made;
} lade_node_steps;

typedef struct lade_steps {
    lade_step *list;
    size_t count, capacity;
    lade_node_steps *nodes;
    size_t node_count;
} lade_steps;

/** The step table of a plan, made at its first use and kept with it. */
lade_status lade_steps_get(lade_job *job, const lade_plan *plan, const lade_steps **out);
/** NULL is ignored. */
void lade_steps_free(const lade_allocator *a, lade_steps *steps);

static inline const lade_step *lade_steps_begin(const lade_steps *steps,
                                                const lade_node_steps *node)
{
    return steps->list + node->first;
}

static inline void *lade_member_pointer(const unsigned char *member)
{
    void *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

/** Elements of the body behind a pointer member; false for a negative count, or NULL with a count. */
static inline bool lade_step_count(const lade_step *step, const unsigned char *value, size_t repeat,
                                   const void *body, size_t *count)
{
    const unsigned char *member = value + step->count_offset + repeat * step->count_stride;
    uint64_t n = body != NULL;
    uint32_t small;
    if (step->count_scalar == LADE_U32) { /* the commonest, without a call */
        memcpy(&small, member, sizeof small);
        n = small;
    } else if (step->count_scalar != LADE_NONE &&
               !lade_count_read(member, step->count_scalar, &n)) {
        return false;
    }
    *count = (size_t)n;
    return n <= SIZE_MAX && (n == 0 || body);
}

/** Records that a member of a value has an impossible count. Returns false. */
bool lade_count_failed(lade_job *job, const lade_node *node, const char *member);

#endif
