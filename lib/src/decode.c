#include "decode.h"

#include <string.h>

/* Holds several frames of a file, and stays in the L2 cache. */
enum { SOURCE_WINDOW = 1040 << 10 };
/* Texts share blocks that double up to this size. */
enum { TEXT_MAX = 1 << 20 };

static dec *dec_of(lade_decoder *d)
{
    return (dec *)(void *)d;
}

uint64_t lade_dec_offset(const dec *d, const uint8_t *p)
{
    return d->offset + (uint64_t)(p - d->begin);
}

/* Where a byte of the skeleton stood in the input. */
static uint64_t input_offset(const dec *d, uint64_t at)
{
    const lade_input *in = &d->input;
    uint64_t heads = in->block_bytes ? (at / in->block_bytes + 1) * in->block_head : 0;
    return in->offset + at + heads;
}

const uint8_t *lade_dec_fail_at(dec *d, uint64_t at, lade_status status, const char *text)
{
    if (d->job->err.status == LADE_OK)
        d->job->err.offset = input_offset(d, at);
    lade_job_error(d->job, status, 0, "%s", text);
    return NULL;
}

const uint8_t *lade_dec_fail(dec *d, const uint8_t *p, lade_status status, const char *text)
{
    if (p <= d->pub.end)
        return lade_dec_fail_at(d, lade_dec_offset(d, p), status, text);
    return lade_dec_fail_at(d, lade_dec_offset(d, d->pub.end), LADE_ERR_TRUNCATED,
                            "the data ends too early");
}

static const char *text_of(lade_status status)
{
    switch ((int)status) {
    case LADE_ERR_VALUE:
        return "a boolean is neither 0 nor 1";
    case LADE_ERR_RANGE:
        return "a number does not fit into its member";
    case LADE_ERR_TYPE:
        return "an object is not of the type that it was stored as";
    case LADE_ERR_SHAPE:
        return "the stored count differs from the one that is there";
    case LADE_ERR_FORMAT:
        return "a number is not in its shortest form";
    default:
        return lade_status_string(status);
    }
}

/* For LADE_ERR_FORMAT, p is the start of a varint: one that reaches beyond the end of the input is
 * not malformed but cut off. */
const uint8_t *lade_priv_get_fail(lade_decoder *pub, const uint8_t *p, lade_status status)
{
    if (status == LADE_ERR_FORMAT) {
        ptrdiff_t length = *p ? __builtin_ctz(*p) + 1 : LADE_PRIV_VARINT_MAX;
        if (pub->end - p < length)
            p = pub->end + 1;
    }
    return lade_dec_fail(dec_of(pub), p, status, text_of(status));
}

const uint8_t *lade_priv_get_trace(lade_decoder *pub, const lade_node *node, unsigned field,
                                   size_t i, size_t n)
{
    lade_job_path(dec_of(pub)->job, node->type->fields[field].name, i, n);
    return NULL;
}

uint64_t lade_dec_remaining(const dec *d, const uint8_t *p)
{
    uint64_t here = p < d->pub.end ? (uint64_t)(d->pub.end - p) : 0;
    uint64_t all = here + d->input.after;
    uint64_t promised = d->claimed + d->pending;
    if (d->open)
        promised += lade_dec_unlisted(d) * d->open->wire_min;
    return all > promised ? all - promised : 0;
}

/* Fills the window behind what is left of it. */
static const uint8_t *refill(dec *d, size_t left)
{
    while (d->input.source && !d->at_end && left < d->window_capacity / 2) {
        size_t got = 0;
        size_t room = d->window_capacity - d->plan->max_bound - left;
        lade_status status = d->input.source(d->input.user, d->window + left, room, &got);
        if (status != LADE_OK) {
            lade_job_error(d->job, status, 0, "reading the skeleton failed");
            return NULL;
        }
        d->at_end = got == 0;
        d->input.after = d->input.after > got ? d->input.after - got : 0;
        left += got;
    }
    d->at_end = d->at_end || !d->input.source;
    memset(d->window + left, 0,
           d->window_capacity - left < d->plan->max_bound ? d->window_capacity - left
                                                          : d->plan->max_bound);
    d->begin = d->window;
    d->pub.end = d->window + left;
    return d->window;
}

