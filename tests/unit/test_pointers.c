/* Fields that are pointers or texts: text, fixed text, vector, pool, optional; refs: test_graph.c.
 */
#include "support.h"

#include <complex.h>
#include <stdlib.h>

/* clang-format off */
typedef struct { char *a; const char *b; char *c; } texts;
LADE_STRUCT(texts, (text, a), (text, b), (text, c))
typedef struct { char name[8]; char one[1]; const char fixed[4]; char big[5000]; int32_t after; } fixed;
LADE_STRUCT(fixed, (fixed_text, name), (fixed_text, one), (fixed_text, fixed), (fixed_text, big),
    (value, after))

typedef struct { int16_t a; int64_t b; } pair; /* padded */
LADE_STRUCT(pair, (value, a), (value, b))
typedef struct { char *key; pair value; } entry;
LADE_STRUCT(entry, (text, key), (record, value, pair))
typedef struct { double x, y, z; } vec3;
LADE_STRUCT(vec3, (value, x), (value, y), (value, z))

typedef struct {
    double *d; uint32_t nd; int *i; long ni; bool *b; size_t nb; float complex *c; int nc;
    const char *bytes; unsigned short nbytes; long *l; uint8_t nl; size_t *s; int8_t ns;
    pair *pairs; int64_t npairs; entry *entries; uint64_t nentries; vec3 *dense; uint16_t ndense;
} vectors;
LADE_STRUCT(vectors,
    (vector, d, nd, double), (vector, i, ni), (vector, b, nb, bool), (vector, c, nc),
    (vector, bytes, nbytes, char), (vector, l, nl), (vector, s, ns, size_t),
    (vector, pairs, npairs, pair), (vector, entries, nentries, entry), (vector, dense, ndense, vec3))

#define COUNTED(T) typedef struct { T n; int32_t *v; } counted_##T; \
    LADE_STRUCT(counted_##T, (vector, v, n))
typedef unsigned char uchar; typedef signed char schar; typedef unsigned short ushort_;
typedef long long llong; typedef unsigned long ulong_; typedef unsigned long long ullong;
typedef enum { NONE, SOME, MORE = 3 } amount;
COUNTED(char) COUNTED(schar) COUNTED(uchar) COUNTED(short) COUNTED(ushort_) COUNTED(int)
COUNTED(unsigned) COUNTED(long) COUNTED(ulong_) COUNTED(llong) COUNTED(ullong) COUNTED(int8_t)
COUNTED(uint8_t) COUNTED(int16_t) COUNTED(uint16_t) COUNTED(int32_t) COUNTED(uint32_t)
COUNTED(int64_t) COUNTED(uint64_t) COUNTED(size_t) COUNTED(amount)

typedef struct { size_t n; double *x; float *y; entry *e; } shared_count;
LADE_STRUCT(shared_count, (vector, x, n), (vector, y, n), (vector, e, n, entry))

typedef struct { double *weight; vec3 *dense; pair *padded; entry *named; bool *flag; vec3 *none; } optionals;
LADE_STRUCT(optionals, (optional, weight), (optional, dense, vec3), (optional, padded, pair),
    (optional, named, entry), (optional, flag, bool), (optional, none, vec3))

typedef struct { pair *p; uint16_t np; double *w; int nw; entry *e; size_t ne; vec3 *nothing; long nn; } pools;
LADE_STRUCT(pools, (pool, p, np, pair), (pool, w, nw), (pool, e, ne, entry), (pool, nothing, nn, vec3))
/* clang-format on */

static char *filled(size_t n)
{
    char *text = malloc(n + 1);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + i % 26);
    text[n] = 0;
    return text;
}

static void same_text(const char *a, const char *b)
{
    if (!a || !b)
        assert_ptr_equal(a, b);
    else
        assert_string_equal(a, b);
}

