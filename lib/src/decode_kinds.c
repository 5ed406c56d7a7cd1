/* Fields without straight-line code: grids, lists, maps, bits, external and known-type pointers. */
#include <string.h>

#include "decode.h"
#include "kinds.h"
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

bool lade_dec_number(dec *d, const uint8_t *p, unsigned scalar, void *member, bool shared,
                     uint64_t n)
{
    uint64_t there;
    if (!d->pub.into && !shared)
        return lade_count_write(member, (lade_scalar)scalar, n) ||
               lade_priv_get_fail(&d->pub, p, LADE_ERR_RANGE) != NULL;
    lade_count_read(member, (lade_scalar)scalar, &there);
    return there == n || lade_priv_get_fail(&d->pub, p, LADE_ERR_SHAPE) != NULL;
}

bool lade_dec_integer(dec *d, const uint8_t *p, unsigned scalar, void *member, bool shared,
                      int64_t n)
{
    if (!d->pub.into && !shared)
        return lade_integer_write(member, (lade_scalar)scalar, n) ||
               lade_priv_get_fail(&d->pub, p, LADE_ERR_RANGE) != NULL;
    if (lade_integer_read(member, (lade_scalar)scalar) == n)
        return true;
    lade_dec_fail(d, p, LADE_ERR_SHAPE, "the stored case is another than the one there");
    return false;
}

static const uint8_t *get_number(dec *d, const uint8_t *p, uint64_t *n)
{
    p = lade_priv_need(&d->pub, p, FIELD_BOUND);
    const uint8_t *q = p ? lade_priv_get_varint(p, n) : NULL;
    if (!q && p)
        return lade_priv_get_fail(&d->pub, p, LADE_ERR_FORMAT);
    return q && q > d->pub.end
               ? lade_dec_fail(d, q, LADE_ERR_TRUNCATED, lade_status_string(LADE_ERR_TRUNCATED))
               : q;
}

/* A run that stands in several pieces: each is loaded right now. */
static const uint8_t *get_piece(dec *d, const uint8_t *p, const lade_edge *edge, void *body,
                                size_t n)
{
    void *left = NULL;
    p = lade_dec_body(d, p, edge, body, n, FIELD_BOUND, &left);
    if (!p || !left)
        return p;
    p = lade_priv_get_run(&d->pub, p, edge->node, left, n);
    return p ? lade_priv_need(&d->pub, p, FIELD_BOUND) : NULL;
}

/* Stores the widths of a halo in the struct, or compares them with those that are there, or constant. */
static const uint8_t *set_halo(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                               unsigned char *value, const uint64_t *halo)
{
    const lade_grid *grid = f->grid;
    size_t size = lade_scalar_size((lade_scalar)grid->halo_scalar);
    size_t there[LADE_MAX_RANK];
    bool shared = edge->flags & LADE_EDGE_SHARED;
    for (unsigned i = 0; i < grid->halo_count && grid->halo_scalar; i++)
        if (!lade_dec_number(d, p, grid->halo_scalar, value + grid->halo_offset + i * size, shared,
                             halo[lade_grid_dimension(grid, i)]))
            return NULL;
    if (!lade_grid_halo(grid, value, there))
        return lade_dec_fail(d, p, LADE_ERR_LIMIT, "the halo is wider than memory");
    for (unsigned k = 0; k < grid->rank; k++)
        if (halo[k] != there[k])
            return lade_dec_fail(d, p, LADE_ERR_SHAPE, "the stored halo has another width");
    return p;
}

