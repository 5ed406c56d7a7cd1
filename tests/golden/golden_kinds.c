/* Golden values of kinds that hold their data themselves: grids, variants, custom types, long
 * doubles, and types with versions. */
#include "golden.h"

#include <math.h>

#include "../unit/support.h"

lade_status golden_put(lade_file *f, const golden_entry *entries)
{
    lade_status status = LADE_OK;
    for (; entries->name && status == LADE_OK; entries++)
        status = lade_file_put_as(f, entries->name, entries->type, entries->value);
    return status;
}

void golden_compare(lade_file *f, const golden_entry *entries)
{
    lade_buffer is = {0};
    lade_buffer was = {0};
    for (; entries->name; entries++) {
        void *value;
        lade_arena *owner = NULL;
        assert_int_equal(lade_file_get_as(f, entries->name, entries->type, &value, &owner),
                         LADE_OK);
        assert_int_equal(lade_encode_as(entries->type, value, &is, NULL), LADE_OK);
        assert_int_equal(lade_encode_as(entries->type, entries->value, &was, NULL), LADE_OK);
        assert_int_equal(is.size, was.size);
        assert_memory_equal(is.data, was.data, is.size);
        lade_arena_destroy(owner);
    }
    lade_buffer_fini(&is);
    lade_buffer_fini(&was);
}

/* grids */
typedef struct {
    char *name;
    bool wet;
} spot;
typedef struct tree_grid tree_grid;
struct tree_grid {
    int32_t id;
    tree_grid *inner; /* deferred */
    uint8_t nx, ny;
};
typedef struct {
    uint32_t nx;
    uint16_t ny;
    int64_t nz, one;
    int32_t halo;
    uint8_t halos[2];
    int64_t steps[2];
    double *plain;     /* nx x ny */
    float *fortran;    /* nx x ny x nz, the first fastest */
    int16_t *interior; /* nx x ny, a halo of 1 around that is not stored */
    int16_t *stored;   /* the same with a halo of 1 and 2, stored */
    int8_t *member;    /* the halo's width is a member; not stored */
    int8_t *members;   /* widths from an array of members; stored, Fortran order */
    double **rows;     /* nx rows of ny */
    uint8_t *view;     /* ny x nx of a larger array */
    spot *spots;       /* nz */
    char *rank8;       /* 2 x 1 ... x 2 */
    int32_t two;
    double *content; /* nz x 200 */
    int32_t columns;
} mesh;

/* variants */
typedef union {
    double radius;
    int32_t side[2];
    char *label;
    spot place;
} figure_union;
typedef enum { FIGURE_CIRCLE = 3, FIGURE_BOX, FIGURE_TEXT = -7, FIGURE_PLACE } figure_kind;
typedef struct bush bush;
typedef struct {
    uint16_t n;
    bush *kids;
} kids;
typedef union {
    int64_t leaf;
    kids inner; /* deferred */
    bush *shared;
} bush_union;
struct bush {
    uint8_t kind;
    bush_union is;
};
typedef struct {
    figure_kind kind;
    figure_union is;
    int32_t other_kind;
    figure_union second;
} figure;

/* custom types */
typedef struct {
    uint8_t r, g, b;
} paint;
typedef struct {
    size_t n;
    int32_t *values;
    char *name;
} samples;
typedef struct {
    paint one, two[2];
    paint *many, *maybe, *shared, *same;
    uint8_t nmany;
    samples few, large;
} studio;

/* long double, versions */
typedef struct {
    long double a, fixed[7];
    long double *many, *maybe;
    uint8_t nmany;
} precise;
typedef struct {
    int32_t kept, added, removed, later, cache;
} changed;
typedef struct {
    void *only;
} hollow;
typedef struct {
    hollow one, three[3], *maybe;
    hollow *many;
    uint8_t nmany;
    changed inner;
} shell;

/* clang-format off */
LADE_STRUCT(spot, (text, name), (value, wet))
LADE_STRUCT(tree_grid, (value, id), (grid, inner, (nx, ny), tree_grid))
LADE_STRUCT(mesh, (grid, plain, (nx, ny)), (grid, fortran, (nx, ny, nz), order(fortran)),
    (grid, interior, (nx, ny), halo(1)), (grid, stored, (nx, ny), halo(1, 2), whole()),
    (grid, member, (nx, ny), halo_of(halo)),
    (grid, members, (nx, ny), halo_of(halos), whole(), order(fortran)), (rows, rows, (nx, ny)),
    (grid, view, (ny, nx), strides(steps)), (grid, spots, (nz), spot),
    (grid, rank8, (two, one, one, one, one, one, one, two)), (grid, content, (nz, columns)))
