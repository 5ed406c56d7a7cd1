/* The exact bytes of small messages, worked out by hand from surrogate.h, memory.c and plan.h. */
#include "support.h"

#include <stdlib.h>

/* clang-format off */
typedef struct { char *s; } one_text;
LADE_STRUCT(one_text, (text, s))
typedef struct { int16_t a; bool b; uint32_t c; float f; double d; } mixed;
LADE_STRUCT(mixed, (value, a), (value, b), (value, c), (value, f), (value, d))
typedef struct node node;
struct node { uint8_t id; node *next; };
LADE_STRUCT(node, (value, id), (ref, next, node))
typedef struct { uint8_t *v; uint64_t n; } bytes;
LADE_STRUCT(bytes, (vector, v, n))
typedef struct { char name[4]; } name4;
LADE_STRUCT(name4, (fixed_text, name))
typedef struct tree tree;
struct tree { uint8_t id; tree *kids; uint8_t n; };
LADE_STRUCT(tree, (value, id), (vector, kids, n, tree))
typedef struct chain chain;
struct chain { uint8_t id; chain *next; };
LADE_STRUCT(chain, (value, id), (optional, next, chain))
typedef struct { uint8_t id; node *to; } edge;
LADE_STRUCT(edge, (value, id), (ref, to, node))
typedef struct { node *nodes; uint32_t n; edge *edges; uint32_t m; node *top; } mesh;
LADE_STRUCT(mesh, (pool, nodes, n, node), (vector, edges, m, edge), (ref, top, node))
typedef struct { uint8_t **unused; double *w; uint32_t n; double *best; } weights;
LADE_STRUCT(weights, (pool, w, n), (ref, best, double))
typedef struct { uint16_t a; uint8_t b; } three;
LADE_STRUCT(three, (value, a), (value, b))
typedef struct { three *t; uint8_t n; uint8_t *r; uint8_t m; double d[2]; } inner;
LADE_STRUCT(inner, (vector, t, n, three), (optional, r), (value, d))
/* clang-format on */

