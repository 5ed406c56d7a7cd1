/* Deep copies: the root, its pools, and the life of a copy. */
#include <string.h>

#include "copy.h"

#ifdef NDEBUG
#define ALWAYS_RANGING false
#else
#define ALWAYS_RANGING true
#endif

/* Makes room for the pools of a value, so that references into them are translated from the start. */
static bool pools_begin(copier *c, const unsigned char *root)
{
    for (uint32_t k = 0; k < c->plan->pool_count; k++) {
        const lade_pool_place *place = &c->plan->pools[k];
        move *pool = &c->pools[k];
        uint64_t n;
        void *from = lade_member_pointer(root + place->offset);
        *pool = (move){.node = place->node, .from = from};
        if (!lade_count_read(root + place->count_offset, (lade_scalar)place->count_scalar, &n) ||
            n > SIZE_MAX || (n && !from))
            return lade_count_failed(c->job, &c->plan->nodes[0], place->name);
        if (n == 0)
            continue;
        pool->to = lade_copier_values(c, place->node, (size_t)n, true);
        if (!pool->to || !lade_copier_note(c, place->node, from, (size_t)n, false))
            return false;
        pool->bytes = (size_t)n * place->node->type->size;
        if (c->nodes[place->node->index].first.bytes == 0)
            c->nodes[place->node->index].first = *pool;
    }
    return true;
}

static bool copy_value(copier *c, const void *value, void **copy)
{
    const lade_node *node = &c->plan->nodes[0];
    c->root = value;
    if (!pools_begin(c, value))
        return false;
    *copy = lade_copier_memory(c, node->type->size, node->type->align);
    if (!*copy || !lade_copier_note(c, node, value, 1, false))
        return false;
    if (node->target) {
        bool fresh;
        lade_id_pair *slot = lade_ids_pair(c->allocator, &c->nodes[0].ids, value, &fresh);
        if (!slot)
            return lade_copier_no_memory(c);
        slot->id = (uintptr_t)*copy;
    }
    return lade_copier_start(c, &c->nested, node, value, *copy, 1) && lade_copier_runs(c);
}

static bool copy_array(copier *c, const lade_root *root, void **copy)
{
    const lade_node *node = &c->plan->nodes[0];
    size_t n = 0;
    if (!lade_extents_product(root->rank, root->extents, &n) || n == 0)
        return n == 0;
    *copy = lade_copier_values(c, node, n, true);
    if (!*copy || !lade_copier_note(c, node, root->value, n, false))
        return false;
    c->nodes[0].first = (move){node, root->value, *copy, n * node->type->size};
    return lade_copier_start(c, &c->nested, node, root->value, *copy, n) && lade_copier_runs(c);
}

static lade_status check_ranges(copier *c)
{
    const lade_range *r = c->ranging ? lade_ranges_overlap(c->ranges, c->range_count) : NULL;
    if (!r)
        return LADE_OK;
    return lade_job_fail(c->job, LADE_ERR_INTERIOR, 0,
                         "a reference to a '%s' points into memory that is copied as part of "
                         "something else (make that a pool)",
                         r->node->type->name);
}

static bool copier_init(copier *c, lade_arena **owner)
{
    size_t nodes = c->plan->node_count * sizeof *c->nodes;
    size_t pools = c->plan->pool_count * sizeof *c->pools;
    c->bodies.next = c->texts.next = COPIER_ROOM_FIRST;
    c->ranging = ALWAYS_RANGING || c->job->ctx->check_interior;
    c->nodes = lade_mem_get(c->allocator, nodes);
    c->pools = pools ? lade_mem_get(c->allocator, pools) : NULL;
    if (c->nodes)
        memset(c->nodes, 0, nodes);
    return c->nodes && (!pools || c->pools) && lade_store_begin(&c->store, c->job->ctx, owner);
}

static void copier_fini(copier *c)
{
    const lade_allocator *a = c->allocator;
    lade_store_end(&c->store);
    lade_store_fini(&c->store, a);
    for (uint32_t i = 0; c->nodes && i < c->plan->node_count; i++)
        lade_ids_free(a, &c->nodes[i].ids);
    lade_mem_free(a, c->nodes, c->plan->node_count * sizeof *c->nodes);
    lade_mem_free(a, c->pools, c->plan->pool_count * sizeof *c->pools);
    lade_mem_free(a, c->ranges, c->range_capacity * sizeof *c->ranges);
    lade_mem_free(a, c->after, c->after_capacity * sizeof *c->after);
    lade_customs_end(&c->customs);
    lade_pairs_free(a, &c->nested);
    lade_pairs_free(a, &c->recurring);
}

static lade_status copy_run(lade_job *job, const lade_plan *plan, const lade_steps *steps,
                            const lade_root *root, void *out, lade_arena **owner)
{
    copier c = {.job = job,
                .allocator = job->ctx->allocator,
                .plan = plan,
                .steps = steps,
                .customs = {.job = job, .plan = plan}};
    void *copy = NULL;
    bool made = copier_init(&c, owner);
    if (!made)
        lade_copier_no_memory(&c);
    else
        made = root->rank ? copy_array(&c, root, &copy) : copy_value(&c, root->value, &copy);
    lade_status status =
        made ? check_ranges(&c) : lade_job_status(job, LADE_ERR_MEMORY, "out of memory");
    if (status == LADE_OK && !lade_copier_after(&c))
        status = job->err.status;
    if (status == LADE_OK) {
        memcpy(out, &copy, sizeof copy);
        lade_store_publish(&c.store, owner);
    }
    copier_fini(&c);
    return status;
}

static lade_status copy_job(const lade_root *root, void *out, lade_arena **owner, lade_context *ctx)
{
    lade_job job;
    const lade_plan *plan;
    const lade_steps *steps;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && (!out || (!owner && !job.ctx->own_memory)))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "out and owner must not be NULL");
    if (status == LADE_OK)
        status = lade_root_check(&job, root);
    if (status == LADE_OK)
        status = lade_plan_get(&job, root->type, root->rank > 0, &plan);
    if (status == LADE_OK)
        status = lade_steps_get(&job, plan, &steps);
    if (status == LADE_OK)
        status = copy_run(&job, plan, steps, root, out, owner);
    return lade_job_end(&job, status);
}

lade_status lade_copy_as(const lade_type *type, const void *value, void *out, lade_arena **owner,
                         lade_context *ctx)
{
    lade_root root = {.type = type, .value = value};
    return copy_job(&root, out, owner, ctx);
}

lade_status lade_copy_array_as(const lade_type *type, const void *array, unsigned rank,
                               const size_t *extents, void *out, lade_arena **owner,
                               lade_context *ctx)
{
    lade_root root = {type, array, rank, extents};
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return copy_job(&root, out, owner, ctx);
}
