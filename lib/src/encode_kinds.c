/* Fields without straight-line code: grids, lists, maps, bits, external and known-type pointers. */
#include <string.h>

#include "encode.h"
#include "grid.h"
#include "kinds.h"
#include "schema.h"

/* Values of a run that stands in several pieces: each goes in right now. */
static uint8_t *put_piece(enc *e, uint8_t *p, const lade_edge *edge, const void *body, size_t n)
{
    if (edge->flags & LADE_EDGE_DEFERRED)
        return lade_priv_put_body(&e->pub, p, edge, body, n, FIELD_BOUND);
    if (e->pub.ranging && !lade_priv_note_body(&e->pub, edge->node, body, n))
        return NULL;
    p = lade_priv_put_run(&e->pub, p, edge->node, body, n);
    return p ? lade_priv_room(&e->pub, p, FIELD_BOUND) : NULL;
}

/* Natural elements in several pieces are packed into one array, as they would stand without gaps. */
static uint8_t *put_gathered(enc *e, uint8_t *p, const lade_grid *grid, const lade_edge *edge,
                             const void *base, const lade_grid_shape *shape)
{
    const lade_node *node = edge->node;
    size_t size;
    int64_t offset;
    lade_grid_walk w;
    if (!lade_mul(shape->count, node->wire_size, &size))
        return lade_enc_fail(e, LADE_ERR_MEMORY, "out of memory while encoding");
    uint8_t small[LADE_CONTENT_MIN];
    uint8_t *wire = size < LADE_CONTENT_MIN ? small : lade_enc_stage(e, size);
    uint8_t *to = wire;
    if (!wire)
        return NULL;
    for (lade_grid_walk_begin(&w, shape); lade_grid_walk_next(&w, &offset);
         to += w.run * node->wire_size) {
        const unsigned char *from = lade_grid_piece(grid, shape, base, offset, node->type->size);
        if (node->hooked && !lade_enc_before(e, node, from, w.run))
            return NULL;
        lade_node_pack(node, to, from, w.run);
    }
    if (size < LADE_CONTENT_MIN)
        return lade_priv_put_bytes(&e->pub, p, small, size, FIELD_BOUND);
    return lade_enc_content(e, wire, size) ? p : NULL;
}

static uint8_t *put_elements(enc *e, uint8_t *p, const lade_grid *grid, const lade_edge *edge,
                             const void *base, const lade_grid_shape *shape)
{
    int64_t offset;
    lade_grid_walk w;
    if (edge->node->natural && (grid->rows || !shape->dense))
        return put_gathered(e, p, grid, edge, base, shape);
    for (lade_grid_walk_begin(&w, shape); p && lade_grid_walk_next(&w, &offset);) {
        const unsigned char *from =
            lade_grid_piece(grid, shape, base, offset, edge->node->type->size);
        p = edge->node->natural ? lade_priv_put_body(&e->pub, p, edge, from, w.run, FIELD_BOUND)
                                : put_piece(e, p, edge, from, w.run);
        p = p ? lade_priv_room(&e->pub, p, FIELD_BOUND) : NULL;
    }
    return p;
}

uint8_t *lade_enc_grid(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                       const unsigned char *value)
{
    const lade_grid *grid = f->grid;
    lade_grid_shape shape;
    size_t extent[LADE_MAX_RANK];
    const void *base;
    memcpy(&base, value + f->offset, sizeof base);
    if (!lade_grid_extents(grid, value, extent) ||
        !lade_grid_shape_make(grid, value, extent, true, &shape))
        return lade_enc_fail(e, LADE_ERR_VALUE, "its extents are negative or too large");
    if (base && grid->rows && !lade_grid_rows_there(&shape, base))
        return lade_enc_fail(e, LADE_ERR_VALUE, "a row of the grid is NULL");
    if (grid->rows) /* each row stands alone */
        shape.dense = shape.stored[0] <= 1;
    *p++ = base != NULL && shape.count > 0;
    for (unsigned d = 0; d < shape.rank && p; d++) {
        p = lade_priv_put_varint(p, shape.extent[d]);
        if (lade_grid_stores_halo(grid) && (p = lade_priv_room(&e->pub, p, FIELD_BOUND)))
            p = lade_priv_put_varint(p, shape.halo[d]);
        p = p ? lade_priv_room(&e->pub, p, FIELD_BOUND) : NULL;
    }
    return p && base && shape.count ? put_elements(e, p, grid, edge, base, &shape) : p;
}

static const void *link_at(const void *element, size_t offset)
{
    const void *next;
    memcpy(&next, (const unsigned char *)element + offset, sizeof next);
    return next;
}

