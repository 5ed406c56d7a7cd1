/**
 * \file
 * Decoders: parse a skeleton, allocate everything, and list the places of the content.
 */
#ifndef LADE_DECODE_H
#define LADE_DECODE_H

#include "graph.h"
#include "grid.h"
#include "store.h"

/** One frame of the interpreter: n values of a node, at value i; fields from `first` to before `end`. */
typedef struct dec_frame {
    const lade_node *node;
    unsigned char *value;
    size_t i, n;
    uint32_t field, first, end;
} dec_frame;

/** Content that needs a second look once it is there. */
typedef enum dec_fixup_kind {
    FIXUP_UNPACK,  /* from the wire form to structs */
    FIXUP_BOOLS,   /* in place: to be checked */
    FIXUP_SCATTER, /* to the pieces of a grid */
    FIXUP_BITS     /* to words of `word` bytes */
} dec_fixup_kind;

typedef struct dec_fixup {
    dec_fixup_kind kind;
    const lade_node *node;
    void *value;
    uint8_t *wire; /* n wire forms, or NULL: in place */
    size_t n, word;
    const lade_grid *grid;
    lade_grid_shape shape;
} dec_fixup;

/** What runs once everything is loaded: a map takes its entries, an object must be of the known type that it
 * was stored as, or hooks. */
typedef struct dec_after {
    const lade_map *map;       /* or NULL */
    const lade_choice *choice; /* or NULL */
    const lade_node *node;     /* of n values with hooks, in the order of their fields */
    void *value;               /* the map, the object, or the values */
    void *entries;             /* of the map; or a copy of an existing object as it was */
    size_t n;                  /* entries, the place of the known type, or values */
} dec_after;

typedef struct dec_pool {
    unsigned char *base;
    uint64_t count;
} dec_pool;

/** State of one node of the plan. */
typedef struct dec_node {
    lade_slabs slabs;
    uint64_t pool_total; /* objects in its pools */
} dec_node;

typedef struct dec {
    lade_decoder pub; /* first: surrogates see it */
    struct dec *next;
    lade_job *job;
    const lade_allocator *allocator;
    const lade_plan *plan;
    const lade_plan *clean; /* a plan for which the state by node is as new; or NULL */
    bool direct;            /* refs outside pools are decoded by surrogates, into slabs */
    lade_input input;
    const uint8_t *begin; /* of the bytes at hand */
    uint64_t offset;      /* of begin, in the input */
    bool at_end;          /* the source has no more skeleton */
    uint8_t *window;      /* a source's bytes, or the padded tail of memory */
    size_t window_capacity;
    lade_store store;   /* where new memory comes from */
    uint64_t consumed;  /* bytes of the whole skeleton, at the end */
    uint64_t claimed;   /* bytes of content */
    uint64_t pending;   /* fewest bytes of bodies that are still to come */
    uint64_t allocated; /* bytes of memory */
    uint64_t objects;   /* found through refs */
    uint64_t empty;     /* elements that take no bytes */
    size_t text_next;   /* bytes of the next block for texts */
    size_t body_next;   /* bytes of the next block for small vectors */
    lade_segment *content;
    size_t content_count, content_capacity;
    dec_fixup *fixups;
    size_t fixup_count, fixup_capacity;
    lade_priv_view *views; /* by node */
    size_t views_capacity;
    dec_node *nodes; /* by node */
    size_t nodes_capacity;
    unsigned char *scratch; /* a text that is compared */
    size_t scratch_capacity;
    unsigned rank;        /* of the array, if the root is one */
    unsigned char *array; /* the root's elements, if it is one */
    dec_pool *pools;      /* as in the plan */
    size_t pools_capacity;
    uint32_t pool_next;
    lade_worklist work;
    const lade_node *open; /* its new objects may be counted before they are listed; or NULL */
    dec_frame *frames;
    size_t frames_capacity, depth;
    uint32_t *tags; /* nodes of known types, in the order in which the stream lists them */
    size_t tags_capacity;
    uint64_t *sizes; /* of the arrays that a custom value says it has as content */
    size_t sizes_capacity;
    dec_after *after;
    size_t after_count, after_capacity;
    size_t after_done; /* so many have run, and the load has not succeeded yet */
} dec;

dec *lade_dec_acquire(lade_job *job);
/** Gives a decoder back; destroys what it made unless the arena was taken. NULL is ignored. */
void lade_dec_release(dec *d);

/** Parses the skeleton. \param value set to the root. */
lade_status lade_dec_run(dec *d, const lade_target *target, void **value, size_t *extents);

/** Makes a fresh decoder ready for values of custom types by themselves. False and an error on failure. */
bool lade_dec_begin_alone(dec *d, const lade_plan *plan);
/** Decodes one into cleared memory, from what lade_enc_alone wrote and listed. False and an error on failure. */
bool lade_dec_alone(dec *d, const lade_input *input, const lade_segment *content,
                    const lade_node *node, void *value);

