/* The run-time plan: fields are interpreted from their descriptors, with a stack of frames. */
#include <string.h>

#include "encode.h"
#include "kinds.h"
#include "schema.h"

static const void *pointer_at(const unsigned char *member)
{
    const void *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static void enter(enc *e, const lade_node *node, const void *value, size_t n)
{
    e->frames[e->depth++] = (enc_frame){node, value, 0, n, 0, 0, node->type->field_count};
}

/* n consecutive values: a frame, or right now where an array must go on behind them. */
static uint8_t *put_values(enc *e, uint8_t *p, const lade_node *node, const void *body, size_t n,
                           bool now)
{
    if (!now && !lade_enc_has_save(e, node)) {
        enter(e, node, body, n);
        return p;
    }
    p = lade_priv_put_run(&e->pub, p, node, body, n);
    return p ? lade_priv_room(&e->pub, p, FIELD_BOUND) : NULL;
}

/* A body: bulk or deferred by the library, else its values here. */
static uint8_t *put_inner(enc *e, uint8_t *p, const lade_edge *edge, const void *body, size_t n,
                          bool now)
{
    if (edge->flags & (LADE_EDGE_DEFERRED | LADE_EDGE_NATURAL))
        return lade_priv_put_body(&e->pub, p, edge, body, n, FIELD_BOUND);
    if (e->pub.ranging && !lade_priv_note_body(&e->pub, edge->node, body, n))
        return NULL;
    return put_values(e, p, edge->node, body, n, now);
}

static uint8_t *put_counted(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                            const unsigned char *value, const void *body, bool now)
{
    uint64_t n;
    if (!lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &n) ||
        n > SIZE_MAX || (n && !body))
        return lade_priv_put_fail(&e->pub, LADE_ERR_VALUE);
    if (n && f->options && f->options->origin)
        body = (const unsigned char *)body + f->options->origin * (int64_t)edge->node->type->size;
    if (f->kind == LADE_KIND_VECTOR)
        p = lade_priv_put_varint(p, n);
    return n ? put_inner(e, p, edge, body, (size_t)n, now) : p;
}

static uint8_t *put_value(enc *e, uint8_t *p, const lade_field *f, const unsigned char *member)
{
    lade_scalar scalar = (lade_scalar)f->scalar;
    size_t n = lade_field_elements(f);
    size_t size = lade_scalar_size(scalar);
    if (n * size > LADE_PRIV_SMALL || scalar == LADE_F128)
        return lade_priv_put_array(&e->pub, p, member, scalar, n, FIELD_BOUND);
    size_t unit = lade_scalar_unit(scalar);
    lade_priv_copy(p, member, unit, n * size / unit);
    return p + n * size;
}

static uint8_t *put_record(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                           const unsigned char *member)
{
    size_t n = lade_field_elements(f);
    bool bulk = edge->node->natural && n * edge->node->wire_size >= LADE_CONTENT_MIN;
    return put_values(e, p, edge->node, member, n, bulk);
}

static uint8_t *put_fixed_texts(enc *e, uint8_t *p, const lade_field *f,
                                const unsigned char *member)
{
    size_t size = lade_field_capacity(f);
    size_t n = lade_field_elements(f);
    for (size_t i = 0; i < n && p; i++, member += size) {
        p = lade_priv_put_fixed_text(&e->pub, p, (const char *)member, size, FIELD_BOUND);
        p = p ? lade_priv_room(&e->pub, p, FIELD_BOUND) : NULL;
    }
    return p;
}

/* The owned object of a known type. */
static uint8_t *put_any(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                        const unsigned char *value, const void *object, bool now)
{
    const lade_edge *to = object ? lade_enc_case(e, f, edge, value, object) : NULL;
    if (!object) {
        *p = 1;
        return p + 1;
    }
    p = to ? lade_priv_put_tag(&e->pub, p, to->node, FIELD_BOUND) : NULL;
    return p ? put_inner(e, p, to, object, 1, now) : NULL;
}

static uint8_t *put_any_ref(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                            const unsigned char *value, const void *object)
{
    const lade_edge *to = object ? lade_enc_case(e, f, edge, value, object) : NULL;
    if (!object) {
        *p = 1;
        return p + 1;
    }
    p = to ? lade_priv_put_tag(&e->pub, p, to->node, FIELD_BOUND) : NULL;
    return p ? lade_priv_put_ref(&e->pub, p, to->node, object) : NULL;
}

