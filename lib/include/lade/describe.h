/**
 * \file
 * Describing C types: LADE_STRUCT, LADE_ENUM and LADE_DECLARE.
 *
 *     typedef struct { hex *to; double cost; bool open; } path;
 *     LADE_STRUCT(path, (ref, to, hex), (value, cost), (value, open))
 *
 * LADE_STRUCT(T, fields...) stands in one .c file, after the struct T (a typedef name), without a semicolon;
 * LADE_DECLARE(T) goes into headers, for C and C++. Types, sizes and offsets come from the struct itself, so
 * that a description cannot disagree with it; what does not fit is a compile error that names the field. The
 * list makes a const descriptor (lade_type_T) and a straight-line surrogate for saving and loading.
 *
 * Kinds of field, 1 to 256 a struct. A member that is not listed is not stored; it is zero after a load into
 * new memory, and stays as it is in a load into existing memory.
 *
 * | field                           | member of the struct                                                 |
 * |---------------------------------|----------------------------------------------------------------------|
 * | (value, f)                      | an arithmetic type, or a fixed array (rank 1 to 4) of one            |
 * | (enumeration, f, E)             | an enum or integer, or a fixed array of them; E as in LADE_ENUM      |
 * | (text, f)                       | char * or const char *, NULL or NUL-terminated                       |
 * | (fixed_text, f)                 | char[N]; ends at its first NUL, or is full                           |
 * | (record, f, R)                  | a described struct by value, or a fixed array of them                |
 * | (vector, f, n, E)               | E *, with its number of elements in the integer member n             |
 * | (vector, f, n)                  | the same for arithmetic elements, found from the member              |
 * | (vector, f, n, ref(E))          | E **: an array of refs; (vector, f, n, text()): char **              |
 * | (pool, f, n, E), (pool, f, n)   | a vector whose elements are targets of refs                          |
 * | (optional, f, E), (optional, f) | E *, NULL or the only pointer to what it owns                        |
 * | (ref, f, E)                     | E *, NULL or a pointer to a shared or cyclic object                  |
 * | (any, f, how, B, A1, A2, ...)   | B * (B may be void), NULL or the only pointer to an A1, A2, ...      |
 * | (any_ref, f, how, B, A1, ...)   | the same, shared or cyclic                                           |
 * | (grid, f, (n1, n2, ...), E)     | E *, with 1 to 8 extents in integer members; without E: arithmetic   |
 * | (rows, f, (n1, n2), E)          | E **: pointers to n1 rows of n2 elements; without E: arithmetic      |
 * | (variant, f, d, U)              | a union described by LADE_UNION; d is the integer that selects       |
 * | (list, f, E, next)              | E *, the first of elements linked by their member next               |
 * | (map, f, adaptor, E)            | a dictionary with entries E; adaptor is a const lade_map             |
 * | (bits, f, n)                    | unsigned words, bit i being bit i % width of word i / width; n bits  |
 * | (external, f, set)              | a pointer to what is not saved: its key is (lade_context.externals)  |
 * | (skip, f)                       | anything; not stored, zero or default(x) after a load                |
 * | (capacity, f, n)                | an integer; not stored, equal to the count n after a load            |
 *
 * E of a vector, pool, optional or ref is a described type or the name of an arithmetic type in one word
 * (double, int32_t, size_t, ...). R, and E of a vector, pool or optional, must have been described or declared
 * above; E of a ref and A of an any need not. The members n, n1, ..., d, and those of halo_of and strides, belong to their field and are not
 * listed themselves; several fields may share one. Fixed arrays (rank 1 to 4) may hold text, vector, optional,
 * ref, any, any_ref and external too, as in `cell *neighbour[6]`; the vectors of one array share their count.
 *
 * `how` tells which of A1, A2, ... an object is, by place from 0: by(function), where function takes a
 * const B *; or of(member), an integer member of the struct that is not listed.
 *
 * Options stand behind the arguments of a field, as in (value, v, unit("m/s"), default(1.0)):
 *
 * | option            | for                                                                                |
 * |-------------------|------------------------------------------------------------------------------------|
 * | default(x)        | arithmetic members: the value after a load where nothing is stored                 |
 * | since(v), until(v)| all: stored from version v of the type on; no longer stored from version v on      |
 * | alias("old")      | all: another name that older files have                                            |
 * | unit("m"), doc("")| all: for readers of the file                                                       |
 * | origin(k)         | vector: the pointer stands k elements before the first one, as for arrays from 1   |
 * | halo(w, ...)      | grid: the interior has w more elements on each side, for each extent or for all    |
 * | halo_of(m)        | the same, with the width in the integer member m, or an array of as many as extents |
 * | whole()           | grid: the halo is stored too; else it is zero in new memory                        |
 * | order(fortran)    | grid: the first extent is the fastest; else the last                               |
 * | strides(m)        | grid: m is an array of integers, elements from one to the next along each extent   |
 * | prev(m), tail(m)  | list: links back, a member of E; the last element, a member of the struct          |
 * | when(v)           | field of a union: the value of the integer that selects it; else its place         |
 *
 * Options of the type stand among the fields: (version, v); (before_save, hook) and (after_load, hook), with
 * lade_status hook(T *value, void *user), user being that of the context. A value whose type has before_save is
 * written to by a save. after_load runs once everything is linked, inner values before those that hold them; if
 * one fails, so does the load. A copy (value.h) runs after_load only.
 *
 * LADE_CONTAINER(C, E) describes struct C { E *data; size; capacity; }; a type that is saved by functions of
 * the program is described by LADE_CUSTOM (custom.h).
 *
 * A pool stands in the value that is saved, or in a struct that it holds by value. A ref into the inside of
 * anything but a pool (an element of a vector, a member) has no identity to keep: lade_context.check_interior
 * finds it.
 *
 * LADE_ENUM(E, ...) lists the enumerators of an enum by their names (not by macros, whose names would be lost).
 */