const uint8_t *lade_priv_need(lade_decoder *pub, const uint8_t *p, size_t bound)
{
    dec *d = dec_of(pub);
    ptrdiff_t left = pub->end - p;
    if (left >= (ptrdiff_t)bound)
        return p;
    if (left < 0)
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED, "the data ends too early");
    if (d->at_end && d->begin == d->window)
        return p; /* the padding behind the end covers the bound */
    size_t capacity = d->input.source ? SOURCE_WINDOW : 0;
    if (capacity < 4 * d->plan->max_bound)
        capacity = 4 * d->plan->max_bound;
    if (d->begin != d->window && (size_t)left + 2 * d->plan->max_bound > capacity)
        capacity = (size_t)left + 2 * d->plan->max_bound;
    uint64_t at = lade_dec_offset(d, p);
    bool inside = d->begin == d->window && d->window;
    size_t place = inside ? (size_t)(p - d->window) : 0;
    if (!lade_mem_grow(d->allocator, &d->window, &d->window_capacity, capacity, 1)) {
        lade_job_error(d->job, LADE_ERR_MEMORY, 0, "out of memory while decoding");
        return NULL;
    }
    if (left > 0)
        memmove(d->window, inside ? d->window + place : p, (size_t)left);
    d->offset = at;
    return refill(d, (size_t)left);
}

const uint8_t *lade_dec_copy(dec *d, const uint8_t *p, void *to, size_t n, size_t bound)
{
    unsigned char *out = to;
    while (p && n > 0) {
        ptrdiff_t here = d->pub.end - p;
        if (here <= 0) {
            p = d->at_end ? lade_dec_fail(d, p, LADE_ERR_TRUNCATED, text_of(LADE_ERR_TRUNCATED))
                          : lade_priv_need(&d->pub, p, 1);
            if (p && d->pub.end == p)
                return lade_dec_fail(d, p, LADE_ERR_TRUNCATED, text_of(LADE_ERR_TRUNCATED));
            continue;
        }
        size_t part = (size_t)here < n ? (size_t)here : n;
        memcpy(out, p, part);
        out += part;
        p += part;
        n -= part;
    }
    return p ? lade_priv_need(&d->pub, p, bound) : NULL;
}

bool lade_dec_fits(dec *d, const uint8_t *p, const lade_node *node, uint64_t n)
{
    uint64_t bytes;
    uint64_t left = lade_dec_remaining(d, p);
    if (__builtin_mul_overflow(n, (uint64_t)node->wire_min, &bytes) || bytes > left)
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                             "a count is larger than the rest of the data can hold") != NULL;
    if (node->wire_min > 0)
        return true;
    uint64_t limit = d->job->ctx->limits.max_objects;
    if (limit == 0)
        limit = 4096 + left;
    if (n > limit || d->empty > limit - n)
        return lade_dec_fail(d, p, LADE_ERR_LIMIT, "too many elements that take no bytes") != NULL;
    d->empty += n;
    return true;
}

/* Content lands at cache lines, so that programs may use it with aligned vector instructions; large content
 * at pages: a copy from memory that malloc gave (16 bytes into a page) is then not slowed by stores that
 * alias the loads after them in the lowest 12 bits of the address. */
enum { CONTENT_ALIGN = 64, PAGE_ALIGN = 4096, PAGE_FROM = 1 << 20 };

size_t lade_dec_align(const lade_node *node, size_t size)
{
    size_t align = CONTENT_ALIGN;
    if (!node->natural || size < LADE_CONTENT_MIN)
        return node->type->align;
    if (size >= PAGE_FROM)
        align = PAGE_ALIGN;
    return node->type->align > align ? node->type->align : align;
}

void lade_dec_clear(const dec *d, const lade_node *node, void *memory, size_t n)
{
    lade_coverage covered = d->plan->covered[node->index];
    bool surrogate = node->type->load && !d->job->ctx->interpret;
    if (covered == COVERED_NOT || (covered == COVERED_BUT_TAIL && !surrogate))
        memset(memory, 0, n * node->type->size);
}

void *lade_dec_alloc(dec *d, const uint8_t *p, size_t size, size_t align)
{
    uint64_t limit = d->job->ctx->limits.max_bytes;
    if (limit && (size > limit || d->allocated > limit - size)) {
        lade_dec_fail(d, p, LADE_ERR_LIMIT, "the value needs more memory than the context allows");
        return NULL;
    }
    void *memory = lade_store_alloc(&d->store, d->job, size, align);
    d->allocated += size;
    if (!memory)
        lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
    return memory;
}

