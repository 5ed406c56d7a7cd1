/* Comparison of fields of rarer kinds: known types, variants, grids, lists, maps, bits. */
#include <string.h>

#include "equal.h"
#include "kinds.h"
#include "schema.h"

static bool case_of(comparing *c, const unsigned char *value, const lade_field *field,
                    const lade_edge *edge, const void *object, const lade_edge **to)
{
    uint64_t which;
    *to = lade_choice_edge(field, edge, value + field->count_offset, object, &which);
    if (*to)
        return true;
    lade_choice_failed(c->job, edge, which);
    return lade_equal_stop(c, FAILED);
}

bool lade_equal_any(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge,
                    const void *a, const void *b)
{
    const lade_edge *to_a;
    const lade_edge *to_b;
    if (!a || !b)
        return a == b || lade_equal_differ(c, SIZE_MAX);
    if (!case_of(c, f->a, field, edge, a, &to_a) || !case_of(c, f->b, field, edge, b, &to_b))
        return false;
    if (to_a->node != to_b->node)
        return lade_equal_differ(c, SIZE_MAX);
    return field->kind == LADE_KIND_ANY_REF ? lade_equal_refs(c, to_a->node, a, b)
                                            : lade_equal_body(c, to_a, a, b, 1);
}

bool lade_equal_variant(comparing *c, const frame *f, const lade_field *field,
                        const lade_edge *edge)
{
    const unsigned char *a = f->a + field->count_offset;
    const unsigned char *b = f->b + field->count_offset;
    lade_scalar scalar = (lade_scalar)field->count_scalar;
    if (lade_integer_read(a, scalar) != lade_integer_read(b, scalar))
        return lade_equal_differ(c, SIZE_MAX);
    uint32_t is = lade_variant_case(field, edge->node, a);
    if (is != UINT32_MAX)
        c->frames[c->depth++] = (frame){.node = edge->node,
                                        .a = f->a + field->offset,
                                        .b = f->b + field->offset,
                                        .n = 1,
                                        .first = is,
                                        .next = is,
                                        .end = is + 1};
    return true;
}

/* Values of these have no fields. */
static bool is_leaf(const lade_node *node)
{
    return node->type->scalar != LADE_NONE || node->type->form == LADE_FORM_CUSTOM;
}

/* A sequence whose values do not follow each other: leaves one by one, deferred ones each by itself, others in
 * a frame. */
static bool same_sequence(comparing *c, const lade_edge *edge, frame start)
{
    bool one_by_one = is_leaf(edge->node) || (edge->flags & LADE_EDGE_DEFERRED);
    start.node = edge->node;
    start.end = edge->node->type->field_count;
    if (start.n == 0)
        return true;
    if (!one_by_one) {
        c->frames[c->depth++] = start;
        return true;
    }
    for (;;) {
        if (!lade_equal_body(c, edge, start.a, start.b, 1)) {
            if (start.n > 1 && c->verdict != FAILED)
                c->place = start.i;
            return false;
        }
        if (++start.i == start.n)
            return true;
        lade_equal_advance(c, &start);
    }
}

static const unsigned char *grid_at(const lade_field *field, const lade_grid_shape *shape,
                                    const unsigned char *owner, size_t k, size_t size)
{
    return lade_grid_piece(field->grid, shape, lade_member_pointer(owner + field->offset),
                           lade_grid_offset(shape, k), size);
}

void lade_equal_advance(comparing *c, frame *f)
{
    const lade_field *by = f->by;
    size_t size = f->node->type->size;
    if (!by) {
        f->a += size;
        f->b += size;
    } else if (by->kind == LADE_KIND_LIST) {
        f->a = lade_member_pointer(f->a + by->links->next);
        f->b = lade_member_pointer(f->b + by->links->next);
    } else if (by->kind == LADE_KIND_MAP) {
        f->a = by->map->next(f->owner_a + by->offset, f->a);
        f->b = by->map->next(f->owner_b + by->offset, f->b);
    } else {
        const grid_pair *g = &c->grids[f->grid];
        f->a = grid_at(by, &g->a, f->owner_a, f->i, size);
        f->b = grid_at(by, &g->b, f->owner_b, f->i, size);
    }
}

bool lade_equal_list(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge)
{
    const unsigned char *a = lade_member_pointer(f->a + field->offset);
    const unsigned char *b = lade_member_pointer(f->b + field->offset);
    uint64_t n;
    uint64_t m;
    if (!lade_list_count(a, field->links->next, &n) || !lade_list_count(b, field->links->next, &m))
        return lade_equal_fail(c, LADE_ERR_VALUE, "the list is a cycle");
    if (n != m)
        return lade_equal_differ(c, SIZE_MAX);
    return same_sequence(c, edge, (frame){.a = a, .b = b, .n = (size_t)n, .by = field});
}

/* Whether a map has as many entries as it counts, or more. */
static bool map_whole(const lade_map *map, const void *value, size_t n)
{
    const void *at = NULL;
    for (size_t i = 0; i < n; i++)
        if (!(at = map->next(value, at)))
            return false;
    return true;
}