#ifndef LADE_DESCRIBE_H
#define LADE_DESCRIBE_H
#pragma GCC system_header

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include <lade/each.h>
#include <lade/surrogate.h>
#include <lade/type.h>

/** Declares that T is described in some .c file. */
#ifdef __cplusplus
#define LADE_DECLARE(T)                   \
    extern "C" {                          \
    extern const lade_type lade_type_##T; \
    }
#else
#define LADE_DECLARE(T)                \
    extern char lade_priv_seen_##T[2]; \
    LADE_PRIV_EXTERN(T)
#endif

#ifndef __cplusplus

#define LADE_PRIV_EXTERN(T)                 \
    extern const lade_type lade_type_##T;   \
    extern lade_save_fn lade_priv_save_##T; \
    extern lade_load_fn lade_priv_load_##T;

/* Arithmetic types by their one-word names. */
#define lade_type__Bool lade_scalar_bool
#define lade_type_bool lade_scalar_bool
#define lade_type_char lade_scalar_char
#define lade_type_int8_t lade_scalar_i8
#define lade_type_uint8_t lade_scalar_u8
#define lade_type_int16_t lade_scalar_i16
#define lade_type_uint16_t lade_scalar_u16
#define lade_type_int32_t lade_scalar_i32
#define lade_type_uint32_t lade_scalar_u32
#define lade_type_int64_t lade_scalar_i64
#define lade_type_uint64_t lade_scalar_u64
#define lade_type_short lade_scalar_i16
#define lade_type_int lade_scalar_i32
#define lade_type_unsigned lade_scalar_u32
#define lade_type_float lade_scalar_f32
#define lade_type_double lade_scalar_f64
#if LONG_MAX > 0x7fffffff
#define lade_type_long lade_scalar_i64
#else
#define lade_type_long lade_scalar_i32
#endif
#if SIZE_MAX > 0xffffffff
#define lade_type_size_t lade_scalar_u64
#else
#define lade_type_size_t lade_scalar_u32
#endif

#define LADE_PRIV_NAMES(X) \
    X(_Bool)               \
    X(bool)                \
    X(char)                \
    X(int8_t)              \
    X(uint8_t)             \
    X(int16_t)             \
    X(uint16_t)            \
    X(int32_t)             \
    X(uint32_t)            \
    X(int64_t) X(uint64_t) X(short) X(int) X(unsigned) X(float) X(double) X(long) X(size_t)
#define LADE_PRIV_SEEN(name)                                                                      \
    extern char lade_priv_seen_##name[2];                                                         \
    static lade_save_fn *const lade_priv_save_##name __attribute__((unused)) = lade_priv_put_run; \
    static lade_load_fn *const lade_priv_load_##name __attribute__((unused)) = lade_priv_get_run;