static void texts_of_every_length(void **state)
{
    (void)state;
    static const size_t lengths[] = {0,   1,    62,   63,    64,     65,     126,    127,
                                     255, 4095, 4096, 16382, 300000, 600000, 1 << 20};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        char *long_one = filled(lengths[i]);
        const texts cases[] = {{NULL, long_one, (char[]){""}},
                               {long_one, NULL, NULL},
                               {long_one, "\xc3\xa9\x7f", long_one}};
        for (size_t k = 0; k < COUNT_OF(cases); k++) {
            lade_arena *owner = NULL;
            const texts *out = ROUND_TRIP(texts, &cases[k], &owner);
            same_text(out->a, cases[k].a);
            same_text(out->b, cases[k].b);
            same_text(out->c, cases[k].c);
            lade_arena_destroy(owner);
        }
        free(long_one);
    }
}

static void fixed_texts(void **state)
{
    (void)state;
    fixed *in = calloc(1, sizeof *in);
    assert_non_null(in);
    memcpy(in->name, "exactly8", 8); /* no NUL */
    in->one[0] = 'x';
    in->after = 7;
    memset(in->big, 'b', sizeof in->big);
    lade_arena *owner = NULL;
    const fixed *out = ROUND_TRIP(fixed, in, &owner);
    assert_memory_equal(out->name, "exactly8", 8);
    assert_int_equal(out->one[0], 'x');
    assert_memory_equal(out->big, in->big, sizeof in->big);
    assert_int_equal(out->after, 7);
    lade_arena_destroy(owner);
    owner = NULL;
    memcpy(in->name, "ab\0junk!", 8); /* what follows a NUL is not stored */
    in->one[0] = 0;
    memset(in->big, 0, 4097);
    out = ROUND_TRIP(fixed, in, &owner);
    assert_memory_equal(out->name, "ab\0\0\0\0\0", 8);
    assert_int_equal(out->one[0], 0);
    for (size_t i = 0; i < sizeof out->big; i++)
        assert_int_equal(out->big[i], 0);
    lade_arena_destroy(owner);
    free(in);
}

static void check_vectors(size_t n, size_t few)
{
    vectors in = {0};
    in.nd = in.ndense = (uint16_t)n;
    in.ni = (long)n;
    in.nb = n;
    in.nc = (int)n;
    in.npairs = (int64_t)n;
    in.nentries = n;
    in.nbytes = (unsigned short)n;
    in.nl = (uint8_t)few;
    in.ns = (int8_t)few;
    in.d = calloc(n, sizeof *in.d);
    in.i = calloc(n, sizeof *in.i);
    in.b = calloc(n, sizeof *in.b);
    in.c = calloc(n, sizeof *in.c);
    in.l = calloc(few, sizeof *in.l);
    in.s = calloc(few, sizeof *in.s);
    in.pairs = calloc(n, sizeof *in.pairs);
    in.entries = calloc(n, sizeof *in.entries);
    in.dense = calloc(n, sizeof *in.dense);
    char *bytes = filled(n);
    in.bytes = bytes;
    for (size_t k = 0; k < n; k++) {
        in.d[k] = (double)k / 3;
        in.i[k] = (int)k - 5;
        in.b[k] = k % 3 == 1;
        in.c[k] = (float)k + 2.5F * I;
        in.pairs[k] = (pair){(int16_t)k, -(int64_t)k};
        in.entries[k] = (entry){k % 4 ? bytes + n - k % 4 % n : NULL, {(int16_t)k, 9}};
        in.dense[k] = (vec3){(double)k, 1, 2};
    }
    for (size_t k = 0; k < few; k++) {
        in.l[k] = -(long)k;
        in.s[k] = SIZE_MAX - k;
    }
    lade_arena *owner = NULL;
    const vectors *out = ROUND_TRIP(vectors, &in, &owner);
    assert_true(out->nd == n && out->ni == (long)n && out->nb == n && out->nc == (int)n);
    assert_true(out->nbytes == n && out->nl == few && out->ns == (int)few);
    assert_true(out->npairs == (int64_t)n && out->nentries == n && out->ndense == n);
    if (n == 0) {
        assert_true(!out->d && !out->i && !out->b && !out->c && !out->bytes);
        assert_true(!out->pairs && !out->entries && !out->dense);
    } else {
        assert_memory_equal(out->d, in.d, n * sizeof *in.d);
        assert_memory_equal(out->i, in.i, n * sizeof *in.i);
        assert_memory_equal(out->b, in.b, n * sizeof *in.b);
        assert_memory_equal(out->c, in.c, n * sizeof *in.c);
        assert_memory_equal(out->bytes, in.bytes, n);
        assert_memory_equal(out->dense, in.dense, n * sizeof *in.dense);
    }
    for (size_t k = 0; k < n; k++) {
        assert_true(out->pairs[k].a == in.pairs[k].a && out->pairs[k].b == in.pairs[k].b);
        same_text(out->entries[k].key, in.entries[k].key);
        assert_int_equal(out->entries[k].value.a, (int16_t)k);
    }
    for (size_t k = 0; k < few; k++)
        assert_true(out->l[k] == in.l[k] && out->s[k] == in.s[k]);
    lade_arena_destroy(owner);
    free(in.d), free(in.i), free(in.b), free(in.c), free(in.l), free(in.s);
    free(in.pairs), free(in.entries), free(in.dense), free(bytes);
}

