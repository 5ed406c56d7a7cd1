/* The walk from the root: pools, the root's body, the worklist; and the life of decoders. */
#include <string.h>

#include "decode.h"

dec *lade_dec_acquire(lade_job *job)
{
    dec *d = job->ctx->cache->decoders;
    if (d) {
        job->ctx->cache->decoders = d->next;
    } else {
        d = lade_mem_get(job->ctx->allocator, sizeof *d);
        if (!d) {
            lade_job_error(job, LADE_ERR_MEMORY, 0, "out of memory");
            return NULL;
        }
        memset(d, 0, sizeof *d);
        d->allocator = job->ctx->allocator;
    }
    d->job = job;
    d->after_count = 0;
    d->fixup_count = d->content_count = 0;
    return d;
}

static void fixups_free(dec *d)
{
    for (size_t i = 0; i < d->fixup_count; i++)
        lade_mem_free(d->allocator, d->fixups[i].wire,
                      d->fixups[i].n * d->fixups[i].node->wire_size);
    d->fixup_count = 0;
}

/* Existing objects that hostile bytes have turned into another known type become again what they were. */
static void after_free(dec *d)
{
    for (size_t i = d->after_count; i-- > 0;) {
        const dec_after *a = &d->after[i];
        if (a->map && a->map->drop && a->entries && i < d->after_done)
            a->map->drop(a->value);
        if (!a->choice || !a->entries)
            continue;
        if (a->choice->which(a->value) != a->n)
            memcpy(a->value, a->entries, a->node->type->size);
        lade_mem_free(d->allocator, a->entries, a->node->type->size);
    }
    d->after_count = d->after_done = 0;
}

void lade_dec_release(dec *d)
{
    if (!d)
        return;
    fixups_free(d);
    after_free(d);
    lade_store_end(&d->store);
    lade_worklist_reset(d->allocator, &d->work);
    d->next = d->job->ctx->cache->decoders;
    d->job->ctx->cache->decoders = d;
    d->job = NULL;
}

static void dec_free(dec *d)
{
    const lade_allocator *a = d->allocator;
    for (size_t i = 0; i < d->nodes_capacity; i++) {
        lade_slabs *s = &d->nodes[i].slabs;
        lade_mem_free(a, s->existing, s->existing_capacity * sizeof *s->existing);
        lade_ids_free(a, &s->taken);
    }
    lade_mem_free(a, d->nodes, d->nodes_capacity * sizeof *d->nodes);
    lade_mem_free(a, d->views, d->views_capacity * sizeof *d->views);
    lade_mem_free(a, d->window, d->window_capacity);
    lade_mem_free(a, d->scratch, d->scratch_capacity);
    lade_mem_free(a, d->content, d->content_capacity * sizeof *d->content);
    lade_mem_free(a, d->fixups, d->fixup_capacity * sizeof *d->fixups);
    lade_mem_free(a, d->pools, d->pools_capacity * sizeof *d->pools);
    lade_mem_free(a, d->work.items, d->work.capacity * sizeof *d->work.items);
    lade_mem_free(a, d->tags, d->tags_capacity * sizeof *d->tags);
    lade_mem_free(a, d->sizes, d->sizes_capacity * sizeof *d->sizes);
    lade_mem_free(a, d->after, d->after_capacity * sizeof *d->after);
    lade_mem_free(a, d->frames, d->frames_capacity * sizeof *d->frames);
    lade_store_fini(&d->store, a);
    lade_mem_free(a, d, sizeof *d);
}

void lade_decoders_forget(struct dec *list, const lade_plan *plan)
{
    for (; list; list = list->next)
        if (list->clean == plan)
            list->clean = NULL;
}

void lade_decoders_free(struct dec *list)
{
    for (dec *next; list; list = next) {
        next = list->next;
        dec_free(list);
    }
}

/* State by node, as large as the plan needs; what is new is zero. */
static bool nodes_reserve(dec *d, size_t n)
{
    size_t old = d->nodes_capacity;
    if (!lade_mem_grow(d->allocator, &d->views, &d->views_capacity, n, sizeof *d->views) ||
        !lade_mem_grow(d->allocator, &d->nodes, &d->nodes_capacity, n, sizeof *d->nodes))
        return false;
    if (d->nodes_capacity > old)
        memset(d->nodes + old, 0, (d->nodes_capacity - old) * sizeof *d->nodes);
    return true;
}