#pragma push_macro("bool")
#undef bool
LADE_PRIV_NAMES(LADE_PRIV_SEEN)
#pragma pop_macro("bool")

/* What a member is. x is an expression of the member's type, FT the type. */
#define LADE_PRIV_SCALARS(X, x, other)                                              \
    _Generic((x), _Bool                                                             \
             : X(_Bool, LADE_BOOL), char                                            \
             : X(char, LADE_CHAR), signed char                                      \
             : X(signed char, LADE_I8), unsigned char                               \
             : X(unsigned char, LADE_U8), short                                     \
             : X(short, LADE_I16), unsigned short                                   \
             : X(unsigned short, LADE_U16), int                                     \
             : X(int, LADE_I32), unsigned                                           \
             : X(unsigned, LADE_U32), long                                          \
             : X(long, sizeof(long) == 8 ? LADE_I64 : LADE_I32), unsigned long      \
             : X(unsigned long, sizeof(long) == 8 ? LADE_U64 : LADE_U32), long long \
             : X(long long, LADE_I64), unsigned long long                           \
             : X(unsigned long long, LADE_U64), float                               \
             : X(float, LADE_F32), double                                           \
             : X(double, LADE_F64), float _Complex                                  \
             : X(float _Complex, LADE_C32), double _Complex                         \
             : X(double _Complex, LADE_C64), long double                            \
             : X(long double, LADE_F128), default                                   \
             : (other))
#define LADE_PRIV_AS_POINTER(ctype, code) (ctype *)0
#define LADE_PRIV_AS_CODE(ctype, code) (code)
#define LADE_PRIV_AS_ONE(ctype, code) 1
#define LADE_PRIV_IS_AGGREGATE(x) \
    (__builtin_classify_type(x) == 12 || __builtin_classify_type(x) == 13)
#define LADE_PRIV_TAME(x) __builtin_choose_expr(LADE_PRIV_IS_AGGREGATE(x), (char *)0, (x))
#define LADE_PRIV_LVALUE(FT) (*(FT *)0)
#define LADE_PRIV_SCALAR(FT) LADE_PRIV_SCALARS(LADE_PRIV_AS_CODE, LADE_PRIV_LVALUE(FT), LADE_NONE)
#define LADE_PRIV_IS_SCALAR(FT) LADE_PRIV_SCALARS(LADE_PRIV_AS_ONE, LADE_PRIV_LVALUE(FT), 0)
#define LADE_PRIV_DECAY(FT)                                                       \
    LADE_PRIV_SCALARS(LADE_PRIV_AS_POINTER, LADE_PRIV_TAME(LADE_PRIV_LVALUE(FT)), \
                      LADE_PRIV_TAME(LADE_PRIV_LVALUE(FT)))
#define LADE_PRIV_IS_POINTER(FT)                           \
    (__builtin_classify_type(LADE_PRIV_LVALUE(FT)) == 5 && \
     __builtin_types_compatible_p(FT, __typeof__(1 ? LADE_PRIV_DECAY(FT) : LADE_PRIV_DECAY(FT))))
#define LADE_PRIV_IS_ARRAY(FT) \
    (__builtin_classify_type(LADE_PRIV_LVALUE(FT)) == 5 && !LADE_PRIV_IS_POINTER(FT))
#define LADE_PRIV_ELEMENT(FT)                                                                     \
    __builtin_choose_expr(LADE_PRIV_IS_SCALAR(FT) || LADE_PRIV_IS_ARRAY(FT), LADE_PRIV_DECAY(FT), \
                          (char *)0)
/* The type of an array's elements; of anything else, itself. */
#define LADE_PRIV_UNARRAY(FT) \
    __typeof__(*__builtin_choose_expr(LADE_PRIV_IS_ARRAY(FT), LADE_PRIV_LVALUE(FT), (FT *)0))
/* The type of an array's elements; of a scalar, itself; of anything else, char. */
#define LADE_PRIV_STRIP(FT) __typeof__(*LADE_PRIV_ELEMENT(FT))
/* What a pointer points to; of anything else, char. */
#define LADE_PRIV_POINTEE(FT) \
    __typeof__(*__builtin_choose_expr(LADE_PRIV_IS_POINTER(FT), LADE_PRIV_LVALUE(FT), (char *)0))
