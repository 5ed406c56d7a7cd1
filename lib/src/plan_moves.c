/* Moves: what the interpreter's inner loop does for each field. */
#include "plan.h"
#include "schema.h"

static lade_move_op value_op(const lade_field *f, lade_move *move)
{
    lade_scalar scalar = (lade_scalar)f->scalar;
    size_t bytes = lade_field_bytes(f);
    if (bytes > LADE_PRIV_SMALL || scalar == LADE_F128)
        return MOVE_FIELD;
    if (scalar == LADE_BOOL)
        return bytes == 1 ? MOVE_BOOL : MOVE_FIELD;
    move->unit = (uint8_t)lade_scalar_unit(scalar);
    move->count = (uint8_t)(bytes / move->unit);
    if (move->count == 1 && move->unit == 8)
        return MOVE_8;
    if (move->count == 1 && move->unit == 4)
        return MOVE_4;
    return bytes == 1 ? MOVE_1 : MOVE_MANY;
}

static lade_move_op field_op(const lade_field *f, const lade_edge *edge, lade_move *move)
{
    if (!(edge->flags & LADE_EDGE_STORED))
        return MOVE_FIELD;
    if (f->kind == LADE_KIND_VALUE)
        return value_op(f, move);
    if (f->rank > 0)
        return MOVE_FIELD;
    switch ((lade_kind)f->kind) {
    case LADE_KIND_ENUMERATION:
        move->enumeration = f->enumeration;
        return MOVE_ENUM;
    case LADE_KIND_TEXT:
        return MOVE_TEXT;
    case LADE_KIND_REF:
        move->target = edge->node;
        return MOVE_REF;
    default:
        return MOVE_FIELD;
    }
}

void lade_plan_moves_make(lade_plan *plan)
{
    for (uint32_t t = 0; t < plan->node_count; t++) {
        const lade_node *node = &plan->nodes[t];
        lade_move *moves = plan->moves + (node->edges - plan->edges);
        for (uint32_t i = 0; i < node->type->field_count; i++) {
            const lade_field *f = &node->type->fields[i];
            moves[i] = (lade_move){.scalar = f->scalar, .offset = f->offset};
            moves[i].op = (uint8_t)field_op(f, &node->edges[i], &moves[i]);
        }
    }
}
