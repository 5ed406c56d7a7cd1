#include "plan.h"

#include <assert.h>
#include <string.h>

#include "schema.h"

/* Interpreted fields ask for this much at a time. */
enum { FIELD_BOUND = LADE_PRIV_SMALL + LADE_PRIV_VARINT_MAX };

/* Bytes that swap together; the alignment of the natural layout. */
static size_t scalar_unit(lade_scalar scalar)
{
    size_t size = lade_scalar_size(scalar);
    return scalar == LADE_C32 || scalar == LADE_C64 ? size / 2 : size;
}

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

static bool is_containment(const lade_field *f)
{
    return f->type && f->kind != LADE_KIND_REF;
}

static bool may_be_deferred(const lade_field *f)
{
    return f->kind == LADE_KIND_VECTOR || f->kind == LADE_KIND_POOL ||
           f->kind == LADE_KIND_OPTIONAL;
}

static void plan_free(const lade_allocator *a, lade_plan *plan)
{
    lade_mem_free(a, plan->nodes, plan->node_count * sizeof *plan->nodes);
    lade_mem_free(a, plan->edges, plan->edge_count * sizeof *plan->edges);
    lade_mem_free(a, plan->covered, plan->node_count * sizeof *plan->covered);
    lade_mem_free(a, plan->pools, plan->pool_capacity * sizeof *plan->pools);
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

/* Nodes and edges, without what is derived from them. */
static lade_status plan_link(lade_job *job, lade_plan *plan, const lade_typeset *set)
{
    const lade_allocator *a = job->ctx->allocator;
    for (size_t t = 0; t < set->count; t++)
        plan->edge_count += set->types[t]->field_count;
    plan->nodes = lade_mem_get(a, set->count * sizeof *plan->nodes);
    plan->covered = lade_mem_get(a, set->count * sizeof *plan->covered);
    plan->node_count = (uint32_t)set->count;
    if (plan->edge_count)
        plan->edges = lade_mem_get(a, plan->edge_count * sizeof *plan->edges);
    if (!plan->nodes || !plan->covered || (plan->edge_count && !plan->edges))
        return no_memory(job);
    lade_edge *edge = plan->edges;
    for (uint32_t t = 0; t < plan->node_count; t++) {
        const lade_type *type = set->types[t];
        plan->nodes[t] = (lade_node){.type = type, .edges = edge, .index = t};
        for (uint32_t i = 0; i < type->field_count; i++, edge++) {
            assert(edge && edge < plan->edges + plan->edge_count);
            *edge = (lade_edge){0};
            if (type->fields[i].type) {
                edge->index = (uint32_t)lade_typeset_find(set, type->fields[i].type);
                edge->node = &plan->nodes[edge->index];
            }
        }
    }
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
            const lade_node *to = node->edges[i].node;
            if (!is_containment(&node->type->fields[i]) || seen[to->index])
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
                if (edge->node != &plan->nodes[to] || !is_containment(f))
                    continue;
                if (seen[from] && may_be_deferred(f))
                    edge->flags |= LADE_EDGE_DEFERRED;
                if (seen[from] && f->kind == LADE_KIND_RECORD && to == from)
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

/* One field of a natural record: advances *at, *align; false if the record is none. */
static bool natural_field(const lade_field *f, const lade_edge *edge, size_t *at, size_t *align,
                          bool *in_place)
{
    size_t unit;
    size_t size;
    if (f->kind == LADE_KIND_VALUE && f->scalar != LADE_BOOL) {
        unit = scalar_unit((lade_scalar)f->scalar);
        size = lade_scalar_size((lade_scalar)f->scalar);
        *in_place = *in_place && (!LADE_PRIV_BIG || unit == 1);
    } else if (f->kind == LADE_KIND_RECORD && edge->node && edge->node->natural) {
        unit = edge->node->wire_min; /* holds the alignment while plan_layout runs */
        size = edge->node->wire_size;
        *in_place = *in_place && edge->node->in_place;
    } else {
        return false;
    }
    if (*at % unit)
        return false;
    *in_place = *in_place && f->offset == *at;
    if (unit > *align)
        *align = unit;
    *at += size * lade_field_elements(f);
    return true;
}

/* Natural: values only, and no padding where each scalar is aligned to its size. Records are
 * settled inner ones first; wire_min holds the alignment meanwhile. True if it changed. */
static bool node_layout(lade_node *node)
{
    const lade_type *type = node->type;
    if (node->natural)
        return false;
    if (type->scalar != LADE_NONE) {
        *node = (lade_node){.type = type,
                            .edges = node->edges,
                            .index = node->index,
                            .natural = true,
                            .in_place = !LADE_PRIV_BIG || type->size == 1,
                            .wire_size = type->size,
                            .wire_min = scalar_unit((lade_scalar)type->scalar)};
        return true;
    }
    size_t at = 0;
    size_t align = 1;
    bool in_place = true;
    uint32_t nest = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!natural_field(&type->fields[i], &node->edges[i], &at, &align, &in_place))
            return false;
        if (node->edges[i].node && node->edges[i].node->nest >= nest)
            nest = node->edges[i].node->nest + 1;
    }
    if (at % align || nest > LADE_NATURAL_NEST)
        return false;
    node->natural = true;
    node->nest = nest;
    node->in_place = in_place && at == type->size;
    node->wire_size = at;
    node->wire_min = align;
    return true;
}