/* A sequence that is an array with a count, as in types that are made at run time. */
static uint8_t *put_array_as_list(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                                  const unsigned char *value)
{
    uint64_t n;
    const unsigned char *at = link_at(value, f->offset);
    if (!lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &n) ||
        n > SIZE_MAX || (n && !at))
        return lade_priv_put_fail(&e->pub, LADE_ERR_VALUE);
    p = lade_priv_put_varint(p, n);
    for (uint64_t i = 0; i < n && p; i++, at += edge->node->type->size) {
        p = put_piece(e, p, edge, at, 1);
        if (!p)
            lade_job_index(e->job, (size_t)i);
    }
    return p;
}

uint8_t *lade_enc_list(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                       const unsigned char *value)
{
    uint64_t n;
    if (!f->links)
        return put_array_as_list(e, p, f, edge, value);
    const void *head = link_at(value, f->offset);
    if (!lade_list_count(head, f->links->next, &n))
        return lade_enc_fail(e, LADE_ERR_VALUE, "the list is a cycle");
    p = lade_priv_put_varint(p, n);
    size_t i = 0;
    for (const void *at = head; at && p; at = link_at(at, f->links->next), i++) {
        p = put_piece(e, p, edge, at, 1);
        if (!p)
            lade_job_index(e->job, i);
    }
    return p;
}

uint8_t *lade_enc_map(enc *e, uint8_t *p, const lade_field *f, const lade_edge *edge,
                      const unsigned char *value)
{
    if (!f->map)
        return put_array_as_list(e, p, f, edge, value);
    const void *map = value + f->offset;
    size_t n = f->map->count(map);
    size_t i = 0;
    p = lade_priv_put_varint(p, n);
    for (const void *at = f->map->next(map, NULL); at && i < n && p; i++) {
        p = put_piece(e, p, edge, at, 1);
        if (!p)
            lade_job_index(e->job, i);
        at = f->map->next(map, at);
    }
    return !p || i == n
               ? p
               : lade_enc_fail(e, LADE_ERR_VALUE, "the map has fewer entries than it counts");
}

/* Bits: whole bytes as an array of u8, then the rest in one byte. The bytes of words that do not stand as
 * on the wire are gathered. */
uint8_t *lade_enc_bits(enc *e, uint8_t *p, const lade_field *f, const unsigned char *value)
{
    uint64_t n;
    const unsigned char *words = link_at(value, f->offset);
    size_t word = lade_scalar_size((lade_scalar)f->scalar);
    if (!lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &n) ||
        n / 8 >= SIZE_MAX || (n && !words))
        return lade_priv_put_fail(&e->pub, LADE_ERR_VALUE);
    size_t bytes = (size_t)(n / 8);
    p = lade_priv_put_varint(p, n);
    if (bytes && LADE_PRIV_BIG && word > 1) {
        uint8_t *wire = lade_enc_stage(e, bytes);
        for (size_t i = 0; wire && i < bytes; i++)
            wire[i] = words[lade_bits_byte(word, i)];
        p = wire ? lade_priv_put_array(&e->pub, p, wire, LADE_U8, bytes, FIELD_BOUND) : NULL;
    } else if (bytes) {
        p = lade_priv_put_array(&e->pub, p, words, LADE_U8, bytes, FIELD_BOUND);
    }
    if (p && n % 8)
        *p++ = (uint8_t)(words[lade_bits_byte(word, bytes)] & ((1U << n % 8) - 1));
    return p;
}

uint8_t *lade_enc_external(enc *e, uint8_t *p, const lade_field *f, const void *pointer)
{
    const lade_externals *x = e->job->ctx->externals;
    if (!pointer)
        return lade_priv_put_text(&e->pub, p, NULL, FIELD_BOUND);
    if (lade_field_generic(f))
        return lade_priv_put_text(&e->pub, p, pointer, FIELD_BOUND);
    const char *key = x && x->key ? x->key(x->user, f->set, pointer) : NULL;
    if (key)
        return lade_priv_put_text(&e->pub, p, key, FIELD_BOUND);
    lade_job_error(e->job, LADE_ERR_REFERENCE, 0, "%s '%s' for what is not saved",
                   x && x->key ? "no key in the set"
                               : "the context has no externals, and none from the set",
                   f->set);
    return NULL;
}

const lade_edge *lade_enc_case(enc *e, const lade_field *f, const lade_edge *edge,
                               const unsigned char *value, const void *object)
{
    uint64_t which;
    const lade_edge *to = lade_choice_edge(f, edge, value + f->count_offset, object, &which);
    if (!to)
        lade_choice_failed(e->job, edge, which);
    return to;
}
