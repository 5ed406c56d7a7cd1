/**
 * \file
 * The parts of LADE_STRUCT that check a field against the struct and write its descriptor.
 * Included by describe.h only.
 */
#ifndef LADE_DESCRIBE_CHECK_H
#define LADE_DESCRIBE_CHECK_H
#pragma GCC system_header

/* What every field has besides its type: whether it is stored, whether a surrogate has straight-line code for
 * it, and its options. */
#define LADE_PRIV_STORED(T, f) lade_priv_stored_##T##__##f
#define LADE_PRIV_GENERAL(T, f) lade_priv_general_##T##__##f
#define LADE_PRIV_CHECK_OPTIONS(T, o, f)                                                           \
    enum {                                                                                         \
        lade_priv_since_##T##__##f = 0 LADE_PRIV_FOR_OPTIONS(LADE_PRIV_SINCE_, ~, o),              \
        lade_priv_until_##T##__##f = 0 LADE_PRIV_FOR_OPTIONS(LADE_PRIV_UNTIL_, ~, o),              \
        LADE_PRIV_STORED(T, f) = ((int)lade_priv_until_##T##__##f == 0 ||                          \
                                  (int)lade_priv_version_##T < (int)lade_priv_until_##T##__##f) && \
                                 (int)lade_priv_version_##T >= (int)lade_priv_since_##T##__##f     \
    };                                                                                             \
    LADE_PRIV_IF_OPTIONS(o, LADE_PRIV_OPTIONS, T, o, f)
#define LADE_PRIV_CHECK_STORED(T, o, f) \
    LADE_PRIV_CHECK_MEMBER(T, f)        \
    LADE_PRIV_CHECK_OPTIONS(T, o, f)
#define LADE_PRIV_OPTIONS(T, o, f)                             \
    static const lade_options lade_priv_options_##T##__##f = { \
        .since = lade_priv_since_##T##__##f,                   \
        .until = lade_priv_until_##T##__##f,                   \
        LADE_PRIV_FOR_OPTIONS(LADE_PRIV_OPTION_, (T, f), o)};
#define LADE_PRIV_SINCE_since(X, v) +(v)
#define LADE_PRIV_UNTIL_until(X, v) +(v)
#define LADE_PRIV_ORIGIN_origin(X, k) +(k)
#define LADE_PRIV_OPTION_unit(X, text) .unit = text,
#define LADE_PRIV_OPTION_doc(X, text) .doc = text,
#define LADE_PRIV_OPTION_alias(X, text) .alias = text,
#define LADE_PRIV_OPTION_default(X, ...) .fallback = &(const LADE_PRIV_FT X){__VA_ARGS__},
#define LADE_PRIV_OPTION_origin(X, k) .origin = k,
#define LADE_PRIV_OPTION_when(X, v) .when = (int64_t)(v), .has_when = 1,
/* Each table of options passes by the others. */
#define LADE_PRIV_SINCE_unit(...)
#define LADE_PRIV_SINCE_doc(...)
#define LADE_PRIV_SINCE_alias(...)
#define LADE_PRIV_SINCE_default(...)
#define LADE_PRIV_SINCE_until(...)
#define LADE_PRIV_SINCE_when(...)
#define LADE_PRIV_SINCE_origin(...)
#define LADE_PRIV_SINCE_halo(...)
#define LADE_PRIV_SINCE_halo_of(...)
#define LADE_PRIV_SINCE_strides(...)
#define LADE_PRIV_SINCE_whole(...)
#define LADE_PRIV_SINCE_order(...)
#define LADE_PRIV_SINCE_prev(...)
#define LADE_PRIV_SINCE_tail(...)
#define LADE_PRIV_UNTIL_unit(...)
#define LADE_PRIV_UNTIL_doc(...)
#define LADE_PRIV_UNTIL_alias(...)
#define LADE_PRIV_UNTIL_default(...)
#define LADE_PRIV_UNTIL_since(...)
#define LADE_PRIV_UNTIL_when(...)
#define LADE_PRIV_UNTIL_origin(...)
#define LADE_PRIV_UNTIL_halo(...)
#define LADE_PRIV_UNTIL_halo_of(...)
#define LADE_PRIV_UNTIL_strides(...)
#define LADE_PRIV_UNTIL_whole(...)
#define LADE_PRIV_UNTIL_order(...)
#define LADE_PRIV_UNTIL_prev(...)
#define LADE_PRIV_UNTIL_tail(...)
#define LADE_PRIV_ORIGIN_unit(...)
#define LADE_PRIV_ORIGIN_doc(...)
#define LADE_PRIV_ORIGIN_alias(...)
#define LADE_PRIV_ORIGIN_default(...)
#define LADE_PRIV_ORIGIN_since(...)
#define LADE_PRIV_ORIGIN_until(...)
#define LADE_PRIV_ORIGIN_when(...)
#define LADE_PRIV_ORIGIN_halo(...)
#define LADE_PRIV_ORIGIN_halo_of(...)
#define LADE_PRIV_ORIGIN_strides(...)
#define LADE_PRIV_ORIGIN_whole(...)
#define LADE_PRIV_ORIGIN_order(...)
#define LADE_PRIV_ORIGIN_prev(...)
#define LADE_PRIV_ORIGIN_tail(...)
#define LADE_PRIV_OPTION_since(...)
#define LADE_PRIV_OPTION_until(...)
#define LADE_PRIV_OPTION_halo(...)
#define LADE_PRIV_OPTION_halo_of(...)
#define LADE_PRIV_OPTION_strides(...)
#define LADE_PRIV_OPTION_whole(...)
#define LADE_PRIV_OPTION_order(...)
#define LADE_PRIV_OPTION_prev(...)
#define LADE_PRIV_OPTION_tail(...)
#define LADE_PRIV_GRID_unit(...)
#define LADE_PRIV_GRID_doc(...)
#define LADE_PRIV_GRID_alias(...)
#define LADE_PRIV_GRID_default(...)
#define LADE_PRIV_GRID_since(...)
#define LADE_PRIV_GRID_until(...)
#define LADE_PRIV_GRID_when(...)
#define LADE_PRIV_GRID_origin(...)
#define LADE_PRIV_GRID_prev(...)
#define LADE_PRIV_GRID_tail(...)
#define LADE_PRIV_LINK_unit(...)
#define LADE_PRIV_LINK_doc(...)
#define LADE_PRIV_LINK_alias(...)
#define LADE_PRIV_LINK_default(...)
#define LADE_PRIV_LINK_since(...)
#define LADE_PRIV_LINK_until(...)
#define LADE_PRIV_LINK_when(...)
#define LADE_PRIV_LINK_origin(...)
#define LADE_PRIV_LINK_halo(...)
#define LADE_PRIV_LINK_halo_of(...)
#define LADE_PRIV_LINK_strides(...)
#define LADE_PRIV_LINK_whole(...)
#define LADE_PRIV_LINK_order(...)
#define LADE_PRIV_LINK_tail(...)
#define LADE_PRIV_LINK_TAIL_unit(...)
#define LADE_PRIV_LINK_TAIL_doc(...)
#define LADE_PRIV_LINK_TAIL_alias(...)
#define LADE_PRIV_LINK_TAIL_default(...)
#define LADE_PRIV_LINK_TAIL_since(...)
#define LADE_PRIV_LINK_TAIL_until(...)
#define LADE_PRIV_LINK_TAIL_when(...)
#define LADE_PRIV_LINK_TAIL_origin(...)
#define LADE_PRIV_LINK_TAIL_halo(...)
#define LADE_PRIV_LINK_TAIL_halo_of(...)
#define LADE_PRIV_LINK_TAIL_strides(...)
#define LADE_PRIV_LINK_TAIL_whole(...)
#define LADE_PRIV_LINK_TAIL_order(...)
#define LADE_PRIV_LINK_TAIL_prev(...)
#define LADE_PRIV_ENTRY_OPTIONS(T, o, f) LADE_PRIV_IF_OPTIONS(o, LADE_PRIV_ENTRY_OPTIONS_1, T, f)
#define LADE_PRIV_ENTRY_OPTIONS_1(T, f) .options = &lade_priv_options_##T##__##f,

