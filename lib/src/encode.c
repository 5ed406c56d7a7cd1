#include "encode.h"

#include <string.h>

/* A block of a streamed skeleton: large enough to make a system call cheap, small enough to stay in
 * the L2 cache. */
enum { STREAM_BLOCK = 512 << 10, KEEP_FIRST = 512 };

static enc *enc_of(lade_encoder *e)
{
    return (enc *)(void *)e;
}

static uint8_t *out_of_memory(enc *e)
{
    lade_job_error(e->job, LADE_ERR_MEMORY, 0, "out of memory while encoding");
    return NULL;
}

/* keep: the bytes in use end at p */
static uint8_t *room_keep(enc *e, uint8_t *p, size_t need)
{
    size_t used = (size_t)(p - e->keep->data);
    size_t start = (size_t)(e->begin - e->keep->data);
    size_t held = e->pub.hold ? (size_t)(p - e->pub.hold) : 0;
    size_t wanted;
    if (__builtin_add_overflow(used, need < KEEP_FIRST ? KEEP_FIRST : need, &wanted) ||
        !lade_mem_grow(e->keep->allocator, &e->keep->data, &e->keep->capacity, wanted, 1))
        return out_of_memory(e);
    e->begin = e->keep->data + start;
    e->pub.end = e->keep->data + e->keep->capacity;
    if (e->pub.hold)
        e->pub.hold = e->keep->data + used - held;
    return e->keep->data + used;
}

/* stream, and fixed memory that is full: pass on what is there and start the block again. Held bytes
 * move along. */
static uint8_t *room_block(enc *e, uint8_t *p, size_t need)
{
    size_t held = e->pub.hold ? (size_t)(p - e->pub.hold) : 0;
    size_t used = (size_t)(p - e->begin) - held;
    if (e->mode == ENC_STREAM && used > 0) {
        lade_status status = e->sink ? e->sink(e->user, e->begin, used) : LADE_OK;
        if (status != LADE_OK) {
            lade_job_error(e->job, status, 0, "the sink of the skeleton failed");
            return NULL;
        }
    }
    e->passed += used;
    e->left = e->left || e->mode == ENC_FIXED;
    size_t size;
    if (__builtin_add_overflow(need, held, &size))
        return out_of_memory(e);
    if (size < STREAM_BLOCK)
        size = STREAM_BLOCK;
    bool inside = e->block.data && e->begin == e->block.data;
    e->block.allocator = e->allocator;
    if (!lade_mem_grow(e->allocator, &e->block.data, &e->block.capacity, size, 1))
        return out_of_memory(e);
    if (held)
        memmove(e->block.data, inside ? e->block.data + used : e->begin + used, held);
    if (e->pub.hold)
        e->pub.hold = e->block.data;
    e->begin = e->block.data;
    e->pub.end = e->block.data + e->block.capacity;
    return e->begin + held;
}

uint8_t *lade_priv_room(lade_encoder *pub, uint8_t *p, size_t bound)
{
    enc *e = enc_of(pub);
    if ((size_t)(pub->end - p) >= bound)
        return p;
    return e->mode == ENC_KEEP ? room_keep(e, p, bound) : room_block(e, p, bound);
}

uint8_t *lade_priv_put_bytes(lade_encoder *pub, uint8_t *p, const void *bytes, size_t n,
                             size_t bound)
{
    enc *e = enc_of(pub);
    const uint8_t *from = bytes;
    if (e->mode == ENC_KEEP) {
        size_t need;
        p = __builtin_add_overflow(n, bound, &need) ? out_of_memory(e)
                                                    : lade_priv_room(pub, p, need);
        if (!p)
            return NULL;
        memcpy(p, from, n);
        return p + n;
    }
    while (n > (size_t)(pub->end - p)) {
        size_t part = (size_t)(pub->end - p);
        memcpy(p, from, part);
        from += part;
        n -= part;
        p = room_block(e, p + part, 1);
        if (!p)
            return NULL;
    }
    memcpy(p, from, n);
    return lade_priv_room(pub, p + n, bound);
}

static bool range_add(enc *e, const lade_node *node, const void *body, size_t n, bool target)
{
    uintptr_t start = (uintptr_t)body;
    if (!lade_mem_grow(e->allocator, &e->ranges, &e->range_capacity, e->range_count + 1,
                       sizeof *e->ranges))
        return out_of_memory(e) != NULL;
    e->ranges[e->range_count++] = (lade_range){start, start + n * node->type->size, node, target};
    return true;
}

/* Known types are listed at their first use: the next number, and the fingerprint behind it. */
uint8_t *lade_priv_put_tag_slow(lade_encoder *pub, uint8_t *p, const lade_node *node, size_t bound)
{
    enc *e = enc_of(pub);
    uint8_t print[16];
    e->tags[node->index] = ++e->tag_count;
    p = lade_priv_put_varint(p, e->tag_count);
    lade_priv_store64(print, e->plan->known[node->index].low);
    lade_priv_store64(print + 8, e->plan->known[node->index].high);
    return lade_priv_put_bytes(pub, p, print, sizeof print, bound);
}

