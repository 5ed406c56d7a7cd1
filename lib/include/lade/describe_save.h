/**
 * \file
 * The part of LADE_STRUCT that writes the saving surrogate. Included by describe.h only.
 */
#ifndef LADE_DESCRIBE_SAVE_H
#define LADE_DESCRIBE_SAVE_H
#pragma GCC system_header

#define LADE_PRIV_DO_SAVEVIEW(T, N) LADE_PRIV_BY_CLASS(LADE_PRIV_SAVEVIEW_, T, N)
#define LADE_PRIV_DO_SAVE(T, N) LADE_PRIV_IF_STORED(LADE_PRIV_SAVE_, T, N)

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

/* Only runs of plain values use views, and they have fields of three classes. */
#define LADE_PRIV_SAVEVIEW_value(T, ...)
#define LADE_PRIV_SAVEVIEW_enumeration(T, ...)
#define LADE_PRIV_SAVEVIEW_text(T, ...)
#define LADE_PRIV_SAVEVIEW_fixed_text(T, ...)
#define LADE_PRIV_SAVEVIEW_record(T, ...)
#define LADE_PRIV_SAVEVIEW_vector(T, ...)
#define LADE_PRIV_SAVEVIEW_pool(T, ...)
#define LADE_PRIV_SAVEVIEW_optional(T, ...)
#define LADE_PRIV_SAVEVIEW_any(T, ...)
#define LADE_PRIV_SAVEVIEW_general(T, ...)
#define LADE_PRIV_SAVEVIEW_skip(T, ...)
#define LADE_PRIV_SAVEVIEW_ref(T, kind, o, f, ...) \
    const lade_priv_view lade_w_##f = lade_e->views[lade_nd->edges[LADE_PRIV_IX(T, f)].index];

#define LADE_PRIV_SAVE_skip(T, kind, o, f, ...)

/* A field by its descriptor. */
#define LADE_PRIV_SAVE_general(T, kind, o, f, ...)                                    \
    lade_p = lade_priv_put_field(lade_e, lade_p, lade_nd, LADE_PRIV_IX(T, f), lade_v, \
                                 LADE_PRIV_BOUND(T));                                 \
    LADE_PRIV_SAVED(T, f)

#define LADE_PRIV_SAVE_value(T, kind, o, f, ...)                                             \
    if (LADE_PRIV_IS_SMALL(T, f)) {                                                          \
        lade_priv_copy(lade_p, LADE_PRIV_ADDRESS(T, f), LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)), \
                       sizeof(LADE_PRIV_FT(T, f)) / LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)));    \
        lade_p += sizeof(LADE_PRIV_FT(T, f));                                                \
    } else {                                                                                 \
        lade_p = lade_priv_put_array(                                                        \
            lade_e, lade_p, LADE_PRIV_ADDRESS(T, f), LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)),  \
            sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT4(T, f)), LADE_PRIV_BOUND(T));   \
        LADE_PRIV_SAVED(T, f)                                                                \
    }
/* Copied straight-line; long doubles never are. */
#define LADE_PRIV_IS_SMALL(T, f)                      \
    (sizeof(LADE_PRIV_FT(T, f)) <= LADE_PRIV_SMALL && \
     LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)) != LADE_F128)

/* Bytes that swap together: a complex number is two units. */
#define LADE_PRIV_UNIT(S) \
    (LADE_PRIV_SCALAR(S) == LADE_C32 || LADE_PRIV_SCALAR(S) == LADE_C64 ? sizeof(S) / 2 : sizeof(S))

#define LADE_PRIV_SAVE_enumeration(T, kind, o, f, E, ...)                                         \
    if (!LADE_PRIV_IS_ARRAY(LADE_PRIV_FT(T, f)))                                                  \
        lade_p =                                                                                  \
            lade_priv_put_enum(lade_e, lade_p, &lade_enum_##E,                                    \
                               (int64_t) * (const LADE_PRIV_FT4(T, f) *)LADE_PRIV_ADDRESS(T, f)); \
    else                                                                                          \
        lade_p = lade_priv_put_enums(lade_e, lade_p, &lade_enum_##E, LADE_PRIV_ADDRESS(T, f),     \
                                     LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)),                       \
                                     sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT4(T, f)),    \
                                     LADE_PRIV_BOUND(T));                                         \
    LADE_PRIV_SAVED(T, f)

#define LADE_PRIV_SAVE_text(T, kind, o, f, ...)                                               \
    if (LADE_PRIV_GENERAL(T, f)) {                                                            \
        LADE_PRIV_SAVE_general(T, kind, o, f, )                                               \
    } else {                                                                                  \
        lade_p = lade_priv_put_text(lade_e, lade_p, (const char *)LADE_PRIV_POINTER_IN(T, f), \
                                    LADE_PRIV_BOUND(T));                                      \
        LADE_PRIV_SAVED(T, f)                                                                 \
    }
/* The pointer that the member is (where it is one). */
#define LADE_PRIV_POINTER_IN(T, f) \
    (*(const void *const *)(const void *)(lade_v + LADE_PRIV_OFF(T, f)))