/* `direct`: refs outside pools are decoded by surrogates, into slabs. */
static bool nodes_clear(dec *d, bool direct)
{
    size_t n = d->plan->node_count;
    if (!nodes_reserve(d, n) ||
        /* surrogates call the interpreter for single fields: a frame more for each level */
        !lade_mem_grow(d->allocator, &d->frames, &d->frames_capacity, 2 * (d->plan->depth + 1),
                       sizeof *d->frames) ||
        !lade_mem_grow(d->allocator, &d->tags, &d->tags_capacity, n, sizeof *d->tags) ||
        !lade_mem_grow(d->allocator, &d->pools, &d->pools_capacity, d->plan->pool_count + 1,
                       sizeof *d->pools))
        return false;
    memset(d->views, 0, n * sizeof *d->views);
    for (size_t i = 0; i < n; i++) {
        lade_priv_objects *objects = &d->nodes[i].slabs.objects;
        d->nodes[i].pool_total = d->nodes[i].slabs.listed = objects->count = objects->limit = 0;
        if (direct && !d->plan->nodes[i].pooled)
            d->views[i] =
                (lade_priv_view){.size = d->plan->nodes[i].type->size, .objects = objects};
        lade_ids_reset(d->allocator, &d->nodes[i].slabs.taken);
    }
    return true;
}

/* Small values of one type, one after another, find the state by node as it was. */
static bool dec_prepare(dec *d, bool into)
{
    bool direct = !into && !d->job->ctx->own_memory;
    if ((d->clean != d->plan || d->direct != direct) && !nodes_clear(d, direct))
        return false;
    d->clean = NULL;
    d->direct = direct;
    d->pub = (lade_decoder){.views = d->views, .tags = d->tags, .into = into};
    d->job->ctx->cache->unknown = (lade_fingerprint){0, 0};
    d->depth = d->after_count = d->after_done = 0;
    d->begin = d->input.bytes;
    d->pub.end = d->input.size ? d->input.bytes + d->input.size : d->input.bytes;
    d->offset = 0;
    d->at_end = d->input.source == NULL;
    d->claimed = d->pending = d->allocated = d->objects = d->empty = 0;
    d->text_next = d->body_next = 256;
    d->work.head = d->work.tail = 0;
    d->open = NULL;
    d->work.join = UINT32_MAX;
    d->pool_next = 0;
    return true;
}

/* Pools and bare arrays start at a cache line also where they are small. */
static size_t whole_align(const dec *d, const lade_node *node, size_t size)
{
    enum { CACHE_LINE = 64 };
    if (d->store.separate)
        return node->type->align;
    size_t align = lade_dec_align(node, size);
    return align < CACHE_LINE ? CACHE_LINE : align;
}

static const uint8_t *pool_place(dec *d, const uint8_t *p, uint32_t k, const unsigned char *into)
{
    const lade_pool_place *place = &d->plan->pools[k];
    dec_pool *pool = &d->pools[k];
    uint64_t there;
    if (into) {
        lade_count_read(into + place->count_offset, (lade_scalar)place->count_scalar, &there);
        memcpy(&pool->base, into + place->offset, sizeof pool->base);
        if (there != pool->count || (there && !pool->base))
            return lade_dec_fail(d, p, LADE_ERR_SHAPE,
                                 "a pool has another size than the one there");
        return p;
    }
    size_t size;
    if (pool->count > SIZE_MAX || !lade_mul((size_t)pool->count, place->node->type->size, &size))
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "the value is too large for this machine");
    size_t align = whole_align(d, place->node, size);
    pool->base = size ? lade_dec_alloc(d, p, size, align) : NULL;
    if (!size)
        return p;
    if (!pool->base)
        return NULL;
    lade_dec_clear(d, place->node, pool->base, (size_t)pool->count);
    return p;
}

static const uint8_t *pool_count(dec *d, const uint8_t *p, const lade_node *node, uint64_t *count)
{
    const uint8_t *q = lade_priv_get_varint(p, count);
    if (!q)
        return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
    if (q > d->pub.end)
        return lade_dec_fail(d, q, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED));
    return lade_dec_fits(d, q, node, *count) ? q : NULL;
}

/* Reads the counts of all pools, checks them against the input together, then makes room for them.
 */