#define LADE_PRIV_CHECK_SHAPE(T, f)                                  \
    LADE_PRIV_ASSERT(T, f,                                           \
                     !LADE_PRIV_IS_POINTER(LADE_PRIV_FT(T, f)) &&    \
                         !LADE_PRIV_IS_POINTER(LADE_PRIV_FT4(T, f)), \
                     "a pointer is not of this kind (vector, optional, ref or text)")

#define LADE_PRIV_CHECK_NUMBER(T, f)                                                        \
    LADE_PRIV_CHECK_SHAPE(T, f)                                                             \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_SCALAR(LADE_PRIV_FT4(T, f)),                        \
                     "its type is not arithmetic, nor a fixed array (rank 1 to 4) of such") \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_PLAIN(LADE_PRIV_FT4(T, f), LADE_PRIV_FT5(T, f)),       \
                     "an _Atomic member cannot be described")

#define LADE_PRIV_CHECK_value(T, kind, o, f, ...) \
    LADE_PRIV_CHECK_STORED(T, o, f)               \
    LADE_PRIV_CHECK_NUMBER(T, f)

#define LADE_PRIV_CHECK_SEEN(T, f, E)                                                   \
    extern char lade_priv_seen_##E[];                                                   \
    LADE_PRIV_ASSERT(T, f, !_Generic(&lade_priv_seen_##E, char(*)[1] : 1, default : 0), \
                     "'" #E "' is not described above (LADE_STRUCT, LADE_ENUM or LADE_DECLARE)")

#define LADE_PRIV_CHECK_enumeration(T, kind, o, f, E, ...)            \
    LADE_PRIV_CHECK_STORED(T, o, f)                                   \
    LADE_PRIV_CHECK_SEEN(T, f, E)                                     \
    extern const lade_enum lade_enum_##E;                             \
    LADE_PRIV_CHECK_NUMBER(T, f)                                      \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_INTEGER(LADE_PRIV_FT4(T, f)), \
                     "an enumeration is held by an enum or an integer")

typedef char *lade_priv_string;
typedef const char *lade_priv_const_string;
#define LADE_PRIV_CHECK_text(T, kind, o, f, ...)                                      \
    LADE_PRIV_CHECK_STORED(T, o, f)                                                   \
    LADE_PRIV_CHECK_GENERAL(T, o, f)                                                  \
    LADE_PRIV_ASSERT(T, f,                                                            \
                     LADE_PRIV_SAME(LADE_PRIV_FT4(T, f), lade_priv_string) ||         \
                         LADE_PRIV_SAME(LADE_PRIV_FT4(T, f), lade_priv_const_string), \
                     "a text is a char * or const char *")

#define LADE_PRIV_CHECK_fixed_text(T, kind, o, f, ...)                                             \
    LADE_PRIV_CHECK_STORED(T, o, f)                                                                \
    enum { LADE_PRIV_GENERAL(T, f) = LADE_PRIV_IS_ARRAY(LADE_PRIV_FT1(T, f)) };                    \
    LADE_PRIV_ASSERT(                                                                              \
        T, f, LADE_PRIV_IS_ARRAY(LADE_PRIV_FT(T, f)) && LADE_PRIV_SAME(LADE_PRIV_FT4(T, f), char), \
        "a fixed text is a char[N]")

#define LADE_PRIV_CHECK_record(T, kind, o, f, R, ...)              \
    LADE_PRIV_CHECK_STORED(T, o, f)                                \
    LADE_PRIV_CHECK_SEEN(T, f, R)                                  \
    LADE_PRIV_EXTERN_OF(R)                                         \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_SAME(LADE_PRIV_FT4(T, f), R), \
                     "its type is not '" #R "', nor a fixed array (rank 1 to 4) of it")

/* A pointer, or a fixed array of pointers: only the first goes straight. */
#define LADE_PRIV_CHECK_GENERAL(T, o, f)                                                  \
    enum {                                                                                \
        LADE_PRIV_GENERAL(T, f) = LADE_PRIV_IS_ARRAY(LADE_PRIV_FT(T, f)) ||               \
                                  (0 LADE_PRIV_FOR_OPTIONS(LADE_PRIV_ORIGIN_, ~, o)) != 0 \
    };
#define LADE_PRIV_CHECK_POINTER(T, o, f)                                                  \
    LADE_PRIV_CHECK_STORED(T, o, f)                                                       \
    LADE_PRIV_CHECK_GENERAL(T, o, f)                                                      \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_POINTER(LADE_PRIV_FT4(T, f)),                     \
                     "its type is not a pointer (a fixed array is a value or a record)")  \
    LADE_PRIV_ASSERT(                                                                     \
        T, f,                                                                             \
        !LADE_PRIV_IS_POINTER(LADE_PRIV_FT4(T, f)) ||                                     \
            LADE_PRIV_SAME(LADE_PRIV_FT4(T, f),                                           \
                           __typeof__(((void)0, LADE_PRIV_LVALUE(LADE_PRIV_FT4(T, f))))), \
        "an _Atomic member cannot be described")
