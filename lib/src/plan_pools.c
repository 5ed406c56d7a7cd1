/* The pools of a root: where they stand, and that they stand nowhere else. */
#include <string.h>

#include "plan.h"
#include "schema.h"

static lade_status pool_add(lade_job *job, lade_plan *plan, const lade_field *f,
                            const lade_node *node, size_t base)
{
    if (!lade_mem_grow(job->ctx->allocator, &plan->pools, &plan->pool_capacity,
                       plan->pool_count + 1, sizeof *plan->pools))
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
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
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
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
        const lade_node *to = p->node->edges[p->field].node; /* of records and pools */
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
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
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
            bool tracked = f->kind == LADE_KIND_REF || f->kind == LADE_KIND_ANY_REF;
            uint32_t count;
            const lade_edge *edge = lade_node_edges(node, i, &count);
            for (uint32_t k = 0; k < count && f->kind != LADE_KIND_RECORD; k++, edge++)
                if (holds[edge->index] && !(tracked && edge->index == 0))
                    status = lade_job_fail(
                        job, LADE_ERR_DESCRIPTION, 0,
                        "%s.%s leads to '%s', which holds a pool: pools stand in the saved value "
                        "itself, or in a record that it holds by value",
                        node->type->name, f->name, edge->node->type->name);
        }
    }
    lade_mem_free(a, holds, plan->node_count * sizeof *holds);
    return status;
}

lade_status lade_plan_pools(lade_job *job, lade_plan *plan)
{
    lade_status status = plan_pools_check(job, plan);
    if (status != LADE_OK)
        return status;
    plan->nodes[0].pooled =
        plan->array; /* refs among the elements of an array find them by place */
    return plan->array ? LADE_OK : plan_pools(job, plan);
}
