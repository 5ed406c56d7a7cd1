/* The walk from the root: pools, the root's body, the worklist; and the life of encoders. */
#include <string.h>

#include <lade/custom.h>

#include "encode.h"
#include "prefetch.h"

#ifdef NDEBUG
#define ALWAYS_RANGING false
#else
#define ALWAYS_RANGING true
#endif

/* Values of an item: few enough that all of them are looked at ahead of time. */
enum { JOIN_MAX = 4 };

enc *lade_enc_acquire(lade_job *job)
{
    enc *e = job->ctx->cache->encoders;
    if (e) {
        job->ctx->cache->encoders = e->next;
    } else {
        e = lade_mem_get(job->ctx->allocator, sizeof *e);
        if (!e) {
            lade_job_error(job, LADE_ERR_MEMORY, 0, "out of memory");
            return NULL;
        }
        memset(e, 0, sizeof *e);
        e->allocator = job->ctx->allocator;
    }
    e->job = job;
    e->mode = ENC_KEEP;
    e->keep = &e->own;
    e->sink = NULL;
    e->own.allocator = e->allocator;
    e->own.size = 0;
    return e;
}

static void staged_free(enc *e)
{
    for (enc_staged *next; e->staged; e->staged = next) {
        next = e->staged->next;
        lade_mem_free(e->allocator, e->staged, e->staged->size);
    }
}

void lade_enc_release(enc *e)
{
    if (!e)
        return;
    staged_free(e);
    lade_worklist_reset(e->allocator, &e->work);
    e->next = e->job->ctx->cache->encoders;
    e->job->ctx->cache->encoders = e;
    e->job = NULL;
}

static void enc_free(enc *e)
{
    const lade_allocator *a = e->allocator;
    for (size_t i = 0; i < e->nodes_capacity; i++)
        lade_ids_free(a, &e->nodes[i].ids);
    lade_mem_free(a, e->nodes, e->nodes_capacity * sizeof *e->nodes);
    lade_mem_free(a, e->views, e->views_capacity * sizeof *e->views);
    lade_mem_free(a, e->content, e->content_capacity * sizeof *e->content);
    lade_mem_free(a, e->work.items, e->work.capacity * sizeof *e->work.items);
    lade_mem_free(a, e->frames, e->frames_capacity * sizeof *e->frames);
    lade_mem_free(a, e->tags, e->tags_capacity * sizeof *e->tags);
    lade_mem_free(a, e->ranges, e->range_capacity * sizeof *e->ranges);
    lade_buffer_fini(&e->own);
    lade_buffer_fini(&e->block);
    lade_mem_free(a, e, sizeof *e);
}

void lade_encoders_forget(struct enc *list, const lade_plan *plan)
{
    for (; list; list = list->next)
        if (list->clean == plan)
            list->clean = NULL;
}

void lade_encoders_free(struct enc *list)
{
    for (enc *next; list; list = next) {
        next = list->next;
        enc_free(list);
    }
}

/* State by node, as large as the plan needs; what is new is zero. */
static bool nodes_reserve(enc *e, size_t n)
{
    size_t old = e->nodes_capacity;
    if (!lade_mem_grow(e->allocator, &e->views, &e->views_capacity, n, sizeof *e->views) ||
        !lade_mem_grow(e->allocator, &e->nodes, &e->nodes_capacity, n, sizeof *e->nodes))
        return false;
    if (e->nodes_capacity > old)
        memset(e->nodes + old, 0, (e->nodes_capacity - old) * sizeof *e->nodes);
    return true;
}

static bool nodes_clear(enc *e)
{
    size_t n = e->plan->node_count;
    /* surrogates call the interpreter for single fields: a frame more for each level */
    if (!nodes_reserve(e, n) ||
        !lade_mem_grow(e->allocator, &e->frames, &e->frames_capacity, 2 * (e->plan->depth + 1),
                       sizeof *e->frames) ||
        !lade_mem_grow(e->allocator, &e->tags, &e->tags_capacity, n, sizeof *e->tags))
        return false;
    memset(e->views, 0, n * sizeof *e->views);
    memset(e->tags, 0, n * sizeof *e->tags);
    for (size_t i = 0; i < n; i++) {
        e->nodes[i].pool_total = 0;
        lade_ids_reset(e->allocator, &e->nodes[i].ids);
        if (!e->plan->nodes[i].pooled)
            e->views[i].map = &e->nodes[i].ids.map;
    }
    return true;
}

