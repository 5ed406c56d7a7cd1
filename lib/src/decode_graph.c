/* Bodies behind pointers: vectors, optionals, pools and the objects of refs. */
#include <string.h>

#include "decode.h"

static dec *dec_of(lade_decoder *d)
{
    return (dec *)(void *)d;
}

static void set_pointer(void *field, const void *pointer)
{
    memcpy(field, &pointer, sizeof pointer);
}

static void *get_pointer(const void *field)
{
    void *pointer;
    memcpy(&pointer, field, sizeof pointer);
    return pointer;
}

/* Small bodies share blocks that double up to this size. */
enum { BODY_MAX = 1 << 20, BODY_SMALL = 4096 };

/* A block holds at least four such bodies. What is left of the last one is given up. */
static void *small_body(dec *d, const uint8_t *p, size_t size)
{
    size_t bytes = (size + LADE_PRIV_BODY_ALIGN - 1) & ~(size_t)(LADE_PRIV_BODY_ALIGN - 1);
    if (bytes > (size_t)(d->pub.body_end - d->pub.body)) {
        while (d->body_next < 4 * bytes)
            d->body_next *= 2;
        uint8_t *block = lade_dec_alloc(d, p, d->body_next, LADE_PRIV_BODY_ALIGN);
        if (!block)
            return NULL;
        d->pub.body = block;
        d->pub.body_end = block + d->body_next;
        if (d->body_next < BODY_MAX)
            d->body_next *= 2;
    }
    void *body = d->pub.body;
    d->pub.body += bytes;
    return body;
}

/* New memory for n values that follow in the input. */
static void *body_alloc(dec *d, const uint8_t *p, const lade_node *node, uint64_t n)
{
    size_t size;
    if (!lade_dec_fits(d, p, node, n))
        return NULL;
    if (n > SIZE_MAX || !lade_mul((size_t)n, node->type->size, &size)) {
        lade_dec_fail(d, p, LADE_ERR_MEMORY, "the value is too large for this machine");
        return NULL;
    }
    bool separate = d->store.separate;
    size_t align = lade_dec_new_align(d, node, size);
    void *body = !separate && size <= BODY_SMALL && align <= LADE_PRIV_BODY_ALIGN
                     ? small_body(d, p, size)
                     : lade_dec_alloc(d, p, size, align);
    if (body)
        lade_dec_clear(d, node, body, (size_t)n);
    return body;
}

/* The memory of a body: what is there (into), or new. */
static void *body_place(dec *d, const uint8_t *p, const lade_node *node, void *field, uint64_t n)
{
    void *body;
    if (d->pub.into) {
        body = get_pointer(field);
        if (!body)
            lade_dec_fail(d, p, LADE_ERR_SHAPE, "a pointer that is there is NULL");
        else if (!lade_dec_fits(d, p, node, n))
            body = NULL;
        return body;
    }
    body = body_alloc(d, p, node, n);
    if (body)
        set_pointer(field, body);
    return body;
}

static bool work_add(dec *d, const lade_node *node, void *body, size_t n)
{
    d->pending += n * node->wire_min;
    return lade_worklist_push(d->allocator, &d->work, body, node, n);
}

/* Objects that are counted and not listed are the last of their slab. */
bool lade_dec_settle(dec *d)
{
    uint64_t n = lade_dec_unlisted(d);
    if (n == 0)
        return true;
    lade_slabs *s = &d->nodes[d->open->index].slabs;
    void *first = lade_slab_object(s, s->listed + 1, d->open->type->size);
    s->listed += n;
    d->objects += n;
    if (!work_add(d, d->open, first, (size_t)n))
        lade_dec_fail(d, d->pub.end, LADE_ERR_MEMORY, "out of memory while decoding");
    return d->job->err.status == LADE_OK;
}

bool lade_dec_push(dec *d, const uint8_t *p, const lade_node *node, void *body, size_t n)
{
    if (!lade_dec_settle(d))
        return false;
    return work_add(d, node, body, n) ||
           lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding") != NULL;
}

/* Bulk, worklist, or *body for the caller to load. */
const uint8_t *lade_dec_body(dec *d, const uint8_t *p, const lade_edge *edge, void *at, size_t n,
                             size_t bound, void **body)
{
    if (edge->flags & LADE_EDGE_NATURAL) {
        p = lade_priv_get_run(&d->pub, p, edge->node, at, n);
        return p ? lade_priv_need(&d->pub, p, bound) : NULL;
    }
    if (edge->flags & LADE_EDGE_DEFERRED) {
        return lade_dec_push(d, p, edge->node, at, n) ? p : NULL;
    }
    *body = at;
    return p;
}

const uint8_t *lade_priv_get_vector(lade_decoder *pub, const uint8_t *p, const lade_edge *edge,
                                    void *field, uint64_t n, size_t bound, void **body)
{
    dec *d = dec_of(pub);
    *body = NULL;
    if (n == 0) {
        if (!pub->into)
            set_pointer(field, NULL);
        return p;
    }
    void *at = body_place(d, p, edge->node, field, n);
    return at ? lade_dec_body(d, p, edge, at, (size_t)n, bound, body) : NULL;
}