static size_t field_min(const lade_field *f, const lade_edge *edge)
{
    size_t n = lade_field_elements(f);
    switch (f->kind) {
    case LADE_KIND_VALUE:
        return n * lade_scalar_size((lade_scalar)f->scalar);
    case LADE_KIND_ENUMERATION:
        return n;
    case LADE_KIND_RECORD:
        assert(edge->node);
        return n * edge->node->wire_min;
    case LADE_KIND_POOL:
        return 0;
    default:
        return 1;
    }
}

static size_t field_bytes(const lade_field *f)
{
    size_t n = lade_field_elements(f);
    if (f->kind == LADE_KIND_RECORD)
        return n * f->type->size;
    if (f->kind == LADE_KIND_FIXED_TEXT)
        return n;
    return f->scalar ? n * lade_scalar_size((lade_scalar)f->scalar) : sizeof(void *);
}

/* Bytes of the counts in a struct, each counted once. */
static size_t count_bytes(const lade_type *type, size_t *end)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *f = &type->fields[i];
        size_t size = lade_scalar_size((lade_scalar)f->count_scalar);
        for (uint32_t k = 0; k < i && size; k++)
            if (type->fields[k].count_scalar && type->fields[k].count_offset == f->count_offset)
                size = 0;
        bytes += size;
        if (size && f->count_offset + size > *end)
            *end = f->count_offset + size;
    }
    return bytes;
}

/* What new memory of a type needs before its members are loaded. A gap may hide a member that is
 * not listed, and such members are zero after a load. */
static lade_coverage node_coverage(const lade_plan *plan, const lade_node *node)
{
    const lade_type *type = node->type;
    lade_coverage least = COVERED_WHOLE;
    size_t end = 0;
    size_t listed = count_bytes(type, &end);
    if (type->scalar != LADE_NONE)
        return COVERED_WHOLE;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *f = &type->fields[i];
        listed += field_bytes(f);
        if (f->offset + field_bytes(f) > end)
            end = f->offset + field_bytes(f);
        if (f->kind == LADE_KIND_RECORD && plan->covered[node->edges[i].index] < least)
            least = plan->covered[node->edges[i].index];
    }
    size_t tail = type->size - end;
    if (listed + tail != type->size || tail >= LADE_PRIV_WORD)
        return COVERED_NOT;
    lade_coverage covered = tail && least == COVERED_WHOLE ? COVERED_BUT_TAIL : least;
    /* what is unpacked from content passes no surrogate */
    return node->natural && covered == COVERED_BUT_TAIL ? COVERED_NOT : covered;
}

/* Everything that follows from inner records first: natural layout, fewest bytes, coverage, depth.
 */
