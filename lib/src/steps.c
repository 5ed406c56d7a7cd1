#include <stdlib.h>
#include <string.h>

#include "steps_build.h"

bool lade_builder_step(builder *b, lade_step step)
{
    if (!lade_mem_grow(b->allocator, &b->steps->list, &b->steps->capacity, b->steps->count + 1,
                       sizeof *b->steps->list))
        return false;
    step.order = b->steps->count;
    b->steps->list[b->steps->count++] = step;
    return true;
}

bool lade_builder_region(builder *b, size_t offset, size_t size)
{
    if (!lade_mem_grow(b->allocator, &b->regions, &b->region_capacity, b->region_count + 1,
                       sizeof *b->regions))
        return false;
    b->regions[b->region_count++] = (region){offset, size};
    return true;
}

bool lade_builder_plain(builder *b, size_t offset, size_t size)
{
    lade_step step = {.kind = STEP_PLAIN, .offset = offset, .size = size, .repeats = 1};
    return lade_builder_region(b, offset, size) && lade_builder_step(b, step);
}

bool lade_builder_long_doubles(builder *b, size_t offset, size_t n)
{
    const size_t size = sizeof(long double);
    const size_t used = LADE_LONG_DOUBLE_USED;
    lade_step value = {
        .kind = STEP_PLAIN, .offset = offset, .size = used, .repeats = n, .stride = size};
    lade_step padding = {.kind = STEP_CLEAR,
                         .offset = offset + used,
                         .size = size - used,
                         .repeats = n,
                         .stride = size};
    if (size == used)
        return lade_builder_plain(b, offset, n * size);
    return lade_builder_region(b, offset, n * size) && lade_builder_step(b, value) &&
           lade_builder_step(b, padding);
}