#define LADE_PRIV_CHECK_ONE(T, f) \
    LADE_PRIV_ASSERT(T, f, !LADE_PRIV_IS_ARRAY(LADE_PRIV_FT(T, f)), "it cannot be a fixed array")

#define LADE_PRIV_CHECK_TARGET(T, f, E)                                 \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_POINTS_TO(LADE_PRIV_FT4(T, f), E), \
                     "its type is not a pointer to '" #E "'")

#define LADE_PRIV_CHECK_COUNT(T, f, n)                                                      \
    typedef __typeof__(((T *)0)->n) lade_priv_tn_##T##__##f;                                \
    typedef LADE_PRIV_STRIP(lade_priv_tn_##T##__##f) lade_priv_tm_##T##__##f;               \
    enum { lade_priv_on_##T##__##f = __builtin_offsetof(T, n) };                            \
    LADE_PRIV_ASSERT(T, f,                                                                  \
                     LADE_PRIV_IS_INTEGER(lade_priv_tn_##T##__##f) &&                       \
                         LADE_PRIV_PLAIN(lade_priv_tn_##T##__##f, lade_priv_tm_##T##__##f), \
                     "its count '" #n "' is not an integer")

#define LADE_PRIV_CHECK_ARITHMETIC(T, f)                                                \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_SCALAR(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f))), \
                     "its elements are not arithmetic: name their type after the count")

#define LADE_PRIV_CHECK_vector(T, kind, o, f, n, E, ...) \
    LADE_PRIV_CHECK_POINTER(T, o, f)                     \
    LADE_PRIV_CHECK_COUNT(T, f, n)                       \
    LADE_PRIV_CHECK_SEEN(T, f, E)                        \
    LADE_PRIV_EXTERN_OF(E)                               \
    LADE_PRIV_CHECK_TARGET(T, f, E)
#define LADE_PRIV_CHECK_vector_of_scalars(T, kind, o, f, n, ...) \
    LADE_PRIV_CHECK_POINTER(T, o, f)                             \
    LADE_PRIV_CHECK_COUNT(T, f, n)                               \
    LADE_PRIV_CHECK_ARITHMETIC(T, f)
/* Elements that are pointers: a record of one field each. Records of that name are the same everywhere. */
#define LADE_PRIV_CHECK_vector_of_refs(T, kind_, o, f, n, run, E, ...)                     \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                                       \
    LADE_PRIV_CHECK_COUNT(T, f, n)                                                         \
    LADE_PRIV_EXTERN_OF(E)                                                                 \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_POINTS_TO(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f)), E), \
                     "its elements are not pointers to '" #E "'")                          \
    static const lade_field lade_priv_rf_##T##__##f[] = {                                  \
        {.name = "to", .kind = LADE_KIND_REF, .type = &lade_type_##E}};                    \
    static const lade_type lade_priv_rt_##T##__##f = {.name = "ref(" #E ")",               \
                                                      .size = sizeof(void *),              \
                                                      .align = _Alignof(void *),           \
                                                      .field_count = 1,                    \
                                                      .fields = lade_priv_rf_##T##__##f};
#define LADE_PRIV_CHECK_vector_of_texts(T, kind, o, f, n, ...)                              \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                                        \
    LADE_PRIV_CHECK_COUNT(T, f, n)                                                          \
    LADE_PRIV_ASSERT(                                                                       \
        T, f,                                                                               \
        LADE_PRIV_SAME(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f)), lade_priv_string) ||         \
            LADE_PRIV_SAME(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f)), lade_priv_const_string), \
        "its elements are not char *")
