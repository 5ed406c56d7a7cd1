/* The steps of a field, by its kind. */
#include "schema.h"
#include "steps_build.h"

/* The steps of a record by value, for each of its elements. What occurs once in an element is one step
 * with a stride; only arrays inside arrays are written out. */
static bool record_add(builder *b, const lade_field *f, const lade_edge *edge)
{
    const lade_node_steps *inner = &b->steps->nodes[edge->index];
    size_t n = lade_field_elements(f);
    size_t size = f->type->size;
    if (inner->bytes)
        return lade_builder_plain(b, f->offset, n * size);
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
            if (!lade_builder_step(b, step))
                return false;
            step.offset += size;
            step.count_offset += size;
        }
    }
    return lade_builder_region(b, f->offset, n * size);
}

/* Counts, discriminants and extents are copied; strides are made anew. */
static bool companions_add(builder *b, const lade_field *f)
{
    lade_companion list[LADE_COMPANIONS_MAX];
    unsigned n = lade_field_companions(f, list);
    bool ok = true;
    for (unsigned i = 0; i < n && ok; i++) {
        size_t size = lade_scalar_size((lade_scalar)list[i].scalar) * list[i].count;
        bool strides = f->kind == LADE_KIND_GRID && f->grid->step_scalar &&
                       list[i].offset == f->grid->step_offset;
        ok = strides ? lade_builder_region(b, list[i].offset, size)
                     : lade_builder_plain(b, list[i].offset, size);
    }
    return ok;
}

/* Whether no other field goes by the discriminant of a known-type pointer. */
static bool case_is_own(const lade_type *type, const lade_field *f)
{
    lade_companion list[LADE_COMPANIONS_MAX];
    for (uint32_t i = 0; i < type->field_count; i++) {
        unsigned n = &type->fields[i] == f ? 0 : lade_field_companions(&type->fields[i], list);
        for (unsigned k = 0; k < n; k++)
            if (list[k].offset == f->count_offset)
                return false;
    }
    return f->count_scalar != LADE_NONE;
}

/* A member that is a pointer, or a fixed array of pointers. */
static bool pointer_add(builder *b, const lade_node *owner, const lade_field *f,
                        const lade_edge *edge, lade_step_kind kind)
{
    size_t n = lade_field_elements(f);
    bool choice = edge->flags & LADE_EDGE_CASES;
    lade_step step = {.kind = kind,
                      .count_scalar = (lade_scalar)f->count_scalar,
                      .deferred = edge->flags & LADE_EDGE_DEFERRED,
                      .pool = f->kind == LADE_KIND_POOL,
                      .own_case = choice && case_is_own(owner->type, f),
                      .offset = f->offset,
                      .repeats = n,
                      .stride = sizeof(void *),
                      .count_offset = f->count_offset,
                      .node = choice ? NULL : edge->node,
                      .edge = edge,
                      .field = f};
    if (f->options && f->options->origin && f->kind == LADE_KIND_VECTOR) {
        step.kind = STEP_SHIFTED;
        step.shift = f->options->origin * (int64_t)edge->node->type->size;
    }
    return companions_add(b, f) && lade_builder_region(b, f->offset, n * sizeof(void *)) &&
           lade_builder_step(b, step);
}

static bool list_add(builder *b, const lade_node *owner, const lade_field *f, const lade_edge *edge)
{
    uint32_t i = (uint32_t)(f - owner->type->fields);
    if (!f->links)
        return pointer_add(b, owner, f, edge, STEP_BODY);
    lade_step step = {.kind = STEP_LIST,
                      .deferred = edge->flags & LADE_EDGE_DEFERRED,
                      .offset = f->offset,
                      .repeats = 1,
                      .node = edge->node,
                      .inner = lade_builder_elements(b, owner, i),
                      .field = f};
    return (f->links->tail == LADE_NO_OFFSET ||
            lade_builder_region(b, f->links->tail, sizeof(void *))) &&
           lade_builder_region(b, f->offset, sizeof(void *)) && lade_builder_step(b, step);
}