/* Extents and halo widths as they are stored, against the struct. */
static const uint8_t *get_extents(dec *d, const uint8_t *p, const lade_field *f,
                                  const lade_edge *edge, unsigned char *value, size_t *extent)
{
    const lade_grid *grid = f->grid;
    uint64_t halo[LADE_MAX_RANK] = {0};
    lade_grid_shape shape;
    bool with_halo = lade_grid_stores_halo(grid);
    for (unsigned k = 0; k < grid->rank && p; k++) {
        unsigned i = lade_grid_dimension(grid, k); /* its own inverse */
        uint64_t n = 0;
        p = get_number(d, p, &n);
        if (p && with_halo)
            p = get_number(d, p, &halo[k]);
        bool shared = edge->flags & LADE_EDGE_SHARED_EXTENT(i);
        if (p && !lade_dec_number(d, p, grid->extent_scalar[i], value + grid->extent_offset[i],
                                  shared, n))
            return NULL;
        extent[k] = (size_t)n;
        if (extent[k] != n)
            return lade_dec_fail(d, p, LADE_ERR_MEMORY, "the grid is too large for this machine");
    }
    if (p && with_halo)
        p = set_halo(d, p, f, edge, value, halo);
    if (p && !lade_grid_shape_make(grid, value, extent, false, &shape))
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                             "the extents are larger than any data can be");
    return p;
}

/* New memory: rows are pointers in front of the elements. */
static unsigned char *grid_alloc(dec *d, const uint8_t *p, const lade_grid *grid,
                                 const lade_node *node, const lade_grid_shape *shape)
{
    size_t size;
    if (!lade_mul(shape->allocated, node->type->size, &size)) {
        lade_dec_fail(d, p, LADE_ERR_MEMORY, "the grid is too large for this machine");
        return NULL;
    }
    unsigned char *base = lade_dec_alloc(d, p, size, lade_dec_new_align(d, node, size));
    if (base && shape->allocated > shape->count)
        memset(base, 0, size);
    else if (base)
        lade_dec_clear(d, node, base, shape->allocated);
    if (!base || !grid->rows)
        return base;
    size_t width = shape->stored[1] * node->type->size;
    unsigned char *rows = lade_dec_alloc(d, p, shape->stored[0] * sizeof(void *), _Alignof(void *));
    for (size_t i = 0; rows && i < shape->stored[0]; i++)
        set_pointer(rows + i * sizeof(void *), base + i * width);
    return rows;
}

static unsigned char *piece_at(const lade_grid *grid, const lade_grid_shape *shape,
                               unsigned char *base, int64_t offset, size_t size)
{
    return lade_priv_unconst(lade_grid_piece(grid, shape, base, offset, size));
}

void lade_dec_scatter(const lade_grid *grid, const lade_node *node, unsigned char *base,
                      const lade_grid_shape *shape, const uint8_t *wire)
{
    lade_grid_walk w;
    int64_t offset;
    for (lade_grid_walk_begin(&w, shape); lade_grid_walk_next(&w, &offset);
         wire += w.run * node->wire_size)
        lade_node_unpack(node, piece_at(grid, shape, base, offset, node->type->size), wire, w.run);
}

/* Natural elements that do not stand together: through memory of the decoder. */
static const uint8_t *get_scattered(dec *d, const uint8_t *p, const lade_grid *grid,
                                    const lade_node *node, unsigned char *base,
                                    const lade_grid_shape *shape)
{
    size_t size;
    lade_grid_walk w;
    int64_t offset;
    if (!lade_mul(shape->count, node->wire_size, &size))
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED, "a count is larger than any data can be");
    for (lade_grid_walk_begin(&w, shape); lade_grid_walk_next(&w, &offset);) {
        unsigned char *at = piece_at(grid, shape, base, offset, node->type->size);
        if (!at)
            return lade_dec_fail(d, p, LADE_ERR_SHAPE, "a row that is there is NULL");
        if (!lade_dec_note(d, p, node, at, w.run))
            return NULL;
    }
    if (size >= LADE_CONTENT_MIN)
        return lade_dec_content(d, p,
                                &(dec_fixup){.kind = FIXUP_SCATTER,
                                             .node = node,
                                             .value = base,
                                             .n = shape->count,
                                             .grid = grid,
                                             .shape = *shape});
    uint8_t wire[LADE_CONTENT_MIN];
    p = lade_dec_copy(d, p, wire, size, FIELD_BOUND);
    if (p && node->type->scalar == LADE_BOOL && !lade_priv_bools(wire, size))
        return lade_dec_fail(d, p, LADE_ERR_VALUE, "a boolean is neither 0 nor 1");
    if (p)
        lade_dec_scatter(grid, node, base, shape, wire);
    return p;
}

