#include "plan.h"

#include <assert.h>
#include <string.h>

#include "prefetch.h"
#include "schema.h"
#include "steps.h"

const lade_node *lade_scalar_node(lade_scalar scalar)
{
#define NODE(n, code, ctype)                                    \
    [code] = {.type = &lade_scalar_##n,                         \
              .natural = true,                                  \
              .in_place = !LADE_PRIV_BIG || sizeof(ctype) == 1, \
              .wire_size = sizeof(ctype),                       \
              .wire_min = sizeof(ctype)},
    static const lade_node nodes[] = {LADE_SCALAR_LIST(NODE)};
#undef NODE
    return &nodes[scalar];
}

static bool is_containment(const lade_field *f, const lade_edge *edge)
{
    return f->type && f->kind != LADE_KIND_REF && (edge->flags & LADE_EDGE_STORED);
}

static bool may_be_deferred(const lade_field *f)
{
    switch (f->kind) {
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_OPTIONAL:
    case LADE_KIND_GRID:
    case LADE_KIND_LIST:
    case LADE_KIND_MAP:
        return true;
    default:
        return false;
    }
}

static void plan_free(const lade_allocator *a, lade_plan *plan)
{
    lade_mem_free(a, plan->nodes, plan->node_count * sizeof *plan->nodes);
    lade_mem_free(a, plan->edges, plan->edge_count * sizeof *plan->edges);
    lade_mem_free(a, plan->moves, plan->edge_count * sizeof *plan->moves);
    lade_mem_free(a, plan->covered, plan->node_count * sizeof *plan->covered);
    lade_mem_free(a, plan->known, plan->node_count * sizeof *plan->known);
    lade_mem_free(a, plan->pools, plan->pool_capacity * sizeof *plan->pools);
    lade_steps_free(a, plan->steps);
    lade_prefetch_free(a, plan);
    lade_mem_free(a, plan, sizeof *plan);
}

void lade_plans_free(const lade_allocator *allocator, struct lade_plan *list)
{
    for (lade_plan *next; list; list = next) {
        next = list->next;
        plan_free(allocator, list);
    }
}

static lade_status no_memory(lade_job *job)
{
    return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
}

static void edge_link(const lade_plan *plan, const lade_typeset *set, const lade_type *type,
                      lade_edge *edge)
{
    edge->index = (uint32_t)lade_typeset_find(set, type);
    edge->node = &plan->nodes[edge->index];
}

static size_t count_edges(const lade_typeset *set)
{
    size_t n = 0;
    for (size_t t = 0; t < set->count; t++) {
        n += set->types[t]->field_count;
        for (uint32_t i = 0; i < set->types[t]->field_count; i++) {
            const lade_choice *c = lade_field_choice(&set->types[t]->fields[i]);
            n += c ? c->count : 0;
        }
    }
    return n;
}

/* Edges of the fields of a node, and behind them those of their known types. Returns the next edge. */
static lade_edge *node_link(lade_plan *plan, const lade_typeset *set, uint32_t t, lade_edge *edge)
{
    const lade_type *type = set->types[t];
    plan->nodes[t] = (lade_node){.type = type, .edges = edge, .index = t};
    if (type->field_count == 0)
        return edge; /* NULL where no type has fields */
    lade_edge *next = edge + type->field_count;
    for (uint32_t i = 0; i < type->field_count; i++, edge++) {
        const lade_field *f = &type->fields[i];
        const lade_choice *c = lade_field_choice(f);
        assert(edge < plan->edges + plan->edge_count);
        *edge = (lade_edge){0};
        if (c) {
            *edge = (lade_edge){.cases = next, .index = c->count, .flags = LADE_EDGE_CASES};
            for (uint32_t k = 0; k < c->count; k++, next++) {
                *next = (lade_edge){0};
                edge_link(plan, set, c->types[k], next);
            }
        } else if (f->type && f->kind < LADE_KIND_SKIP) {
            edge_link(plan, set, f->type, edge);
        }
        if (lade_field_stored(type, f))
            edge->flags |= LADE_EDGE_STORED;
    }
    return next;
}