/* The map itself is no region: it is zero until it takes its entries. */
static bool map_add(builder *b, const lade_node *owner, const lade_field *f, const lade_edge *edge)
{
    lade_step step = {.kind = STEP_MAP,
                      .deferred = edge->flags & LADE_EDGE_DEFERRED,
                      .offset = f->offset,
                      .size = lade_field_bytes(f),
                      .repeats = 1,
                      .node = edge->node,
                      .field = f};
    return f->map ? lade_builder_step(b, step) : pointer_add(b, owner, f, edge, STEP_BODY);
}

static bool variant_add(builder *b, const lade_field *f, const lade_edge *edge)
{
    lade_step step = {.kind = STEP_VARIANT,
                      .offset = f->offset,
                      .size = lade_field_bytes(f),
                      .repeats = 1,
                      .count_offset = f->count_offset,
                      .node = edge->node,
                      .inner = &b->steps->inner[b->inner[edge->index]],
                      .field = f};
    return companions_add(b, f) && lade_builder_region(b, f->offset, step.size) &&
           lade_builder_step(b, step);
}

/* Members that are not stored are zero, have a default, or follow a count. */
static bool missing_add(builder *b, const lade_field *f)
{
    size_t size = lade_field_bytes(f);
    lade_step step = {.kind = STEP_DEFAULT,
                      .count_scalar = (lade_scalar)f->count_scalar,
                      .offset = f->offset,
                      .size = size,
                      .repeats = 1,
                      .count_offset = f->count_offset,
                      .field = f};
    if (f->kind == LADE_KIND_CAPACITY)
        step.kind = STEP_CAPACITY;
    else if (!f->options || !f->options->fallback)
        return true;
    return lade_builder_region(b, f->offset, size) && lade_builder_step(b, step);
}

static bool fixed_text_add(builder *b, const lade_field *f)
{
    size_t n = lade_field_elements(f);
    size_t size = lade_field_capacity(f);
    lade_step step = {.kind = STEP_FIXED_TEXT,
                      .offset = f->offset,
                      .size = size,
                      .repeats = n,
                      .stride = size,
                      .field = f};
    return lade_builder_region(b, f->offset, n * size) && lade_builder_step(b, step);
}

bool lade_builder_field(builder *b, const lade_node *node, uint32_t i)
{
    const lade_field *f = &node->type->fields[i];
    const lade_edge *edge = &node->edges[i];
    if (!(edge->flags & LADE_EDGE_STORED))
        return missing_add(b, f);
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
        if (f->scalar == LADE_F128)
            return lade_builder_long_doubles(b, f->offset, lade_field_elements(f));
        return lade_builder_plain(b, f->offset, lade_field_bytes(f));
    case LADE_KIND_ENUMERATION:
    case LADE_KIND_EXTERNAL:
        return lade_builder_plain(b, f->offset, lade_field_bytes(f));
    case LADE_KIND_FIXED_TEXT:
        return fixed_text_add(b, f);
    case LADE_KIND_RECORD:
        return record_add(b, f, edge);
    case LADE_KIND_TEXT:
        return pointer_add(b, node, f, edge, STEP_TEXT);
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_OPTIONAL:
        return pointer_add(b, node, f, edge, STEP_BODY);
    case LADE_KIND_REF:
        return pointer_add(b, node, f, edge, STEP_REF);
    case LADE_KIND_ANY:
        return pointer_add(b, node, f, edge, STEP_ANY);
    case LADE_KIND_ANY_REF:
        return pointer_add(b, node, f, edge, STEP_ANY_REF);
    case LADE_KIND_GRID:
        return pointer_add(b, node, f, edge, STEP_GRID);
    case LADE_KIND_BITS:
        return pointer_add(b, node, f, edge, STEP_BITS);
    case LADE_KIND_VARIANT:
        return variant_add(b, f, edge);
    case LADE_KIND_LIST:
        return list_add(b, node, f, edge);
    case LADE_KIND_MAP:
        return map_add(b, node, f, edge);
    case LADE_KIND_SKIP:
    case LADE_KIND_CAPACITY:
        break;
    }
    return false;
}