const uint8_t *lade_priv_get_object(lade_decoder *pub, const uint8_t *p, const lade_edge *edge,
                                    void *field, size_t bound, void **body)
{
    dec *d = dec_of(pub);
    *body = NULL;
    void *at = body_place(d, p, edge->node, field, 1);
    return at ? lade_dec_body(d, p, edge, at, 1, bound, body) : NULL;
}

const uint8_t *lade_priv_get_optional(lade_decoder *pub, const uint8_t *p, const lade_edge *edge,
                                      void *field, size_t bound, void **body)
{
    dec *d = dec_of(pub);
    *body = NULL;
    unsigned there = *p++;
    if (there > 1)
        return lade_dec_fail(d, p, LADE_ERR_VALUE, "the mark of an optional is neither 0 nor 1");
    if (pub->into && (get_pointer(field) != NULL) != (there == 1))
        return lade_dec_fail(d, p, LADE_ERR_SHAPE, "one of two optionals is NULL");
    if (!there) {
        if (!pub->into)
            set_pointer(field, NULL);
        return p;
    }
    return lade_priv_get_object(pub, p, edge, field, bound, body);
}

const uint8_t *lade_priv_get_pool(lade_decoder *pub, const uint8_t *p, const lade_edge *edge,
                                  void *field, size_t bound, uint64_t *n, void **body)
{
    dec *d = dec_of(pub);
    const dec_pool *pool = &d->pools[d->pool_next++];
    d->pending -= pool->count * edge->node->wire_min; /* here they are */
    *body = NULL;
    *n = pool->count;
    if (!pub->into)
        set_pointer(field, pool->count ? pool->base : NULL);
    if (pool->count == 0)
        return p;
    return lade_dec_body(d, p, edge, pool->base, (size_t)pool->count, bound, body);
}

/* The object of an id in memory of its own; the next new id makes it. */
static void *separate_object(dec *d, const uint8_t *p, const lade_node *node, uint64_t id,
                             bool fresh)
{
    lade_slabs *s = &d->nodes[node->index].slabs;
    if (!fresh)
        return s->existing[id];
    if (!lade_mem_grow(d->allocator, &s->existing, &s->existing_capacity, id + 1,
                       sizeof *s->existing)) {
        lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
        return NULL;
    }
    s->existing[id] = lade_dec_alloc(d, p, node->type->size, node->type->align);
    if (s->existing[id])
        lade_dec_clear(d, node, s->existing[id], 1);
    return s->existing[id];
}

static bool slab_make(dec *d, const uint8_t *p, const lade_node *node, unsigned k)
{
    size_t size;
    if (!lade_mul((size_t)1 << k, node->type->size, &size))
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "the value is too large for this machine") !=
               NULL;
    void *slab = lade_dec_alloc(d, p, size, node->type->align);
    if (!slab)
        return false;
    lade_dec_clear(d, node, slab, (size_t)1 << k);
    d->nodes[node->index].slabs.objects.slab[k] = (uintptr_t)slab - size;
    return true;
}

/* The object of an id in new memory; the next new id makes it. */
static void *slab_object(dec *d, const uint8_t *p, const lade_node *node, uint64_t id, bool *fresh)
{
    lade_slabs *s = &d->nodes[node->index].slabs;
    *fresh = id == s->objects.count;
    if (id > s->objects.count) {
        lade_dec_fail(d, p, LADE_ERR_REFERENCE, "a reference names an object that does not exist");
        return NULL;
    }
    if (*fresh && node->pools) {
        lade_dec_fail(d, p, LADE_ERR_REFERENCE,
                      "a reference names a second object that holds pools");
        return NULL;
    }
    if (*fresh && !lade_dec_fits(d, p, node, 1))
        return NULL;
    if (d->store.separate)
        return separate_object(d, p, node, id, *fresh);
    unsigned k = lade_slab_of(id + 1);
    if (k >= LADE_PRIV_SLABS) {
        lade_dec_fail(d, p, LADE_ERR_LIMIT, "too many objects");
        return NULL;
    }
    if (*fresh && id + 1 == 1ULL << k && !slab_make(d, p, node, k))
        return NULL;
    return lade_slab_object(s, id + 1, node->type->size);
}

/* Whether a pointer leads into a pool of its type (or the array that is the root). */
static bool in_pools(const dec *d, const lade_node *node, const void *pointer)
{
    if (d->plan->array)
        return (uintptr_t)pointer - (uintptr_t)d->array <
               d->nodes[node->index].pool_total * node->type->size;
    for (uint32_t k = 0; k < d->plan->pool_count; k++)
        if (d->plan->pools[k].node == node &&
            (uintptr_t)pointer - (uintptr_t)d->pools[k].base < d->pools[k].count * node->type->size)
            return true;
    return false;
}

/* The object of an id in existing memory: the one that the field points to, from its first mention
 * on. */