/* Small values of one type, one after another, find the state by node as it was. */
static bool enc_prepare(enc *e)
{
    if (e->clean != e->plan && !nodes_clear(e))
        return false;
    e->clean = NULL;
    e->pub.tags = e->tags;
    e->tag_count = 0;
    e->depth = 0;
    e->pub.hold = NULL;
    staged_free(e);
    e->pub.views = e->views;
    e->passed = e->objects = e->content_size = e->staged_size = 0;
    e->content_count = e->range_count = 0;
    e->work.head = e->work.tail = 0;
    e->work.join = JOIN_MAX;
    e->pool_root = NULL;
    e->left = false;
    e->pub.ranging = ALWAYS_RANGING || e->job->ctx->check_interior;
    return true;
}

/* Where the root, or a pool of it, stands. */
static bool note(enc *e, const lade_node *node, const void *base, uint64_t count)
{
    return !e->pub.ranging || count == 0 || lade_priv_note_body(&e->pub, node, base, (size_t)count);
}

/* Registers the pools of the root and writes their counts. */
static uint8_t *put_pools(enc *e, uint8_t *p, const unsigned char *root)
{
    const lade_plan *plan = e->plan;
    e->pool_root = plan->pool_count ? root : NULL;
    for (uint32_t k = 0; k < plan->pool_count && p; k++) {
        const lade_pool_place *pool = &plan->pools[k];
        uint64_t count;
        const void *base;
        bool fits =
            lade_count_read(root + pool->count_offset, (lade_scalar)pool->count_scalar, &count);
        memcpy(&base, root + pool->offset, sizeof base);
        if (!fits || (count && !base)) {
            lade_priv_put_fail(&e->pub, LADE_ERR_VALUE);
            lade_job_path(e->job, pool->name, 0, 1);
            return NULL;
        }
        p = lade_priv_room(&e->pub, p, LADE_PRIV_VARINT_MAX);
        p = p ? lade_priv_put_varint(p, count) : NULL;
        e->nodes[pool->node->index].pool_total += count;
    }
    for (uint32_t k = 0; k < plan->pool_count && p; k++) {
        const lade_pool_place *pool = &plan->pools[k];
        uint64_t count;
        const void *base;
        lade_priv_view *view = &e->views[pool->node->index];
        lade_count_read(root + pool->count_offset, (lade_scalar)pool->count_scalar, &count);
        memcpy(&base, root + pool->offset, sizeof base);
        if (view->count == 0)
            *view = lade_view_make(base, count, pool->node->type->size,
                                   e->nodes[pool->node->index].pool_total);
        /* bodies that are not deferred nor natural get no range of their own elsewhere */
        if (!note(e, pool->node, base, count))
            p = NULL;
    }
    return p;
}

static uint8_t *put_root(enc *e, uint8_t *p, const lade_root *root)
{
    const lade_node *node = &e->plan->nodes[0];
    if (root->rank == 0) {
        p = put_pools(e, p, root->value);
        if (p && node->target) {
            bool fresh;
            if (lade_ids_get(e->allocator, &e->nodes[0].ids, root->value, &fresh) == UINT64_MAX)
                return NULL;
        }
        if (p && !note(e, node, root->value, 1))
            return NULL;
        return p ? lade_priv_put_run(&e->pub, p, node, root->value, 1) : NULL;
    }
    size_t count;
    if (!lade_extents_product(root->rank, root->extents, &count))
        return NULL;
    *p++ = (uint8_t)root->rank;
    for (unsigned i = 0; i < root->rank && p; i++) {
        p = lade_priv_room(&e->pub, p, LADE_PRIV_VARINT_MAX);
        p = p ? lade_priv_put_varint(p, root->extents[i]) : NULL;
    }
    if (!p || count == 0)
        return p;
    e->nodes[0].pool_total = count;
    e->views[0] = lade_view_make(root->value, count, node->type->size, count);
    if (!note(e, node, root->value, count))
        return NULL;
    p = lade_priv_room(&e->pub, p, LADE_PRIV_VARINT_MAX);
    return p ? lade_priv_put_run(&e->pub, p, node, root->value, count) : NULL;
}

