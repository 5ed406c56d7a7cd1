/* Records and shapes of structs, through memory by surrogate and by plan. */
#include "support.h"

#include <stdlib.h>

/* clang-format off */
typedef struct { double x; int32_t y; } point;          /* padded at its end */
typedef struct { int8_t a; int64_t b; int16_t c; } holes; /* padded inside */
typedef struct { double x, y; } dense;
LADE_STRUCT(point, (value, x), (value, y))
LADE_STRUCT(holes, (value, a), (value, b), (value, c))
LADE_STRUCT(dense, (value, x), (value, y))

typedef struct { char *name; point at; } place;
LADE_STRUCT(place, (text, name), (record, at, point))

typedef struct {
    point one; point row[3]; point table[2][3]; holes h[4]; dense d[2][2]; dense many[300];
    place p; place ps[2];
} records;
LADE_STRUCT(records,
    (record, one, point), (record, row, point), (record, table, point), (record, h, holes),
    (record, d, dense), (record, many, dense), (record, p, place), (record, ps, place))

typedef struct { bool only; } one_byte;
LADE_STRUCT(one_byte, (value, only))

typedef struct { int32_t before; int32_t a; int32_t gap; double b; void *user; int16_t c, after; } partly;
LADE_STRUCT(partly, (value, a), (value, b), (value, c))
typedef struct { double b; int32_t a; int32_t tail; } partly_tail;
LADE_STRUCT(partly_tail, (value, b), (value, a))
typedef struct { int32_t a; int32_t gap; double b; } partly_gap;
LADE_STRUCT(partly_gap, (value, a), (value, b))
typedef struct { size_t n, m, k; partly *list; partly_tail *tails; partly_gap *gaps; } partlies;
LADE_STRUCT(partlies,
    (vector, list, n, partly), (vector, tails, m, partly_tail), (vector, gaps, k, partly_gap))

typedef struct { double y, x; int16_t w, z; } reordered;
LADE_STRUCT(reordered, (value, x), (value, z), (value, w), (value, y))
typedef struct { reordered *many; unsigned n; reordered few[3]; dense *d; unsigned m; } reorders;
LADE_STRUCT(reorders, (vector, many, n, reordered), (record, few, reordered), (vector, d, m, dense))

#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define HUNDRED(X) TEN(X, f0) TEN(X, f1) TEN(X, f2) TEN(X, f3) TEN(X, f4) TEN(X, f5) TEN(X, f6) \
    TEN(X, f7) TEN(X, f8) TEN(X, f9)
#define MEMBER(name) int16_t name;
typedef struct { HUNDRED(MEMBER) } hundred;
#define V(name) (value, name)
#define TEN_FIELDS(t) V(t##0), V(t##1), V(t##2), V(t##3), V(t##4), V(t##5), V(t##6), V(t##7), \
    V(t##8), V(t##9)
LADE_STRUCT(hundred,
    TEN_FIELDS(f0), TEN_FIELDS(f1), TEN_FIELDS(f2), TEN_FIELDS(f3), TEN_FIELDS(f4),
    TEN_FIELDS(f5), TEN_FIELDS(f6), TEN_FIELDS(f7), TEN_FIELDS(f8), TEN_FIELDS(f9))

typedef struct { holes *h; uint32_t n; holes in[3]; } padded;
LADE_STRUCT(padded, (vector, h, n, holes), (record, in, holes))
/* clang-format on */

#define SAME(T, a, b, field) assert_memory_equal(&(a)->field, &(b)->field, sizeof((T *)0)->field)

static void fill(void *memory, size_t size, unsigned seed)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(seed + i * 7 + i / 251);
}

static void same_point(const point *a, const point *b)
{
    assert_true(a->x == b->x);
    assert_int_equal(a->y, b->y);
}

