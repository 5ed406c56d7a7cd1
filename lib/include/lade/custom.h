/**
 * \file
 * Custom types: saved and loaded by functions of the program, with a version.
 *
 *     static lade_status blob_save(lade_out *out, const blob *b)
 *     {
 *         lade_out_i32(out, b->kind);
 *         lade_out_text(out, b->name);
 *         return LADE_OK;
 *     }
 *     static lade_status blob_load(lade_in *in, blob *b, uint32_t version)
 *     {
 *         b->kind = lade_in_i32(in);
 *         lade_in_text(in, &b->name);
 *         return LADE_OK;
 *     }
 *     LADE_CUSTOM(blob, 1, blob_save, blob_load)
 *
 * T may then stand wherever a described struct may: as a record, as elements, behind a pointer. What the
 * functions put has a length in front, so that readers without them can pass by it; it holds numbers, texts
 * and arrays of numbers, no pointers to other objects.
 *
 * With lade_context.own_memory what a load gets from `in` and keeps is a block of the context's allocator, which
 * the program frees: lade_free_graph does not know of it. lade_in_free gives back what is not kept.
 *
 * Puts and gets need no checks between them: after a failure they do nothing (gets give 0 and NULL), and the
 * call fails in the end. A load must get exactly what was put.
 */
#ifndef LADE_CUSTOM_H
#define LADE_CUSTOM_H
#pragma GCC system_header

#include <lade/surrogate.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where a custom type is saved to; lives during one call of its save function. */
typedef struct lade_out {
    uint8_t *p, *end; /* private */
    lade_encoder *e;
    size_t arrays; /* that are content */
} lade_out;

/** Where a custom type is loaded from; lives during one call of its load function. */
typedef struct lade_in {
    const uint8_t *p, *end; /* private */
    lade_decoder *d;
    const uint8_t *limit; /* bytes are readable up to here */
    const uint8_t *next;  /* position of the input behind the value */
    size_t arrays,
        listed; /* that are content: loaded so far, and those that the value says it has */
} lade_in;

/** \returns whether the value already has memory, which must be filled: lade_in_text and lade_in_array do so
 * by themselves. */
static inline bool lade_in_place(const lade_in *in)
{
    return in->d->into != 0;
}

LADE_API bool lade_priv_out_room(lade_out *out, size_t n);
LADE_API void lade_priv_out_array(lade_out *out, lade_scalar scalar, const void *array, size_t n);
LADE_API void lade_priv_out_long_double(lade_out *out, const void *value);
LADE_API void lade_priv_in_long_double(lade_in *in, void *value);
LADE_API void lade_priv_in_text_slow(lade_in *in, void *field);
LADE_API void lade_priv_in_array(lade_in *in, lade_scalar scalar, void *field, size_t *n);
LADE_API uint8_t *lade_priv_custom_close(lade_out *out, lade_status status);
LADE_API const uint8_t *lade_priv_custom_open(lade_decoder *d, const uint8_t *p, lade_in *in);
LADE_API const uint8_t *lade_priv_custom_end(const lade_in *in, lade_status status);
/** \returns size bytes (not cleared) at a multiple of align, owned by what is loaded; NULL: no memory. */
LADE_API void *lade_in_alloc(lade_in *in, size_t size, size_t align);

/** Gives back memory that was got from `in` and is not kept, such as a text that was read into a number. Only
 * own_memory frees it before the load ends; NULL and memory of other origin are ignored. */
LADE_API void lade_in_free(lade_in *in, const void *memory);

static inline bool lade_priv_out(lade_out *out, size_t n)
{
    return __builtin_expect((size_t)(out->end - out->p) >= n, 1) || lade_priv_out_room(out, n);
}

static inline bool lade_priv_in(lade_in *in, size_t n)
{
    if (__builtin_expect((size_t)(in->end - in->p) >= n, 1))
        return true;
    in->p = in->end = NULL;
    return false;
}

/* lade_out_i32(out, v) and lade_in_i32(in), for every arithmetic type but long double. */
#define LADE_PRIV_CUSTOM_SCALAR(name, ctype, unit)             \
    static inline void lade_out_##name(lade_out *out, ctype v) \
    {                                                          \
        if (!lade_priv_out(out, sizeof v))                     \
            return;                                            \
        lade_priv_copy(out->p, &v, unit, sizeof v / (unit));   \
        out->p += sizeof v;                                    \
    }                                                          \
    static inline ctype lade_in_##name(lade_in *in)            \
    {                                                          \
        ctype v = 0;                                           \
        if (!lade_priv_in(in, sizeof v))                       \
            return v;                                          \
        lade_priv_copy(&v, in->p, unit, sizeof v / (unit));    \
        in->p += sizeof v;                                     \
        return v;                                              \
    }
