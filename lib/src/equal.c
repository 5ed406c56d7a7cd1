/*
 * Deep comparison. Both values are walked together, as the encoder walks one: fields are interpreted from
 * their descriptors, with a stack of frames that is no deeper than the types; objects and bodies that can
 * reach their own type wait in a queue. Where the first difference stands in the graph is found afterwards,
 * by walking again to the places that put its object into the queue.
 */
#include <stdio.h>
#include <string.h>

#include "equal.h"
#include "schema.h"

static bool out_of_memory(comparing *c)
{
    lade_job_error(c->job, LADE_ERR_MEMORY, 0, "out of memory while comparing");
    return lade_equal_stop(c, FAILED);
}

static bool same_frames(comparing *c)
{
    while (c->depth) {
        frame *f = &c->frames[c->depth - 1];
        if (f->next < f->end) {
            if (!lade_equal_field(c, f))
                return false;
            continue;
        }
        f->next = f->first;
        if (++f->i == f->n)
            c->depth--;
        else
            lade_equal_advance(c, f);
    }
    return true;
}

/* Both values from the start, up to the first difference, or to the push of number `wanted`. */
static void walk(comparing *c, uint64_t wanted)
{
    const lade_node *node = &c->plan->nodes[0];
    lade_watch watch = {.power = 1};
    lade_pair pair = {c->root->value, lade_priv_unconst(c->other), node, 1};
    bool same = true;
    for (uint32_t i = 0; i < c->plan->node_count; i++) {
        lade_ids_reset(c->allocator, &c->ids[i].a);
        lade_ids_reset(c->allocator, &c->ids[i].b);
    }
    c->queue.head = c->queue.tail = 0;
    c->depth = 0;
    c->pushed = c->popped = 0;
    c->wanted = wanted;
    c->verdict = SAME_SO_FAR;
    c->place = SIZE_MAX;
    if (c->root->rank)
        same = lade_extents_product(c->root->rank, c->root->extents, &pair.n);
    else if (node->target)
        same = lade_equal_objects(c, node, pair.from, pair.to, true);
    bool more = pair.n > 0;
    for (; same && more; c->popped += more) {
        if (lade_watch_ends(c->job, &watch, pair.from, pair.node))
            same = lade_equal_stop(c, FAILED);
        same = same && lade_equal_enter(c, pair.node, pair.from, pair.to, pair.n) && same_frames(c);
        more = same && lade_pairs_first(&c->queue, &pair);
    }
}

/* Puts the frames in front of the path. */
static void trace(comparing *c)
{
    for (size_t k = c->depth; k > 0; k--) {
        const frame *f = &c->frames[k - 1];
        const lade_field *field = &f->node->type->fields[f->at];
        char name[160];
        bool many = lade_field_is_pointer(field) && lade_field_elements(field) > 1;
        if (many)
            snprintf(name, sizeof name, "%s[%zu]", field->name, f->element);
        lade_job_path(c->job, many ? name : field->name, f->i, f->n);
    }
}

static void trace_place(comparing *c)
{
    if (c->place != SIZE_MAX)
        lade_job_index(c->job, c->place);
}

/* The path of where the walk stopped, from the root: each step back is the push of the pair at hand. */
static void trace_back(comparing *c)
{
    enum { MOST = 8 };
    char rest[sizeof c->job->err.path];
    const char *type = c->plan->root->name;
    trace_place(c);
    trace(c);
    for (int back = 0; c->popped > 0; back++) {
        if (back == MOST) {
            memcpy(rest, c->job->err.path, sizeof rest);
            snprintf(c->job->err.path, sizeof rest, "..%.180s", rest);
            break;
        }
        walk(c, c->popped);
        trace_place(c);
        trace(c);
    }
    memcpy(rest, c->job->err.path, sizeof rest);
    lade_path_set(c->job, type, UINT64_MAX, rest);
}

static bool pools_begin(comparing *c)
{
    const unsigned char *a = c->root->value;
    const unsigned char *b = c->other;
    const lade_node *node = &c->plan->nodes[0];
    size_t n;
    c->pool_count = c->root->rank ? 1 : c->plan->pool_count;
    if (c->root->rank) {
        if (!lade_extents_product(c->root->rank, c->root->extents, &n))
            return false;
        size_t size = node->type->size;
        c->pools[0] =
            (pool_pair){node, lade_view_make(a, n, size, n), lade_view_make(b, n, size, n)};
        return true;
    }
    for (uint32_t k = 0; k < c->plan->pool_count; k++) {
        const lade_pool_place *place = &c->plan->pools[k];
        size_t size = place->node->type->size;
        uint64_t n_a;
        uint64_t n_b;
        /* counts that cannot be are found by the walk */
        lade_count_read(a + place->count_offset, (lade_scalar)place->count_scalar, &n_a);
        lade_count_read(b + place->count_offset, (lade_scalar)place->count_scalar, &n_b);
        c->pools[k] = (pool_pair){
            place->node, lade_view_make(lade_member_pointer(a + place->offset), n_a, size, 1),
            lade_view_make(lade_member_pointer(b + place->offset), n_b, size, 1)};
    }
    return true;
}