#define LADE_PRIV_CHECK_pool(T, kind, o, f, n, E, ...) \
    LADE_PRIV_CHECK_vector(T, kind, o, f, n, E, ~) LADE_PRIV_CHECK_ONE(T, f)
#define LADE_PRIV_CHECK_pool_of_scalars(T, kind, o, f, n, ...) \
    LADE_PRIV_CHECK_vector_of_scalars(T, kind, o, f, n, ~) LADE_PRIV_CHECK_ONE(T, f)
#define LADE_PRIV_CHECK_optional(T, kind, o, f, E, ...) \
    LADE_PRIV_CHECK_POINTER(T, o, f)                    \
    LADE_PRIV_CHECK_SEEN(T, f, E)                       \
    LADE_PRIV_EXTERN_OF(E)                              \
    LADE_PRIV_CHECK_TARGET(T, f, E)
#define LADE_PRIV_CHECK_optional_scalar(T, kind, o, f, ...) \
    LADE_PRIV_CHECK_POINTER(T, o, f)                        \
    LADE_PRIV_CHECK_ARITHMETIC(T, f)
#define LADE_PRIV_CHECK_ref(T, kind, o, f, E, ...) \
    LADE_PRIV_CHECK_POINTER(T, o, f)               \
    LADE_PRIV_EXTERN_OF(E)                         \
    LADE_PRIV_CHECK_TARGET(T, f, E)

/* Grids: extents are a list in parentheses; the layout is a table of its own. */
#define LADE_PRIV_CHECK_GRID(T, o, f, extents, rows_)                                              \
    LADE_PRIV_MAP(LADE_PRIV_CHECK_EXTENT, (T, f), LADE_PRIV_UNPAREN extents, )                     \
    enum {                                                                                         \
        lade_priv_rank_##T##__##f =                                                                \
            0 LADE_PRIV_MAP(LADE_PRIV_PLUS_ONE, ~, LADE_PRIV_UNPAREN extents, )                    \
    };                                                                                             \
    LADE_PRIV_ASSERT(T, f, lade_priv_rank_##T##__##f <= LADE_MAX_RANK,                             \
                     "a grid has at most 8 extents")                                               \
    LADE_PRIV_ASSERT(T, f, !(rows_) || lade_priv_rank_##T##__##f == 2, "rows have 2 extents")      \
    static const lade_grid lade_priv_grid_##T##__##f = {                                           \
        .rank = lade_priv_rank_##T##__##f,                                                         \
        .rows = rows_,                                                                             \
        .extent_scalar = {LADE_PRIV_MAP(LADE_PRIV_EXTENT_SCALAR, T, LADE_PRIV_UNPAREN extents, )}, \
        .extent_offset = {LADE_PRIV_MAP(LADE_PRIV_EXTENT_OFFSET, T, LADE_PRIV_UNPAREN extents, )}, \
        LADE_PRIV_FOR_OPTIONS(LADE_PRIV_GRID_, T, o)};
#define LADE_PRIV_PLUS_ONE(X, x) +1
#define LADE_PRIV_SCALAR_OF(T, m) LADE_PRIV_SCALAR(__typeof__(((T *)0)->m))
#define LADE_PRIV_EXTENT_SCALAR(T, m) LADE_PRIV_SCALAR_OF(T, m),
#define LADE_PRIV_EXTENT_OFFSET(T, m) __builtin_offsetof(T, m),
#define LADE_PRIV_CHECK_EXTENT(X, m) LADE_PRIV_CHECK_EXTENT_1(LADE_PRIV_UNPAREN X, m)
#define LADE_PRIV_CHECK_EXTENT_1(...) LADE_PRIV_CHECK_EXTENT_2(__VA_ARGS__)
#define LADE_PRIV_CHECK_EXTENT_2(T, f, m)                                 \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_INTEGER(__typeof__(((T *)0)->m)), \
                     "its extent '" #m "' is not an integer")
#define LADE_PRIV_GRID_order(T, how) .fortran = LADE_PRIV_ORDER_##how,
#define LADE_PRIV_ORDER_fortran 1
#define LADE_PRIV_ORDER_c 0
#define LADE_PRIV_GRID_whole(T, ...) .whole = 1,
#define LADE_PRIV_GRID_halo(T, ...) \
    .halo_count = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), .halo = {__VA_ARGS__},
