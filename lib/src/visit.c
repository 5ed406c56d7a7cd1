/* Walks for archives of a program's own (lade/visit.h): depth first, with a stack of frames that grows. */
#include <lade/visit.h>

#include <string.h>

#include "graph.h"
#include "grid.h"
#include "schema.h"

/* n values of a node: one after the other, linked, entries of a map, or pieces of a grid. */
typedef enum frame_order { IN_LINE, BY_LINKS, BY_MAP, BY_GRID } frame_order;

typedef struct frame {
    const lade_node *node;
    unsigned char *value; /* of element i */
    size_t i, n;
    uint32_t field, first, end; /* fields of a value; `field` is the next one */
    size_t slot;                /* of a fixed array of pointers: the next one */
    bool begun;                 /* the value at hand */
    frame_order order;
    const lade_field *sequence; /* of BY_LINKS, BY_MAP and BY_GRID */
    const void *map;
    unsigned char *base; /* of a grid */
    lade_grid_walk walk;
    lade_grid_shape shape;
    size_t left; /* of the piece of a grid at hand */
    lade_item
        whole; /* the array that ends with the frame; its kind is LADE_ITEM_NULL if there is none */
    const char *name; /* of a single value */
    uint64_t id;      /* of an object, or UINT64_MAX */
} frame;

typedef struct visit {
    lade_job *job;
    const lade_allocator *allocator;
    const lade_visitor *v;
    const lade_plan *plan;
    const lade_root *root;
    unsigned char *value;
    frame *frames;
    size_t depth, capacity;
    lade_ids *ids;         /* by node */
    uint64_t *pool_totals; /* by node */
    lade_worklist work;
    lade_watch watch;
    size_t extents[LADE_MAX_RANK];
} visit;

static bool called(visit *w, lade_status status)
{
    if (status != LADE_OK)
        lade_job_error(w->job, status, 0, "the visitor failed");
    return status == LADE_OK;
}

static bool on_value(visit *w, const lade_item *item)
{
    return !w->v->value || called(w, w->v->value(w->v->user, item));
}

static bool on_begin(visit *w, const lade_item *item)
{
    return !w->v->begin || called(w, w->v->begin(w->v->user, item));
}

static bool on_end(visit *w, const lade_item *item)
{
    return !w->v->end || called(w, w->v->end(w->v->user, item));
}

static bool wrong(visit *w, lade_status status, const char *text)
{
    lade_job_error(w->job, status, 0, "%s", text);
    return false;
}