static const uint8_t *get_pools(dec *d, const uint8_t *p, const unsigned char *into)
{
    const lade_plan *plan = d->plan;
    for (uint32_t k = 0; k < plan->pool_count && p; k++) {
        const lade_node *node = plan->pools[k].node;
        p = lade_priv_need(&d->pub, p, LADE_PRIV_VARINT_MAX);
        p = p ? pool_count(d, p, node, &d->pools[k].count) : NULL;
        if (!p) {
            lade_job_path(d->job, plan->pools[k].name, 0, 1);
            return NULL;
        }
        d->pending += d->pools[k].count * node->wire_min; /* until they are reached */
        d->nodes[node->index].pool_total += d->pools[k].count;
    }
    for (uint32_t k = 0; k < plan->pool_count && p; k++)
        p = pool_place(d, p, k, into);
    for (uint32_t k = 0; k < plan->pool_count && p; k++) {
        const lade_node *node = plan->pools[k].node;
        lade_priv_view *view = &d->views[node->index];
        if (view->width == 0 || (view->count == 0 && d->pools[k].count))
            *view = lade_view_make(d->pools[k].base, d->pools[k].count, node->type->size,
                                   d->nodes[node->index].pool_total);
        if (into)
            view->count = 0; /* every reference is compared with the one that is there */
    }
    return p;
}

static const uint8_t *get_value(dec *d, const uint8_t *p, void **value)
{
    const lade_node *node = &d->plan->nodes[0];
    bool into = d->pub.into;
    p = get_pools(d, p, into ? *value : NULL);
    if (!p || (!into && !lade_dec_fits(d, p, node, 1)))
        return NULL;
    if (!into) {
        *value = lade_dec_alloc(d, p, node->type->size, node->type->align);
        if (!*value)
            return NULL;
        memset(*value, 0, node->type->size);
    }
    if (node->target) {
        lade_slabs *s = &d->nodes[0].slabs;
        bool first;
        if (!lade_mem_grow(d->allocator, &s->existing, &s->existing_capacity, 1,
                           sizeof *s->existing) ||
            (into && lade_ids_get(d->allocator, &s->taken, *value, &first) == UINT64_MAX))
            return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
        s->existing[0] = *value;
        s->objects.slab[0] = (uintptr_t)*value - node->type->size;
        s->objects.count = s->listed = 1;
    }
    p = lade_priv_need(&d->pub, p, LADE_PRIV_VARINT_MAX);
    return p ? lade_priv_get_run(&d->pub, p, node, *value, 1) : NULL;
}

static const uint8_t *get_extents(dec *d, const uint8_t *p, const lade_target *target,
                                  size_t *extents, size_t *count)
{
    unsigned rank = *p++;
    if (p > d->pub.end)
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED));
    if (target->found && rank >= 1 && rank <= LADE_MAX_RANK) {
        d->rank = rank;
    } else if (rank != target->rank) {
        lade_job_error(d->job, LADE_ERR_SHAPE, 0, "the stored array has rank %u, not %u", rank,
                       target->rank);
        return NULL;
    }
    for (unsigned i = 0; i < rank; i++) {
        uint64_t n = 0;
        p = lade_priv_need(&d->pub, p, LADE_PRIV_VARINT_MAX);
        const uint8_t *q = p ? lade_priv_get_varint(p, &n) : NULL;
        if (!q)
            return p ? lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT) : NULL;
        p = q;
        if (p > d->pub.end)
            return lade_dec_fail(d, p, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED));
        if (target->into && n != target->extents[i]) {
            lade_job_error(d->job, LADE_ERR_SHAPE, 0,
                           "extent %u of the stored array is %llu, not %zu", i,
                           (unsigned long long)n, target->extents[i]);
            return NULL;
        }
        extents[i] = (size_t)n;
        if (extents[i] != n)
            return lade_dec_fail(d, p, LADE_ERR_MEMORY, "the array is too large for this machine");
    }
    if (!lade_extents_product(rank, extents, count))
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                             "the extents are larger than any data can be");
    return p;
}

