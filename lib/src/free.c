/*
 * Freeing a value whose parts have memory of their own. All blocks are found first: where memory for that is
 * lacking, nothing has been freed, and what is freed is never read again.
 */
#include <string.h>

#include "graph.h"
#include "steps.h"
#include "store.h"

typedef struct span {
    const lade_node *node;
    const unsigned char *base;
    size_t bytes;
} span;

typedef struct collector {
    lade_job *job;
    const lade_allocator *allocator;
    const lade_plan *plan;
    const lade_steps *steps;
    lade_blocks blocks;
    lade_worklist work;
    lade_ids *seen; /* objects, by node */
    span *pools;    /* as in the plan; the array, if the root is one */
    size_t pool_count;
} collector;

static bool out_of_memory(collector *c)
{
    lade_job_error(c->job, LADE_ERR_MEMORY, 0, "out of memory; nothing was freed");
    return false;
}

static bool add(collector *c, const void *memory, size_t size)
{
    return lade_blocks_add(c->allocator, &c->blocks, lade_priv_unconst(memory), size) ||
           out_of_memory(c);
}

/* n values that are a block, and what they lead to. */
static bool add_values(collector *c, const lade_node *node, const void *body, size_t n)
{
    if (!add(c, body, n * node->type->size))
        return false;
    return c->steps->nodes[node->index].bytes ||
           lade_worklist_push(c->allocator, &c->work, lade_priv_unconst(body), node, n) ||
           out_of_memory(c);
}

static bool in_pools(const collector *c, const lade_node *node, const void *target)
{
    for (size_t k = 0; node->pooled && k < c->pool_count; k++)
        if (c->pools[k].node == node &&
            (uintptr_t)target - (uintptr_t)c->pools[k].base < c->pools[k].bytes)
            return true;
    return false;
}

static bool add_target(collector *c, const lade_node *node, const void *target)
{
    bool fresh;
    if (!target || in_pools(c, node, target))
        return true;
    if (lade_ids_get(c->allocator, &c->seen[node->index], target, &fresh) == UINT64_MAX)
        return out_of_memory(c);
    return !fresh || add_values(c, node, target, 1);
}

static bool add_member(collector *c, const lade_node *node, const lade_step *s,
                       const unsigned char *value, size_t repeat)
{
    const void *pointer = lade_member_pointer(value + s->offset + repeat * s->stride);
    size_t n;
    switch (s->kind) {
    case STEP_PLAIN:
    case STEP_CLEAR:
    case STEP_FIXED_TEXT:
        return true;
    case STEP_TEXT:
        return !pointer || add(c, pointer, strlen(pointer) + 1);
    case STEP_BODY:
        if (!lade_step_count(s, value, repeat, pointer, &n))
            return lade_count_failed(c->job, node, s->field->name);
        return n == 0 || add_values(c, s->node, pointer, n);
    case STEP_REF:
        return add_target(c, s->node, pointer);
    }
    return false;
}

static bool has_pointers(const lade_step *s)
{
    return s->kind == STEP_TEXT || s->kind == STEP_BODY || s->kind == STEP_REF;
}

static bool add_members(collector *c, const lade_node *node, const unsigned char *value)
{
    const lade_node_steps *steps = &c->steps->nodes[node->index];
    const lade_step *s = lade_steps_begin(c->steps, steps);
    for (size_t k = steps->plain; k < steps->count; k++)
        for (size_t r = 0; has_pointers(&s[k]) && r < s[k].repeats; r++)
            if (!add_member(c, node, &s[k], value, r))
                return false;
    return true;
}

static bool collect_work(collector *c)
{
    lade_watch watch = {.power = 1};
    lade_work work;
    while (lade_worklist_pop(&c->work, &work)) {
        const lade_node *node = &c->plan->nodes[work.node];
        const unsigned char *value = work.body;
        if (lade_watch_ends(c->job, &watch, value, node))
            return false;
        for (uint32_t i = 0; i < work.count; i++, value += node->type->size)
            if (!add_members(c, node, value))
                return false;
    }
    return true;
}

/* Pools are blocks of the fields that hold them; references into them free nothing. */
static bool note_pools(collector *c, const unsigned char *root)
{
    for (uint32_t k = 0; k < c->plan->pool_count; k++) {
        const lade_pool_place *place = &c->plan->pools[k];
        uint64_t n;
        if (!lade_count_read(root + place->count_offset, (lade_scalar)place->count_scalar, &n))
            return lade_count_failed(c->job, &c->plan->nodes[0], place->name);
        c->pools[k] = (span){place->node, lade_member_pointer(root + place->offset),
                             (size_t)n * place->node->type->size};
    }
    c->pool_count = c->plan->pool_count;
    return true;
}

static bool collect(collector *c, const lade_root *root)
{
    const lade_node *node = &c->plan->nodes[0];
    size_t n = 1;
    size_t seen = c->plan->node_count * sizeof *c->seen;
    c->seen = lade_mem_get(c->allocator, seen);
    c->pools = lade_mem_get(c->allocator, (c->plan->pool_count + 1) * sizeof *c->pools);
    if (c->seen)
        memset(c->seen, 0, seen);
    if (!c->seen || !c->pools)
        return out_of_memory(c);
    if (root->rank) {
        if (!lade_extents_product(root->rank, root->extents, &n) || n == 0)
            return n == 0;
        c->pools[0] = (span){node, root->value, n * node->type->size};
        c->pool_count = 1;
    } else {
        bool fresh;
        if (!note_pools(c, root->value))
            return false;
        if (lade_ids_get(c->allocator, &c->seen[0], root->value, &fresh) == UINT64_MAX)
            return out_of_memory(c);
    }
    return add_values(c, node, root->value, n) && collect_work(c);
}

static void collector_fini(collector *c)
{
    const lade_allocator *a = c->allocator;
    for (uint32_t i = 0; c->seen && i < c->plan->node_count; i++)
        lade_ids_free(a, &c->seen[i]);
    lade_mem_free(a, c->seen, c->plan->node_count * sizeof *c->seen);
    lade_mem_free(a, c->pools, (c->plan->pool_count + 1) * sizeof *c->pools);
    lade_mem_free(a, c->work.items, c->work.capacity * sizeof *c->work.items);
    lade_blocks_fini(a, &c->blocks);
}

static lade_status free_job(const lade_root *root, lade_context *ctx)
{
    lade_job job;
    const lade_plan *plan;
    const lade_steps *steps;
    if (!root->value)
        return LADE_OK;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK)
        status = lade_root_check(&job, root);
    if (status == LADE_OK)
        status = lade_plan_get(&job, root->type, root->rank > 0, &plan);
    if (status == LADE_OK)
        status = lade_steps_get(&job, plan, &steps);
    if (status == LADE_OK) {
        collector c = {.job = &job, .allocator = job.ctx->allocator, .plan = plan, .steps = steps};
        if (collect(&c, root))
            lade_blocks_free(c.allocator, &c.blocks);
        else
            status = lade_job_status(&job, LADE_ERR_MEMORY, "out of memory");
        collector_fini(&c);
    }
    return lade_job_end(&job, status);
}

lade_status lade_free_graph_as(const lade_type *type, void *value, lade_context *ctx)
{
    lade_root root = {.type = type, .value = value};
    return free_job(&root, ctx);
}

lade_status lade_free_array_as(const lade_type *type, void *array, unsigned rank,
                               const size_t *extents, lade_context *ctx)
{
    lade_root root = {type, array, rank, extents};
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return free_job(&root, ctx);
}
