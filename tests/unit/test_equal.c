/* Comparison and hashes. LADE_TEST_SEED=<number> repeats a run of the random ones. */
#include "support.h"

#include "city_types.h"
#include "graph_types.h"
#include "random_types.h"

#include <stdlib.h>

#include <xxhash.h>

enum { ROUNDS = TEST_SANITIZED ? 150 : 300, BUDGET = 120, MOST = 2000, CHANGES = 20 };
enum { DEPTH = TEST_SANITIZED ? 1000000 : 10000000, SHORTER = 200000 };

/* clang-format off */
typedef struct { float f; double d; double _Complex z; double hidden; } numbers;
LADE_STRUCT(numbers, (value, f), (value, d), (value, z))
typedef struct { const char *t; char code[6]; double *v; uint8_t nv; float *o; } parts;
LADE_STRUCT(parts, (text, t), (fixed_text, code), (vector, v, nv), (optional, o))
/* clang-format on */

typedef struct chain chain;
struct chain {
    chain *next;
    uint32_t id;
};
LADE_STRUCT(chain, (ref, next, chain), (value, id))

static uint64_t seed;

static void equal(const lade_type *type, const void *a, const void *b)
{
    lade_comparison c;
    lade_digest x;
    lade_digest y;
    assert_status(lade_equal_as(type, a, b, &c, NULL), LADE_OK);
    assert_string_equal(c.path, "");
    assert_true(c.equal);
    assert_status(lade_hash_as(type, a, &x, NULL), LADE_OK);
    assert_status(lade_hash_as(type, b, &y, NULL), LADE_OK);
    assert_true(x.low == y.low && x.high == y.high);
}

static void differs(const lade_type *type, const void *a, const void *b, const char *where)
{
    lade_digest x;
    lade_digest y;
    for (int turn = 0; turn < 2; turn++) {
        lade_comparison c;
        assert_status(lade_equal_as(type, turn ? b : a, turn ? a : b, &c, NULL), LADE_OK);
        assert_string_equal(c.path, where);
        assert_false(c.equal);
    }
    assert_status(lade_hash_as(type, a, &x, NULL), LADE_OK);
    assert_status(lade_hash_as(type, b, &y, NULL), LADE_OK);
    assert_false(x.low == y.low && x.high == y.high);
}

/* Changes one place of a copy of the small city at a time. */
static void every_kind_of_difference(void **state)
{
    (void)state;
    city *c = NULL;
    lade_arena *owner = NULL;
    assert_status(lade_copy(city, city_small(), &c, &owner, NULL), LADE_OK);
    equal(&lade_type_city, city_small(), c);
    double level = 0;
#define CHANGE(place, value, path)                              \
    do {                                                        \
        unsigned char saved[sizeof(place)];                     \
        memcpy(saved, &(place), sizeof saved);                  \
        (place) = (value);                                      \
        differs(&lade_type_city, city_small(), c, "city" path); \
        memcpy(&(place), saved, sizeof saved);                  \
        equal(&lade_type_city, city_small(), c);                \
    } while (0)
    CHANGE(c->version, 4, ".version");
    CHANGE(c->title, NULL, ".title");
    CHANGE(c->title[2], 'b', ".title");
    CHANGE(c->cells[17].q, 99, ".cells[17].q");
    CHANGE(c->cells[17].ground, AIR, ".cells[17].ground");
    CHANGE(c->cells[17].label, NULL, ".cells[17].label");
    CHANGE(c->cells[17].paths[2].cost, -1, ".cells[17].paths[2].cost");
    CHANGE(c->cells[17].paths[1].open, false, ".cells[17].paths[1].open");
    CHANGE(c->cells[17].paths[1].to, NULL, ".cells[17].paths[1].to");
    CHANGE(c->cells[17].paths[1].to, &c->cells[3], ".cells[17].paths[1].to");
    CHANGE(c->cells[17].npaths, 2, ".cells[17].paths");
    CHANGE(c->heights[29], 0, ".heights[29]");
    CHANGE(c->image[4199], 0, ".image[4199]");
    CHANGE(c->flags[1], true, ".flags[1]");
    CHANGE(c->table[1][0], 5, ".table[40]");
    CHANGE(c->capital, NULL, ".capital");
    CHANGE(c->capital, &c->cells[8], ".capital");
    CHANGE(c->centre.code[0], 'M', ".centre.code");
    CHANGE(c->centre.level, &level, ".centre.level");
    CHANGE(c->centre.parts[1].code[0], 'P', ".centre.parts[1].code");
    CHANGE(*c->centre.parts[2].level, 1, ".centre.parts[2].level");
    CHANGE(c->centre.parts[0].up, c->centre.up, ".centre.parts[0].up");
    CHANGE(c->centre.up->code[1], 'P', ".centre.up.code");
    CHANGE(c->centre.up->up, NULL, ".centre.up.up");
#undef CHANGE
    lade_arena_destroy(owner);
}

