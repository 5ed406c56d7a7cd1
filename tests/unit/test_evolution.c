/* Files whose types are older or newer than the program's. */
#include "evolution_types.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One file; what is loaded from it belongs to `owner`. */
typedef struct fixture {
    char folder[32], path[48];
    lade_arena *types, *owner;
    lade_error error;
    lade_context ctx;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    strcpy(f->folder, "/tmp/lade_evolution_XXXXXX");
    if (!mkdtemp(f->folder))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/file.lade", f->folder);
    f->types = lade_arena_create(NULL);
    f->ctx.error = &f->error;
    f->ctx.no_sync = true;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    lade_arena_destroy(f->types);
    lade_arena_destroy(f->owner);
    lade_context_fini(&f->ctx);
    unlink(f->path);
    rmdir(f->folder);
    free(f);
    return 0;
}

static lade_status evolve(fixture *f, const lade_type *from, const void *value, const lade_type *to,
                          void *out)
{
    lade_arena_destroy(f->owner);
    f->owner = test_dirty_arena();
    from = evolution_type(f->types, from);
    to = evolution_type(f->types, to);
    assert_ok(lade_save_file_as(f->path, from, value, &f->ctx), &f->error);
    return lade_load_file_as(f->path, to, out, &f->owner, &f->ctx);
}

static void evolved(fixture *f, const lade_type *from, const void *value, const lade_type *to,
                    void *out)
{
    assert_ok(evolve(f, from, value, to, out), &f->error);
}

/* Fails with a status and a message that has all texts of a list that ends with NULL. */
static void refused(fixture *f, lade_status expected, const lade_type *from, const void *value,
                    const lade_type *to, const char *const *texts)
{
    int untouched;
    void *out = &untouched;
    assert_status(evolve(f, from, value, to, &out), expected);
    assert_ptr_equal(out, &untouched);
    for (; *texts; texts++)
        if (!strstr(f->error.message, *texts))
            fail_msg("'%s' is not in '%s'", *texts, f->error.message);
}
#define REFUSED(f, status, A, value, B, ...)                  \
    refused(f, status, &lade_type_##A, value, &lade_type_##B, \
            (const char *const[]){__VA_ARGS__, NULL})

/* ---- fields: added, removed, reordered, renamed, widened, narrowed, texts, arrays ---- */

typedef enum { RED_1, GREEN_1, BLUE_1 = 7 } hue_1;
typedef enum { BLUE_2 = 1, RED_2, VIOLET_2 = 50 } hue_2;

LADE_ENUM(hue_1, RED_1, GREEN_1, BLUE_1)
LADE_ENUM(hue_2, BLUE_2, RED_2, VIOLET_2)

typedef struct {
    int32_t a;
    double gone;
    char name[8];
    int16_t wide;
    float real;
    hue_1 colour;
    int64_t narrow;
    char *label;
    double series[3];
    int32_t one;
    float _Complex z;
    uint8_t flag;
} sheet_1;
typedef struct {
    char *name;
    int64_t wide;
    hue_2 colour;
    double real;
    int8_t narrow;
    int32_t renamed;
    char label[6];
    uint32_t nseries;
    double *series;
    int32_t one[1];
    double fresh;
    char *fresh_text;
    double _Complex z;
    bool flag;
} sheet_2;
LADE_STRUCT(sheet_1, (value, a, alias("renamed")), (value, gone, default(1.25)), (fixed_text, name),
            (value, wide), (value, real), (enumeration, colour, hue_1), (value, narrow),
            (text, label), (value, series), (value, one), (value, z), (value, flag))
LADE_STRUCT(sheet_2, (text, name), (value, wide), (enumeration, colour, hue_2), (value, real),
            (value, narrow), (value, renamed, alias("a")), (fixed_text, label),
            (vector, series, nseries), (value, one), (value, fresh, default(2.5)),
            (text, fresh_text), (value, z), (value, flag))

static sheet_1 a_sheet(void)
{
    return (sheet_1){.a = 1,
                     .gone = 9,
                     .name = "name",
                     .wide = -2,
                     .real = 0.5F,
                     .colour = BLUE_1,
                     .narrow = -128,
                     .label = (char[]){"label"},
                     .series = {1, 2, 3},
                     .one = 11,
                     .z = 2,
                     .flag = 1};
}

static void fields_forth(void **state)
{
    fixture *f = *state;
    char label[] = "label";
    sheet_1 s = a_sheet();
    s.label = label;
    sheet_2 *t;
    evolved(f, &lade_type_sheet_1, &s, &lade_type_sheet_2, &t);
    assert_string_equal(t->name, "name");
    assert_true(t->wide == -2 && t->colour == BLUE_2 && t->real == 0.5 && t->narrow == -128);
    assert_true(t->renamed == 1 && t->nseries == 3 && t->series[2] == 3 && t->one[0] == 11);
    assert_memory_equal(t->label, "label", 6);
    assert_true(t->fresh == 2.5 && !t->fresh_text && t->flag);
    assert_true(__real__ t->z == 2 && __imag__ t->z == 0);
}

static void fields_back(void **state)
{
    fixture *f = *state;
    char name[] = "a name";
    double series[] = {4, 5, 6};
    sheet_2 t = {.name = name,
                 .wide = INT16_MAX,
                 .colour = RED_2,
                 .real = NAN,
                 .narrow = 5,
                 .renamed = 6,
                 .label = "full..",
                 .nseries = 3,
                 .series = series,
                 .one = {7},
                 .flag = true};
    sheet_1 *s;
    evolved(f, &lade_type_sheet_2, &t, &lade_type_sheet_1, &s);
    assert_string_equal(s->name, "a name");
    assert_true(s->a == 6 && s->gone == 1.25 && s->wide == INT16_MAX && isnan(s->real));
    assert_true(s->colour == RED_1 && s->narrow == 5 && s->series[0] == 4 && s->one == 7 &&
                s->flag == 1);
    assert_string_equal(s->label, "full..");
}

