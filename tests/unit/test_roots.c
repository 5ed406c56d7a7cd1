/* Several roots in one entry: what they share stays shared. */
#include "../fault/scratch.h"
#include "kind_types.h"
#include "support.h"

static void identity_across_roots(void **state)
{
    const scratch *s = *state;
    lade_error error;
    lade_context ctx = {.error = &error, .no_sync = true};
    lade_arena *arena = test_dirty_arena();
    lade_arena *owner = NULL;
    lade_file *f;
    octant *one = kind_octant(arena, 2);
    octant *two = kind_octant(arena, 1);
    kennel *k = kind_kennel(arena, 1);
    two->neighbour[1] = one;
    one->neighbour[4] = two;
    lade_named_root roots[] = {{"one", &lade_type_octant, one},
                               {"kennel", &lade_type_kennel, k},
                               {"two", &lade_type_octant, two},
                               {"none", &lade_type_kennel, NULL},
                               {"again", &lade_type_octant, one}};
    enum { N = COUNT_OF(roots) };
    assert_ok(lade_file_create(s->path, &f, &ctx), &error);
    assert_ok(lade_file_put_roots(f, "graph", roots, N), &error);
    assert_ok(lade_file_put(f, "alone", octant, two), &error);
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_close(f), &error);
    for (size_t i = 0; i < N; i++)
        roots[i].value = &ctx;
    for (int round = 0; round < 3; round++) {
        assert_ok(lade_file_open(s->path, LADE_READ, &f, &ctx), &error);
        assert_ok(lade_file_get_roots(f, "graph", roots, N, &owner), &error);
        octant *a = roots[0].value;
        octant *b = roots[2].value;
        assert_ptr_equal(roots[4].value, a);
        assert_ptr_equal(b->neighbour[1], a);
        assert_ptr_equal(a->neighbour[4], b);
        assert_null(roots[3].value);
        assert_int_equal(((kennel *)roots[1].value)->kind, 2);
        assert_ok(lade_file_close(f), &error);
    }
    lade_arena_destroy(owner);
    lade_arena_destroy(arena);
    lade_context_fini(&ctx);
}

/* Some of the roots, in another order: the others and what only they lead to are left out. */
static void some_roots(void **state)
{
    const scratch *s = *state;
    lade_error error;
    lade_context ctx = {.error = &error, .no_sync = true};
    lade_arena *arena = test_dirty_arena();
    lade_arena *whole = NULL;
    lade_arena *owner = NULL;
    lade_file *f;
    octant *one = kind_octant(arena, 2);
    octant *big = kind_octant(arena, 20000);
    lade_named_root roots[] = {{"one", &lade_type_octant, one},
                               {"big", &lade_type_octant, big},
                               {"kennel", &lade_type_kennel, kind_kennel(arena, 1)}};
    assert_ok(lade_file_create(s->path, &f, &ctx), &error);
    assert_ok(lade_file_put_roots(f, "graph", roots, 3), &error);
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_close(f), &error);
    lade_named_root few[] = {{"kennel", &lade_type_kennel, NULL}, {"one", &lade_type_octant, NULL}};
    assert_ok(lade_file_open(s->path, LADE_READ, &f, &ctx), &error);
    assert_ok(lade_file_get_roots(f, "graph", few, 2, &owner), &error);
    assert_int_equal(((kennel *)few[0].value)->kind, 2);
    octant *loaded = few[1].value;
    assert_int_equal(loaded->n, one->n);
    assert_ptr_equal(loaded->neighbour[0], loaded->neighbour[5]);
    assert_string_equal(loaded->label[1], one->label[1]);
    assert_ok(lade_file_get_roots(f, "graph", roots, 3, &whole), &error);
    assert_true(lade_arena_capacity(owner) < lade_arena_capacity(whole));
    few[0].name = "nobody";
    assert_status(lade_file_get_roots(f, "graph", few, 1, &owner), LADE_ERR_TYPE);
    assert_ok(lade_file_close(f), &error);
    lade_arena_destroy(owner);
    lade_arena_destroy(whole);
    lade_arena_destroy(arena);
    lade_context_fini(&ctx);
}

static void wrong_roots_are_refused(void **state)
{
    const scratch *s = *state;
    lade_error error;
    lade_context ctx = {.error = &error, .no_sync = true};
    lade_arena *owner = NULL;
    lade_file *f;
    octant o = {.n = 0};
    lade_named_root roots[] = {{"one", &lade_type_octant, &o}, {"two", &lade_type_octant, &o}};
    assert_ok(lade_file_create(s->path, &f, &ctx), &error);
    assert_status(lade_file_put_roots(NULL, "graph", roots, 2), LADE_ERR_ARGUMENT);
    assert_status(lade_file_put_roots(f, "graph", roots, 0), LADE_ERR_ARGUMENT);
    roots[1].name = "one";
    assert_status(lade_file_put_roots(f, "graph", roots, 2), LADE_ERR_DESCRIPTION);
    roots[1].name = "two";
    assert_ok(lade_file_put_roots(f, "graph", roots, 2), &error);
    assert_ok(lade_file_commit(f), &error);
    roots[1].type = &lade_type_kennel;
    assert_status(lade_file_get_roots(f, "graph", roots, 2, &owner), LADE_ERR_TYPE);
    assert_ptr_equal(roots[0].value, &o);
    assert_null(owner);
    assert_ok(lade_file_close(f), &error);
    lade_context_fini(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(identity_across_roots, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(some_roots, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(wrong_roots_are_refused, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
