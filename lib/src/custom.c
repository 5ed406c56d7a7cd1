/* Custom types: what their functions put and get, and the length in front of it. */
#include <string.h>

#include <lade/custom.h>

#include "decode.h"
#include "encode.h"
#include "schema.h"

static enc *enc_of(const lade_out *out)
{
    return (enc *)(void *)out->e;
}

static dec *dec_of(const lade_in *in)
{
    return (dec *)(void *)in->d;
}

static void out_set(lade_out *out, uint8_t *p)
{
    out->p = p;
    out->end = p ? out->e->end : NULL;
}

bool lade_priv_out_room(lade_out *out, size_t n)
{
    if (out->p)
        out_set(out, lade_priv_room(out->e, out->p, n));
    return out->p != NULL;
}

void lade_priv_out_long_double(lade_out *out, const void *value)
{
    if (!lade_priv_out(out, 16))
        return;
    lade_long_double_pack(out->p, value);
    out->p += 16;
}

void lade_priv_out_array(lade_out *out, lade_scalar scalar, const void *array, size_t n)
{
    enc *e = enc_of(out);
    lade_out_size(out, n);
    if (!out->p || n == 0)
        return;
    if (!array || lade_scalar_size(scalar) == 0) {
        lade_job_error(e->job, LADE_ERR_VALUE, 0, "an array is NULL, or not of numbers");
        out_set(out, NULL);
        return;
    }
    size_t before = e->content_count;
    out_set(out, lade_priv_put_array(out->e, out->p, array, scalar, n, LADE_PRIV_VARINT_MAX));
    out->arrays += e->content_count - before;
}

/* The length, and the sizes of what the value has as content, go before what was put. */
uint8_t *lade_priv_custom_close(lade_out *out, lade_status status)
{
    enc *e = enc_of(out);
    uint8_t prefix[LADE_PRIV_VARINT_MAX + 8];
    lade_buffer sizes = {0};
    bool ok = out->p != NULL;
    if (status != LADE_OK) {
        lade_job_error(e->job, status, 0, "the save function of a custom type failed: %s",
                       lade_status_string(status));
        ok = false;
    }
    size_t n = ok ? (size_t)(out->p - out->e->hold) - 1 : 0;
    uint8_t *end = lade_priv_put_varint(prefix, (uint64_t)n << 1 | (out->arrays > 0));
    ok = ok && lade_buffer_append(e->job, &sizes, prefix, (size_t)(end - prefix));
    if (ok && out->arrays) {
        end = lade_priv_put_varint(prefix, out->arrays);
        ok = lade_buffer_append(e->job, &sizes, prefix, (size_t)(end - prefix));
    }
    for (size_t i = e->content_count - out->arrays; ok && i < e->content_count; i++) {
        end = lade_priv_put_varint(prefix, e->content[i].size);
        ok = lade_buffer_append(e->job, &sizes, prefix, (size_t)(end - prefix));
    }
    uint8_t *p = ok ? lade_priv_room(out->e, out->p, sizes.size + LADE_PRIV_VARINT_MAX) : NULL;
    if (p) {
        uint8_t *start = out->e->hold;
        memmove(start + sizes.size, start + 1, n);
        memcpy(start, sizes.data, sizes.size);
        p = start + sizes.size + n;
    }
    out->e->hold = NULL;
    lade_buffer_fini(&sizes);
    return p;
}

static void in_fail(lade_in *in)
{
    in->p = in->end = NULL;
}

void lade_priv_in_long_double(lade_in *in, void *value)
{
    if (!lade_priv_in(in, 16))
        return;
    if (!lade_long_double_unpack(value, in->p)) {
        lade_job_error(dec_of(in)->job, LADE_ERR_RANGE, 0,
                       "a long double has more digits than this machine's");
        in_fail(in);
        return;
    }
    in->p += 16;
}

void *lade_in_alloc(lade_in *in, size_t size, size_t align)
{
    return in->p ? lade_dec_alloc(dec_of(in), in->next, size, align) : NULL;
}

void lade_in_free(lade_in *in, const void *memory)
{
    lade_store_free(&dec_of(in)->store, memory);
}