static const uint8_t *get_elements(dec *d, const uint8_t *p, const lade_field *f,
                                   const lade_edge *edge, unsigned char *base,
                                   const lade_grid_shape *shape)
{
    lade_grid_walk w;
    int64_t offset;
    if (edge->node->natural && !shape->dense)
        return get_scattered(d, p, f->grid, edge->node, base, shape);
    for (lade_grid_walk_begin(&w, shape); p && lade_grid_walk_next(&w, &offset);) {
        unsigned char *at = piece_at(f->grid, shape, base, offset, edge->node->type->size);
        if (!at)
            return lade_dec_fail(d, p, LADE_ERR_SHAPE, "a row that is there is NULL");
        p = get_piece(d, p, edge, at, w.run);
    }
    return p;
}

/* The halo takes no bytes in the input: it is bounded by what a width of the interior's extent takes in three
 * dimensions, beyond some memory that any grid may have. */
static bool halo_fits(dec *d, const uint8_t *p, const lade_grid_shape *shape, const lade_node *node)
{
    enum { HALO_RATIO = 27, HALO_FREE = 1 << 20 };
    size_t extra = shape->allocated - shape->count;
    size_t bytes;
    if (extra / HALO_RATIO <= shape->count ||
        (lade_mul(extra, node->type->size, &bytes) && bytes <= HALO_FREE))
        return true;
    lade_dec_fail(d, p, LADE_ERR_LIMIT, "the halo of a grid is much larger than the grid");
    return false;
}

const uint8_t *lade_dec_grid(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value)
{
    size_t extent[LADE_MAX_RANK];
    lade_grid_shape shape;
    unsigned there = *p++;
    if (there > 1)
        return lade_dec_fail(d, p, LADE_ERR_VALUE, "the mark of a grid is neither 0 nor 1");
    p = get_extents(d, p, f, edge, value, extent);
    if (!p)
        return NULL;
    lade_grid_shape_make(f->grid, value, extent, d->pub.into, &shape);
    unsigned char *base = d->pub.into ? pointer_at(value + f->offset) : NULL;
    if (d->pub.into && shape.count && !base != !there)
        return lade_dec_fail(d, p, LADE_ERR_SHAPE, "one of two grids is NULL");
    if (there && shape.count == 0)
        return lade_dec_fail(d, p, LADE_ERR_FORMAT,
                             "a grid without elements is stored as if it had");
    if (there &&
        (!lade_dec_fits(d, p, edge->node, shape.count) || !halo_fits(d, p, &shape, edge->node)))
        return NULL;
    if (!d->pub.into) {
        lade_grid_strides_write(f->grid, &shape, value);
        base = there ? grid_alloc(d, p, f->grid, edge->node, &shape) : NULL;
        if (there && !base)
            return NULL;
        set_pointer(value + f->offset, base);
    }
    if (f->grid->rows) /* rows that are there may stand anywhere; new ones stand together */
        shape.dense = shape.stored[0] <= 1 || !d->pub.into;
    if (f->grid->rows && shape.dense && base && shape.count)
        return get_piece(d, p, edge, pointer_at(base), shape.count);
    return base && shape.count ? get_elements(d, p, f, edge, base, &shape) : p;
}

