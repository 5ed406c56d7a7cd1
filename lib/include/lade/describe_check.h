/**
 * \file
 * The parts of LADE_STRUCT that check a field against the struct and write its descriptor.
 * Included by describe.h only.
 */
#ifndef LADE_DESCRIBE_CHECK_H
#define LADE_DESCRIBE_CHECK_H
#pragma GCC system_header

#define LADE_PRIV_CHECK_SHAPE(T, f)                                    \
    typedef LADE_PRIV_STRIP(LADE_PRIV_FT(T, f)) LADE_PRIV_FT1(T, f);   \
    typedef LADE_PRIV_STRIP(LADE_PRIV_FT1(T, f)) LADE_PRIV_FT2(T, f);  \
    typedef LADE_PRIV_STRIP(LADE_PRIV_FT2(T, f)) LADE_PRIV_FT3(T, f);  \
    typedef LADE_PRIV_STRIP(LADE_PRIV_FT3(T, f)) LADE_PRIV_FT4(T, f);  \
    typedef LADE_PRIV_STRIP(LADE_PRIV_FT4(T, f)) LADE_PRIV_FT5(T, f);  \
    LADE_PRIV_ASSERT(T, f,                                             \
                     !LADE_PRIV_IS_POINTER(LADE_PRIV_FT(T, f)) &&      \
                         !LADE_PRIV_IS_POINTER(LADE_PRIV_FT1(T, f)) && \
                         !LADE_PRIV_IS_POINTER(LADE_PRIV_FT2(T, f)) && \
                         !LADE_PRIV_IS_POINTER(LADE_PRIV_FT3(T, f)),   \
                     "a pointer is not of this kind (vector, optional, ref or text)")

#define LADE_PRIV_SCALAR_OR(FT, inner) \
    (LADE_PRIV_IS_SCALAR(FT) || (LADE_PRIV_IS_ARRAY(FT) && (inner)))
#define LADE_PRIV_IS_NUMBERS(T, f)                                       \
    LADE_PRIV_SCALAR_OR(                                                 \
        LADE_PRIV_FT(T, f),                                              \
        LADE_PRIV_SCALAR_OR(                                             \
            LADE_PRIV_FT1(T, f),                                         \
            LADE_PRIV_SCALAR_OR(LADE_PRIV_FT2(T, f),                     \
                                LADE_PRIV_SCALAR_OR(LADE_PRIV_FT3(T, f), \
                                                    LADE_PRIV_IS_SCALAR(LADE_PRIV_FT4(T, f))))))
#define LADE_PRIV_CHECK_NUMBER(T, f)                                                              \
    LADE_PRIV_CHECK_SHAPE(T, f)                                                                   \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_NUMBERS(T, f),                                            \
                     "its type is not arithmetic (long double is not served), nor a fixed array " \
                     "(rank 1 to 4) of such")                                                     \
    LADE_PRIV_ASSERT(T, f,                                                                        \
                     LADE_PRIV_PLAIN(LADE_PRIV_FT(T, f), LADE_PRIV_FT5(T, f)) &&                  \
                         LADE_PRIV_PLAIN(LADE_PRIV_FT1(T, f), LADE_PRIV_FT5(T, f)) &&             \
                         LADE_PRIV_PLAIN(LADE_PRIV_FT2(T, f), LADE_PRIV_FT5(T, f)) &&             \
                         LADE_PRIV_PLAIN(LADE_PRIV_FT3(T, f), LADE_PRIV_FT5(T, f)),               \
                     "an _Atomic member cannot be described")

#define LADE_PRIV_CHECK_value(T, kind, f, ...) \
    LADE_PRIV_CHECK_MEMBER(T, f)               \
    LADE_PRIV_CHECK_NUMBER(T, f)

