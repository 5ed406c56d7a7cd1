#include "specimens.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/kind_types.h"
#include "internal.h"
#include "plan.h"
#include "schema.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
/* The arguments of sizeof are not evaluated. */
#define ARRAY(a, T, ...) area_copy(a, (const T[]){__VA_ARGS__}, sizeof((const T[]){__VA_ARGS__}))
#define TEXT(a, text) area_copy(a, text, sizeof(text))

/* clang-format off */
typedef struct {
    bool yes, row[3]; char letter; int8_t a; uint8_t b; int16_t c; uint16_t d; int32_t e; uint32_t f; int64_t g;
    uint64_t h; float i; double j[2][3]; float _Complex k; double _Complex l;
} spec_values;
LADE_STRUCT(spec_values,
    (value, yes), (value, row), (value, letter), (value, a), (value, b), (value, c), (value, d), (value, e), (value, f),
    (value, g), (value, h), (value, i), (value, j), (value, k), (value, l))

typedef enum { SPEC_COLD, SPEC_WARM, SPEC_HOT } spec_heat;
LADE_ENUM(spec_heat, SPEC_COLD, SPEC_WARM, SPEC_HOT)
typedef enum { SPEC_LOW = -7, SPEC_HIGH = 2000000000, SPEC_MIDDLE = 100 } spec_jump;
LADE_ENUM(spec_jump, SPEC_LOW, SPEC_HIGH, SPEC_MIDDLE)
typedef struct { spec_heat heat, row[2][2]; spec_jump jump; uint8_t small; int64_t unlisted; } spec_enums;
LADE_STRUCT(spec_enums,
    (enumeration, heat, spec_heat), (enumeration, row, spec_heat), (enumeration, jump, spec_jump),
    (enumeration, small, spec_jump), (enumeration, unlisted, spec_jump))

typedef struct { char *null, *empty, *text; char fixed[8], full[3]; } spec_texts;
LADE_STRUCT(spec_texts,
    (text, null), (text, empty), (text, text), (fixed_text, fixed), (fixed_text, full))

typedef struct { double x, y; } spec_spot;
LADE_STRUCT(spec_spot, (value, x), (value, y))
typedef struct { double y, x; } spec_turned; /* in memory not as on the wire */
LADE_STRUCT(spec_turned, (value, x), (value, y))
typedef struct { spec_spot at; uint8_t tag; bool on; char *name; } spec_mark;
LADE_STRUCT(spec_mark, (record, at, spec_spot), (value, tag), (value, on), (text, name))
typedef struct { spec_mark one, row[2], grid[2][2]; spec_turned turned[3]; } spec_records;
LADE_STRUCT(spec_records,
    (record, one, spec_mark), (record, row, spec_mark), (record, grid, spec_mark), (record, turned, spec_turned))

typedef struct {
    double *reals; uint32_t nreals; spec_spot *spots; uint16_t nspots; spec_mark *marks; size_t nmarks;
    bool *flags; int8_t nflags; uint8_t *left, *right; int32_t shared; int32_t *none; uint64_t nnone;
} spec_vectors;
LADE_STRUCT(spec_vectors,
    (vector, reals, nreals), (vector, spots, nspots, spec_spot), (vector, marks, nmarks, spec_mark),
    (vector, flags, nflags), (vector, left, shared), (vector, right, shared), (vector, none, nnone))

typedef struct { spec_mark *mark; spec_spot *spot; int64_t *number; bool *flag; double *never; } spec_optionals;
LADE_STRUCT(spec_optionals,
    (optional, mark, spec_mark), (optional, spot, spec_spot), (optional, number), (optional, flag), (optional, never))

typedef struct spec_tree spec_tree;
struct spec_tree { int16_t value; spec_tree *kids; uint8_t nkids; spec_tree *next; };
LADE_STRUCT(spec_tree, (value, value), (vector, kids, nkids, spec_tree), (optional, next, spec_tree))

typedef struct spec_ring spec_ring;
typedef struct { spec_ring *of; char *name; } spec_owner;
struct spec_ring { int32_t id; spec_ring *next, *other; spec_owner *by; double *weight; spec_spot *spot; };
LADE_STRUCT(spec_owner, (ref, of, spec_ring), (text, name))
LADE_STRUCT(spec_ring,
    (value, id), (ref, next, spec_ring), (ref, other, spec_ring), (ref, by, spec_owner), (ref, weight, double),
    (ref, spot, spec_spot))

