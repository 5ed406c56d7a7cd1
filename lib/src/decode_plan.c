/* The run-time plan: fields are interpreted from their descriptors, with a stack of frames. */
#include <string.h>

#include "decode.h"
#include "schema.h"

static void *pointer_at(const void *member)
{
    void *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static void set_pointer(void *member, const void *pointer)
{
    memcpy(member, &pointer, sizeof pointer);
}

static void enter(dec *d, const lade_node *node, void *value, size_t n)
{
    d->frames[d->depth++] = (dec_frame){node, value, 0, n, 0, 0, node->type->field_count};
}

/* n consecutive values: a frame, or right now where an array must go on behind them. */
static const uint8_t *get_values(dec *d, const uint8_t *p, const lade_node *node, void *body,
                                 size_t n, bool now)
{
    if (!now && !lade_dec_has_load(d, node)) {
        enter(d, node, body, n);
        return p;
    }
    p = lade_priv_get_run(&d->pub, p, node, body, n);
    return p ? lade_priv_need(&d->pub, p, FIELD_BOUND) : NULL;
}

static const uint8_t *get_value(dec *d, const uint8_t *p, const lade_field *f,
                                unsigned char *member)
{
    lade_scalar scalar = (lade_scalar)f->scalar;
    size_t n = lade_field_elements(f);
    size_t size = lade_scalar_size(scalar);
    if (n * size > LADE_PRIV_SMALL || scalar == LADE_F128)
        return lade_priv_get_array(&d->pub, p, member, scalar, n, FIELD_BOUND);
    for (size_t i = 0; scalar == LADE_BOOL && i < n; i++)
        if (p[i] > 1)
            return lade_priv_get_fail(&d->pub, p, LADE_ERR_VALUE);
    size_t unit = lade_scalar_unit(scalar);
    lade_priv_copy(member, p, unit, n * size / unit);
    return p + n * size;
}

static const uint8_t *get_counted(dec *d, const uint8_t *p, const lade_field *f,
                                  const lade_edge *edge, unsigned char *value,
                                  unsigned char *member, bool again, bool now)
{
    uint64_t n = 0;
    void *body = NULL;
    bool shared = again || (edge->flags & LADE_EDGE_SHARED);
    if (f->kind == LADE_KIND_POOL) {
        p = lade_priv_get_pool(&d->pub, p, edge, member, FIELD_BOUND, &n, &body);
        if (!p || !lade_dec_number(d, p, f->count_scalar, value + f->count_offset, shared, n))
            return NULL;
    } else {
        int64_t shift = f->options ? f->options->origin * (int64_t)edge->node->type->size : 0;
        const uint8_t *q = lade_priv_get_varint(p, &n);
        if (!q)
            return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
        if (!lade_dec_number(d, q, f->count_scalar, value + f->count_offset, shared, n))
            return NULL;
        unsigned char *first = d->pub.into ? pointer_at(member) : NULL;
        if (first)
            first += shift;
        p = lade_priv_get_vector(&d->pub, q, edge, &first, n, FIELD_BOUND, &body);
        if (p && !d->pub.into)
            set_pointer(member, first ? first - shift : NULL);
    }
    return p && body ? get_values(d, p, edge->node, body, (size_t)n, now) : p;
}

static const uint8_t *get_fixed_texts(dec *d, const uint8_t *p, const lade_field *f,
                                      unsigned char *member)
{
    size_t size = lade_field_capacity(f);
    size_t n = lade_field_elements(f);
    for (size_t i = 0; i < n && p; i++, member += size)
        p = lade_priv_get_fixed_text(&d->pub, p, (char *)member, size, FIELD_BOUND);
    return p;
}

/* An object whose own members tell its type must be of the type that is stored with it: programs go by it. */
static bool check_later(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *to,
                        void *object, uint32_t which)
{
    return !f->choice->which || lade_dec_check_case(d, p, f->choice, to->node, object, which);
}

static const uint8_t *get_any(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                              unsigned char *value, unsigned char *member, bool now)
{
    void *body = NULL;
    uint32_t which;
    p = lade_dec_case(d, p, f, edge, value, member, &which);
    if (!p)
        return NULL;
    if (which == LADE_PRIV_NO_CASE) {
        if (!d->pub.into)
            set_pointer(member, NULL);
        return p;
    }
    p = lade_priv_need(&d->pub, p, FIELD_BOUND);
    if (!p)
        return NULL;
    const lade_edge *to = &edge->cases[which];
    if (f->kind == LADE_KIND_ANY) {
        p = lade_priv_get_object(&d->pub, p, to, member, FIELD_BOUND, &body);
        if (p && !check_later(d, p, f, to, pointer_at(member), which))
            return NULL;
        return p && body ? get_values(d, p, to->node, body, 1, now) : p;
    }
    p = lade_priv_get_ref(&d->pub, p, to->node, member);
    if (p && !pointer_at(member))
        return lade_dec_fail(d, p, LADE_ERR_FORMAT, "NULL is stored with a type");
    return p && check_later(d, p, f, to, pointer_at(member), which) ? p : NULL;
}

/* One pointer of a field. `again`: an earlier one of the same field has set its count; `now`: others of
 * the same field follow. */
static const uint8_t *get_pointer(dec *d, const uint8_t *p, const lade_field *f,
                                  const lade_edge *edge, unsigned char *value,
                                  unsigned char *member, bool again, bool now)
{
    void *body = NULL;
    switch ((lade_kind)f->kind) {
    case LADE_KIND_TEXT:
        return lade_priv_get_text(&d->pub, p, member, FIELD_BOUND);
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
        return get_counted(d, p, f, edge, value, member, again, now);
    case LADE_KIND_OPTIONAL:
        p = lade_priv_get_optional(&d->pub, p, edge, member, FIELD_BOUND, &body);
        return p && body ? get_values(d, p, edge->node, body, 1, now) : p;
    case LADE_KIND_REF:
        return lade_priv_get_ref(&d->pub, p, edge->node, member);
    case LADE_KIND_ANY:
    case LADE_KIND_ANY_REF:
        return get_any(d, p, f, edge, value, member, now);
    case LADE_KIND_EXTERNAL:
        return lade_dec_external(d, p, f, member);
    default:
        return NULL;
    }
}

static const uint8_t *get_pointers(dec *d, const uint8_t *p, const lade_field *f,
                                   const lade_edge *edge, unsigned char *value)
{
    size_t n = lade_field_elements(f);
    size_t step = lade_field_choice(f) ? lade_scalar_size((lade_scalar)f->count_scalar) : 0;
    unsigned char *member = value + f->offset;
    for (size_t i = 0; i < n && p; i++, member += sizeof(void *), value += step) {
        p = get_pointer(d, p, f, edge, value, member, i > 0, n > 1);
        if (p && n > 1)
            p = lade_priv_need(&d->pub, p, FIELD_BOUND);
        if (!p && n > 1)
            lade_job_index(d->job, i);
    }
    return p;
}

/* A discriminant that selects no case, as a number. */
static const uint8_t *get_no_case(dec *d, const uint8_t *p, const lade_field *f,
                                  const lade_edge *edge, unsigned char *value)
{
    const lade_type *type = edge->node->type;
    int64_t is = (int64_t)lade_priv_load64(p);
    p += 8;
    for (uint32_t i = 0; i < type->field_count; i++)
        if (lade_field_stored(type, &type->fields[i]) && lade_field_when(type, i) == is)
            return lade_dec_fail(d, p, LADE_ERR_FORMAT, "a case is stored as a bare discriminant");
    bool shared = edge->flags & LADE_EDGE_SHARED;
    return lade_dec_integer(d, p, f->count_scalar, value + f->count_offset, shared, is) ? p : NULL;
}

static const uint8_t *get_variant(dec *d, const uint8_t *p, const lade_field *f,
                                  const lade_edge *edge, unsigned char *value)
{
    const lade_type *type = edge->node->type;
    uint64_t code;
    const uint8_t *q = lade_priv_get_varint(p, &code);
    if (!q)
        return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
    if (code == 0)
        return get_no_case(d, q, f, edge, value);
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!lade_field_stored(type, &type->fields[i]) || --code > 0)
            continue;
        if (!lade_dec_integer(d, q, f->count_scalar, value + f->count_offset,
                              edge->flags & LADE_EDGE_SHARED, lade_field_when(type, i)))
            return NULL;
        d->frames[d->depth++] = (dec_frame){edge->node, value + f->offset, 0, 1, i, i, i + 1};
        return q;
    }
    return lade_dec_fail(d, q, LADE_ERR_VALUE, "the variant has no such case");
}