/* Nodes and edges, without what is derived from them. */
static lade_status plan_link(lade_job *job, lade_plan *plan, const lade_typeset *set)
{
    const lade_allocator *a = job->ctx->allocator;
    plan->edge_count = count_edges(set);
    plan->nodes = lade_mem_get(a, set->count * sizeof *plan->nodes);
    plan->covered = lade_mem_get(a, set->count * sizeof *plan->covered);
    plan->known = lade_mem_get(a, set->count * sizeof *plan->known);
    plan->node_count = (uint32_t)set->count;
    if (plan->edge_count) {
        plan->edges = lade_mem_get(a, plan->edge_count * sizeof *plan->edges);
        plan->moves = lade_mem_get(a, plan->edge_count * sizeof *plan->moves);
    }
    if (!plan->nodes || !plan->covered || !plan->known ||
        (plan->edge_count && (!plan->edges || !plan->moves)))
        return no_memory(job);
    memset(plan->known, 0, set->count * sizeof *plan->known);
    lade_edge *edge = plan->edges;
    for (uint32_t t = 0; t < plan->node_count; t++)
        edge = node_link(plan, set, t, edge);
    return LADE_OK;
}

/* Marks in `seen` what node `from` reaches by containment. `stack` has room for all nodes. */
static void plan_reach(const lade_plan *plan, uint32_t from, bool *seen, uint32_t *stack)
{
    size_t top = 0;
    memset(seen, 0, plan->node_count * sizeof *seen);
    stack[top++] = from;
    while (top) {
        const lade_node *node = &plan->nodes[stack[--top]];
        for (uint32_t i = 0; i < node->type->field_count; i++) {
            if (!is_containment(&node->type->fields[i], &node->edges[i]))
                continue;
            const lade_node *to = node->edges[i].node;
            if (seen[to->index])
                continue;
            seen[to->index] = true;
            stack[top++] = to->index;
        }
    }
}

/* An edge is deferred if its target can reach the edge's own type again. */
static lade_status plan_defer(lade_job *job, lade_plan *plan)
{
    const lade_allocator *a = job->ctx->allocator;
    size_t n = plan->node_count;
    bool *seen = lade_mem_get(a, n * sizeof *seen);
    uint32_t *stack = lade_mem_get(a, n * sizeof *stack);
    lade_status status = seen && stack ? LADE_OK : no_memory(job);
    for (uint32_t to = 0; status == LADE_OK && to < n; to++) {
        plan_reach(plan, to, seen, stack);
        for (uint32_t from = 0; from < n; from++) {
            const lade_node *node = &plan->nodes[from];
            for (uint32_t i = 0; i < node->type->field_count; i++) {
                const lade_field *f = &node->type->fields[i];
                lade_edge *edge = &plan->edges[node->edges + i - plan->edges];
                if (!is_containment(f, edge) || edge->node != &plan->nodes[to])
                    continue;
                if (seen[from] && may_be_deferred(f))
                    edge->flags |= LADE_EDGE_DEFERRED;
                if (to == from && (f->kind == LADE_KIND_RECORD || f->kind == LADE_KIND_VARIANT))
                    status = lade_job_fail(job, LADE_ERR_DESCRIPTION, 0,
                                           "%s.%s: a record cannot hold itself", node->type->name,
                                           f->name);
            }
        }
    }
    lade_mem_free(a, seen, n * sizeof *seen);
    lade_mem_free(a, stack, n * sizeof *stack);
    return status;
}

/* Marks nodes that contain an owning known-type pointer: whatever leads to them through such a pointer
 * is deferred. That depends on their schema alone, not on the types that a program knows. */
static void plan_any(lade_plan *plan)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < plan->node_count; t++) {
            lade_node *node = &plan->nodes[t];
            bool any = node->any;
            bool hooked = node->hooked || node->type->hooks;
            bool defaults = node->defaults;
            for (uint32_t i = 0; i < node->type->field_count; i++) {
                const lade_field *f = &node->type->fields[i];
                const lade_node *to =
                    is_containment(f, &node->edges[i]) ? node->edges[i].node : NULL;
                bool stored = node->edges[i].flags & LADE_EDGE_STORED;
                bool by_value = f->kind == LADE_KIND_RECORD && to;
                any |= stored && (f->kind == LADE_KIND_ANY || (to && to->any));
                hooked |= stored && by_value && to->hooked;
                defaults |= (!stored && f->options && f->options->fallback) ||
                            (stored && by_value && to->defaults);
            }
            changed |= any != node->any || hooked != node->hooked || defaults != node->defaults;
            node->any = any;
            node->hooked = hooked;
            node->defaults = defaults;
        }
    }
    for (lade_edge *edge = plan->edges; edge && edge < plan->edges + plan->edge_count; edge++)
        for (uint32_t k = 0; (edge->flags & LADE_EDGE_CASES) && k < edge->index; k++)
            if (edge->cases[k].node->any)
                plan->edges[&edge->cases[k] - plan->edges].flags |= LADE_EDGE_DEFERRED;
}