static void *pointer_at(const void *member)
{
    void *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static frame *push(visit *w, const lade_node *node, void *value, size_t n)
{
    if (!lade_mem_grow(w->allocator, &w->frames, &w->capacity, w->depth + 1, sizeof *w->frames)) {
        wrong(w, LADE_ERR_MEMORY, "out of memory");
        return NULL;
    }
    if (node->type->form == LADE_FORM_CUSTOM) {
        wrong(w, LADE_ERR_ARGUMENT, "a custom type has no parts to show");
        return NULL;
    }
    frame *f = &w->frames[w->depth++];
    *f = (frame){.node = node,
                 .value = value,
                 .n = n,
                 .end = node->type->field_count,
                 .whole = {.kind = LADE_ITEM_NULL},
                 .id = UINT64_MAX};
    return f;
}

static bool is_whole(const lade_node *node)
{
    return node->natural && node->wire_size == node->type->size && !node->hooked;
}

/* An array without gaps: one call, or its elements one by one. */
static bool visit_array(visit *w, lade_item item, const lade_node *node)
{
    item.kind = LADE_ITEM_ARRAY;
    item.type = node->type;
    item.scalar = (lade_scalar)node->type->scalar;
    if (item.count && is_whole(node) && w->v->array && w->v->takes_whole &&
        w->v->takes_whole(w->v->user, node->type))
        return called(w, w->v->array(w->v->user, &item));
    if (!on_begin(w, &item))
        return false;
    if (item.count == 0)
        return on_end(w, &item);
    frame *f = push(w, node, item.data, (size_t)item.count);
    if (f)
        f->whole = item;
    return f != NULL;
}

static bool visit_one(visit *w, const char *name, const lade_node *node, void *value)
{
    frame *f = push(w, node, value, 1);
    if (f)
        f->name = name;
    return f != NULL;
}

static bool visit_null(visit *w, const lade_field *field, const char *name, const lade_type *type)
{
    return on_value(w, &(lade_item){LADE_ITEM_NULL, name, field, type, .count = 1});
}

/* Scalars and enumerations of a field, and fixed texts. */
static bool visit_scalars(visit *w, const lade_field *f, unsigned char *member)
{
    static const lade_item_kind kinds[] = {[LADE_KIND_VALUE] = LADE_ITEM_SCALAR,
                                           [LADE_KIND_ENUMERATION] = LADE_ITEM_ENUMERATION,
                                           [LADE_KIND_FIXED_TEXT] = LADE_ITEM_FIXED_TEXT};
    bool text = f->kind == LADE_KIND_FIXED_TEXT;
    const lade_type *type = text ? NULL : lade_scalar_node((lade_scalar)f->scalar)->type;
    size_t size = text ? lade_field_capacity(f) : type->size;
    lade_item one = {.kind = kinds[f->kind],
                     .field = f,
                     .type = type,
                     .scalar = (lade_scalar)f->scalar,
                     .count = text ? size : 1};
    size_t n = lade_field_elements(f);
    unsigned rank = f->rank - (unsigned)(text && f->rank);
    for (unsigned i = 0; i < rank; i++)
        w->extents[i] = f->extent[i];
    lade_item all = {LADE_ITEM_ARRAY, f->name, f, type, one.scalar, member, n, 0, rank, w->extents};
    if (rank && f->kind == LADE_KIND_VALUE)
        return visit_array(w, all, lade_scalar_node((lade_scalar)f->scalar));
    bool ok = !rank || on_begin(w, &all);
    for (size_t i = 0; i < n && ok; i++, member += size) {
        one.name = rank ? NULL : f->name;
        one.data = member;
        ok = on_value(w, &one);
    }
    return ok && (!rank || on_end(w, &all));
}

/* The id of what a ref leads to: objects in pools come first. */
static bool object_id(visit *w, const lade_node *node, const void *object, uint64_t *id,
                      bool *fresh)
{
    uint64_t first = 0;
    size_t size = node->type->size;
    *fresh = false;
    if (w->plan->array && node->pooled) {
        size_t offset = (size_t)((uintptr_t)object - (uintptr_t)w->value);
        *id = offset / size;
        if (*id < w->pool_totals[node->index] && offset % size == 0)
            return true;
    }
    for (uint32_t k = 0; k < w->plan->pool_count; k++) {
        const lade_pool_place *pool = &w->plan->pools[k];
        uint64_t count = 0;
        if (pool->node != node)
            continue;
        lade_count_read(w->value + pool->count_offset, (lade_scalar)pool->count_scalar, &count);
        size_t offset =
            (size_t)((uintptr_t)object - (uintptr_t)pointer_at(w->value + pool->offset));
        *id = first + offset / size;
        if (offset / size < count && offset % size == 0)
            return true;
        first += count;
    }
    *id = lade_ids_get(w->allocator, &w->ids[node->index], object, fresh);
    if (*id == UINT64_MAX)
        return wrong(w, LADE_ERR_MEMORY, "out of memory");
    if (*fresh && !lade_worklist_push(w->allocator, &w->work, lade_priv_unconst(object), node, 1))
        return wrong(w, LADE_ERR_MEMORY, "out of memory");
    *id += w->pool_totals[node->index];
    return true;
}

static bool visit_ref(visit *w, const lade_field *f, const char *name, const lade_node *node,
                      void *object)
{
    lade_item item = {LADE_ITEM_REF, name, f, node->type, .data = object, .count = 1};
    uint64_t id;
    bool fresh;
    if (!object_id(w, node, object, &id, &fresh))
        return false;
    item.id = id;
    return on_value(w, &item);
}

static bool visit_vector(visit *w, const lade_field *f, const lade_edge *edge,
                         const unsigned char *value, const char *name, void *body)
{
    uint64_t n;
    if (!lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &n) ||
        n > SIZE_MAX || (n && !body))
        return wrong(w, LADE_ERR_VALUE,
                     "its count is negative, or its pointer is NULL with a count");
    if (n && f->options && f->options->origin)
        body = (unsigned char *)body + f->options->origin * (int64_t)edge->node->type->size;
    return visit_array(
        w, (lade_item){.name = name, .field = f, .data = body, .count = n, .rank = 1}, edge->node);
}

