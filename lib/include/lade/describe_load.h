/**
 * \file
 * The part of LADE_STRUCT that writes the loading surrogate. Included by describe.h only.
 */
#ifndef LADE_DESCRIBE_LOAD_H
#define LADE_DESCRIBE_LOAD_H
#pragma GCC system_header

#define LADE_PRIV_DO_LOADVIEW(T, N) LADE_PRIV_BY_CLASS(LADE_PRIV_LOADVIEW_, T, N)
#define LADE_PRIV_DO_LOAD(T, N) LADE_PRIV_IF_STORED(LADE_PRIV_LOAD_, T, N)

/* The member, for sizeof only. */
#define LADE_PRIV_MEMBER(T, f) (*(LADE_PRIV_FT(T, f) *)0)
#define LADE_PRIV_OUT(T, f) ((void *)(lade_v + LADE_PRIV_OFF(T, f)))
#define LADE_PRIV_COUNT_OUT(T, f) \
    (*(lade_priv_tm_##T##__##f *)(void *)(lade_v + lade_priv_on_##T##__##f))

#define LADE_PRIV_LOADED(T, f)       \
    if (LADE_PRIV_UNLIKELY(!lade_p)) \
        return lade_priv_get_trace(lade_d, lade_nd, LADE_PRIV_IX(T, f), lade_i, lade_n);
#define LADE_PRIV_NEED(T)                                                           \
    if (LADE_PRIV_UNLIKELY(lade_d->end - lade_p < (ptrdiff_t)LADE_PRIV_BOUND(T))) { \
        lade_p = lade_priv_need(lade_d, lade_p, LADE_PRIV_BOUND(T));                \
        if (!lade_p)                                                                \
            return NULL;                                                            \
    }

#define LADE_PRIV_LOADVIEW_value(T, ...)
#define LADE_PRIV_LOADVIEW_enumeration(T, ...)
#define LADE_PRIV_LOADVIEW_text(T, ...)
#define LADE_PRIV_LOADVIEW_fixed_text(T, ...)
#define LADE_PRIV_LOADVIEW_record(T, ...)
#define LADE_PRIV_LOADVIEW_vector(T, ...)
#define LADE_PRIV_LOADVIEW_pool(T, ...)
#define LADE_PRIV_LOADVIEW_optional(T, ...)
#define LADE_PRIV_LOADVIEW_any(T, ...)
#define LADE_PRIV_LOADVIEW_general(T, ...)
#define LADE_PRIV_LOADVIEW_skip(T, ...)
#define LADE_PRIV_LOADVIEW_ref(T, kind, o, f, ...) \
    const lade_priv_view lade_w_##f = lade_d->views[lade_nd->edges[LADE_PRIV_IX(T, f)].index];

/* A field by its descriptor. */
#define LADE_PRIV_LOAD_general(T, kind, o, f, ...)                                    \
    lade_p = lade_priv_get_field(lade_d, lade_p, lade_nd, LADE_PRIV_IX(T, f), lade_v, \
                                 LADE_PRIV_BOUND(T));                                 \
    LADE_PRIV_LOADED(T, f)
/* What is not stored is zero in new memory, unless it has a value of its own. */
#define LADE_PRIV_LOAD_skip(T, kind, o, f, ...) LADE_PRIV_LOAD_general(T, kind, o, f, )

#define LADE_PRIV_LOAD_value(T, kind, o, f, ...)                                           \
    if (LADE_PRIV_IS_SMALL(T, f)) {                                                        \
        if (LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)) == LADE_BOOL)                            \
            for (size_t lade_k = 0; lade_k < sizeof(LADE_PRIV_FT(T, f)); lade_k++)         \
                if (LADE_PRIV_UNLIKELY(lade_p[lade_k] > 1)) {                              \
                    lade_p = lade_priv_get_fail(lade_d, lade_p, LADE_ERR_VALUE);           \
                    LADE_PRIV_LOADED(T, f)                                                 \
                }                                                                          \
        lade_priv_copy(LADE_PRIV_OUT(T, f), lade_p, LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)),   \
                       sizeof(LADE_PRIV_FT(T, f)) / LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)));  \
        lade_p += sizeof(LADE_PRIV_FT(T, f));                                              \
    } else {                                                                               \
        lade_p = lade_priv_get_array(                                                      \
            lade_d, lade_p, LADE_PRIV_OUT(T, f), LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)),    \
            sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT4(T, f)), LADE_PRIV_BOUND(T)); \
        LADE_PRIV_LOADED(T, f)                                                             \
    }