#define LADE_PRIV_SAVE_fixed_text(T, kind, o, f, ...)                                            \
    if (LADE_PRIV_GENERAL(T, f)) {                                                               \
        LADE_PRIV_SAVE_general(T, kind, o, f, )                                                  \
    } else {                                                                                     \
        lade_p = lade_priv_put_fixed_text(lade_e, lade_p, (const char *)LADE_PRIV_ADDRESS(T, f), \
                                          sizeof(LADE_PRIV_FT(T, f)), LADE_PRIV_BOUND(T));       \
        LADE_PRIV_SAVED(T, f)                                                                    \
    }

#define LADE_PRIV_SAVE_record(T, kind, o, f, R, ...)                                           \
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
#define LADE_PRIV_SAVE_vector(T, kind, o, f, n, E, ...) \
    if (LADE_PRIV_GENERAL(T, f)) {                      \
        LADE_PRIV_SAVE_general(T, kind, o, f, )         \
    } else                                              \
        LADE_PRIV_SAVE_VECTOR(T, f, lade_priv_save_##E, LADE_PRIV_PUT_COUNT)
#define LADE_PRIV_SAVE_pool(T, kind, o, f, n, E, ...) \
    LADE_PRIV_SAVE_VECTOR(T, f, lade_priv_save_##E, )

#define LADE_PRIV_SAVE_optional(T, kind, o, f, E, ...)                 \
    if (LADE_PRIV_GENERAL(T, f)) {                                     \
        LADE_PRIV_SAVE_general(T, kind, o, f, )                        \
    } else {                                                           \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)]; \
        const void *lade_b = LADE_PRIV_POINTER_IN(T, f);               \
        *lade_p++ = lade_b != NULL;                                    \
        if (lade_b) {                                                  \
            LADE_PRIV_SAVE_BODY(T, f, lade_b, 1, lade_priv_save_##E)   \
        }                                                              \
    }

#define LADE_PRIV_SAVE_ref(T, kind, o, f, E, ...)                                           \
    if (LADE_PRIV_GENERAL(T, f)) {                                                          \
        LADE_PRIV_SAVE_general(T, kind, o, f, )                                             \
    } else {                                                                                \
        lade_p = lade_priv_put_ref(lade_e, lade_p, lade_nd->edges[LADE_PRIV_IX(T, f)].node, \
                                   LADE_PRIV_POINTER_IN(T, f));                             \
        LADE_PRIV_SAVED(T, f)                                                               \
    }

/* An owned object of a known type: its case selects the surrogate, without a table. */
#define LADE_PRIV_SAVE_any(T, kind, o, f, how, base, ...)                                          \
    if (LADE_PRIV_GENERAL(T, f)) {                                                                 \
        LADE_PRIV_SAVE_general(T, kind, o, f, )                                                    \
    } else {                                                                                       \
        const void *lade_b = LADE_PRIV_POINTER_IN(T, f);                                           \
        if (!lade_b) {                                                                             \
            *lade_p++ = 1;                                                                         \
        } else {                                                                                   \
            const uint64_t lade_w = (uint64_t)(LADE_PRIV_WHICH_##kind(T, f, how));                 \
            if (LADE_PRIV_UNLIKELY(lade_w >= lade_priv_known_##T##__##f)) {                        \
                LADE_PRIV_SAVE_general(T, kind, o, f, )                                            \
            } else {                                                                               \
                const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)].cases[lade_w];       \
                lade_p = lade_priv_put_tag(lade_e, lade_p, lade_g->node, LADE_PRIV_BOUND(T));      \
                LADE_PRIV_SAVED(T, f)                                                              \
                if (lade_g->flags & (LADE_EDGE_DEFERRED | LADE_EDGE_NATURAL)) {                    \
                    lade_p =                                                                       \
                        lade_priv_put_body(lade_e, lade_p, lade_g, lade_b, 1, LADE_PRIV_BOUND(T)); \
                } else {                                                                           \
                    if (lade_e->ranging && !lade_priv_note_body(lade_e, lade_g->node, lade_b, 1))  \
                        return NULL;                                                               \
                    switch (lade_w) {                                                              \
                        LADE_PRIV_MAP(LADE_PRIV_SAVE_CASE, (T, f), __VA_ARGS__)                    \
                    }                                                                              \
                }                                                                                  \
                LADE_PRIV_SAVED(T, f)                                                              \
                LADE_PRIV_ROOM(T)                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define LADE_PRIV_SAVE_CASE(X, A)                                             \
    case LADE_PRIV_KNOWN_IX(LADE_PRIV_UNPAREN X, A):                          \
        lade_p = lade_priv_save_##A(lade_e, lade_p, lade_g->node, lade_b, 1); \
        break;
#define LADE_PRIV_WHICH_any_of(T, f, how) LADE_PRIV_COUNT_IN(T, f)
#define LADE_PRIV_WHICH_any_by(T, f, how) lade_priv_which_##T##__##f(lade_b)

#endif