LADE_PRIV_CUSTOM_SCALAR(char, char, 1)
LADE_PRIV_CUSTOM_SCALAR(i8, int8_t, 1)
LADE_PRIV_CUSTOM_SCALAR(u8, uint8_t, 1)
LADE_PRIV_CUSTOM_SCALAR(i16, int16_t, 2)
LADE_PRIV_CUSTOM_SCALAR(u16, uint16_t, 2)
LADE_PRIV_CUSTOM_SCALAR(i32, int32_t, 4)
LADE_PRIV_CUSTOM_SCALAR(u32, uint32_t, 4)
LADE_PRIV_CUSTOM_SCALAR(i64, int64_t, 8)
LADE_PRIV_CUSTOM_SCALAR(u64, uint64_t, 8)
LADE_PRIV_CUSTOM_SCALAR(f32, float, 4)
LADE_PRIV_CUSTOM_SCALAR(f64, double, 8)
#ifndef __cplusplus
LADE_PRIV_CUSTOM_SCALAR(c32, float _Complex, 4)
LADE_PRIV_CUSTOM_SCALAR(c64, double _Complex, 8)
#endif
#undef LADE_PRIV_CUSTOM_SCALAR

static inline void lade_out_bool(lade_out *out, bool v)
{
    lade_out_u8(out, v ? 1 : 0);
}

/** Other values than 0 and 1 fail the load. */
static inline bool lade_in_bool(lade_in *in)
{
    uint8_t v = lade_in_u8(in);
    if (v > 1)
        in->p = in->end = NULL;
    return v == 1;
}

/** As binary128; a load on a machine with fewer digits fails unless the value is exact there. */
static inline void lade_out_f128(lade_out *out, long double v)
{
    lade_priv_out_long_double(out, &v);
}
static inline long double lade_in_f128(lade_in *in)
{
    long double v = 0;
    lade_priv_in_long_double(in, &v);
    return v;
}

/** A count or a size: 1 byte up to 127, at most 9. */
static inline void lade_out_size(lade_out *out, lade_size n)
{
    if (lade_priv_out(out, LADE_PRIV_VARINT_MAX))
        out->p = lade_priv_put_varint(out->p, n);
}
static inline lade_size lade_in_size(lade_in *in)
{
    uint64_t n = 0;
    const uint8_t *q = lade_priv_in(in, 1) ? lade_priv_get_varint(in->p, &n) : NULL;
    if (!q || q > in->end) {
        in->p = in->end = NULL;
        return 0;
    }
    in->p = q;
    return n;
}

/** A text, or NULL. */
static inline void lade_out_text(lade_out *out, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    if (!lade_priv_out(out, LADE_PRIV_VARINT_MAX + n))
        return;
    out->p = lade_priv_put_varint(out->p, text ? (uint64_t)n + 1 : 0);
    lade_priv_copy_short(out->p, text, n);
    out->p += n;
}

/** Sets *field to a new text, or NULL. In place: the text there must have the same length. */
#define lade_in_text(in, field) lade_priv_in_text(in, LADE_PRIV_TEXT_FIELD(field))
#ifndef __cplusplus
#define LADE_PRIV_TEXT_FIELD(field) _Generic((field), char ** : (field), const char ** : (field))
#else
#define LADE_PRIV_TEXT_FIELD(field) (field)
#endif
static inline void lade_priv_in_text(lade_in *in, void *field)
{
    lade_decoder *d = in->d;
    size_t n = lade_priv_in(in, 1) ? (size_t)(*in->p >> 1) : 0;
    uint8_t *text = d->text;
    if (!in->p || !(*in->p & 1) || n == 0 || d->into || (size_t)(d->text_end - text) < n ||
        (size_t)(in->end - in->p) < n ||
        !lade_priv_copy_text(text, in->p + 1, n - 1,
                             in->limit - in->p > LADE_PRIV_TEXT_SPAN &&
                                 d->text_end - text >= LADE_PRIV_TEXT_SPAN)) {
        lade_priv_in_text_slow(in, field);
        return;
    }
    text[n - 1] = 0;
    d->text = text + n;
    memcpy(field, &text, sizeof text);
    in->p += n;
}

/** n elements of a scalar's type, in the memory at `array`; large arrays are never copied. */
static inline void lade_out_array(lade_out *out, lade_scalar scalar, const void *array, size_t n)
{
    lade_priv_out_array(out, scalar, array, n);
}
/** Sets the pointer at `field` (the address of a pointer to the elements) and *n. In place: *n elements must
 * be there. */
static inline void lade_in_array(lade_in *in, lade_scalar scalar, void *field, size_t *n)
{
    lade_priv_in_array(in, scalar, field, n);
}

/** Most bytes of the length in front. */
enum { LADE_PRIV_CUSTOM_BOUND = 64 };

