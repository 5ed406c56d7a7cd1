/* Ids of addresses: any distribution of them, with the map and without. */
#include "support.h"

#include <stdlib.h>

#include "graph_types.h"
#include "ids.h"

enum { N = 30000 };

static uintptr_t dense(size_t i, uint64_t *random)
{
    (void)random;
    return 0x100000 + i * 16;
}

static uintptr_t smaller_than_a_granule(size_t i, uint64_t *random)
{
    (void)random;
    return 0x100000 + i * 4;
}

static uintptr_t odd_size(size_t i, uint64_t *random)
{
    (void)random;
    return 0x7f0000000008 + i * 24;
}

static uintptr_t packed(size_t i, uint64_t *random)
{
    (void)random;
    return 0x7f0000000001 + i * 17;
}

static uintptr_t falling(size_t i, uint64_t *random)
{
    (void)random;
    return 0x7fffffff0000 - i * 208;
}

static uintptr_t page_each(size_t i, uint64_t *random)
{
    (void)random;
    return 0x555500000000 + i * 4096;
}

static uintptr_t sparse(size_t i, uint64_t *random)
{
    (void)random;
    return 0x10000 + i * (1 << 20);
}

static uintptr_t huge_stride(size_t i, uint64_t *random)
{
    (void)random;
    return (uintptr_t)(i + 1) << (sizeof(uintptr_t) * 8 - 16);
}

static uintptr_t anywhere(size_t i, uint64_t *random)
{
    uintptr_t high = (uintptr_t)test_random(random) << 15;
    return high * N * 2 + i + 1;
}

static uintptr_t ends_of_the_address_space(size_t i, uint64_t *random)
{
    (void)random;
    return i % 2 ? 16 + i * 16 : (uintptr_t)0 - 16 - i * 16;
}

/* a heap, with some on the stack, some static and some of another thread */
static uintptr_t heap_and_others(size_t i, uint64_t *random)
{
    static const uint64_t others[] = {0x7ffc12345678, 0x555555558040, 0x7f3000000010};
    if (test_random(random) % 50 == 0)
        return (uintptr_t)others[test_random(random) % COUNT_OF(others)] + i * 48;
    return 0x55555a000010 + i * 208;
}

typedef uintptr_t address_fn(size_t i, uint64_t *random);
static address_fn *const kinds[] = {dense,          smaller_than_a_granule,
                                    odd_size,       packed,
                                    falling,        page_each,
                                    sparse,         huge_stride,
                                    anywhere,       ends_of_the_address_space,
                                    heap_and_others};

static void shuffle(size_t *order, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)(test_random(random) % i);
        size_t kept = order[k];
        order[k] = order[i - 1];
        order[i - 1] = kept;
    }
}

static const void *pointer(uintptr_t address)
{
    const void *p;
    memcpy(&p, &address, sizeof p);
    return p;
}

/* Mentions n addresses in some order, each again some time after its first mention. */
static void walk(const lade_allocator *a, lade_ids *ids, const uintptr_t *address, size_t n,
                 const size_t *order, uint64_t *random)
{
    for (size_t i = 0; i < n; i++) {
        bool fresh = false;
        assert_int_equal(lade_ids_find(ids, pointer(address[order[i]])), UINT64_MAX);
        assert_int_equal(lade_ids_get(a, ids, pointer(address[order[i]]), &fresh), i);
        assert_true(fresh);
        size_t back = (size_t)(test_random(random) % (i + 1));
        lade_ids_prefetch(ids, pointer(address[order[back]]));
        assert_int_equal(lade_ids_get(a, ids, pointer(address[order[back]]), &fresh), back);
        assert_false(fresh);
    }
    for (size_t i = 0; i < n; i++)
        assert_int_equal(lade_ids_find(ids, pointer(address[order[i]])), i);
    assert_int_equal(ids->count, n);
}