bool lade_equal_map(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge)
{
    const lade_map *map = field->map;
    const unsigned char *a = f->a + field->offset;
    const unsigned char *b = f->b + field->offset;
    size_t n = map->count(a);
    if (n != map->count(b))
        return lade_equal_differ(c, SIZE_MAX);
    if (!map_whole(map, a, n) || !map_whole(map, b, n))
        return lade_equal_fail(c, LADE_ERR_VALUE, "the map has fewer entries than it counts");
    return same_sequence(c, edge,
                         (frame){.a = map->next(a, NULL),
                                 .b = map->next(b, NULL),
                                 .n = n,
                                 .by = field,
                                 .owner_a = f->a,
                                 .owner_b = f->b});
}

static bool shape_of(comparing *c, const lade_field *field, const unsigned char *value,
                     lade_grid_shape *shape)
{
    const lade_grid *grid = field->grid;
    const void *base = lade_member_pointer(value + field->offset);
    size_t extent[LADE_MAX_RANK];
    if (!lade_grid_extents(grid, value, extent) ||
        !lade_grid_shape_make(grid, value, extent, true, shape))
        return lade_equal_fail(c, LADE_ERR_VALUE, "its extents are negative or too large");
    if (base && grid->rows && !lade_grid_rows_there(shape, base))
        return lade_equal_fail(c, LADE_ERR_VALUE, "a row of the grid is NULL");
    if (grid->rows)
        shape->dense = shape->stored[0] <= 1;
    return true;
}

/* Elements that are their bytes, piece by piece; SIZE_MAX if all are equal, or the first piece that differs. */
static size_t first_piece(const lade_field *field, const grid_pair *g, const frame *f, size_t run,
                          size_t size)
{
    for (size_t k = 0; k < g->a.count; k += run)
        if (memcmp(grid_at(field, &g->a, f->a, k, size), grid_at(field, &g->b, f->b, k, size),
                   run * size) != 0)
            return k;
    return SIZE_MAX;
}

static bool same_elements(comparing *c, const frame *f, const lade_field *field,
                          const lade_edge *edge, const grid_pair *g)
{
    size_t size = edge->node->type->size;
    size_t run = lade_grid_run(&g->a);
    size_t k = 0;
    if (run > lade_grid_run(&g->b))
        run = lade_grid_run(&g->b);
    if (c->steps->nodes[edge->node->index].bytes) {
        k = first_piece(field, g, f, run, size);
        if (k == SIZE_MAX)
            return true;
    }
    frame start = {.n = g->a.count, .i = k, .by = field, .owner_a = f->a, .owner_b = f->b};
    start.grid = c->depth;
    c->grids[start.grid] = *g;
    start.a = grid_at(field, &g->a, f->a, k, size);
    start.b = grid_at(field, &g->b, f->b, k, size);
    return same_sequence(c, edge, start);
}

bool lade_equal_grid(comparing *c, const frame *f, const lade_field *field, const lade_edge *edge)
{
    grid_pair g;
    if (!shape_of(c, field, f->a, &g.a) || !shape_of(c, field, f->b, &g.b))
        return false;
    bool there_a = lade_member_pointer(f->a + field->offset) && g.a.count;
    bool there_b = lade_member_pointer(f->b + field->offset) && g.b.count;
    bool halo = lade_grid_stores_halo(field->grid);
    for (unsigned d = 0; d < g.a.rank; d++)
        if (g.a.extent[d] != g.b.extent[d] || (halo && g.a.halo[d] != g.b.halo[d]))
            return lade_equal_differ(c, SIZE_MAX);
    if (there_a != there_b)
        return lade_equal_differ(c, SIZE_MAX);
    return !there_a || same_elements(c, f, field, edge, &g);
}

static unsigned byte_of(const unsigned char *words, size_t word, uint64_t n, size_t i)
{
    unsigned byte = words[lade_bits_byte(word, i)];
    return i == n / 8 ? byte & ((1U << n % 8) - 1) : byte;
}

bool lade_equal_bits(comparing *c, const frame *f, const lade_field *field)
{
    const unsigned char *a = lade_member_pointer(f->a + field->offset);
    const unsigned char *b = lade_member_pointer(f->b + field->offset);
    lade_scalar count = (lade_scalar)field->count_scalar;
    size_t word = lade_scalar_size((lade_scalar)field->scalar);
    uint64_t n;
    uint64_t m;
    if (!lade_count_read(f->a + field->count_offset, count, &n) ||
        !lade_count_read(f->b + field->count_offset, count, &m) || n / 8 >= SIZE_MAX - word ||
        (n && !a) || (m && !b))
        return lade_equal_fail(c, LADE_ERR_VALUE,
                               "its count is negative, or its pointer is NULL with a count");
    if (n != m)
        return lade_equal_differ(c, SIZE_MAX);
    for (size_t i = 0; i < n / 8 + (n % 8 != 0); i++) {
        unsigned other = byte_of(a, word, n, i) ^ byte_of(b, word, n, i);
        if (other)
            return lade_equal_differ(c, n == 1 ? SIZE_MAX : i * 8 + (unsigned)__builtin_ctz(other));
    }
    return true;
}