static inline uint8_t *lade_priv_custom_begin(lade_encoder *e, uint8_t *p, lade_out *out)
{
    if (LADE_PRIV_UNLIKELY(e->end - p < LADE_PRIV_CUSTOM_BOUND)) {
        p = lade_priv_room(e, p, LADE_PRIV_CUSTOM_BOUND);
        if (!p)
            return NULL;
    }
    e->hold = p;
    out->p = p + 1;
    out->end = e->end;
    out->e = e;
    out->arrays = 0;
    return p;
}

static inline uint8_t *lade_priv_custom_finish(lade_out *out, lade_status status)
{
    lade_encoder *e = out->e;
    if (LADE_PRIV_UNLIKELY(status != LADE_OK || !out->p || out->arrays || out->p - e->hold > 64))
        return lade_priv_custom_close(out, status);
    *e->hold = (uint8_t)((unsigned)(out->p - e->hold - 1) << 2 | 1);
    e->hold = NULL;
    return out->p;
}

/** What one value put; those of up to 63 bytes without content are opened in line. */
static inline bool lade_priv_custom_first(lade_decoder *d, const uint8_t *p, lade_in *in)
{
    if (LADE_PRIV_UNLIKELY(d->end - p < LADE_PRIV_CUSTOM_BOUND || (*p & 3) != 1))
        return lade_priv_custom_open(d, p, in) != NULL;
    in->p = p + 1;
    in->end = in->next = p + 1 + (*p >> 2);
    in->d = d;
    in->limit = d->end;
    in->arrays = in->listed = 0;
    return true;
}

static inline const uint8_t *lade_priv_custom_last(const lade_in *in, lade_status status)
{
    if (LADE_PRIV_UNLIKELY(status != LADE_OK || !in->p || in->p != in->end || in->arrays ||
                           in->listed))
        return lade_priv_custom_end(in, status);
    return in->next;
}

/** Describes T by two functions: lade_status save(lade_out *, const T *) and
 * lade_status load(lade_in *, T *, uint32_t version). */
#define LADE_CUSTOM(T, version_, save_, load_)                                                   \
    LADE_DECLARE(T)                                                                              \
    uint8_t *lade_priv_save_##T(lade_encoder *lade_e, uint8_t *lade_p, const lade_node *lade_nd, \
                                const void *lade_value, size_t lade_n)                           \
    {                                                                                            \
        const T *lade_v = (const T *)lade_value;                                                 \
        (void)lade_nd;                                                                           \
        for (size_t lade_i = 0; lade_i < lade_n; lade_i++) {                                     \
            lade_out lade_o;                                                                     \
            if (!lade_priv_custom_begin(lade_e, lade_p, &lade_o))                                \
                return NULL;                                                                     \
            lade_status lade_s = (save_)(&lade_o, lade_v + lade_i);                              \
            lade_p = lade_priv_custom_finish(&lade_o, lade_s);                                   \
            if (!lade_p)                                                                         \
                return NULL;                                                                     \
        }                                                                                        \
        return lade_priv_room(lade_e, lade_p, LADE_PRIV_VARINT_MAX);                             \
    }                                                                                            \
    const uint8_t *lade_priv_load_##T(lade_decoder *lade_d, const uint8_t *lade_p,               \
                                      const lade_node *lade_nd, void *lade_value, size_t lade_n) \
    {                                                                                            \
        T *lade_v = (T *)lade_value;                                                             \
        for (size_t lade_i = 0; lade_i < lade_n; lade_i++) {                                     \
            lade_in lade_o;                                                                      \
            if (!lade_priv_custom_first(lade_d, lade_p, &lade_o))                                \
                return NULL;                                                                     \
            lade_status lade_s = (load_)(&lade_o, lade_v + lade_i, lade_nd->type->version);      \
            lade_p = lade_priv_custom_last(&lade_o, lade_s);                                     \
            if (!lade_p)                                                                         \
                return NULL;                                                                     \
        }                                                                                        \
        return lade_priv_need(lade_d, lade_p, LADE_PRIV_VARINT_MAX);                             \
    }                                                                                            \
    static lade_fingerprint_cell lade_priv_cell_##T;                                             \
    const lade_type lade_type_##T = {.name = #T,                                                 \
                                     .size = sizeof(T),                                          \
                                     .align = _Alignof(T),                                       \
                                     .form = LADE_FORM_CUSTOM,                                   \
                                     .version = (version_),                                      \
                                     .save = lade_priv_save_##T,                                 \
                                     .load = lade_priv_load_##T,                                 \
                                     .bound = LADE_PRIV_CUSTOM_BOUND,                            \
                                     .cell = &lade_priv_cell_##T};

#ifdef __cplusplus
}
#endif
#endif