/* New memory for n elements of a sequence: links and handles are members that no field lists. */
static unsigned char *block_alloc(dec *d, const uint8_t *p, const lade_node *node, size_t n)
{
    size_t size = n * node->type->size;
    unsigned char *memory = lade_dec_alloc(d, p, size, node->type->align);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

/* New elements of a sequence, one after the other in memory. */
static unsigned char *sequence_alloc(dec *d, const uint8_t *p, const lade_node *node, uint64_t n)
{
    size_t size;
    if (!lade_dec_fits(d, p, node, n))
        return NULL;
    if (n > SIZE_MAX || !lade_mul((size_t)n, node->type->size, &size)) {
        lade_dec_fail(d, p, LADE_ERR_MEMORY, "the value is too large for this machine");
        return NULL;
    }
    return block_alloc(d, p, node, (size_t)n);
}

static const uint8_t *get_sequence(dec *d, const uint8_t *p, const lade_edge *edge,
                                   unsigned char *at, uint64_t n)
{
    for (uint64_t i = 0; i < n && p; i++, at += edge->node->type->size) {
        p = get_piece(d, p, edge, at, 1);
        if (!p)
            lade_job_index(d->job, (size_t)i);
    }
    return p;
}

/* A sequence that is an array with a count, as in types that are made at run time. */
static const uint8_t *get_array_as_list(dec *d, const uint8_t *p, const lade_field *f,
                                        const lade_edge *edge, unsigned char *value, uint64_t n)
{
    if (!lade_dec_number(d, p, f->count_scalar, value + f->count_offset, false, n))
        return NULL;
    unsigned char *at = d->pub.into ? pointer_at(value + f->offset) : NULL;
    if (!d->pub.into) {
        at = n ? sequence_alloc(d, p, edge->node, n) : NULL;
        set_pointer(value + f->offset, at);
    } else if (n && !lade_dec_fits(d, p, edge->node, n)) {
        return NULL;
    }
    if (n && !at)
        return lade_dec_fail(d, p, LADE_ERR_SHAPE, "a pointer that is there is NULL");
    return get_sequence(d, p, edge, at, n);
}

/* The elements of a new list, linked; with own memory each is a block of its own. */
static bool new_list(dec *d, const uint8_t *p, const lade_field *f, const lade_node *node,
                     unsigned char *value, uint64_t n)
{
    const lade_links *l = f->links;
    bool separate = d->store.separate;
    unsigned char *next = n && !separate ? sequence_alloc(d, p, node, n) : NULL;
    unsigned char *last = NULL;
    if (separate && !lade_dec_fits(d, p, node, n))
        return false;
    set_pointer(value + f->offset, NULL);
    for (uint64_t i = 0; i < n; i++) {
        unsigned char *at = separate ? block_alloc(d, p, node, 1) : next;
        if (!at)
            return false;
        set_pointer(last ? last + l->next : value + f->offset, at);
        if (l->prev != LADE_NO_OFFSET)
            set_pointer(at + l->prev, last);
        last = at;
        next = at + node->type->size;
    }
    if (l->tail != LADE_NO_OFFSET)
        set_pointer(value + l->tail, last);
    return true;
}

const uint8_t *lade_dec_list(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value)
{
    uint64_t n;
    uint64_t i = 0;
    p = get_number(d, p, &n);
    if (!p || !f->links)
        return p ? get_array_as_list(d, p, f, edge, value, n) : NULL;
    if (d->pub.into ? !lade_dec_fits(d, p, edge->node, n)
                    : !new_list(d, p, f, edge->node, value, n))
        return NULL;
    unsigned char *at = pointer_at(value + f->offset);
    for (; i < n && at && p; i++, at = pointer_at(at + f->links->next)) {
        p = get_piece(d, p, edge, at, 1);
        if (!p)
            lade_job_index(d->job, (size_t)i);
    }
    return p && (i < n || at) ? lade_priv_get_fail(&d->pub, p, LADE_ERR_SHAPE) : p;
}

const uint8_t *lade_dec_map(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                            unsigned char *value)
{
    uint64_t n;
    p = get_number(d, p, &n);
    if (!p || !f->map)
        return p ? get_array_as_list(d, p, f, edge, value, n) : NULL;
    void *map = value + f->offset;
    dec_after after = {.map = f->map, .value = map, .n = (size_t)n};
    if (d->pub.into) {
        if (f->map->count(map) != n)
            return lade_priv_get_fail(&d->pub, p, LADE_ERR_SHAPE);
        size_t i = 0;
        if (!lade_dec_fits(d, p, edge->node, n))
            return NULL;
        for (void *at = f->map->next(map, NULL); at && i < n && p; i++) {
            p = get_piece(d, p, edge, at, 1);
            at = f->map->next(map, at);
        }
        if (p && i < n)
            return lade_priv_get_fail(&d->pub, p, LADE_ERR_SHAPE);
    } else {
        after.entries = n ? sequence_alloc(d, p, edge->node, n) : NULL;
        if (n && !after.entries)
            return NULL;
        p = get_sequence(d, p, edge, after.entries, n);
    }
    return p && n && !lade_dec_after(d, p, after) ? NULL : p;
}

/* Bytes of a bit set into words that do not stand as on the wire. */
static const uint8_t *get_swapped(dec *d, const uint8_t *p, unsigned char *words, size_t word,
                                  size_t bytes)
{
    if (bytes >= LADE_CONTENT_MIN)
        return lade_dec_content(d, p,
                                &(dec_fixup){.kind = FIXUP_BITS,
                                             .node = lade_scalar_node(LADE_U8),
                                             .value = words,
                                             .n = bytes,
                                             .word = word});
    uint8_t wire[LADE_CONTENT_MIN];
    p = lade_dec_copy(d, p, wire, bytes, FIELD_BOUND);
    for (size_t i = 0; i < bytes && p; i++)
        words[lade_bits_byte(word, i)] = wire[i];
    return p;
}

const uint8_t *lade_dec_bits(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value)
{
    uint64_t n;
    size_t word = lade_scalar_size((lade_scalar)f->scalar);
    p = get_number(d, p, &n);
    if (!p || !lade_dec_number(d, p, f->count_scalar, value + f->count_offset,
                               edge->flags & LADE_EDGE_SHARED, n))
        return NULL;
    size_t bytes = (size_t)(n / 8);
    if (n / 8 >= SIZE_MAX - word || !lade_dec_fits(d, p, lade_scalar_node(LADE_U8), n / 8))
        return p ? lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                                 "a count is larger than the rest of the "
                                 "data can hold")
                 : NULL;
    unsigned char *words = pointer_at(value + f->offset);
    size_t size = lade_bits_size(n, word);
    if (!d->pub.into) {
        const lade_node *node = lade_scalar_node((lade_scalar)f->scalar);
        words = size ? lade_dec_alloc(d, p, size, lade_dec_new_align(d, node, size)) : NULL;
        if (size && !words)
            return NULL;
        if (size)
            memset(words + size - word, 0, word);
        set_pointer(value + f->offset, words);
    } else if (n && !words) {
        return lade_dec_fail(d, p, LADE_ERR_SHAPE, "a pointer that is there is NULL");
    }
    if (bytes && LADE_PRIV_BIG && word > 1)
        p = get_swapped(d, p, words, word, bytes);
    else if (bytes)
        p = lade_priv_get_array(&d->pub, p, words, LADE_U8, bytes, FIELD_BOUND);
    p = p ? lade_priv_need(&d->pub, p, FIELD_BOUND) : NULL;
    if (!p || n % 8 == 0)
        return p;
    if (*p >> n % 8)
        return lade_dec_fail(d, p + 1, LADE_ERR_VALUE, "bits beyond the end of a bit set are set");
    words[lade_bits_byte(word, bytes)] = *p;
    return p + 1;
}

