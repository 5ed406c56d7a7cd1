/*
 * Deep comparison. Both values are walked together, as the encoder walks one: fields are interpreted from
 * their descriptors, with a stack of frames that is no deeper than the types; objects and bodies that can
 * reach their own type wait in a queue. Where the first difference stands in the graph is found afterwards,
 * by walking again to the places that put its object into the queue.
 */
#include <stdio.h>
#include <string.h>

#include "graph.h"
#include "schema.h"
#include "steps.h"

/* n values of a node, at value i; field `next` comes next. */
typedef struct frame {
    const lade_node *node;
    const unsigned char *a, *b;
    size_t i, n;
    uint32_t next, at;            /* field to come; field at hand */
    size_t next_element, element; /* the same, in a fixed array of pointers */
} frame;

/* A pool on both sides; the array, if the root is one. */
typedef struct pool_pair {
    const lade_node *node;
    lade_priv_view a, b;
} pool_pair;

typedef struct id_pair {
    lade_ids a, b;
} id_pair;

typedef enum verdict {
    SAME_SO_FAR,
    DIFFERENT,
    AGAIN, /* the walk must begin again, with pool objects in the tables */
    FOUND, /* the push of number `wanted` */
    FAILED
} verdict;

typedef struct comparing {
    lade_job *job;
    const lade_allocator *allocator;
    const lade_plan *plan;
    const lade_steps *steps;
    const lade_root *root;
    const unsigned char *other; /* the value that the root is compared with */
    frame *frames;
    size_t depth;
    lade_pairs queue;
    uint64_t pushed,
        popped; /* pairs so far: the number of the pair at hand is `popped`, 0 the root */
    uint64_t wanted;
    id_pair *ids; /* by node */
    pool_pair *pools;
    size_t pool_count;
    bool mixed; /* an object in the pools of one value stands alone in the other */
    verdict verdict;
    size_t place; /* of the difference in a fixed array, or SIZE_MAX */
} comparing;

static bool stop(comparing *c, verdict v)
{
    c->verdict = v;
    return false;
}

static bool out_of_memory(comparing *c)
{
    lade_job_error(c->job, LADE_ERR_MEMORY, 0, "out of memory while comparing");
    return stop(c, FAILED);
}

static bool differ(comparing *c, size_t place)
{
    c->place = place;
    return stop(c, DIFFERENT);
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
    return differ(c, n == 1 ? SIZE_MAX : i);
}

/* n values, to be compared right here. What is its bytes needs a walk only where these differ. */
static bool enter(comparing *c, const lade_node *node, const unsigned char *a,
                  const unsigned char *b, size_t n)
{
    if (node->type->scalar != LADE_NONE)
        return same_bytes(c, a, b, n, node->type->size);
    if (c->steps->nodes[node->index].bytes && memcmp(a, b, n * node->type->size) == 0)
        return true;
    c->frames[c->depth++] = (frame){.node = node, .a = a, .b = b, .n = n};
    return true;
}

/* n values, to be compared later. */
static bool push(comparing *c, const lade_node *node, const unsigned char *a,
                 const unsigned char *b, size_t n)
{
    if (++c->pushed == c->wanted)
        return stop(c, FOUND);
    lade_pair pair = {a, lade_priv_unconst(b), node, n};
    return lade_pairs_push(c->allocator, &c->queue, pair, false) || out_of_memory(c);
}

static bool same_text(comparing *c, const char *a, const char *b)
{
    if (!a || !b)
        return a == b || differ(c, SIZE_MAX);
    return strcmp(a, b) == 0 || differ(c, SIZE_MAX);
}

static bool same_fixed_texts(comparing *c, const lade_field *f, const char *a, const char *b)
{
    size_t size = lade_field_capacity(f);
    size_t n = lade_field_elements(f);
    for (size_t i = 0; i < n; i++)
        if (strncmp(a + i * size, b + i * size, size) != 0)
            return differ(c, n == 1 ? SIZE_MAX : i);
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
    lade_job_error(c->job, LADE_ERR_VALUE, 0,
                   "its count is negative, or its pointer is NULL with a count");
    return stop(c, FAILED);
}