static void what_does_not_fit(void **state)
{
    fixture *f = *state;
    char label[] = "too long";
    sheet_1 s = a_sheet();
    s.label = label;
    REFUSED(f, LADE_ERR_RANGE, sheet_1, &s, sheet_2, "sheet.label", "text", "fixed_text",
            "too long");
    s = a_sheet();
    s.label = NULL;
    s.narrow = 128;
    REFUSED(f, LADE_ERR_RANGE, sheet_1, &s, sheet_2, "sheet.narrow", "128", "i64", "i8");
    s.narrow = 0;
    s.flag = 2;
    REFUSED(f, LADE_ERR_RANGE, sheet_1, &s, sheet_2, "sheet.flag", "u8", "bool");
    sheet_2 t = {.colour = RED_2, .nseries = 2, .series = (double[]){1, 2}};
    REFUSED(f, LADE_ERR_SHAPE, sheet_2, &t, sheet_1, "sheet.series", "2 elements", "vector", "[3]");
    t.nseries = 3;
    t.series = (double[]){1, 2, 3};
    t.real = 0.1;
    REFUSED(f, LADE_ERR_RANGE, sheet_2, &t, sheet_1, "sheet.real", "f64", "f32");
    t.real = 0;
    __imag__ t.z = 1e300;
    REFUSED(f, LADE_ERR_RANGE, sheet_2, &t, sheet_1, "sheet.z", "c64", "c32");
}

/* Names decide; numbers that are not listed are kept, unless they would become a name. */
static void enumerators(void **state)
{
    fixture *f = *state;
    sheet_1 s = a_sheet();
    sheet_2 *t;
    s.label = NULL;
    s.colour = (hue_1)99;
    evolved(f, &lade_type_sheet_1, &s, &lade_type_sheet_2, &t);
    assert_int_equal(t->colour, 99);
    s.colour = (hue_1)VIOLET_2;
    REFUSED(f, LADE_ERR_VALUE, sheet_1, &s, sheet_2, "sheet.colour", "VIOLET");
    s.colour = GREEN_1; /* gone, and 1 is BLUE now */
    REFUSED(f, LADE_ERR_VALUE, sheet_1, &s, sheet_2, "sheet.colour", "GREEN", "BLUE");
    s.colour = RED_1;
    evolved(f, &lade_type_sheet_1, &s, &lade_type_sheet_2, &t);
    assert_int_equal(t->colour, RED_2);
    f->ctx.strict_enums = true;
    sheet_2 back = {.colour = VIOLET_2, .nseries = 3, .series = (double[]){1, 2, 3}};
    REFUSED(f, LADE_ERR_VALUE, sheet_2, &back, sheet_1, "sheet.colour", "VIOLET");
}

/* ---- records inside vectors, optionals, arrays, records, grids, lists and maps ---- */

typedef struct {
    int32_t x;
    char *text;
} item_1;
typedef struct {
    char *text;
    double added;
    int64_t x;
} item_2;
LADE_STRUCT(item_1, (value, x), (text, text))
LADE_STRUCT(item_2, (text, text), (value, added, default(1.5)), (value, x))
typedef struct kept {
    int32_t n;
    struct kept *next;
} kept;
LADE_STRUCT(kept, (value, n), (ref, next, kept))
typedef struct {
    item_1 by_value, two[2];
    item_1 *items, *maybe, *grid;
    uint32_t nitems, nx, ny;
    kept *kept;
    char **texts;
    size_t ntexts, nbits;
    uint8_t *bits;
    item_1 *children[2];
} holder_1;
typedef struct {
    uint16_t nitems;
    item_2 *items, *maybe, *grid, two[2], by_value;
    uint64_t nx, ny;
    kept *kept;
    char *texts[2];
    uint32_t *bits;
    uint16_t nbits;
    item_2 *children[2];
} holder_2;
LADE_STRUCT(holder_1, (record, by_value, item_1), (record, two, item_1),
            (vector, items, nitems, item_1), (optional, maybe, item_1),
            (grid, grid, (nx, ny), item_1), (ref, kept, kept), (vector, texts, ntexts, text()),
            (bits, bits, nbits), (optional, children, item_1))
LADE_STRUCT(holder_2, (vector, items, nitems, item_2), (optional, maybe, item_2),
            (record, two, item_2), (record, by_value, item_2), (grid, grid, (nx, ny), item_2),
            (ref, kept, kept), (text, texts), (bits, bits, nbits), (optional, children, item_2))