const uint8_t *lade_dec_external(dec *d, const uint8_t *p, const lade_field *f,
                                 unsigned char *member)
{
    const lade_externals *x = d->job->ctx->externals;
    uint64_t n;
    void *pointer = NULL;
    if (lade_field_generic(f))
        return lade_priv_get_text(&d->pub, p, member, FIELD_BOUND);
    p = get_number(d, p, &n);
    if (!p || n == 0) {
        if (p)
            set_pointer(member, NULL);
        return p;
    }
    if (n - 1 > d->input.after + (uint64_t)(d->pub.end - p))
        return lade_dec_fail(d, p, LADE_ERR_TRUNCATED,
                             "a text is longer than the rest of the data");
    if (!lade_mem_grow(d->allocator, &d->scratch, &d->scratch_capacity, (size_t)n, 1))
        return lade_dec_fail(d, p, LADE_ERR_MEMORY, "out of memory while decoding");
    uint64_t at = lade_dec_offset(d, p);
    p = lade_dec_copy(d, p, d->scratch, (size_t)n - 1, FIELD_BOUND);
    if (!p)
        return NULL;
    if (memchr(d->scratch, 0, (size_t)n - 1))
        return lade_dec_fail_at(d, at, LADE_ERR_VALUE, "a text holds a NUL");
    d->scratch[n - 1] = 0;
    const char *key = (const char *)d->scratch;
    if (x && x->resolve && x->resolve(x->user, f->set, key, &pointer)) {
        set_pointer(member, pointer);
        return p;
    }
    lade_job_error(d->job, LADE_ERR_REFERENCE, 0,
                   x && x->resolve ? "nothing has the key '%.80s' in '%s'"
                                   : "the context has no externals to find '%.80s' of '%s'",
                   key, f->set);
    return NULL;
}