static bool visit_key(visit *w, const lade_field *f, const char *name, const void *pointer)
{
    const lade_externals *x = w->job->ctx->externals;
    const char *key = x && x->key ? x->key(x->user, f->set, pointer) : NULL;
    if (lade_field_generic(f))
        key = pointer;
    if (!key)
        return wrong(w, LADE_ERR_REFERENCE, "no key for what is not saved");
    return on_value(w, &(lade_item){.kind = LADE_ITEM_KEY,
                                    .name = name,
                                    .field = f,
                                    .data = lade_priv_unconst(key),
                                    .count = 1});
}

static const lade_node *case_of(visit *w, const lade_field *f, const lade_edge *edge,
                                const unsigned char *value, const void *object)
{
    uint64_t which = UINT64_MAX;
    if (f->choice->which)
        which = f->choice->which(object);
    else if (!lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &which))
        which = UINT64_MAX;
    if (which < edge->index)
        return edge->cases[which].node;
    wrong(w, LADE_ERR_VALUE, "the type of its object is none of the known ones");
    return NULL;
}

/* One pointer of a field. */
static bool visit_pointer(visit *w, const lade_field *f, const lade_edge *edge,
                          const unsigned char *value, const char *name, void *pointer)
{
    if (f->kind == LADE_KIND_VECTOR || f->kind == LADE_KIND_POOL)
        return visit_vector(w, f, edge, value, name, pointer);
    if (!pointer)
        return visit_null(w, f, name, f->type);
    const lade_node *node = edge->flags & LADE_EDGE_CASES ? NULL : edge->node;
    switch ((lade_kind)f->kind) {
    case LADE_KIND_TEXT:
        return on_value(
            w, &(lade_item){
                   .kind = LADE_ITEM_TEXT, .name = name, .field = f, .data = pointer, .count = 1});
    case LADE_KIND_EXTERNAL:
        return visit_key(w, f, name, pointer);
    case LADE_KIND_REF:
        return node && visit_ref(w, f, name, node, pointer);
    case LADE_KIND_ANY_REF:
        node = case_of(w, f, edge, value, pointer);
        return node && visit_ref(w, f, name, node, pointer);
    case LADE_KIND_ANY:
        node = case_of(w, f, edge, value, pointer);
        break;
    default: /* optional */
        break;
    }
    if (node && lade_watch_ends(w->job, &w->watch, pointer, node))
        return false;
    return node && visit_one(w, name, node, pointer);
}

/* Pointers of a fixed array are visited one at a time, since each may push a frame. */
static bool visit_slots(visit *w, frame *f, const lade_field *field, const lade_edge *edge)
{
    size_t n = lade_field_elements(field);
    unsigned char *value = f->value;
    for (unsigned i = 0; i < field->rank; i++)
        w->extents[i] = field->extent[i];
    lade_item all = {LADE_ITEM_ARRAY,       field->name, field, field->type, LADE_NONE,
                     value + field->offset, n,           0,     field->rank, w->extents};
    if (f->slot == 0 && !on_begin(w, &all))
        return false;
    if (f->slot == n) {
        f->slot = 0;
        f->field++;
        return on_end(w, &all);
    }
    bool known = field->kind == LADE_KIND_ANY || field->kind == LADE_KIND_ANY_REF;
    size_t each = known ? lade_scalar_size((lade_scalar)field->count_scalar) : 0;
    const unsigned char *owner = value + f->slot * each;
    void *pointer = pointer_at(value + field->offset + f->slot++ * sizeof pointer);
    return visit_pointer(w, field, edge, owner, NULL, pointer);
}