bool lade_priv_before_save(lade_encoder *pub, const lade_node *node, const void *value)
{
    enc *e = enc_of(pub);
    lade_status status =
        node->type->hooks->before_save(lade_priv_unconst(value), e->job->ctx->user);
    if (status == LADE_OK)
        return true;
    lade_job_error(e->job, status, 0, "before_save of '%s' failed: %s", node->type->name,
                   lade_status_string(status));
    return false;
}

static bool before_one(void *user, const lade_node *node, void *value)
{
    enc *e = user;
    const lade_hooks *hooks = node->type->hooks;
    return !hooks || !hooks->before_save || lade_priv_before_save(&e->pub, node, value);
}

bool lade_enc_before(enc *e, const lade_node *node, const void *value, size_t n)
{
    return lade_node_hooks(node, lade_priv_unconst(value), n, false, before_one, e);
}

bool lade_priv_note_body(lade_encoder *pub, const lade_node *node, const void *body, size_t n)
{
    return range_add(enc_of(pub), node, body, n, false);
}

static bool content_add(enc *e, const void *data, size_t size)
{
    if (!lade_mem_grow(e->allocator, &e->content, &e->content_capacity, e->content_count + 1,
                       sizeof *e->content))
        return out_of_memory(e) != NULL;
    e->content[e->content_count++] = (lade_segment){lade_priv_unconst(data), size};
    e->content_size += size;
    return true;
}

bool lade_enc_content(enc *e, const void *data, size_t size)
{
    return content_add(e, data, size);
}

void *lade_enc_stage(enc *e, size_t size)
{
    enc_staged *staged;
    size_t bytes;
    if (__builtin_add_overflow(sizeof *staged, size, &bytes) ||
        !(staged = lade_mem_get(e->allocator, bytes))) {
        out_of_memory(e);
        return NULL;
    }
    *staged = (enc_staged){e->staged, bytes};
    e->staged = staged;
    e->staged_size += size;
    return staged + 1;
}

uint8_t *lade_enc_fail(enc *e, lade_status status, const char *text)
{
    lade_job_error(e->job, status, 0, "%s", text);
    return NULL;
}

/* Content that does not stand in memory as on the wire is packed into memory of the encoder. */
static bool content_add_staged(enc *e, const lade_node *node, const void *value, size_t n)
{
    uint8_t *wire = lade_enc_stage(e, n * node->wire_size);
    if (!wire)
        return false;
    lade_node_pack(node, wire, value, n);
    return content_add(e, wire, n * node->wire_size);
}

/* n values of a natural type: content if they are many, else straight into the skeleton. */
static uint8_t *put_natural(enc *e, uint8_t *p, const lade_node *node, const void *value, size_t n,
                            size_t bound)
{
    size_t size;
    if (!lade_mul(n, node->wire_size, &size))
        return out_of_memory(e);
    if (node->hooked && !lade_enc_before(e, node, value, n))
        return NULL;
    if (size >= LADE_CONTENT_MIN) {
        bool ok =
            node->in_place ? content_add(e, value, size) : content_add_staged(e, node, value, n);
        return ok ? p : NULL;
    }
    if (node->in_place)
        return lade_priv_put_bytes(&e->pub, p, value, size, bound);
    uint8_t wire[LADE_CONTENT_MIN];
    lade_node_pack(node, wire, value, n);
    return lade_priv_put_bytes(&e->pub, p, wire, size, bound);
}

uint8_t *lade_priv_put_array(lade_encoder *pub, uint8_t *p, const void *array, lade_scalar scalar,
                             size_t count, size_t bound)
{
    if (scalar == LADE_F128) {
        p = lade_priv_put_long_doubles(pub, p, lade_scalar_node(scalar), array, count);
        return p ? lade_priv_room(pub, p, bound) : NULL;
    }
    return put_natural(enc_of(pub), p, lade_scalar_node(scalar), array, count, bound);
}

uint8_t *lade_priv_put_long_doubles(lade_encoder *pub, uint8_t *p, const lade_node *node,
                                    const void *value, size_t n)
{
    const unsigned char *from = value;
    for (size_t i = 0; i < n && p; i++, from += node->type->size) {
        p = lade_priv_room(pub, p, LADE_PRIV_VARINT_MAX + 16);
        if (!p)
            return NULL;
        lade_long_double_pack(p, from);
        p += 16;
    }
    return p ? lade_priv_room(pub, p, LADE_PRIV_VARINT_MAX) : NULL;
}

uint8_t *lade_priv_put_run(lade_encoder *pub, uint8_t *p, const lade_node *node, const void *value,
                           size_t n)
{
    enc *e = enc_of(pub);
    if (node->natural)
        return put_natural(e, p, node, value, n, LADE_PRIV_VARINT_MAX);
    if (lade_enc_has_save(e, node))
        return node->type->save(pub, p, node, value, n);
    return lade_enc_interpret(e, p, node, value, n);
}

