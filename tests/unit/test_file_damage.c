/* Every truncation and every changed byte of the small golden files: the right error, never a
 * crash, and never other data taken for good. */
#include "support.h"

#include "../fault/scratch.h"
#include "../golden/golden.h"

#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 13000 };
static const uint8_t footer_magic[8] = {0x89, 'L', 'C', 'O', 'M', 'M', 'I', 'T'};

typedef struct victim {
    const golden *g;
    scratch_bytes is;
    size_t border[4]; /* ends of commits */
    size_t commits;
} victim;

static void victim_init(victim *v, const golden *g)
{
    char path[SCRATCH_PATH];
    snprintf(path, sizeof path, "%s/%s.lade", GOLDEN_DIRECTORY, g->name);
    *v = (victim){.g = g, .is = scratch_read(path)};
    for (size_t at = 64; at <= v->is.size; at += 64)
        if (memcmp(v->is.data + at - 64, footer_magic, 8) == 0)
            v->border[v->commits++] = at;
}

static size_t commits_within(const victim *v, size_t size)
{
    size_t n = 0;
    while (n < v->commits && v->border[n] <= size)
        n++;
    return n;
}

/* Of all opens, so that its buffers are made once. */
static lade_context ctx;

static lade_status try_open(const char *path, bool recover, lade_file **f, lade_error *error)
{
    *error = (lade_error){0};
    ctx.error = error;
    ctx.recover = recover;
    *f = NULL;
    lade_status status = lade_file_open(path, LADE_READ, f, &ctx);
    assert_true((status == LADE_OK) == (*f != NULL));
    if (status != LADE_OK)
        assert_true(error->status == status && error->message[0] != 0);
    return status;
}

static void every_truncation(void **state)
{
    const scratch *s = *state;
    for (size_t i = 0; i < golden_count; i++) {
        victim v;
        if (golden_files[i].kinds)
            continue;
        victim_init(&v, &golden_files[i]);
        for (size_t cut = 0; cut < v.is.size && v.is.size < LARGEST; cut++) {
            lade_error error;
            lade_file *f;
            size_t whole = commits_within(&v, cut);
            bool border = whole && v.border[whole - 1] == cut;
            scratch_write(s->path, v.is.data, cut);
            lade_status status = try_open(s->path, false, &f, &error);
            assert_status(status, border ? LADE_OK : whole ? LADE_ERR_TAIL : LADE_ERR_TRUNCATED);
            if (status == LADE_ERR_TAIL)
                assert_int_equal(error.offset, v.border[whole - 1]);
            assert_int_equal(lade_file_close(f), LADE_OK);
            status = try_open(s->path, true, &f, &error);
            assert_status(status, whole ? LADE_OK : LADE_ERR_TRUNCATED);
            assert_int_equal(lade_file_count(f), whole == 0 ? 0 : whole == 1 ? 2 : 3);
            assert_int_equal(lade_file_close(f), LADE_OK);
        }
        free(v.is.data);
    }
}

/* The golden check stands for "the same data"; cmocka would stop at its first failure, so entries
 * are loaded here and compared by their bytes when saved again. */
typedef struct loaded {
    const char *name;
    const lade_type *type;
    unsigned rank;
} loaded;

LADE_DECLARE(numbers)
LADE_DECLARE(block)
LADE_DECLARE(words)
LADE_DECLARE(lists)
LADE_DECLARE(bough)
LADE_DECLARE(person)
LADE_DECLARE(ring)
LADE_DECLARE(estate)
LADE_DECLARE(corner)
LADE_DECLARE(handles)

