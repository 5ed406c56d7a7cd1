/**
 * \file
 * Schemas: the set of types that a type reaches, and its canonical bytes (FORMAT.md, "Schema").
 */
#ifndef LADE_SCHEMA_H
#define LADE_SCHEMA_H

#include "internal.h"

/** Bytes of schemas that stand beside the numbers of kinds and scalars (FORMAT.md, 3). */
enum {
    SCHEMA_UNION = 64, /* in place of a scalar code */
    SCHEMA_CUSTOM = 65,
    SCHEMA_ARRAY_OF = 64, /* added to the kind of a pointer */
    SCHEMA_GRID_FORTRAN = 1,
    SCHEMA_GRID_WHOLE = 2,
    SCHEMA_GRID_HALO = 4,
    SCHEMA_LEVEL = 1,   /* highest that this library reads and writes */
    ATTACHMENT_FORM = 1 /* first byte of an attachment; others are passed by */
};

/** Types in the order of first mention, breadth first; two descriptors of one type count once. */
typedef struct lade_typeset {
    const lade_type **types;
    size_t
        core; /* types of the schema; those after it are reached through known-type pointers only */
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

/** Writes what stands beside the schema: known types, units and sentences. Nothing, if there is none. */
lade_status lade_attachment_write(lade_job *job, const lade_typeset *set, lade_buffer *buffer);

/** Elements of a field's fixed array; 1 for a single thing. */
size_t lade_field_elements(const lade_field *field);
/** Bytes of a fixed text. */
size_t lade_field_capacity(const lade_field *field);
/** Bytes of the member; 0 if the description is not sound. */
size_t lade_field_bytes(const lade_field *field);
/** Whether this version of the type stores the field. */
bool lade_field_stored(const lade_type *type, const lade_field *field);
/** Whether the member is a pointer, or a fixed array of pointers. */
bool lade_field_is_pointer(const lade_field *field);
/** The known types of a pointer to any of them; NULL for other kinds. */
static inline const lade_choice *lade_field_choice(const lade_field *field)
{
    return field->kind == LADE_KIND_ANY || field->kind == LADE_KIND_ANY_REF ? field->choice : NULL;
}
/** Whether the field is one of a type made at run time. */
static inline bool lade_field_generic(const lade_field *field)
{
    return field->options && field->options->generic;
}
/** The discriminant of field i of a union. */
static inline int64_t lade_field_when(const lade_type *type, uint32_t i)
{
    const lade_options *o = type->fields[i].options;
    return o && o->has_when ? o->when : (int64_t)i;
}

/** Place of field i among the stored ones. */
static inline uint64_t lade_field_place(const lade_type *type, uint32_t i)
{
    uint64_t place = 0;
    for (uint32_t k = 0; k < i; k++)
        place += lade_field_stored(type, &type->fields[k]);
    return place;
}

/** Whether the widths of a grid's halo are stored with it. */
static inline bool lade_grid_stores_halo(const lade_grid *grid)
{
    return grid->halo_count > 0 && (grid->whole || grid->halo_scalar != LADE_NONE);
}

/** A member that is stored with a field: a count, a discriminant, extents, halo, strides. */
typedef struct lade_companion {
    size_t offset;
    uint8_t scalar;
    size_t count;
} lade_companion;
enum { LADE_COMPANIONS_MAX = LADE_MAX_RANK + 2 };
/** Lists the companions of a field; \returns their number. */
unsigned lade_field_companions(const lade_field *field, lade_companion *list);

/** LADE_ERR_DESCRIPTION if a type contradicts itself. */
lade_status lade_type_check(lade_job *job, const lade_type *type);

lade_fingerprint lade_schema_fingerprint(const uint8_t *bytes, size_t size);
lade_status lade_fingerprint_compute(lade_job *job, const lade_type *type, bool array,
                                     lade_fingerprint *out);

/** Appends to a buffer; false if out of memory. */
bool lade_buffer_append(lade_job *job, lade_buffer *buffer, const void *bytes, size_t size);
bool lade_buffer_reserve(lade_job *job, lade_buffer *buffer, size_t capacity);

#endif