static const uint8_t *new_tag(dec *d, const uint8_t *p)
{
    uint8_t bytes[16];
    uint32_t node = 0;
    p = lade_dec_copy(d, p, bytes, sizeof bytes, FIELD_BOUND);
    if (!p)
        return NULL;
    lade_fingerprint print = {lade_priv_load64(bytes), lade_priv_load64(bytes + 8)};
    while (node < d->plan->node_count &&
           (d->plan->known[node].low != print.low || d->plan->known[node].high != print.high ||
            (print.low == 0 && print.high == 0)))
        node++;
    if (node == d->plan->node_count) {
        lade_job_error(d->job, LADE_ERR_TYPE, 0,
                       "the object has a type that is not known here (fingerprint %016llx%016llx)",
                       (unsigned long long)print.high, (unsigned long long)print.low);
        d->job->ctx->cache->unknown = print;
        return NULL;
    }
    for (uint32_t i = 0; i < d->pub.tag_count; i++)
        if (d->tags[i] == node)
            return lade_dec_fail(d, p, LADE_ERR_FORMAT, "a known type is listed twice");
    d->tags[d->pub.tag_count++] = node;
    return p;
}

const uint8_t *lade_priv_get_case_slow(lade_decoder *pub, const uint8_t *p, const lade_edge *edge,
                                       uint32_t *which)
{
    dec *d = (dec *)(void *)pub;
    uint64_t tag;
    *which = LADE_PRIV_NO_CASE;
    p = get_number(d, p, &tag);
    if (!p || tag == 0)
        return p;
    if (tag > (uint64_t)pub->tag_count + 1)
        return lade_dec_fail(d, p, LADE_ERR_REFERENCE, "a known type is named before it is listed");
    if (tag == (uint64_t)pub->tag_count + 1)
        p = new_tag(d, p);
    if (!p)
        return NULL;
    uint32_t node = d->tags[tag - 1];
    for (uint32_t k = 0; k < edge->index; k++)
        if (edge->cases[k].index == node)
            *which = k;
    if (*which != LADE_PRIV_NO_CASE)
        return p;
    lade_job_error(d->job, LADE_ERR_TYPE, 0, "the object is a '%s', which this pointer cannot have",
                   d->plan->nodes[node].type->name);
    return NULL;
}

const uint8_t *lade_dec_case(dec *d, const uint8_t *p, const lade_field *f, const lade_edge *edge,
                             unsigned char *value, unsigned char *member, uint32_t *which)
{
    p = lade_priv_get_case_slow(&d->pub, p, edge, which);
    if (!p)
        return NULL;
    bool null = *which == LADE_PRIV_NO_CASE;
    void *there = d->pub.into ? pointer_at(member) : NULL;
    if (d->pub.into && !there != null)
        return lade_dec_fail(d, p, LADE_ERR_SHAPE, "one of two pointers is NULL");
    if (f->choice->which) {
        if (there && f->choice->which(there) != *which)
            return lade_dec_fail(d, p, LADE_ERR_SHAPE, "the object there has another type");
        return p;
    }
    if (null && d->pub.into)
        return p;
    return lade_dec_integer(d, p, f->count_scalar, value + f->count_offset,
                            edge->flags & LADE_EDGE_SHARED, null ? 0 : (int64_t)*which)
               ? p
               : NULL;
}