LADE_UNION(figure_union, (value, radius, when(FIGURE_CIRCLE)), (value, side, when(FIGURE_BOX)),
    (text, label, when(FIGURE_TEXT)), (record, place, spot, when(FIGURE_PLACE)))
LADE_STRUCT(figure, (variant, is, kind, figure_union), (variant, second, other_kind, figure_union))
LADE_DECLARE(bush)
LADE_STRUCT(kids, (vector, kids, n, bush))
LADE_UNION(bush_union, (value, leaf), (record, inner, kids), (ref, shared, bush))
LADE_STRUCT(bush, (variant, is, kind, bush_union))
static lade_status paint_save(lade_out *out, const paint *p);
static lade_status paint_load(lade_in *in, paint *p, uint32_t version);
static lade_status samples_save(lade_out *out, const samples *s);
static lade_status samples_load(lade_in *in, samples *s, uint32_t version);
LADE_CUSTOM(paint, 0, paint_save, paint_load)
LADE_CUSTOM(samples, 300, samples_save, samples_load)
LADE_STRUCT(studio, (record, one, paint), (record, two, paint), (vector, many, nmany, paint),
    (optional, maybe, paint), (ref, shared, paint), (ref, same, paint), (record, few, samples),
    (record, large, samples))
LADE_STRUCT(precise, (value, a), (value, fixed), (vector, many, nmany), (optional, maybe))
LADE_STRUCT(changed, (version, 3), (value, kept, unit("m")), (value, added, since(2), default(5)),
    (value, removed, until(3), default(6)), (value, later, until(4), unit("s"), doc("in time")), (skip, cache, default(-1)))
LADE_STRUCT(hollow, (skip, only))
LADE_STRUCT(shell, (record, one, hollow), (record, three, hollow), (optional, maybe, hollow),
    (vector, many, nmany, hollow), (record, inner, changed))
/* clang-format on */

static double *row_pointers[2], plain[6], content[600];
static float fortran[18];
static int16_t interior[20], stored[28];
static int8_t member[42], members[30];
static uint8_t view[24];
static spot spots[] = {{(char[]){"a"}, true}, {NULL, false}, {(char[]){""}, true}};

static mesh *make_mesh(void)
{
    static mesh m;
    m = (mesh){.nx = 2, .ny = 3, .nz = 3, .one = 1, .halo = 2, .halos = {1, 2}, .two = 2};
    for (int i = 0; i < 6; i++)
        plain[i] = i * 0.5;
    for (int i = 0; i < 18; i++)
        fortran[i] = (float)i;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            interior[(i + 1) * 5 + k + 1] = (int16_t)(i * 10 + k);
            member[(i + 2) * 7 + k + 2] = (int8_t)(i * 10 + k);
        }
    for (int i = 0; i < 28; i++)
        stored[i] = (int16_t)-i;
    for (int i = 0; i < 28; i++)
        members[i] = (int8_t)(i - 14);
    for (int i = 0; i < 24; i++)
        view[i] = (uint8_t)i;
    for (int i = 0; i < 600; i++)
        content[i] = i;
    row_pointers[0] = &plain[3];
    row_pointers[1] = &plain[0];
    m.plain = plain;
    m.fortran = fortran;
    m.interior = interior;
    m.stored = stored;
    m.member = member;
    m.members = members;
    m.rows = row_pointers;
    m.view = view;
    m.steps[0] = 1;
    m.steps[1] = 12;
    m.spots = spots;
    m.rank8 = (char *)"rank";
    m.content = content;
    m.columns = 200;
    return &m;
}

static tree_grid leaves[2] = {{2, NULL, 3, 4}, {3, NULL, 0, 0}};
static tree_grid tree_root = {1, leaves, 1, 2};

static const golden_entry grids[] = {
    {"null", &lade_type_mesh, &(mesh){.nx = 2, .ny = 3, .halo = 1, .halos = {1, 2}}},
    {"empty", &lade_type_mesh,
     &(mesh){.nx = 0,
             .ny = 3,
             .nz = 1,
             .halo = 3,
             .halos = {1, 0},
             .plain = plain,
             .members = (int8_t[6]){-1, -2, -3, -4, -5, -6},
             .stored = (int16_t[14]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}}},
    {"deferred", &lade_type_tree_grid, &tree_root},
    {0}};

