/* The golden files: written again they have the same bytes, and the committed ones load with the
 * values that were saved. */
#include "support.h"

#include "../fault/scratch.h"
#include "../golden/golden.h"

#include <stdio.h>
#include <stdlib.h>

static void path_of(char *path, size_t size, const char *directory, const golden *g)
{
    snprintf(path, size, "%s/%s.lade", directory, g->name);
}

static void the_same_bytes_are_written(void **state)
{
    const scratch *s = *state;
    for (size_t i = 0; i < golden_count; i++) {
        char path[SCRATCH_PATH];
        char committed[SCRATCH_PATH];
        path_of(path, sizeof path, s->directory, &golden_files[i]);
        path_of(committed, sizeof committed, GOLDEN_DIRECTORY, &golden_files[i]);
        assert_int_equal(golden_write(&golden_files[i], path), LADE_OK);
        scratch_bytes was = scratch_read(committed);
        scratch_bytes is = scratch_read(path);
        print_message("%s: %zu bytes\n", golden_files[i].name, is.size);
        assert_int_equal(is.size, was.size);
        assert_memory_equal(is.data, was.data, is.size);
        free(was.data);
        free(is.data);
    }
}

static void the_committed_files_load(void **state)
{
    (void)state;
    for (size_t i = 0; i < golden_count; i++)
        for (int interpret = 0; interpret < 2; interpret++) {
            char path[SCRATCH_PATH];
            lade_error error = {0};
            lade_context ctx = {
                .error = &error, .interpret = interpret, .externals = golden_files[i].externals};
            lade_file *f;
            path_of(path, sizeof path, GOLDEN_DIRECTORY, &golden_files[i]);
            print_message("%s\n", golden_files[i].name);
            assert_ok(lade_file_open(path, LADE_READ, &f, &ctx), &error);
            golden_files[i].check(f);
            assert_ok(lade_file_close(f), &error);
            lade_context_fini(&ctx);
        }
}

/* A file cut at the border of a commit is its own older state. */
static void older_states_load(void **state)
{
    const scratch *s = *state;
    static const size_t entries[] = {2, 3, 3};
    static const int32_t first[] = {10, 30, 40};
    char path[SCRATCH_PATH];
    char committed[SCRATCH_PATH];
    snprintf(path, sizeof path, "%s/older.lade", s->directory);
    snprintf(committed, sizeof committed, "%s/commits.lade", GOLDEN_DIRECTORY);
    scratch_bytes whole = scratch_read(committed);
    size_t commit = 0;
    for (size_t at = 64; at <= whole.size; at += 64) {
        if (memcmp(whole.data + at - 64, "\x89LCOMMIT", 8) != 0)
            continue;
        lade_file *f;
        int32_t *ints;
        size_t n;
        lade_arena *owner = NULL;
        scratch_write(path, whole.data, at);
        assert_int_equal(lade_file_open(path, LADE_READ, &f, NULL), LADE_OK);
        assert_int_equal(lade_file_count(f), entries[commit]);
        assert_int_equal(lade_file_get_array(f, "a", &ints, 1, &n, &owner), LADE_OK);
        assert_int_equal(ints[0], first[commit]);
        assert_int_equal(lade_file_close(f), LADE_OK);
        lade_arena_destroy(owner);
        commit++;
    }
    assert_int_equal(commit, 3);
    free(whole.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_same_bytes_are_written, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(the_committed_files_load),
        cmocka_unit_test_setup_teardown(older_states_load, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
