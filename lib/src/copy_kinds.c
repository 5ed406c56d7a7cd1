/* Steps of a copy for kinds of field that are rarer: known types, variants, grids, sequences, bits, custom types;
 * and what runs in the end. */
#include <string.h>

#include "copy.h"
#include "grid.h"
#include "kinds.h"
#include "schema.h"

static bool fail(copier *c, const lade_step *s, const block *b, const char *text)
{
    char name[sizeof c->job->err.path];
    if (text)
        lade_job_error(c->job, LADE_ERR_VALUE, 0, "%s", text);
    lade_job_path(c->job, s->field->name, 0, 1);
    memcpy(name, c->job->err.path, sizeof name);
    lade_path_set(c->job, b->node->type->name, UINT64_MAX, name);
    return false;
}

static lade_pairs *list_of(copier *c, bool deferred)
{
    return deferred ? &c->recurring : &c->nested;
}

/* n values behind a pointer, in new memory that is the copy's. */
static void *copy_body(copier *c, const lade_node *node, bool deferred, const void *from, size_t n)
{
    void *to =
        lade_copier_note(c, node, from, n, false) ? lade_copier_values(c, node, n, false) : NULL;
    return to && lade_copier_start(c, list_of(c, deferred), node, from, to, n) ? to : NULL;
}

bool lade_copier_shifted(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    const unsigned char *body = lade_member_pointer(b->from + at);
    unsigned char *copy = NULL;
    size_t n;
    if (!lade_step_count(s, b->from + i * b->size, repeat, body, &n))
        return lade_count_failed(c->job, b->node, s->field->name);
    if (n > 0 && !(copy = copy_body(c, s->node, s->deferred, body + s->shift, n)))
        return false;
    lade_member_set(b->to + at, copy ? copy - s->shift : NULL);
    return true;
}

bool lade_copier_any(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    size_t told = i * b->size + s->count_offset + repeat * s->count_stride;
    const void *object = lade_member_pointer(b->from + at);
    uint64_t which;
    lade_member_set(b->to + at, NULL);
    if (!object)
        return !s->own_case || lade_integer_write(b->to + told, s->count_scalar, 0);
    const lade_edge *edge = lade_choice_edge(s->field, s->edge, b->from + told, object, &which);
    if (!edge) {
        lade_choice_failed(c->job, s->edge, which);
        return fail(c, s, b, NULL);
    }
    void *copy = s->kind == STEP_ANY_REF
                     ? lade_copier_target(c, edge->node, object)
                     : copy_body(c, edge->node, edge->flags & LADE_EDGE_DEFERRED, object, 1);
    lade_member_set(b->to + at, copy);
    return copy != NULL;
}

/* The case that is there is a value by itself; the rest of the union is zero. */
bool lade_copier_variant(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    size_t told = i * b->size + s->count_offset + repeat * s->count_stride;
    uint32_t is = lade_variant_case(s->field, s->node, b->from + told);
    memset(b->to + at, 0, s->size);
    return is == UINT32_MAX ||
           lade_copier_start(c, &c->nested, &s->inner[is], b->from + at, b->to + at, 1);
}

/* Dense memory of a grid, with a halo of zeros; rows are pointers into it. */
static unsigned char *grid_memory(copier *c, const lade_step *s, const lade_grid_shape *shape)
{
    unsigned char *base = lade_copier_values(c, s->node, shape->allocated, false);
    size_t size = s->node->type->size;
    if (base && shape->allocated > shape->count)
        memset(base, 0, shape->allocated * size);
    if (!base || !s->field->grid->rows)
        return base;
    unsigned char *rows =
        lade_copier_memory(c, shape->stored[0] * sizeof(void *), _Alignof(void *));
    for (size_t i = 0; rows && i < shape->stored[0]; i++)
        lade_member_set(rows + i * sizeof(void *), base + i * shape->stored[1] * size);
    return rows;
}

