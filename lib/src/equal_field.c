/* Comparison of single fields. */
#include <string.h>

#include "equal.h"
#include "schema.h"

static bool out_of_memory(comparing *c)
{
    return lade_equal_fail(c, LADE_ERR_MEMORY, "out of memory while comparing");
}

/* Compares n elements of `size` bytes; names the place where there are several. */
static bool same_bytes(comparing *c, const unsigned char *a, const unsigned char *b, size_t n,
                       size_t size)
{
    if (memcmp(a, b, n * size) == 0)
        return true;
    size_t i = 0;
    while (memcmp(a + i * size, b + i * size, size) == 0)
        i++;
    return lade_equal_differ(c, n == 1 ? SIZE_MAX : i);
}

/* The padding of a long double does not count. */
static bool same_long_doubles(comparing *c, const unsigned char *a, const unsigned char *b,
                              size_t n)
{
    const size_t size = sizeof(long double);
    for (size_t i = 0; i < n; i++)
        if (memcmp(a + i * size, b + i * size, LADE_LONG_DOUBLE_USED) != 0)
            return lade_equal_differ(c, n == 1 ? SIZE_MAX : i);
    return true;
}

static bool same_customs(comparing *c, const lade_node *node, const unsigned char *a,
                         const unsigned char *b, size_t n)
{
    const size_t size = node->type->size;
    for (size_t i = 0; i < n; i++) {
        bool equal;
        if (!lade_customs_equal(&c->customs, node, a + i * size, b + i * size, &equal))
            return lade_equal_stop(c, FAILED);
        if (!equal)
            return lade_equal_differ(c, n == 1 ? SIZE_MAX : i);
    }
    return true;
}

/* What is its bytes needs a walk only where these differ. */
bool lade_equal_enter(comparing *c, const lade_node *node, const unsigned char *a,
                      const unsigned char *b, size_t n)
{
    if (node->type->scalar == LADE_F128)
        return same_long_doubles(c, a, b, n);
    if (node->type->scalar != LADE_NONE)
        return same_bytes(c, a, b, n, node->type->size);
    if (node->type->form == LADE_FORM_CUSTOM)
        return same_customs(c, node, a, b, n);
    if (c->steps->nodes[node->index].bytes && memcmp(a, b, n * node->type->size) == 0)
        return true;
    c->frames[c->depth++] =
        (frame){.node = node, .a = a, .b = b, .n = n, .end = node->type->field_count};
    return true;
}

/* n values, to be compared later. */
static bool push(comparing *c, const lade_node *node, const unsigned char *a,
                 const unsigned char *b, size_t n)
{
    if (++c->pushed == c->wanted)
        return lade_equal_stop(c, FOUND);
    lade_pair pair = {a, lade_priv_unconst(b), node, n};
    return lade_pairs_push(c->allocator, &c->queue, pair, false) || out_of_memory(c);
}

bool lade_equal_body(comparing *c, const lade_edge *edge, const void *a, const void *b, size_t n)
{
    return edge->flags & LADE_EDGE_DEFERRED ? push(c, edge->node, a, b, n)
                                            : lade_equal_enter(c, edge->node, a, b, n);
}

static bool same_text(comparing *c, const char *a, const char *b)
{
    if (!a || !b)
        return a == b || lade_equal_differ(c, SIZE_MAX);
    return strcmp(a, b) == 0 || lade_equal_differ(c, SIZE_MAX);
}

static bool same_fixed_texts(comparing *c, const lade_field *f, const char *a, const char *b)
{
    size_t size = lade_field_capacity(f);
    size_t n = lade_field_elements(f);
    for (size_t i = 0; i < n; i++)
        if (strncmp(a + i * size, b + i * size, size) != 0)
            return lade_equal_differ(c, n == 1 ? SIZE_MAX : i);
    return true;
}

static bool count_of(comparing *c, const lade_field *f, const unsigned char *value,
                     const void *body, uint64_t *n)
{
    *n = body != NULL;
    if (f->count_scalar == LADE_NONE)
        return true;
    if (lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, n) &&
        *n <= SIZE_MAX && (body || *n == 0))
        return true;
    return lade_equal_fail(c, LADE_ERR_VALUE,
                           "its count is negative, or its pointer is NULL with a count");
}

static bool same_bodies(comparing *c, const frame *f, const lade_field *field,
                        const lade_edge *edge, const void *a, const void *b)
{
    uint64_t n;
    uint64_t m;
    if (!count_of(c, field, f->a, a, &n) || !count_of(c, field, f->b, b, &m))
        return false;
    if (n != m)
        return lade_equal_differ(c, SIZE_MAX);
    if (n == 0)
        return true;
    int64_t shift = 0;
    if (field->kind == LADE_KIND_VECTOR && field->options)
        shift = field->options->origin * (int64_t)edge->node->type->size;
    return lade_equal_body(c, edge, (const unsigned char *)a + shift,
                           (const unsigned char *)b + shift, (size_t)n);
}