static bool content_add(dec *d, const uint8_t *p, void *data, size_t size)
{
    if (size > lade_dec_remaining(d, p))
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                             "an array is larger than the rest of the data can hold") != NULL;
    if (!lade_mem_grow(d->allocator, &d->content, &d->content_capacity, d->content_count + 1,
                       sizeof *d->content))
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding") != NULL;
    d->content[d->content_count++] = (lade_segment){data, size};
    d->claimed += size;
    return true;
}

static bool fixup_add(dec *d, const uint8_t *p, dec_fixup fixup)
{
    if (!lade_mem_grow(d->allocator, &d->fixups, &d->fixup_capacity, d->fixup_count + 1,
                       sizeof *d->fixups))
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding") != NULL;
    d->fixups[d->fixup_count++] = fixup;
    return true;
}

bool lade_dec_after(dec *d, const uint8_t *p, dec_after after)
{
    if (!lade_mem_grow(d->allocator, &d->after, &d->after_capacity, d->after_count + 1,
                       sizeof *d->after))
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding") != NULL;
    d->after[d->after_count++] = after;
    return true;
}

bool lade_priv_after_load(lade_decoder *pub, const lade_node *node, void *value)
{
    dec *d = dec_of(pub);
    if (d->after_count > 0) {
        dec_after *last = &d->after[d->after_count - 1];
        if (last->node == node && !last->map && !last->choice &&
            (unsigned char *)last->value + last->n * node->type->size == (unsigned char *)value) {
            last->n++; /* one array, whose values hold nothing with hooks */
            return true;
        }
    }
    return lade_dec_after(d, pub->end, (dec_after){.node = node, .value = value, .n = 1});
}

bool lade_dec_check_case(dec *d, const uint8_t *p, const lade_choice *choice, const lade_node *node,
                         void *object, uint32_t which)
{
    dec_after after = {.choice = choice, .node = node, .value = object, .n = which};
    if (d->pub.into) {
        after.entries = lade_mem_get(d->allocator, node->type->size);
        if (!after.entries)
            return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding") != NULL;
        memcpy(after.entries, object, node->type->size);
    }
    if (lade_dec_after(d, p, after))
        return true;
    lade_mem_free(d->allocator, after.entries, node->type->size);
    return false;
}

bool lade_priv_check_case(lade_decoder *pub, const lade_node *node, unsigned field, void *object,
                          uint32_t which)
{
    return lade_dec_check_case(dec_of(pub), pub->end, node->type->fields[field].choice,
                               node->edges[field].cases[which].node, object, which);
}

bool lade_dec_note(dec *d, const uint8_t *p, const lade_node *node, void *value, size_t n)
{
    if (node->defaults && !d->pub.into)
        lade_node_defaults(node, value, n);
    return !node->hooked || lade_dec_after(d, p, (dec_after){.node = node, .value = value, .n = n});
}

const uint8_t *lade_dec_content(dec *d, const uint8_t *p, const dec_fixup *fixup)
{
    size_t size = fixup->n * fixup->node->wire_size;
    dec_fixup f = *fixup;
    if (size > lade_dec_remaining(d, p))
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                             "an array is larger than the rest of the data can hold");
    f.wire = lade_mem_get(d->allocator, size);
    if (!f.wire)
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
    if (!fixup_add(d, p, f)) {
        lade_mem_free(d->allocator, f.wire, size);
        return NULL;
    }
    return content_add(d, p, f.wire, size) ? p : NULL;
}

static const uint8_t *get_content(dec *d, const uint8_t *p, const lade_node *node, void *value,
                                  size_t n, size_t size)
{
    if (node->in_place) {
        if (!content_add(d, p, value, size))
            return NULL;
        bool check = node->type->scalar == LADE_BOOL;
        dec_fixup fixup = {.kind = FIXUP_BOOLS, .node = node, .value = value, .n = n};
        return !check || fixup_add(d, p, fixup) ? p : NULL;
    }
    return lade_dec_content(
        d, p, &(dec_fixup){.kind = FIXUP_UNPACK, .node = node, .value = value, .n = n});
}

