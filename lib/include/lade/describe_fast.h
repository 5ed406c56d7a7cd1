/**
 * \file
 * The part of LADE_STRUCT that handles runs of plain values: a loop without calls, which stops at
 * the first value that is not plain (a reference outside the first pool, a long code, an error).
 * That value goes through the general code, from its start. Included by describe.h only.
 *
 * Only types whose values take no more than their bound have such a loop: one check of the room
 * serves many values, and without calls all that the loop needs stays in registers.
 */
#ifndef LADE_DESCRIBE_FAST_H
#define LADE_DESCRIBE_FAST_H
#pragma GCC system_header

/* Whether one value takes no more than the bound. */
#define LADE_PRIV_DO_FIXED(T, F) LADE_PRIV_DO(LADE_PRIV_FIXED_, T, F)
#define LADE_PRIV_FIXED_value(T, kind, f, ...) &&sizeof(LADE_PRIV_FT(T, f)) <= LADE_PRIV_SMALL
#define LADE_PRIV_FIXED_enumeration(T, kind, f, ...) &&LADE_PRIV_IS_SCALAR(LADE_PRIV_FT(T, f))
#define LADE_PRIV_FIXED_text(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_fixed_text(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_record(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_vector(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_vector_of_scalars(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_pool(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_pool_of_scalars(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_optional(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_optional_scalar(T, kind, f, ...) &&0
#define LADE_PRIV_FIXED_ref(T, kind, f, ...)
#define LADE_PRIV_FIXED_unknown(T, kind, f, ...)

#define LADE_PRIV_DO_SAVEFAST(T, F) LADE_PRIV_DO(LADE_PRIV_SAVEFAST_, T, F)
#define LADE_PRIV_DO_LOADFAST(T, F) LADE_PRIV_DO(LADE_PRIV_LOADFAST_, T, F)

#define LADE_PRIV_SAVEFAST_text(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_fixed_text(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_record(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_vector(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_vector_of_scalars(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_pool(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_pool_of_scalars(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_optional(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_optional_scalar(T, kind, f, ...)
#define LADE_PRIV_SAVEFAST_unknown(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_text(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_fixed_text(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_record(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_vector(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_vector_of_scalars(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_pool(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_pool_of_scalars(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_optional(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_optional_scalar(T, kind, f, ...)
#define LADE_PRIV_LOADFAST_unknown(T, kind, f, ...)

/* lade_q is the cursor inside one value; lade_p stays at its start. */
#define LADE_PRIV_SAVEFAST_value(T, kind, f, ...)                                        \
    lade_priv_copy(lade_q, LADE_PRIV_ADDRESS(T, f), LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)), \
                   sizeof(LADE_PRIV_FT(T, f)) / LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)));    \
    lade_q += sizeof(LADE_PRIV_FT(T, f));
#define LADE_PRIV_SAVEFAST_enumeration(T, kind, f, E, ...)                                    \
    {                                                                                         \
        uint64_t lade_c = (uint64_t) * (const LADE_PRIV_FT4(T, f) *)LADE_PRIV_ADDRESS(T, f) - \
                          (uint64_t)lade_enum_##E.list[0].value;                              \
        if (!lade_enum_##E.linear || lade_c >= lade_enum_##E.count || lade_c >= 127)          \
            break;                                                                            \
        *lade_q++ = (uint8_t)((lade_c + 1) << 1 | 1);                                         \
    }
#define LADE_PRIV_SAVEFAST_ref(T, kind, f, ...)                                                \
    {                                                                                          \
        uint64_t lade_c = lade_priv_pool_index(&lade_w_##f, (const void *)LADE_PRIV_IN(T, f)); \
        if (LADE_PRIV_UNLIKELY(lade_c >= lade_w_##f.count))                                    \
            break;                                                                             \
        lade_priv_store64(lade_q, lade_c + 1);                                                 \
        lade_q += lade_w_##f.width;                                                            \
    }

#define LADE_PRIV_LOADFAST_value(T, kind, f, ...)                                     \
    if (LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)) == LADE_BOOL &&                         \
        LADE_PRIV_UNLIKELY(!lade_priv_bools(lade_q, sizeof(LADE_PRIV_FT(T, f)))))     \
        break;                                                                        \
    lade_priv_copy(LADE_PRIV_OUT(T, f), lade_q, LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)),  \
                   sizeof(LADE_PRIV_FT(T, f)) / LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f))); \
    lade_q += sizeof(LADE_PRIV_FT(T, f));
#define LADE_PRIV_LOADFAST_enumeration(T, kind, f, E, ...)                                  \
    {                                                                                       \
        uint64_t lade_c = (uint64_t)(*lade_q >> 1) - 1;                                     \
        if (!lade_enum_##E.linear || !(*lade_q & 1) || lade_c >= lade_enum_##E.count)       \
            break;                                                                          \
        LADE_PRIV_FT4(T, f) lade_y = (LADE_PRIV_FT4(T, f))lade_enum_##E.list[lade_c].value; \
        if ((int64_t)lade_y != lade_enum_##E.list[lade_c].value)                            \
            break;                                                                          \
        memcpy(LADE_PRIV_OUT(T, f), &lade_y, sizeof lade_y);                                \
        lade_q++;                                                                           \
    }
#define LADE_PRIV_LOADFAST_ref(T, kind, f, ...)                             \
    {                                                                       \
        uint64_t lade_c = (lade_priv_load64(lade_q) & lade_w_##f.mask) - 1; \
        if (LADE_PRIV_UNLIKELY(lade_c >= lade_w_##f.count))                 \
            break;                                                          \
        lade_priv_set_ref(&lade_w_##f, lade_c, LADE_PRIV_OUT(T, f));        \
        lade_q += lade_w_##f.width;                                         \
    }

#endif