static bool visit_grid(visit *w, const lade_field *f, const lade_edge *edge, unsigned char *value)
{
    lade_grid_shape s;
    unsigned char *base = pointer_at(value + f->offset);
    if (!lade_grid_extents(f->grid, value, w->extents) ||
        !lade_grid_shape_make(f->grid, value, w->extents, true, &s))
        return wrong(w, LADE_ERR_VALUE, "its extents are negative or too large");
    if (!base)
        return visit_null(w, f, f->name, f->type);
    memcpy(w->extents, s.stored, s.rank * sizeof *s.stored);
    lade_item item = {LADE_ITEM_ARRAY,
                      f->name,
                      f,
                      edge->node->type,
                      (lade_scalar)edge->node->type->scalar,
                      base,
                      s.count,
                      0,
                      s.rank,
                      w->extents};
    size_t size = edge->node->type->size;
    if (s.dense && !f->grid->rows) {
        item.data = base + s.start * (int64_t)size;
        return visit_array(w, item, edge->node);
    }
    if (!on_begin(w, &item))
        return false;
    if (s.count == 0)
        return on_end(w, &item);
    frame *g = push(w, edge->node, NULL, s.count);
    if (!g)
        return false;
    g->order = BY_GRID;
    g->sequence = f;
    g->base = base;
    g->shape = s;
    g->shape.dense = s.dense && !f->grid->rows;
    g->whole = item;
    g->whole.extents = NULL; /* they are gone by then */
    return true;
}

static bool visit_sequence(visit *w, const lade_field *f, const lade_edge *edge,
                           unsigned char *value)
{
    bool map = f->kind == LADE_KIND_MAP;
    void *member = value + f->offset;
    size_t n = 0;
    if (map ? !f->map : !f->links)
        return visit_vector(w, f, edge, value, f->name, pointer_at(member));
    void *first = map ? f->map->next(member, NULL) : pointer_at(member);
    if (map)
        n = f->map->count(member);
    else
        for (lade_watch watch = {.power = 1}; first; n++) {
            if (lade_watch_ends(w->job, &watch, first, edge->node))
                return false;
            first = pointer_at((unsigned char *)first + f->links->next);
        }
    first = map ? first : pointer_at(member);
    lade_item item = {.kind = LADE_ITEM_ARRAY,
                      .name = f->name,
                      .field = f,
                      .type = edge->node->type,
                      .count = n,
                      .rank = 1};
    if (!on_begin(w, &item))
        return false;
    if (n == 0)
        return on_end(w, &item);
    frame *g = push(w, edge->node, first, n);
    if (!g)
        return false;
    g->order = map ? BY_MAP : BY_LINKS;
    g->sequence = f;
    g->map = member;
    g->whole = item;
    return true;
}

static bool visit_variant(visit *w, const lade_field *f, const lade_edge *edge,
                          unsigned char *value)
{
    const lade_type *type = edge->node->type;
    int64_t is = lade_integer_read(value + f->count_offset, (lade_scalar)f->count_scalar);
    lade_item tag = {.kind = LADE_ITEM_SCALAR,
                     .name = f->name,
                     .field = f,
                     .type = lade_scalar_node((lade_scalar)f->count_scalar)->type,
                     .scalar = (lade_scalar)f->count_scalar,
                     .data = value + f->count_offset,
                     .count = 1};
    if (!on_value(w, &tag))
        return false;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (lade_field_when(type, i) != is)
            continue;
        frame *g = push(w, edge->node, value + f->offset, 1);
        if (!g)
            return false;
        g->field = g->first = i;
        g->end = i + 1;
        g->begun = true;
        return true;
    }
    return true;
}

static bool visit_bits(visit *w, const lade_field *f, unsigned char *value)
{
    uint64_t n;
    void *words = pointer_at(value + f->offset);
    size_t bits = 8 * lade_scalar_size((lade_scalar)f->scalar);
    if (!lade_count_read(value + f->count_offset, (lade_scalar)f->count_scalar, &n) ||
        (n && !words))
        return wrong(w, LADE_ERR_VALUE,
                     "its count is negative, or its pointer is NULL with a count");
    return visit_array(w,
                       (lade_item){.name = f->name,
                                   .field = f,
                                   .data = words,
                                   .count = n / bits + (n % bits != 0),
                                   .rank = 1},
                       lade_scalar_node((lade_scalar)f->scalar));
}