/* True if FT is S, const or volatile but not _Atomic. */
#define LADE_PRIV_SAME(FT, S) \
    _Generic((FT *)0, S * : 1, const S * : 1, volatile S * : 1, const volatile S * : 1, default : 0)
#define LADE_PRIV_PLAIN(FT, S) (!LADE_PRIV_IS_SCALAR(FT) || LADE_PRIV_SAME(FT, S))
#define LADE_PRIV_POINTS_TO(FT, E)                                           \
    _Generic(LADE_PRIV_LVALUE(FT), E * : 1, const E * : 1, volatile E * : 1, \
             const volatile E * : 1, default : 0)
/* A flexible array member: an array with room for few elements in its struct (padding at most), and
 * not of exactly one of the lengths that would fit. (gcc takes its type for no length, clang for
 * any.) */
#define LADE_PRIV_HAS(FT, E, n) __builtin_types_compatible_p(FT, E[n])
#define LADE_PRIV_HAS4(FT, E, n)                                                              \
    LADE_PRIV_HAS(FT, E, n) + LADE_PRIV_HAS(FT, E, (n) + 1) + LADE_PRIV_HAS(FT, E, (n) + 2) + \
        LADE_PRIV_HAS(FT, E, (n) + 3)
#define LADE_PRIV_IS_OPEN_ARRAY(T, offset, FT, E)                                     \
    (LADE_PRIV_HAS(FT, E, ) && (sizeof(T) - (offset)) / sizeof(E) <= 16 &&            \
     LADE_PRIV_HAS4(FT, E, 1) + LADE_PRIV_HAS4(FT, E, 5) + LADE_PRIV_HAS4(FT, E, 9) + \
             LADE_PRIV_HAS4(FT, E, 13) !=                                             \
         1)
/* A bit-field has an integer type of its own (in gcc; other compilers fail at its offset). */
#define LADE_PRIV_IS_ODD_INTEGER(x) \
    ((0x1e >> __builtin_classify_type(x)) & 1 && !LADE_PRIV_SCALARS(LADE_PRIV_AS_ONE, x, 0))
#define LADE_PRIV_IS_INTEGER(FT)                                                  \
    (LADE_PRIV_SCALAR(FT) >= LADE_BOOL + 1 && LADE_PRIV_SCALAR(FT) <= LADE_U64 && \
     LADE_PRIV_SCALAR(FT) != LADE_NONE)
#define LADE_PRIV_SCALAR_TYPE(x)                                                        \
    _Generic((x), _Bool                                                                 \
             : &lade_scalar_bool, char                                                  \
             : &lade_scalar_char, signed char                                           \
             : &lade_scalar_i8, unsigned char                                           \
             : &lade_scalar_u8, short                                                   \
             : &lade_scalar_i16, unsigned short                                         \
             : &lade_scalar_u16, int                                                    \
             : &lade_scalar_i32, unsigned                                               \
             : &lade_scalar_u32, long                                                   \
             : (sizeof(long) == 8 ? &lade_scalar_i64 : &lade_scalar_i32), unsigned long \
             : (sizeof(long) == 8 ? &lade_scalar_u64 : &lade_scalar_u32), long long     \
             : &lade_scalar_i64, unsigned long long                                     \
             : &lade_scalar_u64, float                                                  \
             : &lade_scalar_f32, double                                                 \
             : &lade_scalar_f64, float _Complex                                         \
             : &lade_scalar_c32, double _Complex                                        \
             : &lade_scalar_c64, long double                                            \
             : &lade_scalar_f128, default                                               \
             : (const lade_type *)0)

/* Names made for each field: its type, its elements, its offset and place. */
#define LADE_PRIV_FT(T, f) lade_priv_t_##T##__##f
#define LADE_PRIV_FT1(T, f) lade_priv_t1_##T##__##f
#define LADE_PRIV_FT2(T, f) lade_priv_t2_##T##__##f
#define LADE_PRIV_FT3(T, f) lade_priv_t3_##T##__##f
#define LADE_PRIV_FT4(T, f) lade_priv_t4_##T##__##f
#define LADE_PRIV_FT5(T, f) lade_priv_t5_##T##__##f
#define LADE_PRIV_OFF(T, f) lade_priv_o_##T##__##f
#define LADE_PRIV_IX(T, f) lade_priv_i_##T##__##f
#define LADE_PRIV_BOUND(T) lade_priv_bound_##T