/* What this version of the type does not store. */
static void set_missing(const dec *d, const lade_field *f, unsigned char *value)
{
    if (d->pub.into)
        return;
    if (f->kind != LADE_KIND_CAPACITY) {
        lade_field_default(f, value);
        return;
    }
    uint64_t n;
    lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &n);
    lade_count_write(value + f->offset, (lade_scalar)f->scalar, n);
}

static const uint8_t *get_field(dec *d, const uint8_t *p, const lade_field *f,
                                const lade_edge *edge, unsigned char *value)
{
    unsigned char *member = value + f->offset;
    size_t n = lade_field_elements(f);
    if (!(edge->flags & LADE_EDGE_STORED)) {
        set_missing(d, f, value);
        return p;
    }
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
        return get_value(d, p, f, member);
    case LADE_KIND_ENUMERATION:
        return lade_priv_get_enums(&d->pub, p, f->enumeration, member, (lade_scalar)f->scalar, n,
                                   FIELD_BOUND);
    case LADE_KIND_FIXED_TEXT:
        return get_fixed_texts(d, p, f, member);
    case LADE_KIND_RECORD:
        return get_values(d, p, edge->node, member, n,
                          edge->node->natural && n * edge->node->wire_size >= LADE_CONTENT_MIN);
    case LADE_KIND_VARIANT:
        return get_variant(d, p, f, edge, value);
    case LADE_KIND_GRID:
        return lade_dec_grid(d, p, f, edge, value);
    case LADE_KIND_LIST:
        return lade_dec_list(d, p, f, edge, value);
    case LADE_KIND_MAP:
        return lade_dec_map(d, p, f, edge, value);
    case LADE_KIND_BITS:
        return lade_dec_bits(d, p, f, edge, value);
    default:
        return get_pointers(d, p, f, edge, value);
    }
}

