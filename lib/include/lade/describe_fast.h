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

/* Whether one value takes no more than the bound, and all is stored. */
#define LADE_PRIV_DO_FIXED(T, N) LADE_PRIV_BY_CLASS(LADE_PRIV_FIXED_, T, N)
#define LADE_PRIV_FIXED_value(T, kind, o, f, ...) \
    &&LADE_PRIV_IS_SMALL(T, f) && LADE_PRIV_STORED(T, f)
#define LADE_PRIV_FIXED_enumeration(T, kind, o, f, ...) \
    &&!LADE_PRIV_IS_ARRAY(LADE_PRIV_FT(T, f)) && LADE_PRIV_STORED(T, f)
#define LADE_PRIV_FIXED_ref(T, kind, o, f, ...) &&!LADE_PRIV_GENERAL(T, f) && LADE_PRIV_STORED(T, f)
#define LADE_PRIV_FIXED_text(T, ...) &&0
#define LADE_PRIV_FIXED_fixed_text(T, ...) &&0
#define LADE_PRIV_FIXED_record(T, ...) &&0
#define LADE_PRIV_FIXED_vector(T, ...) &&0
#define LADE_PRIV_FIXED_pool(T, ...) &&0
#define LADE_PRIV_FIXED_optional(T, ...) &&0
#define LADE_PRIV_FIXED_any(T, ...) &&0
#define LADE_PRIV_FIXED_general(T, ...) &&0
#define LADE_PRIV_FIXED_skip(T, ...) &&0

#define LADE_PRIV_DO_SAVEFAST(T, N) LADE_PRIV_BY_CLASS(LADE_PRIV_SAVEFAST_, T, N)
#define LADE_PRIV_DO_LOADFAST(T, N) LADE_PRIV_BY_CLASS(LADE_PRIV_LOADFAST_, T, N)
#define LADE_PRIV_SAVEFAST_text(T, ...)
#define LADE_PRIV_SAVEFAST_fixed_text(T, ...)
#define LADE_PRIV_SAVEFAST_record(T, ...)
#define LADE_PRIV_SAVEFAST_vector(T, ...)
#define LADE_PRIV_SAVEFAST_pool(T, ...)
#define LADE_PRIV_SAVEFAST_optional(T, ...)
#define LADE_PRIV_SAVEFAST_any(T, ...)
#define LADE_PRIV_SAVEFAST_general(T, ...)
#define LADE_PRIV_SAVEFAST_skip(T, ...)
#define LADE_PRIV_LOADFAST_text(T, ...)
#define LADE_PRIV_LOADFAST_fixed_text(T, ...)
#define LADE_PRIV_LOADFAST_record(T, ...)
#define LADE_PRIV_LOADFAST_vector(T, ...)
#define LADE_PRIV_LOADFAST_pool(T, ...)
#define LADE_PRIV_LOADFAST_optional(T, ...)
#define LADE_PRIV_LOADFAST_any(T, ...)
#define LADE_PRIV_LOADFAST_general(T, ...)
#define LADE_PRIV_LOADFAST_skip(T, ...)

/* lade_q is the cursor inside one value; lade_p stays at its start. */
#define LADE_PRIV_SAVEFAST_value(T, kind, o, f, ...)                                     \
    lade_priv_copy(lade_q, LADE_PRIV_ADDRESS(T, f), LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)), \
                   sizeof(LADE_PRIV_FT(T, f)) / LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)));    \
    lade_q += sizeof(LADE_PRIV_FT(T, f));
#define LADE_PRIV_SAVEFAST_enumeration(T, kind, o, f, E, ...)                                 \
    {                                                                                         \
        uint64_t lade_c = (uint64_t) * (const LADE_PRIV_FT4(T, f) *)LADE_PRIV_ADDRESS(T, f) - \
                          (uint64_t)lade_enum_##E.list[0].value;                              \
        if (!lade_enum_##E.linear || lade_c >= lade_enum_##E.count || lade_c >= 127)          \
            break;                                                                            \
        *lade_q++ = (uint8_t)((lade_c + 1) << 1 | 1);                                         \
    }
#define LADE_PRIV_SAVEFAST_ref(T, kind, o, f, ...)                                        \
    if (lade_w_##f.map) {                                                                 \
        uint32_t lade_c = lade_priv_map_find(lade_w_##f.map, LADE_PRIV_POINTER_IN(T, f)); \
        if (lade_c >= lade_w_##f.map->count)                                              \
            break;                                                                        \
        lade_q = lade_priv_put_varint(lade_q, (uint64_t)lade_c + 1);                      \
    } else {                                                                              \
        uint64_t lade_c = lade_priv_pool_index(&lade_w_##f, LADE_PRIV_POINTER_IN(T, f));  \
        if (LADE_PRIV_UNLIKELY(lade_c >= lade_w_##f.count))                               \
            break;                                                                        \
        lade_priv_store64(lade_q, lade_c + 1);                                            \
        lade_q += lade_w_##f.width;                                                       \
    }

#define LADE_PRIV_LOADFAST_value(T, kind, o, f, ...)                                  \
    if (LADE_PRIV_SCALAR(LADE_PRIV_FT4(T, f)) == LADE_BOOL &&                         \
        LADE_PRIV_UNLIKELY(!lade_priv_bools(lade_q, sizeof(LADE_PRIV_FT(T, f)))))     \
        break;                                                                        \
    lade_priv_copy(LADE_PRIV_OUT(T, f), lade_q, LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f)),  \
                   sizeof(LADE_PRIV_FT(T, f)) / LADE_PRIV_UNIT(LADE_PRIV_FT4(T, f))); \
    lade_q += sizeof(LADE_PRIV_FT(T, f));
#define LADE_PRIV_LOADFAST_enumeration(T, kind, o, f, E, ...)                               \
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
#define LADE_PRIV_LOADFAST_ref(T, kind, o, f, ...)                                                 \
    if (lade_w_##f.objects) {                                                                      \
        lade_q =                                                                                   \
            lade_priv_get_coded(lade_w_##f.objects, lade_w_##f.size, lade_q, LADE_PRIV_OUT(T, f)); \
        if (LADE_PRIV_UNLIKELY(!lade_q))                                                           \
            break;                                                                                 \
    } else {                                                                                       \
        uint64_t lade_c = (lade_priv_load64(lade_q) & lade_w_##f.mask) - 1;                        \
        if (LADE_PRIV_UNLIKELY(lade_c >= lade_w_##f.count))                                        \
            break;                                                                                 \
        lade_priv_set_ref(&lade_w_##f, lade_c, LADE_PRIV_OUT(T, f));                               \
        lade_q += lade_w_##f.width;                                                                \
    }

#endif