static void numbers_by_their_bits(void **state)
{
    (void)state;
    numbers a;
    numbers b;
    memset(&a, 0xEE, sizeof a);
    memset(&b, 0x11, sizeof b);
    a.f = b.f = 1.5F;
    double nan = 0.0;
    memset(&nan, 0xFF, sizeof nan);
    a.d = b.d = nan;
    memset(&a.z, 0, sizeof a.z);
    memset(&b.z, 0, sizeof b.z);
    equal(&lade_type_numbers, &a, &b);
    memset(&b.d, 0x7F, sizeof b.d);
    differs(&lade_type_numbers, &a, &b, "numbers.d");
    a.d = 0.0;
    b.d = -0.0;
    differs(&lade_type_numbers, &a, &b, "numbers.d");
    b.d = 0.0;
    b.z = 1;
    differs(&lade_type_numbers, &a, &b, "numbers.z");
}

static void texts_and_bodies(void **state)
{
    (void)state;
    double v[2] = {1, 2};
    double w[2] = {1, 3};
    float x = 1;
    float y = 2;
    char one[] = "one";
    char same[] = "one";
    parts a = {one, "ab", v, 2, &x};
    parts b = {same, "ab", v, 2, &x};
    memcpy(b.code, "ab\0cd", 6);
    equal(&lade_type_parts, &a, &b);
    memcpy(a.code, "ab\0cd", 6);
    b.code[2] = '!';
    differs(&lade_type_parts, &a, &b, "parts.code");
    b.code[2] = 0;
    b.t = "";
    differs(&lade_type_parts, &a, &b, "parts.t");
    a.t = NULL;
    differs(&lade_type_parts, &a, &b, "parts.t");
    b.t = NULL;
    b.v = w;
    differs(&lade_type_parts, &a, &b, "parts.v[1]");
    b.nv = 1;
    differs(&lade_type_parts, &a, &b, "parts.v");
    a.nv = b.nv = 0;
    b.v = NULL;
    b.o = &y;
    differs(&lade_type_parts, &a, &b, "parts.o");
    b.o = NULL;
    differs(&lade_type_parts, &a, &b, "parts.o");
    a.o = NULL;
    equal(&lade_type_parts, &a, &b);
}

/* Refs are equal if they make the same shape, not if they lead to equal things. */
static void shapes_of_graphs(void **state)
{
    (void)state;
    node a[3] = {{1, &a[1], &a[1], NULL}, {2, NULL, NULL, NULL}, {2, NULL, NULL, NULL}};
    node b[3] = {{1, &b[1], &b[2], NULL}, {2, NULL, NULL, NULL}, {2, NULL, NULL, NULL}};
    differs(&lade_type_node, a, b, "node.other");
    b[0].other = &b[1];
    equal(&lade_type_node, a, b);
    a[1].next = a; /* back to the root, or to one that looks like it */
    node root = {1, &b[1], &b[1], NULL};
    b[1].next = &root;
    differs(&lade_type_node, a, b, "node.next.next");
    b[1].next = b;
    equal(&lade_type_node, a, b);
    /* a struct and its first member are two objects */
    outer o[2] = {{{1, &o[0].first}, &o[0], NULL}, {{1, NULL}, &o[1], NULL}};
    inner i = {5, &i};
    inner j = {5, &j};
    o[0].first.self = o[1].first.self = NULL;
    o[0].inside = &i;
    o[1].inside = &j;
    equal(&lade_type_outer, &o[0], &o[1]);
    j.self = NULL;
    differs(&lade_type_outer, &o[0], &o[1], "outer.inside.self");
}

static void pools(void **state)
{
    (void)state;
    node nodes[2][3] = {{{0}}};
    mesh m[2] = {{0}};
    node out = {7, NULL, NULL, NULL};
    lade_comparison c;
    for (int s = 0; s < 2; s++) {
        m[s].nodes = nodes[s];
        m[s].nnodes = 3;
        for (int i = 0; i < 3; i++)
            nodes[s][i].id = 7; /* all alike */
        m[s].top = &nodes[s][1];
    }
    equal(&lade_type_mesh, &m[0], &m[1]);
    m[1].top = &nodes[1][2]; /* another place */
    differs(&lade_type_mesh, &m[0], &m[1], "mesh.top");
    m[1].top = &out; /* the same object, outside */
    assert_status(lade_equal(mesh, &m[0], &m[1], &c, NULL), LADE_OK);
    assert_true(c.equal);
    out.id = 8;
    assert_status(lade_equal(mesh, &m[0], &m[1], &c, NULL), LADE_OK);
    assert_string_equal(c.path, "mesh.top.id");
    out.id = 7;
    m[0].last = &nodes[0][1];
    m[1].last = &nodes[1][1]; /* one object there, two here */
    assert_status(lade_equal(mesh, &m[0], &m[1], &c, NULL), LADE_OK);
    assert_string_equal(c.path, "mesh.last");
    m[1].last = &out;
    assert_status(lade_equal(mesh, &m[0], &m[1], &c, NULL), LADE_OK);
    assert_true(c.equal);
    m[1].nnodes = 2;
    assert_status(lade_equal(mesh, &m[0], &m[1], &c, NULL), LADE_OK);
    assert_string_equal(c.path, "mesh.nodes");
}

