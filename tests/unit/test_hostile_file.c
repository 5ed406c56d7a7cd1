/* Hostile files of every kind of field: changed byte by byte and with hostile numbers, with checksums as
 * they were and with all of them made right again, so that what stands behind them is reached. */
#include "support.h"

#include "../fault/scratch.h"
#include "../hostile/mutate.h"
#include "../hostile/seals.h"
#include "../hostile/trial.h"
#include "kind_types.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Neighbouring bytes share the values between them, but in the smallest file. */
enum { SMALLEST = 600, VALUE_STEP = TEST_SANITIZED ? 11 : 4, CUT_STEP = TEST_SANITIZED ? 7 : 1 };

/* A file under attack. The bytes of content and most of the padding are all alike. */
typedef struct victim {
    const char *name, *path;
    uint8_t *honest, *hostile;
    size_t size;
    unsigned step; /* of values */
    seals seals;
    int fd;
    size_t trials;
} victim;

static void victim_init(victim *v, const char *name, const char *path)
{
    scratch_bytes is = scratch_read(path);
    *v = (victim){.name = name, .path = path, .honest = is.data, .size = is.size};
    v->step = is.size < SMALLEST ? 1 : VALUE_STEP;
    v->hostile = malloc(is.size);
    assert_non_null(v->hostile);
    v->fd = open(path, O_WRONLY);
    assert_true(v->fd >= 0);
    seals_find(&v->seals, v->honest, v->size);
    assert_in_range(v->seals.count, 6, SEALS_MOST - 1);
    memcpy(v->hostile, v->honest, v->size);
    seals_close(&v->seals, v->hostile);
    assert_memory_equal(v->hostile, v->honest, v->size); /* every seal is a real one */
}

static void victim_fini(victim *v)
{
    close(v->fd);
    free(v->honest);
    free(v->hostile);
}

static void attack(victim *v, bool close_seals, const char *what, size_t at, unsigned k)
{
    if (close_seals)
        seals_close(&v->seals, v->hostile);
    assert_int_equal(pwrite(v->fd, v->hostile, v->size, 0), v->size);
    v->trials++;
    const char *wrong = trial_file(v->path, v->size, v->trials % 2, v->trials % 3 == 0);
    if (wrong)
        fail_msg("%s, %s: %s %zu, %u: %s", v->name, close_seals ? "sealed" : "not sealed", what, at,
                 k, wrong);
    memcpy(v->hostile, v->honest, v->size);
}

/* Where nothing but content or padding stands, few bytes stand for all. */
static size_t step(const victim *v, size_t at)
{
    size_t n = 0;
    while (at + n < v->size && n < 64 && v->honest[at + n] == v->honest[at])
        n++;
    if (v->size > 8000 && at > 700 && at + 700 < v->size)
        return 61;
    return n >= 8 ? n - 7 : TEST_SANITIZED && v->step > 1 ? 2 : 1;
}

static void change_every_byte(victim *v)
{
    for (size_t at = 0; at < v->size; at += step(v, at))
        for (unsigned k = (unsigned)(at % v->step); k < MUTATE_BYTES; k += v->step) {
            v->hostile[at] = mutate_byte(v->hostile[at], k);
            attack(v, true, "byte", at, k);
            if (k > MUTATE_BYTES - 3) {
                v->hostile[at] = mutate_byte(v->hostile[at], k);
                attack(v, false, "byte", at, k);
            }
        }
}

/* Numbers of the container are 4 or 8 bytes wide. */
static void change_every_number(victim *v)
{
    for (size_t at = 0; at + 8 <= v->size; at += step(v, at))
        for (unsigned k = (unsigned)(at % v->step); k < MUTATE_NUMBERS; k += v->step) {
            uint64_t n = lade_priv_load64(v->honest + at);
            bool narrow = (uint32_t)n == 0 || n >> 32 != 0;
            if (narrow)
                n = n >> 32 << 32 | (uint32_t)mutate_number((uint32_t)n, k);
            else
                n = mutate_number(n, k);
            lade_priv_store64(v->hostile + at, n);
            attack(v, true, "number", at, k);
        }
}

static void cut_at_every_byte(victim *v)
{
    for (size_t size = v->size - 1; size > CUT_STEP; size -= size > 2000 ? 61 : CUT_STEP) {
        assert_int_equal(ftruncate(v->fd, (off_t)size), 0);
        const char *wrong = trial_file(v->path, size, false, size % 2);
        if (wrong)
            fail_msg("%s: cut at %zu: %s", v->name, size, wrong);
    }
}

/* Each specimen in a file of its own; one more has two commits, of which the second supersedes an entry. */
static void make_file(const scratch *s, size_t i)
{
    lade_file *f;
    lade_context ctx = {.externals = &kind_externals};
    const specimen *first = &specimens[i < specimen_count ? i : 2];
    assert_int_equal(lade_file_create(s->path, &f, &ctx), LADE_OK);
    assert_int_equal(specimen_put(first, f), LADE_OK);
    assert_int_equal(lade_file_commit(f), LADE_OK);
    if (i == specimen_count) {
        assert_int_equal(specimen_put(first, f), LADE_OK);
        assert_int_equal(specimen_put(specimen_find("byte"), f), LADE_OK);
        assert_int_equal(specimen_put(specimen_find("flags"), f), LADE_OK);
        assert_int_equal(lade_file_commit(f), LADE_OK);
    }
    assert_int_equal(lade_file_close(f), LADE_OK);
    lade_context_fini(&ctx);
}

static void each_victim(const scratch *s, void (*run)(victim *v))
{
    for (size_t i = 0; i <= specimen_count; i++) {
        victim v;
        make_file(s, i);
        victim_init(&v, i < specimen_count ? specimens[i].name : "commits", s->path);
        run(&v);
        victim_fini(&v);
    }
}

static void every_byte(void **state)
{
    each_victim(*state, change_every_byte);
}

static void every_number(void **state)
{
    each_victim(*state, change_every_number);
}

static void every_cut(void **state)
{
    each_victim(*state, cut_at_every_byte);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_byte),
        TEST(every_number),
        TEST(every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