static bool same_bodies(comparing *c, const frame *f, const lade_field *field,
                        const lade_edge *edge, const void *a, const void *b)
{
    uint64_t n;
    uint64_t m;
    if (!count_of(c, field, f->a, a, &n) || !count_of(c, field, f->b, b, &m))
        return false;
    if (n != m)
        return differ(c, SIZE_MAX);
    if (n == 0)
        return true;
    return edge->flags & LADE_EDGE_DEFERRED ? push(c, edge->node, a, b, (size_t)n)
                                            : enter(c, edge->node, a, b, (size_t)n);
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

/* Two objects correspond if they are met at the same places of both walks. */
static bool same_objects(comparing *c, const lade_node *node, const void *a, const void *b,
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
        return differ(c, SIZE_MAX);
    if (!fresh_a || contained)
        return true;
    if (node->pools) {
        lade_job_error(c->job, LADE_ERR_REFERENCE, 0,
                       "a reference to a '%s', which holds pools, that is not the compared value",
                       node->type->name);
        return stop(c, FAILED);
    }
    return push(c, node, a, b, 1);
}

static bool same_refs(comparing *c, const lade_node *node, const void *a, const void *b)
{
    uint64_t place_a = 0;
    uint64_t place_b = 0;
    if (!a || !b)
        return a == b || differ(c, SIZE_MAX);
    if (node->pooled) {
        place_a = pool_place(c, node, a, false);
        place_b = pool_place(c, node, b, true);
        if (place_a && place_b && place_a != place_b)
            return differ(c, SIZE_MAX);
        if (place_a && place_b && !c->mixed)
            return true;
        if ((place_a || place_b) && !c->mixed)
            return stop(c, AGAIN);
    }
    return same_objects(c, node, a, b, place_a && place_b);
}

static bool same_pointers(comparing *c, frame *f, const lade_field *field, const lade_edge *edge)
{
    size_t offset = field->offset + f->element * sizeof(void *);
    const void *a = lade_member_pointer(f->a + offset);
    const void *b = lade_member_pointer(f->b + offset);
    switch ((lade_kind)field->kind) {
    case LADE_KIND_TEXT:
        return same_text(c, a, b);
    case LADE_KIND_REF:
        return same_refs(c, edge->node, a, b);
    default:
        return same_bodies(c, f, field, edge, a, b);
    }
}

/* The next field of a frame; of a fixed array of pointers, one element. */
static bool same_field(comparing *c, frame *f)
{
    const lade_field *field = &f->node->type->fields[f->next];
    const lade_edge *edge = &f->node->edges[f->next];
    const unsigned char *a = f->a + field->offset;
    const unsigned char *b = f->b + field->offset;
    size_t n = lade_field_elements(field);
    f->at = f->next;
    f->element = f->next_element;
    switch ((lade_kind)field->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
        f->next++;
        return same_bytes(c, a, b, n, lade_scalar_size((lade_scalar)field->scalar));
    case LADE_KIND_FIXED_TEXT:
        f->next++;
        return same_fixed_texts(c, field, (const char *)a, (const char *)b);
    case LADE_KIND_RECORD:
        f->next++;
        return enter(c, edge->node, a, b, n);
    case LADE_KIND_TEXT:
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_OPTIONAL:
    case LADE_KIND_REF:
        break;
    default:
        lade_job_error(c->job, LADE_ERR_ARGUMENT, 0,
                       "%s.%s: values with a field of kind %s are not compared",
                       f->node->type->name, field->name, lade_kind_name((lade_kind)field->kind));
        return stop(c, FAILED);
    }
    if (++f->next_element == n) {
        f->next_element = 0;
        f->next++;
    }
    return same_pointers(c, f, field, edge);
}

static bool same_frames(comparing *c)
{
    while (c->depth) {
        frame *f = &c->frames[c->depth - 1];
        if (f->next < f->node->type->field_count) {
            if (!same_field(c, f))
                return false;
            continue;
        }
        f->next = 0;
        f->a += f->node->type->size;
        f->b += f->node->type->size;
        if (++f->i == f->n)
            c->depth--;
    }
    return true;
}

/* Both values from the start, up to the first difference, or to the push of number `wanted`. */
static void walk(comparing *c, uint64_t wanted)
{
    const lade_node *node = &c->plan->nodes[0];
    lade_watch watch = {.power = 1};
    lade_pair pair = {c->root->value, lade_priv_unconst(c->other), node, 1};
    bool same = true;
    for (uint32_t i = 0; i < c->plan->node_count; i++) {
        lade_ids_reset(c->allocator, &c->ids[i].a);
        lade_ids_reset(c->allocator, &c->ids[i].b);
    }
    c->queue.head = c->queue.tail = 0;
    c->depth = 0;
    c->pushed = c->popped = 0;
    c->wanted = wanted;
    c->verdict = SAME_SO_FAR;
    c->place = SIZE_MAX;
    if (c->root->rank)
        same = lade_extents_product(c->root->rank, c->root->extents, &pair.n);
    else if (node->target)
        same = same_objects(c, node, pair.from, pair.to, true);
    bool more = pair.n > 0;
    for (; same && more; c->popped += more) {
        if (lade_watch_ends(c->job, &watch, pair.from, pair.node))
            same = stop(c, FAILED);
        same = same && enter(c, pair.node, pair.from, pair.to, pair.n) && same_frames(c);
        more = same && lade_pairs_first(&c->queue, &pair);
    }
}

/* Puts the frames in front of the path. */
static void trace(comparing *c)
{
    for (size_t k = c->depth; k > 0; k--) {
        const frame *f = &c->frames[k - 1];
        const lade_field *field = &f->node->type->fields[f->at];
        char name[160];
        bool pointers =
            field->kind == LADE_KIND_TEXT || (field->type && field->kind != LADE_KIND_RECORD);
        bool many = pointers && lade_field_elements(field) > 1;
        if (many)
            snprintf(name, sizeof name, "%s[%zu]", field->name, f->element);
        lade_job_path(c->job, many ? name : field->name, f->i, f->n);
    }
}

/* The path of where the walk stopped, from the root: each step back is the push of the pair at hand. */
static void trace_back(comparing *c)
{
    enum { MOST = 8 };
    char rest[sizeof c->job->err.path];
    const char *type = c->plan->root->name;
    if (c->place != SIZE_MAX)
        snprintf(c->job->err.path, sizeof c->job->err.path, "[%zu]", c->place);
    trace(c);
    for (int back = 0; c->popped > 0; back++) {
        if (back == MOST) {
            memcpy(rest, c->job->err.path, sizeof rest);
            snprintf(c->job->err.path, sizeof rest, "..%.180s", rest);
            break;
        }
        walk(c, c->popped);
        trace(c);
    }
    memcpy(rest, c->job->err.path, sizeof rest);
    lade_path_set(c->job, type, UINT64_MAX, rest);
}

static bool pools_begin(comparing *c)
{
    const unsigned char *a = c->root->value;
    const unsigned char *b = c->other;
    const lade_node *node = &c->plan->nodes[0];
    size_t n;
    c->pool_count = c->root->rank ? 1 : c->plan->pool_count;
    if (c->root->rank) {
        if (!lade_extents_product(c->root->rank, c->root->extents, &n))
            return false;
        size_t size = node->type->size;
        c->pools[0] =
            (pool_pair){node, lade_view_make(a, n, size, n), lade_view_make(b, n, size, n)};
        return true;
    }
    for (uint32_t k = 0; k < c->plan->pool_count; k++) {
        const lade_pool_place *place = &c->plan->pools[k];
        size_t size = place->node->type->size;
        uint64_t n_a;
        uint64_t n_b;
        /* counts that cannot be are found by the walk */
        lade_count_read(a + place->count_offset, (lade_scalar)place->count_scalar, &n_a);
        lade_count_read(b + place->count_offset, (lade_scalar)place->count_scalar, &n_b);
        c->pools[k] = (pool_pair){
            place->node, lade_view_make(lade_member_pointer(a + place->offset), n_a, size, 1),
            lade_view_make(lade_member_pointer(b + place->offset), n_b, size, 1)};
    }
    return true;
}

static bool comparing_init(comparing *c)
{
    size_t ids = c->plan->node_count * sizeof *c->ids;
    c->frames = lade_mem_get(c->allocator, (c->plan->depth + 1) * sizeof *c->frames);
    c->pools = lade_mem_get(c->allocator, (c->plan->pool_count + 1) * sizeof *c->pools);
    c->ids = lade_mem_get(c->allocator, ids);
    if (c->ids)
        memset(c->ids, 0, ids);
    return (c->frames && c->pools && c->ids && pools_begin(c)) || out_of_memory(c);
}

static void comparing_fini(comparing *c)
{
    const lade_allocator *a = c->allocator;
    for (uint32_t i = 0; c->ids && i < c->plan->node_count; i++) {
        lade_ids_free(a, &c->ids[i].a);
        lade_ids_free(a, &c->ids[i].b);
    }
    lade_mem_free(a, c->ids, c->plan->node_count * sizeof *c->ids);
    lade_mem_free(a, c->pools, (c->plan->pool_count + 1) * sizeof *c->pools);
    lade_mem_free(a, c->frames, (c->plan->depth + 1) * sizeof *c->frames);
    lade_pairs_free(a, &c->queue);
}

static lade_status compare(comparing *c, lade_comparison *out)
{
    if (!comparing_init(c))
        return LADE_ERR_MEMORY;
    walk(c, 0);
    if (c->verdict == AGAIN) {
        c->mixed = true;
        walk(c, 0);
    }
    if (c->verdict == SAME_SO_FAR) {
        *out = (lade_comparison){.equal = true};
        return LADE_OK;
    }
    bool failed = c->verdict == FAILED;
    trace_back(c);
    if (failed)
        return lade_job_status(c->job, LADE_ERR_MEMORY, "out of memory");
    out->equal = false;
    memcpy(out->path, c->job->err.path, sizeof out->path);
    return LADE_OK;
}

static lade_status equal_job(const lade_root *root, const void *other, lade_comparison *out,
                             lade_context *ctx)
{
    lade_job job;
    lade_root second = *root;
    comparing c = {.job = &job, .root = root, .other = other};
    lade_status status = lade_job_begin(&job, ctx);
    second.value = other;
    if (status == LADE_OK && !out)
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "out must not be NULL");
    if (status == LADE_OK)
        status = lade_root_check(&job, root);
    if (status == LADE_OK)
        status = lade_root_check(&job, &second);
    if (status == LADE_OK)
        status = lade_plan_get(&job, root->type, root->rank > 0, &c.plan);
    if (status == LADE_OK)
        status = lade_steps_get(&job, c.plan, &c.steps);
    if (status == LADE_OK) {
        c.allocator = job.ctx->allocator;
        status = compare(&c, out);
        comparing_fini(&c);
    }
    return lade_job_end(&job, status);
}

lade_status lade_equal_as(const lade_type *type, const void *a, const void *b, lade_comparison *out,
                          lade_context *ctx)
{
    lade_root root = {.type = type, .value = a};
    return equal_job(&root, b, out, ctx);
}

lade_status lade_equal_array_as(const lade_type *type, const void *a, const void *b, unsigned rank,
                                const size_t *extents, lade_comparison *out, lade_context *ctx)
{
    lade_root root = {type, a, rank, extents};
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return equal_job(&root, b, out, ctx);
}