static const uint8_t *get_array(dec *d, const uint8_t *p, const lade_target *target, void **value,
                                size_t *extents)
{
    const lade_node *node = &d->plan->nodes[0];
    size_t count = 0;
    p = get_extents(d, p, target, extents, &count);
    if (!p || count == 0)
        return p;
    if (!lade_dec_fits(d, p, node, count))
        return NULL;
    if (!d->pub.into) {
        size_t size;
        if (!lade_mul(count, node->type->size, &size))
            return lade_dec_fail(d, p, LADE_ERR_MEMORY, "the array is too large for this machine");
        *value = lade_dec_alloc(d, p, size, whole_align(d, node, size));
        if (*value)
            lade_dec_clear(d, node, *value, count);
    }
    if (!*value)
        return NULL;
    d->array = *value;
    d->nodes[0].pool_total = count;
    d->views[0] = lade_view_make(*value, count, node->type->size, count);
    if (d->pub.into)
        d->views[0].count = 0;
    p = lade_priv_need(&d->pub, p, LADE_PRIV_VARINT_MAX);
    return p ? lade_priv_get_run(&d->pub, p, node, *value, count) : NULL;
}

static uint64_t work_id(const dec *d, const lade_work *work)
{
    const lade_slabs *s = &d->nodes[work->node].slabs;
    size_t size = d->plan->nodes[work->node].type->size;
    for (uint64_t id = 0; d->store.separate && id < s->objects.count; id++)
        if (s->existing[id] == work->body)
            return id;
    if (d->store.separate)
        return UINT64_MAX;
    for (unsigned k = 0; !d->pub.into && k < LADE_PRIV_SLABS; k++) {
        uint64_t first = 1ULL << k; /* code */
        if (first > s->objects.count)
            break;
        uint64_t code = ((uintptr_t)work->body - s->objects.slab[k]) / size;
        if (code >= first && code < 2 * first)
            return code - 1;
    }
    return UINT64_MAX;
}

static lade_status run_failed(dec *d, const lade_work *work)
{
    lade_status status = lade_job_status(d->job, LADE_ERR_FORMAT, "the data is not valid");
    char piece[sizeof d->job->err.path];
    memcpy(piece, d->job->err.path, sizeof piece);
    const char *type = work ? d->plan->nodes[work->node].type->name : d->plan->root->name;
    lade_path_set(d->job, type, work && work->count == 1 ? work_id(d, work) : UINT64_MAX, piece);
    return status;
}

/* After the walk: nothing may be missing, and (unless content follows in the same memory) left. */
static lade_status check_end(dec *d, const uint8_t *p)
{
    if (p > d->pub.end)
        lade_dec_fail(d, p, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED));
    else if (!d->input.open_end && (p = lade_priv_need(&d->pub, p, 1)) != NULL && p < d->pub.end)
        lade_dec_fail(d, p, LADE_ERR_FORMAT, "bytes are left over after the value");
    else if (d->claimed > d->input.after + (uint64_t)(d->pub.end - p))
        lade_dec_fail(d, p, LADE_ERR_TRUNCATED, "the content ends too early");
    return d->job->err.status;
}

lade_status lade_dec_run(dec *d, const lade_target *target, void **value, size_t *extents)
{
    d->store.separate = false;
    if (!dec_prepare(d, target->into != NULL) ||
        (!target->into && !lade_store_begin(&d->store, d->job->ctx, target->owner)))
        return lade_job_fail(d->job, LADE_ERR_MEMORY, 0, "out of memory while decoding");
    *value = target->into;
    d->rank = target->rank;
    lade_work work;
    const lade_work *at = NULL;
    const uint8_t *p = lade_priv_need(&d->pub, d->begin, LADE_PRIV_VARINT_MAX);
    if (p)
        p = target->rank ? get_array(d, p, target, value, extents) : get_value(d, p, value);
    while (p && lade_dec_settle(d) && lade_worklist_pop(&d->work, &work)) {
        at = &work;
        d->pending -= work.count * d->plan->nodes[work.node].wire_min;
        p = lade_priv_need(&d->pub, p, LADE_PRIV_VARINT_MAX);
        p = p ? lade_priv_get_run(&d->pub, p, &d->plan->nodes[work.node], work.body, work.count)
              : NULL;
    }
    if (!p || d->job->err.status != LADE_OK)
        return run_failed(d, at);
    if (d->objects == 0 && d->plan->pool_count == 0 && target->rank == 0 && !target->into &&
        !d->plan->nodes[0].target)
        d->clean = d->plan;
    d->consumed = d->offset + (uint64_t)(p - d->begin);
    return check_end(d, p);
}

bool lade_dec_begin_alone(dec *d, const lade_plan *plan)
{
    d->plan = plan;
    d->input = (lade_input){0};
    if (dec_prepare(d, false))
        return true;
    lade_job_error(d->job, LADE_ERR_MEMORY, 0, "out of memory while decoding");
    return false;
}

