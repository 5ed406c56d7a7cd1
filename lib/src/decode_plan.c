/* The run-time plan: fields are interpreted from their descriptors, with a stack of its own. */
#include <string.h>

#include "decode.h"
#include "schema.h"

typedef struct walker {
    dec *d;
    dec_frame *frames;
    size_t depth;
} walker;

static void enter(walker *w, const lade_node *node, void *value, size_t n)
{
    w->frames[w->depth++] = (dec_frame){node, value, 0, n, 0};
}

static const uint8_t *get_value(walker *w, const uint8_t *p, const lade_field *f,
                                unsigned char *member)
{
    lade_scalar scalar = (lade_scalar)f->scalar;
    size_t n = lade_field_elements(f);
    size_t size = lade_scalar_size(scalar);
    if (n * size > LADE_PRIV_SMALL)
        return lade_priv_get_array(&w->d->pub, p, member, scalar, n, FIELD_BOUND);
    for (size_t i = 0; scalar == LADE_BOOL && i < n; i++)
        if (p[i] > 1)
            return lade_priv_get_fail(&w->d->pub, p, LADE_ERR_VALUE);
    size_t unit = lade_scalar_unit(scalar);
    lade_priv_copy(member, p, unit, n * size / unit);
    return p + n * size;
}

/* Stores a count, or compares it with the one that is there. */
static bool count_ok(walker *w, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                     unsigned char *value, uint64_t n)
{
    lade_decoder *d = &w->d->pub;
    lade_scalar scalar = (lade_scalar)f->count_scalar;
    if (d->into || (edge->flags & LADE_EDGE_SHARED)) {
        uint64_t there;
        lade_count_read(value + f->count_offset, scalar, &there);
        return there == n || lade_priv_get_fail(d, p, LADE_ERR_SHAPE) != NULL;
    }
    return lade_count_write(value + f->count_offset, scalar, n) ||
           lade_priv_get_fail(d, p, LADE_ERR_RANGE) != NULL;
}

static const uint8_t *get_counted(walker *w, const uint8_t *p, const lade_field *f,
                                  const lade_edge *edge, unsigned char *value)
{
    lade_decoder *d = &w->d->pub;
    uint64_t n = 0;
    void *body = NULL;
    if (f->kind == LADE_KIND_POOL) {
        p = lade_priv_get_pool(d, p, edge, value + f->offset, FIELD_BOUND, &n, &body);
        if (!p || !count_ok(w, p, f, edge, value, n))
            return NULL;
    } else {
        const uint8_t *q = lade_priv_get_varint(p, &n);
        if (!q)
            return lade_priv_get_fail(d, p, LADE_ERR_FORMAT);
        if (!count_ok(w, q, f, edge, value, n))
            return NULL;
        p = lade_priv_get_vector(d, q, edge, value + f->offset, n, FIELD_BOUND, &body);
    }
    if (p && body)
        enter(w, edge->node, body, (size_t)n);
    return p;
}

static const uint8_t *get_field(walker *w, const uint8_t *p, const lade_field *f,
                                const lade_edge *edge, unsigned char *value)
{
    lade_decoder *d = &w->d->pub;
    unsigned char *member = value + f->offset;
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
        return get_value(w, p, f, member);
    case LADE_KIND_ENUMERATION:
        return lade_priv_get_enums(d, p, f->enumeration, member, (lade_scalar)f->scalar,
                                   lade_field_elements(f), FIELD_BOUND);
    case LADE_KIND_TEXT:
        return lade_priv_get_text(d, p, member, FIELD_BOUND);
    case LADE_KIND_FIXED_TEXT:
        return lade_priv_get_fixed_text(d, p, (char *)member, f->extent[0], FIELD_BOUND);
    case LADE_KIND_RECORD:
        if (edge->node->natural &&
            lade_field_elements(f) * edge->node->wire_size >= LADE_CONTENT_MIN)
            return lade_priv_get_run(d, p, edge->node, member, lade_field_elements(f));
        enter(w, edge->node, member, lade_field_elements(f));
        return p;
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
        return get_counted(w, p, f, edge, value);
    case LADE_KIND_OPTIONAL: {
        void *body;
        p = lade_priv_get_optional(d, p, edge, member, FIELD_BOUND, &body);
        if (p && body)
            enter(w, edge->node, body, 1);
        return p;
    }
    case LADE_KIND_REF:
        return lade_priv_get_ref(d, p, edge->node, member);
    }
    return NULL;
}

static void trace(const walker *w)
{
    for (size_t k = w->depth; k > 0; k--) {
        const dec_frame *f = &w->frames[k - 1];
        lade_priv_get_trace(&w->d->pub, f->node, f->field - 1, f->i, f->n);
    }
}

const uint8_t *lade_dec_interpret(dec *d, const uint8_t *p, const lade_node *node, void *value,
                                  size_t n)
{
    walker w = {d, d->frames, 0};
    enter(&w, node, value, n);
    while (w.depth) {
        dec_frame *f = &w.frames[w.depth - 1];
        const lade_type *type = f->node->type;
        if (f->field == type->field_count) {
            f->field = 0;
            f->value += type->size;
            if (++f->i == f->n)
                w.depth--;
            continue;
        }
        p = lade_priv_need(&d->pub, p, FIELD_BOUND);
        if (!p)
            return NULL;
        uint32_t at = f->field++;
        p = get_field(&w, p, &type->fields[at], &f->node->edges[at], f->value);
        if (!p) {
            trace(&w);
            return NULL;
        }
    }
    return p;
}