static void nested(void **state)
{
    fixture *f = *state;
    char text[] = "text";
    item_1 items[6] = {{1, text}, {2, NULL}, {3, text}, {4, NULL}, {5, NULL}, {6, text}};
    kept ring = {7, &ring};
    uint8_t bits[] = {0x5a, 1};
    holder_1 h = {.by_value = {8, text},
                  .two = {{9, NULL}, {10, text}},
                  .items = items,
                  .nitems = 6,
                  .maybe = items,
                  .grid = items,
                  .nx = 2,
                  .ny = 3,
                  .kept = &ring,
                  .texts = (char *[]){text, NULL},
                  .ntexts = 2,
                  .bits = bits,
                  .nbits = 9,
                  .children = {NULL, items}};
    holder_2 *t;
    holder_1 *back;
    evolved(f, &lade_type_holder_1, &h, &lade_type_holder_2, &t);
    assert_true(t->by_value.x == 8 && t->by_value.added == 1.5 && t->two[1].x == 10 &&
                t->nitems == 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(t->items[i].x == (int64_t)i + 1 && t->grid[i].x == t->items[i].x);
    assert_string_equal(t->items[2].text, "text");
    assert_true(t->maybe->x == 1 && t->nx == 2 && t->ny == 3 && t->kept->next == t->kept &&
                t->kept->n == 7);
    assert_string_equal(t->texts[0], "text");
    assert_true(!t->texts[1] && t->nbits == 9 && (t->bits[0] & 0x1ff) == 0x15a);
    assert_true(!t->children[0] && t->children[1]->x == 1);
    holder_2 copy = *t;
    lade_arena *keep = f->owner;
    f->owner = NULL;
    copy.items[5].x = 66;
    evolved(f, &lade_type_holder_2, &copy, &lade_type_holder_1, &back);
    assert_true(back->items[5].x == 66 && back->grid[4].x == 5 && back->kept->next == back->kept);
    assert_true(back->ntexts == 2 && strcmp(back->texts[0], "text") == 0);
    copy.items[5].x = INT64_MAX;
    REFUSED(f, LADE_ERR_RANGE, holder_2, &copy, holder_1, "item.x", "i64", "i32");
    lade_arena_destroy(keep);
}

/* ---- one: by value, behind a pointer, in an array ---- */

typedef struct {
    item_1 r, s;
    double v;
    char *text;
} ones_1;
typedef struct {
    item_2 *r, *s;
    size_t ns, nv;
    double *v;
    char *text[1];
} ones_2;
LADE_STRUCT(ones_1, (record, r, item_1), (record, s, item_1), (value, v), (text, text))
LADE_STRUCT(ones_2, (optional, r, item_2), (vector, s, ns, item_2), (vector, v, nv), (text, text))

static void records_and_pointers(void **state)
{
    fixture *f = *state;
    ones_1 o = {{1, NULL}, {2, NULL}, 3, NULL};
    ones_2 *t;
    ones_1 *back;
    evolved(f, &lade_type_ones_1, &o, &lade_type_ones_2, &t);
    assert_true(t->r->x == 1 && t->ns == 1 && t->s->x == 2 && t->nv == 1 && *t->v == 3);
    item_2 items[2] = {{NULL, 0, 4}, {NULL, 0, 5}};
    ones_2 p = {.r = items, .s = items, .ns = 1, .v = (double[]){6}, .nv = 1};
    evolved(f, &lade_type_ones_2, &p, &lade_type_ones_1, &back);
    assert_true(back->r.x == 4 && back->s.x == 4 && back->v == 6);
    p.ns = 2;
    REFUSED(f, LADE_ERR_SHAPE, ones_2, &p, ones_1, "ones.s", "2 elements", "vector", "record");
    p.ns = 1;
    p.r = NULL;
    REFUSED(f, LADE_ERR_VALUE, ones_2, &p, ones_1, "ones.r", "NULL", "optional item",
            "record item");
}

/* ---- graphs and pools ---- */

typedef struct vertex_1 vertex_1;
struct vertex_1 {
    int32_t id;
    vertex_1 *next, *other;
};
typedef struct vertex_2 vertex_2;
struct vertex_2 {
    vertex_2 *other;
    char *added;
    int64_t id;
    vertex_2 *next;
};
LADE_STRUCT(vertex_1, (value, id), (ref, next, vertex_1), (ref, other, vertex_1))
LADE_STRUCT(vertex_2, (ref, other, vertex_2), (text, added), (value, id), (ref, next, vertex_2))

static void graphs_keep_identity(void **state)
{
    fixture *f = *state;
    enum { N = 1000 };
    vertex_1 *v = calloc(N, sizeof *v);
    vertex_2 *t;
    vertex_1 *back;
    assert_non_null(v);
    for (int32_t i = 0; i < N; i++)
        v[i] = (vertex_1){i, &v[(i + 1) % N], &v[i * 7 % N]};
    evolved(f, &lade_type_vertex_1, v, &lade_type_vertex_2, &t);
    const vertex_2 *at = t;
    const vertex_2 *all[N];
    for (int i = 0; i < N; i++, at = at->next) {
        assert_int_equal(at->id, i);
        all[i] = at;
    }
    assert_ptr_equal(at, t);
    for (int i = 0; i < N; i++)
        assert_ptr_equal(all[i]->other, all[i * 7 % N]);
    lade_arena *keep = f->owner;
    f->owner = NULL;
    evolved(f, &lade_type_vertex_2, t, &lade_type_vertex_1, &back);
    assert_ptr_equal(
        back->next->next->other,
        back->next->next->next->next->next->next->next->next->next->next->next->next->next->next);
    lade_arena_destroy(keep);
    free(v);
}

/* A chain is as long as memory allows: nothing recurses over data. */
typedef struct chain_job {
    fixture *f;
    const lade_type *to;
    vertex_2 *loaded;
    lade_status status;
} chain_job;

static void load_chain(void *user)
{
    chain_job *job = user;
    job->status =
        lade_load_file_as(job->f->path, job->to, &job->loaded, &job->f->owner, &job->f->ctx);
}

static void long_chains(void **state)
{
    fixture *f = *state;
    int32_t n = TEST_SANITIZED ? 10000 : 300000;
    vertex_1 *v = calloc((size_t)n, sizeof *v);
    chain_job job = {.f = f, .to = evolution_type(f->types, &lade_type_vertex_2)};
    assert_non_null(v);
    for (int32_t i = 0; i < n; i++)
        v[i] = (vertex_1){i, i + 1 < n ? &v[i + 1] : NULL, v};
    assert_ok(lade_save_file_as(f->path, evolution_type(f->types, &lade_type_vertex_1), v, &f->ctx),
              &f->error);
    test_on_small_stack(load_chain, &job);
    assert_ok(job.status, &f->error);
    int32_t i = 0;
    for (const vertex_2 *at = job.loaded; at; at = at->next, i++)
        assert_true(at->id == i && at->other == job.loaded);
    assert_int_equal(i, n);
    free(v);
}

static void arrays_of_records(void **state)
{
    fixture *f = *state;
    vertex_1 v[3] = {{1, &v[2], NULL}, {2, &v[0], &v[1]}, {3, NULL, NULL}};
    vertex_2 *t;
    size_t n[2] = {3, 1};
    size_t got[2];
    const lade_type *from = evolution_type(f->types, &lade_type_vertex_1);
    const lade_type *to = evolution_type(f->types, &lade_type_vertex_2);
    assert_ok(lade_save_array_file_as(f->path, from, v, 2, n, &f->ctx), &f->error);
    assert_ok(lade_load_array_file_as(f->path, to, &t, 2, got, &f->owner, &f->ctx), &f->error);
    assert_true(got[0] == 3 && got[1] == 1);
    assert_true(t[0].next == &t[2] && t[1].next == &t[0] && t[1].other == &t[1] && t[2].id == 3);
    void *one;
    assert_status(lade_load_file_as(f->path, to, &one, &f->owner, &f->ctx), LADE_ERR_TYPE);
    int16_t small[] = {1, -2};
    double *wide;
    assert_ok(lade_save_array_file(f->path, small, 1, (size_t[]){2}, &f->ctx), &f->error);
    assert_ok(lade_load_array_file(f->path, &wide, 1, got, &f->owner, &f->ctx), &f->error);
    assert_true(got[0] == 2 && wide[1] == -2);
}

typedef struct {
    vertex_1 *pool, *plain;
    uint32_t npool, nplain;
    vertex_1 *top, *alone;
    double *weights;
    size_t nweights;
} net_1;
typedef struct {
    vertex_2 *alone, *top;
    size_t npool, nplain;
    vertex_2 *plain, *pool;
    float *weights;
    uint8_t nweights;
} net_2;
LADE_STRUCT(net_1, (pool, pool, npool, vertex_1), (vector, plain, nplain, vertex_1),
            (ref, top, vertex_1), (ref, alone, vertex_1), (pool, weights, nweights))
LADE_STRUCT(net_2, (ref, alone, vertex_2), (ref, top, vertex_2), (pool, pool, npool, vertex_2),
            (pool, plain, nplain, vertex_2), (vector, weights, nweights))
/* the pool is none any more */
typedef struct {
    vertex_1 *pool, *top;
    uint32_t npool;
} loose_1;
typedef loose_1 loose_2;
LADE_STRUCT(loose_1, (pool, pool, npool, vertex_1), (ref, top, vertex_1))
LADE_STRUCT(loose_2, (vector, pool, npool, vertex_1), (ref, top, vertex_1))

static void pools(void **state)
{
    fixture *f = *state;
    vertex_1 pool[3] = {{1, &pool[2], NULL}, {2, &pool[1], &pool[0]}, {3, NULL, NULL}};
    vertex_1 alone = {4, &pool[1], &alone};
    vertex_1 plain[1] = {{5, &alone, &pool[0]}};
    double weights[2] = {0.5, 2};
    net_1 n = {pool, plain, 3, 1, &pool[2], &alone, weights, 2};
    net_2 *t;
    evolved(f, &lade_type_net_1, &n, &lade_type_net_2, &t);
    assert_true(t->npool == 3 && t->nplain == 1 && t->top == &t->pool[2]);
    assert_true(t->pool[0].next == &t->pool[2] && t->pool[1].other == &t->pool[0]);
    assert_true(t->alone->id == 4 && t->alone->other == t->alone && t->plain[0].next == t->alone);
    assert_true(t->plain[0].other == &t->pool[0] && t->nweights == 2 && t->weights[0] == 0.5F);
    vertex_1 free_ones[2] = {{1, NULL, NULL}, {2, NULL, NULL}};
    loose_1 l = {free_ones, &alone, 2};
    loose_2 *u;
    alone.next = NULL;
    evolved(f, &lade_type_loose_1, &l, &lade_type_loose_2, &u);
    assert_true(u->npool == 2 && u->pool[1].id == 2 && u->top->other == u->top);
    evolved(f, &lade_type_loose_2, &l, &lade_type_loose_1, &u);
    assert_true(u->npool == 2 && u->pool[1].id == 2 && u->top->other == u->top);
    free_ones[0].other = &free_ones[1];
    REFUSED(f, LADE_ERR_REFERENCE, loose_1, &l, loose_2, "vertex.other", "pool");
}

/* ---- fields that become a record, and back ---- */

typedef struct {
    int32_t before;
    double x, y;
    char *name;
} flat_1;
typedef struct {
    float x, y, z;
} place_2;
typedef struct {
    char *name;
    place_2 at;
    int32_t before;
} flat_2;
LADE_STRUCT(flat_1, (value, before), (value, x), (value, y), (text, name))
LADE_STRUCT(place_2, (value, x), (value, y), (value, z, default(3)))
LADE_STRUCT(flat_2, (text, name), (record, at, place_2), (value, before))
typedef struct {
    flat_1 *all;
    size_t n;
} flats_1;
typedef struct {
    flat_2 *all;
    size_t n;
} flats_2;
LADE_STRUCT(flats_1, (vector, all, n, flat_1))
LADE_STRUCT(flats_2, (vector, all, n, flat_2))

static void records_split_out(void **state)
{
    fixture *f = *state;
    char name[] = "name";
    flats_1 s = {(flat_1[]){{1, 2, 3, name}, {4, 5, 6, NULL}}, 2};
    flats_2 *t;
    flats_1 *back;
    evolved(f, &lade_type_flats_1, &s, &lade_type_flats_2, &t);
    assert_true(t->all[1].at.x == 5 && t->all[1].at.y == 6 && t->all[1].at.z == 3 &&
                t->all[0].before == 1);
    flats_2 u = {(flat_2[]){{name, {7, 8, 9}, 10}}, 1};
    evolved(f, &lade_type_flats_2, &u, &lade_type_flats_1, &back);
    assert_true(back->all[0].x == 7 && back->all[0].y == 8 && back->all[0].before == 10);
    assert_string_equal(back->all[0].name, "name");
}

/* ---- versions, hooks, custom types ---- */

typedef struct {
    int32_t celsius;
    int32_t other;
} sample_1;
typedef struct {
    double kelvin;
    int32_t celsius, other;
} sample_2;
LADE_STRUCT(sample_1, (version, 1), (value, celsius), (value, other))
static lade_status to_kelvin(sample_2 *s, void *user)
{
    (void)user;
    if (s->celsius != INT32_MIN)
        s->kelvin = s->celsius + 273.0;
    return LADE_OK;
}
LADE_STRUCT(sample_2, (version, 2), (after_load, to_kelvin), (value, kelvin, since(2)),
            (value, celsius, until(2), default(INT32_MIN)), (value, other))
static void versions(void **state)
{
    fixture *f = *state;
    sample_1 s = {20, 1};
    sample_2 *t;
    sample_1 *back;
    evolved(f, &lade_type_sample_1, &s, &lade_type_sample_2, &t);
    assert_true(t->kelvin == 293 && t->celsius == 20 && t->other == 1);
    sample_2 u = {300, INT32_MIN, 2};
    evolved(f, &lade_type_sample_2, &u, &lade_type_sample_2, &t);
    assert_true(t->kelvin == 300 && t->celsius == INT32_MIN);
    REFUSED(f, LADE_ERR_VERSION, sample_2, &u, sample_1, "'sample' has version 2", "1");
    f->ctx.read_newer = true;
    evolved(f, &lade_type_sample_2, &u, &lade_type_sample_1, &back);
    assert_true(back->celsius == 0 && back->other == 2);
    f->ctx.read_newer = false;
    /* version 2, but without what is there since 2 */
    lade_type broken = lade_type_sample_1;
    broken.version = 2;
    broken.cell = NULL;
    void *out;
    assert_status(evolve(f, &broken, &s, &lade_type_sample_2, &out), LADE_ERR_TYPE);
    assert_non_null(strstr(f->error.message, "sample.kelvin"));
}

typedef struct {
    int32_t n;
} blob_1;
typedef blob_1 blob_2;
static lade_status blob_1_save(lade_out *out, const blob_1 *b)
{
    static double large[1000];
    lade_out_i32(out, b->n);
    lade_out_array(out, LADE_F64, large, 1000);
    return LADE_OK;
}
static lade_status blob_1_load(lade_in *in, blob_1 *b, uint32_t version)
{
    double *large = NULL;
    size_t n = 0;
    (void)version;
    b->n = lade_in_i32(in);
    lade_in_array(in, LADE_F64, &large, &n);
    return n == 1000 ? LADE_OK : LADE_ERR_VALUE;
}
static lade_status blob_2_save(lade_out *out, const blob_2 *b)
{
    lade_out_i64(out, b->n);
    return LADE_OK;
}
static lade_status blob_2_load(lade_in *in, blob_2 *b, uint32_t version)
{
    if (version == 1)
        return blob_1_load(in, b, 1);
    b->n = (int32_t)lade_in_i64(in);
    return LADE_OK;
}
LADE_CUSTOM(blob_1, 1, blob_1_save, blob_1_load)
LADE_CUSTOM(blob_2, 2, blob_2_save, blob_2_load)
typedef struct {
    blob_1 one, *more;
    size_t n;
} blobs_1;
typedef struct {
    size_t n;
    blob_2 *more, one;
} blobs_2;
LADE_STRUCT(blobs_1, (record, one, blob_1), (vector, more, n, blob_1))
LADE_STRUCT(blobs_2, (vector, more, n, blob_2), (record, one, blob_2))

static void custom_types_are_told_the_version(void **state)
{
    fixture *f = *state;
    blobs_1 s = {{1}, (blob_1[]){{2}, {3}}, 2};
    blobs_2 *t;
    evolved(f, &lade_type_blobs_1, &s, &lade_type_blobs_2, &t);
    assert_true(t->one.n == 1 && t->n == 2 && t->more[1].n == 3);
    blobs_2 u = {0, NULL, {4}};
    REFUSED(f, LADE_ERR_VERSION, blobs_2, &u, blobs_1, "'blob' has version 2");
}

/* ---- known types and variants ---- */

typedef struct {
    void *owned, *shared[2];
    uint8_t is;
} zoo_1;
typedef struct {
    void *shared[2], *owned;
    int32_t is;
} zoo_2;
static unsigned class_of(const int32_t *object)
{
    return object[0] == 100 ? 0U : 1U;
}
typedef struct {
    int32_t species;
    double weight;
} cat_1;
typedef struct {
    int32_t species;
    float weight;
    int32_t age;
} cat_2;
typedef struct {
    int32_t species;
} eel_1;
typedef eel_1 eel_2;
LADE_STRUCT(cat_1, (value, species), (value, weight))
LADE_STRUCT(cat_2, (value, species), (value, weight), (value, age))
LADE_STRUCT(eel_1, (value, species))
LADE_STRUCT(eel_2, (value, species))
LADE_STRUCT(zoo_1, (any, owned, of(is), void, cat_1, eel_1),
            (any_ref, shared, by(class_of), void, cat_1, eel_1))
LADE_STRUCT(zoo_2, (any_ref, shared, by(class_of), void, cat_2, eel_2),
            (any, owned, of(is), void, eel_2, cat_2))

static void known_types(void **state)
{
    fixture *f = *state;
    cat_1 cat = {100, 2};
    eel_1 eel = {7};
    cat_1 other = {100, 3};
    zoo_1 z = {&other, {&cat, &eel}, 0};
    zoo_2 *t;
    evolved(f, &lade_type_zoo_1, &z, &lade_type_zoo_2, &t);
    assert_int_equal(t->is, 1);
    assert_true(((cat_2 *)t->owned)->weight == 3 && ((eel_2 *)t->shared[1])->species == 7);
    assert_true(((cat_2 *)t->shared[0])->weight == 2 && t->shared[0] != t->owned);
    z.shared[1] = &cat;
    evolved(f, &lade_type_zoo_1, &z, &lade_type_zoo_2, &t);
    assert_ptr_equal(t->shared[0], t->shared[1]);
    z.owned = NULL;
    evolved(f, &lade_type_zoo_1, &z, &lade_type_zoo_2, &t);
    assert_null(t->owned);
}

typedef union {
    double radius;
    int32_t side[2];
    item_1 item;
} form_1;
typedef union {
    item_2 item;
    float radius;
    char *text;
} form_2;
typedef struct {
    form_1 is;
    int32_t kind;
} figure_1;
typedef struct {
    uint8_t kind;
    form_2 is;
} figure_2;
LADE_UNION(form_1, (value, radius, when(1)), (value, side, when(2)),
           (record, item, item_1, when(3)))
LADE_UNION(form_2, (record, item, item_2, when(10)), (value, radius, when(20)),
           (text, text, when(30)))
LADE_STRUCT(figure_1, (variant, is, kind, form_1))
LADE_STRUCT(figure_2, (variant, is, kind, form_2))

static void variants(void **state)
{
    fixture *f = *state;
    figure_2 *t;
    figure_1 *back;
    evolved(f, &lade_type_figure_1, &(figure_1){{.radius = 1.5}, 1}, &lade_type_figure_2, &t);
    assert_true(t->kind == 20 && t->is.radius == 1.5F);
    evolved(f, &lade_type_figure_1, &(figure_1){{.item = {4, NULL}}, 3}, &lade_type_figure_2, &t);
    assert_true(t->kind == 10 && t->is.item.x == 4);
    evolved(f, &lade_type_figure_1, &(figure_1){.kind = 0}, &lade_type_figure_2, &t);
    assert_int_equal(t->kind, 0);
    evolved(f, &lade_type_figure_2, &(figure_2){20, {.radius = 2}}, &lade_type_figure_1, &back);
    assert_true(back->kind == 1 && back->is.radius == 2);
    REFUSED(f, LADE_ERR_TYPE, figure_1, &((figure_1){{.side = {1, 2}}, 2}), figure_2, "figure.is",
            "side");
    REFUSED(f, LADE_ERR_TYPE, figure_1, &((figure_1){.kind = 30}), figure_2, "figure.is",
            "discriminant");
}

/* ---- sequences, sets of words, grids with a halo, texts and enumerations as other things ---- */

typedef struct link_1 link_1;
struct link_1 {
    link_1 *next;
    int16_t x;
};
typedef struct {
    int64_t x;
    char *added;
} link_2;
LADE_STRUCT(link_1, (value, x))
LADE_STRUCT(link_2, (value, x), (text, added))
static size_t heap_count(const void *map)
{
    const void *const *heap = map;
    return *heap ? 1 : 0;
}
static void *heap_next(const void *map, const void *entry)
{
    void *const *heap = map;
    return entry ? NULL : *heap;
}
static bool heap_fill(void *map, void *entries, size_t count)
{
    if (entries)
        memcpy(map, &entries, sizeof entries);
    return count == 1;
}
static const lade_map heap_adaptor = {heap_count, heap_next, heap_fill, NULL};
typedef struct {
    link_1 *chain;
    link_1 *heap;
    uint32_t nx, ny;
    int32_t *grid, *inner;
    int32_t halo;
    char code[4];
    hue_1 colour;
    link_1 *pool;
    size_t npool;
} mixed_1;
typedef struct {
    link_2 *chain, *heap, *pool;
    size_t nchain, nheap;
    uint32_t nx, ny;
    double *grid, *inner;
    int32_t halo;
    char code[9];
    int8_t colour;
} mixed_2;
LADE_STRUCT(mixed_1, (list, chain, link_1, next), (map, heap, heap_adaptor, link_1),
            (grid, grid, (nx, ny), halo(1), whole()), (grid, inner, (nx, ny), halo_of(halo)),
            (fixed_text, code), (enumeration, colour, hue_1), (pool, pool, npool, link_1))
LADE_STRUCT(mixed_2, (vector, chain, nchain, link_2), (vector, heap, nheap, link_2),
            (optional, pool, link_2), (grid, grid, (nx, ny), halo(1), whole()),
            (grid, inner, (nx, ny), halo_of(halo)), (fixed_text, code), (value, colour))

static void sequences_and_grids(void **state)
{
    fixture *f = *state;
    link_1 links[3] = {{&links[1], 1}, {&links[2], 2}, {NULL, 3}};
    int32_t cells[4 * 5];
    int32_t wide[8 * 9];
    for (int32_t i = 0; i < 4 * 5; i++)
        cells[i] = i;
    for (int32_t i = 0; i < 8 * 9; i++)
        wide[i] = i;
    mixed_1 m = {.chain = links,
                 .heap = &links[2],
                 .nx = 2,
                 .ny = 3,
                 .grid = cells,
                 .inner = wide,
                 .halo = 3,
                 .code = "code",
                 .colour = BLUE_1,
                 .pool = &links[1],
                 .npool = 1};
    mixed_2 *t;
    mixed_1 *back;
    evolved(f, &lade_type_mixed_1, &m, &lade_type_mixed_2, &t);
    assert_true(t->nchain == 3 && t->chain[2].x == 3 && t->nheap == 1 && t->heap->x == 3 &&
                t->pool->x == 2);
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        assert_true(t->grid[i] == (double)i);
    assert_true(t->halo == 3 && t->inner[3 * 9 + 3] == 3 * 9 + 3 &&
                t->inner[4 * 9 + 5] == 4 * 9 + 5);
    assert_true(t->inner[0] == 0 && t->colour == 7);
    assert_memory_equal(t->code, "code\0\0\0\0", 9);
    lade_arena *keep = f->owner;
    f->owner = NULL;
    mixed_2 u = *t;
    evolved(f, &lade_type_mixed_2, &u, &lade_type_mixed_1, &back);
    assert_true(back->chain->next->next->x == 3 && !back->chain->next->next->next &&
                back->heap->x == 3);
    assert_true(back->grid[7] == 7 && back->inner[4 * 9 + 5] == 4 * 9 + 5 &&
                back->colour == BLUE_1);
    assert_true(back->npool == 1 && back->pool->x == 2);
    u.nheap = 2;
    u.heap = u.chain;
    REFUSED(f, LADE_ERR_VALUE, mixed_2, &u, mixed_1, "map");
    lade_arena_destroy(keep);
}

typedef struct {
    double x;
} half_1;
typedef struct {
    half_1 left, right;
    int32_t n;
} pair_1;
typedef struct {
    int32_t n;
    double x;
} pair_2;
LADE_STRUCT(half_1, (value, x))
LADE_STRUCT(pair_1, (record, left, half_1), (record, right, half_1), (value, n))
LADE_STRUCT(pair_2, (value, n), (value, x))

static void a_field_in_two_records(void **state)
{
    REFUSED(*state, LADE_ERR_TYPE, pair_1, &((pair_1){{1}, {2}, 3}), pair_2, "pair.x", "left",
            "right");
}

/* ---- what is no evolution ---- */

typedef struct {
    int32_t a, b[2][3];
    item_1 *p;
    size_t n;
} odd_1;
typedef struct {
    char *a;
} odd_2;
LADE_STRUCT(odd_1, (value, a), (value, b), (vector, p, n, item_1))
LADE_STRUCT(odd_2, (text, a))
typedef struct {
    int32_t b[3][2];
} turned_2;
typedef struct {
    item_1 *p;
} aimed_2;
typedef struct {
    double nothing;
} strange_2;
LADE_STRUCT(turned_2, (value, b))
LADE_STRUCT(aimed_2, (ref, p, item_1))
LADE_STRUCT(strange_2, (value, nothing))

static void what_cannot_become_the_other(void **state)
{
    static const struct {
        const lade_type *type;
        const char *texts[4];
    } cases[] = {
        {&lade_type_odd_2, {"odd.a", "value i32", "text"}},
        {&lade_type_turned_2, {"odd.b", "i32[2][3]", "i32[3][2]"}},
        {&lade_type_aimed_2, {"odd.p", "vector item", "ref item"}},
        {&lade_type_strange_2, {"odd", "no field in common"}},
        {&lade_type_item_1, {"'odd'", "'item'"}},
        {&lade_scalar_i32, {"'odd'", "'i32'"}},
    };
    fixture *f = *state;
    odd_1 value = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lade_type to = *cases[i].type;
        if (i < 4)
            to.name = "odd_2";
        if (!to.scalar)
            to.cell = NULL;
        refused(f, LADE_ERR_TYPE, &lade_type_odd_1, &value, &to, cases[i].texts);
    }
}