#define LADE_PRIV_CHECK_SEEN(T, f, E)                                                   \
    extern char lade_priv_seen_##E[];                                                   \
    LADE_PRIV_ASSERT(T, f, !_Generic(&lade_priv_seen_##E, char(*)[1] : 1, default : 0), \
                     "'" #E "' is not described above (LADE_STRUCT, LADE_ENUM or LADE_DECLARE)")

#define LADE_PRIV_CHECK_enumeration(T, kind, f, E, ...)               \
    LADE_PRIV_CHECK_MEMBER(T, f)                                      \
    LADE_PRIV_CHECK_SEEN(T, f, E)                                     \
    extern const lade_enum lade_enum_##E;                             \
    LADE_PRIV_CHECK_NUMBER(T, f)                                      \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_INTEGER(LADE_PRIV_FT4(T, f)), \
                     "an enumeration is held by an enum or an integer")

typedef char *lade_priv_string;
typedef const char *lade_priv_const_string;
#define LADE_PRIV_CHECK_text(T, kind, f, ...)                                        \
    LADE_PRIV_CHECK_MEMBER(T, f)                                                     \
    LADE_PRIV_ASSERT(T, f,                                                           \
                     LADE_PRIV_SAME(LADE_PRIV_FT(T, f), lade_priv_string) ||         \
                         LADE_PRIV_SAME(LADE_PRIV_FT(T, f), lade_priv_const_string), \
                     "a text is a char * or const char *")

#define LADE_PRIV_CHECK_fixed_text(T, kind, f, ...)                                               \
    LADE_PRIV_CHECK_MEMBER(T, f)                                                                  \
    LADE_PRIV_ASSERT(                                                                             \
        T, f, _Generic((LADE_PRIV_FT(T, f) *)0, char(*)[] : 1, const char(*)[] : 1, default : 0), \
        "a fixed text is a char[N]")

#define LADE_PRIV_CHECK_record(T, kind, f, R, ...)                                         \
    LADE_PRIV_CHECK_MEMBER(T, f)                                                           \
    LADE_PRIV_CHECK_SEEN(T, f, R)                                                          \
    LADE_PRIV_EXTERN_OF(R)                                                                 \
    LADE_PRIV_ASSERT(T, f,                                                                 \
                     _Generic((LADE_PRIV_FT(T, f) *)0, R * : 1, const R * : 1, R(*)[] : 1, \
                              const R(*)[] : 1, default : 0) ||                            \
                         LADE_PRIV_IS_GRID_OF(LADE_PRIV_FT(T, f), R),                      \
                     "its type is not '" #R "', nor a fixed array (rank 1 or 2) of it")

/* R[N][M] for any N and M: an array whose elements are arrays of R. */
#define LADE_PRIV_IS_GRID_OF(FT, R)                                                         \
    _Generic(__builtin_choose_expr(LADE_PRIV_IS_AGGREGATE(LADE_PRIV_LVALUE(FT)), (char *)0, \
                                   LADE_PRIV_LVALUE(FT)),                                   \
             R(*)[] : 1, const R(*)[] : 1, default : 0)

#define LADE_PRIV_CHECK_POINTER(T, f)                                                    \
    LADE_PRIV_CHECK_MEMBER(T, f)                                                         \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_POINTER(LADE_PRIV_FT(T, f)),                     \
                     "its type is not a pointer (a fixed array is a value or a record)") \
    LADE_PRIV_ASSERT(                                                                    \
        T, f,                                                                            \
        !LADE_PRIV_IS_POINTER(LADE_PRIV_FT(T, f)) ||                                     \
            LADE_PRIV_SAME(LADE_PRIV_FT(T, f),                                           \
                           __typeof__(((void)0, LADE_PRIV_LVALUE(LADE_PRIV_FT(T, f))))), \
        "an _Atomic member cannot be described")

#define LADE_PRIV_CHECK_TARGET(T, f, E)                                \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_POINTS_TO(LADE_PRIV_FT(T, f), E), \
                     "its type is not a pointer to '" #E "'")

#define LADE_PRIV_CHECK_COUNT(T, f, n)                                                      \
    typedef __typeof__(((T *)0)->n) lade_priv_tn_##T##__##f;                                \
    typedef LADE_PRIV_STRIP(lade_priv_tn_##T##__##f) lade_priv_tm_##T##__##f;               \
    enum { lade_priv_on_##T##__##f = __builtin_offsetof(T, n) };                            \
    LADE_PRIV_ASSERT(T, f,                                                                  \
                     LADE_PRIV_IS_INTEGER(lade_priv_tn_##T##__##f) &&                       \
                         LADE_PRIV_PLAIN(lade_priv_tn_##T##__##f, lade_priv_tm_##T##__##f), \
                     "its count '" #n "' is not an integer")

#define LADE_PRIV_CHECK_ARITHMETIC(T, f)                                               \
    LADE_PRIV_ASSERT(T, f, LADE_PRIV_IS_SCALAR(LADE_PRIV_POINTEE(LADE_PRIV_FT(T, f))), \
                     "its elements are not arithmetic: name their type after the count")

#define LADE_PRIV_CHECK_vector(T, kind, f, n, E, ...) \
    LADE_PRIV_CHECK_POINTER(T, f)                     \
    LADE_PRIV_CHECK_COUNT(T, f, n)                    \
    LADE_PRIV_CHECK_SEEN(T, f, E)                     \
    LADE_PRIV_EXTERN_OF(E)                            \
    LADE_PRIV_CHECK_TARGET(T, f, E)
#define LADE_PRIV_CHECK_vector_of_scalars(T, kind, f, n, ...) \
    LADE_PRIV_CHECK_POINTER(T, f)                             \
    LADE_PRIV_CHECK_COUNT(T, f, n)                            \
    LADE_PRIV_CHECK_ARITHMETIC(T, f)
#define LADE_PRIV_CHECK_pool(T, kind, f, n, E, ...) LADE_PRIV_CHECK_vector(T, kind, f, n, E, ~)
#define LADE_PRIV_CHECK_pool_of_scalars(T, kind, f, n, ...) \
    LADE_PRIV_CHECK_vector_of_scalars(T, kind, f, n, ~)
#define LADE_PRIV_CHECK_optional(T, kind, f, E, ...) \
    LADE_PRIV_CHECK_POINTER(T, f)                    \
    LADE_PRIV_CHECK_SEEN(T, f, E)                    \
    LADE_PRIV_EXTERN_OF(E)                           \
    LADE_PRIV_CHECK_TARGET(T, f, E)
#define LADE_PRIV_CHECK_optional_scalar(T, kind, f, ...) \
    LADE_PRIV_CHECK_POINTER(T, f)                        \
    LADE_PRIV_CHECK_ARITHMETIC(T, f)
#define LADE_PRIV_CHECK_ref(T, kind, f, E, ...) \
    LADE_PRIV_CHECK_POINTER(T, f)               \
    LADE_PRIV_EXTERN_OF(E)                      \
    LADE_PRIV_CHECK_TARGET(T, f, E)

/* Declares the descriptor of E, unless E is an arithmetic type: those are macros for other names.
 */
#define LADE_PRIV_EXTERN_OF(E) extern const lade_type lade_type_##E;

/* Pass 2: places. */
#define LADE_PRIV_DO_PLACE(T, F) LADE_PRIV_DO(LADE_PRIV_PLACE_, T, F)
#define LADE_PRIV_PLACE_value(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_enumeration(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_text(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_fixed_text(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_record(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_vector(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_vector_of_scalars(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_pool(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_pool_of_scalars(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_optional(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_optional_scalar(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_ref(T, kind, f, ...) LADE_PRIV_IX(T, f),
#define LADE_PRIV_PLACE_unknown(T, kind, f, ...) LADE_PRIV_IX(T, f),

/* Pass 3: most bytes of the fixed part. */
#define LADE_PRIV_DO_BOUND(T, F) LADE_PRIV_DO(LADE_PRIV_BOUND_, T, F)
#define LADE_PRIV_BOUND_value(T, kind, f, ...) \
    +(sizeof(LADE_PRIV_FT(T, f)) <= LADE_PRIV_SMALL ? sizeof(LADE_PRIV_FT(T, f)) : 0)
#define LADE_PRIV_BOUND_enumeration(T, kind, f, ...) +9
#define LADE_PRIV_BOUND_text(T, kind, f, ...) +9
#define LADE_PRIV_BOUND_fixed_text(T, kind, f, ...) +9
#define LADE_PRIV_BOUND_record(T, kind, f, ...)
#define LADE_PRIV_BOUND_vector(T, kind, f, ...) +9
#define LADE_PRIV_BOUND_vector_of_scalars(T, kind, f, ...) +9
#define LADE_PRIV_BOUND_pool(T, kind, f, ...)
#define LADE_PRIV_BOUND_pool_of_scalars(T, kind, f, ...)
#define LADE_PRIV_BOUND_optional(T, kind, f, ...) +9
#define LADE_PRIV_BOUND_optional_scalar(T, kind, f, ...) +9
#define LADE_PRIV_BOUND_ref(T, kind, f, ...) +17 /* a code of a pool, then a varint */
#define LADE_PRIV_BOUND_unknown(T, kind, f, ...)

/* Bytes of the last word of the struct that the members cover (counts, which may be shared, do not
 * count). What they do not cover is cleared before a value is loaded. */
#define LADE_PRIV_DO_TAIL(T, F) LADE_PRIV_DO(LADE_PRIV_TAIL_, T, F)
#define LADE_PRIV_LAST(T) (sizeof(T) < LADE_PRIV_WORD ? sizeof(T) : LADE_PRIV_WORD)
#define LADE_PRIV_CLEAR_TAIL(T) \
    if (lade_priv_tail_##T)     \
        memset(lade_v + sizeof(T) - LADE_PRIV_LAST(T), 0, LADE_PRIV_LAST(T));
#define LADE_PRIV_END(T, f) (LADE_PRIV_OFF(T, f) + sizeof(LADE_PRIV_FT(T, f)))
#define LADE_PRIV_OVERLAP(T, f)                                \
    +(LADE_PRIV_END(T, f) <= sizeof(T) - LADE_PRIV_LAST(T) ? 0 \
      : LADE_PRIV_OFF(T, f) >= sizeof(T) - LADE_PRIV_LAST(T)   \
          ? sizeof(LADE_PRIV_FT(T, f))                         \
          : LADE_PRIV_END(T, f) - (sizeof(T) - LADE_PRIV_LAST(T)))
#define LADE_PRIV_TAIL_value(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_enumeration(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_text(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_fixed_text(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_record(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_vector(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_vector_of_scalars(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_pool(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_pool_of_scalars(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_optional(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_optional_scalar(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_ref(T, kind, f, ...) LADE_PRIV_OVERLAP(T, f)
#define LADE_PRIV_TAIL_unknown(T, kind, f, ...)

/* Pass 4: the descriptor's entry. */
#define LADE_PRIV_DO_ENTRY(T, F) LADE_PRIV_DO(LADE_PRIV_ENTRY_, T, F)
#define LADE_PRIV_RANK(T, f)                        \
    (LADE_PRIV_IS_SCALAR(LADE_PRIV_FT(T, f))    ? 0 \
     : LADE_PRIV_IS_SCALAR(LADE_PRIV_FT1(T, f)) ? 1 \
     : LADE_PRIV_IS_SCALAR(LADE_PRIV_FT2(T, f)) ? 2 \
     : LADE_PRIV_IS_SCALAR(LADE_PRIV_FT3(T, f)) ? 3 \
                                                : 4)
#define LADE_PRIV_EXTENTS(T, f)                                        \
    {                                                                  \
        sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT1(T, f)),      \
            sizeof(LADE_PRIV_FT1(T, f)) / sizeof(LADE_PRIV_FT2(T, f)), \
            sizeof(LADE_PRIV_FT2(T, f)) / sizeof(LADE_PRIV_FT3(T, f)), \
            sizeof(LADE_PRIV_FT3(T, f)) / sizeof(LADE_PRIV_FT4(T, f))  \
    }
#define LADE_PRIV_ENTRY_value(T, kind_, f, ...)       \
    {.name = #f,                                      \
     .kind = LADE_KIND_VALUE,                         \
     .scalar = LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)), \
     .rank = LADE_PRIV_RANK(T, f),                    \
     .extent = LADE_PRIV_EXTENTS(T, f),               \
     .offset = LADE_PRIV_OFF(T, f)},
#define LADE_PRIV_ENTRY_enumeration(T, kind_, f, E, ...) \
    {.name = #f,                                         \
     .kind = LADE_KIND_ENUMERATION,                      \
     .scalar = LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)),    \
     .rank = LADE_PRIV_RANK(T, f),                       \
     .extent = LADE_PRIV_EXTENTS(T, f),                  \
     .offset = LADE_PRIV_OFF(T, f),                      \
     .enumeration = &lade_enum_##E},
#define LADE_PRIV_ENTRY_text(T, kind_, f, ...) \
    {.name = #f, .kind = LADE_KIND_TEXT, .offset = LADE_PRIV_OFF(T, f)},
#define LADE_PRIV_ENTRY_fixed_text(T, kind_, f, ...) \
    {.name = #f,                                     \
     .kind = LADE_KIND_FIXED_TEXT,                   \
     .rank = 1,                                      \
     .extent = {sizeof(LADE_PRIV_FT(T, f))},         \
     .offset = LADE_PRIV_OFF(T, f)},
#define LADE_PRIV_RECORD_COLUMNS(T, f, R)                                           \
    (sizeof(*__builtin_choose_expr(LADE_PRIV_IS_GRID_OF(LADE_PRIV_FT(T, f), R),     \
                                   LADE_PRIV_LVALUE(LADE_PRIV_FT(T, f)), (R *)0)) / \
     sizeof(R))
#define LADE_PRIV_ENTRY_record(T, kind_, f, R, ...)                                         \
    {.name = #f,                                                                            \
     .kind = LADE_KIND_RECORD,                                                              \
     .rank = LADE_PRIV_IS_GRID_OF(LADE_PRIV_FT(T, f), R)                    ? 2             \
             : LADE_PRIV_IS_AGGREGATE(LADE_PRIV_LVALUE(LADE_PRIV_FT(T, f))) ? 0             \
                                                                            : 1,            \
     .extent = {sizeof(LADE_PRIV_FT(T, f)) / sizeof(R) / LADE_PRIV_RECORD_COLUMNS(T, f, R), \
                LADE_PRIV_RECORD_COLUMNS(T, f, R)},                                         \
     .offset = LADE_PRIV_OFF(T, f),                                                         \
     .type = &lade_type_##R},
#define LADE_PRIV_ENTRY_VECTOR(T, f, KIND, n, target)           \
    {.name = #f,                                                \
     .kind = KIND,                                              \
     .count_scalar = LADE_PRIV_SCALAR(lade_priv_tn_##T##__##f), \
     .offset = LADE_PRIV_OFF(T, f),                             \
     .count_offset = lade_priv_on_##T##__##f,                   \
     .type = target},
#define LADE_PRIV_ELEMENT_TYPE(T, f) \
    LADE_PRIV_SCALAR_TYPE(LADE_PRIV_LVALUE(LADE_PRIV_POINTEE(LADE_PRIV_FT(T, f))))
#define LADE_PRIV_ENTRY_vector(T, kind, f, n, E, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, f, LADE_KIND_VECTOR, n, &lade_type_##E)
#define LADE_PRIV_ENTRY_vector_of_scalars(T, kind, f, n, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, f, LADE_KIND_VECTOR, n, LADE_PRIV_ELEMENT_TYPE(T, f))
#define LADE_PRIV_ENTRY_pool(T, kind, f, n, E, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, f, LADE_KIND_POOL, n, &lade_type_##E)
#define LADE_PRIV_ENTRY_pool_of_scalars(T, kind, f, n, ...) \
    LADE_PRIV_ENTRY_VECTOR(T, f, LADE_KIND_POOL, n, LADE_PRIV_ELEMENT_TYPE(T, f))
#define LADE_PRIV_ENTRY_POINTER(T, f, KIND, target) \
    {.name = #f, .kind = KIND, .offset = LADE_PRIV_OFF(T, f), .type = target},
#define LADE_PRIV_ENTRY_optional(T, kind, f, E, ...) \
    LADE_PRIV_ENTRY_POINTER(T, f, LADE_KIND_OPTIONAL, &lade_type_##E)
#define LADE_PRIV_ENTRY_optional_scalar(T, kind, f, ...) \
    LADE_PRIV_ENTRY_POINTER(T, f, LADE_KIND_OPTIONAL, LADE_PRIV_ELEMENT_TYPE(T, f))
#define LADE_PRIV_ENTRY_ref(T, kind, f, E, ...) \
    LADE_PRIV_ENTRY_POINTER(T, f, LADE_KIND_REF, &lade_type_##E)
#define LADE_PRIV_ENTRY_unknown(T, kind_, f, ...) {.name = #f},

#endif