/* The first byte's trailing zeros, plus one, are the length. */
static const struct {
    uint64_t value;
    uint8_t bytes[9];
    size_t size;
} varints[] = {
    {0, {0x01}, 1},
    {1, {0x03}, 1},
    {127, {0xff}, 1},
    {128, {0x02, 0x02}, 2},
    {(1u << 14) - 1, {0xfe, 0xff}, 2},
    {1u << 14, {0x04, 0x00, 0x02}, 3},
    {(1u << 21) - 1, {0xfc, 0xff, 0xff}, 3},
    {1u << 21, {0x08, 0x00, 0x00, 0x02}, 4},
    {(1u << 28) - 1, {0xf8, 0xff, 0xff, 0xff}, 4},
    {1u << 28, {0x10, 0x00, 0x00, 0x00, 0x02}, 5},
    {(1ull << 35) - 1, {0xf0, 0xff, 0xff, 0xff, 0xff}, 5},
    {1ull << 35, {0x20, 0, 0, 0, 0, 0x02}, 6},
    {(1ull << 42) - 1, {0xe0, 0xff, 0xff, 0xff, 0xff, 0xff}, 6},
    {1ull << 42, {0x40, 0, 0, 0, 0, 0, 0x02}, 7},
    {(1ull << 49) - 1, {0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 7},
    {1ull << 49, {0x80, 0, 0, 0, 0, 0, 0, 0x02}, 8},
    {(1ull << 56) - 1, {0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 8},
    {1ull << 56, {0, 0, 0, 0, 0, 0, 0, 0, 1}, 9},
    {UINT64_MAX, {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 9},
    {0x123456789abcdef0, {0, 0xf0, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12}, 9},
};

static void varints_at_every_length(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(varints); i++) {
        uint8_t out[24];
        memset(out, 0xA5, sizeof out);
        uint8_t *end = lade_priv_put_varint(out, varints[i].value);
        assert_int_equal(end - out, varints[i].size);
        assert_memory_equal(out, varints[i].bytes, varints[i].size);
        uint64_t value = 0;
        assert_ptr_equal(lade_priv_get_varint(out, &value), out + varints[i].size);
        assert_true(value == varints[i].value);
    }
}

static void varints_have_one_form(void **state)
{
    (void)state;
    static const uint8_t longer[][9] = {
        {0x02, 0x00},                                        /* 0 in 2 bytes */
        {0xfe, 0x01},                                        /* 127 in 2 */
        {0xfc, 0xff, 0x01},                                  /* 2^14 - 1 in 3 */
        {0x80, 0, 0, 0, 0, 0, 0, 0x01},                      /* less than 2^49 in 8 */
        {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00}, /* 2^56 - 1 in 9 */
        {0},                                                 /* 0 in 9 */
    };
    for (size_t i = 0; i < COUNT_OF(longer); i++) {
        uint8_t message[24] = {0};
        uint64_t value;
        memcpy(message, longer[i], 9);
        assert_null(lade_priv_get_varint(message, &value));
        test_refused(&lade_type_one_text, message, 9, LADE_ERR_FORMAT);
        test_refused(&lade_type_bytes, message, 9, LADE_ERR_FORMAT);
        test_refused(&lade_type_name4, message, 9, LADE_ERR_FORMAT);
    }
}

#define GOLDEN(T, value, ...)                                         \
    test_bytes(&lade_type_##T, value, (const uint8_t[]){__VA_ARGS__}, \
               sizeof(const uint8_t[]){__VA_ARGS__})

static void values_are_little_endian_without_padding(void **state)
{
    (void)state;
    const mixed m = {-2, true, 0x11223344, 1.0F, -0.0};
    GOLDEN(mixed, &m, 0xfe, 0xff, 1, 0x44, 0x33, 0x22, 0x11, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0,
           0x80);
}

static void texts(void **state)
{
    (void)state;
    GOLDEN(one_text, &(one_text){NULL}, 0x01);
    GOLDEN(one_text, &(one_text){(char[]){""}}, 0x03);
    GOLDEN(one_text, &(one_text){(char[]){"ab"}}, 0x07, 'a', 'b');
    char twenty[21] = "twenty characters ok";
    GOLDEN(one_text, &(one_text){twenty}, 21 << 1 | 1, 't', 'w', 'e', 'n', 't', 'y', ' ', 'c', 'h',
           'a', 'r', 'a', 'c', 't', 'e', 'r', 's', ' ', 'o', 'k');
    GOLDEN(name4, &((name4){{'a', 'b', 0, 'x'}}), 2 << 1 | 1, 'a', 'b');
    GOLDEN(name4, &((name4){{'a', 'b', 'c', 'd'}}), 4 << 1 | 1, 'a', 'b', 'c', 'd');
    GOLDEN(name4, &((name4){{0}}), 0x01);
    /* a NUL inside a stored text, a text longer than its member */
    test_refused(&lade_type_one_text,
                 "\x07"
                 "a\0",
                 3, LADE_ERR_VALUE);
    test_refused(&lade_type_name4,
                 "\x05"
                 "a\0",
                 3, LADE_ERR_VALUE);
    test_refused(&lade_type_name4,
                 "\x0b"
                 "abcde",
                 6, LADE_ERR_RANGE);
}

static void vectors_and_optionals_inside(void **state)
{
    (void)state;
    three t[2] = {{0x0102, 3}, {0x0405, 6}};
    uint8_t r = 9;
    const inner in = {t, 2, &r, 0, {0}};
    GOLDEN(inner, &in, 2 << 1 | 1, 2, 1, 3, 5, 4, 6, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
           0, 0);
    const inner none = {NULL, 0, NULL, 0, {0}};
    GOLDEN(inner, &none, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    GOLDEN(bytes, &((bytes){(uint8_t[]){7, 8, 9}, 3}), 3 << 1 | 1, 7, 8, 9);
    GOLDEN(bytes, &((bytes){NULL, 0}), 1);
}

/* Bodies of types that reach themselves follow in the order of their discovery. */
static void deferred_bodies_come_first_in_first_out(void **state)
{
    (void)state;
    tree leaves[3] = {{4, NULL, 0}, {5, NULL, 0}, {6, NULL, 0}};
    tree kids[2] = {{2, leaves, 1}, {3, leaves + 1, 2}};
    const tree root = {1, kids, 2};
    GOLDEN(tree, &root, 1, 5, 2, 3, 3, 5, 4, 1, 5, 1, 6, 1);
    chain c3 = {3, NULL};
    chain c2 = {2, &c3};
    const chain c1 = {1, &c2};
    GOLDEN(chain, &c1, 1, 1, 2, 1, 3, 0);
}

static void refs_are_ids_in_order_of_discovery(void **state)
{
    (void)state;
    node a = {1, NULL};
    node b = {2, &a};
    node c = {3, &b};
    a.next = &c;
    /* the root has id 0; a code is id + 1, and 0 is NULL */
    GOLDEN(node, &a, 1, 2 << 1 | 1, 3, 3 << 1 | 1, 2, 1 << 1 | 1);
    GOLDEN(node, &((node){1, NULL}), 1, 1);
    node self = {1, &self};
    GOLDEN(node, &self, 1, 3);
}

static void pools_come_with_their_counts_first(void **state)
{
    (void)state;
    node nodes[2] = {{10, NULL}, {11, &nodes[0]}};
    node outside = {12, &nodes[1]};
    edge edges[3] = {{20, &nodes[1]}, {21, &outside}, {22, NULL}};
    const mesh m = {nodes, 2, edges, 3, &outside};
    /* count; nodes: id, code of one byte; edges; escape 3 and a code of the table; then outside */
    GOLDEN(mesh, &m, 2 << 1 | 1, 10, 0, 11, 1, 3 << 1 | 1, 20, 2, 21, 3, 3, 22, 0, 3, 3, 12, 2);
    double w[3] = {0, 0, 1};
    GOLDEN(weights, &((weights){NULL, w, 3, &w[2]}), 3 << 1 | 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 3);
    GOLDEN(weights, &((weights){NULL, NULL, 0, NULL}), 1, 0);
}

static void codes_have_as_many_bytes_as_the_pool_needs(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        unsigned count_bytes, width;
    } cases[] = {
        {0, 1, 1},     {1, 1, 1},     {254, 2, 1},           {255, 2, 2},          {65534, 3, 2},
        {65535, 3, 3}, {66000, 3, 3}, {(1 << 24) - 2, 4, 3}, {(1 << 24) - 1, 4, 4}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t n = cases[i].n;
        double *w = calloc(n + 1, sizeof *w);
        assert_non_null(w);
        weights in = {NULL, n ? w : NULL, n, n ? w + n - 1 : NULL};
        lade_context ctx = {.bare = true};
        lade_buffer buffer = {0};
        assert_int_equal(lade_encode(weights, &in, &buffer, &ctx), LADE_OK);
        assert_int_equal(buffer.size, cases[i].count_bytes + cases[i].width + 8 * (size_t)n);
        size_t at = n < 512 ? buffer.size - cases[i].width : cases[i].count_bytes;
        uint32_t code = 0;
        memcpy(&code, buffer.data + at, cases[i].width);
        assert_int_equal(code, n);
        weights *out = NULL;
        lade_arena *owner = NULL;
        assert_int_equal(lade_decode(weights, buffer.data, buffer.size, &out, &owner, &ctx),
                         LADE_OK);
        assert_ptr_equal(out->best, n ? out->w + n - 1 : NULL);
        lade_arena_destroy(owner);
        lade_buffer_fini(&buffer);
        lade_context_fini(&ctx);
        free(w);
    }
}

static void content_is_what_has_4096_bytes(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        lade_size content, segments;
    } cases[] = {{4095, 0, 0}, {4096, 4096, 1}, {10000, 10000, 1}};
    uint8_t data[10000];
    memset(data, 'x', sizeof data);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bytes in = {data, cases[i].n};
        lade_context ctx = {.bare = true};
        lade_buffer buffer = {0};
        assert_int_equal(lade_encode(bytes, &in, &buffer, &ctx), LADE_OK);
        assert_true(ctx.stats.content_bytes == cases[i].content);
        assert_true(ctx.stats.segments == cases[i].segments);
        assert_true(ctx.stats.staged_bytes == 0);
        assert_true(ctx.stats.skeleton_bytes == 2 + cases[i].n - cases[i].content);
        assert_int_equal(buffer.size, 2 + cases[i].n);
        assert_memory_equal(buffer.data + 2, data, cases[i].n);
        lade_buffer_fini(&buffer);
        lade_context_fini(&ctx);
    }
}

