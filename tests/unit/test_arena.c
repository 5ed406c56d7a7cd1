#include "support.h"

#include <stdlib.h>

static void memory_is_aligned_and_apart(void **state)
{
    (void)state;
    uint64_t random = 7;
    lade_arena *arena = lade_arena_create(NULL);
    assert_non_null(arena);
    enum { N = 2000 };
    struct {
        unsigned char *at;
        size_t size;
    } *got = calloc(N, sizeof *got);
    assert_non_null(got);
    for (size_t i = 0; i < N; i++) {
        size_t align = (size_t)1 << test_random(&random) % 13;
        got[i].size = (size_t)(test_random(&random) % (i % 100 ? 300 : 20000));
        got[i].at = lade_arena_alloc(arena, got[i].size, align);
        assert_non_null(got[i].at);
        assert_int_equal((uintptr_t)got[i].at % align, 0);
        memset(got[i].at, (int)(i & 0xff), got[i].size);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < got[i].size; k++)
            assert_int_equal(got[i].at[k], i & 0xff);
    free(got);
    lade_arena_destroy(arena);
}

static void large_blocks(void **state)
{
    (void)state;
    static const size_t sizes[] = {4096, 1 << 20, 2 << 20, (2 << 20) + 1, 50 << 20, 200 << 20};
    lade_arena *arena = lade_arena_create(NULL);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned char *memory = lade_arena_alloc(arena, sizes[i], 64);
        assert_non_null(memory);
        memory[0] = memory[sizes[i] / 2] = memory[sizes[i] - 1] = 1;
        assert_int_equal((uintptr_t)memory % 64, 0);
    }
    assert_true(lade_arena_capacity(arena) >= 253 << 20);
    lade_arena_destroy(arena);
}

static void reset_keeps_the_blocks(void **state)
{
    (void)state;
    test_memory m;
    test_memory_init(&m);
    lade_arena *arena = lade_arena_create(&m.allocator);
    size_t capacity = 0;
    for (int turn = 0; turn < 5; turn++) {
        test_memory_restart(&m, 0);
        for (size_t i = 0; i < 100; i++) {
            unsigned char *memory = lade_arena_alloc(arena, i * i * 10, 8);
            assert_non_null(memory);
            memset(memory, turn, i * i * 10);
        }
        if (turn > 1)
            assert_int_equal(m.calls, 0);
        if (turn == 1)
            capacity = lade_arena_capacity(arena);
        assert_true(turn < 1 || lade_arena_capacity(arena) == capacity);
        lade_arena_reset(arena);
    }
    lade_arena_destroy(arena);
    test_memory_check(&m);
}

static lade_arena_stats statistics(const lade_arena *arena)
{
    lade_arena_stats stats;
    memset(&stats, 0x5a, sizeof stats);
    lade_arena_statistics(arena, &stats);
    assert_true(stats.used_bytes <= stats.reserved_bytes);
    assert_true(stats.largest_bytes <= stats.reserved_bytes);
    assert_int_equal(stats.reserved_bytes, lade_arena_capacity(arena));
    return stats;
}

static void statistics_of_nothing(void **state)
{
    (void)state;
    static const lade_arena_stats nothing;
    lade_arena *arena = lade_arena_create(NULL);
    lade_arena_stats stats = statistics(NULL);
    assert_memory_equal(&stats, &nothing, sizeof stats);
    stats = statistics(arena);
    assert_memory_equal(&stats, &nothing, sizeof stats);
    lade_arena_destroy(arena);
}

static void statistics_follow_use(void **state)
{
    (void)state;
    lade_arena *arena = lade_arena_create(NULL);
    assert_non_null(lade_arena_alloc(arena, 100, 1));
    assert_int_equal(statistics(arena).used_bytes, 100);
    assert_int_equal(statistics(arena).blocks, 1);
    assert_int_equal(statistics(arena).mapped_bytes, 0);
    assert_non_null(lade_arena_alloc(arena, 5 << 20, 64));
    lade_arena_stats full = statistics(arena);
    assert_int_equal(full.blocks, 2);
    assert_in_range(full.used_bytes, (5 << 20) + 100, (5 << 20) + 200);
    assert_true(full.largest_bytes >= 5 << 20);
    assert_true(full.mapped_bytes >= 5 << 20 && full.mapped_bytes % (2 << 20) == 0);

    lade_arena_reset(arena);
    lade_arena_stats empty = statistics(arena);
    assert_int_equal(empty.used_bytes, 0);
    assert_int_equal(empty.resets, 1);
    assert_int_equal(empty.blocks, 2);
    assert_int_equal(empty.reserved_bytes, full.reserved_bytes);
    assert_non_null(lade_arena_alloc(arena, 5 << 20, 64)); /* the first block is passed over */
    assert_in_range(statistics(arena).used_bytes, 5 << 20, (5 << 20) + 100);
    lade_arena_destroy(arena);
}

static void an_allocator_gives_all_memory(void **state)
{
    (void)state;
    test_memory m;
    test_memory_init(&m);
    lade_arena *arena = lade_arena_create(&m.allocator);
    assert_non_null(lade_arena_alloc(arena, 5 << 20, 64));
    assert_int_equal(statistics(arena).mapped_bytes, 0);
    assert_int_equal(statistics(arena).blocks, 1);
    lade_arena_destroy(arena);
    test_memory_check(&m);
}

static void what_cannot_be(void **state)
{
    (void)state;
    lade_arena *arena = lade_arena_create(NULL);
    assert_null(lade_arena_alloc(arena, 8, 0));
    assert_null(lade_arena_alloc(arena, 8, 3));
    assert_null(lade_arena_alloc(arena, 8, 8192));
    assert_null(lade_arena_alloc(arena, SIZE_MAX, 8));
    assert_null(lade_arena_alloc(arena, SIZE_MAX - 4096, 4096));
    assert_null(lade_arena_alloc(arena, SIZE_MAX / 2, 8));
    assert_non_null(lade_arena_alloc(arena, 8, 4096));
    lade_arena_destroy(arena);
    lade_arena_destroy(NULL);
    lade_arena_reset(NULL);
}

static void an_empty_arena(void **state)
{
    (void)state;
    lade_arena *arena = lade_arena_create(NULL);
    assert_int_equal(lade_arena_capacity(arena), 0);
    lade_arena_reset(arena);
    assert_non_null(lade_arena_alloc(arena, 0, 1));
    lade_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_aligned_and_apart),
        cmocka_unit_test(large_blocks),
        cmocka_unit_test(reset_keeps_the_blocks),
        cmocka_unit_test(statistics_of_nothing),
        cmocka_unit_test(statistics_follow_use),
        cmocka_unit_test(an_allocator_gives_all_memory),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(an_empty_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