typedef struct {
    spec_ring *rings; uint32_t nrings; spec_ring *more; uint8_t nmore; double *weights; size_t nweights;
    spec_owner *none; uint16_t nnone; spec_ring *top, *outside; double *best;
} spec_pools;
LADE_STRUCT(spec_pools,
    (pool, rings, nrings, spec_ring), (pool, more, nmore, spec_ring), (pool, weights, nweights),
    (pool, none, nnone, spec_owner), (ref, top, spec_ring), (ref, outside, spec_ring), (ref, best, double))

typedef struct { uint8_t *bytes; uint32_t nbytes; bool *flags; uint16_t nflags; char *text; } spec_content;
LADE_STRUCT(spec_content, (vector, bytes, nbytes), (vector, flags, nflags), (text, text))
typedef struct { spec_turned *turned; uint32_t nturned; uint8_t after; } spec_staged;
LADE_STRUCT(spec_staged, (vector, turned, nturned, spec_turned), (value, after))
typedef struct { uint8_t head; int64_t table[520]; uint8_t tail; } spec_fixed;
LADE_STRUCT(spec_fixed, (value, head), (value, table), (value, tail))
typedef struct { char only; } spec_byte;
LADE_STRUCT(spec_byte, (value, only))
/* clang-format on */

static void *make_values(area *a)
{
    return ARRAY(a, spec_values,
                 {true,
                  {false, true, true},
                  'x',
                  -1,
                  200,
                  -300,
                  60000,
                  -70000,
                  3000000000,
                  INT64_MIN,
                  UINT64_MAX,
                  0.5f,
                  {{1, 2, 3}, {4, 5, 6}},
                  1,
                  2});
}

static void *make_enums(area *a)
{
    return ARRAY(a, spec_enums,
                 {SPEC_WARM,
                  {{SPEC_COLD, SPEC_HOT}, {SPEC_HOT, (spec_heat)9}},
                  SPEC_HIGH,
                  SPEC_MIDDLE,
                  INT64_MIN});
}

static void *make_texts(area *a)
{
    return ARRAY(a, spec_texts, {NULL, TEXT(a, ""), TEXT(a, "a text"), "fixed", {'f', 'u', 'l'}});
}

static spec_mark named_mark(area *a, const char *name)
{
    return (spec_mark){{1, 2}, 3, true, area_copy(a, name, strlen(name) + 1)};
}

static void *make_records(area *a)
{
    const spec_mark plain = {{4, 5}, 6, false, NULL};
    return ARRAY(a, spec_records,
                 {named_mark(a, "one"),
                  {plain, named_mark(a, "of a row")},
                  {{named_mark(a, "of a grid"), plain}, {plain, plain}},
                  {{1, 2}, {3, 4}, {5, 6}}});
}

static void *make_vectors(area *a)
{
    return ARRAY(a, spec_vectors,
                 {ARRAY(a, double, 1, 2, 3), 3, ARRAY(a, spec_spot, {1, 2}, {3, 4}), 2,
                  ARRAY(a, spec_mark, {{1, 2}, 3, true, TEXT(a, "m")}, {{4, 5}, 6, false, NULL}), 2,
                  ARRAY(a, bool, true, false, true), 3, ARRAY(a, uint8_t, 1, 2, 3, 4),
                  ARRAY(a, uint8_t, 5, 6, 7, 8), 4, NULL, 0});
}

static void *make_optionals(area *a)
{
    return ARRAY(a, spec_optionals,
                 {ARRAY(a, spec_mark, {{1, 2}, 3, true, TEXT(a, "there")}),
                  ARRAY(a, spec_spot, {1, 2}), ARRAY(a, int64_t, -5), ARRAY(a, bool, true), NULL});
}

static void *make_tree(area *a)
{
    spec_tree *grandkid = ARRAY(a, spec_tree, {111, NULL, 0, NULL});
    spec_tree *kids = ARRAY(a, spec_tree, {11, grandkid, 1, NULL}, {12, NULL, 0, NULL});
    return ARRAY(a, spec_tree, {1, kids, 2, ARRAY(a, spec_tree, {2, NULL, 0, NULL})});
}

static void *make_ring(area *a)
{
    spec_ring *first = area_get(a, sizeof *first);
    spec_ring *second = area_get(a, sizeof *second);
    spec_ring *third = area_get(a, sizeof *third);
    double *weight = ARRAY(a, double, 1.5);
    spec_owner *owner = ARRAY(a, spec_owner, {third, TEXT(a, "owner")});
    *first = (spec_ring){1, second, NULL, owner, weight, ARRAY(a, spec_spot, {1, 2})};
    *second = (spec_ring){2, third, second, owner, weight, NULL};
    *third = (spec_ring){3, first, second, NULL, ARRAY(a, double, 2.5), NULL};
    return first;
}

