/**
 * \file
 * Decoders: parse a skeleton, allocate everything, and list the places of the content.
 */
#ifndef LADE_DECODE_H
#define LADE_DECODE_H

#include "graph.h"
#include "store.h"

typedef struct dec_frame {
    const lade_node *node;
    unsigned char *value;
    size_t i, n;
    uint32_t field;
} dec_frame;

/** Content that needs a second look once it is there. */
typedef struct dec_fixup {
    const lade_node *node;
    void *value;
    uint8_t *wire; /* NULL: in place, booleans to be checked */
    size_t n;
} dec_fixup;

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
    unsigned char *array; /* the root's elements, if it is one */
    dec_pool *pools;      /* as in the plan */
    size_t pools_capacity;
    uint32_t pool_next;
    lade_worklist work;
    dec_frame *frames;
    size_t frames_capacity;
} dec;

dec *lade_dec_acquire(lade_job *job);
/** Gives a decoder back; destroys what it made unless the arena was taken. NULL is ignored. */
void lade_dec_release(dec *d);

/** Parses the skeleton. \param value set to the root. */
lade_status lade_dec_run(dec *d, const lade_target *target, void **value, size_t *extents);

/** Checks and unpacks the content once it is in place. */
lade_status lade_dec_finish(dec *d);

/** Alignment of new memory in an arena for values of a node, `size` bytes of them. */
size_t lade_dec_align(const lade_node *node, size_t size);
void *lade_dec_alloc(dec *d, const uint8_t *p, size_t size, size_t align);
/** Clears new memory of n values where members may not be listed. */
void lade_dec_clear(const dec *d, const lade_node *node, void *memory, size_t n);
/** False (and an error) unless n values of a node may still follow in the input. */
bool lade_dec_fits(dec *d, const uint8_t *p, const lade_node *node, uint64_t n);
/** Copies n bytes of the skeleton; returns the new position with `bound` bytes readable. */
const uint8_t *lade_dec_copy(dec *d, const uint8_t *p, void *to, size_t n, size_t bound);
/** Fails at a place of the skeleton that may have left the window. */
const uint8_t *lade_dec_fail_at(dec *d, uint64_t at, lade_status status, const char *text);
uint64_t lade_dec_offset(const dec *d, const uint8_t *p);
const uint8_t *lade_dec_fail(dec *d, const uint8_t *p, lade_status status, const char *text);

const uint8_t *lade_dec_interpret(dec *d, const uint8_t *p, const lade_node *node, void *value,
                                  size_t n);

#endif
