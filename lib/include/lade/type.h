/**
 * \file
 * Descriptors: what Lade knows about a C type, as const data. Programs do not write them by hand;
 * LADE_STRUCT and LADE_ENUM (describe.h) make them from the C struct itself.
 */
#ifndef LADE_TYPE_H
#define LADE_TYPE_H

#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lade/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of field. The numbers stand in schemas of files: they never change. */
typedef enum lade_kind {
    LADE_KIND_VALUE = 1,
    LADE_KIND_ENUMERATION = 2,
    LADE_KIND_TEXT = 3,
    LADE_KIND_FIXED_TEXT = 4,
    LADE_KIND_RECORD = 5,
    LADE_KIND_VECTOR = 6,
    LADE_KIND_POOL = 7,
    LADE_KIND_OPTIONAL = 8,
    LADE_KIND_REF = 9
} lade_kind;

/** Arithmetic types by width. The numbers stand in schemas of files: they never change. */
typedef enum lade_scalar {
    LADE_NONE = 0,
    LADE_BOOL = 1,
    LADE_CHAR = 2,
    LADE_I8 = 3,
    LADE_U8 = 4,
    LADE_I16 = 5,
    LADE_U16 = 6,
    LADE_I32 = 7,
    LADE_U32 = 8,
    LADE_I64 = 9,
    LADE_U64 = 10,
    LADE_F32 = 11,
    LADE_F64 = 12,
    LADE_C32 = 13, /**< float complex: two f32 */
    LADE_C64 = 14  /**< double complex: two f64 */
} lade_scalar;

/** Highest rank of a fixed array in a struct. */
#define LADE_MAX_EXTENTS 4

/** Largest alignment of a described struct, in bytes. */
#define LADE_MAX_ALIGN 4096

/** Highest rank of a bare array. */
#define LADE_MAX_RANK 8

typedef struct lade_type lade_type;
typedef struct lade_node lade_node;
typedef struct lade_encoder lade_encoder;
typedef struct lade_decoder lade_decoder;

/** One enumerator. */
typedef struct lade_enumerator {
    const char *name;
    int64_t value;
} lade_enumerator;

/** An enumeration: its enumerators in the order of LADE_ENUM. */
typedef struct lade_enum {
    const char *name;
    uint32_t count;
    bool linear; /**< Values are first, first + 1, ... */
    const lade_enumerator *list;
} lade_enum;

/** One field of a record. */
typedef struct lade_field {
    const char *name;
    uint8_t kind;                      /**< lade_kind */
    uint8_t scalar;                    /**< lade_scalar of a value or of an enumeration's integer */
    uint8_t count_scalar;              /**< lade_scalar of the count field of a vector or pool */
    uint8_t rank;                      /**< of a fixed array; 0 for a single thing */
    uint32_t extent[LADE_MAX_EXTENTS]; /**< elements along each dimension of a fixed array */
    size_t offset;                     /**< bytes from the start of the struct */
    size_t count_offset;               /**< bytes from the start of the struct to the count field */
    const lade_type *type;             /**< of the record, elements or target */
    const lade_enum *enumeration;
} lade_field;

/** Encodes n consecutive values into the skeleton; returns the new position, or NULL on failure. */
typedef uint8_t *lade_save_fn(lade_encoder *e, uint8_t *p, const lade_node *node, const void *value,
                              size_t n);
/** Decodes n consecutive values; returns the new position, or NULL on failure. */
typedef const uint8_t *lade_load_fn(lade_decoder *d, const uint8_t *p, const lade_node *node,
                                    void *value, size_t n);

#ifndef __cplusplus
/** The fingerprint of a type, computed at its first use and then kept: write-once. */
typedef struct lade_fingerprint_cell {
    atomic_int state;
    _Atomic uint64_t low, high;
} lade_fingerprint_cell;
#else
typedef struct lade_fingerprint_cell lade_fingerprint_cell;
#endif

/** A type: a record, or (scalar not LADE_NONE) an arithmetic type. */
struct lade_type {
    const char *name;
    size_t size;  /**< bytes, as sizeof says */
    size_t align; /**< bytes */
    uint8_t scalar;
    uint32_t version;
    uint32_t field_count;
    const lade_field *fields;
    lade_save_fn *save; /**< generated surrogate, or NULL: the plan is interpreted */
    lade_load_fn *load;
    size_t bound; /**< most skeleton bytes of the fixed part of one value in the surrogate */
    lade_fingerprint_cell *cell;
};

/** Fingerprint of a type and of all that it reaches: equal if and only if the schemas are equal. */
typedef struct lade_fingerprint {
    uint64_t low, high;
} lade_fingerprint;

/**
 * Computes the fingerprint of a type (XXH128 of its canonical schema, see FORMAT.md).
 * \returns LADE_OK, LADE_ERR_ARGUMENT (NULL), LADE_ERR_DESCRIPTION or LADE_ERR_MEMORY.
 */
LADE_API LADE_NODISCARD lade_status lade_fingerprint_of(const lade_type *type,
                                                        lade_fingerprint *out, lade_context *ctx);

/** \returns bytes of a scalar in memory and in every format; 0 if it is none. */
LADE_API size_t lade_scalar_size(lade_scalar scalar);

/** \returns the name of a scalar in schemas, such as "f64". */
LADE_API const char *lade_scalar_name(lade_scalar scalar);

/** \returns the name of a kind, such as "vector". */
LADE_API const char *lade_kind_name(lade_kind kind);

/** Arithmetic types as element types: `(vector, x, n, double)` finds lade_type_double. */
#define LADE_SCALAR_LIST(X)          \
    X(bool, LADE_BOOL, _Bool)        \
    X(char, LADE_CHAR, char)         \
    X(i8, LADE_I8, int8_t)           \
    X(u8, LADE_U8, uint8_t)          \
    X(i16, LADE_I16, int16_t)        \
    X(u16, LADE_U16, uint16_t)       \
    X(i32, LADE_I32, int32_t)        \
    X(u32, LADE_U32, uint32_t)       \
    X(i64, LADE_I64, int64_t)        \
    X(u64, LADE_U64, uint64_t)       \
    X(f32, LADE_F32, float)          \
    X(f64, LADE_F64, double)         \
    X(c32, LADE_C32, float _Complex) \
    X(c64, LADE_C64, double _Complex)

#define LADE_PRIV_EXTERN_SCALAR(name, code, ctype) \
    LADE_API extern const lade_type lade_scalar_##name;
LADE_SCALAR_LIST(LADE_PRIV_EXTERN_SCALAR)
#undef LADE_PRIV_EXTERN_SCALAR

#ifdef __cplusplus
}
#endif
#endif