static void fixed_arrays_of_records(void **state)
{
    (void)state;
    records *in = calloc(1, sizeof *in);
    assert_non_null(in);
    in->one = (point){1.5, -2};
    for (int i = 0; i < 3; i++)
        in->row[i] = (point){i, 10 - i};
    for (int i = 0; i < 6; i++)
        in->table[i / 3][i % 3] = (point){i * 0.25, i};
    for (int i = 0; i < 4; i++)
        in->h[i] = (holes){(int8_t)i, i * 1000000007LL, (int16_t)-i};
    for (int i = 0; i < 4; i++)
        in->d[i / 2][i % 2] = (dense){i, -i};
    for (int i = 0; i < 300; i++)
        in->many[i] = (dense){i * 3, i * 5};
    in->p.at = (point){4, 4};
    in->ps[0] = (place){(char[]){"first"}, {7, 8}};
    in->ps[1] = (place){(char[]){""}, {9, 10}};
    lade_arena *owner = NULL;
    const records *out = ROUND_TRIP(records, in, &owner);
    same_point(&in->one, &out->one);
    for (int i = 0; i < 3; i++)
        same_point(&in->row[i], &out->row[i]);
    for (int i = 0; i < 6; i++)
        same_point(&in->table[i / 3][i % 3], &out->table[i / 3][i % 3]);
    for (int i = 0; i < 4; i++)
        assert_true(in->h[i].a == out->h[i].a && in->h[i].b == out->h[i].b &&
                    in->h[i].c == out->h[i].c);
    SAME(records, in, out, d);
    SAME(records, in, out, many);
    assert_null(out->p.name);
    same_point(&in->p.at, &out->p.at);
    assert_string_equal(out->ps[0].name, "first");
    assert_string_equal(out->ps[1].name, "");
    same_point(&in->ps[1].at, &out->ps[1].at);
    lade_arena_destroy(owner);
    free(in);
}

static void structs_of_one_byte_and_of_a_hundred_fields(void **state)
{
    (void)state;
    lade_arena *owner = NULL;
    one_byte tiny = {true};
    assert_true(ROUND_TRIP(one_byte, &tiny, &owner)->only);
    test_bytes(&lade_type_one_byte, &tiny, (const uint8_t[]){1}, 1);
    lade_arena_destroy(owner);
    owner = NULL;
    hundred in;
    fill(&in, sizeof in, 1);
    const hundred *out = ROUND_TRIP(hundred, &in, &owner);
    assert_int_equal(lade_type_hundred.field_count, 100);
    assert_memory_equal(&in, out, sizeof in);
    lade_arena_destroy(owner);
}

static void members_not_listed_are_zero_after_a_load(void **state)
{
    (void)state;
    enum { N = 40 };
    partly list[N];
    partly_tail tails[N];
    partly_gap gaps[N];
    for (int i = 0; i < N; i++) {
        list[i] = (partly){1, i, 2, i * 0.5, list, (int16_t)i, 3};
        tails[i] = (partly_tail){i * 2.0, i, 77};
        gaps[i] = (partly_gap){i, 77, i * 4.0};
    }
    partlies in = {N, N, N, list, tails, gaps};
    lade_arena *owner = NULL;
    const partlies *out = ROUND_TRIP(partlies, &in, &owner);
    for (int i = 0; i < N; i++) {
        const partly *p = &out->list[i];
        assert_true(p->a == i && p->b == i * 0.5 && p->c == i);
        assert_true(p->before == 0 && p->gap == 0 && p->user == NULL && p->after == 0);
        assert_true(out->tails[i].b == i * 2.0 && out->tails[i].a == i);
        assert_int_equal(out->tails[i].tail, 0);
        assert_true(out->gaps[i].a == i && out->gaps[i].b == i * 4.0);
        assert_int_equal(out->gaps[i].gap, 0);
    }
    lade_arena_destroy(owner);
}

