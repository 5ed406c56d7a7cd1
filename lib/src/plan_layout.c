/* What follows from the layout of types: natural ones, fewest bytes, what members cover. */
#include <assert.h>
#include <string.h>

#include "plan.h"
#include "schema.h"

size_t lade_scalar_unit(lade_scalar scalar)
{
    size_t size = lade_scalar_size(scalar);
    return scalar == LADE_C32 || scalar == LADE_C64 ? size / 2 : size;
}

/* One field of a natural record: advances *at, *align; false if the record is none. */
static bool natural_field(const lade_field *f, const lade_edge *edge, size_t *at, size_t *align,
                          bool *in_place)
{
    size_t unit;
    size_t size;
    if (f->kind == LADE_KIND_VALUE && f->scalar != LADE_BOOL && f->scalar != LADE_F128) {
        unit = lade_scalar_unit((lade_scalar)f->scalar);
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
    if (type->form != LADE_FORM_RECORD || type->scalar == LADE_F128)
        return false;
    if (type->scalar != LADE_NONE) {
        *node = (lade_node){.type = type,
                            .edges = node->edges,
                            .index = node->index,
                            .natural = true,
                            .in_place = !LADE_PRIV_BIG || type->size == 1,
                            .wire_size = type->size,
                            .wire_min = lade_scalar_unit((lade_scalar)type->scalar)};
        return true;
    }
    size_t at = 0;
    size_t align = 1;
    bool in_place = true;
    uint32_t nest = 0;
    uint32_t stored = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!(node->edges[i].flags & LADE_EDGE_STORED))
            continue;
        stored++;
        if (!natural_field(&type->fields[i], &node->edges[i], &at, &align, &in_place))
            return false;
        if (node->edges[i].node && node->edges[i].node->nest >= nest)
            nest = node->edges[i].node->nest + 1;
    }
    if (stored == 0 || at % align || nest > LADE_NATURAL_NEST)
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
    if (!(edge->flags & LADE_EDGE_STORED))
        return 0;
    switch (f->kind) {
    case LADE_KIND_VALUE:
        return n * lade_scalar_wire((lade_scalar)f->scalar);
    case LADE_KIND_RECORD:
        assert(edge->node);
        return n * edge->node->wire_min;
    case LADE_KIND_POOL:
        return 0;
    case LADE_KIND_GRID:
        return 1 + (size_t)f->grid->rank;
    default:
        return n;
    }
}

/* Fewest bytes of one value. */
static size_t node_min(const lade_node *node)
{
    size_t min = 0;
    if (node->natural)
        return node->wire_size;
    if (node->type->scalar != LADE_NONE)
        return lade_scalar_wire((lade_scalar)node->type->scalar);
    if (node->type->form == LADE_FORM_CUSTOM)
        return 1;
    if (node->type->form == LADE_FORM_UNION)
        return 0;
    for (uint32_t i = 0; i < node->type->field_count; i++)
        min += field_min(&node->type->fields[i], &node->edges[i]);
    return min;
}

static bool companion_before(const lade_type *type, uint32_t i, size_t offset)
{
    lade_companion list[LADE_COMPANIONS_MAX];
    for (uint32_t k = 0; k < i; k++) {
        unsigned n = lade_field_companions(&type->fields[k], list);
        for (unsigned c = 0; c < n; c++)
            if (list[c].offset == offset)
                return true;
    }
    return false;
}

/* Bytes of the counts in a struct, each counted once. */
static size_t companion_bytes(const lade_type *type, size_t *end)
{
    lade_companion list[LADE_COMPANIONS_MAX];
    size_t bytes = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        unsigned n = lade_field_companions(&type->fields[i], list);
        for (unsigned c = 0; c < n; c++) {
            size_t size = lade_scalar_size((lade_scalar)list[c].scalar) * list[c].count;
            if (companion_before(type, i, list[c].offset))
                continue;
            bytes += size;
            if (list[c].offset + size > *end)
                *end = list[c].offset + size;
        }
    }
    return bytes;
}

/* Fields that a load writes whole. Unions, and what is not stored, want cleared memory. */
static bool is_written(const lade_field *f, const lade_edge *edge)
{
    return f->kind == LADE_KIND_CAPACITY ||
           ((edge->flags & LADE_EDGE_STORED) && f->kind != LADE_KIND_VARIANT &&
            f->kind != LADE_KIND_MAP);
}

/* What new memory of a type needs before its members are loaded. A gap may hide a member that is
 * not listed, and such members are zero after a load. */
static lade_coverage node_coverage(const lade_plan *plan, const lade_node *node)
{
    const lade_type *type = node->type;
    lade_coverage least = COVERED_WHOLE;
    size_t end = 0;
    size_t listed = companion_bytes(type, &end);
    if (type->scalar != LADE_NONE)
        return type->scalar == LADE_F128 ? COVERED_NOT : COVERED_WHOLE; /* it has padding */
    if (type->form != LADE_FORM_RECORD)
        return COVERED_NOT;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *f = &type->fields[i];
        if (!is_written(f, &node->edges[i]))
            return COVERED_NOT;
        listed += lade_field_bytes(f);
        if (f->offset + lade_field_bytes(f) > end)
            end = f->offset + lade_field_bytes(f);
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
void lade_plan_layout(lade_plan *plan)
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
            size_t min = node_min(node);
            lade_coverage covered = node_coverage(plan, node);
            changed |= min != node->wire_min || covered != plan->covered[t];
            node->wire_min = min;
            plan->covered[t] = covered;
        }
    }
}
