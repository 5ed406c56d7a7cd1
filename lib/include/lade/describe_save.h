/**
 * \file
 * The part of LADE_STRUCT that writes the saving surrogate. Included by describe.h only.
 */
#ifndef LADE_DESCRIBE_SAVE_H
#define LADE_DESCRIBE_SAVE_H
#pragma GCC system_header

#define LADE_PRIV_DO_SAVEVIEW(T, F) LADE_PRIV_DO(LADE_PRIV_SAVEVIEW_, T, F)
#define LADE_PRIV_DO_SAVE(T, F) LADE_PRIV_DO(LADE_PRIV_SAVE_, T, F)

/* The member f of the value at lade_v. */
#define LADE_PRIV_IN(T, f) \
    (*(const LADE_PRIV_FT(T, f) *)(const void *)(lade_v + LADE_PRIV_OFF(T, f)))
#define LADE_PRIV_ADDRESS(T, f) ((const void *)(lade_v + LADE_PRIV_OFF(T, f)))
#define LADE_PRIV_COUNT_IN(T, f) \
    (*(const lade_priv_tn_##T##__##f *)(const void *)(lade_v + lade_priv_on_##T##__##f))

#define LADE_PRIV_SAVED(T, f)        \
    if (LADE_PRIV_UNLIKELY(!lade_p)) \
        return lade_priv_put_trace(lade_e, lade_nd, LADE_PRIV_IX(T, f), lade_i, lade_n);
#define LADE_PRIV_ROOM(T)                                                           \
    if (LADE_PRIV_UNLIKELY(lade_e->end - lade_p < (ptrdiff_t)LADE_PRIV_BOUND(T))) { \
        lade_p = lade_priv_room(lade_e, lade_p, LADE_PRIV_BOUND(T));                \
        if (!lade_p)                                                                \
            return NULL;                                                            \
    }

#define LADE_PRIV_SAVEVIEW_value(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_enumeration(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_text(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_fixed_text(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_record(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_vector(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_vector_of_scalars(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_pool(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_pool_of_scalars(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_optional(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_optional_scalar(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_unknown(T, kind, f, ...)
#define LADE_PRIV_SAVEVIEW_ref(T, kind, f, ...) \
    const lade_priv_view lade_w_##f = lade_e->views[lade_nd->edges[LADE_PRIV_IX(T, f)].index];

#define LADE_PRIV_SAVE_unknown(T, kind, f, ...)

#define LADE_PRIV_SAVE_value(T, kind, f, ...)                                                \
    if (sizeof(LADE_PRIV_FT(T, f)) <= LADE_PRIV_SMALL) {                                     \
        lade_priv_copy(lade_p, LADE_PRIV_ADDRESS(T, f), LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)), \
                       sizeof(LADE_PRIV_FT(T, f)) / LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)));    \
        lade_p += sizeof(LADE_PRIV_FT(T, f));                                                \
    } else {                                                                                 \
        lade_p = lade_priv_put_array(                                                        \
            lade_e, lade_p, LADE_PRIV_ADDRESS(T, f), LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)),  \
            sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT4(T, f)), LADE_PRIV_BOUND(T));   \
        LADE_PRIV_SAVED(T, f)                                                                \
    }
/* Bytes that swap together: a complex number is two units. */
#define LADE_PRIV_UNIT(S) \
    (LADE_PRIV_SCALAR(S) == LADE_C32 || LADE_PRIV_SCALAR(S) == LADE_C64 ? sizeof(S) / 2 : sizeof(S))

#define LADE_PRIV_SAVE_enumeration(T, kind, f, E, ...)                                            \
    if (LADE_PRIV_IS_SCALAR(LADE_PRIV_FT(T, f)))                                                  \
        lade_p =                                                                                  \
            lade_priv_put_enum(lade_e, lade_p, &lade_enum_##E,                                    \
                               (int64_t) * (const LADE_PRIV_FT4(T, f) *)LADE_PRIV_ADDRESS(T, f)); \
    else                                                                                          \
        lade_p = lade_priv_put_enums(lade_e, lade_p, &lade_enum_##E, LADE_PRIV_ADDRESS(T, f),     \
                                     LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)),                       \
                                     sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT4(T, f)),    \
                                     LADE_PRIV_BOUND(T));                                         \
    LADE_PRIV_SAVED(T, f)

#define LADE_PRIV_SAVE_text(T, kind, f, ...)                                                    \
    lade_p = lade_priv_put_text(lade_e, lade_p, (const char *)(const void *)LADE_PRIV_IN(T, f), \
                                LADE_PRIV_BOUND(T));                                            \
    LADE_PRIV_SAVED(T, f)

#define LADE_PRIV_SAVE_fixed_text(T, kind, f, ...)                                           \
    lade_p = lade_priv_put_fixed_text(lade_e, lade_p, (const char *)LADE_PRIV_ADDRESS(T, f), \
                                      sizeof(LADE_PRIV_FT(T, f)), LADE_PRIV_BOUND(T));       \
    LADE_PRIV_SAVED(T, f)