#include <lade/describe_kinds.h>

#define LADE_PRIV_ASSERT(T, f, condition, text) _Static_assert(condition, #T "." #f ": " text);

/* Pass 1: the field's type and offset, and every check. */
#define LADE_PRIV_DO_CHECK(T, N) LADE_PRIV_BY_KIND(LADE_PRIV_CHECK_, T, N)

/* A misspelt member fails first, in an expression that any member allows: the compilers then name
 * the struct. A flexible array is a char for what follows, so that one error is enough. */
#define LADE_PRIV_CHECK_MEMBER(T, f)                                                               \
    enum { lade_priv_b_##T##__##f = LADE_PRIV_IS_ODD_INTEGER(((T *)0)->f) };                       \
    LADE_PRIV_ASSERT(T, f, !lade_priv_b_##T##__##f,                                                \
                     "a bit-field (or an integer wider than 64 bits) cannot be described")         \
    enum { LADE_PRIV_OFF(T, f) = __builtin_offsetof(T, f) };                                       \
    typedef __typeof__(*&((T *)0)->f) lade_priv_t0_##T##__##f;                                     \
    enum {                                                                                         \
        lade_priv_x_##T##__##f =                                                                   \
            LADE_PRIV_IS_OPEN_ARRAY(T, LADE_PRIV_OFF(T, f), lade_priv_t0_##T##__##f,               \
                                    LADE_PRIV_STRIP(lade_priv_t0_##T##__##f))                      \
    };                                                                                             \
    LADE_PRIV_ASSERT(T, f, !lade_priv_x_##T##__##f, "a flexible array member cannot be described") \
    typedef __typeof__(__builtin_choose_expr(lade_priv_x_##T##__##f, *(char *)0,                   \
                                             *(lade_priv_t0_##T##__##f *)0)) LADE_PRIV_FT(T, f);   \
    typedef LADE_PRIV_UNARRAY(LADE_PRIV_FT(T, f)) LADE_PRIV_FT1(T, f);                             \
    typedef LADE_PRIV_UNARRAY(LADE_PRIV_FT1(T, f)) LADE_PRIV_FT2(T, f);                            \
    typedef LADE_PRIV_UNARRAY(LADE_PRIV_FT2(T, f)) LADE_PRIV_FT3(T, f);                            \
    typedef LADE_PRIV_UNARRAY(LADE_PRIV_FT3(T, f)) LADE_PRIV_FT4(T, f);                            \
    typedef LADE_PRIV_STRIP(LADE_PRIV_FT4(T, f)) LADE_PRIV_FT5(T, f);

/** Describes the struct T. */
#define LADE_STRUCT(T, ...)                                                             \
    _Static_assert(__builtin_classify_type(*(T *)0) == 12, "'" #T "' is not a struct"); \
    LADE_PRIV_TYPE_OPTIONS(T, __VA_ARGS__)                                              \
    LADE_PRIV_STRUCT(T LADE_PRIV_EACH(LADE_PRIV_NORM, T, __VA_ARGS__))

/** Describes the union U, one of whose members is there at a time: the type of a (variant, ...). */
#define LADE_UNION(U, ...)                                                             \
    _Static_assert(__builtin_classify_type(*(U *)0) == 13, "'" #U "' is not a union"); \
    LADE_PRIV_TYPE_OPTIONS(U, __VA_ARGS__)                                             \
    LADE_PRIV_UNION(U LADE_PRIV_EACH(LADE_PRIV_NORM, U, __VA_ARGS__))

/** Describes a growing array, struct { E *data; size and capacity of any integer type; }. */
#define LADE_CONTAINER(C, E) LADE_STRUCT(C, (vector, data, size, E), (capacity, capacity, size))

#define LADE_PRIV_DESCRIPTOR(T, form_, save_, load_, bound_)                              \
    static lade_fingerprint_cell lade_priv_cell_##T;                                      \
    const lade_type lade_type_##T = {.name = #T,                                          \
                                     .size = sizeof(T),                                   \
                                     .align = _Alignof(T),                                \
                                     .form = form_,                                       \
                                     .version = lade_priv_version_##T,                    \
                                     .field_count = lade_priv_fields_##T,                 \
                                     .fields = lade_priv_list_##T,                        \
                                     .save = save_,                                       \
                                     .load = load_,                                       \
                                     .bound = bound_,                                     \
                                     .cell = &lade_priv_cell_##T,                         \
                                     .hooks = lade_priv_before_##T || lade_priv_after_##T \
                                                  ? lade_priv_hooks_##T                   \
                                                  : (const lade_hooks *)0};

#define LADE_PRIV_UNION(...) LADE_PRIV_UNION_1(__VA_ARGS__)
#define LADE_PRIV_UNION_1(T, ...)                                                     \
    LADE_DECLARE(T)                                                                   \
    LADE_PRIV_EACH(LADE_PRIV_DO_CHECK, T, __VA_ARGS__)                                \
    enum { LADE_PRIV_EACH(LADE_PRIV_DO_PLACE, T, __VA_ARGS__) lade_priv_fields_##T }; \
    static const lade_field lade_priv_list_##T[] = {                                  \
        LADE_PRIV_EACH(LADE_PRIV_DO_ENTRY, T, __VA_ARGS__)};                          \
    LADE_PRIV_DESCRIPTOR(T, LADE_FORM_UNION, NULL, NULL, 0)

#define LADE_PRIV_STRUCT(...) LADE_PRIV_STRUCT_1(__VA_ARGS__)
#define LADE_PRIV_STRUCT_1(T, ...)                                                                \
    LADE_DECLARE(T)                                                                               \
    LADE_PRIV_EACH(LADE_PRIV_DO_CHECK, T, __VA_ARGS__)                                            \
    enum { LADE_PRIV_EACH(LADE_PRIV_DO_PLACE, T, __VA_ARGS__) lade_priv_fields_##T };             \
    enum { LADE_PRIV_BOUND(T) = 9 LADE_PRIV_EACH(LADE_PRIV_DO_BOUND, T, __VA_ARGS__) };           \
    enum {                                                                                        \
        lade_priv_tail_##T =                                                                      \
            (0 LADE_PRIV_EACH(LADE_PRIV_DO_TAIL, T, __VA_ARGS__)) < LADE_PRIV_LAST(T)             \
    };                                                                                            \
    enum { lade_priv_fixed_##T = 1 LADE_PRIV_EACH(LADE_PRIV_DO_FIXED, T, __VA_ARGS__) };          \
    uint8_t *lade_priv_save_##T(lade_encoder *lade_e, uint8_t *lade_p, const lade_node *lade_nd,  \
                                const void *lade_value, size_t lade_n)                            \
    {                                                                                             \
        const unsigned char *lade_v = (const unsigned char *)lade_value;                          \
        LADE_PRIV_EACH(LADE_PRIV_DO_SAVEVIEW, T, __VA_ARGS__)                                     \
        for (size_t lade_i = 0; lade_i < lade_n; lade_i++, lade_v += sizeof(T)) {                 \
            LADE_PRIV_ROOM(T)                                                                     \
            if (lade_priv_fixed_##T && !lade_priv_before_##T) {                                   \
                size_t lade_last = lade_i + lade_priv_batch(lade_e->end - lade_p,                 \
                                                            LADE_PRIV_BOUND(T), lade_n - lade_i); \
                for (uint8_t *lade_q = lade_p; lade_i < lade_last;                                \
                     lade_i++, lade_v += sizeof(T), lade_p = lade_q) {                            \
                    LADE_PRIV_EACH(LADE_PRIV_DO_SAVEFAST, T, __VA_ARGS__)                         \
                }                                                                                 \
                if (lade_i == lade_n)                                                             \
                    break;                                                                        \
                LADE_PRIV_ROOM(T)                                                                 \
            }                                                                                     \
            if (lade_priv_before_##T && !lade_priv_before_save(lade_e, lade_nd, lade_v))          \
                return NULL;                                                                      \
            LADE_PRIV_EACH(LADE_PRIV_DO_SAVE, T, __VA_ARGS__)                                     \
        }                                                                                         \
        return lade_p;                                                                            \
    }                                                                                             \
    const uint8_t *lade_priv_load_##T(lade_decoder *lade_d, const uint8_t *lade_p,                \
                                      const lade_node *lade_nd, void *lade_value, size_t lade_n)  \
    {                                                                                             \
        unsigned char *lade_v = (unsigned char *)lade_value;                                      \
        LADE_PRIV_EACH(LADE_PRIV_DO_LOADVIEW, T, __VA_ARGS__)                                     \
        for (size_t lade_i = 0; lade_i < lade_n; lade_i++, lade_v += sizeof(T)) {                 \
            LADE_PRIV_NEED(T)                                                                     \
            if (lade_priv_fixed_##T && !lade_priv_after_##T && !lade_d->into) {                   \
                size_t lade_last = lade_i + lade_priv_batch(lade_d->end - lade_p,                 \
                                                            LADE_PRIV_BOUND(T), lade_n - lade_i); \
                for (const uint8_t *lade_q = lade_p; lade_i < lade_last;                          \
                     lade_i++, lade_v += sizeof(T), lade_p = lade_q) {                            \
                    LADE_PRIV_CLEAR_TAIL(T)                                                       \
                    LADE_PRIV_EACH(LADE_PRIV_DO_LOADFAST, T, __VA_ARGS__)                         \
                }                                                                                 \
                if (lade_i == lade_n)                                                             \
                    break;                                                                        \
                LADE_PRIV_NEED(T)                                                                 \
            }                                                                                     \
            if (!lade_d->into)                                                                    \
                LADE_PRIV_CLEAR_TAIL(T)                                                           \
            LADE_PRIV_EACH(LADE_PRIV_DO_LOAD, T, __VA_ARGS__)                                     \
            if (lade_priv_after_##T && !lade_priv_after_load(lade_d, lade_nd, lade_v))            \
                return NULL;                                                                      \
        }                                                                                         \
        return lade_p;                                                                            \
    }                                                                                             \
    static const lade_field lade_priv_list_##T[] = {                                              \
        LADE_PRIV_EACH(LADE_PRIV_DO_ENTRY, T, __VA_ARGS__)};                                      \
    LADE_PRIV_DESCRIPTOR(T, LADE_FORM_RECORD, lade_priv_save_##T, lade_priv_load_##T,             \
                         LADE_PRIV_BOUND(T))

/** Describes an enumeration: LADE_ENUM(terrain, PLAIN, WOOD, WATER); E is the name that fields use.
 */
#define LADE_ENUM(E, ...)                                                           \
    static const lade_enumerator lade_priv_enumerators_##E[] = {                    \
        LADE_PRIV_EACH(LADE_PRIV_ENUMERATOR, E, __VA_ARGS__)};                      \
    enum { LADE_PRIV_EACH(LADE_PRIV_ENUM_IX, E, __VA_ARGS__) lade_priv_count_##E }; \
    extern char lade_priv_seen_##E[2];                                              \
    extern const lade_enum lade_enum_##E;                                           \
    const lade_enum lade_enum_##E = {                                               \
        #E, lade_priv_count_##E,                                                    \
        1 LADE_PRIV_EACH(LADE_PRIV_ENUM_LINEAR, (E, __VA_ARGS__, ), __VA_ARGS__),   \
        lade_priv_enumerators_##E};

/** Declares, in a header, that the enumeration E is described in some .c file. */
#define LADE_DECLARE_ENUM(E)           \
    extern char lade_priv_seen_##E[2]; \
    extern const lade_enum lade_enum_##E;

#define LADE_PRIV_ENUMERATOR(E, x) {#x, (int64_t)(x)},
#define LADE_PRIV_ENUM_IX(E, x) lade_priv_e_##E##__##x,
#define LADE_PRIV_FIRST_OF(E, first, ...) first
#define LADE_PRIV_NAME_OF(E, ...) E
#define LADE_PRIV_ENUM_LINEAR(L, x)                       \
    &&(uint64_t)(x) - (uint64_t)(LADE_PRIV_FIRST_OF L) == \
        (uint64_t)LADE_PRIV_CAT(LADE_PRIV_CAT(lade_priv_e_, LADE_PRIV_NAME_OF L), __##x)

#include <lade/describe_check.h>
#include <lade/describe_fast.h>
#include <lade/describe_load.h>
#include <lade/describe_save.h>

#else /* C++ */
#define LADE_DECLARE_ENUM(E)              \
    extern "C" {                          \
    extern const lade_enum lade_enum_##E; \
    }
#endif
#endif