static void header_of_40_bytes(void **state)
{
    (void)state;
    static const uint8_t start[8] = {'L', 'A', 'D', 'M', 1, 0, 0, 0};
    lade_buffer buffer = {0};
    lade_fingerprint f;
    bytes in = {calloc(5000, 1), 5000};
    assert_int_equal(lade_fingerprint_of(&lade_type_bytes, &f, NULL), LADE_OK);
    assert_int_equal(lade_encode(bytes, &in, &buffer, NULL), LADE_OK);
    assert_int_equal(buffer.size, 40 + 2 + 5000);
    assert_memory_equal(buffer.data, start, sizeof start);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(buffer.data[8 + i], f.low >> 8 * i & 0xff);
        assert_int_equal(buffer.data[16 + i], f.high >> 8 * i & 0xff);
        assert_int_equal(buffer.data[24 + i], UINT64_C(2) >> 8 * i & 0xff);
        assert_int_equal(buffer.data[32 + i], UINT64_C(5000) >> 8 * i & 0xff);
    }
    size_t extents[2] = {2, 3};
    assert_int_equal(lade_encode_array(in.v, 2, extents, &buffer, NULL), LADE_OK);
    static const uint8_t array[] = {2, 5, 7, 0, 0, 0, 0, 0, 0};
    assert_int_equal(buffer.size, 40 + sizeof array);
    assert_int_equal(buffer.data[5], 1);
    assert_memory_equal(buffer.data + 40, array, sizeof array);
    lade_buffer_fini(&buffer);
    free(in.v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints_at_every_length),
        cmocka_unit_test(varints_have_one_form),
        cmocka_unit_test(values_are_little_endian_without_padding),
        cmocka_unit_test(texts),
        cmocka_unit_test(vectors_and_optionals_inside),
        cmocka_unit_test(deferred_bodies_come_first_in_first_out),
        cmocka_unit_test(refs_are_ids_in_order_of_discovery),
        cmocka_unit_test(pools_come_with_their_counts_first),
        cmocka_unit_test(codes_have_as_many_bytes_as_the_pool_needs),
        cmocka_unit_test(content_is_what_has_4096_bytes),
        cmocka_unit_test(header_of_40_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
