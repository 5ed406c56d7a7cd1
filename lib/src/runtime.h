/**
 * \file
 * Types made at run time, and the object that owns them.
 */
#ifndef LADE_RUNTIME_H
#define LADE_RUNTIME_H

#include "schema.h"

/** Limits on foreign schemas: far above what programs describe, and low enough for what is quadratic. */
enum {
    RUNTIME_TYPES = 1024,
    RUNTIME_FIELDS = 2048,
    RUNTIME_ALL_FIELDS = 16384,
    RUNTIME_NEST = 64,      /* records by value */
    RUNTIME_NAME = 1023,    /* bytes */
    RUNTIME_FREE = 1 << 16, /* bytes of a struct that nothing in the input stands for, */
    RUNTIME_RATIO = 64      /* beyond this multiple of what does */
};

typedef struct lade_runtime_field {
    struct lade_runtime_field *next;
    lade_field field;
} lade_runtime_field;

typedef struct lade_runtime_type {
    lade_type type; /* first: handles point at it */
    struct lade_runtime_type *next;
    lade_runtime_field *first, *last; /* until it is laid out */
    lade_fingerprint_cell cell;
    bool done;
    unsigned level; /* of records by value inside */
    size_t backed;  /* fewest bytes that a value has in the input */
    bool any;       /* a known-type pointer can be reached from it; set where that is asked for */
} lade_runtime_type;

struct lade_schema {
    const lade_allocator *allocator;
    lade_context *ctx; /* the caller's, or NULL */
    lade_arena *arena; /* of all types and names */
    uint64_t stamp;
    lade_runtime_type *first, *last;
    size_t count, field_count;
    const lade_type *root;
    bool array, finished, failed;
};

/** An empty schema. \param ctx of its types: the caller's, or NULL. */
lade_status lade_schema_make(lade_job *job, lade_context *ctx, lade_schema **out);
/** Zeroed memory that the schema owns; NULL and an error without memory. */
void *lade_schema_take(lade_job *job, lade_schema *s, size_t size);

/** The steps of lade_schema_add and the others, within a job. */
lade_runtime_type *lade_runtime_add(lade_job *job, lade_schema *s, const lade_type *spec);
lade_field *lade_runtime_field_add(lade_job *job, lade_schema *s, lade_runtime_type *t,
                                   const lade_field *spec);
lade_status lade_runtime_finish(lade_job *job, lade_schema *s, const lade_type *root, bool array);
/** Lays out all types; LADE_ERR_DESCRIPTION if one holds itself. */
lade_status lade_runtime_layout(lade_job *job, lade_schema *s);
lade_status lade_runtime_parse(lade_job *job, lade_schema *s, const lade_buffer *bytes,
                               const lade_buffer *more);
lade_status lade_runtime_twin(lade_job *job, lade_schema *s, const lade_type *type, bool array);

/** The custom type whose values are kept as they are: lade_raw. */
lade_save_fn lade_raw_save;
lade_load_fn lade_raw_load;

#endif