static bool has_grids(const lade_plan *plan)
{
    for (uint32_t t = 0; t < plan->node_count; t++)
        for (uint32_t i = 0; i < plan->nodes[t].type->field_count; i++)
            if (plan->nodes[t].type->fields[i].kind == LADE_KIND_GRID)
                return true;
    return false;
}

static bool comparing_init(comparing *c)
{
    size_t ids = c->plan->node_count * sizeof *c->ids;
    if (has_grids(c->plan)) {
        c->grids = lade_mem_get(c->allocator, (c->plan->depth + 1) * sizeof *c->grids);
        if (!c->grids)
            return out_of_memory(c);
    }
    c->frames = lade_mem_get(c->allocator, (c->plan->depth + 1) * sizeof *c->frames);
    c->pools = lade_mem_get(c->allocator, (c->plan->pool_count + 1) * sizeof *c->pools);
    c->ids = lade_mem_get(c->allocator, ids);
    if (c->ids)
        memset(c->ids, 0, ids);
    return (c->frames && c->pools && c->ids && pools_begin(c)) || out_of_memory(c);
}

static void comparing_fini(comparing *c)
{
    const lade_allocator *a = c->allocator;
    for (uint32_t i = 0; c->ids && i < c->plan->node_count; i++) {
        lade_ids_free(a, &c->ids[i].a);
        lade_ids_free(a, &c->ids[i].b);
    }
    lade_mem_free(a, c->ids, c->plan->node_count * sizeof *c->ids);
    lade_mem_free(a, c->pools, (c->plan->pool_count + 1) * sizeof *c->pools);
    lade_mem_free(a, c->frames, (c->plan->depth + 1) * sizeof *c->frames);
    lade_mem_free(a, c->grids, (c->plan->depth + 1) * sizeof *c->grids);
    lade_customs_end(&c->customs);
    lade_pairs_free(a, &c->queue);
}

static lade_status compare(comparing *c, lade_comparison *out)
{
    if (!comparing_init(c))
        return LADE_ERR_MEMORY;
    walk(c, 0);
    if (c->verdict == AGAIN) {
        c->mixed = true;
        walk(c, 0);
    }
    if (c->verdict == SAME_SO_FAR) {
        *out = (lade_comparison){.equal = true};
        return LADE_OK;
    }
    bool failed = c->verdict == FAILED;
    trace_back(c);
    if (failed)
        return lade_job_status(c->job, LADE_ERR_MEMORY, "out of memory");
    out->equal = false;
    memcpy(out->path, c->job->err.path, sizeof out->path);
    return LADE_OK;
}

static lade_status equal_job(const lade_root *root, const void *other, lade_comparison *out,
                             lade_context *ctx)
{
    lade_job job;
    lade_root second = *root;
    comparing c = {.job = &job, .root = root, .other = other};
    lade_status status = lade_job_begin(&job, ctx);
    second.value = other;
    if (status == LADE_OK && !out)
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "out must not be NULL");
    if (status == LADE_OK)
        status = lade_root_check(&job, root);
    if (status == LADE_OK)
        status = lade_root_check(&job, &second);
    if (status == LADE_OK)
        status = lade_plan_get(&job, root->type, root->rank > 0, &c.plan);
    if (status == LADE_OK)
        status = lade_steps_get(&job, c.plan, &c.steps);
    if (status == LADE_OK) {
        c.allocator = job.ctx->allocator;
        c.customs = (lade_customs){.job = &job, .plan = c.plan};
        status = compare(&c, out);
        comparing_fini(&c);
    }
    return lade_job_end(&job, status);
}

lade_status lade_equal_as(const lade_type *type, const void *a, const void *b, lade_comparison *out,
                          lade_context *ctx)
{
    lade_root root = {.type = type, .value = a};
    return equal_job(&root, b, out, ctx);
}

lade_status lade_equal_array_as(const lade_type *type, const void *a, const void *b, unsigned rank,
                                const size_t *extents, lade_comparison *out, lade_context *ctx)
{
    lade_root root = {type, a, rank, extents};
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return equal_job(&root, b, out, ctx);
}
