/* Custom types whose functions are not known: what they saved, as it stands. */
#include <string.h>

#include <lade/custom.h>

#include "decode.h"
#include "encode.h"
#include "runtime.h"

static uint8_t *put_numbers(enc *e, uint8_t *p, const lade_raw *raw)
{
    p = lade_priv_put_varint(p, raw->size << 1 | (raw->array_count > 0));
    if (raw->array_count)
        p = lade_priv_put_varint(p, raw->array_count);
    for (uint64_t i = 0; i < raw->array_count && p; i++) {
        p = lade_priv_room(&e->pub, p, LADE_PRIV_CUSTOM_BOUND);
        p = p ? lade_priv_put_varint(p, raw->arrays[i].size) : NULL;
    }
    return p;
}

uint8_t *lade_raw_save(lade_encoder *pub, uint8_t *p, const lade_node *node, const void *value,
                       size_t n)
{
    enc *e = (enc *)(void *)pub;
    const lade_raw *raw = value;
    (void)node;
    for (size_t i = 0; i < n && p; i++, raw++) {
        if (raw->size > SIZE_MAX / 2 || (raw->size && !raw->bytes) ||
            (raw->array_count && !raw->arrays))
            return lade_priv_put_fail(pub, LADE_ERR_VALUE);
        p = lade_priv_room(pub, p, LADE_PRIV_CUSTOM_BOUND);
        p = p ? put_numbers(e, p, raw) : NULL;
        if (p)
            p = lade_priv_put_bytes(pub, p, raw->size ? raw->bytes : (const uint8_t *)"",
                                    (size_t)raw->size, LADE_PRIV_CUSTOM_BOUND);
        for (uint64_t k = 0; k < raw->array_count && p; k++) {
            if (raw->arrays[k].size < LADE_CONTENT_MIN || !raw->arrays[k].data)
                return lade_priv_put_fail(pub, LADE_ERR_VALUE);
            if (!lade_enc_content(e, raw->arrays[k].data, (size_t)raw->arrays[k].size))
                return NULL;
        }
    }
    return p;
}

static const uint8_t *get_number(dec *d, const uint8_t *p, uint64_t *n)
{
    p = lade_priv_need(&d->pub, p, LADE_PRIV_VARINT_MAX);
    const uint8_t *q = p ? lade_priv_get_varint(p, n) : NULL;
    if (!q)
        return p ? lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT) : NULL;
    return q > d->pub.end
               ? lade_dec_fail(d, q, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED))
               : q;
}

static const uint8_t *too_long(dec *d, const uint8_t *p)
{
    return lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                         "a custom value is longer than the rest of the data");
}

static const uint8_t *other_shape(dec *d, const uint8_t *p)
{
    return lade_dec_fail(d, p, LADE_ERR_SHAPE, "the custom value there has another size");
}

/* The sizes of the arrays, which have their memory right away. */
static const uint8_t *get_sizes(dec *d, const uint8_t *p, lade_raw *raw)
{
    uint64_t count = 0;
    uint64_t size = 0;
    uint64_t sum = 0;
    p = get_number(d, p, &count);
    if (!p)
        return NULL;
    if (count == 0)
        return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
    if (count > lade_dec_remaining(d, p) / LADE_CONTENT_MIN)
        return too_long(d, p);
    if (d->pub.into && raw->array_count != count)
        return other_shape(d, p);
    if (!d->pub.into) {
        size_t bytes = (size_t)count * sizeof *raw->arrays;
        raw->arrays = lade_dec_alloc(d, p, bytes, _Alignof(lade_raw_array));
        if (!raw->arrays)
            return NULL;
        memset(raw->arrays, 0, bytes);
        raw->array_count = count;
    }
    for (uint64_t i = 0; i < count; i++) {
        p = get_number(d, p, &size);
        if (!p)
            return NULL;
        if (size < LADE_CONTENT_MIN)
            return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
        if (d->pub.into && raw->arrays[i].size != size)
            return other_shape(d, p);
        sum += size; /* cannot wrap: each is bounded by what remains */
        if (size > lade_dec_remaining(d, p) || sum > lade_dec_remaining(d, p))
            return too_long(d, p);
        raw->arrays[i].size = size;
    }
    return p;
}

static const uint8_t *get_arrays(dec *d, const uint8_t *p, lade_raw *raw)
{
    for (uint64_t i = 0; i < raw->array_count && p; i++) {
        lade_raw_array *a = &raw->arrays[i];
        size_t size = (size_t)a->size;
        if (!d->pub.into)
            a->data = lade_dec_alloc(d, p, size, lade_dec_align(lade_scalar_node(LADE_U8), size));
        p = a->data ? lade_priv_get_array(&d->pub, p, a->data, LADE_U8, size, LADE_PRIV_VARINT_MAX)
                    : NULL;
    }
    return p;
}

static const uint8_t *get_raw(dec *d, const uint8_t *p, lade_raw *raw)
{
    uint64_t code = 0;
    p = get_number(d, p, &code);
    if (!p)
        return NULL;
    if (!d->pub.into)
        *raw = (lade_raw){.size = code >> 1};
    else if (raw->size != code >> 1 || (!(code & 1) && raw->array_count))
        return other_shape(d, p);
    if (code & 1)
        p = get_sizes(d, p, raw);
    if (!p)
        return NULL;
    if (raw->size > lade_dec_remaining(d, p))
        return too_long(d, p);
    if (!d->pub.into && raw->size)
        raw->bytes = lade_dec_alloc(d, p, (size_t)raw->size, 1);
    if (raw->size)
        p = raw->bytes ? lade_dec_copy(d, p, raw->bytes, (size_t)raw->size, LADE_PRIV_VARINT_MAX)
                       : NULL;
    return p ? get_arrays(d, p, raw) : NULL;
}

const uint8_t *lade_raw_load(lade_decoder *pub, const uint8_t *p, const lade_node *node,
                             void *value, size_t n)
{
    dec *d = (dec *)(void *)pub;
    lade_raw *raw = value;
    (void)node;
    for (size_t i = 0; i < n && p; i++)
        p = get_raw(d, p, &raw[i]);
    return p ? lade_priv_need(pub, p, LADE_PRIV_VARINT_MAX) : NULL;
}