static void body_flags(const lade_plan *plan, lade_edge *edge)
{
    if (edge->node->natural)
        edge->flags |= LADE_EDGE_NATURAL;
    if (plan->covered[edge->index] == COVERED_NOT)
        edge->flags |= LADE_EDGE_ZERO;
    if (edge->node->wire_min == 0 || edge->node->type->align > LADE_PRIV_BODY_ALIGN)
        edge->flags |= LADE_EDGE_CLEAR;
}

/* Companions that an earlier field of the struct has set. */
static void shared_flags(const lade_type *type, uint32_t i, lade_edge *edge)
{
    lade_companion mine[LADE_COMPANIONS_MAX];
    lade_companion other[LADE_COMPANIONS_MAX];
    unsigned n = lade_field_companions(&type->fields[i], mine);
    for (uint32_t k = 0; k < i; k++) {
        unsigned m = lade_field_companions(&type->fields[k], other);
        for (unsigned a = 0; a < n; a++)
            for (unsigned b = 0; b < m; b++)
                if (mine[a].offset == other[b].offset)
                    edge->flags |=
                        type->fields[i].kind == LADE_KIND_GRID && a < type->fields[i].grid->rank
                            ? LADE_EDGE_SHARED_EXTENT(a)
                            : (unsigned)LADE_EDGE_SHARED;
    }
}

static void plan_flags(lade_plan *plan)
{
    for (uint32_t t = 0; t < plan->node_count; t++) {
        const lade_type *type = plan->nodes[t].type;
        for (uint32_t i = 0; i < type->field_count; i++) {
            const lade_field *f = &type->fields[i];
            lade_edge *edge = &plan->edges[plan->nodes[t].edges + i - plan->edges];
            if (may_be_deferred(f))
                body_flags(plan, edge);
            for (uint32_t k = 0; (edge->flags & LADE_EDGE_CASES) && k < edge->index; k++) {
                lade_edge *to = &plan->edges[&edge->cases[k] - plan->edges];
                body_flags(plan, to);
                if (f->kind == LADE_KIND_ANY_REF)
                    plan->nodes[to->index].target = true;
            }
            shared_flags(type, i, edge);
            if (f->kind == LADE_KIND_REF)
                plan->nodes[edge->node->index].target = true;
        }
        if (type->bound > plan->max_bound)
            plan->max_bound = type->bound;
    }
    if (plan->max_bound < FIELD_BOUND)
        plan->max_bound = FIELD_BOUND;
}

/* Fingerprints of the types that known-type pointers lead to. */
static lade_status plan_known(lade_job *job, lade_plan *plan)
{
    lade_status status = LADE_OK;
    for (size_t e = 0; e < plan->edge_count; e++) {
        const lade_edge *edge = &plan->edges[e];
        for (uint32_t k = 0; (edge->flags & LADE_EDGE_CASES) && k < edge->index; k++) {
            const lade_node *to = edge->cases[k].node;
            if (status == LADE_OK && plan->known[to->index].low == 0)
                status = lade_fingerprint_compute(job, to->type, false, &plan->known[to->index]);
        }
    }
    return status;
}

