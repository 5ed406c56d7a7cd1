#include <stdlib.h>
#include <string.h>

#include "schema.h"
#include "steps.h"

/* Bytes of a struct that a field or count takes. */
typedef struct region {
    size_t offset, size;
} region;

typedef struct builder {
    const lade_allocator *allocator;
    const lade_plan *plan;
    lade_steps *steps;
    region *regions;
    size_t region_count, region_capacity;
} builder;

static bool step_add(builder *b, lade_step step)
{
    if (!lade_mem_grow(b->allocator, &b->steps->list, &b->steps->capacity, b->steps->count + 1,
                       sizeof *b->steps->list))
        return false;
    b->steps->list[b->steps->count++] = step;
    return true;
}

static bool region_add(builder *b, size_t offset, size_t size)
{
    if (!lade_mem_grow(b->allocator, &b->regions, &b->region_capacity, b->region_count + 1,
                       sizeof *b->regions))
        return false;
    b->regions[b->region_count++] = (region){offset, size};
    return true;
}

static bool plain_add(builder *b, size_t offset, size_t size)
{
    lade_step step = {.kind = STEP_PLAIN, .offset = offset, .size = size, .repeats = 1};
    return region_add(b, offset, size) && step_add(b, step);
}

/* The steps of a record by value, for each of its elements. What occurs once in an element is one step
 * with a stride; only arrays inside arrays are written out. */
static bool record_add(builder *b, const lade_field *f, const lade_edge *edge)
{
    const lade_node_steps *inner = &b->steps->nodes[edge->index];
    size_t n = lade_field_elements(f);
    size_t size = f->type->size;
    if (inner->bytes)
        return plain_add(b, f->offset, n * size);
    for (size_t k = 0; k < inner->count; k++) {
        lade_step step = b->steps->list[inner->first + k];
        size_t copies = step.repeats == 1 ? 1 : n;
        step.offset += f->offset;
        step.count_offset += f->offset;
        if (step.repeats == 1 && n > 1) {
            step.repeats = n;
            step.stride = step.count_stride = size;
        }
        for (size_t i = 0; i < copies; i++) {
            if (!step_add(b, step))
                return false;
            step.offset += size;
            step.count_offset += size;
        }
    }
    return region_add(b, f->offset, n * size);
}

/* A member that is a pointer, or a fixed array of pointers. */
static bool pointer_add(builder *b, const lade_field *f, const lade_edge *edge, lade_step_kind kind)
{
    size_t n = lade_field_elements(f);
    lade_step step = {.kind = kind,
                      .count_scalar = (lade_scalar)f->count_scalar,
                      .deferred = edge->flags & LADE_EDGE_DEFERRED,
                      .pool = f->kind == LADE_KIND_POOL,
                      .offset = f->offset,
                      .repeats = n,
                      .stride = sizeof(void *),
                      .count_offset = f->count_offset,
                      .node = edge->node,
                      .field = f};
    if (f->count_scalar &&
        !plain_add(b, f->count_offset, lade_scalar_size((lade_scalar)f->count_scalar)))
        return false;
    return region_add(b, f->offset, n * sizeof(void *)) && step_add(b, step);
}

static bool field_add(builder *b, const lade_field *f, const lade_edge *edge)
{
    size_t n = lade_field_elements(f);
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
        return plain_add(b, f->offset, n * lade_scalar_size((lade_scalar)f->scalar));
    case LADE_KIND_FIXED_TEXT: {
        size_t size = lade_field_capacity(f);
        lade_step step = {.kind = STEP_FIXED_TEXT,
                          .offset = f->offset,
                          .size = size,
                          .repeats = n,
                          .stride = size,
                          .field = f};
        return region_add(b, f->offset, n * size) && step_add(b, step);
    }
    case LADE_KIND_RECORD:
        return record_add(b, f, edge);
    case LADE_KIND_TEXT:
        return pointer_add(b, f, edge, STEP_TEXT);
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_OPTIONAL:
        return pointer_add(b, f, edge, STEP_BODY);
    case LADE_KIND_REF:
        return pointer_add(b, f, edge, STEP_REF);
    default:
        return false;
    }
    return false;
}