/* n values of a natural type, as content or from the skeleton. */
static const uint8_t *get_natural(dec *d, const uint8_t *p, const lade_node *node, void *value,
                                  size_t n, size_t bound)
{
    size_t size;
    if (!lade_mul(n, node->wire_size, &size))
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED, "a count is larger than any data can be");
    if ((node->hooked || node->defaults) && !lade_dec_note(d, p, node, value, n))
        return NULL;
    if (size >= LADE_CONTENT_MIN)
        return get_content(d, p, node, value, n, size);
    if (node->in_place) {
        uint64_t at = lade_dec_offset(d, p);
        p = lade_dec_copy(d, p, value, size, bound);
        if (p && node->type->scalar == LADE_BOOL && !lade_priv_bools(value, n))
            return lade_dec_fail_at(d, at, LADE_ERR_VALUE, text_of(LADE_ERR_VALUE));
        return p;
    }
    uint8_t wire[LADE_CONTENT_MIN];
    p = lade_dec_copy(d, p, wire, size, bound);
    if (p)
        lade_node_unpack(node, value, wire, n);
    return p;
}

const uint8_t *lade_priv_get_array(lade_decoder *pub, const uint8_t *p, void *array,
                                   lade_scalar scalar, size_t count, size_t bound)
{
    if (scalar == LADE_F128) {
        p = lade_priv_get_long_doubles(pub, p, lade_scalar_node(scalar), array, count);
        return p ? lade_priv_need(pub, p, bound) : NULL;
    }
    return get_natural(dec_of(pub), p, lade_scalar_node(scalar), array, count, bound);
}

const uint8_t *lade_priv_get_long_doubles(lade_decoder *pub, const uint8_t *p,
                                          const lade_node *node, void *value, size_t n)
{
    unsigned char *to = value;
    for (size_t i = 0; i < n && p; i++, to += node->type->size) {
        p = lade_priv_need(pub, p, LADE_PRIV_VARINT_MAX + 16);
        if (p && !lade_long_double_unpack(to, p))
            return lade_dec_fail(dec_of(pub), p, LADE_ERR_RANGE,
                                 "a long double has more digits than this machine's");
        if (p)
            p += 16;
    }
    return p ? lade_priv_need(pub, p, LADE_PRIV_VARINT_MAX) : NULL;
}

const uint8_t *lade_priv_get_run(lade_decoder *pub, const uint8_t *p, const lade_node *node,
                                 void *value, size_t n)
{
    dec *d = dec_of(pub);
    if (node->natural)
        return get_natural(d, p, node, value, n, LADE_PRIV_VARINT_MAX);
    if (lade_dec_has_load(d, node))
        return node->type->load(pub, p, node, value, n);
    return lade_dec_interpret(d, p, node, value, n);
}

const uint8_t *lade_priv_get_enum_slow(lade_decoder *pub, const uint8_t *p, const lade_enum *en,
                                       int64_t *value)
{
    dec *d = dec_of(pub);
    uint64_t code;
    const uint8_t *q = lade_priv_get_varint(p, &code);
    if (!q)
        return lade_priv_get_fail(pub, p, LADE_ERR_FORMAT);
    if (code > 0) {
        if (code > en->count)
            return lade_dec_fail(d, q, LADE_ERR_VALUE, "an enumerator is not in the list");
        *value = en->list[code - 1].value;
        for (uint64_t i = 0; i + 1 < code && !en->linear; i++)
            if (en->list[i].value == *value)
                return lade_dec_fail(d, q, LADE_ERR_FORMAT,
                                     "not the first name of an enumerator is stored");
        return q;
    }
    *value = (int64_t)lade_priv_load64(q);
    for (uint32_t i = 0; i < en->count; i++)
        if (en->list[i].value == *value)
            return lade_dec_fail(d, q + 8, LADE_ERR_FORMAT,
                                 "a listed enumerator is stored as a number");
    if (d->job->ctx->strict_enums)
        return lade_dec_fail(d, q + 8, LADE_ERR_VALUE, "a value is not in the enumeration");
    return q + 8;
}