static int by_offset(const void *a, const void *b)
{
    const region *x = a;
    const region *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int group(const lade_step *s)
{
    switch (s->kind) {
    case STEP_PLAIN:
        return 0;
    case STEP_CAPACITY: /* reads a count that must be there */
        return 2;
    case STEP_HOOK:
        return 3;
    default:
        return 1;
    }
}

/* Plain runs first; each group in the order of memory, but hooks inner ones first. */
static int by_place(const void *a, const void *b)
{
    const lade_step *x = a;
    const lade_step *y = b;
    if (group(x) != group(y))
        return group(x) - group(y);
    if (x->kind != STEP_HOOK && x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
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
        if (r.offset > end && !lade_builder_step(b, step))
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
        node->hooked = node->hooked || list[i].kind == STEP_HOOK;
        /* a large gap may be a member that other threads write to: it is not even read */
        node->whole = node->whole && list[i].kind != STEP_CUSTOM &&
                      (list[i].kind != STEP_CLEAR || list[i].size < LADE_PRIV_WORD);
    }
    node->bytes = kept == 1 && node->plain == 1 && list[0].size == size && list[0].repeats == 1;
}

static bool ready(const builder *b, const lade_node *node)
{
    for (uint32_t i = 0; i < node->type->field_count; i++)
        if (node->type->fields[i].kind == LADE_KIND_RECORD &&
            (node->edges[i].flags & LADE_EDGE_STORED) &&
            !b->steps->nodes[node->edges[i].index].made)
            return false;
    return true;
}

static bool is_list(const lade_node *node, uint32_t i)
{
    const lade_field *f = &node->type->fields[i];
    return f->kind == LADE_KIND_LIST && f->links && (node->edges[i].flags & LADE_EDGE_STORED);
}

static bool has_list(const lade_node *node)
{
    bool any = false;
    for (uint32_t i = 0; i < node->type->field_count; i++)
        any = any || is_list(node, i);
    return any;
}

/* Cases first, then lists: one node for each field, or none. */
static size_t case_count(const lade_node *node)
{
    return node->type->form == LADE_FORM_UNION ? node->type->field_count : 0;
}

static size_t inner_count(const lade_node *node)
{
    return case_count(node) + (has_list(node) ? node->type->field_count : 0);
}

lade_node *lade_builder_elements(const builder *b, const lade_node *owner, uint32_t i)
{
    return &b->steps->inner[b->inner[owner->index] + case_count(owner) + i];
}

static bool fields_add(builder *b, const lade_node *node)
{
    const lade_type *type = node->type;
    lade_step hook = {.kind = STEP_HOOK, .repeats = 1, .node = node};
    lade_step custom = {.kind = STEP_CUSTOM, .size = type->size, .repeats = 1, .node = node};
    if (type->form == LADE_FORM_CUSTOM)
        return lade_builder_region(b, 0, type->size) && lade_builder_step(b, custom);
    if (type->scalar != LADE_NONE)
        return type->scalar == LADE_F128 ? lade_builder_long_doubles(b, 0, 1)
                                         : lade_builder_plain(b, 0, type->size);
    for (uint32_t i = 0; i < type->field_count; i++)
        if (!lade_builder_field(b, node, i))
            return false;
    return !type->hooks || !type->hooks->after_load || lade_builder_step(b, hook);
}

static lade_node_steps *node_begin(builder *b, const lade_node *node)
{
    lade_node_steps *steps = &b->steps->nodes[node->index];
    *steps = (lade_node_steps){.first = b->steps->count, .made = true};
    b->region_count = 0;
    return steps;
}

/* Case i of a union. */
static bool case_make(builder *b, const lade_node *node, uint32_t i)
{
    lade_node_steps *steps = node_begin(b, &b->steps->inner[b->inner[node->index] + i]);
    if (!lade_builder_field(b, node, i) || !gaps_add(b, node->type->size))
        return false;
    node_settle(b, steps, node->type->size);
    return true;
}

/* The elements of a list, without their links. */
static bool elements_make(builder *b, const lade_node *owner, uint32_t i)
{
    const lade_node *node = owner->edges[i].node;
    const lade_links *links = owner->type->fields[i].links;
    lade_node_steps *steps = node_begin(b, lade_builder_elements(b, owner, i));
    if (!lade_builder_region(b, links->next, sizeof(void *)) ||
        (links->prev != LADE_NO_OFFSET && !lade_builder_region(b, links->prev, sizeof(void *))) ||
        !fields_add(b, node) || !gaps_add(b, node->type->size))
        return false;
    node_settle(b, steps, node->type->size);
    steps->whole = steps->bytes = false;
    return true;
}

static bool node_make(builder *b, uint32_t t)
{
    const lade_node *node = &b->plan->nodes[t];
    lade_node_steps *steps = node_begin(b, node);
    if (node->type->form == LADE_FORM_UNION) {
        for (uint32_t i = 0; i < node->type->field_count; i++)
            if (!case_make(b, node, i))
                return false;
        return true;
    }
    if (!fields_add(b, node) || !gaps_add(b, node->type->size))
        return false;
    node_settle(b, steps, node->type->size);
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

/* The elements of lists, once the records in them are made. */
static bool lists_make(builder *b)
{
    for (uint32_t t = 0; t < b->plan->node_count; t++) {
        const lade_node *node = &b->plan->nodes[t];
        for (uint32_t i = 0; i < node->type->field_count; i++)
            if (is_list(node, i) && !elements_make(b, node, i))
                return false;
    }
    return true;
}

static void inner_set(const builder *b, lade_node *inner, const lade_node *node)
{
    *inner = *node;
    inner->index = (uint32_t)(b->plan->node_count + (size_t)(inner - b->steps->inner));
}

/* Makes room for the nodes, those beyond the plan too. */
static bool nodes_begin(builder *b)
{
    lade_steps *s = b->steps;
    for (uint32_t t = 0; t < b->plan->node_count; t++) {
        b->inner[t] = s->inner_count;
        s->inner_count += inner_count(&b->plan->nodes[t]);
    }
    s->node_count = b->plan->node_count + s->inner_count;
    s->nodes = lade_mem_get(b->allocator, s->node_count * sizeof *s->nodes);
    if (s->inner_count)
        s->inner = lade_mem_get(b->allocator, s->inner_count * sizeof *s->inner);
    if (!s->nodes || (s->inner_count && !s->inner))
        return false;
    memset(s->nodes, 0, s->node_count * sizeof *s->nodes);
    if (s->inner_count)
        memset(s->inner, 0, s->inner_count * sizeof *s->inner);
    for (uint32_t t = 0; t < b->plan->node_count; t++) {
        const lade_node *node = &b->plan->nodes[t];
        for (uint32_t i = 0; i < case_count(node); i++)
            inner_set(b, &s->inner[b->inner[t] + i], node);
        for (uint32_t i = 0; i < node->type->field_count; i++)
            if (is_list(node, i))
                inner_set(b, lade_builder_elements(b, node, i), node->edges[i].node);
    }
    return true;
}

void lade_steps_free(const lade_allocator *a, lade_steps *steps)
{
    if (!steps)
        return;
    lade_mem_free(a, steps->list, steps->capacity * sizeof *steps->list);
    lade_mem_free(a, steps->nodes, steps->node_count * sizeof *steps->nodes);
    lade_mem_free(a, steps->inner, steps->inner_count * sizeof *steps->inner);
    lade_mem_free(a, steps, sizeof *steps);
}

static lade_steps *steps_make(const lade_allocator *a, const lade_plan *plan)
{
    lade_steps *steps = lade_mem_get(a, sizeof *steps);
    builder b = {.allocator = a, .plan = plan, .steps = steps};
    if (!steps)
        return NULL;
    *steps = (lade_steps){0};
    b.inner = lade_mem_get(a, plan->node_count * sizeof *b.inner);
    bool made = b.inner && nodes_begin(&b) && nodes_make(&b) && lists_make(&b);
    lade_mem_free(a, b.inner, plan->node_count * sizeof *b.inner);
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