static void text_in_place(lade_in *in, char *text, size_t n)
{
    if (strlen(text) != n) {
        lade_job_error(dec_of(in)->job, LADE_ERR_SHAPE, 0,
                       "the stored text has another length than the one that is there");
        in_fail(in);
        return;
    }
    if (memcmp(text, in->p, n) != 0) /* what is equal may be a literal */
        memcpy(text, in->p, n);
}

void lade_priv_in_text_slow(lade_in *in, void *field)
{
    lade_size n = lade_in_size(in);
    char *text = NULL;
    if (in->d->into)
        memcpy(&text, field, sizeof text);
    if (!in->p)
        return;
    if (n > 0 && (!lade_priv_in(in, (size_t)n - 1) || memchr(in->p, 0, (size_t)n - 1))) {
        in_fail(in);
        return;
    }
    if (in->d->into && !text != (n == 0)) {
        lade_job_error(dec_of(in)->job, LADE_ERR_SHAPE, 0, "one of two texts is NULL");
        in_fail(in);
    } else if (in->d->into && n > 0) {
        text_in_place(in, text, (size_t)n - 1);
    } else if (!in->d->into) {
        text = n ? lade_dec_text(dec_of(in), in->next, (size_t)n - 1) : NULL;
        if (n && !text) {
            in_fail(in);
            return;
        }
        if (n) {
            memcpy(text, in->p, (size_t)n - 1);
            text[n - 1] = 0;
        }
        memcpy(field, &text, sizeof text);
    }
    if (in->p && n)
        in->p += n - 1;
}

/* Elements in the payload: from there, as they stand; larger arrays are content. */
static void array_get(lade_in *in, lade_scalar scalar, unsigned char *array, size_t n)
{
    dec *d = dec_of(in);
    size_t wire = lade_scalar_wire(scalar);
    size_t unit = lade_scalar_unit(scalar);
    if (scalar != LADE_F128 && n * wire >= LADE_CONTENT_MIN) {
        if (!lade_priv_get_array(in->d, in->next, array, scalar, n, 0))
            in_fail(in);
        in->arrays++;
        return;
    }
    if (!lade_priv_in(in, n * wire))
        return;
    if (scalar == LADE_F128) {
        for (size_t i = 0; i < n && in->p; i++)
            lade_priv_in_long_double(in, array + i * sizeof(long double));
        return;
    }
    if (scalar == LADE_BOOL && !lade_priv_bools(in->p, n)) {
        lade_job_error(d->job, LADE_ERR_VALUE, 0, "a boolean is neither 0 nor 1");
        in_fail(in);
        return;
    }
    lade_priv_copy(array, in->p, unit, n * wire / unit);
    in->p += n * wire;
}

/* Bytes that an array may have: those of the payload, or those of all content to come. */
static uint64_t at_hand(const lade_in *in, lade_scalar scalar, size_t wire)
{
    dec *d = dec_of(in);
    if (scalar != LADE_F128 && wire >= LADE_CONTENT_MIN)
        return lade_dec_remaining(d, in->next);
    return (uint64_t)(in->end - in->p);
}

void lade_priv_in_array(lade_in *in, lade_scalar scalar, void *field, size_t *count)
{
    dec *d = dec_of(in);
    size_t size = lade_scalar_size(scalar);
    size_t bytes;
    size_t wire;
    lade_size n = lade_in_size(in);
    void *array = NULL;
    memcpy(&array, field, sizeof array);
    if (!in->p)
        return;
    if (size == 0 || n > SIZE_MAX || !lade_mul((size_t)n, size, &bytes) ||
        !lade_mul((size_t)n, lade_scalar_wire(scalar), &wire) || wire > at_hand(in, scalar, wire)) {
        in_fail(in);
        return;
    }
    if (in->d->into && (*count != n || (n && !array))) {
        lade_job_error(d->job, LADE_ERR_SHAPE, 0, "the array there has another length");
        in_fail(in);
        return;
    }
    if (!in->d->into) {
        array = n ? lade_dec_alloc(d, in->next, bytes,
                                   lade_dec_new_align(d, lade_scalar_node(scalar), bytes))
                  : NULL;
        if (n && !array) {
            in_fail(in);
            return;
        }
        memcpy(field, &array, sizeof array);
        *count = (size_t)n;
    }
    if (n)
        array_get(in, scalar, array, (size_t)n);
}

