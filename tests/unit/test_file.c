/* Files as they are meant to be used: entries, arrays, records, commits, recovery. */
#include "support.h"

#include "../fault/scratch.h"
#include "city_types.h"
#include "graph_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static lade_error error;

static lade_file *create(const char *where, lade_context *ctx)
{
    lade_file *f = NULL;
    assert_ok(lade_file_create(where, &f, ctx), &error);
    return f;
}

static lade_file *open_file(const char *where, lade_open_mode mode, lade_context *ctx)
{
    lade_file *f = NULL;
    assert_ok(lade_file_open(where, mode, &f, ctx), &error);
    return f;
}

static void put_int(lade_file *f, const char *name, int32_t value)
{
    assert_ok(lade_file_put_array(f, name, &value, 1, ((size_t[]){1})), &error);
}

static int32_t get_int(lade_file *f, const char *name)
{
    int32_t value = 0;
    assert_ok(lade_file_get_array_into(f, name, &value, 1, ((size_t[]){1})), &error);
    return value;
}

static void a_value_of_every_kind(void **state)
{
    const scratch *s = *state;
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_context ctx = {.error = &error, .interpret = interpret};
        lade_arena *owner = test_dirty_arena();
        city *c = NULL;
        assert_ok(lade_save_file(s->path, city, city_small(), &ctx), &error);
        assert_int_equal(ctx.stats.content_bytes, 4200);
        assert_int_equal(scratch_count(s), 1);
        assert_ok(lade_load_file(s->path, city, &c, &owner, &ctx), &error);
        assert_int_equal(ctx.stats.content_bytes, 4200);
        city_check(c);
        c->cells[0].q = 99;
        c->heights[1] = -1;
        c->image[4199] = 1;
        assert_ok(lade_load_file_into(s->path, city, c, &ctx), &error);
        city_check(c);
        lade_arena_destroy(owner);
        lade_context_fini(&ctx);
    }
    city *c = NULL;
    lade_arena *owner = NULL;
    assert_int_equal(lade_save_file(s->path, city, city_small(), NULL), LADE_OK);
    assert_int_equal(lade_load_file(s->path, city, &c, &owner, NULL), LADE_OK);
    city_check(c);
    lade_arena_destroy(owner);
}

static void arrays_go_where_they_live(void **state)
{
    const scratch *s = *state;
    enum { N = 400000 }; /* doubles: more than three content blocks */
    double *a = malloc(N * sizeof *a);
    double *b = malloc(N * sizeof *b);
    size_t n[3] = {0};
    assert_true(a && b);
    for (int i = 0; i < N; i++)
        a[i] = i * 0.5;
    for (int k = 0; k < 2; k++) {
        lade_context ctx = {.error = &error, .no_crc = k};
        double *c = NULL;
        lade_arena *owner = NULL;
        assert_ok(lade_save_array_file(s->path, a, 3, ((size_t[]){4, 100, 1000}), &ctx), &error);
        assert_int_equal(ctx.stats.content_bytes, N * sizeof *a);
        assert_int_equal(ctx.stats.segments, 1);
        assert_int_equal(ctx.stats.staged_bytes, 0);
        assert_true(ctx.stats.skeleton_bytes < 16);
        memset(b, 0, N * sizeof *b);
        assert_ok(lade_load_array_file_into(s->path, b, 3, ((size_t[]){4, 100, 1000}), &ctx),
                  &error);
        assert_memory_equal(a, b, N * sizeof *a);
        assert_int_equal(ctx.stats.content_bytes, N * sizeof *a);
        assert_int_equal(ctx.stats.staged_bytes, 0);
        assert_true(ctx.stats.skeleton_bytes < 16);
        assert_ok(lade_load_array_file(s->path, &c, 3, n, &owner, &ctx), &error);
        assert_true(n[0] == 4 && n[1] == 100 && n[2] == 1000 && (uintptr_t)c % 64 == 0);
        assert_memory_equal(a, c, N * sizeof *a);
        lade_arena_destroy(owner);
        lade_context_fini(&ctx);
    }
    free(a);
    free(b);
}