#define LADE_PRIV_SAVE_record(T, kind, f, R, ...)                                              \
    {                                                                                          \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)];                         \
        if (sizeof(LADE_PRIV_FT(T, f)) >= LADE_CONTENT_MIN)                                    \
            lade_p = lade_priv_put_run(lade_e, lade_p, lade_g->node, LADE_PRIV_ADDRESS(T, f),  \
                                       sizeof(LADE_PRIV_FT(T, f)) / sizeof(R));                \
        else                                                                                   \
            lade_p = lade_priv_save_##R(lade_e, lade_p, lade_g->node, LADE_PRIV_ADDRESS(T, f), \
                                        sizeof(LADE_PRIV_FT(T, f)) / sizeof(R));               \
        LADE_PRIV_SAVED(T, f)                                                                  \
        LADE_PRIV_ROOM(T)                                                                      \
    }

/* A body of n elements: straight by E's surrogate, or (worklist, bulk) by the library. */
#define LADE_PRIV_SAVE_BODY(T, f, body, n, SAVE)                                          \
    if (lade_g->flags & (LADE_EDGE_DEFERRED | LADE_EDGE_NATURAL)) {                       \
        lade_p = lade_priv_put_body(lade_e, lade_p, lade_g, body, n, LADE_PRIV_BOUND(T)); \
        LADE_PRIV_SAVED(T, f)                                                             \
    } else {                                                                              \
        if (lade_e->ranging && !lade_priv_note_body(lade_e, lade_g->node, body, n))       \
            return NULL;                                                                  \
        lade_p = SAVE(lade_e, lade_p, lade_g->node, body, n);                             \
        LADE_PRIV_SAVED(T, f)                                                             \
        LADE_PRIV_ROOM(T)                                                                 \
    }
#define LADE_PRIV_SAVE_VECTOR(T, f, SAVE, COUNT)                               \
    {                                                                          \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)];         \
        const void *lade_b = (const void *)LADE_PRIV_IN(T, f);                 \
        size_t lade_m = (size_t)LADE_PRIV_COUNT_IN(T, f);                      \
        if (LADE_PRIV_UNLIKELY(LADE_PRIV_COUNT_IN(T, f) < 0 ||                 \
                               (uint64_t)LADE_PRIV_COUNT_IN(T, f) != lade_m || \
                               (lade_m && !lade_b))) {                         \
            lade_p = lade_priv_put_fail(lade_e, LADE_ERR_VALUE);               \
            LADE_PRIV_SAVED(T, f)                                              \
        }                                                                      \
        COUNT                                                                  \
        if (lade_m) {                                                          \
            LADE_PRIV_SAVE_BODY(T, f, lade_b, lade_m, SAVE)                    \
        }                                                                      \
    }
#define LADE_PRIV_PUT_COUNT lade_p = lade_priv_put_varint(lade_p, lade_m);
#define LADE_PRIV_SAVE_vector(T, kind, f, n, E, ...) \
    LADE_PRIV_SAVE_VECTOR(T, f, lade_priv_save_##E, LADE_PRIV_PUT_COUNT)
#define LADE_PRIV_SAVE_vector_of_scalars(T, kind, f, n, ...) \
    LADE_PRIV_SAVE_VECTOR(T, f, lade_priv_put_run, LADE_PRIV_PUT_COUNT)
#define LADE_PRIV_SAVE_pool(T, kind, f, n, E, ...) LADE_PRIV_SAVE_VECTOR(T, f, lade_priv_save_##E, )
#define LADE_PRIV_SAVE_pool_of_scalars(T, kind, f, n, ...) \
    LADE_PRIV_SAVE_VECTOR(T, f, lade_priv_put_run, )

#define LADE_PRIV_SAVE_OPTIONAL(T, f, SAVE)                            \
    {                                                                  \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)]; \
        const void *lade_b = (const void *)LADE_PRIV_IN(T, f);         \
        *lade_p++ = lade_b != NULL;                                    \
        if (lade_b) {                                                  \
            LADE_PRIV_SAVE_BODY(T, f, lade_b, 1, SAVE)                 \
        }                                                              \
    }
#define LADE_PRIV_SAVE_optional(T, kind, f, E, ...) \
    LADE_PRIV_SAVE_OPTIONAL(T, f, lade_priv_save_##E)
#define LADE_PRIV_SAVE_optional_scalar(T, kind, f, ...) \
    LADE_PRIV_SAVE_OPTIONAL(T, f, lade_priv_put_run)

#define LADE_PRIV_SAVE_ref(T, kind, f, E, ...)                                          \
    lade_p = lade_priv_put_ref(lade_e, lade_p, lade_nd->edges[LADE_PRIV_IX(T, f)].node, \
                               (const void *)LADE_PRIV_IN(T, f));                       \
    LADE_PRIV_SAVED(T, f)

#endif