static void arrays(void **state)
{
    (void)state;
    const size_t shape[2] = {2, 3};
    const size_t three = 3;
    const size_t none = 0;
    int32_t a[6] = {1, 2, 3, 4, 5, 6};
    int32_t b[6] = {1, 2, 3, 4, 5, 6};
    node x[3];
    node y[3];
    lade_comparison c;
    lade_digest h[2];
    assert_status(lade_equal_array(a, b, 2, shape, &c, NULL), LADE_OK);
    assert_true(c.equal);
    assert_status(lade_hash_array(a, 2, shape, &h[0], NULL), LADE_OK);
    b[4] = 0;
    assert_status(lade_equal_array(a, b, 2, shape, &c, NULL), LADE_OK);
    assert_string_equal(c.path, "i32[4]");
    assert_status(lade_hash_array(b, 2, shape, &h[1], NULL), LADE_OK);
    assert_true(h[0].low != h[1].low);
    for (int i = 0; i < 3; i++) {
        x[i] = (node){i, &x[(i + 1) % 3], NULL, NULL};
        y[i] = (node){i, &y[(i + 1) % 3], NULL, NULL};
    }
    assert_status(lade_equal_records(node, x, y, 1, &three, &c, NULL), LADE_OK);
    assert_true(c.equal);
    assert_status(lade_hash_records(node, x, 1, &three, &h[0], NULL), LADE_OK);
    assert_status(lade_hash_records(node, y, 1, &three, &h[1], NULL), LADE_OK);
    assert_true(h[0].low == h[1].low && h[0].high == h[1].high);
    y[1].next = y;
    assert_status(lade_equal_records(node, x, y, 1, &three, &c, NULL), LADE_OK);
    assert_string_equal(c.path, "node[1].next");
    assert_status(lade_equal_as(&lade_type_node, NULL, y, &c, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_equal_as(&lade_type_node, x, NULL, &c, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_equal_as(&lade_type_node, x, y, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_equal_as(NULL, x, y, &c, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_hash_as(&lade_type_node, x, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_equal_array_as(&lade_type_node, NULL, NULL, 1, &none, &c, NULL), LADE_OK);
    assert_true(c.equal);
}

/* What cannot be is an error, found with its place; the result is not touched. */
static void what_is_refused(void **state)
{
    (void)state;
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_comparison c = {.path = "mine"};
    city *broken = NULL;
    lade_arena *owner = NULL;
    assert_status(lade_copy(city, city_small(), &broken, &owner, NULL), LADE_OK);
    broken->cells[4].paths = NULL;
    assert_status(lade_equal(city, city_small(), broken, &c, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "city.cells[4].paths");
    assert_string_equal(c.path, "mine");
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

static lade_digest hash_of_message(const lade_type *type, const void *value)
{
    lade_buffer buffer = {0};
    lade_context ctx = {.bare = true, .interpret = true};
    assert_status(lade_encode_as(type, value, &buffer, &ctx), LADE_OK);
    XXH128_hash_t h = XXH3_128bits(buffer.data, buffer.size);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    return (lade_digest){h.low64, h.high64};
}

/* Equal exactly if the canonical bytes are, pools in equal places or not. */
static void check_damage(const lade_type *type, const void *value, bool pools, uint64_t *random)
{
    lade_context ctx = {.bare = true, .interpret = true, .limits.max_bytes = 64 << 20};
    lade_buffer buffer = {0};
    lade_buffer again = {0};
    assert_status(lade_encode_as(type, value, &buffer, &ctx), LADE_OK);
    for (int k = 0; k < CHANGES && buffer.size; k++) {
        void *out = NULL;
        lade_arena *owner = NULL;
        lade_comparison c;
        size_t at = (size_t)(test_random(random) % buffer.size);
        uint8_t old = buffer.data[at];
        buffer.data[at] = (uint8_t)(test_random(random) >> 20);
        if (lade_decode_as(type, buffer.data, buffer.size, &out, &owner, &ctx) == LADE_OK) {
            assert_status(lade_equal_as(type, value, out, &c, &ctx), LADE_OK);
            bool same = buffer.data[at] == old;
            assert_true(c.equal == same || (c.equal && pools));
            assert_true(c.equal == (c.path[0] == 0));
            assert_true(c.equal || strncmp(c.path, type->name, strlen(type->name)) == 0);
        }
        lade_arena_destroy(owner);
        buffer.data[at] = old;
    }
    lade_buffer_fini(&buffer);
    lade_buffer_fini(&again);
    lade_context_fini(&ctx);
}

static void random_types_and_values(void **state)
{
    (void)state;
    uint64_t random = seed;
    for (int round = 0; round < ROUNDS; round++) {
        random_types types;
        random_values values;
        random_types_make(&types, test_random(&random));
        const lade_type *type = &types.types[0];
        for (int k = 0; k < 3; k++) {
            void *value = random_values_make(&values, &types, BUDGET);
            void *copy = NULL;
            lade_arena *owner = NULL;
            lade_digest digest;
            lade_digest expected = hash_of_message(type, value);
            assert_status(lade_copy_as(type, value, &copy, &owner, NULL), LADE_OK);
            equal(type, value, copy);
            equal(type, value, value);
            assert_status(lade_hash_as(type, value, &digest, NULL), LADE_OK);
            assert_true(digest.low == expected.low && digest.high == expected.high);
            check_damage(type, value, types.pools, &random);
            lade_arena_destroy(owner);
            random_values_free(&values);
        }
    }
}

static void the_nth_allocation_fails(void **state)
{
    (void)state;
    city *copy = NULL;
    lade_arena *owner = NULL;
    assert_status(lade_copy(city, city_small(), &copy, &owner, NULL), LADE_OK);
    for (int hash = 0; hash < 2; hash++) {
        test_memory m;
        test_memory_init(&m);
        lade_status status = LADE_ERR_MEMORY;
        size_t n = 1;
        for (; status != LADE_OK && n < MOST; n++) {
            lade_context ctx = {.allocator = &m.allocator};
            lade_comparison c = {.path = "mine"};
            lade_digest digest = {1, 2};
            test_memory_restart(&m, n);
            status = hash ? lade_hash(city, copy, &digest, &ctx)
                          : lade_equal(city, city_small(), copy, &c, &ctx);
            m.fail_at = 0;
            lade_context_fini(&ctx);
            test_memory_check(&m);
            if (status != LADE_OK) {
                assert_status(status, LADE_ERR_MEMORY);
                assert_string_equal(c.path, "mine");
                assert_true(digest.low == 1 && digest.high == 2);
            }
        }
        assert_int_equal(status, LADE_OK);
        assert_true(n > 10);
    }
    lade_arena_destroy(owner);
}

typedef struct work {
    chain *a, *b;
    lade_comparison c;
    lade_status status;
} work;

static void run(void *user)
{
    work *w = user;
    w->status = lade_equal(chain, w->a, w->b, &w->c, NULL);
}

static void long_chains(void **state)
{
    (void)state;
    chain *nodes[2];
    for (int s = 0; s < 2; s++) {
        nodes[s] = calloc(DEPTH, sizeof *nodes[s]);
        assert_non_null(nodes[s]);
        for (uint32_t i = 0; i < DEPTH; i++)
            nodes[s][i] = (chain){i + 1 < DEPTH ? &nodes[s][i + 1] : NULL, i};
    }
    work w = {.a = nodes[0], .b = nodes[1]};
    test_on_small_stack(run, &w);
    assert_status(w.status, LADE_OK);
    assert_true(w.c.equal);
    nodes[1][3].id = 0;
    test_on_small_stack(run, &w);
    assert_string_equal(w.c.path, "chain.next.next.next.id");
    nodes[1][3].id = 3;
    nodes[0][SHORTER].next = nodes[1][SHORTER].next =
        NULL; /* each step of the path is one more walk */
    nodes[1][SHORTER].id = 0;
    test_on_small_stack(run, &w);
    assert_false(w.c.equal);
    assert_string_equal(w.c.path, "chain...next.next.next.next.next.next.next.next.id");
    free(nodes[0]);
    free(nodes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_difference),
        cmocka_unit_test(numbers_by_their_bits),
        cmocka_unit_test(texts_and_bodies),
        cmocka_unit_test(shapes_of_graphs),
        cmocka_unit_test(pools),
        cmocka_unit_test(arrays),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(random_types_and_values),
        cmocka_unit_test(the_nth_allocation_fails),
        cmocka_unit_test(long_chains),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
