/* The run-time plan: fields are interpreted from their descriptors, with a stack of its own. */
#include <string.h>

#include "encode.h"
#include "schema.h"

typedef struct walker {
    enc *e;
    enc_frame *frames;
    size_t depth;
} walker;

static const void *pointer_at(const unsigned char *member)
{
    const void *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static void enter(walker *w, const lade_node *node, const void *value, size_t n)
{
    w->frames[w->depth++] = (enc_frame){node, value, 0, n, 0};
}

/* A body: bulk or deferred by the library, else a frame of its own. */
static uint8_t *put_inner(walker *w, uint8_t *p, const lade_edge *edge, const void *body, size_t n)
{
    if (edge->flags & (LADE_EDGE_DEFERRED | LADE_EDGE_NATURAL))
        return lade_priv_put_body(&w->e->pub, p, edge, body, n, FIELD_BOUND);
    if (w->e->pub.ranging && !lade_priv_note_body(&w->e->pub, edge->node, body, n))
        return NULL;
    enter(w, edge->node, body, n);
    return p;
}

static uint8_t *put_counted(walker *w, uint8_t *p, const lade_field *f, const lade_edge *edge,
                            const unsigned char *value)
{
    uint64_t n;
    const void *body = pointer_at(value + f->offset);
    if (!lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &n) ||
        n > SIZE_MAX || (n && !body))
        return lade_priv_put_fail(&w->e->pub, LADE_ERR_VALUE);
    if (f->kind == LADE_KIND_VECTOR)
        p = lade_priv_put_varint(p, n);
    return n ? put_inner(w, p, edge, body, (size_t)n) : p;
}

static uint8_t *put_value(walker *w, uint8_t *p, const lade_field *f, const unsigned char *member)
{
    lade_scalar scalar = (lade_scalar)f->scalar;
    size_t n = lade_field_elements(f);
    size_t size = lade_scalar_size(scalar);
    if (n * size > LADE_PRIV_SMALL)
        return lade_priv_put_array(&w->e->pub, p, member, scalar, n, FIELD_BOUND);
    size_t unit = lade_scalar_unit(scalar);
    lade_priv_copy(p, member, unit, n * size / unit);
    return p + n * size;
}

static uint8_t *put_field(walker *w, uint8_t *p, const lade_field *f, const lade_edge *edge,
                          const unsigned char *value)
{
    lade_encoder *e = &w->e->pub;
    const unsigned char *member = value + f->offset;
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
        return put_value(w, p, f, member);
    case LADE_KIND_ENUMERATION:
        return lade_priv_put_enums(e, p, f->enumeration, member, (lade_scalar)f->scalar,
                                   lade_field_elements(f), FIELD_BOUND);
    case LADE_KIND_TEXT:
        return lade_priv_put_text(e, p, pointer_at(member), FIELD_BOUND);
    case LADE_KIND_FIXED_TEXT:
        return lade_priv_put_fixed_text(e, p, (const char *)member, f->extent[0], FIELD_BOUND);
    case LADE_KIND_RECORD:
        if (edge->node->natural &&
            lade_field_elements(f) * edge->node->wire_size >= LADE_CONTENT_MIN)
            return lade_priv_put_run(e, p, edge->node, member, lade_field_elements(f));
        enter(w, edge->node, member, lade_field_elements(f));
        return p;
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
        return put_counted(w, p, f, edge, value);
    case LADE_KIND_OPTIONAL: {
        const void *body = pointer_at(member);
        *p++ = body != NULL;
        return body ? put_inner(w, p, edge, body, 1) : p;
    }
    case LADE_KIND_REF:
        return lade_priv_put_ref(e, p, edge->node, pointer_at(member));
    }
    return NULL;
}

static void trace(const walker *w)
{
    for (size_t k = w->depth; k > 0; k--) {
        const enc_frame *f = &w->frames[k - 1];
        lade_priv_put_trace(&w->e->pub, f->node, f->field - 1, f->i, f->n);
    }
}

uint8_t *lade_enc_interpret(enc *e, uint8_t *p, const lade_node *node, const void *value, size_t n)
{
    walker w = {e, e->frames, 0};
    enter(&w, node, value, n);
    while (w.depth) {
        enc_frame *f = &w.frames[w.depth - 1];
        const lade_type *type = f->node->type;
        if (f->field == type->field_count) {
            f->field = 0;
            f->value += type->size;
            if (++f->i == f->n)
                w.depth--;
            continue;
        }
        p = lade_priv_room(&e->pub, p, FIELD_BOUND);
        if (!p)
            return NULL;
        uint32_t at = f->field++;
        p = put_field(&w, p, &type->fields[at], &f->node->edges[at], f->value);
        if (!p) {
            trace(&w);
            return NULL;
        }
    }
    return p;
}