#define LADE_PRIV_LOAD_enumeration(T, kind, o, f, E, ...)                                      \
    if (!LADE_PRIV_IS_ARRAY(LADE_PRIV_FT(T, f))) {                                             \
        int64_t lade_x;                                                                        \
        lade_p = lade_priv_get_enum(lade_d, lade_p, &lade_enum_##E, &lade_x);                  \
        LADE_PRIV_LOADED(T, f)                                                                 \
        LADE_PRIV_FT4(T, f) lade_y = (LADE_PRIV_FT4(T, f))lade_x;                              \
        if (LADE_PRIV_UNLIKELY((int64_t)lade_y != lade_x)) {                                   \
            lade_p = lade_priv_get_fail(lade_d, lade_p, LADE_ERR_RANGE);                       \
            LADE_PRIV_LOADED(T, f)                                                             \
        }                                                                                      \
        memcpy(LADE_PRIV_OUT(T, f), &lade_y, sizeof lade_y);                                   \
    } else {                                                                                   \
        lade_p = lade_priv_get_enums(lade_d, lade_p, &lade_enum_##E, LADE_PRIV_OUT(T, f),      \
                                     LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)),                    \
                                     sizeof(LADE_PRIV_FT(T, f)) / sizeof(LADE_PRIV_FT4(T, f)), \
                                     LADE_PRIV_BOUND(T));                                      \
        LADE_PRIV_LOADED(T, f)                                                                 \
    }

#define LADE_PRIV_LOAD_text(T, kind, o, f, ...)                                               \
    if (LADE_PRIV_GENERAL(T, f)) {                                                            \
        LADE_PRIV_LOAD_general(T, kind, o, f, )                                               \
    } else {                                                                                  \
        lade_p = lade_priv_get_text(lade_d, lade_p, LADE_PRIV_OUT(T, f), LADE_PRIV_BOUND(T)); \
        LADE_PRIV_LOADED(T, f)                                                                \
    }

#define LADE_PRIV_LOAD_fixed_text(T, kind, o, f, ...)                                      \
    if (LADE_PRIV_GENERAL(T, f)) {                                                         \
        LADE_PRIV_LOAD_general(T, kind, o, f, )                                            \
    } else {                                                                               \
        lade_p = lade_priv_get_fixed_text(lade_d, lade_p, (char *)LADE_PRIV_OUT(T, f),     \
                                          sizeof(LADE_PRIV_FT(T, f)), LADE_PRIV_BOUND(T)); \
        LADE_PRIV_LOADED(T, f)                                                             \
    }

#define LADE_PRIV_LOAD_record(T, kind, o, f, R, ...)                                       \
    {                                                                                      \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)];                     \
        if (sizeof(LADE_PRIV_FT(T, f)) >= LADE_CONTENT_MIN)                                \
            lade_p = lade_priv_get_run(lade_d, lade_p, lade_g->node, LADE_PRIV_OUT(T, f),  \
                                       sizeof(LADE_PRIV_FT(T, f)) / sizeof(R));            \
        else                                                                               \
            lade_p = lade_priv_load_##R(lade_d, lade_p, lade_g->node, LADE_PRIV_OUT(T, f), \
                                        sizeof(LADE_PRIV_FT(T, f)) / sizeof(R));           \
        LADE_PRIV_LOADED(T, f)                                                             \
        LADE_PRIV_NEED(T)                                                                  \
    }

/* The elements that the library left to E's surrogate. */
#define LADE_PRIV_LOAD_BODY(T, f, LOAD)                                      \
    if (lade_b) {                                                            \
        lade_p = LOAD(lade_d, lade_p, lade_g->node, lade_b, (size_t)lade_m); \
        LADE_PRIV_LOADED(T, f)                                               \
        LADE_PRIV_NEED(T)                                                    \
    }
/* Stores the count lade_m, or compares it with the one that is there. */
#define LADE_PRIV_LOAD_COUNT(T, f)                                                               \
    if (LADE_PRIV_UNLIKELY(lade_slow) && (lade_d->into || (lade_g->flags & LADE_EDGE_SHARED))) { \
        if ((uint64_t)LADE_PRIV_COUNT_OUT(T, f) != lade_m) {                                     \
            lade_p = lade_priv_get_fail(lade_d, lade_p, LADE_ERR_SHAPE);                         \
            LADE_PRIV_LOADED(T, f)                                                               \
        }                                                                                        \
    } else {                                                                                     \
        LADE_PRIV_COUNT_OUT(T, f) = (lade_priv_tm_##T##__##f)lade_m;                             \
        if (LADE_PRIV_UNLIKELY((uint64_t)LADE_PRIV_COUNT_OUT(T, f) != lade_m ||                  \
                               LADE_PRIV_COUNT_OUT(T, f) < 0)) {                                 \
            lade_p = lade_priv_get_fail(lade_d, lade_p, LADE_ERR_RANGE);                         \
            LADE_PRIV_LOADED(T, f)                                                               \
        }                                                                                        \
    }
#define LADE_PRIV_LOAD_VECTOR(T, f, LOAD)                                                  \
    {                                                                                      \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)];                     \
        const _Bool lade_slow = LADE_PRIV_WISHES(lade_g) | lade_d->into;                   \
        uint64_t lade_m;                                                                   \
        void *lade_b;                                                                      \
        const uint8_t *lade_q = lade_priv_get_varint(lade_p, &lade_m);                     \
        lade_p = lade_q ? lade_q : lade_priv_get_fail(lade_d, lade_p, LADE_ERR_FORMAT);    \
        LADE_PRIV_LOADED(T, f)                                                             \
        LADE_PRIV_LOAD_COUNT(T, f)                                                         \
        lade_p = lade_priv_new_vector(lade_d, lade_p, lade_g, LADE_PRIV_OUT(T, f), lade_m, \
                                      sizeof *LADE_PRIV_MEMBER(T, f), LADE_PRIV_BOUND(T),  \
                                      lade_slow, &lade_b);                                 \
        LADE_PRIV_LOADED(T, f)                                                             \
        LADE_PRIV_LOAD_BODY(T, f, LOAD)                                                    \
    }
