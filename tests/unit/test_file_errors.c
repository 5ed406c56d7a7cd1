/* Each way to use a file wrongly has its own status, a message that says what and where, and
 * changes nothing: neither the outputs, nor the arena, nor the file. */
#include "support.h"

#include "../fault/scratch.h"
#include "city_types.h"
#include "graph_types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* clang-format off */
typedef struct { double x, y; } twin_a;
typedef struct { double x; float y; } twin_b;
LADE_STRUCT(twin_a, (value, x), (value, y))
LADE_STRUCT(twin_b, (value, x), (value, y))
/* clang-format on */

static lade_error error;

static void says(const char *text)
{
    if (!strstr(error.message, text))
        print_error("\"%s\" does not say \"%s\"\n", error.message, text);
    assert_non_null(strstr(error.message, text));
}

/* Opening fails with this status and cause, and leaves the output alone. */
static void not_opened(const char *where, lade_open_mode mode, lade_status status, int cause)
{
    lade_context ctx = {.error = &error};
    lade_file *f = (lade_file *)&ctx;
    error = (lade_error){0};
    assert_status(lade_file_open(where, mode, &f, &ctx), status);
    assert_ptr_equal(f, &ctx);
    assert_int_equal(error.status, status);
    assert_int_equal(error.cause, cause);
    if (where && *where)
        says(where);
    lade_context_fini(&ctx);
}

static void save_ints(const char *where)
{
    int32_t ints[6] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(lade_save_array_file(where, &ints[0], 2, ((size_t[]){2, 3}), NULL), LADE_OK);
}

static void paths_that_do_not_open(void **state)
{
    const scratch *s = *state;
    char where[SCRATCH_PATH + 16];
    not_opened(s->path, LADE_READ, LADE_ERR_NO_FILE, ENOENT);
    not_opened(s->path, LADE_APPEND, LADE_ERR_NO_FILE, ENOENT);
    not_opened(s->directory, LADE_READ, LADE_ERR_IO, EISDIR);
    not_opened(s->directory, LADE_APPEND, LADE_ERR_IO, EISDIR);
    scratch_write(s->path, "", 0);
    not_opened(s->path, LADE_READ, LADE_ERR_TRUNCATED, 0);
    snprintf(where, sizeof where, "%s/x", s->path);
    not_opened(where, LADE_READ, LADE_ERR_NO_FILE, ENOTDIR);
    scratch_write(s->path, "a file of other things", 22);
    not_opened(s->path, LADE_READ, LADE_ERR_FORMAT, 0);
    not_opened("/dev/null", LADE_READ, LADE_ERR_IO, EINVAL);
    assert_int_equal(unlink(s->path), 0);
    assert_int_equal(mkfifo(s->path, 0600), 0); /* does not block */
    not_opened(s->path, LADE_READ, LADE_ERR_IO, EINVAL);
    lade_context ctx = {.error = &error};
    lade_file *f = (lade_file *)&ctx;
    assert_status(lade_file_create(s->path, &f, &ctx), LADE_ERR_IO);
    assert_status(lade_file_create(s->directory, &f, &ctx), LADE_ERR_IO);
    assert_int_equal(error.cause, EISDIR);
    snprintf(where, sizeof where, "%s/no/x", s->directory);
    assert_status(lade_file_create(where, &f, &ctx), LADE_ERR_NO_FILE);
    says(where);
    assert_ptr_equal(f, &ctx);
    assert_int_equal(scratch_count(s), 1);
    lade_context_fini(&ctx);
}

