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
    STEP_BODY,    /* vector, pool or optional: memory that the pointer owns */
    STEP_SHIFTED, /* a vector that does not start where its pointer stands */
    STEP_REF,
    STEP_ANY,
    STEP_ANY_REF,
    STEP_VARIANT,
    STEP_GRID,
    STEP_LIST,
    STEP_MAP,
    STEP_BITS,
    STEP_CUSTOM,   /* a value of a custom type */
    STEP_DEFAULT,  /* a member that is not stored, but has a default */
    STEP_CAPACITY, /* equal to the count in new memory */
    STEP_HOOK      /* a value of a type with after_load; inner ones first */
} lade_step_kind;

/** One thing to do in each value of a node; `repeats` of them, `stride` bytes apart. */
typedef struct lade_step {
    lade_step_kind kind;
    lade_scalar count_scalar; /* of a body; LADE_NONE: one element if the pointer is not NULL */
    bool deferred;            /* the body's type can reach itself */
    bool pool;
    bool own_case; /* nothing but this pointer goes by the member that tells its type */
    size_t offset; /* bytes from the start of the value */
    size_t size;   /* bytes, without a pointer */
    int64_t shift; /* bytes from the pointer to the body */
    size_t order;  /* in which steps were added */
    size_t repeats, stride;
    size_t count_offset, count_stride;
    const lade_node *node; /* of the elements or the target */
    const lade_edge *edge; /* to the known types */
    const lade_node
        *inner; /* of a list: its elements without their links; of a variant: its first case */
    const lade_field *field; /* for errors; NULL for bytes */
} lade_step;

/** The steps of one node: plain runs first. */
typedef struct lade_node_steps {
    size_t first, count; /* in the table */
    size_t plain;        /* the first so many are plain runs */
    bool whole;          /* copy the whole value, then take the other steps: its gaps are small */
    bool bytes;          /* a value is its bytes: nothing else is to be done */
    bool hooked;         /* it has hooks */
    bool made;
} lade_node_steps;

/**
 * Behind the nodes of the plan stand nodes that exist here only: each case of a union, which is a value of the
 * union's size with one field; and the elements of each list, whose links are left alone.
 */
typedef struct lade_steps {
    lade_step *list;
    size_t count, capacity;
    lade_node_steps *nodes; /* by index of a node, those beyond the plan too */
    size_t node_count;
    lade_node *inner; /* the nodes beyond the plan */
    size_t inner_count;
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

/** The node of an index. */
static inline const lade_node *lade_steps_node(const lade_steps *steps, const lade_plan *plan,
                                               size_t index)
{
    return index < plan->node_count ? &plan->nodes[index] : &steps->inner[index - plan->node_count];
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