lade_status golden_write_grids(lade_file *f)
{
    lade_status status = golden_put(f, grids);
    return status ? status : lade_file_put(f, "mesh", mesh, make_mesh());
}

void golden_check_grids(lade_file *f)
{
    mesh *m;
    lade_arena *owner = NULL;
    golden_compare(f, grids);
    golden_compare(f, (golden_entry[]){{"mesh", &lade_type_mesh, make_mesh()}, {0}});
    assert_int_equal(lade_file_get(f, "mesh", mesh, &m, &owner), LADE_OK);
    assert_true(m->nx == 2 && m->ny == 3 && m->nz == 3 && m->columns == 200);
    assert_memory_equal(m->fortran, fortran, sizeof fortran);
    assert_memory_equal(m->interior, interior, sizeof interior);
    assert_memory_equal(m->stored, stored, sizeof stored);
    assert_true(m->halo == 2 && m->halos[0] == 1 && m->halos[1] == 2);
    assert_true(m->rows[0][2] == 2.5 && m->rows[1][2] == 1);
    assert_int_equal(lade_file_get(f, "null", mesh, &m, &owner), LADE_OK);
    assert_true(!m->plain && !m->rows && m->nx == 2);
    lade_arena_destroy(owner);
}

static bush some_bush,
    bushes[3] = {{0, {.leaf = -4}}, {2, {.shared = &some_bush}}, {9, {.leaf = 0}}};
static bush some_bush = {1, {.inner = {3, bushes}}};
static const golden_entry variants[] = {
    {"numbers", &lade_type_figure,
     &(figure){FIGURE_CIRCLE, {.radius = 2.5}, FIGURE_BOX, {.side = {3, -4}}}},
    {"texts", &lade_type_figure,
     &(figure){FIGURE_TEXT,
               {.label = (char[]){"text"}},
               FIGURE_PLACE,
               {.place = {(char[]){"there"}, true}}}},
    {"no case", &lade_type_figure,
     &(figure){(figure_kind)0, {.side = {1}}, INT32_MIN, {.radius = 0}}},
    {"bush", &lade_type_bush, &some_bush},
    {0}};

lade_status golden_write_variants(lade_file *f)
{
    return golden_put(f, variants);
}

void golden_check_variants(lade_file *f)
{
    figure *g;
    bush *b;
    lade_arena *owner = NULL;
    golden_compare(f, variants);
    assert_int_equal(lade_file_get(f, "no case", figure, &g, &owner), LADE_OK);
    assert_true((int)g->kind == 0 && g->other_kind == INT32_MIN);
    assert_int_equal(lade_file_get(f, "bush", bush, &b, &owner), LADE_OK);
    assert_true(b->kind == 1 && b->is.inner.kids[1].is.shared == b);
    lade_arena_destroy(owner);
}

static lade_status paint_save(lade_out *out, const paint *p)
{
    lade_out_u8(out, p->r);
    lade_out_size(out, (lade_size)p->g * 100);
    lade_out_f128(out, p->b);
    return LADE_OK;
}

static lade_status paint_load(lade_in *in, paint *p, uint32_t version)
{
    p->r = lade_in_u8(in);
    p->g = (uint8_t)(lade_in_size(in) / 100);
    p->b = (uint8_t)lade_in_f128(in);
    return version == 0 ? LADE_OK : LADE_ERR_VALUE;
}

static lade_status samples_save(lade_out *out, const samples *s)
{
    lade_out_text(out, s->name);
    lade_out_array(out, LADE_I32, s->values, s->n);
    lade_out_i16(out, -2);
    lade_out_array(out, LADE_I32, s->values, s->n);
    return LADE_OK;
}

static lade_status samples_load(lade_in *in, samples *s, uint32_t version)
{
    int32_t *again = NULL;
    size_t n = 0;
    lade_in_text(in, &s->name);
    lade_in_array(in, LADE_I32, &s->values, &s->n);
    bool same = lade_in_i16(in) == -2 && version == 300;
    lade_in_array(in, LADE_I32, &again, &n);
    return same && n == s->n ? LADE_OK : LADE_ERR_VALUE;
}

static paint shared = {7, 8, 9};
static paint paints[3] = {{1, 2, 3}, {4, 5, 6}, {255, 255, 255}};
static int32_t counts[1030] = {1, -2, 3};