/* One pointer of a field. `now`: others of the same field follow. */
static uint8_t *put_pointer(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                            const unsigned char *value, const void *pointer, bool now)
{
    switch ((lade_kind)f->kind) {
    case LADE_KIND_TEXT:
        return lade_priv_put_text(&e->pub, p, pointer, FIELD_BOUND);
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
        return put_counted(e, p, f, edge, value, pointer, now);
    case LADE_KIND_OPTIONAL:
        *p++ = pointer != NULL;
        return pointer ? put_inner(e, p, edge, pointer, 1, now) : p;
    case LADE_KIND_REF:
        return lade_priv_put_ref(&e->pub, p, edge->node, pointer);
    case LADE_KIND_ANY:
        return put_any(e, p, f, edge, value, pointer, now);
    case LADE_KIND_ANY_REF:
        return put_any_ref(e, p, f, edge, value, pointer);
    case LADE_KIND_EXTERNAL:
        return lade_enc_external(e, p, f, pointer);
    default:
        return NULL;
    }
}

static uint8_t *put_pointers(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                             const unsigned char *value)
{
    size_t n = lade_field_elements(f);
    size_t step = lade_field_choice(f) ? lade_scalar_size((lade_scalar)f->count_scalar) : 0;
    const unsigned char *member = value + f->offset;
    for (size_t i = 0; i < n && p; i++, member += sizeof(void *), value += step) {
        p = put_pointer(e, p, f, edge, value, pointer_at(member), n > 1);
        if (p && n > 1)
            p = lade_priv_room(&e->pub, p, FIELD_BOUND);
        if (!p && n > 1)
            lade_job_index(e->job, i);
    }
    return p;
}

/* The case of a union that the discriminant selects, or the bare discriminant. */
static uint8_t *put_variant(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                            const unsigned char *value)
{
    const lade_type *type = edge->node->type;
    const unsigned char *discriminant = value + f->count_offset;
    uint32_t i = lade_variant_case(f, edge->node, discriminant);
    if (i != UINT32_MAX) {
        e->frames[e->depth++] = (enc_frame){edge->node, value + f->offset, 0, 1, i, i, i + 1};
        return lade_priv_put_varint(p, lade_field_place(type, i) + 1);
    }
    *p = 1; /* varint 0 */
    lade_priv_store64(p + 1,
                      (uint64_t)lade_integer_read(discriminant, (lade_scalar)f->count_scalar));
    return p + 9;
}

static uint8_t *put_field(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                          const unsigned char *value)
{
    const unsigned char *member = value + f->offset;
    if (!(edge->flags & LADE_EDGE_STORED))
        return p;
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
        return put_value(e, p, f, member);
    case LADE_KIND_ENUMERATION:
        return lade_priv_put_enums(&e->pub, p, f->enumeration, member, (lade_scalar)f->scalar,
                                   lade_field_elements(f), FIELD_BOUND);
    case LADE_KIND_FIXED_TEXT:
        return put_fixed_texts(e, p, f, member);
    case LADE_KIND_RECORD:
        return put_record(e, p, f, edge, member);
    case LADE_KIND_VARIANT:
        return put_variant(e, p, f, edge, value);
    case LADE_KIND_GRID:
        return lade_enc_grid(e, p, f, edge, value);
    case LADE_KIND_LIST:
        return lade_enc_list(e, p, f, edge, value);
    case LADE_KIND_MAP:
        return lade_enc_map(e, p, f, edge, value);
    case LADE_KIND_BITS:
        return lade_enc_bits(e, p, f, value);
    default:
        return put_pointers(e, p, f, edge, value);
    }
}

static void trace(enc *e, size_t base)
{
    for (; e->depth > base; e->depth--) {
        const enc_frame *f = &e->frames[e->depth - 1];
        lade_priv_put_trace(&e->pub, f->node, f->field - 1, f->i, f->n);
    }
}