/* Place of an object among the pools of its type, from 1; 0 if it stands alone. */
static uint64_t pool_place(const comparing *c, const lade_node *node, const void *target, bool of_b)
{
    uint64_t first = 1;
    for (size_t k = 0; k < c->pool_count; k++) {
        const lade_priv_view *view = of_b ? &c->pools[k].b : &c->pools[k].a;
        if (c->pools[k].node != node)
            continue;
        uint64_t i = lade_priv_pool_index(view, target);
        if (i < view->count)
            return first + i;
        first += view->count;
    }
    return 0;
}

bool lade_equal_objects(comparing *c, const lade_node *node, const void *a, const void *b,
                        bool contained)
{
    bool fresh_a;
    bool fresh_b;
    id_pair *ids = &c->ids[node->index];
    uint64_t id_a = lade_ids_get(c->allocator, &ids->a, a, &fresh_a);
    uint64_t id_b = lade_ids_get(c->allocator, &ids->b, b, &fresh_b);
    if (id_a == UINT64_MAX || id_b == UINT64_MAX)
        return out_of_memory(c);
    if (id_a != id_b || fresh_a != fresh_b)
        return lade_equal_differ(c, SIZE_MAX);
    if (!fresh_a || contained)
        return true;
    if (node->pools) {
        lade_job_error(c->job, LADE_ERR_REFERENCE, 0,
                       "a reference to a '%s', which holds pools, that is not the compared value",
                       node->type->name);
        return lade_equal_stop(c, FAILED);
    }
    return push(c, node, a, b, 1);
}

bool lade_equal_refs(comparing *c, const lade_node *node, const void *a, const void *b)
{
    uint64_t place_a = 0;
    uint64_t place_b = 0;
    if (!a || !b)
        return a == b || lade_equal_differ(c, SIZE_MAX);
    if (node->pooled) {
        place_a = pool_place(c, node, a, false);
        place_b = pool_place(c, node, b, true);
        if (place_a && place_b && place_a != place_b)
            return lade_equal_differ(c, SIZE_MAX);
        if (place_a && place_b && !c->mixed)
            return true;
        if ((place_a || place_b) && !c->mixed)
            return lade_equal_stop(c, AGAIN);
    }
    return lade_equal_objects(c, node, a, b, place_a && place_b);
}

static bool same_pointers(comparing *c, const frame *f, const lade_field *field,
                          const lade_edge *edge)
{
    size_t offset = field->offset + f->element * sizeof(void *);
    const void *a = lade_member_pointer(f->a + offset);
    const void *b = lade_member_pointer(f->b + offset);
    switch ((lade_kind)field->kind) {
    case LADE_KIND_TEXT:
        return same_text(c, a, b);
    case LADE_KIND_REF:
        return lade_equal_refs(c, edge->node, a, b);
    case LADE_KIND_ANY:
    case LADE_KIND_ANY_REF:
        return lade_equal_any(c, f, field, edge, a, b);
    case LADE_KIND_EXTERNAL:
        return a == b || lade_equal_differ(c, SIZE_MAX);
    default:
        return same_bodies(c, f, field, edge, a, b);
    }
}

/* Kinds that are not made of pointers. */
static bool same_member(comparing *c, const frame *f, const lade_field *field,
                        const lade_edge *edge)
{
    const unsigned char *a = f->a + field->offset;
    const unsigned char *b = f->b + field->offset;
    size_t n = lade_field_elements(field);
    switch ((lade_kind)field->kind) {
    case LADE_KIND_VALUE:
        if (field->scalar == LADE_F128)
            return same_long_doubles(c, a, b, n);
        return same_bytes(c, a, b, n, lade_scalar_size((lade_scalar)field->scalar));
    case LADE_KIND_ENUMERATION:
        return same_bytes(c, a, b, n, lade_scalar_size((lade_scalar)field->scalar));
    case LADE_KIND_FIXED_TEXT:
        return same_fixed_texts(c, field, (const char *)a, (const char *)b);
    case LADE_KIND_RECORD:
        return lade_equal_enter(c, edge->node, a, b, n);
    case LADE_KIND_VARIANT:
        return lade_equal_variant(c, f, field, edge);
    case LADE_KIND_GRID:
        return lade_equal_grid(c, f, field, edge);
    case LADE_KIND_LIST:
        return field->links ? lade_equal_list(c, f, field, edge) : same_pointers(c, f, field, edge);
    case LADE_KIND_MAP:
        return field->map ? lade_equal_map(c, f, field, edge) : same_pointers(c, f, field, edge);
    default:
        return lade_equal_bits(c, f, field);
    }
}

bool lade_equal_field(comparing *c, frame *f)
{
    const lade_field *field = &f->node->type->fields[f->next];
    const lade_edge *edge = &f->node->edges[f->next];
    f->at = f->next;
    f->element = f->next_element;
    if (!(edge->flags & LADE_EDGE_STORED)) {
        f->next++;
        return true;
    }
    if (!lade_field_is_pointer(field)) {
        f->next++;
        return same_member(c, f, field, edge);
    }
    if (++f->next_element == lade_field_elements(field)) {
        f->next_element = 0;
        f->next++;
    }
    return same_pointers(c, f, field, edge);
}