static void vectors_of_scalars_and_records(void **state)
{
    (void)state;
    check_vectors(0, 0);
    check_vectors(1, 1);
    check_vectors(3, 3);
    check_vectors(200, 127);
    check_vectors(511, 2); /* 8-byte elements: just in the skeleton, then content */
    check_vectors(512, 2);
    check_vectors(5000, 100);
}

static void a_count_of_every_integer_type(void **state)
{
    (void)state;
    int32_t data[] = {1, -2, 3};
    lade_arena *owner;
#define CHECK(T)                                                               \
    {                                                                          \
        counted_##T in = {(T)3, data};                                         \
        owner = NULL;                                                          \
        const counted_##T *out = ROUND_TRIP(counted_##T, &in, &owner);         \
        assert_true(out->n == (T)3 && memcmp(out->v, data, sizeof data) == 0); \
        lade_arena_destroy(owner);                                             \
        counted_##T none = {(T)0, NULL};                                       \
        owner = NULL;                                                          \
        out = ROUND_TRIP(counted_##T, &none, &owner);                          \
        assert_true(out->n == (T)0 && out->v == NULL);                         \
        lade_arena_destroy(owner);                                             \
    }
    /* clang-format off */
    CHECK(char) CHECK(schar) CHECK(uchar) CHECK(short) CHECK(ushort_) CHECK(int) CHECK(unsigned)
    CHECK(long) CHECK(ulong_) CHECK(llong) CHECK(ullong) CHECK(int8_t) CHECK(uint8_t) CHECK(int16_t)
    CHECK(uint16_t) CHECK(int32_t) CHECK(uint32_t) CHECK(int64_t) CHECK(uint64_t) CHECK(size_t)
    CHECK(amount)
    /* clang-format on */
#undef CHECK
}

static void counts_that_cannot_be(void **state)
{
    (void)state;
    int32_t data[2] = {0};
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_error error = {0};
        lade_context ctx = {.error = &error, .interpret = interpret};
        lade_buffer buffer = {0};
        assert_status(lade_encode(counted_int, &((counted_int){-1, data}), &buffer, &ctx),
                      LADE_ERR_VALUE);
        assert_string_equal(error.path, "counted_int.v");
        assert_int_equal(buffer.size, 0);
        assert_status(lade_encode(counted_int8_t, &((counted_int8_t){-128, data}), &buffer, &ctx),
                      LADE_ERR_VALUE);
        assert_status(lade_encode(counted_uint64_t, &((counted_uint64_t){1, NULL}), &buffer, &ctx),
                      LADE_ERR_VALUE);
        assert_status(lade_encode(pools, &((pools){.np = 1}), &buffer, &ctx), LADE_ERR_VALUE);
        assert_status(lade_encode(pools, &((pools){.nw = -1}), &buffer, &ctx), LADE_ERR_VALUE);
        lade_buffer_fini(&buffer);
        lade_context_fini(&ctx);
    }
    /* 200 elements do not fit an int8_t; the bytes are there */
    uint8_t message[2 + 200 * 4] = {0x22, 0x03};
    test_refused(&lade_type_counted_int8_t, message, sizeof message, LADE_ERR_RANGE);
    test_refused(&lade_type_counted_uint8_t, message, sizeof message - 1, LADE_ERR_TRUNCATED);
}