/* a member: an integer, or an array of as many as there are extents */
#define LADE_PRIV_ARRAY_OF(T, m) LADE_PRIV_UNARRAY(__typeof__(((T *)0)->m))
#define LADE_PRIV_GRID_halo_of(T, m)                                      \
    .halo_scalar = LADE_PRIV_SCALAR(LADE_PRIV_ARRAY_OF(T, m)),            \
    .halo_count = sizeof(((T *)0)->m) / sizeof(LADE_PRIV_ARRAY_OF(T, m)), \
    .halo_offset = __builtin_offsetof(T, m),
#define LADE_PRIV_GRID_strides(T, m)                           \
    .step_scalar = LADE_PRIV_SCALAR(LADE_PRIV_ARRAY_OF(T, m)), \
    .step_offset = __builtin_offsetof(T, m),
#define LADE_PRIV_CHECK_grid(T, kind, o, f, extents, E, ...) \
    LADE_PRIV_CHECK_POINTER(T, o, f)                         \
    LADE_PRIV_CHECK_ONE(T, f)                                \
    LADE_PRIV_CHECK_SEEN(T, f, E)                            \
    LADE_PRIV_EXTERN_OF(E)                                   \
    LADE_PRIV_CHECK_TARGET(T, f, E)                          \
    LADE_PRIV_CHECK_GRID(T, o, f, extents, 0)
#define LADE_PRIV_CHECK_grid_of_scalars(T, kind, o, f, extents, ...) \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                 \
    LADE_PRIV_CHECK_ONE(T, f)                                        \
    LADE_PRIV_CHECK_ARITHMETIC(T, f)                                 \
    LADE_PRIV_CHECK_GRID(T, o, f, extents, 0)
#define LADE_PRIV_CHECK_rows(T, kind, o, f, extents, E, ...)                               \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                                       \
    LADE_PRIV_CHECK_ONE(T, f)                                                              \
    LADE_PRIV_CHECK_SEEN(T, f, E)                                                          \
    LADE_PRIV_EXTERN_OF(E)                                                                 \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_POINTS_TO(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f)), E), \
                     "its type is not a pointer to rows of '" #E "'")                      \
    LADE_PRIV_CHECK_GRID(T, o, f, extents, 1)
#define LADE_PRIV_CHECK_rows_of_scalars(T, kind, o, f, extents, ...)                          \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                                          \
    LADE_PRIV_CHECK_ONE(T, f)                                                                 \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_POINTER(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f))),      \
                     "its type is not a pointer to rows")                                     \
    LADE_PRIV_ASSERT(                                                                         \
        T, f, LADE_PRIV_IS_SCALAR(LADE_PRIV_POINTEE(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f)))), \
        "its elements are not arithmetic: name their type after the extents")                 \
    LADE_PRIV_CHECK_GRID(T, o, f, extents, 1)

/* Known types: declared here, so that they may be described later. */
#define LADE_PRIV_CHECK_KNOWN(T, f, base, ...)                                                     \
    LADE_PRIV_MAP(LADE_PRIV_DECLARE_KNOWN, ~, __VA_ARGS__)                                         \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_POINTS_TO(LADE_PRIV_FT4(T, f), base),                         \
                     "its type is not a pointer to '" #base "'")                                   \
    enum { LADE_PRIV_MAP(LADE_PRIV_PLACE_KNOWN, (T, f), __VA_ARGS__) lade_priv_known_##T##__##f }; \
    static const lade_type *const lade_priv_types_##T##__##f[] = {                                 \
        LADE_PRIV_MAP(LADE_PRIV_TYPE_KNOWN, ~, __VA_ARGS__)};
#define LADE_PRIV_DECLARE_KNOWN(X, A) LADE_DECLARE(A)
#define LADE_PRIV_TYPE_KNOWN(X, A) &lade_type_##A,
#define LADE_PRIV_PLACE_KNOWN(X, A) LADE_PRIV_KNOWN_IX(LADE_PRIV_UNPAREN X, A),
#define LADE_PRIV_KNOWN_IX(...) LADE_PRIV_KNOWN_IX_1(__VA_ARGS__)
#define LADE_PRIV_KNOWN_IX_1(T, f, A) lade_priv_k_##T##__##f##__##A
#define LADE_PRIV_CHECK_any_of(T, kind, o, f, m, base, ...)                             \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                                    \
    LADE_PRIV_CHECK_ONE(T, f)                                                           \
    LADE_PRIV_CHECK_COUNT(T, f, m)                                                      \
    LADE_PRIV_CHECK_KNOWN(T, f, base, __VA_ARGS__)                                      \
    static const lade_choice lade_priv_choice_##T##__##f = {lade_priv_known_##T##__##f, \
                                                            lade_priv_types_##T##__##f, NULL};
#define LADE_PRIV_CHECK_any_by(T, kind, o, f, which, base, ...)         \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                    \
    LADE_PRIV_CHECK_KNOWN(T, f, base, __VA_ARGS__)                      \
    static unsigned lade_priv_which_##T##__##f(const void *lade_object) \
    {                                                                   \
        return (unsigned)which((const base *)lade_object);              \
    }                                                                   \
    static const lade_choice lade_priv_choice_##T##__##f = {            \
        lade_priv_known_##T##__##f, lade_priv_types_##T##__##f, lade_priv_which_##T##__##f};