static uint8_t *put_enum(enc *e, uint8_t *p, const lade_move *m, const unsigned char *member)
{
    uint32_t value;
    if (m->scalar != LADE_U32)
        return lade_priv_put_enum(&e->pub, p, m->enumeration,
                                  lade_integer_read(member, (lade_scalar)m->scalar));
    memcpy(&value, member, sizeof value);
    return lade_priv_put_enum(&e->pub, p, m->enumeration, (int64_t)value);
}

/* One field without the general code; *general where it needs that. */
static inline uint8_t *put_move(enc *e, uint8_t *p, const lade_move *m, const unsigned char *value,
                                bool *general)
{
    const unsigned char *member = value + m->offset;
    switch ((lade_move_op)m->op) {
    case MOVE_1:
    case MOVE_BOOL:
        *p = *member;
        return p + 1;
    case MOVE_4:
        lade_priv_copy(p, member, 4, 1);
        return p + 4;
    case MOVE_8:
        lade_priv_copy(p, member, 8, 1);
        return p + 8;
    case MOVE_MANY:
        lade_priv_copy(p, member, m->unit, m->count);
        return p + (size_t)m->unit * m->count;
    case MOVE_ENUM:
        return put_enum(e, p, m, member);
    case MOVE_TEXT:
        return lade_priv_put_text(&e->pub, p, pointer_at(member), FIELD_BOUND);
    case MOVE_REF:
        return lade_priv_put_ref(&e->pub, p, m->target, pointer_at(member));
    case MOVE_FIELD:
        break;
    }
    *general = true;
    return p;
}

/* As many fields and values of a frame as the moves cover. Returns with fields left where one needs the general
 * code or more room; the last value's end is left too. */
static uint8_t *put_moves(enc *e, uint8_t *p, enc_frame *f)
{
    const lade_type *type = f->node->type;
    const lade_move *moves = lade_plan_moves(e->plan, f->node);
    bool general = type->hooks && f->field == 0;
    while (p && !general && e->pub.end - p >= FIELD_BOUND) {
        if (f->field == f->end) {
            if (f->i + 1 == f->n || type->hooks)
                break;
            f->i++;
            f->field = f->first;
            f->value += type->size;
        }
        p = put_move(e, p, &moves[f->field], f->value, &general);
        f->field += !general;
    }
    return p;
}

/* Runs until the frames above `base` are done. */
static uint8_t *run(enc *e, uint8_t *p, size_t base)
{
    while (e->depth > base) {
        enc_frame *f = &e->frames[e->depth - 1];
        const lade_type *type = f->node->type;
        size_t depth = e->depth;
        p = put_moves(e, p, f);
        if (!p) {
            trace(e, base);
            return NULL;
        }
        if (f->field == f->end) {
            f->field = f->first;
            f->value += type->size;
            if (++f->i == f->n)
                e->depth--;
            continue;
        }
        p = lade_priv_room(&e->pub, p, FIELD_BOUND);
        uint32_t at = f->field++;
        bool first = at == 0 && f->end == type->field_count && type->form == LADE_FORM_RECORD;
        if (p && first && type->hooks && type->hooks->before_save &&
            !lade_priv_before_save(&e->pub, f->node, f->value))
            p = NULL;
        p = p ? put_field(e, p, &type->fields[at], &f->node->edges[at], f->value) : NULL;
        if (!p) {
            e->depth = depth;
            trace(e, base);
            return NULL;
        }
    }
    return p;
}

uint8_t *lade_enc_interpret(enc *e, uint8_t *p, const lade_node *node, const void *value, size_t n)
{
    size_t base = e->depth;
    enter(e, node, value, n);
    return run(e, p, base);
}

/* One field, for a surrogate that has no straight-line code for it, and that names it if it fails. */
uint8_t *lade_priv_put_field(lade_encoder *pub, uint8_t *p, const lade_node *node, unsigned field,
                             const void *value, size_t bound)
{
    enc *e = (enc *)(void *)pub;
    size_t base = e->depth;
    p = lade_priv_room(pub, p, FIELD_BOUND);
    p = p ? put_field(e, p, &node->type->fields[field], &node->edges[field], value) : NULL;
    if (!p) {
        e->depth = base;
        return NULL;
    }
    p = run(e, p, base);
    return p ? lade_priv_room(pub, p, bound) : NULL;
}
