/**
 * \file
 * Plans: a type and all that it reaches, as nodes and edges with everything decided that does not
 * depend on a value. A context keeps its plans.
 */
#ifndef LADE_PLAN_H
#define LADE_PLAN_H

#include <float.h>

#include "internal.h"

/** Interpreted fields ask for this much room at a time. */
enum { FIELD_BOUND = LADE_PRIV_SMALL + 8 + LADE_PRIV_VARINT_MAX };

/** A pool of the root: found at a fixed place of the root's struct. */
typedef struct lade_pool_place {
    size_t offset, count_offset; /* in the root's struct */
    uint8_t count_scalar;
    const lade_node *node;
    const char *name;
} lade_pool_place;

/** What the interpreter does for a field in its inner loop. */
typedef enum lade_move_op {
    MOVE_FIELD, /* nothing: the general code, by the descriptor */
    MOVE_1,     /* so many bytes are copied */
    MOVE_4,
    MOVE_8,
    MOVE_MANY, /* up to LADE_PRIV_SMALL bytes, count units */
    MOVE_BOOL,
    MOVE_ENUM,
    MOVE_TEXT,
    MOVE_REF
} lade_move_op;

/** A field of a node, with all that its descriptor says looked up. */
typedef struct lade_move {
    uint8_t op;
    uint8_t scalar;
    uint8_t unit, count; /* of MOVE_MANY */
    size_t offset;       /* in the struct */
    union {
        const lade_enum *enumeration;
        const lade_node *target;
    };
} lade_move;

/** How much of a struct its listed members cover. Gaps are cleared in new memory. */
typedef enum lade_coverage {
    COVERED_NOT,      /* new memory must be cleared */
    COVERED_BUT_TAIL, /* surrogates clear what is missing: less than a word at the end */
    COVERED_WHOLE
} lade_coverage;

struct lade_prefetch;
struct lade_prefetch_link;

typedef struct lade_plan {
    struct lade_plan *next;
    const lade_type *root;
    uint64_t stamp; /* of the root: a type made at run time may stand where an earlier one stood */
    bool array;
    uint32_t node_count;
    lade_node *nodes; /* nodes[0] is the root's */
    lade_edge *edges;
    size_t edge_count;
    lade_move *moves;        /* by edge */
    lade_coverage *covered;  /* by node */
    lade_fingerprint *known; /* by node, of those that known-type pointers lead to; else zero */
    uint32_t pool_count;
    lade_pool_place *pools;
    size_t pool_capacity;
    size_t depth;     /* most frames of the interpreter */
    size_t max_bound; /* most bytes that a put or get asks for at once */
    lade_fingerprint fingerprint;
    struct lade_steps *steps;       /* for operations in memory; NULL until their first use */
    struct lade_prefetch *prefetch; /* by node */
    struct lade_prefetch_link *links;
    size_t link_capacity;
} lade_plan;

/** Finds or makes the plan of a type, kept in the context. */
lade_status lade_plan_get(lade_job *job, const lade_type *type, bool array, const lade_plan **out);

/** Drops what a context keeps of a type that is about to go. */
void lade_plan_forget(lade_context *ctx, const lade_type *type);

/** Nodes of the arithmetic types, for arrays that need no plan. */
const lade_node *lade_scalar_node(lade_scalar scalar);

/** Bytes of a scalar that swap together, and its alignment in natural records. */
size_t lade_scalar_unit(lade_scalar scalar);

/** The edges of field i: one for each known type, one where it has a type, or none. */
static inline const lade_edge *lade_node_edges(const lade_node *node, uint32_t i, uint32_t *count)
{
    const lade_edge *edge = &node->edges[i];
    if (edge->flags & LADE_EDGE_CASES) {
        *count = edge->index;
        return edge->cases;
    }
    *count = edge->node != NULL;
    return edge;
}

/** The moves of a node's fields. */
static inline const lade_move *lade_plan_moves(const lade_plan *plan, const lade_node *node)
{
    return plan->moves + (node->edges - plan->edges);
}

/* Steps of making a plan. */
void lade_plan_layout(lade_plan *plan);
void lade_plan_moves_make(lade_plan *plan);
lade_status lade_plan_pools(lade_job *job, lade_plan *plan);

/** Reads or writes an integer member. */
bool lade_count_read(const void *member, lade_scalar scalar, uint64_t *value);
bool lade_count_write(void *member, lade_scalar scalar, uint64_t value);
int64_t lade_integer_read(const void *member, lade_scalar scalar);
bool lade_integer_write(void *member, lade_scalar scalar, int64_t value);

/** Bytes of a long double that hold its value; the others are padding. */
enum { LADE_LONG_DOUBLE_USED = LDBL_MANT_DIG == 64 ? 10 : (int)sizeof(long double) };

/** long double to and from 16 bytes of binary128; false if the machine cannot hold the value. */
void lade_long_double_pack(uint8_t *wire, const void *value);
bool lade_long_double_unpack(void *value, const uint8_t *wire);

/** Calls `hook` for n natural values and for the records that these hold by value; stops where it returns
 * false. */
typedef bool lade_hook_fn(void *user, const lade_node *node, void *value);
bool lade_node_hooks(const lade_node *node, void *value, size_t n, bool inner_first,
                     lade_hook_fn *hook, void *user);

/** Place in memory of byte i of a bit set made of words. */
static inline size_t lade_bits_byte(size_t word, size_t i)
{
    return LADE_PRIV_BIG ? i - i % word + (word - 1 - i % word) : i;
}

/** The wire form of n natural values, from and to the struct. */
void lade_node_pack(const lade_node *node, uint8_t *wire, const void *value, size_t n);
void lade_node_unpack(const lade_node *node, void *value, const uint8_t *wire, size_t n);

/** Gives a field its default, if it has one. */
void lade_field_default(const lade_field *field, unsigned char *value);
/** Gives fields that are not stored their defaults, in n natural values and the records that these hold. */
void lade_node_defaults(const lade_node *node, void *value, size_t n);

#endif