uint8_t *lade_priv_put_body(lade_encoder *pub, uint8_t *p, const lade_edge *edge, const void *body,
                            size_t n, size_t bound)
{
    enc *e = enc_of(pub);
    if (pub->ranging && !range_add(e, edge->node, body, n, false))
        return NULL;
    if (edge->node->natural)
        return put_natural(e, p, edge->node, body, n, bound);
    if (!lade_worklist_push(e->allocator, &e->work, lade_priv_unconst(body), edge->node, n))
        return out_of_memory(e);
    return p;
}

uint8_t *lade_priv_put_enum_slow(lade_encoder *pub, uint8_t *p, const lade_enum *en, int64_t value)
{
    for (uint32_t i = 0; i < en->count; i++)
        if (en->list[i].value == value)
            return lade_priv_put_varint(p, (uint64_t)i + 1);
    enc *e = enc_of(pub);
    if (e->job->ctx->strict_enums) {
        lade_job_error(e->job, LADE_ERR_VALUE, 0, "%lld is not in the enumeration '%s'",
                       (long long)value, en->name);
        return NULL;
    }
    *p = 1; /* varint 0 */
    lade_priv_store64(p + 1, (uint64_t)value);
    return p + 9;
}

uint8_t *lade_priv_put_enums(lade_encoder *pub, uint8_t *p, const lade_enum *en, const void *array,
                             lade_scalar scalar, size_t count, size_t bound)
{
    const unsigned char *at = array;
    for (size_t i = 0; i < count && p; i++, at += lade_scalar_size(scalar)) {
        p = lade_priv_put_enum(pub, p, en, lade_integer_read(at, scalar));
        p = p ? lade_priv_room(pub, p, bound) : NULL;
    }
    return p;
}

/* Pools beyond the first of a type: all of the root's are compared. */
static uint64_t pool_code(const enc *e, const lade_node *target, const void *pointer,
                          const unsigned char *root)
{
    uint64_t first = 1;
    for (uint32_t k = 0; root && k < e->plan->pool_count; k++) {
        const lade_pool_place *pool = &e->plan->pools[k];
        uint64_t count;
        uintptr_t base;
        if (pool->node != target)
            continue;
        lade_count_read(root + pool->count_offset, (lade_scalar)pool->count_scalar, &count);
        memcpy(&base, root + pool->offset, sizeof base);
        uint64_t offset = (uintptr_t)pointer - base;
        if (offset / target->type->size < count && offset % target->type->size == 0)
            return first + offset / target->type->size;
        first += count;
    }
    return 0;
}

static uint8_t *put_code(uint8_t *p, const lade_priv_view *view, uint64_t code)
{
    uint8_t bytes[8];
    lade_priv_store64(bytes, code);
    memcpy(p, bytes, view->width);
    return p + view->width;
}

/* An object that is mentioned for the first time. */
static inline bool object_new(enc *e, const lade_node *target, const void *pointer)
{
    if (target->pools) {
        lade_job_error(e->job, LADE_ERR_REFERENCE, 0,
                       "a reference to a '%s', which holds pools, that is not the saved value",
                       target->type->name);
        return false;
    }
    e->objects++;
    if (e->pub.ranging && !range_add(e, target, pointer, 1, true))
        return false;
    return lade_worklist_add(e->allocator, &e->work, lade_priv_unconst(pointer), target) ||
           out_of_memory(e);
}

/* An object that is in no pool. */
static inline uint8_t *put_object(enc *e, uint8_t *p, const lade_node *target, const void *pointer)
{
    bool fresh;
    uint64_t id = lade_ids_get(e->allocator, &e->nodes[target->index].ids, pointer, &fresh);
    if (__builtin_expect(id == UINT64_MAX, 0))
        return out_of_memory(e);
    if (fresh && !object_new(e, target, pointer))
        return NULL;
    return lade_priv_put_varint(p, id + 1);
}

static __attribute__((noinline)) uint8_t *put_pooled(enc *e, uint8_t *p, const lade_node *target,
                                                     const void *pointer)
{
    const lade_priv_view *view = &e->views[target->index];
    uint64_t code = 0;
    if (pointer && e->pool_root)
        code = pool_code(e, target, pointer, e->pool_root);
    if (code || !pointer)
        return put_code(p, view, code);
    p = put_code(p, view, e->nodes[target->index].pool_total + 1);
    return put_object(e, p, target, pointer);
}

uint8_t *lade_priv_put_ref_slow(lade_encoder *pub, uint8_t *p, const lade_node *target,
                                const void *pointer)
{
    enc *e = enc_of(pub);
    if (target->pooled)
        return put_pooled(e, p, target, pointer);
    if (!pointer) {
        *p = 1;
        return p + 1;
    }
    return put_object(e, p, target, pointer);
}

uint8_t *lade_priv_put_fail(lade_encoder *pub, lade_status status)
{
    lade_job_error(enc_of(pub)->job, status, 0,
                   "its count is negative, or its pointer is NULL "
                   "with a count");
    return NULL;
}

uint8_t *lade_priv_put_trace(lade_encoder *pub, const lade_node *node, unsigned field, size_t i,
                             size_t n)
{
    lade_job_path(enc_of(pub)->job, node->type->fields[field].name, i, n);
    return NULL;
}
