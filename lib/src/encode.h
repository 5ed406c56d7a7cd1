/**
 * \file
 * Encoders: a walk over a value that writes its skeleton and lists its content.
 */
#ifndef LADE_ENCODE_H
#define LADE_ENCODE_H

#include "graph.h"

/** One frame of the interpreter: n values of a node, at value i; fields from `first` to before `end`. */
typedef struct enc_frame {
    const lade_node *node;
    const unsigned char *value;
    size_t i, n;
    uint32_t field, first, end;
} enc_frame;

/** Memory that holds repacked content until the encoder is reset. */
typedef struct enc_staged {
    struct enc_staged *next;
    size_t size;
} enc_staged;

/** State of one node of the plan. */
typedef struct enc_node {
    lade_ids ids;
    uint64_t pool_total; /* objects in its pools */
} enc_node;

/** Where the skeleton goes. */
typedef enum enc_mode {
    ENC_KEEP,  /* a growing buffer */
    ENC_FIXED, /* the caller's memory; goes on counting when that is full */
    ENC_STREAM /* a sink, block by block */
} enc_mode;

typedef struct enc {
    lade_encoder pub; /* first: surrogates see it */
    struct enc *next; /* in the context's list of idle encoders */
    lade_job *job;
    const lade_allocator *allocator;
    const lade_plan *plan;
    const lade_plan *clean; /* a plan for which the state by node is as new; or NULL */
    enc_mode mode;
    uint8_t *begin;   /* of the bytes not yet counted in `passed` */
    uint64_t passed;  /* skeleton bytes given to the sink, or counted beyond the fixed memory */
    uint64_t objects; /* found through refs */
    uint64_t content_size, staged_size;
    uint8_t *fixed_end; /* of the caller's memory */
    bool left;          /* the fixed memory was left: what it holds is not whole */
    lade_sink_fn *sink;
    void *user;
    lade_buffer *keep;
    lade_buffer own;   /* keep, where the caller has no buffer */
    lade_buffer block; /* of a stream; scratch of a fixed memory that is full */
    lade_segment *content;
    size_t content_count, content_capacity;
    lade_priv_view *views; /* by node */
    size_t views_capacity;
    enc_node *nodes; /* by node */
    size_t nodes_capacity;
    const unsigned char *pool_root; /* the root's struct, if it has pools */
    lade_worklist work;
    enc_frame *frames;
    size_t frames_capacity, depth;
    uint32_t *tags; /* by node: place in the stream's list of known types, from 1; 0: not listed */
    size_t tags_capacity;
    uint32_t tag_count;
    enc_staged *staged;
    lade_range *ranges;
    size_t range_count, range_capacity;
} enc;

enc *lade_enc_acquire(lade_job *job);
/** Gives an encoder back to its context. NULL is ignored. */
void lade_enc_release(enc *e);

/**
 * Encodes a root whose plan is e->plan: behind what e->keep holds (ENC_KEEP), from e->begin to
 * e->fixed_end (ENC_FIXED), or into the sink, which may be NULL (ENC_STREAM).
 */
lade_status lade_enc_run(enc *e, const lade_root *root);

/** Encodes a value of a custom type by itself into e->own, with its arrays in the list of content; the
 * encoder is fresh, or was used for nothing else. False and an error on failure. */
bool lade_enc_alone(enc *e, const lade_node *node, const void *value);

/** Checks a root, finds its plan and runs. */
lade_status lade_encode_job(lade_job *job, enc *e, const lade_root *root);

uint8_t *lade_enc_interpret(enc *e, uint8_t *p, const lade_node *node, const void *value, size_t n);

/** Fields of the kinds that have no straight-line code; `value` is the struct. */
uint8_t *lade_enc_grid(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                       const unsigned char *value);
uint8_t *lade_enc_list(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                       const unsigned char *value);
uint8_t *lade_enc_map(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                      const unsigned char *value);
uint8_t *lade_enc_bits(enc *e, uint8_t *p, const lade_field *f, const unsigned char *value);
uint8_t *lade_enc_external(enc *e, uint8_t *p, const lade_field *f, const void *pointer);
/** Finds the case of an object of a known type; NULL and an error if there is none. */
const lade_edge *lade_enc_case(enc *e, const lade_field *f, const lade_edge *edge,
                               const unsigned char *value, const void *object);

/** Whether the type's own function is used, and not the plan. */
static inline bool lade_enc_has_save(const enc *e, const lade_node *node)
{
    return node->type->save && (!e->job->ctx->interpret || node->type->form == LADE_FORM_CUSTOM ||
                                node->type->scalar == LADE_F128);
}
/** Runs before_save for n natural values and the records in them. */
bool lade_enc_before(enc *e, const lade_node *node, const void *value, size_t n);
/** Memory that lives until the encoder is reset; NULL and an error without memory. */
void *lade_enc_stage(enc *e, size_t size);
bool lade_enc_content(enc *e, const void *data, size_t size);
uint8_t *lade_enc_fail(enc *e, lade_status status, const char *text);

#endif