static void plan_layout(lade_plan *plan)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < plan->node_count; t++)
            changed |= node_layout(&plan->nodes[t]);
    }
    for (uint32_t t = 0; t < plan->node_count; t++)
        plan->nodes[t].wire_min = plan->nodes[t].natural ? plan->nodes[t].wire_size : 0;
    memset(plan->covered, 0, plan->node_count * sizeof *plan->covered); /* COVERED_NOT */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < plan->node_count; t++) {
            lade_node *node = &plan->nodes[t];
            size_t min = 0;
            for (uint32_t i = 0; i < node->type->field_count; i++)
                min += field_min(&node->type->fields[i], &node->edges[i]);
            lade_coverage covered = node_coverage(plan, node);
            changed |= (!node->natural && min != node->wire_min) || covered != plan->covered[t];
            if (!node->natural)
                node->wire_min = min;
            plan->covered[t] = covered;
        }
    }
}

static void plan_flags(lade_plan *plan)
{
    for (uint32_t t = 0; t < plan->node_count; t++) {
        const lade_type *type = plan->nodes[t].type;
        for (uint32_t i = 0; i < type->field_count; i++) {
            const lade_field *f = &type->fields[i];
            lade_edge *edge = &plan->edges[plan->nodes[t].edges + i - plan->edges];
            if (may_be_deferred(f) && edge->node->natural)
                edge->flags |= LADE_EDGE_NATURAL;
            if (may_be_deferred(f) &&
                (plan->covered[edge->index] == COVERED_NOT || edge->node->wire_min == 0 ||
                 edge->node->type->align > LADE_PRIV_BODY_ALIGN))
                edge->flags |= LADE_EDGE_CLEAR;
            for (uint32_t k = 0; k < i && f->count_scalar; k++)
                if (type->fields[k].count_scalar && type->fields[k].count_offset == f->count_offset)
                    edge->flags |= LADE_EDGE_SHARED;
            if (f->kind == LADE_KIND_REF) {
                plan->nodes[edge->node->index].target = true;
                plan->tracks = true;
            }
        }
        if (type->bound > plan->max_bound)
            plan->max_bound = type->bound;
    }
    if (plan->max_bound < FIELD_BOUND)
        plan->max_bound = FIELD_BOUND;
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
                const lade_edge *edge = &node->edges[i];
                if (!is_containment(&node->type->fields[i]) || (edge->flags & LADE_EDGE_DEFERRED) ||
                    depth[t] > depth[edge->node->index])
                    continue;
                depth[t] = depth[edge->node->index] + 1;
                changed = true;
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

static lade_status pool_add(lade_job *job, lade_plan *plan, const lade_field *f,
                            const lade_node *node, size_t base)
{
    if (!lade_mem_grow(job->ctx->allocator, &plan->pools, &plan->pool_capacity,
                       plan->pool_count + 1, sizeof *plan->pools))
        return no_memory(job);
    plan->nodes[node->index].pooled = true;
    plan->pools[plan->pool_count++] = (lade_pool_place){.offset = base + f->offset,
                                                        .count_offset = base + f->count_offset,
                                                        .count_scalar = f->count_scalar,
                                                        .node = node,
                                                        .name = f->name};
    return LADE_OK;
}

/* A by-value record on the way to pools, with the place of its struct in the root's. */
typedef struct place {
    const lade_node *node;
    size_t base;
    uint32_t field;
    size_t element;
} place;

/* Finds the pools of the root and of what it holds by value, in the order in which they are saved.
 */
static lade_status plan_pools(lade_job *job, lade_plan *plan)
{
    const lade_allocator *a = job->ctx->allocator;
    size_t bytes = (plan->depth + 1) * sizeof(place);
    place *stack = lade_mem_get(a, bytes);
    if (!stack)
        return no_memory(job);
    lade_status status = LADE_OK;
    size_t top = 0;
    stack[top++] = (place){&plan->nodes[0], 0, 0, 0};
    while (top && status == LADE_OK) {
        place *p = &stack[top - 1];
        if (p->field == p->node->type->field_count) {
            top--;
            continue;
        }
        const lade_field *f = &p->node->type->fields[p->field];
        const lade_node *to = p->node->edges[p->field].node;
        if (f->kind == LADE_KIND_RECORD && !to->natural && p->element < lade_field_elements(f)) {
            stack[top++] = (place){to, p->base + f->offset + p->element++ * to->type->size, 0, 0};
            continue;
        }
        if (f->kind == LADE_KIND_POOL)
            status = pool_add(job, plan, f, to, p->base);
        p->field++;
        p->element = 0;
    }
    lade_mem_free(a, stack, bytes);
    return status;
}

/* Marks the types that hold a pool, themselves or in a record by value. */
static void mark_pool_holders(const lade_plan *plan, bool *holds)
{
    memset(holds, 0, plan->node_count * sizeof *holds);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < plan->node_count; t++) {
            const lade_node *node = &plan->nodes[t];
            for (uint32_t i = 0; i < node->type->field_count && !holds[t]; i++) {
                const lade_field *f = &node->type->fields[i];
                holds[t] = f->kind == LADE_KIND_POOL ||
                           (f->kind == LADE_KIND_RECORD && holds[node->edges[i].node->index]);
                changed |= holds[t];
            }
        }
    }
}