#define LADE_PRIV_LOAD_vector(T, kind, o, f, n, E, ...) \
    if (LADE_PRIV_GENERAL(T, f)) {                      \
        LADE_PRIV_LOAD_general(T, kind, o, f, )         \
    } else                                              \
        LADE_PRIV_LOAD_VECTOR(T, f, lade_priv_load_##E)

#define LADE_PRIV_LOAD_POOL(T, f, LOAD)                                          \
    {                                                                            \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)];           \
        const _Bool lade_slow = LADE_PRIV_WISHES(lade_g) | lade_d->into;         \
        uint64_t lade_m;                                                         \
        void *lade_b;                                                            \
        lade_p = lade_priv_get_pool(lade_d, lade_p, lade_g, LADE_PRIV_OUT(T, f), \
                                    LADE_PRIV_BOUND(T), &lade_m, &lade_b);       \
        LADE_PRIV_LOADED(T, f)                                                   \
        LADE_PRIV_LOAD_COUNT(T, f)                                               \
        LADE_PRIV_LOAD_BODY(T, f, LOAD)                                          \
    }
#define LADE_PRIV_LOAD_pool(T, kind, o, f, n, E, ...) LADE_PRIV_LOAD_POOL(T, f, lade_priv_load_##E)

/* An owned object is made inline where it is small and the edge has no wishes. */
#define LADE_PRIV_LOAD_optional(T, kind, o, f, E, ...)                                           \
    if (LADE_PRIV_GENERAL(T, f)) {                                                               \
        LADE_PRIV_LOAD_general(T, kind, o, f, )                                                  \
    } else {                                                                                     \
        const lade_edge *lade_g = &lade_nd->edges[LADE_PRIV_IX(T, f)];                           \
        const uint64_t lade_m = 1;                                                               \
        void *lade_b;                                                                            \
        if (LADE_PRIV_UNLIKELY(LADE_PRIV_WISHES(lade_g) | lade_d->into) || *lade_p != 1)         \
            lade_p = lade_priv_get_optional(lade_d, lade_p, lade_g, LADE_PRIV_OUT(T, f),         \
                                            LADE_PRIV_BOUND(T), &lade_b);                        \
        else                                                                                     \
            lade_p = lade_priv_new_vector(lade_d, lade_p + 1, lade_g, LADE_PRIV_OUT(T, f), 1,    \
                                          sizeof **(LADE_PRIV_FT4(T, f) *)0, LADE_PRIV_BOUND(T), \
                                          0, &lade_b);                                           \
        LADE_PRIV_LOADED(T, f)                                                                   \
        LADE_PRIV_LOAD_BODY(T, f, lade_priv_load_##E)                                            \
    }

#define LADE_PRIV_LOAD_ref(T, kind, o, f, E, ...)                                           \
    if (LADE_PRIV_GENERAL(T, f)) {                                                          \
        LADE_PRIV_LOAD_general(T, kind, o, f, )                                             \
    } else {                                                                                \
        lade_p = lade_priv_get_ref(lade_d, lade_p, lade_nd->edges[LADE_PRIV_IX(T, f)].node, \
                                   LADE_PRIV_OUT(T, f));                                    \
        LADE_PRIV_LOADED(T, f)                                                              \
    }

#define LADE_PRIV_LOAD_any(T, kind, o, f, how, base, ...)                                     \
    if (LADE_PRIV_GENERAL(T, f) || LADE_PRIV_UNLIKELY(lade_d->into)) {                        \
        LADE_PRIV_LOAD_general(T, kind, o, f, )                                               \
    } else {                                                                                  \
        const lade_edge *lade_h = &lade_nd->edges[LADE_PRIV_IX(T, f)];                        \
        uint32_t lade_w;                                                                      \
        lade_p = lade_priv_get_case(lade_d, lade_p, lade_h, &lade_w);                         \
        LADE_PRIV_LOADED(T, f)                                                                \
        LADE_PRIV_NEED(T)                                                                     \
        LADE_PRIV_SET_WHICH_##kind(T, f) if (lade_w == LADE_PRIV_NO_CASE)                     \
        {                                                                                     \
            memset(LADE_PRIV_OUT(T, f), 0, sizeof(void *));                                   \
        }                                                                                     \
        else                                                                                  \
        {                                                                                     \
            const lade_edge *lade_g = &lade_h->cases[lade_w];                                 \
            const uint64_t lade_m = 1;                                                        \
            void *lade_b = NULL;                                                              \
            if (LADE_PRIV_UNLIKELY(LADE_PRIV_WISHES(lade_g))) {                               \
                lade_p = lade_priv_get_object(lade_d, lade_p, lade_g, LADE_PRIV_OUT(T, f),    \
                                              LADE_PRIV_BOUND(T), &lade_b);                   \
                LADE_PRIV_LOADED(T, f)                                                        \
                if (lade_b)                                                                   \
                    lade_p = lade_priv_get_run(lade_d, lade_p, lade_g->node, lade_b, lade_m); \
                if (lade_p)                                                                   \
                    lade_p = LADE_PRIV_VERIFY_LATER_##kind(T, f);                             \
                LADE_PRIV_LOADED(T, f)                                                        \
            } else {                                                                          \
                switch (lade_w) {                                                             \
                    LADE_PRIV_MAP(LADE_PRIV_LOAD_CASE, (T, f), __VA_ARGS__)                   \
                }                                                                             \
                if (lade_p)                                                                   \
                    lade_p = LADE_PRIV_VERIFY_##kind(T, f);                                   \
                LADE_PRIV_LOADED(T, f)                                                        \
            }                                                                                 \
            LADE_PRIV_NEED(T)                                                                 \
        }                                                                                     \
    }
#define LADE_PRIV_LOAD_CASE(X, A) LADE_PRIV_LOAD_CASE_1(LADE_PRIV_UNPAREN X, A)
#define LADE_PRIV_LOAD_CASE_1(...) LADE_PRIV_LOAD_CASE_2(__VA_ARGS__)
#define LADE_PRIV_LOAD_CASE_2(T, f, A)                                                           \
    case LADE_PRIV_KNOWN_IX(T, f, A):                                                            \
        lade_p = lade_priv_new_vector(lade_d, lade_p, lade_g, LADE_PRIV_OUT(T, f), 1, sizeof(A), \
                                      LADE_PRIV_BOUND(T), 0, &lade_b);                           \
        if (lade_p && lade_b)                                                                    \
            lade_p = lade_priv_load_##A(lade_d, lade_p, lade_g->node, lade_b, 1);                \
        break;
#define LADE_PRIV_SET_WHICH_any_by(T, f)
/* An object whose members tell its type must be of the type that is stored with it: at once where it is
 * loaded, else once all is. */
#define LADE_PRIV_VERIFY_any_of(T, f) lade_p
#define LADE_PRIV_VERIFY_LATER_any_of(T, f) lade_p
#define LADE_PRIV_VERIFY_any_by(T, f)                        \
    (lade_b && lade_priv_which_##T##__##f(lade_b) != lade_w  \
         ? lade_priv_get_fail(lade_d, lade_p, LADE_ERR_TYPE) \
         : lade_p)
#define LADE_PRIV_VERIFY_LATER_any_by(T, f)                                                   \
    (lade_priv_check_case(lade_d, lade_nd, LADE_PRIV_IX(T, f), *(void **)LADE_PRIV_OUT(T, f), \
                          lade_w)                                                             \
         ? lade_p                                                                             \
         : NULL)
#define LADE_PRIV_SET_WHICH_any_of(T, f)                                                         \
    if (lade_h->flags & LADE_EDGE_SHARED) {                                                      \
        if ((uint64_t)LADE_PRIV_COUNT_OUT(T, f) != (lade_w == LADE_PRIV_NO_CASE ? 0 : lade_w)) { \
            lade_p = lade_priv_get_fail(lade_d, lade_p, LADE_ERR_SHAPE);                         \
            LADE_PRIV_LOADED(T, f)                                                               \
        }                                                                                        \
    } else {                                                                                     \
        LADE_PRIV_COUNT_OUT(T, f) =                                                              \
            (lade_priv_tm_##T##__##f)(lade_w == LADE_PRIV_NO_CASE ? 0 : lade_w);                 \
    }

#endif