static lade_status check_ranges(enc *e)
{
    const lade_range *r = e->pub.ranging ? lade_ranges_overlap(e->ranges, e->range_count) : NULL;
    if (!r)
        return LADE_OK;
    return lade_job_fail(e->job, LADE_ERR_INTERIOR, 0,
                         "a reference to a '%s' points into memory that is saved as part of "
                         "something else (make that a pool)",
                         r->node->type->name);
}

static lade_status enc_status(enc *e)
{
    return lade_job_status(e->job, LADE_ERR_MEMORY, "out of memory while encoding");
}

/* Hands over the last block, or sets the size of the kept buffer. */
static lade_status enc_close(enc *e, uint8_t *p)
{
    size_t used = (size_t)(p - e->begin);
    if (e->mode == ENC_KEEP)
        e->keep->size = (size_t)(p - e->keep->data);
    if (e->mode == ENC_STREAM && used > 0 && e->sink) {
        lade_status status = e->sink(e->user, e->begin, used);
        if (status != LADE_OK)
            return lade_job_fail(e->job, status, 0, "the sink of the skeleton failed");
    }
    e->passed += used;
    lade_stats *stats = &e->job->ctx->stats;
    stats->skeleton_bytes = e->passed;
    stats->content_bytes = e->content_size;
    stats->staged_bytes = e->staged_size;
    stats->segments = e->content_count;
    stats->objects = e->objects;
    return LADE_OK;
}

/* The path of a failure among deferred bodies starts at their type. */
static void name_failure(enc *e, const lade_work *work)
{
    char piece[sizeof e->job->err.path];
    memcpy(piece, e->job->err.path, sizeof piece);
    const char *type = work ? e->plan->nodes[work->node].type->name : e->plan->root->name;
    uint64_t id = work ? lade_ids_find(&e->nodes[work->node].ids, work->body) : UINT64_MAX;
    lade_path_set(e->job, type, id, piece);
}

lade_status lade_enc_run(enc *e, const lade_root *root)
{
    lade_watch w = {.power = 1};
    if (!enc_prepare(e))
        return enc_status(e);
    uint8_t *p = e->begin;
    if (e->mode == ENC_KEEP)
        p = e->begin = e->keep->data ? e->keep->data + e->keep->size : NULL;
    e->pub.end = e->begin;
    if (e->mode == ENC_FIXED)
        e->pub.end = e->fixed_end;
    else if (e->mode == ENC_KEEP && e->keep->data)
        e->pub.end = e->keep->data + e->keep->capacity;
    lade_work work;
    const lade_work *at = NULL;
    size_t turn = 0;
    p = lade_priv_room(&e->pub, p, LADE_PRIV_VARINT_MAX);
    p = p ? put_root(e, p, root) : NULL;
    while (p && lade_worklist_pop(&e->work, &work)) {
        at = &work;
        if (turn++ % LADE_PREFETCH_BATCH == 0)
            lade_prefetch_next(e);
        if (lade_watch_ends(e->job, &w, work.body, &e->plan->nodes[work.node])) {
            p = NULL;
            break;
        }
        p = lade_priv_room(&e->pub, p, LADE_PRIV_VARINT_MAX);
        p = p ? lade_priv_put_run(&e->pub, p, &e->plan->nodes[work.node], work.body, work.count)
              : NULL;
    }
    if (!p) {
        lade_status status = enc_status(e);
        name_failure(e, at);
        return status;
    }
    if (e->objects == 0 && e->tag_count == 0 && e->plan->pool_count == 0 && root->rank == 0 &&
        !e->plan->nodes[0].target)
        e->clean = e->plan;
    lade_status status = check_ranges(e);
    return status == LADE_OK ? enc_close(e, p) : status;
}

bool lade_enc_alone(enc *e, const lade_node *node, const void *value)
{
    staged_free(e);
    e->begin = e->own.data;
    e->pub.end = e->own.data ? e->own.data + e->own.capacity : NULL;
    e->pub.hold = NULL;
    e->pub.ranging = false;
    e->passed = e->content_size = e->staged_size = 0;
    e->content_count = 0;
    uint8_t *p = lade_priv_room(&e->pub, e->begin, LADE_PRIV_CUSTOM_BOUND);
    p = p ? node->type->save(&e->pub, p, node, value, 1) : NULL;
    if (p)
        e->own.size = (size_t)(p - e->own.data);
    return p != NULL;
}