/* A pool anywhere else than in the root has no place that is known before the walk. */
static lade_status plan_pools_check(lade_job *job, const lade_plan *plan)
{
    const lade_allocator *a = job->ctx->allocator;
    bool *holds = lade_mem_get(a, plan->node_count * sizeof *holds);
    if (!holds)
        return no_memory(job);
    mark_pool_holders(plan, holds);
    for (uint32_t t = 0; t < plan->node_count; t++)
        plan->nodes[t].pools = holds[t];
    lade_status status = LADE_OK;
    if (plan->array && holds[0])
        status =
            lade_job_fail(job, LADE_ERR_DESCRIPTION, 0,
                          "an array of '%s' cannot be saved: it holds a pool", plan->root->name);
    for (uint32_t t = 0; t < plan->node_count; t++) {
        const lade_node *node = &plan->nodes[t];
        for (uint32_t i = 0; i < node->type->field_count; i++) {
            const lade_field *f = &node->type->fields[i];
            bool to_root = f->kind == LADE_KIND_REF && node->edges[i].index == 0;
            if (!f->type || f->kind == LADE_KIND_RECORD || to_root || !holds[node->edges[i].index])
                continue;
            status = lade_job_fail(job, LADE_ERR_DESCRIPTION, 0,
                                   "%s.%s leads to '%s', which holds a pool: pools stand in the "
                                   "saved value itself, or in a record that it holds by value",
                                   node->type->name, f->name, f->type->name);
        }
    }
    lade_mem_free(a, holds, plan->node_count * sizeof *holds);
    return status;
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
    if (status == LADE_OK)
        status = plan_depth(job, plan);
    if (status != LADE_OK)
        return status;
    plan_layout(plan);
    plan_flags(plan);
    status = plan_pools_check(job, plan);
    if (status == LADE_OK && plan->array)
        plan->nodes[0].pooled = true;
    else if (status == LADE_OK)
        status = plan_pools(job, plan);
    if (status == LADE_OK)
        status = lade_fingerprint_compute(job, plan->root, plan->array, &plan->fingerprint);
    return status;
}

lade_status lade_plan_get(lade_job *job, const lade_type *type, bool array, const lade_plan **out)
{
    lade_cache *cache = job->ctx->cache;
    if (cache->last && cache->last->root == type && cache->last->array == array) {
        *out = cache->last;
        return LADE_OK;
    }
    for (lade_plan *p = cache->plans; p; p = p->next)
        if (p->root == type && p->array == array) {
            *out = cache->last = p;
            return LADE_OK;
        }
    lade_plan *plan = lade_mem_get(job->ctx->allocator, sizeof *plan);
    if (!plan)
        return no_memory(job);
    *plan = (lade_plan){.root = type, .array = array};
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