/** Checks and unpacks the content once it is in place. */
lade_status lade_dec_finish(dec *d);

/** Alignment of new memory in an arena for values of a node, `size` bytes of them. */
size_t lade_dec_align(const lade_node *node, size_t size);
/** The same, but no more than the type demands for memory that the program frees. */
static inline size_t lade_dec_new_align(const dec *d, const lade_node *node, size_t size)
{
    return d->store.separate ? node->type->align : lade_dec_align(node, size);
}
void *lade_dec_alloc(dec *d, const uint8_t *p, size_t size, size_t align);
/** Clears new memory of n values where members may not be listed. */
void lade_dec_clear(const dec *d, const lade_node *node, void *memory, size_t n);
/** False (and an error) unless n values of a node may still follow in the input. */
bool lade_dec_fits(dec *d, const uint8_t *p, const lade_node *node, uint64_t n);
/** Copies n bytes of the skeleton; returns the new position with `bound` bytes readable. */
const uint8_t *lade_dec_copy(dec *d, const uint8_t *p, void *to, size_t n, size_t bound);
/** Bytes of input not yet read nor promised, as far as is known: an upper bound. */
uint64_t lade_dec_remaining(const dec *d, const uint8_t *p);
/** Memory for a text of n bytes and its NUL. */
char *lade_dec_text(dec *d, const uint8_t *p, size_t n);
/** Fails at a place of the skeleton that may have left the window. */
const uint8_t *lade_dec_fail_at(dec *d, uint64_t at, lade_status status, const char *text);
uint64_t lade_dec_offset(const dec *d, const uint8_t *p);
const uint8_t *lade_dec_fail(dec *d, const uint8_t *p, lade_status status, const char *text);

/** New objects that surrogates have counted, and that are not on the worklist yet. */
static inline uint64_t lade_dec_unlisted(const dec *d)
{
    const lade_slabs *s = d->open ? &d->nodes[d->open->index].slabs : NULL;
    return s ? s->objects.count - s->listed : 0;
}

/** Whether the type's own function is used, and not the plan. */
static inline bool lade_dec_has_load(const dec *d, const lade_node *node)
{
    return node->type->load && (!d->job->ctx->interpret || node->type->form == LADE_FORM_CUSTOM ||
                                node->type->scalar == LADE_F128);
}

/** Appends to the worklist, behind the objects that are counted and not yet listed. */
bool lade_dec_push(dec *d, const uint8_t *p, const lade_node *node, void *body, size_t n);
/** Lists these objects. */
bool lade_dec_settle(dec *d);
/** Bulk, worklist, or *left for the caller to load: n values of an edge. */
const uint8_t *lade_dec_body(dec *d, const uint8_t *p, const lade_edge *edge, void *at, size_t n,
                             size_t bound, void **left);
/** Content that lands in memory of the decoder first; takes a copy of the fixup. */
const uint8_t *lade_dec_content(dec *d, const uint8_t *p, const dec_fixup *fixup);
/** Notes n natural values that a bulk copy fills: their hooks and defaults. */
bool lade_dec_note(dec *d, const uint8_t *p, const lade_node *node, void *value, size_t n);
bool lade_dec_after(dec *d, const uint8_t *p, dec_after after);
/** Notes an object whose own members tell its type: in the end it must be of the known type `which`. If it is an
 * existing one and is not, it becomes again what it was, since the program goes by it. */
bool lade_dec_check_case(dec *d, const uint8_t *p, const lade_choice *choice, const lade_node *node,
                         void *object, uint32_t which);

/** Stores a count or a discriminant in its member, or compares it with what is there. */
bool lade_dec_number(dec *d, const uint8_t *p, unsigned scalar, void *member, bool shared,
                     uint64_t n);
bool lade_dec_integer(dec *d, const uint8_t *p, unsigned scalar, void *member, bool shared,
                      int64_t n);

/** Fields of the kinds that have no straight-line code; `value` is the struct. */
const uint8_t *lade_dec_grid(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value);
const uint8_t *lade_dec_list(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value);
const uint8_t *lade_dec_map(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                            unsigned char *value);
const uint8_t *lade_dec_bits(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value);
const uint8_t *lade_dec_external(dec *d, const uint8_t *p, const lade_field *f,
                                 unsigned char *member);
/** Reads the tag of a known-type pointer: its case, or LADE_PRIV_NO_CASE for NULL. */
const uint8_t *lade_dec_case(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value, unsigned char *member, uint32_t *which);
/** Puts n wire forms of a grid where they belong. */
void lade_dec_scatter(const lade_grid *grid, const lade_node *node, unsigned char *base,
                      const lade_grid_shape *shape, const uint8_t *wire);

const uint8_t *lade_dec_interpret(dec *d, const uint8_t *p, const lade_node *node, void *value,
                                  size_t n);

#endif