/* ---- ways to load ---- */

static void into_memory_that_is_there(void **state)
{
    fixture *f = *state;
    flat_2 there[2] = {{.before = 0}, {.before = 0}};
    flats_1 s = {(flat_1[]){{1, 2, 3, NULL}, {4, 5, 6, NULL}}, 2};
    flats_2 t = {there, 2};
    const lade_type *to = evolution_type(f->types, &lade_type_flats_2);
    assert_ok(lade_save_file_as(f->path, evolution_type(f->types, &lade_type_flats_1), &s, &f->ctx),
              &f->error);
    assert_ok(lade_load_file_into_as(f->path, to, &t, &f->ctx), &f->error);
    assert_true(t.all == there && there[1].at.x == 5 && there[1].before == 4);
    t.n = 1;
    assert_status(lade_load_file_into_as(f->path, to, &t, &f->ctx), LADE_ERR_SHAPE);
}

/* A plan is made once for a file, and serves all its entries. */
static void many_entries(void **state)
{
    fixture *f = *state;
    lade_file *file;
    char name[16];
    const lade_type *from = evolution_type(f->types, &lade_type_flat_1);
    const lade_type *to = evolution_type(f->types, &lade_type_flat_2);
    assert_ok(lade_file_create(f->path, &file, &f->ctx), &f->error);
    for (int32_t i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_ok(lade_file_put_as(file, name, from, &(flat_1){i, 1, 2, NULL}), &f->error);
    }
    assert_ok(lade_file_commit(file), &f->error);
    for (int32_t i = 0; i < 20; i++) {
        flat_2 *t;
        snprintf(name, sizeof name, "%d", i);
        assert_ok(lade_file_get_as(file, name, to, &t, &f->owner), &f->error);
        assert_int_equal(t->before, i);
    }
    assert_ok(lade_file_close(file), &f->error);
}