/* The sizes of the arrays that are content, which must be those that the load function claims. */
static const uint8_t *get_sizes(dec *d, const uint8_t *p, size_t *listed)
{
    uint64_t count = 0;
    uint64_t size = 0;
    const uint8_t *q = lade_priv_get_varint(p, &count);
    if (!q || count == 0)
        return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
    for (uint64_t i = 0; i < count; i++) {
        p = lade_priv_need(&d->pub, q, LADE_PRIV_VARINT_MAX);
        q = p ? lade_priv_get_varint(p, &size) : NULL;
        if (!q || q > d->pub.end)
            return p ? lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT) : NULL;
        if (!lade_mem_grow(d->allocator, &d->sizes, &d->sizes_capacity, (size_t)i + 1,
                           sizeof *d->sizes))
            return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
        d->sizes[i] = size;
    }
    *listed = (size_t)count;
    return q;
}

/* What a custom value put, in one piece: where it stands, or copied together. \returns its end (or, for a
 * copy, the position behind it in the input). */
const uint8_t *lade_priv_custom_open(lade_decoder *pub, const uint8_t *p, lade_in *in)
{
    dec *d = (dec *)(void *)pub;
    uint64_t code;
    p = lade_priv_need(pub, p, LADE_PRIV_CUSTOM_BOUND);
    const uint8_t *q = p ? lade_priv_get_varint(p, &code) : NULL;
    if (!q)
        return p ? lade_priv_get_fail(pub, p, LADE_ERR_FORMAT) : NULL;
    size_t listed = 0;
    if (code & 1)
        q = get_sizes(d, q, &listed);
    if (!q)
        return NULL;
    uint64_t n = code >> 1;
    if (q <= pub->end && n <= (uint64_t)(pub->end - q)) {
        *in = (lade_in){
            .p = q, .end = q + n, .d = pub, .limit = pub->end, .next = q + n, .listed = listed};
        return in->next;
    }
    if (q > pub->end || n > (uint64_t)(pub->end - q) + d->input.after)
        return lade_dec_fail(d, q, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED));
    if (!lade_mem_grow(d->allocator, &d->scratch, &d->scratch_capacity,
                       (size_t)n + LADE_PRIV_VARINT_MAX, 1))
        return lade_dec_fail(d, q, LADE_ERR_MEMORY, "out of memory while decoding");
    q = lade_dec_copy(d, q, d->scratch, (size_t)n, LADE_PRIV_VARINT_MAX);
    memset(d->scratch + n, 0, LADE_PRIV_VARINT_MAX); /* a get may look beyond the end */
    const uint8_t *end = d->scratch + n;
    *in =
        (lade_in){.p = d->scratch, .end = end, .d = pub, .limit = end, .next = q, .listed = listed};
    return q;
}

const uint8_t *lade_priv_custom_end(const lade_in *in, lade_status status)
{
    dec *d = dec_of(in);
    const uint8_t *next = in->next;
    size_t first = d->content_count - in->arrays;
    if (status != LADE_OK) {
        lade_job_error(d->job, status, 0, "the load function of a custom type failed: %s",
                       lade_status_string(status));
        return NULL;
    }
    if (!in->p)
        return lade_dec_fail(d, next, LADE_ERR_FORMAT,
                             "a custom value does not hold what its load "
                             "function gets");
    if (in->p != in->end)
        return lade_dec_fail(d, next, LADE_ERR_FORMAT,
                             "the load function of a custom type leaves "
                             "bytes over");
    bool same = in->arrays == in->listed;
    for (size_t i = 0; i < in->arrays && same; i++)
        same = d->content[first + i].size == d->sizes[i];
    return same ? next
                : lade_dec_fail(d, next, LADE_ERR_FORMAT,
                                "the arrays of a custom value have other "
                                "sizes than it says");
}