static void *make_pools(area *a)
{
    spec_pools *p = area_get(a, sizeof *p);
    spec_ring *outside = area_get(a, sizeof *outside);
    double *weights = ARRAY(a, double, 1, 2, 3);
    spec_ring *rings = area_get(a, 3 * sizeof *rings);
    spec_ring *more = area_get(a, 2 * sizeof *more);
    spec_owner *owner = ARRAY(a, spec_owner, {outside, NULL});
    for (int i = 0; i < 3; i++)
        rings[i] = (spec_ring){i, &rings[(i + 1) % 3], &more[i % 2], NULL, &weights[i], NULL};
    more[0] = (spec_ring){10, outside, NULL, owner, ARRAY(a, double, 9), NULL};
    more[1] = (spec_ring){11, rings, outside, owner, weights, NULL};
    *outside = (spec_ring){20, &more[1], outside, NULL, NULL, NULL};
    *p = (spec_pools){rings, 3, more, 2, weights, 3, NULL, 0, &rings[2], outside, &weights[1]};
    return p;
}

static void *make_content(area *a)
{
    enum { BYTES = 4097, FLAGS = 4096 };
    uint8_t *bytes = area_get(a, BYTES);
    bool *flags = area_get(a, FLAGS * sizeof *flags);
    for (int i = 0; i < FLAGS; i++) {
        bytes[i] = (uint8_t)(i * 7);
        flags[i] = i % 3 == 0;
    }
    return ARRAY(a, spec_content, {bytes, BYTES, flags, FLAGS, TEXT(a, "behind")});
}

static void *make_staged(area *a)
{
    enum { TURNED = 257 };
    spec_turned *turned = area_get(a, TURNED * sizeof *turned);
    for (int i = 0; i < TURNED; i++)
        turned[i] = (spec_turned){i, -i};
    return ARRAY(a, spec_staged, {turned, TURNED, 7});
}

static void *make_fixed(area *a)
{
    spec_fixed *f = area_get(a, sizeof *f);
    f->head = 1;
    f->tail = 2;
    for (size_t i = 0; i < COUNT_OF(f->table); i++)
        f->table[i] = (int64_t)i;
    return f;
}

static void *make_byte(area *a)
{
    return ARRAY(a, spec_byte, {'b'});
}