/* Pieces that are one in both memories. */
static bool copy_elements(copier *c, const lade_step *s, const lade_grid_shape *old,
                          const lade_grid_shape *new, const void *from, void *to)
{
    const lade_grid *grid = s->field->grid;
    size_t size = s->node->type->size;
    size_t run = lade_grid_run(old);
    if (run > lade_grid_run(new))
        run = lade_grid_run(new);
    for (size_t k = 0; k < old->count; k += run) {
        const void *a = lade_grid_piece(grid, old, from, lade_grid_offset(old, k), size);
        const void *b = lade_grid_piece(grid, new, to, lade_grid_offset(new, k), size);
        if (!lade_copier_note(c, s->node, a, run, false) ||
            !lade_copier_start(c, list_of(c, s->deferred), s->node, a, lade_priv_unconst(b), run))
            return false;
    }
    return true;
}

bool lade_copier_grid(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    size_t owner = at - s->field->offset;
    const lade_grid *grid = s->field->grid;
    const void *from = lade_member_pointer(b->from + at);
    size_t extent[LADE_MAX_RANK];
    lade_grid_shape old;
    lade_grid_shape new;
    if (!lade_grid_extents(grid, b->from + owner, extent) ||
        !lade_grid_shape_make(grid, b->from + owner, extent, true, &old) ||
        !lade_grid_shape_make(grid, b->from + owner, extent, false, &new))
        return fail(c, s, b, "its extents are negative or too large");
    if (from && grid->rows && !lade_grid_rows_there(&old, from))
        return fail(c, s, b, "a row of the grid is NULL");
    if (grid->rows) /* each row stands alone */
        old.dense = new.dense = old.stored[0] <= 1;
    lade_grid_strides_write(grid, &new, b->to + owner);
    lade_member_set(b->to + at, NULL);
    if (!from || old.count == 0)
        return true;
    unsigned char *to = grid_memory(c, s, &new);
    lade_member_set(b->to + at, to);
    return to && copy_elements(c, s, &old, &new, from, to);
}

/* The copies of a list's elements stand together, or each in memory of its own. Their runs leave links alone. */
bool lade_copier_list(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    size_t size = s->node->type->size;
    const lade_links *l = s->field->links;
    const unsigned char *from = lade_member_pointer(b->from + at);
    unsigned char *together = NULL;
    unsigned char *last = NULL;
    uint64_t n;
    if (!lade_list_count(from, l->next, &n))
        return fail(c, s, b, "the list is a cycle");
    lade_member_set(b->to + at, NULL);
    if (n && !c->store.separate && !(together = lade_copier_values(c, s->node, (size_t)n, false)))
        return false;
    for (uint64_t k = 0; k < n; k++, from = lade_member_pointer(from + l->next)) {
        unsigned char *to =
            together ? together + k * size : lade_copier_values(c, s->node, 1, false);
        if (!to)
            return false;
        lade_member_set(last ? last + l->next : b->to + at, to);
        lade_member_set(to + l->next, NULL);
        if (l->prev != LADE_NO_OFFSET)
            lade_member_set(to + l->prev, last);
        if (!lade_copier_note(c, s->node, from, 1, false) ||
            !lade_copier_start(c, list_of(c, s->deferred), s->inner, from, to, 1))
            return false;
        last = to;
    }
    if (l->tail != LADE_NO_OFFSET)
        lade_member_set(b->to + at - s->field->offset + l->tail, last);
    return true;
}

static bool after_add(copier *c, copy_after after)
{
    if (!lade_mem_grow(c->allocator, &c->after, &c->after_capacity, c->after_count + 1,
                       sizeof *c->after))
        return lade_copier_no_memory(c);
    c->after[c->after_count++] = after;
    return true;
}