static void order_of_the_list_is_free(void **state)
{
    (void)state;
    enum { N = 500 };
    reordered *many = malloc(N * sizeof *many);
    dense *d = malloc(N * sizeof *d);
    assert_true(many && d);
    for (int i = 0; i < N; i++) {
        many[i] = (reordered){i, i + 0.5, (int16_t)i, (int16_t)-i};
        d[i] = (dense){i, i};
    }
    reorders in = {many, N, {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, d, N};
    lade_arena *owner = NULL;
    const reorders *out = ROUND_TRIP(reorders, &in, &owner);
    for (int i = 0; i < N; i++) {
        const reordered *r = &out->many[i];
        assert_true(r->y == i && r->x == i + 0.5 && r->w == i && r->z == -i);
        assert_true(out->d[i].x == i && out->d[i].y == i);
    }
    assert_true(out->few[2].y == 9 && out->few[2].x == 10);
    assert_true(out->few[2].w == 11 && out->few[2].z == 12);
    lade_arena_destroy(owner);
    free(many);
    free(d);
}

/* Padding is allocated but never set: valgrind reports any use, and its bytes differ. */
static void padding_changes_no_bytes(void **state)
{
    (void)state;
    lade_buffer buffers[2] = {{0}};
    for (int round = 0; round < 2; round++) {
        padded in = {.n = 5};
        in.h = malloc(in.n * sizeof *in.h);
        assert_non_null(in.h);
        memset(in.h, round ? 0xFF : 0x11, in.n * sizeof *in.h);
        memset(in.in, round ? 0xEE : 0x22, sizeof in.in);
        for (uint32_t i = 0; i < in.n; i++) {
            in.h[i].a = (int8_t)i;
            in.h[i].b = i * 3;
            in.h[i].c = (int16_t)(i * 5);
        }
        for (int i = 0; i < 3; i++) {
            in.in[i].a = (int8_t)(i + 100);
            in.in[i].b = i + 200;
            in.in[i].c = (int16_t)(i + 300);
        }
        assert_int_equal(lade_encode(padded, &in, &buffers[round], NULL), LADE_OK);
        lade_arena *owner = NULL;
        const padded *out = ROUND_TRIP(padded, &in, &owner);
        for (uint32_t i = 0; i < in.n; i++)
            assert_true(out->h[i].a == in.h[i].a && out->h[i].b == in.h[i].b &&
                        out->h[i].c == in.h[i].c);
        assert_int_equal(out->in[2].c, 302);
        lade_arena_destroy(owner);
        free(in.h);
    }
    assert_int_equal(buffers[0].size, buffers[1].size);
    assert_memory_equal(buffers[0].data, buffers[1].data, buffers[0].size);
    lade_buffer_fini(&buffers[0]);
    lade_buffer_fini(&buffers[1]);
}

static void booleans_are_0_or_1(void **state)
{
    (void)state;
    test_refused(&lade_type_one_byte, (const uint8_t[]){2}, 1, LADE_ERR_VALUE);
    test_refused(&lade_type_one_byte, (const uint8_t[]){0x80}, 1, LADE_ERR_VALUE);
    test_refused(&lade_type_one_byte, (const uint8_t[]){1, 0}, 2, LADE_ERR_FORMAT);
    test_refused(&lade_type_one_byte, "", 0, LADE_ERR_TRUNCATED);
}

/* Dense records inside one another, as deep as anyone likes; the innermost in another order than in
 * memory, so that its bytes are gathered. */
static void dense_records_nested_deep(void **state)
{
    (void)state;
    enum { DEEP = 150 };
    static char names[DEEP][8];
    static lade_type types[DEEP];
    static lade_field fields[DEEP][2];
    fields[0][0] =
        (lade_field){.name = "b", .kind = LADE_KIND_VALUE, .scalar = LADE_I32, .offset = 4};
    fields[0][1] = (lade_field){.name = "a", .kind = LADE_KIND_VALUE, .scalar = LADE_I32};
    for (int i = 0; i < DEEP; i++) {
        names[i][0] = (char)('a' + i / 26);
        names[i][1] = (char)('a' + i % 26);
        if (i)
            fields[i][0] =
                (lade_field){.name = "in", .kind = LADE_KIND_RECORD, .type = &types[i - 1]};
        types[i] = (lade_type){
            .name = names[i], .size = 8, .align = 4, .fields = fields[i], .field_count = i ? 1 : 2};
    }
    const int32_t in[2] = {1, 2};
    static const uint8_t bytes[] = {2, 0, 0, 0, 1, 0, 0, 0};
    static const int depths[] = {0, 1, 62, 63, 64, 65, DEEP - 1};
    for (size_t i = 0; i < COUNT_OF(depths); i++) {
        test_bytes(&types[depths[i]], in, bytes, sizeof bytes);
        lade_arena *owner = NULL;
        const int32_t *out = test_round_trip(&types[depths[i]], in, &owner);
        assert_true(out[0] == 1 && out[1] == 2);
        lade_arena_destroy(owner);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_arrays_of_records),
        cmocka_unit_test(structs_of_one_byte_and_of_a_hundred_fields),
        cmocka_unit_test(members_not_listed_are_zero_after_a_load),
        cmocka_unit_test(order_of_the_list_is_free),
        cmocka_unit_test(padding_changes_no_bytes),
        cmocka_unit_test(dense_records_nested_deep),
        cmocka_unit_test(booleans_are_0_or_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