static void trace(dec *d, size_t base)
{
    for (; d->depth > base; d->depth--) {
        const dec_frame *f = &d->frames[d->depth - 1];
        lade_priv_get_trace(&d->pub, f->node, f->field - 1, f->i, f->n);
    }
}

/* The end of one value of a frame. */
static bool value_done(dec *d, dec_frame *f)
{
    const lade_type *type = f->node->type;
    bool whole = f->first == 0 && f->end == type->field_count && type->form == LADE_FORM_RECORD;
    if (whole && type->hooks && type->hooks->after_load &&
        !lade_priv_after_load(&d->pub, f->node, f->value))
        return false;
    f->field = f->first;
    f->value += type->size;
    if (++f->i == f->n)
        d->depth--;
    return true;
}

static const uint8_t *get_enum(dec *d, const uint8_t *p, const lade_move *m, unsigned char *member)
{
    int64_t value = 0;
    p = lade_priv_get_enum(&d->pub, p, m->enumeration, &value);
    if (p && m->scalar == LADE_U32 && value == (int64_t)(uint32_t)value) {
        uint32_t small = (uint32_t)value;
        memcpy(member, &small, sizeof small);
        return p;
    }
    return !p || lade_integer_write(member, (lade_scalar)m->scalar, value)
               ? p
               : lade_priv_get_fail(&d->pub, p, LADE_ERR_RANGE);
}