static bool fixup_run(const dec_fixup *f)
{
    uint8_t *words = f->value;
    switch (f->kind) {
    case FIXUP_UNPACK:
        lade_node_unpack(f->node, f->value, f->wire, f->n);
        return true;
    case FIXUP_SCATTER:
        if (f->node->type->scalar == LADE_BOOL && !lade_priv_bools(f->wire, f->n))
            return false;
        lade_dec_scatter(f->grid, f->node, f->value, &f->shape, f->wire);
        return true;
    case FIXUP_BITS:
        for (size_t i = 0; i < f->n; i++)
            words[lade_bits_byte(f->word, i)] = f->wire[i];
        return true;
    case FIXUP_BOOLS:
        break;
    }
    return lade_priv_bools(f->value, f->n);
}

static bool after_one(void *user, const lade_node *node, void *value)
{
    dec *d = user;
    const lade_hooks *hooks = node->type->hooks;
    if (!hooks || !hooks->after_load)
        return true;
    lade_status status = hooks->after_load(value, d->job->ctx->user);
    if (status != LADE_OK)
        lade_job_error(d->job, status, 0, "after_load of '%s' failed: %s", node->type->name,
                       lade_status_string(status));
    return status == LADE_OK;
}

static void after_each(dec *d, const dec_after *a)
{
    unsigned char *value = a->value;
    for (size_t i = 0; i < a->n && after_one(d, a->node, value); i++)
        value += a->node->type->size;
}

/* Maps and hooks, in the order in which the values were read to their end. */
static lade_status run_after(dec *d)
{
    for (size_t i = 0; i < d->after_count && d->job->err.status == LADE_OK; i++) {
        const dec_after *a = &d->after[i];
        d->after_done = i + 1;
        if (a->map && !a->map->fill(a->value, a->entries, a->n))
            lade_job_error(d->job, LADE_ERR_VALUE, 0, "a map refuses its %zu entries", a->n);
        else if (a->choice && a->choice->which(a->value) != a->n)
            lade_job_error(d->job, LADE_ERR_TYPE, 0,
                           "an object is not of the type that it was stored as");
        else if (a->map || a->choice)
            continue;
        else if (a->node->natural)
            lade_node_hooks(a->node, a->value, a->n, true, after_one, d);
        else
            after_each(d, a);
    }
    return d->job->err.status;
}

static lade_status run_fixups(dec *d)
{
    for (size_t i = 0; i < d->fixup_count; i++)
        if (!fixup_run(&d->fixups[i]))
            return lade_job_fail(d->job, LADE_ERR_VALUE, 0,
                                 "a boolean in an array is neither 0 nor 1");
    return LADE_OK;
}

/* Rooms for texts stay from one value to the next. */
bool lade_dec_alone(dec *d, const lade_input *input, const lade_segment *content,
                    const lade_node *node, void *value)
{
    fixups_free(d);
    d->input = *input;
    d->begin = input->bytes;
    d->pub.end = input->bytes + input->size;
    d->offset = 0;
    d->at_end = true;
    d->claimed = d->pending = d->allocated = 0;
    d->content_count = 0;
    const uint8_t *p = lade_priv_need(&d->pub, d->begin, LADE_PRIV_VARINT_MAX);
    p = p ? node->type->load(&d->pub, p, node, value, 1) : NULL;
    if (!p || check_end(d, p) != LADE_OK)
        return false;
    for (size_t i = 0; i < d->content_count; i++) /* a load claims what its save has listed */
        memcpy(lade_priv_unconst(d->content[i].data), content[i].data, content[i].size);
    return run_fixups(d) == LADE_OK;
}

lade_status lade_dec_finish(dec *d)
{
    if (run_fixups(d) != LADE_OK || run_after(d) != LADE_OK)
        return d->job->err.status;
    lade_stats *stats = &d->job->ctx->stats;
    stats->skeleton_bytes = d->consumed;
    stats->content_bytes = d->claimed;
    stats->segments = d->content_count;
    stats->objects = d->objects;
    for (size_t i = 0; i < d->fixup_count; i++)
        if (d->fixups[i].wire)
            stats->staged_bytes += d->fixups[i].n * d->fixups[i].node->wire_size;
    return LADE_OK;
}