static void records_and_empty_arrays(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    lade_arena *owner = NULL;
    node ring[3] = {{.id = 1, .next = &ring[2]}, {.id = 2, .name = (char[]){"two"}}, {.id = 3}};
    node *is;
    double *none;
    size_t n[2] = {7, 7};
    lade_file *f = create(s->path, &ctx);
    assert_ok(lade_file_put_records(f, "ring", node, ring, 1, ((size_t[]){3})), &error);
    assert_ok(lade_file_put_array(f, "none", (double *)NULL, 2, ((size_t[]){0, 5})), &error);
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_get_records(f, "ring", node, &is, 1, n, &owner), &error);
    assert_true(n[0] == 3 && is[0].next == &is[2] && is[2].id == 3);
    assert_string_equal(is[1].name, "two");
    is[2].id = 0;
    assert_ok(lade_file_get_records_into(f, "ring", node, is, 1, ((size_t[]){3})), &error);
    assert_int_equal(is[2].id, 3);
    assert_ok(lade_file_get_array(f, "none", &none, 2, n, &owner), &error);
    assert_true(n[0] == 0 && n[1] == 5);
    assert_ok(lade_file_get_array_into(f, "none", (double *)NULL, 2, ((size_t[]){0, 5})), &error);
    assert_ok(lade_file_close(f), &error);
    assert_ok(lade_save_records_file(s->path, node, ring, 1, ((size_t[]){3}), &ctx), &error);
    assert_ok(lade_load_records_file(s->path, node, &is, 1, n, &owner, &ctx), &error);
    assert_true(n[0] == 3 && is[0].next == &is[2]);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

/* What was put since the last commit cannot be read, and does not count. */
static void commits_make_states(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    lade_file *f = create(s->path, &ctx);
    put_int(f, "b", 1);
    assert_int_equal(access(s->path, F_OK), -1);
    assert_int_equal(lade_file_count(f), 0);
    assert_ok(lade_file_commit(f), &error);
    assert_int_equal(access(s->path, F_OK), 0);
    put_int(f, "a", 2);
    put_int(f, "b", 3);
    assert_int_equal(lade_file_count(f), 1);
    assert_int_equal(get_int(f, "b"), 1);
    lade_context recovering = {.error = &error, .recover = true};
    lade_file *other = open_file(s->path, LADE_READ, &recovering);
    assert_int_equal(get_int(other, "b"), 1);
    assert_ok(lade_file_commit(f), &error);
    assert_int_equal(get_int(other, "b"), 1); /* the state that was opened */
    assert_ok(lade_file_close(other), &error);
    lade_context_fini(&recovering);
    assert_int_equal(lade_file_count(f), 2);
    assert_string_equal(lade_file_name(f, 0), "a");
    assert_string_equal(lade_file_name(f, 1), "b");
    assert_null(lade_file_name(f, 2));
    assert_int_equal(get_int(f, "b"), 3);
    assert_ok(lade_file_commit(f), &error); /* nothing to do */
    put_int(f, "b", 4);
    assert_ok(lade_file_close(f), &error); /* drops it */
    f = open_file(s->path, LADE_APPEND, &ctx);
    assert_int_equal(get_int(f, "b"), 3);
    put_int(f, "b", 5);
    assert_ok(lade_file_commit(f), &error);
    put_int(f, "c", 6);
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_close(f), &error);
    f = open_file(s->path, LADE_READ, &ctx);
    assert_int_equal(lade_file_count(f), 3);
    assert_int_equal(get_int(f, "a"), 2);
    assert_int_equal(get_int(f, "b"), 5);
    assert_int_equal(get_int(f, "c"), 6);
    assert_ok(lade_file_close(f), &error);
    assert_int_equal(scratch_count(s), 1);
    lade_context_fini(&ctx);
}

static void many_entries_are_sorted(void **state)
{
    const scratch *s = *state;
    enum { N = 1000 };
    lade_context ctx = {.error = &error, .no_sync = true};
    lade_file *f = create(s->path, &ctx);
    for (int i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i * 7919 % N);
        put_int(f, name, i * 7919 % N);
        if (i % 300 == 0)
            assert_ok(lade_file_commit(f), &error);
    }
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_close(f), &error);
    f = open_file(s->path, LADE_READ, &ctx);
    assert_int_equal(lade_file_count(f), N);
    for (size_t i = 0; i < N; i++) {
        const char *name = lade_file_name(f, i);
        assert_true(i == 0 || strcmp(lade_file_name(f, i - 1), name) < 0);
        assert_int_equal(get_int(f, name), atoi(name));
    }
    assert_ok(lade_file_close(f), &error);
    lade_context_fini(&ctx);
}

static void names_of_every_length(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error, .no_sync = true};
    char name[256] = "";
    lade_file *f = create(s->path, &ctx);
    for (int n = 1; n <= 255; n++) {
        name[n - 1] = '~';
        put_int(f, name, n);
    }
    static const char *const utf8[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9d\x84\x9e"};
    for (int i = 0; i < 3; i++)
        put_int(f, utf8[i], i);
    assert_ok(lade_file_commit(f), &error);
    assert_int_equal(lade_file_count(f), 258);
    assert_int_equal(get_int(f, name), 255);
    assert_ok(lade_file_close(f), &error);
    lade_context_fini(&ctx);
}