static bool visit_field(visit *w, frame *f)
{
    const lade_field *field = &f->node->type->fields[f->field];
    const lade_edge *edge = &f->node->edges[f->field];
    unsigned char *value = f->value;
    if (!(edge->flags & LADE_EDGE_STORED)) {
        f->field++;
        return true;
    }
    if (field->rank && lade_field_is_pointer(field))
        return visit_slots(w, f, field, edge);
    f->field++;
    switch ((lade_kind)field->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
    case LADE_KIND_FIXED_TEXT:
        return visit_scalars(w, field, value + field->offset);
    case LADE_KIND_RECORD:
        if (field->rank == 0)
            return visit_one(w, field->name, edge->node, value + field->offset);
        return visit_array(w,
                           (lade_item){.name = field->name,
                                       .field = field,
                                       .data = value + field->offset,
                                       .count = lade_field_elements(field),
                                       .rank = 1},
                           edge->node);
    case LADE_KIND_VARIANT:
        return visit_variant(w, field, edge, value);
    case LADE_KIND_GRID:
        return visit_grid(w, field, edge, value);
    case LADE_KIND_LIST:
    case LADE_KIND_MAP:
        return visit_sequence(w, field, edge, value);
    case LADE_KIND_BITS:
        return visit_bits(w, field, value);
    default:
        return visit_pointer(w, field, edge, value, field->name, pointer_at(value + field->offset));
    }
}

/* Where the next element of a frame stands. */
static void advance(frame *f)
{
    size_t size = f->node->type->size;
    f->field = f->first;
    f->begun = false;
    if (++f->i == f->n)
        return;
    if (f->order == BY_LINKS)
        f->value = pointer_at(f->value + f->sequence->links->next);
    else if (f->order == BY_MAP)
        f->value = f->sequence->map->next(f->map, f->value);
    else
        f->value += size;
}

/* A grid's elements come piece by piece. */
static void locate(frame *f)
{
    int64_t offset = 0;
    if (f->i == 0)
        lade_grid_walk_begin(&f->walk, &f->shape);
    if (f->left-- > 0)
        return;
    lade_grid_walk_next(&f->walk, &offset);
    f->left = f->walk.run - 1;
    size_t size = f->node->type->size;
    size_t width = f->shape.stored[1];
    if (f->sequence->grid->rows)
        f->value = (unsigned char *)pointer_at(f->base + (size_t)offset / width * sizeof(void *)) +
                   (size_t)offset % width * size;
    else
        f->value = f->base + offset * (int64_t)size;
}

static lade_item record_item(const frame *f)
{
    bool object = f->id != UINT64_MAX;
    return (lade_item){.kind = object ? LADE_ITEM_OBJECT : LADE_ITEM_RECORD,
                       .name = f->name,
                       .type = f->node->type,
                       .data = f->value,
                       .count = 1,
                       .id = object ? f->id : 0};
}

/* The next step of the uppermost frame. */
static bool step(visit *w)
{
    frame *f = &w->frames[w->depth - 1];
    const lade_type *type = f->node->type;
    if (f->i == f->n) {
        lade_item all = f->whole;
        w->depth--;
        return all.kind == LADE_ITEM_NULL || on_end(w, &all);
    }
    if (f->order == BY_GRID && !f->begun)
        locate(f);
    if (type->scalar != LADE_NONE) {
        lade_item one = {.kind = LADE_ITEM_SCALAR,
                         .name = f->name,
                         .type = type,
                         .scalar = (lade_scalar)type->scalar,
                         .data = f->value,
                         .count = 1};
        bool ok = on_value(w, &one);
        advance(f);
        return ok;
    }
    lade_item item = record_item(f);
    bool record = type->form == LADE_FORM_RECORD;
    if (!f->begun) {
        f->begun = true;
        return !record || on_begin(w, &item);
    }
    if (f->field < f->end)
        return visit_field(w, f);
    advance(f);
    return !record || on_end(w, &item);
}

static bool run(visit *w)
{
    while (w->depth)
        if (!step(w))
            return false;
    return true;
}

/* Objects in pools have the first ids of their type. */
static bool count_pools(visit *w)
{
    for (uint32_t k = 0; k < w->plan->pool_count; k++) {
        const lade_pool_place *pool = &w->plan->pools[k];
        uint64_t n;
        if (!lade_count_read(w->value + pool->count_offset, (lade_scalar)pool->count_scalar, &n))
            return wrong(w, LADE_ERR_VALUE, "the count of a pool is negative");
        w->pool_totals[pool->node->index] += n;
    }
    return true;
}