/* Longest chain of nested bodies that are not deferred, plus one. Records cannot nest for ever. */
static lade_status plan_depth(lade_job *job, lade_plan *plan)
{
    const lade_allocator *a = job->ctx->allocator;
    size_t n = plan->node_count;
    size_t *depth = lade_mem_get(a, n * sizeof *depth);
    if (!depth)
        return no_memory(job);
    memset(depth, 0, n * sizeof *depth);
    bool changed = true;
    for (size_t round = 0; changed && round <= n; round++) {
        changed = false;
        for (uint32_t t = 0; t < n; t++) {
            const lade_node *node = &plan->nodes[t];
            for (uint32_t i = 0; i < node->type->field_count; i++) {
                uint32_t count;
                const lade_edge *edge = lade_node_edges(node, i, &count);
                if (!is_containment(&node->type->fields[i], &node->edges[i]) &&
                    node->type->fields[i].kind != LADE_KIND_ANY)
                    continue;
                for (uint32_t k = 0; k < count; k++, edge++) {
                    if ((edge->flags & LADE_EDGE_DEFERRED) || depth[t] > depth[edge->node->index])
                        continue;
                    depth[t] = depth[edge->node->index] + 1;
                    changed = true;
                }
            }
        }
    }
    for (uint32_t t = 0; t < n; t++)
        if (depth[t] >= plan->depth)
            plan->depth = depth[t] + 1;
    lade_mem_free(a, depth, n * sizeof *depth);
    return changed ? lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s: a record holds itself",
                                   plan->root->name)
                   : LADE_OK;
}

static lade_status plan_build(lade_job *job, lade_plan *plan)
{
    lade_typeset set = {0};
    lade_status status = lade_typeset_collect(job, plan->root, &set);
    if (status == LADE_OK)
        status = plan_link(job, plan, &set);
    lade_typeset_fini(job, &set);
    if (status == LADE_OK)
        status = plan_defer(job, plan);
    if (status == LADE_OK) {
        plan_any(plan);
        status = plan_depth(job, plan);
    }
    if (status != LADE_OK)
        return status;
    lade_plan_layout(plan);
    plan_flags(plan);
    lade_plan_moves_make(plan);
    status = lade_plan_pools(job, plan);
    if (status == LADE_OK && !lade_prefetch_plan(job->ctx->allocator, plan))
        status = no_memory(job);
    if (status == LADE_OK)
        status = plan_known(job, plan);
    if (status == LADE_OK)
        status = lade_fingerprint_compute(job, plan->root, plan->array, &plan->fingerprint);
    return status;
}

static bool plan_is(const lade_plan *plan, const lade_type *type, bool array)
{
    return plan->root == type && plan->array == array && plan->stamp == type->stamp;
}

void lade_plans_drop(const lade_allocator *allocator, lade_cache *cache, uint64_t stamp)
{
    lade_plan **link = &cache->plans;
    cache->last = NULL;
    while (*link) {
        lade_plan *plan = *link;
        if (plan->stamp != stamp) {
            link = &plan->next;
            continue;
        }
        *link = plan->next;
        plan_free(allocator, plan);
    }
}

lade_status lade_plan_get(lade_job *job, const lade_type *type, bool array, const lade_plan **out)
{
    lade_cache *cache = job->ctx->cache;
    if (cache->last && plan_is(cache->last, type, array)) {
        *out = cache->last;
        return LADE_OK;
    }
    for (lade_plan *p = cache->plans; p; p = p->next)
        if (plan_is(p, type, array)) {
            *out = cache->last = p;
            return LADE_OK;
        }
    lade_plan *plan = lade_mem_get(job->ctx->allocator, sizeof *plan);
    if (!plan)
        return no_memory(job);
    *plan = (lade_plan){.root = type, .stamp = type->stamp, .array = array};
    lade_status status = plan_build(job, plan);
    if (status != LADE_OK) {
        plan_free(job->ctx->allocator, plan);
        return status;
    }
    plan->next = cache->plans;
    cache->plans = plan;
    *out = cache->last = plan;
    return LADE_OK;
}

void lade_plan_forget(lade_context *ctx, const lade_type *type)
{
    lade_cache *cache = ctx->cache;
    lade_plan **link = cache ? &cache->plans : NULL;
    while (link && *link) {
        lade_plan *plan = *link;
        if (plan->root != type) {
            link = &plan->next;
            continue;
        }
        *link = plan->next;
        if (cache->last == plan)
            cache->last = NULL;
        lade_encoders_forget(cache->encoders, plan);
        lade_decoders_forget(cache->decoders, plan);
        plan_free(ctx->allocator, plan);
    }
}
