/**
 * \file
 * Types made at run time: from the schema of a file, from another type, or field by field.
 *
 * A lade_schema owns such types. Each has a layout in memory as a compiler would give it, so that values of it
 * are decoded, walked (view.h) and encoded again like those of described structs:
 *
 *     | kind | member |
 *     |---|---|
 *     | value, enumeration, fixed text, record | as in C, by value |
 *     | text, optional, ref | a pointer |
 *     | vector, pool, list, map | a pointer to an array, then its u64 count (one for an array of pointers) |
 *     | grid | a pointer to dense elements, then a u64 for each extent, then (if stored) for each width of the halo |
 *     | any, any_ref | a pointer, then the u32 place of its type among the known ones, for each pointer |
 *     | variant | a union, then its i64 discriminant |
 *     | bits | a pointer to u64 words, then the u64 number of bits |
 *     | external | its key as a text |
 *     | custom type | a lade_raw: what its functions saved |
 *
 * A type made from a schema writes the bytes and has the fingerprint of the type that the schema is of.
 *
 * Thread safety: one thread at a time while a schema is made or destroyed; its types are const.
 */
#ifndef LADE_SCHEMA_TYPES_H
#define LADE_SCHEMA_TYPES_H

#include <lade/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lade_schema lade_schema;

/** An array of a custom value. */
typedef struct lade_raw_array {
    void *data; /**< little-endian, as in the file */
    uint64_t size;
} lade_raw_array;

/** A value of a custom type whose functions are not known. */
typedef struct lade_raw {
    uint8_t *bytes;
    uint64_t size;
    lade_raw_array *arrays; /**< those that stand outside of `bytes` */
    uint64_t array_count;
} lade_raw;

/** A value together with its type: of described structs or of types made at run time. */
typedef struct lade_value {
    const lade_type *type;
    void *data;    /**< the value, or the first element */
    unsigned rank; /**< 0: one value; else a bare array of this rank */
    size_t extents[LADE_MAX_RANK];
} lade_value;

/**
 * Makes types from the bytes of a schema (FORMAT.md, "Schemas"), which may be hostile.
 * \param more the attachment that stands beside it in a file: known types, units, sentences; or NULL.
 * \param out owned by the caller. \param ctx borrowed until lade_schema_destroy, or NULL.
 * \returns LADE_OK, LADE_ERR_ARGUMENT, LADE_ERR_FORMAT (not a valid schema), LADE_ERR_VERSION, LADE_ERR_LIMIT (more than 1024
 * types, 2048 fields in one or 16384 in all, 64 levels of records by value, or memory out of all proportion),
 * LADE_ERR_MEMORY.
 */
LADE_API LADE_NODISCARD lade_status lade_schema_parse(const void *bytes, size_t size,
                                                      const void *more, size_t more_size,
                                                      lade_schema **out, lade_context *ctx);

/** Makes the run-time twin of a type (or of a bare array of it). \returns as lade_schema_parse, and
 * LADE_ERR_DESCRIPTION. */
LADE_API LADE_NODISCARD lade_status lade_schema_describe(const lade_type *type, bool array,
                                                         lade_schema **out, lade_context *ctx);

/**
 * Gives the schema of a type (or of a bare array of it) as bytes, and its attachment, which is empty if there
 * is nothing to say. \param more NULL if it is not wanted. On failure both are empty.
 * \returns LADE_OK, LADE_ERR_ARGUMENT, LADE_ERR_DESCRIPTION, LADE_ERR_MEMORY.
 */
LADE_API LADE_NODISCARD lade_status lade_schema_bytes(const lade_type *type, bool array,
                                                      lade_buffer *bytes, lade_buffer *more,
                                                      lade_context *ctx);

/** Frees the types. No value, plan or file may use them any more. NULL is ignored. */
LADE_API void lade_schema_destroy(lade_schema *schema);

/** \returns the type of the value, or of the elements of a bare array. */
LADE_API const lade_type *lade_schema_root(const lade_schema *schema);
/** \returns whether the schema is of a bare array. */
LADE_API bool lade_schema_is_array(const lade_schema *schema);
/** \returns the type that has this name, or NULL. Scalars are not looked for. */
LADE_API const lade_type *lade_schema_find(const lade_schema *schema, const char *name);

/*
 * Making types field by field:
 *
 *     lade_schema_create(&schema, ctx);
 *     lade_schema_add(schema, &(lade_type){.name = "spot"}, &spot);
 *     lade_schema_add_field(schema, spot, &(lade_field){.name = "x", .kind = LADE_KIND_VALUE,
 *                                                       .scalar = LADE_F64, .offset = LADE_NO_OFFSET});
 *     lade_schema_finish(schema, spot, false);
 *
 * All types are added first, so that fields may lead to any of them, or to const types of the program. What is
 * passed is copied, with all names; only defaults (lade_options.fallback) and hooks are borrowed until
 * lade_schema_destroy. After a failure the schema can only be destroyed.
 */

/** Starts an empty schema. \param out, \param ctx as in lade_schema_parse. */
LADE_API LADE_NODISCARD lade_status lade_schema_create(lade_schema **out, lade_context *ctx);

/**
 * Adds a type without fields. \param type its name, form, version and hooks; size and align if the caller has
 * laid it out, else 0. A custom type without functions of its own keeps its values as lade_raw.
 * \param out the type: a target of fields; its values may be used after lade_schema_finish.
 */
LADE_API LADE_NODISCARD lade_status lade_schema_add(lade_schema *schema, const lade_type *type,
                                                    const lade_type **out);

/**
 * Adds a field. \param field as in a descriptor; where `offset` is LADE_NO_OFFSET (and count_scalar LADE_NONE,
 * and a grid's extent_scalar; LADE_NO_OFFSET in its halo_offset), the place of the member (of its count, its extents) is computed, and its width
 * chosen as in the table above.
 */
LADE_API LADE_NODISCARD lade_status lade_schema_add_field(lade_schema *schema,
                                                          const lade_type *type,
                                                          const lade_field *field);

/** Lays out and checks all types. \param root one of them, or a scalar. \returns LADE_OK,
 * LADE_ERR_DESCRIPTION, LADE_ERR_LIMIT, LADE_ERR_STATE (finished already), LADE_ERR_MEMORY. */
LADE_API LADE_NODISCARD lade_status lade_schema_finish(lade_schema *schema, const lade_type *root,
                                                       bool array);

#ifdef __cplusplus
}
#endif
#endif