/* One field without the general code; *general where it needs that. */
static inline const uint8_t *get_move(dec *d, const uint8_t *p, const lade_move *m,
                                      unsigned char *value, bool *general)
{
    unsigned char *member = value + m->offset;
    switch ((lade_move_op)m->op) {
    case MOVE_BOOL:
        if (*p > 1)
            return lade_priv_get_fail(&d->pub, p, LADE_ERR_VALUE);
        *member = *p;
        return p + 1;
    case MOVE_1:
        *member = *p;
        return p + 1;
    case MOVE_4:
        lade_priv_copy(member, p, 4, 1);
        return p + 4;
    case MOVE_8:
        lade_priv_copy(member, p, 8, 1);
        return p + 8;
    case MOVE_MANY:
        lade_priv_copy(member, p, m->unit, m->count);
        return p + (size_t)m->unit * m->count;
    case MOVE_ENUM:
        return get_enum(d, p, m, member);
    case MOVE_TEXT:
        return lade_priv_get_text(&d->pub, p, member, FIELD_BOUND);
    case MOVE_REF:
        return lade_priv_get_ref(&d->pub, p, m->target, member);
    case MOVE_FIELD:
        break;
    }
    *general = true;
    return p;
}

/* As many fields and values of a frame as the moves cover. Returns with fields left where one needs the general
 * code, or the input nears its end; the last value's end is left too. */
static const uint8_t *get_moves(dec *d, const uint8_t *p, dec_frame *f)
{
    const lade_type *type = f->node->type;
    const lade_move *moves = lade_plan_moves(d->plan, f->node);
    bool general = false;
    while (p && !general && d->pub.end - p >= FIELD_BOUND) {
        if (f->field == f->end) {
            if (f->i + 1 == f->n || type->hooks)
                break;
            f->i++;
            f->field = f->first;
            f->value += type->size;
        }
        p = get_move(d, p, &moves[f->field], f->value, &general);
        f->field += !general;
    }
    return p;
}

/* Runs until the frames above `base` are done. */
static const uint8_t *run(dec *d, const uint8_t *p, size_t base)
{
    while (d->depth > base) {
        dec_frame *f = &d->frames[d->depth - 1];
        size_t depth = d->depth;
        p = get_moves(d, p, f);
        if (!p) {
            trace(d, base);
            return NULL;
        }
        if (f->field == f->end) {
            if (value_done(d, f))
                continue;
            d->depth = base;
            return NULL;
        }
        p = lade_priv_need(&d->pub, p, FIELD_BOUND);
        uint32_t at = f->field++;
        p = p ? get_field(d, p, &f->node->type->fields[at], &f->node->edges[at], f->value) : NULL;
        if (!p) {
            d->depth = depth;
            trace(d, base);
            return NULL;
        }
    }
    return p;
}

const uint8_t *lade_dec_interpret(dec *d, const uint8_t *p, const lade_node *node, void *value,
                                  size_t n)
{
    size_t base = d->depth;
    enter(d, node, value, n);
    return run(d, p, base);
}

/* One field, for a surrogate that has no straight-line code for it, and that names it if it fails. */
const uint8_t *lade_priv_get_field(lade_decoder *pub, const uint8_t *p, const lade_node *node,
                                   unsigned field, void *value, size_t bound)
{
    dec *d = (dec *)(void *)pub;
    size_t base = d->depth;
    p = lade_priv_need(pub, p, FIELD_BOUND);
    p = p ? get_field(d, p, &node->type->fields[field], &node->edges[field], value) : NULL;
    if (!p) {
        d->depth = base;
        return NULL;
    }
    p = run(d, p, base);
    return p ? lade_priv_need(pub, p, bound) : NULL;
}