static void memory_of_its_own(void **state)
{
    fixture *f = *state;
    char name[] = "name";
    flats_1 s = {(flat_1[]){{1, 2, 3, name}}, 1};
    flats_2 *t;
    const lade_type *to = evolution_type(f->types, &lade_type_flats_2);
    assert_ok(lade_save_file_as(f->path, evolution_type(f->types, &lade_type_flats_1), &s, &f->ctx),
              &f->error);
    f->ctx.own_memory = true;
    assert_ok(lade_load_file_as(f->path, to, &t, NULL, &f->ctx), &f->error);
    assert_string_equal(t->all[0].name, "name");
    free(t->all[0].name);
    free(t->all);
    free(t);
}

static void several_roots(void **state)
{
    fixture *f = *state;
    lade_file *file;
    vertex_1 v[2] = {{1, &v[1], NULL}, {2, NULL, &v[0]}};
    const lade_type *from = evolution_type(f->types, &lade_type_vertex_1);
    const lade_type *to = evolution_type(f->types, &lade_type_vertex_2);
    lade_named_root old[2] = {{"a", from, &v[0]}, {"b", from, &v[1]}};
    assert_ok(lade_file_create(f->path, &file, &f->ctx), &f->error);
    assert_ok(lade_file_put_roots(file, "both", old, 2), &f->error);
    assert_ok(lade_file_commit(file), &f->error);
    for (int i = 0; i < 2; i++) {
        lade_named_root now[3] = {{"b", to, NULL}, {"a", to, NULL}, {"c", to, NULL}};
        assert_ok(lade_file_get_roots(file, "both", now, i ? 3 : 2, &f->owner), &f->error);
        vertex_2 *a = now[1].value;
        assert_true(a->next == now[0].value && a->next->other == a && a->id == 1 && !now[2].value);
    }
    assert_ok(lade_file_close(file), &f->error);
}

