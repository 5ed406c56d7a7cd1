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
    LADE_KIND_REF = 9,
    LADE_KIND_GRID = 10,
    LADE_KIND_ANY = 11,     /**< owned pointer to one of several known types */
    LADE_KIND_ANY_REF = 12, /**< tracked pointer to one of several known types */
    LADE_KIND_VARIANT = 13,
    LADE_KIND_LIST = 14,
    LADE_KIND_MAP = 15,
    LADE_KIND_BITS = 16,
    LADE_KIND_EXTERNAL = 17,
    /* not stored, and not in schemas */
    LADE_KIND_SKIP = 64,    /**< zero or a default after a load */
    LADE_KIND_CAPACITY = 65 /**< equal to a count after a load */
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
    LADE_C64 = 14, /**< double complex: two f64 */
    LADE_F128 = 15 /**< long double, as IEEE binary128 */
} lade_scalar;

/** Forms of a type. */
typedef enum lade_form {
    LADE_FORM_RECORD = 0, /**< also that of scalars */
    LADE_FORM_UNION = 1,  /**< one of its fields at a time: the case of a variant */
    LADE_FORM_CUSTOM = 2  /**< saved and loaded by functions of the program */
} lade_form;

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

/** How the elements of a grid lie in memory. Extents are those of the struct's members, in the order
 * in which the description names them. */
typedef struct lade_grid {
    uint8_t rank;        /**< 1 to LADE_MAX_RANK */
    bool fortran;        /**< the first extent is the fastest; else the last */
    bool whole;          /**< the halo is stored too */
    bool rows;           /**< rank 2: a pointer to an array of pointers to rows */
    uint8_t halo_scalar; /**< of the member that holds the halo's width, or LADE_NONE: constants */
    uint8_t halo_count;  /**< widths: 0 no halo, 1 the same everywhere, or one an extent */
    uint8_t step_scalar; /**< of the member that holds the strides, or LADE_NONE: dense */
    uint8_t extent_scalar[LADE_MAX_RANK];
    size_t extent_offset[LADE_MAX_RANK]; /**< bytes from the start of the struct to each extent */
    size_t halo_offset;                  /**< the same to the width, or to an array of widths */
    size_t step_offset;                  /**< the same to the array of strides, in elements */
    uint32_t halo[LADE_MAX_RANK];        /**< constant widths, in elements on each side */
} lade_grid;

/** The types that a known-type pointer may lead to. */
typedef struct lade_choice {
    uint32_t count;
    const lade_type *const *types;
    unsigned (*which)(const void *object); /**< place of an object's type, or NULL: a member */
} lade_choice;

/** Links of an intrusive list. LADE_NO_OFFSET where there is none. */
typedef struct lade_links {
    size_t next, prev; /**< bytes from the start of an element to its links */
    size_t tail;       /**< bytes from the start of the owner to its pointer to the last element */
} lade_links;
#define LADE_NO_OFFSET ((size_t)-1)

/** An adaptor: how a dictionary is walked and built. */
typedef struct lade_map {
    /** Number of entries. */
    size_t (*count)(const void *map);
    /** The entry after `entry`, or the first one for NULL; NULL at the end. */
    void *(*next)(const void *map, const void *entry);
    /**
     * Takes over `count` loaded entries, an array whose memory belongs to the load; or, if entries is
     * NULL, makes the map whole again after its entries were overwritten in place. False: refused.
     */
    bool (*fill)(void *map, void *entries, size_t count);
    /** Gives up what fill has taken besides the entries, when the load fails after it; or NULL. */
    void (*drop)(void *map);
} lade_map;

/** Options of a field; most fields have none. */
typedef struct lade_options {
    const char *unit;     /**< physical unit, such as "m/s", or NULL */
    const char *doc;      /**< one sentence, or NULL */
    const char *alias;    /**< an older name of the field in files, or NULL */
    const void *fallback; /**< a value of the member, for what is not stored; or NULL: zero */
    uint32_t since;       /**< version of the type from which on the field exists; 0: always */
    uint32_t until;       /**< version of the type from which on it is not stored; 0: never */
    int64_t origin;       /**< elements from the member's pointer to the first one */
    int64_t when;         /**< of a union's field: the discriminant */
    bool has_when;        /**< else the discriminant is the place of the field */
    bool generic; /**< of a type made at run time: an external is its key as a text, known-type
                               pointers of an array have a number each */
} lade_options;