static void close_without_commit(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    lade_file *f = create(s->path, &ctx);
    put_int(f, "new", 1);
    assert_ok(lade_file_close(f), &error);
    assert_int_equal(scratch_count(s), 0);
    scratch_write(s->path, "old", 3);
    f = create(s->path, &ctx);
    put_int(f, "new", 1);
    assert_int_equal(scratch_count(s), 2);
    assert_ok(lade_file_close(f), &error);
    assert_int_equal(scratch_count(s), 1);
    scratch_bytes is = scratch_read(s->path);
    assert_int_equal(is.size, 3);
    free(is.data);
    assert_ok(lade_file_close(NULL), &error);
    lade_context_fini(&ctx);
}

/* A longer old file leaves nothing behind. */
static void a_shorter_file_replaces_a_longer(void **state)
{
    const scratch *s = *state;
    static double large[20000];
    double small = 1;
    lade_context ctx = {.error = &error};
    assert_ok(lade_save_array_file(s->path, large, 1, ((size_t[]){20000}), &ctx), &error);
    assert_ok(lade_save_array_file(s->path, &small, 1, ((size_t[]){1}), &ctx), &error);
    scratch_bytes is = scratch_read(s->path);
    assert_true(is.size < 1000);
    assert_ok(lade_load_array_file_into(s->path, &small, 1, ((size_t[]){1}), &ctx), &error);
    free(is.data);
    lade_context_fini(&ctx);
}

static void recover_cuts_the_tail(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    lade_file *f = create(s->path, &ctx);
    put_int(f, "a", 1);
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_close(f), &error);
    scratch_bytes whole = scratch_read(s->path);
    uint8_t *longer = calloc(1, whole.size + 5000);
    assert_non_null(longer);
    memcpy(longer, whole.data, whole.size);
    memcpy(longer + whole.size, whole.data + whole.size - 64, 64); /* a footer of another place */
    scratch_write(s->path, longer, whole.size + 5000);
    assert_status(lade_file_open(s->path, LADE_READ, &f, &ctx), LADE_ERR_TAIL);
    assert_int_equal(error.offset, whole.size);
    ctx.recover = true;
    f = open_file(s->path, LADE_APPEND, &ctx);
    assert_int_equal(get_int(f, "a"), 1);
    put_int(f, "a", 2);
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_close(f), &error);
    ctx.recover = false;
    f = open_file(s->path, LADE_READ, &ctx);
    assert_int_equal(get_int(f, "a"), 2);
    assert_ok(lade_file_close(f), &error);
    /* opened for appending and closed again: the header says that the tail is cut off */
    scratch_write(s->path, longer, whole.size + 5000);
    ctx.recover = true;
    f = open_file(s->path, LADE_APPEND, &ctx);
    assert_ok(lade_file_close(f), &error);
    scratch_bytes is = scratch_read(s->path);
    assert_int_equal(is.size, whole.size);
    free(is.data);
    free(whole.data);
    free(longer);
    lade_context_fini(&ctx);
}

static void mode_and_link_are_kept(void **state)
{
    const scratch *s = *state;
    char link[SCRATCH_PATH];
    struct stat info;
    int32_t one = 1;
    lade_context ctx = {.error = &error};
    snprintf(link, sizeof link, "%s/link", s->directory);
    scratch_write(s->path, "old", 3);
    assert_int_equal(chmod(s->path, 0640), 0);
    assert_int_equal(symlink("file.lade", link), 0);
    assert_ok(lade_save_array_file(link, &one, 1, ((size_t[]){1}), &ctx), &error);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat(s->path, &info), 0);
    assert_true(S_ISREG(info.st_mode) && (info.st_mode & 07777) == 0640);
    assert_ok(lade_load_array_file_into(s->path, &one, 1, ((size_t[]){1}), &ctx), &error);
    mode_t mask = umask(027);
    assert_int_equal(unlink(s->path), 0);
    assert_ok(lade_save_array_file(s->path, &one, 1, ((size_t[]){1}), &ctx), &error);
    umask(mask);
    assert_int_equal(stat(s->path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    lade_context_fini(&ctx);
}

/* A relative path, in the working directory. */
static void a_name_without_directory(void **state)
{
    const scratch *s = *state;
    char before[4096];
    int32_t one = 1;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(s->directory), 0);
    assert_int_equal(lade_save_array_file("x.lade", &one, 1, ((size_t[]){1}), NULL), LADE_OK);
    assert_int_equal(lade_load_array_file_into("x.lade", &one, 1, ((size_t[]){1}), NULL), LADE_OK);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(scratch_count(s), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_value_of_every_kind),    TEST(arrays_go_where_they_live),
        TEST(records_and_empty_arrays), TEST(commits_make_states),
        TEST(many_entries_are_sorted),  TEST(names_of_every_length),
        TEST(close_without_commit),     TEST(a_shorter_file_replaces_a_longer),
        TEST(recover_cuts_the_tail),    TEST(mode_and_link_are_kept),
        TEST(a_name_without_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