static void *make_cube(area *a)
{
    return ARRAY(a, double, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
}

static void *make_flags(area *a)
{
    return ARRAY(a, bool, true, false, true, true, false);
}

static void *make_rings(area *a)
{
    spec_ring *rings = area_get(a, 4 * sizeof *rings);
    spec_owner *owner = ARRAY(a, spec_owner, {&rings[3], TEXT(a, "of the last")});
    for (int i = 0; i < 4; i++)
        rings[i] = (spec_ring){i, &rings[3 - i], i % 2 ? rings : NULL, owner, NULL, NULL};
    return rings;
}

static void *make_large(area *a)
{
    int32_t *large = area_get(a, 1030 * sizeof *large);
    for (int i = 0; i < 1030; i++)
        large[i] = i;
    return large;
}

static void *make_nothing(area *a)
{
    (void)a;
    return NULL;
}

/* Values of kind_types.h, whose makers want an arena: one whose blocks stand in the area. */
static void *area_resize(void *user, void *memory, size_t old_size, size_t new_size)
{
    (void)memory;
    (void)old_size;
    return new_size ? area_get(user, new_size) : NULL;
}

typedef struct area_arena {
    lade_allocator allocator;
    lade_arena *arena;
} area_arena;

static lade_arena *arena_in(area *a)
{
    area_arena *in = area_get(a, sizeof *in);
    in->allocator = (lade_allocator){area_resize, a};
    in->arena = lade_arena_create(&in->allocator);
    if (!in->arena)
        abort();
    return in->arena;
}

static void *make_kennel(area *a)
{
    return kind_kennel(arena_in(a), 1);
}

static void *make_octant(area *a)
{
    return kind_octant(arena_in(a), 1);
}

static void *make_sack(area *a)
{
    return kind_sack(arena_in(a), 1);
}

static void *make_fields(area *a)
{
    return kind_fields(arena_in(a), 1);
}

static void *make_everything(area *a)
{
    return kind_everything(arena_in(a), 2);
}

const specimen specimens[] = {
    {"values", &lade_type_spec_values, make_values, 0, {0}, false},
    {"enumerations", &lade_type_spec_enums, make_enums, 0, {0}, false},
    {"texts", &lade_type_spec_texts, make_texts, 0, {0}, false},
    {"records", &lade_type_spec_records, make_records, 0, {0}, false},
    {"vectors", &lade_type_spec_vectors, make_vectors, 0, {0}, false},
    {"optionals", &lade_type_spec_optionals, make_optionals, 0, {0}, false},
    {"tree", &lade_type_spec_tree, make_tree, 0, {0}, false},
    {"ring", &lade_type_spec_ring, make_ring, 0, {0}, false},
    {"pools", &lade_type_spec_pools, make_pools, 0, {0}, false},
    {"content", &lade_type_spec_content, make_content, 0, {0}, false},
    {"staged", &lade_type_spec_staged, make_staged, 0, {0}, false},
    {"fixed", &lade_type_spec_fixed, make_fixed, 0, {0}, false},
    {"byte", &lade_type_spec_byte, make_byte, 0, {0}, false},
    {"cube", &lade_scalar_f64, make_cube, 3, {2, 3, 2}, false},
    {"flags", &lade_scalar_bool, make_flags, 1, {5}, false},
    {"rings", &lade_type_spec_ring, make_rings, 2, {2, 2}, false},
    {"large", &lade_scalar_i32, make_large, 8, {1, 1, 1, 1, 1, 2, 5, 103}, false},
    {"nothing", &lade_scalar_f32, make_nothing, 3, {4, 0, 5}, false},
    {"known_types", &lade_type_kennel, make_kennel, 0, {0}, false},
    {"octant", &lade_type_octant, make_octant, 0, {0}, false},
    {"sack", &lade_type_sack, make_sack, 0, {0}, false},
    {"grids", &lade_type_fields, make_fields, 0, {0}, false},
    {"everything", &lade_type_everything, make_everything, 0, {0}, true},
};
const size_t specimen_count = COUNT_OF(specimens);

const specimen *specimen_find(const char *name)
{
    for (size_t i = 0; i < specimen_count; i++)
        if (strcmp(specimens[i].name, name) == 0)
            return &specimens[i];
    return NULL;
}

area area_make(void)
{
    area a = {aligned_alloc(64, AREA_SIZE), 0};
    if (!a.bytes)
        abort();
    memset(a.bytes, 0, AREA_SIZE);
    return a;
}

void area_fini(area *a)
{
    free(a->bytes);
    *a = (area){0};
}

void *area_get(area *a, size_t size)
{
    void *memory = a->bytes + a->used;
    a->used += (size + 63) & ~(size_t)63;
    if (a->used > AREA_SIZE)
        abort();
    return memory;
}

void *area_copy(area *a, const void *from, size_t size)
{
    return memcpy(area_get(a, size), from, size);
}

lade_buffer specimen_message(const specimen *s, bool bare)
{
    lade_context ctx = {.bare = bare, .externals = &kind_externals};
    lade_buffer message = {0};
    area a = area_make();
    const void *value = s->make(&a);
    lade_status status =
        s->rank ? lade_encode_array_as(s->type, value, s->rank, s->extents, &message, &ctx)
                : lade_encode_as(s->type, value, &message, &ctx);
    if (status != LADE_OK)
        abort();
    area_fini(&a);
    lade_context_fini(&ctx);
    return message;
}

lade_buffer specimen_schema(const specimen *s)
{
    lade_context ctx = {.externals = &kind_externals};
    lade_job job;
    lade_typeset set = {0};
    lade_buffer schema = {0};
    if (lade_job_begin(&job, &ctx) != LADE_OK ||
        lade_typeset_collect(&job, s->type, &set) != LADE_OK ||
        lade_schema_write(&job, &set, s->rank > 0, &schema) != LADE_OK)
        abort();
    lade_typeset_fini(&job, &set);
    lade_context_fini(&ctx);
    return schema;
}

lade_status specimen_put(const specimen *s, lade_file *f)
{
    area a = area_make();
    const void *value = s->make(&a);
    lade_status status =
        s->rank ? lade_file_put_array_as(f, s->name, s->type, value, s->rank, s->extents)
                : lade_file_put_as(f, s->name, s->type, value);
    area_fini(&a);
    return status;
}

/* No value takes fewer bytes than wire_min; in memory its body starts at a multiple of a small
 * power of two. */
size_t specimen_most_memory(const specimen *s, size_t bytes)
{
    size_t most = 1;
    lade_context ctx = {.externals = &kind_externals};
    lade_job job;
    const lade_plan *plan;
    if (lade_job_begin(&job, &ctx) != LADE_OK ||
        lade_plan_get(&job, s->type, s->rank > 0, &plan) != LADE_OK)
        abort();
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const lade_node *node = &plan->nodes[i];
        size_t each =
            (node->type->size + LADE_PRIV_BODY_ALIGN) / (node->wire_min ? node->wire_min : 1);
        most = each > most ? each : most;
    }
    lade_context_fini(&ctx);
    return bytes * most;
}