static studio *make_studio(void)
{
    static studio s;
    for (int32_t i = 3; i < 1030; i++)
        counts[i] = i;
    s = (studio){.one = paints[0], .two = {paints[1], paints[2]}, .many = paints, .nmany = 3};
    s.maybe = &paints[0];
    s.shared = &shared;
    s.same = &shared;
    s.few = (samples){3, counts, NULL};
    s.large = (samples){1030, counts, (char *)"large"};
    return &s;
}

lade_status golden_write_customs(lade_file *f)
{
    lade_status status = lade_file_put(f, "studio", studio, make_studio());
    return status ? status : lade_file_put(f, "alone", paint, &paints[2]);
}

static bool is_paint(const paint *p, const paint *is)
{
    return p->r == is->r && p->g == is->g && p->b == is->b;
}

void golden_check_customs(lade_file *f)
{
    studio *s;
    paint *p;
    lade_arena *owner = NULL;
    (void)make_studio();
    assert_int_equal(lade_file_get(f, "studio", studio, &s, &owner), LADE_OK);
    assert_true(is_paint(&s->one, &paints[0]) && is_paint(&s->two[1], &paints[2]));
    assert_true(s->nmany == 3 && is_paint(&s->many[2], &paints[2]));
    assert_true(is_paint(s->maybe, &paints[0]) && s->shared == s->same);
    assert_true(s->few.n == 3 && s->large.n == 1030 && !s->few.name);
    assert_memory_equal(s->large.values, counts, sizeof counts);
    assert_string_equal(s->large.name, "large");
    assert_int_equal(lade_file_get(f, "alone", paint, &p, &owner), LADE_OK);
    assert_true(is_paint(p, &paints[2]));
    lade_arena_destroy(owner);
}

static long double reals[300];

static precise *make_precise(void)
{
    static precise p;
    p = (precise){.a = 1 + ldexpl(1, -60), .many = reals, .maybe = &reals[2], .nmany = 3};
    const long double fixed[7] = {-0.0L,           INFINITY,          -INFINITY,          0.1F,
                                  ldexpl(3, 9000), ldexpl(1, -16000), -1 - ldexpl(1, -63)};
    memcpy(p.fixed, fixed, sizeof fixed);
    for (int i = 0; i < 300; i++)
        reals[i] = i / 8.0L;
    return &p;
}

/* Never content, however many. */
lade_status golden_write_reals128(lade_file *f)
{
    lade_status status = lade_file_put(f, "precise", precise, make_precise());
    return status ? status
                  : lade_file_put_array_as(f, "array", &lade_scalar_f128, reals, 2,
                                           (size_t[]){2, 150});
}

void golden_check_reals128(lade_file *f)
{
    precise *p;
    long double *array;
    size_t n[2];
    lade_arena *owner = NULL;
    const precise *is = make_precise();
    assert_int_equal(lade_file_get(f, "precise", precise, &p, &owner), LADE_OK);
    assert_true(p->a == is->a && p->nmany == 3 && p->many[2] == 0.25L && *p->maybe == 0.25L);
    for (int i = 0; i < 7; i++)
        assert_true(p->fixed[i] == is->fixed[i]);
    assert_true(signbit(p->fixed[0]));
    assert_int_equal(lade_file_get_array_as(f, "array", &lade_scalar_f128, &array, 2, n, &owner),
                     LADE_OK);
    assert_true(n[0] == 2 && n[1] == 150 && array[299] == 299 / 8.0L);
    lade_arena_destroy(owner);
}

lade_status golden_write_versions(lade_file *f)
{
    static hollow hollows[4];
    shell s = {.maybe = &hollows[0], .many = hollows, .nmany = 4};
    s.inner = (changed){1, 2, 3, 4, 5};
    lade_status status = lade_file_put(f, "shell", shell, &s);
    return status ? status
                  : lade_file_put_records(f, "hollow", hollow, hollows, 1, ((size_t[]){4}));
}

void golden_check_versions(lade_file *f)
{
    shell *s;
    hollow *h;
    size_t n;
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_get(f, "shell", shell, &s, &owner), LADE_OK);
    assert_true(s->maybe && s->many && s->nmany == 4);
    assert_true(s->inner.kept == 1 && s->inner.added == 2 && s->inner.removed == 6);
    assert_true(s->inner.later == 4 && s->inner.cache == -1);
    assert_int_equal(lade_file_get_records(f, "hollow", hollow, &h, 1, &n, &owner), LADE_OK);
    assert_int_equal(n, 4);
    lade_arena_destroy(owner);
}