static int by_offset(const void *a, const void *b)
{
    const region *x = a;
    const region *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Plain runs first, each group in the order of memory. */
static int by_place(const void *a, const void *b)
{
    const lade_step *x = a;
    const lade_step *y = b;
    bool plain_x = x->kind == STEP_PLAIN;
    bool plain_y = y->kind == STEP_PLAIN;
    if (plain_x != plain_y)
        return plain_x ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* What no member takes is cleared. */
static bool gaps_add(builder *b, size_t size)
{
    size_t end = 0;
    if (b->region_count)
        qsort(b->regions, b->region_count, sizeof *b->regions, by_offset);
    for (size_t i = 0; i <= b->region_count; i++) {
        region r = i < b->region_count ? b->regions[i] : (region){size, 0};
        lade_step step = {.kind = STEP_CLEAR, .offset = end, .size = r.offset - end, .repeats = 1};
        if (r.offset > end && !step_add(b, step))
            return false;
        if (r.offset + r.size > end)
            end = r.offset + r.size;
    }
    return true;
}

static bool joins(const lade_step *last, const lade_step *next)
{
    return last->kind == STEP_PLAIN && next->kind == STEP_PLAIN && last->repeats == 1 &&
           next->repeats == 1 && last->offset + last->size >= next->offset;
}

/* Sorts the steps of a node, and joins runs that touch. */
static void node_settle(builder *b, lade_node_steps *node, size_t size)
{
    lade_step *list = b->steps->list + node->first;
    size_t count = b->steps->count - node->first;
    size_t kept = 0;
    if (count)
        qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count; i++) {
        if (kept && joins(&list[kept - 1], &list[i])) {
            size_t end = list[i].offset + list[i].size;
            if (end > list[kept - 1].offset + list[kept - 1].size)
                list[kept - 1].size = end - list[kept - 1].offset;
            continue;
        }
        list[kept++] = list[i];
    }
    node->count = kept;
    b->steps->count = node->first + kept;
    node->whole = true;
    for (size_t i = 0; i < kept; i++) {
        node->plain += list[i].kind == STEP_PLAIN;
        /* a large gap may be a member that other threads write to: it is not even read */
        node->whole = node->whole && (list[i].kind != STEP_CLEAR || list[i].size < LADE_PRIV_WORD);
    }
    node->bytes = kept == 1 && node->plain == 1 && list[0].size == size && list[0].repeats == 1;
}

static bool ready(const builder *b, const lade_node *node)
{
    for (uint32_t i = 0; i < node->type->field_count; i++)
        if (node->type->fields[i].kind == LADE_KIND_RECORD &&
            !b->steps->nodes[node->edges[i].index].made)
            return false;
    return true;
}

static bool node_make(builder *b, uint32_t t)
{
    const lade_type *type = b->plan->nodes[t].type;
    lade_node_steps *node = &b->steps->nodes[t];
    node->first = b->steps->count;
    b->region_count = 0;
    if (type->scalar != LADE_NONE && !plain_add(b, 0, type->size))
        return false;
    for (uint32_t i = 0; i < type->field_count; i++)
        if (!field_add(b, &type->fields[i], &b->plan->nodes[t].edges[i]))
            return false;
    if (!gaps_add(b, type->size))
        return false;
    node_settle(b, node, type->size);
    node->made = true;
    return true;
}

/* Inner records first: a plan's records do not hold themselves, so that every round makes one. */
static bool nodes_make(builder *b)
{
    for (size_t made = 0; made < b->plan->node_count;)
        for (uint32_t t = 0; t < b->plan->node_count; t++) {
            if (b->steps->nodes[t].made || !ready(b, &b->plan->nodes[t]))
                continue;
            if (!node_make(b, t))
                return false;
            made++;
        }
    return true;
}

void lade_steps_free(const lade_allocator *a, lade_steps *steps)
{
    if (!steps)
        return;
    lade_mem_free(a, steps->list, steps->capacity * sizeof *steps->list);
    lade_mem_free(a, steps->nodes, steps->node_count * sizeof *steps->nodes);
    lade_mem_free(a, steps, sizeof *steps);
}

static lade_steps *steps_make(const lade_allocator *a, const lade_plan *plan)
{
    lade_steps *steps = lade_mem_get(a, sizeof *steps);
    if (!steps)
        return NULL;
    *steps = (lade_steps){.node_count = plan->node_count};
    size_t bytes = steps->node_count * sizeof *steps->nodes;
    steps->nodes = lade_mem_get(a, bytes);
    builder b = {.allocator = a, .plan = plan, .steps = steps};
    if (steps->nodes)
        memset(steps->nodes, 0, bytes);
    bool made = steps->nodes && nodes_make(&b);
    lade_mem_free(a, b.regions, b.region_capacity * sizeof *b.regions);
    if (made)
        return steps;
    lade_steps_free(a, steps);
    return NULL;
}

lade_status lade_steps_get(lade_job *job, const lade_plan *plan, const lade_steps **out)
{
    if (!plan->steps) {
        lade_plan *mine = lade_priv_unconst(plan); /* plans belong to the job's context */
        mine->steps = steps_make(job->ctx->allocator, plan);
    }
    *out = plan->steps;
    return *out ? LADE_OK : lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
}

bool lade_count_failed(lade_job *job, const lade_node *node, const char *member)
{
    char rest[sizeof job->err.path];
    lade_job_error(job, LADE_ERR_VALUE, 0,
                   "its count is negative, or its pointer is NULL with a count");
    lade_job_path(job, member, 0, 1);
    memcpy(rest, job->err.path, sizeof rest);
    lade_path_set(job, node->type->name, UINT64_MAX, rest);
    return false;
}
