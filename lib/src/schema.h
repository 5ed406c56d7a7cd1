/**
 * \file
 * Schemas: the set of types that a type reaches, and its canonical bytes (FORMAT.md, "Schema").
 */
#ifndef LADE_SCHEMA_H
#define LADE_SCHEMA_H

#include "internal.h"

/** Types in the order of first mention, breadth first; two descriptors of one type count once. */
typedef struct lade_typeset {
    const lade_type **types;
    size_t count, capacity;
} lade_typeset;

/** Collects and checks all types that `root` reaches. LADE_ERR_DESCRIPTION names what is wrong. */
lade_status lade_typeset_collect(lade_job *job, const lade_type *root, lade_typeset *set);
void lade_typeset_fini(lade_job *job, lade_typeset *set);

/** Place of a type in the set, or SIZE_MAX. */
size_t lade_typeset_find(const lade_typeset *set, const lade_type *type);

/** Writes the schema of a value (or an array of values) of the set's first type. */
lade_status lade_schema_write(lade_job *job, const lade_typeset *set, bool array,
                              lade_buffer *buffer);

/** Elements of a field's fixed array; 1 for a single thing. */
size_t lade_field_elements(const lade_field *field);

lade_fingerprint lade_schema_fingerprint(const uint8_t *bytes, size_t size);
lade_status lade_fingerprint_compute(lade_job *job, const lade_type *type, bool array,
                                     lade_fingerprint *out);

/** Appends to a buffer; false if out of memory. */
bool lade_buffer_append(lade_job *job, lade_buffer *buffer, const void *bytes, size_t size);
bool lade_buffer_reserve(lade_job *job, lade_buffer *buffer, size_t capacity);

/** Describes the first difference between two schemas, for an error message. */
void lade_schema_difference(const uint8_t *stored, size_t stored_size, const uint8_t *wanted,
                            size_t wanted_size, char *text, size_t text_size);

#endif
