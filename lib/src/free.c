/*
 * Freeing a value whose parts have memory of their own. All blocks are found first: where memory for that is
 * lacking, nothing has been freed, and what is freed is never read again.
 */
#include <string.h>

#include "graph.h"
#include "grid.h"
#include "kinds.h"
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

static bool push(collector *c, const lade_node *node, const void *body, size_t n)
{
    return c->steps->nodes[node->index].bytes ||
           lade_worklist_push(c->allocator, &c->work, lade_priv_unconst(body), node, n) ||
           out_of_memory(c);
}

/* n values that are a block, and what they lead to. */
static bool add_values(collector *c, const lade_node *node, const void *body, size_t n)
{
    return add(c, body, n * node->type->size) && push(c, node, body, n);
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

static bool fail(collector *c, const lade_node *node, const lade_step *s, const char *text)
{
    char rest[sizeof c->job->err.path];
    if (text)
        lade_job_error(c->job, LADE_ERR_VALUE, 0, "%s; nothing was freed", text);
    lade_job_path(c->job, s->field->name, 0, 1);
    memcpy(rest, c->job->err.path, sizeof rest);
    lade_path_set(c->job, node->type->name, UINT64_MAX, rest);
    return false;
}

static bool add_any(collector *c, const lade_node *node, const lade_step *s,
                    const unsigned char *value, size_t repeat, const void *object)
{
    uint64_t which;
    const unsigned char *member = value + s->count_offset + repeat * s->count_stride;
    const lade_edge *edge =
        object ? lade_choice_edge(s->field, s->edge, member, object, &which) : NULL;
    if (!object)
        return true;
    if (!edge) {
        lade_choice_failed(c->job, s->edge, which);
        return fail(c, node, s, NULL);
    }
    return s->kind == STEP_ANY_REF ? add_target(c, edge->node, object)
                                   : add_values(c, edge->node, object, 1);
}

/* A grid is a block; rows are one more, of pointers into it. */
static bool add_grid(collector *c, const lade_node *node, const lade_step *s,
                     const unsigned char *owner, const unsigned char *base)
{
    const lade_grid *grid = s->field->grid;
    size_t extent[LADE_MAX_RANK];
    size_t size = s->node->type->size;
    lade_grid_shape shape;
    if (!lade_grid_extents(grid, owner, extent) ||
        !lade_grid_shape_make(grid, owner, extent, false, &shape))
        return fail(c, node, s, "its extents are negative or too large");
    if (!base || shape.count == 0)
        return true;
    const unsigned char *first = grid->rows ? lade_member_pointer(base) : base;
    for (size_t i = 0; grid->rows && i < shape.stored[0]; i++)
        if (!first || lade_member_pointer(base + i * sizeof(void *)) !=
                          (const void *)(first + i * shape.stored[1] * size))
            return fail(c, node, s, "the rows of the grid do not follow each other");
    if ((grid->rows && !add(c, base, shape.stored[0] * sizeof(void *))) ||
        !add(c, first, shape.allocated * size))
        return false;
    size_t run = lade_grid_run(&shape);
    bool ok = true;
    for (size_t k = 0; k < shape.count && ok && !c->steps->nodes[s->node->index].bytes; k += run)
        ok = push(c, s->node, first + lade_grid_offset(&shape, k) * (int64_t)size, run);
    return ok;
}

static bool add_list(collector *c, const lade_node *node, const lade_step *s,
                     const unsigned char *head)
{
    uint64_t n;
    bool ok = true;
    if (!lade_list_count(head, s->field->links->next, &n))
        return fail(c, node, s, "the list is a cycle");
    for (; head && ok; head = lade_member_pointer(head + s->field->links->next))
        ok = add_values(c, s->node, head, 1);
    return ok;
}

/* The entries of a map are one block, in whatever order the map has them. */
static bool add_map(collector *c, const lade_node *node, const lade_step *s, const void *value)
{
    const lade_map *map = s->field->map;
    size_t size = s->node->type->size;
    size_t n = map->count(value);
    const unsigned char *first = NULL;
    const unsigned char *last = NULL;
    const unsigned char *at = NULL;
    for (size_t i = 0; i < n; i++) {
        at = map->next(value, at);
        if (!at)
            return fail(c, node, s, "the map has fewer entries than it counts");
        first = !first || at < first ? at : first;
        last = !last || at > last ? at : last;
    }
    if (n == 0)
        return true;
    if ((size_t)(last - first) != (n - 1) * size)
        return fail(c, node, s, "the entries of the map do not stand in one array");
    return add_values(c, s->node, first, n);
}

static bool add_bits(collector *c, const lade_node *node, const lade_step *s,
                     const unsigned char *count, const void *words)
{
    size_t word = lade_scalar_size((lade_scalar)s->field->scalar);
    uint64_t n;
    if (!lade_count_read(count, s->count_scalar, &n) || n / 8 >= SIZE_MAX - word || (n && !words))
        return lade_count_failed(c->job, node, s->field->name);
    return n == 0 || add(c, words, lade_bits_size(n, word));
}

static bool add_variant(collector *c, const lade_step *s, const unsigned char *member,
                        const unsigned char *discriminant)
{
    uint32_t is = lade_variant_case(s->field, s->node, discriminant);
    return is == UINT32_MAX || push(c, &s->inner[is], member, 1);
}

static bool add_member(collector *c, const lade_node *node, const lade_step *s,
                       const unsigned char *value, size_t repeat)
{
    const unsigned char *member = value + s->offset + repeat * s->stride;
    const unsigned char *count = value + s->count_offset + repeat * s->count_stride;
    const unsigned char *pointer = NULL;
    size_t n;
    if (s->kind != STEP_VARIANT && s->kind != STEP_MAP)
        pointer = lade_member_pointer(member);
    switch (s->kind) {
    case STEP_TEXT:
        return !pointer || add(c, pointer, strlen((const char *)pointer) + 1);
    case STEP_BODY:
    case STEP_SHIFTED:
        if (!lade_step_count(s, value, repeat, pointer, &n))
            return lade_count_failed(c->job, node, s->field->name);
        return n == 0 || add_values(c, s->node, pointer + s->shift, n);
    case STEP_REF:
        return add_target(c, s->node, pointer);
    case STEP_ANY:
    case STEP_ANY_REF:
        return add_any(c, node, s, value, repeat, pointer);
    case STEP_VARIANT:
        return add_variant(c, s, member, count);
    case STEP_GRID:
        return add_grid(c, node, s, member - s->field->offset, pointer);
    case STEP_LIST:
        return add_list(c, node, s, pointer);
    case STEP_MAP:
        return add_map(c, node, s, member);
    case STEP_BITS:
        return add_bits(c, node, s, count, pointer);
    default:
        return true;
    }
}

static bool has_memory(const lade_step *s)
{
    switch (s->kind) {
    case STEP_PLAIN:
    case STEP_CLEAR:
    case STEP_FIXED_TEXT:
    case STEP_CUSTOM: /* what its functions got is the program's */
    case STEP_DEFAULT:
    case STEP_CAPACITY:
    case STEP_HOOK:
        return false;
    default:
        return true;
    }
}

static bool add_members(collector *c, const lade_node *node, const unsigned char *value)
{
    const lade_node_steps *steps = &c->steps->nodes[node->index];
    const lade_step *s = lade_steps_begin(c->steps, steps);
    for (size_t k = steps->plain; k < steps->count; k++)
        for (size_t r = 0; has_memory(&s[k]) && r < s[k].repeats; r++)
            if (!add_member(c, node, &s[k], value, r))
                return false;
    return true;
}

static bool collect_work(collector *c)
{
    lade_watch watch = {.power = 1};
    lade_work work;
    while (lade_worklist_pop(&c->work, &work)) {
        const lade_node *node = lade_steps_node(c->steps, c->plan, work.node);
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