static void messages_stay_strict(void **state)
{
    fixture *f = *state;
    lade_buffer buffer = {0};
    void *out;
    flat_1 value = {0};
    assert_ok(lade_encode_as(evolution_type(f->types, &lade_type_flat_1), &value, &buffer, &f->ctx),
              &f->error);
    assert_status(lade_decode_as(evolution_type(f->types, &lade_type_flat_2), buffer.data,
                                 buffer.size, &out, &f->owner, &f->ctx),
                  LADE_ERR_TYPE);
    lade_buffer_fini(&buffer);
}

static void every_allocation_may_fail(void **state)
{
    fixture *f = *state;
    test_memory memory;
    vertex_1 pool[3] = {{1, &pool[2], NULL}, {2, &pool[1], &pool[0]}, {3, NULL, NULL}};
    vertex_1 alone = {4, &pool[1], &alone};
    vertex_1 plain = {5, &alone, NULL};
    net_1 n = {pool, &plain, 3, 1, &pool[2], &alone, (double[]){1}, 1};
    const lade_type *to = evolution_type(f->types, &lade_type_net_2);
    assert_ok(lade_save_file_as(f->path, evolution_type(f->types, &lade_type_net_1), &n, &f->ctx),
              &f->error);
    test_memory_init(&memory);
    lade_status status = LADE_ERR_MEMORY;
    for (size_t k = 1; status != LADE_OK; k++) {
        lade_context ctx = {.allocator = &memory.allocator};
        void *out;
        lade_arena *owner = NULL;
        test_memory_restart(&memory, k);
        status = lade_load_file_as(f->path, to, &out, &owner, &ctx);
        if (status != LADE_OK) {
            assert_status(status, LADE_ERR_MEMORY);
            assert_null(owner);
        }
        lade_arena_destroy(owner);
        lade_context_fini(&ctx);
        test_memory_check(&memory);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(fields_forth),
        TEST(fields_back),
        TEST(what_does_not_fit),
        TEST(enumerators),
        TEST(nested),
        TEST(records_and_pointers),
        TEST(graphs_keep_identity),
        TEST(long_chains),
        TEST(arrays_of_records),
        TEST(pools),
        TEST(records_split_out),
        TEST(versions),
        TEST(custom_types_are_told_the_version),
        TEST(known_types),
        TEST(variants),
        TEST(sequences_and_grids),
        TEST(a_field_in_two_records),
        TEST(what_cannot_become_the_other),
        TEST(into_memory_that_is_there),
        TEST(many_entries),
        TEST(memory_of_its_own),
        TEST(several_roots),
        TEST(messages_stay_strict),
        TEST(every_allocation_may_fail),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