/** One field of a record or union. */
typedef struct lade_field {
    const char *name;
    uint8_t kind;                      /**< lade_kind */
    uint8_t scalar;                    /**< lade_scalar of a value or of an enumeration's integer */
    uint8_t count_scalar;              /**< lade_scalar of the member at count_offset, if any */
    uint8_t rank;                      /**< of a fixed array; 0 for a single thing */
    uint32_t extent[LADE_MAX_EXTENTS]; /**< elements along each dimension of a fixed array; for
                                            LADE_KIND_SKIP extent[0] is the size of the member */
    size_t offset;                     /**< bytes from the start of the struct */
    size_t
        count_offset; /**< bytes from the start of the struct to the count, or the discriminant */
    const lade_type *type; /**< of the record, elements, target or union */
    union {
        const lade_enum *enumeration;
        const lade_grid *grid;
        const lade_choice *choice; /**< any, any_ref */
        const lade_links *links;   /**< list; NULL: an array with a count, as in run-time types */
        const lade_map *map;       /**< NULL: an array with a count */
        const char *set; /**< external: the name of the set that the resolver is asked for */
    };
    const lade_options *options; /**< or NULL */
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

/** Functions of the program that run for every value of a type; NULL where there is none. */
typedef struct lade_hooks {
    /** Before a value is saved. The value that the caller passes must then not be const. */
    lade_status (*before_save)(void *value, void *user);
    /** After everything of the load is linked, in the order in which the values were met. */
    lade_status (*after_load)(void *value, void *user);
} lade_hooks;

/** A type: a record, a union, a custom type, or (scalar not LADE_NONE) an arithmetic type. */
struct lade_type {
    const char *name;
    size_t size;  /**< bytes, as sizeof says */
    size_t align; /**< bytes */
    uint8_t scalar;
    uint8_t form; /**< lade_form */
    uint32_t version;
    uint32_t field_count;
    const lade_field *fields;
    lade_save_fn *save; /**< generated surrogate, or NULL: the plan is interpreted */
    lade_load_fn *load;
    size_t bound; /**< most skeleton bytes of the fixed part of one value in the surrogate */
    lade_fingerprint_cell *cell;
    const lade_hooks *hooks; /**< or NULL */
    uint64_t stamp;          /**< of the lade_schema that a run-time type belongs to; else 0 */
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

/** \returns bytes of a scalar in memory; 0 if it is none. */
LADE_API size_t lade_scalar_size(lade_scalar scalar);
/** \returns bytes of a scalar in every format: those in memory, but 16 for LADE_F128. */
LADE_API size_t lade_scalar_wire(lade_scalar scalar);

/** \returns the name of a scalar in schemas, such as "f64". */
LADE_API const char *lade_scalar_name(lade_scalar scalar);

/** \returns the name of a kind, such as "vector". */
LADE_API const char *lade_kind_name(lade_kind kind);

/** Arithmetic types as element types: `(vector, x, n, double)` finds lade_type_double. */
#define LADE_SCALAR_LIST(X)           \
    X(bool, LADE_BOOL, _Bool)         \
    X(char, LADE_CHAR, char)          \
    X(i8, LADE_I8, int8_t)            \
    X(u8, LADE_U8, uint8_t)           \
    X(i16, LADE_I16, int16_t)         \
    X(u16, LADE_U16, uint16_t)        \
    X(i32, LADE_I32, int32_t)         \
    X(u32, LADE_U32, uint32_t)        \
    X(i64, LADE_I64, int64_t)         \
    X(u64, LADE_U64, uint64_t)        \
    X(f32, LADE_F32, float)           \
    X(f64, LADE_F64, double)          \
    X(c32, LADE_C32, float _Complex)  \
    X(c64, LADE_C64, double _Complex) \
    X(f128, LADE_F128, long double)

#define LADE_PRIV_EXTERN_SCALAR(name, code, ctype) \
    LADE_API extern const lade_type lade_scalar_##name;
LADE_SCALAR_LIST(LADE_PRIV_EXTERN_SCALAR)
#undef LADE_PRIV_EXTERN_SCALAR

#ifdef __cplusplus
}
#endif
#endif