static void turns(const lade_allocator *a, address_fn *kind, uint64_t seed)
{
    uintptr_t *address = malloc(N * sizeof *address);
    size_t *order = malloc(N * sizeof *order);
    lade_ids ids = {0};
    assert_true(address && order);
    for (size_t i = 0; i < N; i++)
        address[i] = kind(i, &seed);
    for (int turn = 0; turn < 5; turn++) {
        size_t n = turn == 2 ? 10 : turn == 3 ? N / 3 : N;
        shuffle(order, N, &seed);
        if (turn == 1)
            for (size_t i = 0; i < N; i++)
                order[i] = i;
        lade_ids_reset(a, &ids);
        walk(a, &ids, address, n, order, &seed);
    }
    lade_ids_free(a, &ids);
    assert_int_equal(lade_ids_find(&ids, pointer(address[0])), UINT64_MAX);
    free(order);
    free(address);
}

static void any_distribution(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); k++)
        turns(NULL, kinds[k], k + 1);
}

static void any_distribution_with_an_allocator(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        test_memory m;
        test_memory_init(&m);
        turns(&m.allocator, kinds[k], k + 1);
        test_memory_check(&m);
    }
}

/* The map is there where it pays, and nowhere else. */
static void a_map_where_it_pays(void **state)
{
    (void)state;
    static const struct {
        address_fn *kind;
        bool map;
    } cases[] = {{dense, true},   {falling, true},      {page_each, true}, {heap_and_others, true},
                 {sparse, false}, {huge_stride, false}, {packed, false},   {anywhere, false}};
    for (size_t k = 0; k < COUNT_OF(cases) && sizeof(void *) == 8; k++) {
        lade_ids ids = {0};
        uint64_t random = 1;
        bool fresh;
        for (size_t i = 0; i < N; i++) {
            uintptr_t address = cases[k].kind(i * 7919 % N, &random);
            lade_ids_get(NULL, &ids, pointer(address), &fresh);
        }
        assert_int_equal(ids.map.span > 0, cases[k].map);
        lade_ids_free(NULL, &ids);
    }
}

/* The base of a map has grown past what its ids can be added to. */
static void the_base_starts_again(void **state)
{
    (void)state;
    lade_ids ids = {0};
    bool fresh;
    for (int turn = 0; turn < 3 && sizeof(void *) == 8; turn++) {
        lade_ids_reset(NULL, &ids);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(lade_ids_get(NULL, &ids, pointer(0x10000 + i * 16), &fresh), i);
        assert_true(ids.map.span > 0);
        if (turn == 0) /* as after many turns; what is in the map now is below it */
            ids.map.base = (1U << 31) - 10;
        if (turn == 1)
            assert_int_equal(ids.map.base, 1);
    }
    lade_ids_free(NULL, &ids);
}

/* A heap that grows as it is walked: the map follows. */
static void a_map_grows(void **state)
{
    (void)state;
    enum { MANY = 20 * N };
    lade_ids ids = {0};
    bool fresh;
    for (size_t i = 0; i < MANY; i++) {
        uintptr_t address = i % 2 ? 0x7f0000000000 + i * 208 : 0x7f0000000000 - i * 208;
        assert_int_equal(lade_ids_get(NULL, &ids, pointer(address), &fresh), i);
        assert_true(fresh);
    }
    for (size_t i = 0; i < MANY; i++) {
        uintptr_t address = i % 2 ? 0x7f0000000000 + i * 208 : 0x7f0000000000 - i * 208;
        assert_int_equal(lade_ids_find(&ids, pointer(address)), i);
    }
    assert_true(sizeof(void *) < 8 || ids.paired < MANY / 4);
    lade_ids_free(NULL, &ids);
}