#define LADE_PRIV_CHECK_any_ref_of(T, kind, o, f, m, base, ...) \
    LADE_PRIV_CHECK_any_of(T, kind, o, f, m, base, __VA_ARGS__)
#define LADE_PRIV_CHECK_any_ref_by(T, kind, o, f, which, base, ...) \
    LADE_PRIV_CHECK_any_by(T, kind, o, f, which, base, __VA_ARGS__)

#define LADE_PRIV_CHECK_variant(T, kind, o, f, m, U, ...)         \
    LADE_PRIV_CHECK_STORED(T, o, f)                               \
    LADE_PRIV_CHECK_ONE(T, f)                                     \
    LADE_PRIV_CHECK_COUNT(T, f, m)                                \
    LADE_PRIV_CHECK_SEEN(T, f, U)                                 \
    LADE_PRIV_EXTERN_OF(U)                                        \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_SAME(LADE_PRIV_FT(T, f), U), \
                     "its type is not the union '" #U "'")

/* The offset of an option's member, as what is added to LADE_NO_OFFSET. */
#define LADE_PRIV_LINK_prev(E, m) +1 + __builtin_offsetof(E, m)
#define LADE_PRIV_LINK_TAIL_tail(T, m) +1 + __builtin_offsetof(T, m)
#define LADE_PRIV_CHECK_list(T, kind, o, f, E, next_, ...)                      \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                            \
    LADE_PRIV_CHECK_ONE(T, f)                                                   \
    LADE_PRIV_CHECK_SEEN(T, f, E)                                               \
    LADE_PRIV_EXTERN_OF(E)                                                      \
    LADE_PRIV_CHECK_TARGET(T, f, E)                                             \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_POINTS_TO(__typeof__(((E *)0)->next_), E), \
                     "its link '" #next_ "' is not a pointer to '" #E "'")      \
    static const lade_links lade_priv_links_##T##__##f = {                      \
        .next = __builtin_offsetof(E, next_),                                   \
        .prev = LADE_NO_OFFSET LADE_PRIV_FOR_OPTIONS(LADE_PRIV_LINK_, E, o),    \
        .tail = LADE_NO_OFFSET LADE_PRIV_FOR_OPTIONS(LADE_PRIV_LINK_TAIL_, T, o)};
#define LADE_PRIV_CHECK_map(T, kind, o, f, adaptor, E, ...) \
    LADE_PRIV_CHECK_STORED(T, o, f)                         \
    LADE_PRIV_CHECK_SEEN(T, f, E)                           \
    LADE_PRIV_EXTERN_OF(E)
#define LADE_PRIV_CHECK_bits(T, kind, o, f, n, ...)                                     \
    LADE_PRIV_CHECK_POINTER(T, o, f)                                                    \
    LADE_PRIV_CHECK_ONE(T, f)                                                           \
    LADE_PRIV_CHECK_COUNT(T, f, n)                                                      \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_INTEGER(LADE_PRIV_POINTEE(LADE_PRIV_FT(T, f))), \
                     "its words are not integers")
#define LADE_PRIV_CHECK_external(T, kind, o, f, set, ...)             \
    LADE_PRIV_CHECK_STORED(T, o, f)                                   \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_POINTER(LADE_PRIV_FT4(T, f)), \
                     "what is external is a pointer")
#define LADE_PRIV_CHECK_skip(T, kind, o, f, ...) LADE_PRIV_CHECK_STORED(T, o, f)
#define LADE_PRIV_CHECK_capacity(T, kind, o, f, n, ...) \
    LADE_PRIV_CHECK_STORED(T, o, f)                     \
    LADE_PRIV_CHECK_COUNT(T, f, n)                      \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_INTEGER(LADE_PRIV_FT(T, f)), "a capacity is an integer")

/* Declares the descriptor of E, unless E is an arithmetic type: those are macros for other names.
 */
#define LADE_PRIV_EXTERN_OF(E) extern const lade_type lade_type_##E;

/* Pass 2: places. */
#define LADE_PRIV_DO_PLACE(T, N) LADE_PRIV_BY_FIELD(LADE_PRIV_PLACE, T, N)
#define LADE_PRIV_PLACE(T, o, f) LADE_PRIV_IX(T, f),

/* Pass 3: most bytes of the fixed part. */
#define LADE_PRIV_DO_BOUND(T, N) LADE_PRIV_BY_CLASS(LADE_PRIV_BOUND_, T, N)
#define LADE_PRIV_BOUND_value(T, kind, o, f, ...) \
    +(sizeof(LADE_PRIV_FT(T, f)) <= LADE_PRIV_SMALL ? sizeof(LADE_PRIV_FT(T, f)) : 0)
#define LADE_PRIV_BOUND_enumeration(T, kind, o, f, ...) +9
#define LADE_PRIV_BOUND_text(T, kind, o, f, ...) +9
#define LADE_PRIV_BOUND_fixed_text(T, kind, o, f, ...) +9
#define LADE_PRIV_BOUND_record(T, kind, o, f, ...)
#define LADE_PRIV_BOUND_vector(T, kind, o, f, ...) +9
#define LADE_PRIV_BOUND_pool(T, kind, o, f, ...)
#define LADE_PRIV_BOUND_optional(T, kind, o, f, ...) +9
#define LADE_PRIV_BOUND_ref(T, kind, o, f, ...) +17 /* a code of a pool, then a varint */
#define LADE_PRIV_BOUND_any(T, kind, o, f, ...) +9
#define LADE_PRIV_BOUND_general(T, kind, o, f, ...)
#define LADE_PRIV_BOUND_skip(T, kind, o, f, ...)