static uint32_t crc32_of(const uint8_t *p, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void newer_versions(void **state)
{
    const scratch *s = *state;
    static const uint32_t versions[] = {2, 255, 256, UINT32_MAX};
    save_ints(s->path);
    scratch_bytes b = scratch_read(s->path);
    for (size_t i = 0; i < COUNT_OF(versions); i++) {
        char number[16];
        for (int k = 0; k < 4; k++)
            b.data[8 + k] = (uint8_t)(versions[i] >> (8 * k));
        uint32_t crc = crc32_of(b.data, 60);
        for (int k = 0; k < 4; k++)
            b.data[60 + k] = (uint8_t)(crc >> (8 * k));
        scratch_write(s->path, b.data, b.size);
        not_opened(s->path, LADE_READ, LADE_ERR_VERSION, 0);
        snprintf(number, sizeof number, "%u", versions[i]);
        says(number);
    }
    free(b.data);
}

typedef struct reader {
    lade_context ctx;
    lade_file *f;
    lade_arena *owner;
    size_t capacity;
    int32_t *out;
    size_t n[8];
} reader;

static void reader_init(reader *r, const char *where)
{
    *r = (reader){.ctx = {.error = &error}, .owner = test_dirty_arena()};
    assert_int_equal(lade_file_open(where, LADE_READ, &r->f, &r->ctx), LADE_OK);
    r->capacity = lade_arena_capacity(r->owner);
    r->out = (int32_t *)r->n;
    for (int i = 0; i < 8; i++)
        r->n[i] = 77;
    error = (lade_error){0};
}

/* The call before has failed with this status, named the entry, and touched nothing. */
static void failed(reader *r, lade_status is, lade_status status, const char *entry)
{
    assert_status(is, status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.entry, entry);
    assert_true(error.message[0] != 0);
    assert_ptr_equal(r->out, r->n);
    for (int i = 0; i < 8; i++)
        assert_int_equal(r->n[i], 77);
    assert_int_equal(lade_arena_capacity(r->owner), r->capacity);
    error = (lade_error){0};
}

static void reader_fini(reader *r)
{
    assert_int_equal(lade_file_close(r->f), LADE_OK);
    lade_arena_destroy(r->owner);
    lade_context_fini(&r->ctx);
}

static void gets_that_fail(void **state)
{
    const scratch *s = *state;
    reader r;
    int32_t ints[6] = {0};
    save_ints(s->path);
    reader_init(&r, s->path);
    lade_status is = lade_file_get_array(r.f, "none", &r.out, 2, r.n, &r.owner);
    says("none");
    failed(&r, is, LADE_ERR_NOT_FOUND, "none");
    is = lade_file_get_array(r.f, "", &r.out, 2, r.n, &r.owner);
    failed(&r, is, LADE_ERR_NOT_FOUND, "");
    is = lade_file_get_array(r.f, "root", &r.out, 3, r.n, &r.owner);
    failed(&r, is, LADE_ERR_SHAPE, "root");
    is = lade_file_get_array(r.f, "root", &r.out, 0, r.n, &r.owner);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array(r.f, "root", &r.out, 9, r.n, &r.owner);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array(r.f, NULL, &r.out, 2, r.n, &r.owner);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array_as(r.f, "root", &lade_scalar_i32, NULL, 2, r.n, &r.owner);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array_as(r.f, "root", NULL, &r.out, 2, r.n, &r.owner);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array(r.f, "root", &r.out, 2, NULL, &r.owner);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array(r.f, "root", &r.out, 2, r.n, NULL);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array((lade_file *)NULL, "root", &r.out, 2, r.n, &r.owner);
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array_into(r.f, "root", &ints[0], 2, ((size_t[]){3, 2}));
    failed(&r, is, LADE_ERR_SHAPE, "root");
    is = lade_file_get_array_into(r.f, "root", (int32_t *)NULL, 2, ((size_t[]){2, 3}));
    assert_status(is, LADE_ERR_ARGUMENT);
    is = lade_file_get_array_into(r.f, "root", &ints[0], 2, NULL);
    assert_status(is, LADE_ERR_ARGUMENT);
    assert_true(r.out == (int32_t *)r.n && ints[0] == 0 && ints[5] == 0);
    reader_fini(&r);
}

static void wrong_types(void **state)
{
    const scratch *s = *state;
    reader r;
    twin_a value = {1, 2};
    twin_b *b = NULL;
    twin_a *a = NULL;
    float *x = NULL;
    lade_file *f;
    assert_int_equal(lade_file_create(s->path, &f, NULL), LADE_OK);
    assert_int_equal(lade_file_put(f, "value", twin_a, &value), LADE_OK);
    assert_int_equal(lade_file_put_array(f, "ints", &(int32_t[]){16777217}[0], 1, ((size_t[]){1})),
                     0);
    assert_int_equal(lade_file_commit(f), LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
    reader_init(&r, s->path);
    lade_status is = lade_file_get(r.f, "value", twin_b, &b, &r.owner);
    says("twin_a");
    says("twin_b");
    failed(&r, is, LADE_ERR_TYPE, "value");
    is = lade_file_get_array(r.f, "ints", &x, 1, r.n, &r.owner);
    says("i32");
    says("f32");
    failed(&r, is, LADE_ERR_RANGE, "ints");
    is = lade_file_get_records(r.f, "value", twin_a, &a, 1, r.n, &r.owner);
    says("array");
    failed(&r, is, LADE_ERR_TYPE, "value");
    is = lade_file_get(r.f, "ints", twin_a, &a, &r.owner);
    failed(&r, is, LADE_ERR_TYPE, "ints");
    assert_true(!a && !b && !x);
    reader_fini(&r);
}

/* A field that cannot become the one of the program: the message names it, with both types. */
static void a_field_that_is_another(void **state)
{
    const scratch *s = *state;
    lade_field fields[2];
    lade_type other = lade_type_twin_b;
    reader r;
    void *out = NULL;
    twin_a value = {1, 2};
    assert_int_equal(lade_save_file(s->path, twin_a, &value, NULL), LADE_OK);
    memcpy(fields, lade_type_twin_b.fields, sizeof fields);
    fields[1].kind = LADE_KIND_TEXT;
    other.name = "twin_a";
    other.fields = fields;
    other.save = NULL;
    other.load = NULL;
    other.cell = NULL;
    reader_init(&r, s->path);
    lade_status is = lade_file_get_as(r.f, "root", &other, &out, &r.owner);
    says("twin_a.y");
    says("value f64");
    says("(text)");
    failed(&r, is, LADE_ERR_TYPE, "root");
    assert_null(out);
    reader_fini(&r);
}

static lade_status put_one(lade_file *f, const char *name)
{
    return lade_file_put_array(f, name, &(int32_t[]){1}[0], 1, ((size_t[]){1}));
}

static void puts_that_fail(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    char long_name[257];
    lade_file *f = NULL;
    memset(long_name, 'n', 256);
    long_name[256] = 0;
    assert_int_equal(lade_file_create(s->path, &f, &ctx), LADE_OK);
    assert_status(put_one(f, ""), LADE_ERR_ARGUMENT);
    assert_status(put_one(f, NULL), LADE_ERR_ARGUMENT);
    assert_status(put_one(f, long_name), LADE_ERR_ARGUMENT);
    assert_status(put_one(NULL, "a"), LADE_ERR_ARGUMENT);
    assert_status(lade_file_put_as(f, "a", NULL, &ctx), LADE_ERR_ARGUMENT);
    assert_status(lade_file_put_as(f, "a", &lade_type_twin_a, NULL), LADE_ERR_ARGUMENT);
    int32_t one = 1;
    assert_status(lade_file_put_array(f, "a", &one, 0, ((size_t[]){1})), LADE_ERR_ARGUMENT);
    assert_status(lade_file_put_array(f, "a", &one, 9, ((size_t[9]){1})), LADE_ERR_ARGUMENT);
    assert_status(lade_file_put_array(f, "a", &one, 1, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_file_put_array(f, "a", &one, 2, ((size_t[]){SIZE_MAX, 3})),
                  LADE_ERR_ARGUMENT);
    assert_status(lade_file_put_array(f, "a", (int32_t *)NULL, 1, ((size_t[]){3})),
                  LADE_ERR_ARGUMENT);
    assert_status(lade_file_get_array_into(f, "a", &one, 1, ((size_t[]){1})), LADE_ERR_STATE);
    assert_int_equal(put_one(f, "a"), LADE_OK);
    error = (lade_error){0};
    assert_status(put_one(f, "a"), LADE_ERR_EXISTS);
    assert_string_equal(error.entry, "a");
    says("a");
    mesh bad = {.nnodes = 1}; /* a count without a pointer */
    assert_status(lade_file_put(f, "mesh", mesh, &bad), LADE_ERR_VALUE);
    assert_string_equal(error.entry, "mesh");
    assert_int_equal(lade_file_commit(f), LADE_OK);
    assert_int_equal(lade_file_count(f), 1);
    assert_int_equal(put_one(f, "a"), LADE_OK); /* supersedes */
    assert_int_equal(lade_file_commit(f), LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
    scratch_bytes before = scratch_read(s->path);
    assert_int_equal(lade_file_open(s->path, LADE_READ, &f, &ctx), LADE_OK);
    assert_status(put_one(f, "b"), LADE_ERR_STATE);
    assert_status(lade_file_commit(f), LADE_ERR_STATE);
    assert_int_equal(lade_file_close(f), LADE_OK);
    scratch_bytes after = scratch_read(s->path);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, before.size);
    free(before.data);
    free(after.data);
    lade_context_fini(&ctx);
}

static void names_are_utf8(void **state)
{
    static const char *const bad[] = {
        "\xff", "\xc3", "a\x80", "\xc0\xaf", "\xed\xa0\x80", "\xe0\x80\xaf", "\xf5\x80\x80\x80",
        "tab\t"};
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    lade_file *f;
    assert_ok(lade_file_create(s->path, &f, &ctx), &error);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_status(lade_file_put_array(f, bad[i], "x", 1, ((size_t[]){1})), LADE_ERR_ARGUMENT);
    assert_int_equal(lade_file_close(f), LADE_OK);
    lade_context_fini(&ctx);
}

/* Two writers would write over each other: the second is refused, also after a first commit. */
static void one_writer_at_a_time(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    lade_file *f;
    lade_file *g = NULL;
    save_ints(s->path);
    assert_ok(lade_file_open(s->path, LADE_APPEND, &f, &ctx), &error);
    assert_status(lade_file_open(s->path, LADE_APPEND, &g, &ctx), LADE_ERR_STATE);
    assert_null(g);
    assert_ok(lade_file_open(s->path, LADE_READ, &g, &ctx), &error);
    assert_int_equal(lade_file_close(g), LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
    /* a new file that somebody else appends to between two commits of its maker */
    assert_ok(lade_file_create(s->path, &f, &ctx), &error);
    assert_ok(lade_file_put_array(f, "a", "x", 1, ((size_t[]){1})), &error);
    assert_ok(lade_file_commit(f), &error);
    assert_ok(lade_file_open(s->path, LADE_APPEND, &g, &ctx), &error);
    assert_ok(lade_file_put_array(g, "b", "y", 1, ((size_t[]){1})), &error);
    assert_ok(lade_file_commit(g), &error);
    assert_int_equal(lade_file_close(g), LADE_OK);
    assert_status(lade_file_put_array(f, "c", "z", 1, ((size_t[]){1})), LADE_ERR_STATE);
    assert_int_equal(lade_file_close(f), LADE_OK);
    assert_ok(lade_file_open(s->path, LADE_READ, &g, &ctx), &error);
    assert_int_equal(lade_file_count(g), 2);
    assert_int_equal(lade_file_close(g), LADE_OK);
    lade_context_fini(&ctx);
}

/* A put that fails after its first bytes were written leaves no tail behind. */
static void a_failed_put_leaves_no_tail(void **state)
{
    const scratch *s = *state;
    lade_context ctx = {.error = &error};
    mesh bad = {.nnodes = 1};
    lade_file *f;
    save_ints(s->path);
    scratch_bytes before = scratch_read(s->path);
    assert_int_equal(lade_file_open(s->path, LADE_APPEND, &f, &ctx), LADE_OK);
    assert_status(lade_file_put(f, "mesh", mesh, &bad), LADE_ERR_VALUE);
    assert_int_equal(lade_file_close(f), LADE_OK);
    scratch_bytes after = scratch_read(s->path);
    assert_int_equal(before.size, after.size);
    assert_ok(lade_file_open(s->path, LADE_READ, &f, &ctx), &error);
    assert_int_equal(lade_file_close(f), LADE_OK);
    free(before.data);
    free(after.data);
    lade_context_fini(&ctx);
}

static void null_arguments(void **state)
{
    const scratch *s = *state;
    lade_file *f = NULL;
    lade_arena *owner = NULL;
    twin_a value = {1, 2};
    twin_a *a = NULL;
    assert_status(lade_file_create(NULL, &f, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_file_create("", &f, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_file_create(s->path, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_file_open(NULL, LADE_READ, &f, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_file_open(s->path, LADE_READ, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_file_open(s->path, (lade_open_mode)7, &f, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_file_commit(NULL), LADE_ERR_ARGUMENT);
    assert_int_equal(lade_file_count(NULL), 0);
    assert_null(lade_file_name(NULL, 0));
    assert_status(lade_save_file(NULL, twin_a, &value, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_save_file(s->path, twin_a, (twin_a *)NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_load_file(NULL, twin_a, &a, &owner, NULL), LADE_ERR_ARGUMENT);
    assert_int_equal(scratch_count(s), 0);
    assert_true(!f && !a && !owner);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(paths_that_do_not_open),
        TEST(newer_versions),
        TEST(gets_that_fail),
        TEST(wrong_types),
        TEST(a_field_that_is_another),
        TEST(puts_that_fail),
        TEST(names_are_utf8),
        TEST(one_writer_at_a_time),
        TEST(a_failed_put_leaves_no_tail),
        TEST(null_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