static void vectors_that_share_a_count(void **state)
{
    (void)state;
    double x[3] = {1, 2, 3};
    float y[3] = {4, 5, 6};
    entry e[3] = {{(char[]){"one"}, {1, 1}}, {NULL, {2, 2}}, {(char[]){""}, {3, 3}}};
    shared_count in = {3, x, y, e};
    lade_arena *owner = NULL;
    const shared_count *out = ROUND_TRIP(shared_count, &in, &owner);
    assert_int_equal(out->n, 3);
    assert_memory_equal(out->x, x, sizeof x);
    assert_memory_equal(out->y, y, sizeof y);
    assert_string_equal(out->e[0].key, "one");
    assert_int_equal(out->e[2].value.b, 3);
    lade_arena_destroy(owner);
    uint8_t differ[1 + 8 + 1 + 8] = {1 << 1 | 1, [9] = 2 << 1 | 1};
    test_refused(&lade_type_shared_count, differ, sizeof differ, LADE_ERR_SHAPE);
}

static void optionals_of_scalars_and_records(void **state)
{
    (void)state;
    double w = 2.5;
    vec3 v = {1, 2, 3};
    pair p = {4, 5};
    entry n = {(char[]){"name"}, {6, 7}};
    bool flag = true;
    const optionals cases[] = {{0}, {&w, &v, &p, &n, &flag, NULL}, {.padded = &p, .flag = &flag}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const optionals *in = &cases[i];
        lade_arena *owner = NULL;
        const optionals *out = ROUND_TRIP(optionals, in, &owner);
        assert_true(!in->weight == !out->weight && !in->dense == !out->dense);
        assert_true(!in->padded == !out->padded && !in->named == !out->named);
        assert_true(!in->flag == !out->flag && !out->none);
        assert_true(!out->weight || *out->weight == w);
        assert_true(!out->dense || memcmp(out->dense, &v, sizeof v) == 0);
        assert_true(!out->padded || (out->padded->a == 4 && out->padded->b == 5));
        assert_true(!out->named || strcmp(out->named->key, "name") == 0);
        assert_true(!out->flag || *out->flag);
        lade_arena_destroy(owner);
    }
    static const uint8_t mark[] = {2, 0, 0, 0, 0, 0};
    test_refused(&lade_type_optionals, mark, sizeof mark, LADE_ERR_VALUE);
}

static void pools_without_refs(void **state)
{
    (void)state;
    pair p[600];
    double w[700];
    entry e[2] = {{(char[]){"k"}, {1, 2}}, {NULL, {3, 4}}};
    for (int i = 0; i < 600; i++)
        p[i] = (pair){(int16_t)i, i};
    for (int i = 0; i < 700; i++)
        w[i] = i;
    pools in = {p, 600, w, 700, e, 2, NULL, 0};
    lade_arena *owner = NULL;
    const pools *out = ROUND_TRIP(pools, &in, &owner);
    assert_true(out->np == 600 && out->nw == 700 && out->ne == 2 && out->nn == 0 && !out->nothing);
    for (int i = 0; i < 600; i++)
        assert_true(out->p[i].a == i && out->p[i].b == i);
    assert_memory_equal(out->w, w, sizeof w);
    assert_string_equal(out->e[0].key, "k");
    assert_null(out->e[1].key);
    lade_arena_destroy(owner);
    owner = NULL;
    out = ROUND_TRIP(pools, &(pools){0}, &owner);
    assert_true(!out->p && !out->w && !out->e && !out->np && !out->nw && !out->ne);
    lade_arena_destroy(owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_every_length),
        cmocka_unit_test(fixed_texts),
        cmocka_unit_test(vectors_of_scalars_and_records),
        cmocka_unit_test(a_count_of_every_integer_type),
        cmocka_unit_test(counts_that_cannot_be),
        cmocka_unit_test(vectors_that_share_a_count),
        cmocka_unit_test(optionals_of_scalars_and_records),
        cmocka_unit_test(pools_without_refs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