/* Bytes of the last word of the struct that the members cover (counts, which may be shared, do not
 * count). What they do not cover is cleared before a value is loaded. */
#define LADE_PRIV_DO_TAIL(T, N) LADE_PRIV_BY_FIELD(LADE_PRIV_OVERLAP, T, N)
#define LADE_PRIV_LAST(T) (sizeof(T) < LADE_PRIV_WORD ? sizeof(T) : LADE_PRIV_WORD)
#define LADE_PRIV_CLEAR_TAIL(T) \
    if (lade_priv_tail_##T)     \
        memset(lade_v + sizeof(T) - LADE_PRIV_LAST(T), 0, LADE_PRIV_LAST(T));
#define LADE_PRIV_END(T, f) (LADE_PRIV_OFF(T, f) + sizeof(LADE_PRIV_FT(T, f)))
#define LADE_PRIV_OVERLAP(T, o, f)                             \
    +(LADE_PRIV_END(T, f) <= sizeof(T) - LADE_PRIV_LAST(T) ? 0 \
      : LADE_PRIV_OFF(T, f) >= sizeof(T) - LADE_PRIV_LAST(T)   \
          ? sizeof(LADE_PRIV_FT(T, f))                         \
          : LADE_PRIV_END(T, f) - (sizeof(T) - LADE_PRIV_LAST(T)))

/* Pass 4: the descriptor's entry. */
#define LADE_PRIV_DO_ENTRY(T, N) LADE_PRIV_BY_KIND(LADE_PRIV_ENTRY_, T, N)
#define LADE_PRIV_RANK(T, f)                        \
    (!LADE_PRIV_IS_ARRAY(LADE_PRIV_FT(T, f))    ? 0 \
     : !LADE_PRIV_IS_ARRAY(LADE_PRIV_FT1(T, f)) ? 1 \
     : !LADE_PRIV_IS_ARRAY(LADE_PRIV_FT2(T, f)) ? 2 \
     : !LADE_PRIV_IS_ARRAY(LADE_PRIV_FT3(T, f)) ? 3 \
                                                : 4)
#define LADE_PRIV_EXTENTS(T, f)                                        \
    {                                                                  \
        sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT1(T, f)),      \
            sizeof(LADE_PRIV_FT1(T, f)) / sizeof(LADE_PRIV_FT2(T, f)), \
            sizeof(LADE_PRIV_FT2(T, f)) / sizeof(LADE_PRIV_FT3(T, f)), \
            sizeof(LADE_PRIV_FT3(T, f)) / sizeof(LADE_PRIV_FT4(T, f))  \
    }
/* What all entries share, and what those of fixed arrays and of fields with a count have too. */
#define LADE_PRIV_ENTRY(T, o, f, KIND, ...) \
    {.name = #f,                            \
     .kind = KIND,                          \
     .offset = LADE_PRIV_OFF(T, f),         \
     LADE_PRIV_ENTRY_OPTIONS(T, o, f) __VA_ARGS__},
#define LADE_PRIV_ARRAY(T, f) .rank = LADE_PRIV_RANK(T, f), .extent = LADE_PRIV_EXTENTS(T, f)
#define LADE_PRIV_COUNTED(T, f)                                \
    .count_scalar = LADE_PRIV_SCALAR(lade_priv_tn_##T##__##f), \
    .count_offset = lade_priv_on_##T##__##f

#define LADE_PRIV_ENTRY_value(T, kind, o, f, ...)                                              \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_VALUE, .scalar = LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)), \
                    LADE_PRIV_ARRAY(T, f))
#define LADE_PRIV_ENTRY_enumeration(T, kind, o, f, E, ...)                                  \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_ENUMERATION,                                         \
                    .scalar = LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)), LADE_PRIV_ARRAY(T, f), \
                    .enumeration = &lade_enum_##E)
#define LADE_PRIV_ENTRY_text(T, kind, o, f, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_TEXT, LADE_PRIV_ARRAY(T, f))
#define LADE_PRIV_ENTRY_fixed_text(T, kind, o, f, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_FIXED_TEXT, LADE_PRIV_ARRAY(T, f))
#define LADE_PRIV_ENTRY_record(T, kind, o, f, R, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_RECORD, LADE_PRIV_ARRAY(T, f), .type = &lade_type_##R)
#define LADE_PRIV_ELEMENT_TYPE(T, f) \
    LADE_PRIV_SCALAR_TYPE(LADE_PRIV_LVALUE(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f))))
#define LADE_PRIV_ENTRY_VECTOR(T, o, f, KIND, target) \
    LADE_PRIV_ENTRY(T, o, f, KIND, LADE_PRIV_ARRAY(T, f), LADE_PRIV_COUNTED(T, f), .type = target)