bool lade_copier_map(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    size_t size = s->node->type->size;
    const lade_map *map = s->field->map;
    size_t n = map->count(b->from + at);
    size_t k = 0;
    if (n == 0)
        return true;
    unsigned char *entries = lade_copier_values(c, s->node, n, false);
    if (!entries)
        return false;
    const void *from = map->next(b->from + at, NULL);
    for (; from && k < n; from = map->next(b->from + at, from), k++)
        if (!lade_copier_note(c, s->node, from, 1, false) ||
            !lade_copier_start(c, list_of(c, s->deferred), s->node, from, entries + k * size, 1))
            return false;
    if (k < n)
        return fail(c, s, b, "the map has fewer entries than it counts");
    return after_add(c, (copy_after){map, s->node, b->to + at, entries, n});
}

bool lade_copier_bits(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    const unsigned char *told = b->from + i * b->size + s->count_offset + repeat * s->count_stride;
    const lade_node *word = lade_scalar_node((lade_scalar)s->field->scalar);
    const void *from = lade_member_pointer(b->from + at);
    size_t width = word->type->size;
    uint64_t n;
    lade_member_set(b->to + at, NULL);
    if (!lade_count_read(told, s->count_scalar, &n) || n / 8 >= SIZE_MAX - width || (n && !from))
        return lade_count_failed(c->job, b->node, s->field->name);
    if (n == 0)
        return true;
    size_t size = lade_bits_size(n, width);
    unsigned char *to = lade_copier_values(c, word, size / width, false);
    if (!to)
        return false;
    memcpy(to, from, size);
    for (size_t k = (size_t)(n / 8); k < size; k++)
        to[lade_bits_byte(width, k)] &= (unsigned char)(k == n / 8 ? (1U << n % 8) - 1 : 0);
    lade_member_set(b->to + at, to);
    return true;
}

bool lade_copier_custom(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    memset(b->to + at, 0, s->size);
    return lade_customs_copy(&c->customs, &c->store, s->node, b->from + at, b->to + at);
}

bool lade_copier_default(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    (void)c;
    memcpy(b->to + lade_member_offset(s, b, i, repeat), s->field->options->fallback, s->size);
    return true;
}

bool lade_copier_capacity(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    const unsigned char *count = b->to + i * b->size + s->count_offset + repeat * s->count_stride;
    uint64_t n = 0;
    (void)c;
    lade_count_read(count, s->count_scalar, &n); /* what is stored has been checked */
    lade_count_write(b->to + lade_member_offset(s, b, i, repeat), (lade_scalar)s->field->scalar, n);
    return true;
}

bool lade_copier_hooks(copier *c, const lade_node *node, void *values, size_t n)
{
    return after_add(c, (copy_after){.node = node, .value = values, .n = n});
}

static bool hook_run(copier *c, const lade_node *node, void *value)
{
    lade_status status = node->type->hooks->after_load(value, c->job->ctx->user);
    if (status != LADE_OK)
        lade_job_error(c->job, status, 0, "after_load of '%s' failed: %s", node->type->name,
                       lade_status_string(status));
    return status == LADE_OK;
}

static bool hooks_run(copier *c, const copy_after *after)
{
    const lade_node_steps *steps = &c->steps->nodes[after->node->index];
    const lade_step *s = lade_steps_begin(c->steps, steps);
    unsigned char *value = after->value;
    for (size_t i = 0; i < after->n; i++, value += after->node->type->size)
        for (size_t k = steps->plain; k < steps->count; k++)
            for (size_t r = 0; s[k].kind == STEP_HOOK && r < s[k].repeats; r++)
                if (!hook_run(c, s[k].node, value + s[k].offset + r * s[k].stride))
                    return false;
    return true;
}

/* What holds other things was noted before them: the last comes first. */
bool lade_copier_after(copier *c)
{
    for (size_t i = c->after_count; i-- > 0;) {
        const copy_after *a = &c->after[i];
        if (!a->map && !hooks_run(c, a))
            return false;
        if (a->map && !a->map->fill(a->value, a->entries, a->n)) {
            lade_job_error(c->job, LADE_ERR_VALUE, 0, "a map refuses its %zu entries", a->n);
            return false;
        }
    }
    return true;
}
