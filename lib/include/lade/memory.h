/**
 * \file
 * Messages: a value in one piece of memory, and back. Also bare arrays, that need no struct.
 *
 * A message starts with the fingerprint of its type (unless lade_context.bare), so that it is never
 * taken for another type. Where a macro takes a type T, T is the name in LADE_STRUCT, and a pointer
 * to anything else is a compile error; the functions behind the macros, ..._as, take the
 * descriptor.
 *
 * All functions may return LADE_ERR_ARGUMENT (a NULL or impossible argument), LADE_ERR_MEMORY and
 * LADE_ERR_DESCRIPTION (a description that contradicts itself) besides those that they name.
 */
#ifndef LADE_MEMORY_H
#define LADE_MEMORY_H

#include <stddef.h>

#include <lade/arena.h>
#include <lade/context.h>
#include <lade/type.h>
#include <lade/typed.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that grow. Zero-initialise it; it may be used again and again, and keeps its memory. */
typedef struct lade_buffer {
    uint8_t *data;                   /**< owned by the buffer */
    size_t size;                     /**< bytes in use */
    size_t capacity;                 /**< bytes allocated */
    const lade_allocator *allocator; /**< of data; set at its first use from the context */
} lade_buffer;

/** Frees the memory of a buffer; it may be used again after it. */
LADE_API void lade_buffer_fini(lade_buffer *buffer);

/**
 * Encodes a value into a buffer, replacing what it holds.
 * \returns LADE_OK; LADE_ERR_VALUE (negative count, or NULL with a count; an enumeration out of its
 * list if strict), LADE_ERR_INTERIOR. On failure the buffer's size is 0.
 */
LADE_API LADE_NODISCARD lade_status lade_encode_as(const lade_type *type, const void *value,
                                                   lade_buffer *buffer, lade_context *ctx);

/**
 * Encodes a value into memory of the caller.
 * \param size set to the bytes of the message on LADE_OK and on LADE_ERR_SPACE; else untouched.
 * \returns as lade_encode_as, and LADE_ERR_SPACE if capacity is less than *size (the memory's
 * content is then undefined).
 */
LADE_API LADE_NODISCARD lade_status lade_encode_to_as(const lade_type *type, const void *value,
                                                      void *memory, size_t capacity, size_t *size,
                                                      lade_context *ctx);

/** Finds the exact bytes of a value's message without writing it. \returns as lade_encode_as. */
LADE_API LADE_NODISCARD lade_status lade_encoded_size_as(const lade_type *type, const void *value,
                                                         size_t *size, lade_context *ctx);

/**
 * Decodes a message into new memory.
 * \param out address of a pointer to the value, set on success only.
 * \param owner address of an arena pointer: where it holds NULL an arena is created and stored on
 * success (owned by the caller), else its arena takes what is loaded. With lade_context.own_memory every
 * part has memory of its own: owner is untouched (a NULL stays NULL) and may be NULL itself; what is loaded
 * belongs to the caller, who frees it by lade_free_graph (value.h).
 * \returns LADE_OK; LADE_ERR_FORMAT, LADE_ERR_VERSION, LADE_ERR_TYPE, LADE_ERR_TRUNCATED,
 * LADE_ERR_VALUE, LADE_ERR_RANGE, LADE_ERR_REFERENCE, LADE_ERR_LIMIT. A failure frees all it made
 * and leaves *out and *owner untouched.
 */
LADE_API LADE_NODISCARD lade_status lade_decode_as(const lade_type *type, const void *message,
                                                   size_t size, void *out, lade_arena **owner,
                                                   lade_context *ctx);

/**
 * Decodes a message into an existing value of the same shape: pointers, counts, and the lengths of
 * texts stay as they are; what they lead to is overwritten.
 * \returns as lade_decode_as, and LADE_ERR_SHAPE where the message has another shape. After a
 * failure the content is undefined; pointers, counts and lengths are unchanged.
 */
LADE_API LADE_NODISCARD lade_status lade_decode_into_as(const lade_type *type, const void *message,
                                                        size_t size, void *value,
                                                        lade_context *ctx);

/**
 * The same for a bare array of elements of `type`: rank (1 to LADE_MAX_RANK) extents, slowest
 * first. If the elements are described records that hold refs to their own type, these refs point
 * into the array.
 */
LADE_API LADE_NODISCARD lade_status lade_encode_array_as(const lade_type *type, const void *array,
                                                         unsigned rank, const size_t *extents,
                                                         lade_buffer *buffer, lade_context *ctx);

/** \param rank must be the stored one (else LADE_ERR_SHAPE). \param extents set on success.
 * \param out address of a pointer to the elements; set to NULL for an array without elements. */
LADE_API LADE_NODISCARD lade_status lade_decode_array_as(const lade_type *type, const void *message,
                                                         size_t size, void *out, unsigned rank,
                                                         size_t *extents, lade_arena **owner,
                                                         lade_context *ctx);

/** \param extents must be the stored ones (else LADE_ERR_SHAPE). */
LADE_API LADE_NODISCARD lade_status lade_decode_array_into_as(const lade_type *type,
                                                              const void *message, size_t size,
                                                              void *array, unsigned rank,
                                                              const size_t *extents,
                                                              lade_context *ctx);

#ifdef __cplusplus
}
#endif

#define lade_encode(T, value, buffer, ctx) \
    lade_encode_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), buffer, ctx)
#define lade_encode_to(T, value, memory, capacity, size, ctx) \
    lade_encode_to_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), memory, capacity, size, ctx)
#define lade_encoded_size(T, value, size, ctx) \
    lade_encoded_size_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), size, ctx)
#define lade_decode(T, message, size, out, owner, ctx) \
    lade_decode_as(LADE_PRIV_TYPE(T), message, size, LADE_PRIV_SETS(T, out), owner, ctx)
#define lade_decode_into(T, message, size, value, ctx) \
    lade_decode_into_as(LADE_PRIV_TYPE(T), message, size, LADE_PRIV_FILLS(T, value), ctx)

/* Arrays of arithmetic elements: the type is that of the pointer. */
#define lade_encode_array(array, rank, extents, buffer, ctx) \
    lade_encode_array_as(LADE_PRIV_ARITHMETIC(array), array, rank, extents, buffer, ctx)
#define lade_decode_array(message, size, out, rank, extents, owner, ctx)                         \
    lade_decode_array_as(LADE_PRIV_ARITHMETIC(*(out)), message, size, out, rank, extents, owner, \
                         ctx)
#define lade_decode_array_into(message, size, array, rank, extents, ctx) \
    lade_decode_array_into_as(LADE_PRIV_ARITHMETIC(array), message, size, array, rank, extents, ctx)

/* Arrays of described records. */
#define lade_encode_records(T, array, rank, extents, buffer, ctx) \
    lade_encode_array_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, array), rank, extents, buffer, ctx)
#define lade_decode_records(T, message, size, out, rank, extents, owner, ctx)                     \
    lade_decode_array_as(LADE_PRIV_TYPE(T), message, size, LADE_PRIV_SETS(T, out), rank, extents, \
                         owner, ctx)
#define lade_decode_records_into(T, message, size, array, rank, extents, ctx)                    \
    lade_decode_array_into_as(LADE_PRIV_TYPE(T), message, size, LADE_PRIV_FILLS(T, array), rank, \
                              extents, ctx)

#endif