static const loaded entries[] = {
    {"numbers", &lade_type_numbers, 0},
    {"no skeleton", &lade_type_block, 0},
    {"lists", &lade_type_lists, 0},
    {"empty", &lade_type_lists, 0},
    {"tree", &lade_type_bough, 0},
    {"people", &lade_type_person, 0},
    {"ring", &lade_type_ring, 0},
    {"large", &lade_type_estate, 0},
    {"small", &lade_type_estate, 0},
    {"corners", &lade_type_corner, 2},
    {"rings", &lade_type_ring, 1},
    {"cube", &lade_scalar_f64, 3},
    {"few", &lade_scalar_f32, 2},
    {"none", &lade_scalar_f32, 3},
    {"rank 8", &lade_scalar_u16, 8},
    {"flags", &lade_scalar_bool, 1},
    {"a", &lade_scalar_i32, 1},
    {"b", &lade_scalar_i32, 1},
    {"c", &lade_scalar_i32, 1},
    {"handles", &lade_type_handles, 0},
    {"words \xe2\x88\x9e", &lade_type_words, 0},
};

static const loaded *entry_of(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(entries); i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

/* The message of what an entry holds; LADE_OK and size 0 if it cannot be loaded. */
static lade_status message_of(lade_file *f, const loaded *e, lade_buffer *message)
{
    void *out = NULL;
    lade_arena *owner = NULL;
    size_t n[8];
    message->size = 0;
    lade_status status = e->rank
                             ? lade_file_get_array_as(f, e->name, e->type, &out, e->rank, n, &owner)
                             : lade_file_get_as(f, e->name, e->type, &out, &owner);
    if (status != LADE_OK) {
        assert_true(!out && !owner);
        return status;
    }
    lade_status encoded = e->rank ? lade_encode_array_as(e->type, out, e->rank, n, message, &ctx)
                                  : lade_encode_as(e->type, out, message, &ctx);
    assert_int_equal(encoded, LADE_OK);
    lade_arena_destroy(owner);
    return LADE_OK;
}

/* Loads all entries of a damaged file. \returns the number of errors; fails on other data, unless
 * right is NULL. */
static int load_all(lade_file *f, const lade_buffer *right, const lade_error *error, size_t size)
{
    int errors = 0;
    lade_buffer message = {0};
    for (size_t i = 0; i < lade_file_count(f); i++) {
        const char *name = lade_file_name(f, i);
        const loaded *e = entry_of(name);
        if (!e)
            continue; /* a forged name */
        lade_status status = message_of(f, e, &message);
        if (status == LADE_OK && !right)
            continue;
        if (status == LADE_OK) {
            const lade_buffer *is = &right[e - entries];
            assert_int_equal(message.size, is->size);
            assert_memory_equal(message.data, is->data, is->size);
            continue;
        }
        errors++;
        assert_string_equal(error->entry, name);
        assert_true(error->offset == UINT64_MAX || error->offset < size);
    }
    lade_buffer_fini(&message);
    return errors;
}

static void rights_of(const victim *v, const char *path, lade_buffer *right)
{
    lade_error error;
    lade_file *f;
    scratch_write(path, v->is.data, v->is.size);
    assert_status(try_open(path, false, &f, &error), LADE_OK);
    for (size_t i = 0; i < lade_file_count(f); i++) {
        const loaded *e = entry_of(lade_file_name(f, i));
        assert_non_null(e);
        assert_status(message_of(f, e, &right[e - entries]), LADE_OK);
    }
    assert_int_equal(lade_file_close(f), LADE_OK);
}

/* \returns true if the damage was found. */
static bool change(const victim *v, const scratch *s, size_t at, uint8_t value,
                   const lade_buffer *right)
{
    lade_error error;
    lade_file *f;
    FILE *file = fopen(s->path, "r+b");
    assert_non_null(file);
    fseek(file, (long)at, SEEK_SET);
    fputc(value, file);
    assert_int_equal(fclose(file), 0);
    lade_status status = try_open(s->path, false, &f, &error);
    if (status == LADE_OK) {
        int errors = load_all(f, right, &error, v->is.size);
        assert_int_equal(lade_file_close(f), LADE_OK);
        return errors > 0;
    }
    bool first = at < 64;
    bool last = at >= v->border[v->commits - 1] - 64;
    if (at < 8)
        assert_status(status, LADE_ERR_FORMAT);
    else if (first)
        assert_status(status, LADE_ERR_CHECKSUM);
    else if (last)
        assert_status(status, v->commits > 1 ? LADE_ERR_TAIL : LADE_ERR_TRUNCATED);
    else
        assert_status(status, LADE_ERR_CHECKSUM);
    if (status == LADE_ERR_CHECKSUM && !first)
        assert_true(error.offset <= at && at < error.offset + 192);
    status = try_open(s->path, true, &f, &error);
    if (last && v->commits > 1)
        assert_status(status, LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
    return true;
}

static void every_byte(void **state)
{
    const scratch *s = *state;
    for (size_t i = 0; i < golden_count; i++) {
        victim v;
        lade_buffer right[COUNT_OF(entries)] = {0};
        size_t missed = 0;
        if (golden_files[i].kinds)
            continue;
        victim_init(&v, &golden_files[i]);
        bool small = v.is.size < LARGEST;
        const lade_buffer *same = v.g->no_crc ? NULL : right; /* else any data is good */
        if (small)
            rights_of(&v, s->path, right);
        for (size_t at = 0; small && at < v.is.size; at++) {
            const uint8_t old = v.is.data[at];
            const uint8_t values[] = {0, 0xff, (uint8_t)(old ^ 1), (uint8_t)(old ^ 0x80)};
            size_t most = v.is.size > 4000 && at % 7 ? 1 : COUNT_OF(values);
            for (size_t k = 0; k < most; k++)
                if (values[k] != old && !change(&v, s, at, values[k], same)) {
                    if (v.commits == 1 && same)
                        print_error("%s: byte %zu is not checked\n", v.g->name, at);
                    missed++;
                }
            FILE *file = fopen(s->path, "r+b");
            assert_non_null(file);
            fseek(file, (long)at, SEEK_SET);
            fputc(old, file);
            fclose(file);
        }
        if (v.commits == 1 && same) /* superseded entries are not read */
            assert_int_equal(missed, 0);
        for (size_t k = 0; k < COUNT_OF(entries); k++)
            lade_buffer_fini(&right[k]);
        free(v.is.data);
    }
}

/* Damage in one entry leaves the others readable. */
static void the_rest_is_readable(void **state)
{
    const scratch *s = *state;
    double a = 1;
    double b = 2;
    lade_file *f;
    assert_int_equal(lade_file_create(s->path, &f, NULL), LADE_OK);
    assert_int_equal(lade_file_put_array(f, "a", &a, 1, ((size_t[]){1})), LADE_OK);
    assert_int_equal(lade_file_put_array(f, "b", &b, 1, ((size_t[]){1})), LADE_OK);
    assert_int_equal(lade_file_commit(f), LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
    scratch_bytes is = scratch_read(s->path);
    size_t at = 64;
    while (is.data[at + 4] != 'E')
        at += 64;
    is.data[at + 64 + 1 + 8] ^= 1; /* behind head, name and frame head */
    scratch_write(s->path, is.data, is.size);
    lade_error error;
    assert_status(try_open(s->path, false, &f, &error), LADE_OK);
    a = b = 0;
    assert_status(lade_file_get_array_into(f, "a", &a, 1, ((size_t[]){1})), LADE_ERR_CHECKSUM);
    assert_string_equal(error.entry, "a");
    assert_int_equal(error.offset, at + 65);
    assert_int_equal(lade_file_get_array_into(f, "b", &b, 1, ((size_t[]){1})), LADE_OK);
    assert_true(b == 2);
    assert_int_equal(lade_file_close(f), LADE_OK);
    free(is.data);
}

static int fini(void **state)
{
    (void)state;
    lade_context_fini(&ctx);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_truncation),
        TEST(every_byte),
        TEST(the_rest_is_readable),
    };
    return cmocka_run_group_tests(tests, NULL, fini);
}