#define LADE_PRIV_ENTRY_vector(T, kind, o, f, n, E, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, o, f, LADE_KIND_VECTOR, &lade_type_##E)
#define LADE_PRIV_ENTRY_vector_of_scalars(T, kind, o, f, n, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, o, f, LADE_KIND_VECTOR, LADE_PRIV_ELEMENT_TYPE(T, f))
#define LADE_PRIV_ENTRY_vector_of_refs(T, kind, o, f, n, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, o, f, LADE_KIND_VECTOR, &lade_priv_rt_##T##__##f)
#define LADE_PRIV_ENTRY_vector_of_texts(T, kind, o, f, n, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, o, f, LADE_KIND_VECTOR, &lade_priv_text_element)
#define LADE_PRIV_ENTRY_pool(T, kind, o, f, n, E, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, o, f, LADE_KIND_POOL, &lade_type_##E)
#define LADE_PRIV_ENTRY_pool_of_scalars(T, kind, o, f, n, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, o, f, LADE_KIND_POOL, LADE_PRIV_ELEMENT_TYPE(T, f))
#define LADE_PRIV_ENTRY_optional(T, kind, o, f, E, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_OPTIONAL, LADE_PRIV_ARRAY(T, f), .type = &lade_type_##E)
#define LADE_PRIV_ENTRY_optional_scalar(T, kind, o, f, ...)             \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_OPTIONAL, LADE_PRIV_ARRAY(T, f), \
                    .type = LADE_PRIV_ELEMENT_TYPE(T, f))
#define LADE_PRIV_ENTRY_ref(T, kind, o, f, E, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_REF, LADE_PRIV_ARRAY(T, f), .type = &lade_type_##E)
#define LADE_PRIV_ENTRY_GRID(T, o, f, target) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_GRID, .type = target, .grid = &lade_priv_grid_##T##__##f)
#define LADE_PRIV_ENTRY_grid(T, kind, o, f, extents, E, ...) \
    LADE_PRIV_ENTRY_GRID(T, o, f, &lade_type_##E)
#define LADE_PRIV_ENTRY_grid_of_scalars(T, kind, o, f, ...) \
    LADE_PRIV_ENTRY_GRID(T, o, f, LADE_PRIV_ELEMENT_TYPE(T, f))
#define LADE_PRIV_ENTRY_rows(T, kind, o, f, extents, E, ...) \
    LADE_PRIV_ENTRY_GRID(T, o, f, &lade_type_##E)
#define LADE_PRIV_ENTRY_rows_of_scalars(T, kind, o, f, ...)      \
    LADE_PRIV_ENTRY_GRID(T, o, f,                                \
                         LADE_PRIV_SCALAR_TYPE(LADE_PRIV_LVALUE( \
                             LADE_PRIV_POINTEE(LADE_PRIV_POINTEE(LADE_PRIV_FT4(T, f))))))
#define LADE_PRIV_ENTRY_any_of(T, kind, o, f, ...)                   \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_ANY, LADE_PRIV_COUNTED(T, f), \
                    .choice = &lade_priv_choice_##T##__##f)
#define LADE_PRIV_ENTRY_any_by(T, kind, o, f, ...)                 \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_ANY, LADE_PRIV_ARRAY(T, f), \
                    .choice = &lade_priv_choice_##T##__##f)
#define LADE_PRIV_ENTRY_any_ref_of(T, kind, o, f, ...)                   \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_ANY_REF, LADE_PRIV_COUNTED(T, f), \
                    .choice = &lade_priv_choice_##T##__##f)
#define LADE_PRIV_ENTRY_any_ref_by(T, kind, o, f, ...)                 \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_ANY_REF, LADE_PRIV_ARRAY(T, f), \
                    .choice = &lade_priv_choice_##T##__##f)
#define LADE_PRIV_ENTRY_variant(T, kind, o, f, m, U, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_VARIANT, LADE_PRIV_COUNTED(T, f), .type = &lade_type_##U)
#define LADE_PRIV_ENTRY_list(T, kind, o, f, E, ...)                  \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_LIST, .type = &lade_type_##E, \
                    .links = &lade_priv_links_##T##__##f)
#define LADE_PRIV_ENTRY_map(T, kind, o, f, adaptor, E, ...)                         \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_MAP, .extent = {sizeof(LADE_PRIV_FT(T, f))}, \
                    .type = &lade_type_##E, .map = &adaptor)
#define LADE_PRIV_ENTRY_bits(T, kind, o, f, ...)                                       \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_BITS,                                           \
                    .scalar = LADE_PRIV_SCALAR(LADE_PRIV_POINTEE(LADE_PRIV_FT(T, f))), \
                    LADE_PRIV_COUNTED(T, f))
#define LADE_PRIV_ENTRY_external(T, kind, o, f, set_, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_EXTERNAL, LADE_PRIV_ARRAY(T, f), .set = #set_)
#define LADE_PRIV_ENTRY_skip(T, kind, o, f, ...) \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_SKIP, .extent = {sizeof(LADE_PRIV_FT(T, f))})
#define LADE_PRIV_ENTRY_capacity(T, kind, o, f, ...)                                             \
    LADE_PRIV_ENTRY(T, o, f, LADE_KIND_CAPACITY, .scalar = LADE_PRIV_SCALAR(LADE_PRIV_FT(T, f)), \
                    LADE_PRIV_COUNTED(T, f))

#endif