/* More objects than a map can number. */
static void a_map_gives_way(void **state)
{
    (void)state;
    const uint64_t most = 1ULL << 31;
    lade_ids ids = {0};
    bool fresh;
    for (size_t i = 0; i < N; i++)
        lade_ids_get(NULL, &ids, pointer(0x10000 + i * 16), &fresh);
    assert_true(sizeof(void *) < 8 || ids.map.span > 0);
    ids.count = most; /* as if so many had been found */
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(lade_ids_get(NULL, &ids, pointer(0x10000 + (N + i) * 16), &fresh),
                         most + i);
        assert_int_equal(lade_ids_get(NULL, &ids, pointer(0x10000 + i * 16), &fresh), i);
        assert_false(fresh);
    }
    assert_int_equal(ids.map.span, 0);
    lade_ids_free(NULL, &ids);
}

/* Nodes that stand apart, in shuffled order, each with two refs to some node. */
static node **scattered(size_t n, uint64_t *random)
{
    node **nodes = malloc(n * sizeof *nodes);
    size_t *order = malloc(n * sizeof *order);
    assert_true(nodes && order);
    shuffle(order, n, random);
    for (size_t i = 0; i < n; i++) {
        nodes[order[i]] = calloc(1, sizeof(node) + test_random(random) % 3 * 40);
        assert_non_null(nodes[order[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        nodes[i]->id = (int32_t)i;
        nodes[i]->next = nodes[(i + 1) % n];
        nodes[i]->other = test_random(random) % 9 ? nodes[test_random(random) % n] : NULL;
    }
    free(order);
    return nodes;
}

/* Bytes do not depend on how ids are found: hash only, map, and a map that is there already. */
static void bytes_do_not_depend_on_the_table(void **state)
{
    (void)state;
    uint64_t random = 3;
    test_memory m;
    test_memory_init(&m);
    node **nodes = scattered(N, &random);
    lade_buffer expected = {0};
    lade_context by_hash = {.allocator = &m.allocator};
    lade_context by_map = {0};
    assert_int_equal(lade_encode(node, nodes[0], &expected, &by_hash), LADE_OK);
    for (int turn = 0; turn < 4; turn++) {
        lade_buffer got = {0};
        by_map.interpret = turn == 2;
        assert_int_equal(lade_encode(node, nodes[0], &got, &by_map), LADE_OK);
        assert_int_equal(got.size, expected.size);
        assert_memory_equal(got.data, expected.data, got.size);
        lade_buffer_fini(&got);
    }
    lade_context_fini(&by_map);
    lade_context_fini(&by_hash);
    lade_buffer_fini(&expected);
    for (size_t i = 0; i < N; i++)
        free(nodes[i]);
    free(nodes);
    test_memory_check(&m);
}

/* A struct and its first member are two objects, also where each stands in a map. */
static void first_members_are_apart(void **state)
{
    (void)state;
    outer *all = calloc(N, sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < N; i++) {
        all[i].first.a = (int32_t)i;
        all[i].self = &all[(i + 1) % N];
    }
    lade_context ctx = {0};
    lade_buffer buffer = {0};
    for (int turn = 0; turn < 2; turn++) {
        buffer.size = 0;
        assert_int_equal(lade_encode(outer, all, &buffer, &ctx), LADE_OK);
        lade_arena *arena = NULL;
        outer *loaded = NULL;
        assert_int_equal(lade_decode(outer, buffer.data, buffer.size, &loaded, &arena, &ctx),
                         LADE_OK);
        const outer *at = loaded;
        for (size_t i = 0; i < N; i++, at = at->self)
            assert_int_equal(at->first.a, i);
        assert_ptr_equal(at, loaded);
        lade_arena_destroy(arena);
    }
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_distribution),
        cmocka_unit_test(any_distribution_with_an_allocator),
        cmocka_unit_test(a_map_where_it_pays),
        cmocka_unit_test(the_base_starts_again),
        cmocka_unit_test(a_map_grows),
        cmocka_unit_test(a_map_gives_way),
        cmocka_unit_test(bytes_do_not_depend_on_the_table),
        cmocka_unit_test(first_members_are_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
