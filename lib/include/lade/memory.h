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
#pragma GCC system_header /* the macros below: short errors at the user's own line */

#include <stddef.h>

#include <lade/arena.h>
#include <lade/context.h>
#include <lade/type.h>

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
 * success (owned by the caller), else its arena takes what is loaded.
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

#ifndef __cplusplus
/* A pointer to a T to read from, one to fill, and the address of a pointer to a T. */
#define LADE_PRIV_READS(T, p) _Generic((p), T * : (p), const T * : (p))
#define LADE_PRIV_FILLS(T, p) _Generic((p), T * : (p))
#define LADE_PRIV_SETS(T, p) _Generic((p), T * * : (p), const T ** : (p))
/* The descriptor of the arithmetic elements that p (or *p) points to. */
#define LADE_PRIV_ARITHMETIC(p) \
    _Generic((p), const _Bool * : &lade_scalar_bool, _Bool * : &lade_scalar_bool,                  \
             const char * : &lade_scalar_char, char * : &lade_scalar_char,                         \
             const signed char * : &lade_scalar_i8, signed char * : &lade_scalar_i8,               \
             const unsigned char * : &lade_scalar_u8, unsigned char * : &lade_scalar_u8,           \
             const short * : &lade_scalar_i16, short * : &lade_scalar_i16,                         \
             const unsigned short * : &lade_scalar_u16, unsigned short * : &lade_scalar_u16,       \
             const int * : &lade_scalar_i32, int * : &lade_scalar_i32,                             \
             const unsigned * : &lade_scalar_u32, unsigned * : &lade_scalar_u32,                   \
             const long * : LADE_PRIV_LONG_TYPE, long * : LADE_PRIV_LONG_TYPE,                     \
             const unsigned long * : LADE_PRIV_ULONG_TYPE, unsigned long * : LADE_PRIV_ULONG_TYPE, \
             const long long * : &lade_scalar_i64, long long * : &lade_scalar_i64,                 \
             const unsigned long long * : &lade_scalar_u64,                                        \
             unsigned long long * : &lade_scalar_u64, const float * : &lade_scalar_f32,            \
             float * : &lade_scalar_f32, const double * : &lade_scalar_f64,                        \
             double * : &lade_scalar_f64, const float _Complex * : &lade_scalar_c32,               \
             float _Complex * : &lade_scalar_c32, const double _Complex * : &lade_scalar_c64,      \
             double _Complex * : &lade_scalar_c64)
#define LADE_PRIV_LONG_TYPE (sizeof(long) == 8 ? &lade_scalar_i64 : &lade_scalar_i32)
#define LADE_PRIV_ULONG_TYPE (sizeof(long) == 8 ? &lade_scalar_u64 : &lade_scalar_u32)
#else
extern "C++" {
template <class T> inline const T *lade_priv_reads(const T *p)
{
    return p;
}
template <class T> inline T *lade_priv_fills(T *p)
{
    return p;
}
template <class T> inline T **lade_priv_sets(T **p)
{
    return p;
}
#define LADE_PRIV_OVERLOAD(ctype, name)                         \
    inline const lade_type *lade_priv_arithmetic(const ctype *) \
    {                                                           \
        return &lade_scalar_##name;                             \
    }
LADE_PRIV_OVERLOAD(bool, bool)
LADE_PRIV_OVERLOAD(char, char)
LADE_PRIV_OVERLOAD(signed char, i8)
LADE_PRIV_OVERLOAD(unsigned char, u8)
LADE_PRIV_OVERLOAD(short, i16)
LADE_PRIV_OVERLOAD(unsigned short, u16)
LADE_PRIV_OVERLOAD(int, i32)
LADE_PRIV_OVERLOAD(unsigned, u32)
LADE_PRIV_OVERLOAD(long long, i64)
LADE_PRIV_OVERLOAD(unsigned long long, u64)
LADE_PRIV_OVERLOAD(float, f32)
LADE_PRIV_OVERLOAD(double, f64)
#undef LADE_PRIV_OVERLOAD
inline const lade_type *lade_priv_arithmetic(const long *)
{
    return sizeof(long) == 8 ? &lade_scalar_i64 : &lade_scalar_i32;
}
inline const lade_type *lade_priv_arithmetic(const unsigned long *)
{
    return sizeof(long) == 8 ? &lade_scalar_u64 : &lade_scalar_u32;
}
}
#define LADE_PRIV_READS(T, p) lade_priv_reads<T>(p)
#define LADE_PRIV_FILLS(T, p) lade_priv_fills<T>(p)
#define LADE_PRIV_SETS(T, p) lade_priv_sets<T>(p)
#define LADE_PRIV_ARITHMETIC(p) lade_priv_arithmetic(p)
#endif

#define lade_encode(T, value, buffer, ctx) \
    lade_encode_as(&lade_type_##T, LADE_PRIV_READS(T, value), buffer, ctx)
#define lade_encode_to(T, value, memory, capacity, size, ctx) \
    lade_encode_to_as(&lade_type_##T, LADE_PRIV_READS(T, value), memory, capacity, size, ctx)
#define lade_encoded_size(T, value, size, ctx) \
    lade_encoded_size_as(&lade_type_##T, LADE_PRIV_READS(T, value), size, ctx)
#define lade_decode(T, message, size, out, owner, ctx) \
    lade_decode_as(&lade_type_##T, message, size, LADE_PRIV_SETS(T, out), owner, ctx)
#define lade_decode_into(T, message, size, value, ctx) \
    lade_decode_into_as(&lade_type_##T, message, size, LADE_PRIV_FILLS(T, value), ctx)

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
    lade_encode_array_as(&lade_type_##T, LADE_PRIV_READS(T, array), rank, extents, buffer, ctx)
#define lade_decode_records(T, message, size, out, rank, extents, owner, ctx)                  \
    lade_decode_array_as(&lade_type_##T, message, size, LADE_PRIV_SETS(T, out), rank, extents, \
                         owner, ctx)
#define lade_decode_records_into(T, message, size, array, rank, extents, ctx)                 \
    lade_decode_array_into_as(&lade_type_##T, message, size, LADE_PRIV_FILLS(T, array), rank, \
                              extents, ctx)

#endif