const uint8_t *lade_priv_get_enums(lade_decoder *pub, const uint8_t *p, const lade_enum *en,
                                   void *array, lade_scalar scalar, size_t count, size_t bound)
{
    unsigned char *at = array;
    for (size_t i = 0; i < count && p; i++, at += lade_scalar_size(scalar)) {
        int64_t value;
        p = lade_priv_get_enum(pub, p, en, &value);
        if (p && !lade_integer_write(at, scalar, value))
            p = lade_priv_get_fail(pub, p, LADE_ERR_RANGE);
        p = p ? lade_priv_need(pub, p, bound) : NULL;
    }
    return p;
}

/* Memory for a text of n bytes and its NUL, from the shared block. */
char *lade_dec_text(dec *d, const uint8_t *p, size_t n)
{
    if (d->store.separate)
        return lade_dec_alloc(d, p, n + 1, 1);
    if ((size_t)(d->pub.text_end - d->pub.text) <= n) {
        size_t size = d->text_next;
        if (n >= size / 4)
            return lade_dec_alloc(d, p, n + 1, 1);
        uint8_t *block = lade_dec_alloc(d, p, size, 1);
        if (!block)
            return NULL;
        d->pub.text = block;
        d->pub.text_end = block + size;
        if (d->text_next < TEXT_MAX)
            d->text_next *= 2;
    }
    char *text = (char *)d->pub.text;
    d->pub.text += n + 1;
    return text;
}

static const uint8_t *text_into(dec *d, const uint8_t *p, char *text, uint64_t n, size_t bound)
{
    uint64_t at = lade_dec_offset(d, p);
    if (strlen(text) != n)
        return lade_dec_fail(d, p, LADE_ERR_SHAPE,
                             "the stored text has another length than the one "
                             "that is there");
    if (!lade_mem_grow(d->allocator, &d->scratch, &d->scratch_capacity, n + 1, 1))
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
    const uint8_t *q = lade_dec_copy(d, p, d->scratch, n, bound);
    if (q && memchr(d->scratch, 0, n))
        q = lade_dec_fail_at(d, at, LADE_ERR_VALUE, "a text holds a NUL");
    if (q && memcmp(d->scratch, text, n) != 0) /* what is equal may be a literal */
        memcpy(text, d->scratch, n);
    return q;
}

const uint8_t *lade_priv_get_text_slow(lade_decoder *pub, const uint8_t *p, void *field,
                                       size_t bound)
{
    dec *d = dec_of(pub);
    uint64_t n;
    const uint8_t *q = lade_priv_get_varint(p, &n);
    if (!q)
        return lade_priv_get_fail(pub, p, LADE_ERR_FORMAT);
    char *text = NULL;
    if (pub->into) {
        memcpy(&text, field, sizeof text);
        if (!text != (n == 0))
            return lade_dec_fail(d, q, LADE_ERR_SHAPE, "one of two texts is NULL");
        return n == 0 ? q : text_into(d, q, text, n - 1, bound);
    }
    if (n > 0) {
        if (n - 1 > lade_dec_remaining(d, q))
            return lade_dec_fail(d, q, LADE_ERR_TRUNCATED,
                                 "a text is longer than the rest of the data");
        text = lade_dec_text(d, q, n - 1);
        if (!text)
            return NULL;
        uint64_t at = lade_dec_offset(d, q);
        q = lade_dec_copy(d, q, text, n - 1, bound);
        if (!q)
            return NULL;
        if (memchr(text, 0, n - 1))
            return lade_dec_fail_at(d, at, LADE_ERR_VALUE, "a text holds a NUL");
        text[n - 1] = 0;
    }
    memcpy(field, &text, sizeof text);
    return q;
}

const uint8_t *lade_priv_get_fixed_text(lade_decoder *pub, const uint8_t *p, char *text,
                                        size_t size, size_t bound)
{
    dec *d = dec_of(pub);
    uint64_t n;
    const uint8_t *q = lade_priv_get_varint(p, &n);
    if (!q)
        return lade_priv_get_fail(pub, p, LADE_ERR_FORMAT);
    if (n > size)
        return lade_dec_fail(d, q, LADE_ERR_RANGE, "a text is longer than its member");
    uint64_t at = lade_dec_offset(d, q);
    q = lade_dec_copy(d, q, text, n, bound);
    if (q && memchr(text, 0, n))
        return lade_dec_fail_at(d, at, LADE_ERR_VALUE, "a text holds a NUL");
    memset(text + n, 0, size - n);
    return q;
}