static void *existing_object(dec *d, const uint8_t *p, const lade_node *node, uint64_t id,
                             void *there, bool *fresh)
{
    lade_slabs *s = &d->nodes[node->index].slabs;
    *fresh = id == s->objects.count;
    if (id > s->objects.count) {
        lade_dec_fail(d, p, LADE_ERR_REFERENCE, "a reference names an object that does not exist");
        return NULL;
    }
    if (*fresh) {
        if (!lade_mem_grow(d->allocator, &s->existing, &s->existing_capacity, id + 1,
                           sizeof *s->existing)) {
            lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
            return NULL;
        }
        s->existing[id] = there;
    }
    if (there && node->pooled && in_pools(d, node, there)) {
        lade_dec_fail(d, p, LADE_ERR_SHAPE,
                      "an object outside the pools is stored, the one there is inside");
        return NULL;
    }
    bool first = false;
    if (there && lade_ids_get(d->allocator, &s->taken, there, &first) == UINT64_MAX) {
        lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
        return NULL;
    }
    if (!there || s->existing[id] != there || first != *fresh) {
        lade_dec_fail(d, p, LADE_ERR_SHAPE,
                      "a reference leads to another object than the one there");
        return NULL;
    }
    return there;
}

/* Until another type has its turn, surrogates may count further objects on their own: as many as have
 * memory and may still follow in the input. A natural one is a run of its own. */
static void objects_open(dec *d, const uint8_t *p, const lade_node *node)
{
    if (d->open)
        d->nodes[d->open->index].slabs.objects.limit = 0;
    d->open = NULL;
    if (!d->views[node->index].objects || node->natural || node->wire_min == 0)
        return;
    lade_priv_objects *objects = &d->nodes[node->index].slabs.objects;
    uint64_t room = (2ULL << lade_slab_of(objects->count)) - 1 - objects->count;
    uint64_t rest = lade_dec_remaining(d, p) / node->wire_min;
    objects->limit = objects->count + (rest < room ? rest : room);
    d->open = node;
}

/* An object that is mentioned for the first time. */
static bool object_new(dec *d, const uint8_t *p, const lade_node *node, void *object)
{
    lade_slabs *s = &d->nodes[node->index].slabs;
    if (!lade_dec_push(d, p, node, object, 1))
        return false;
    s->listed = ++s->objects.count;
    d->objects++;
    objects_open(d, p, node);
    return true;
}

static const uint8_t *table_ref(dec *d, const uint8_t *p, const lade_node *node, void *field)
{
    uint64_t code;
    const uint8_t *q = lade_priv_get_varint(p, &code);
    if (!q)
        return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
    if (q > d->pub.end)
        return lade_dec_fail(d, q, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED));
    void *there = d->pub.into ? get_pointer(field) : NULL;
    if (code == 0) {
        if (there)
            return lade_dec_fail(d, q, LADE_ERR_SHAPE,
                                 "the stored reference is NULL, the one there not");
        if (!d->pub.into)
            set_pointer(field, NULL);
        return q;
    }
    bool fresh;
    void *object = d->pub.into ? existing_object(d, q, node, code - 1, there, &fresh)
                               : slab_object(d, q, node, code - 1, &fresh);
    if (!object)
        return NULL;
    if (fresh && !object_new(d, q, node, object))
        return NULL;
    if (!d->pub.into)
        set_pointer(field, object);
    return q;
}

/* The address of object i (from 0) among all pools of a type. */
static void *pool_object(const dec *d, const lade_node *node, uint64_t i)
{
    if (d->plan->array)
        return d->array + i * node->type->size;
    for (uint32_t k = 0; k < d->plan->pool_count; k++) {
        if (d->plan->pools[k].node != node)
            continue;
        if (i < d->pools[k].count)
            return d->pools[k].base + i * node->type->size;
        i -= d->pools[k].count;
    }
    return NULL;
}

const uint8_t *lade_priv_get_ref_slow(lade_decoder *pub, const uint8_t *p, const lade_node *target,
                                      void *field)
{
    dec *d = dec_of(pub);
    const lade_priv_view *view = &d->views[target->index];
    const uint8_t *quick =
        view->objects ? lade_priv_get_coded(view->objects, view->size, p, field) : NULL;
    if (quick && quick <= pub->end)
        return quick;
    if (!target->pooled)
        return table_ref(d, p, target, field);
    uint64_t total = d->nodes[target->index].pool_total;
    uint64_t code = lade_priv_load64(p) & view->mask;
    p += view->width;
    if (p > pub->end)
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED));
    if (code > total + 1)
        return lade_dec_fail(d, p, LADE_ERR_REFERENCE, "a reference lies beyond its pool");
    if (code == total + 1) {
        const uint8_t *q = table_ref(d, p, target, field);
        bool null = q && q == p + 1 && *p == 1;
        return null ? lade_dec_fail(d, p, LADE_ERR_FORMAT,
                                    "NULL is stored as an object outside its pools")
                    : q;
    }
    void *object = code ? pool_object(d, target, code - 1) : NULL;
    if (pub->into && get_pointer(field) != object)
        return lade_dec_fail(d, p, LADE_ERR_SHAPE,
                             "a reference leads to another object than the one there");
    if (!pub->into)
        set_pointer(field, object);
    return p;
}