static bool visit_root(visit *w)
{
    const lade_node *node = &w->plan->nodes[0];
    size_t n = 1;
    bool fresh;
    if (w->root->rank == 0) {
        if (!count_pools(w))
            return false;
        if (node->target && lade_ids_get(w->allocator, &w->ids[0], w->value, &fresh) == UINT64_MAX)
            return wrong(w, LADE_ERR_MEMORY, "out of memory");
        return visit_one(w, NULL, node, w->value);
    }
    if (!lade_extents_product(w->root->rank, w->root->extents, &n))
        return wrong(w, LADE_ERR_ARGUMENT, "the extents are larger than memory");
    w->pool_totals[0] = n;
    return visit_array(
        w,
        (lade_item){
            .data = w->value, .count = n, .rank = w->root->rank, .extents = w->root->extents},
        node);
}

static bool visit_all(visit *w)
{
    lade_work work;
    if (!visit_root(w) || !run(w))
        return false;
    while (lade_worklist_pop(&w->work, &work)) {
        const lade_node *node = &w->plan->nodes[work.node];
        unsigned char *object = work.body;
        for (uint32_t i = 0; i < work.count; i++, object += node->type->size) {
            frame *f = push(w, node, object, 1);
            if (!f)
                return false;
            f->id = w->pool_totals[node->index] + lade_ids_find(&w->ids[node->index], object);
            if (!run(w))
                return false;
        }
    }
    return true;
}

static lade_status visit_start(lade_job *job, const lade_root *root, void *value,
                               const lade_visitor *visitor)
{
    visit w = {.job = job,
               .allocator = job->ctx->allocator,
               .v = visitor,
               .root = root,
               .value = value,
               .watch = {.power = 1}};
    lade_status status = lade_plan_get(job, root->type, root->rank > 0, &w.plan);
    if (status != LADE_OK)
        return status;
    size_t n = w.plan->node_count;
    w.ids = lade_mem_get(w.allocator, n * sizeof *w.ids);
    w.pool_totals = lade_mem_get(w.allocator, n * sizeof *w.pool_totals);
    if (w.ids)
        memset(w.ids, 0, n * sizeof *w.ids);
    if (w.pool_totals)
        memset(w.pool_totals, 0, n * sizeof *w.pool_totals);
    if (!w.ids || !w.pool_totals)
        status = lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    else if (!visit_all(&w))
        status = lade_job_status(job, LADE_ERR_VALUE, "the value cannot be walked");
    for (size_t i = 0; w.ids && i < n; i++)
        lade_ids_free(w.allocator, &w.ids[i]);
    lade_mem_free(w.allocator, w.ids, n * sizeof *w.ids);
    lade_mem_free(w.allocator, w.pool_totals, n * sizeof *w.pool_totals);
    lade_mem_free(w.allocator, w.work.items, w.work.capacity * sizeof *w.work.items);
    lade_mem_free(w.allocator, w.frames, w.capacity * sizeof *w.frames);
    return status;
}

lade_status lade_visit_into(const lade_root *root, void *value, const lade_visitor *visitor,
                            lade_context *ctx)
{
    lade_job job;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && (!root || !root->type || !visitor || !value))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0,
                               "root, its type, the value and the visitor must not be NULL");
    if (status == LADE_OK && (root->rank > LADE_MAX_RANK || (root->rank && !root->extents)))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                               LADE_MAX_RANK);
    if (status == LADE_OK)
        status = visit_start(&job, root, value, visitor);
    return lade_job_end(&job, status);
}

lade_status lade_visit(const lade_root *root, const lade_visitor *visitor, lade_context *ctx)
{
    return lade_visit_into(root, root ? lade_priv_unconst(root->value) : NULL, visitor, ctx);
}

bool lade_takes_whole(const lade_type *element, lade_context *ctx)
{
    lade_job job;
    const lade_plan *plan = NULL;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && !element)
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "the type must not be NULL");
    if (status == LADE_OK)
        status = lade_plan_get(&job, element, true, &plan);
    bool whole = status == LADE_OK && is_whole(&plan->nodes[0]) && plan->nodes[0].in_place;
    lade_job_end(&job, status);
    return whole;
}
