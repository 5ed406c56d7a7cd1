/* The nth system call fails, for every n until all succeed: the right status and cause, the old
 * file whole, no temporary, no descriptor and no memory leaked. */
#include "support.h"

#include "../fault/inject.h"
#include "../fault/scratch.h"
#include "city_types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000 };

typedef struct trial {
    const scratch *s;
    lade_context ctx;
    lade_error error;
    test_memory memory;
    bool old; /* there was a file before */
} trial;

static int32_t number_in(const char *where, bool recover)
{
    int32_t value = -1;
    lade_file *f;
    lade_error error = {0};
    lade_context ctx = {.error = &error, .recover = recover};
    assert_ok(lade_file_open(where, LADE_READ, &f, &ctx), &error);
    assert_ok(lade_file_get_array_into(f, "number", &value, 1, ((size_t[]){1})), &error);
    assert_ok(lade_file_close(f), &error);
    lade_context_fini(&ctx);
    return value;
}

static lade_status put_number(lade_file *f, int32_t value)
{
    return lade_file_put_array(f, "number", &value, 1, ((size_t[]){1}));
}

/* The first state: number 1. */
static void save_old(const char *where)
{
    lade_file *f;
    assert_int_equal(lade_file_create(where, &f, NULL), LADE_OK);
    assert_int_equal(put_number(f, 1), LADE_OK);
    assert_int_equal(lade_file_commit(f), LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
}

static lade_status fill(lade_file *f)
{
    lade_status status = put_number(f, 2);
    if (status == LADE_OK)
        status = lade_file_put(f, "city", city, city_small());
    if (status == LADE_OK)
        status = lade_file_commit(f);
    lade_status closed = lade_file_close(f);
    return status ? status : closed;
}

/* Replaces a file. */
static lade_status replace(trial *t)
{
    lade_file *f = NULL;
    lade_status status = lade_file_create(t->s->path, &f, &t->ctx);
    return status ? status : fill(f);
}

/* Adds a commit. */
static lade_status append(trial *t)
{
    lade_file *f = NULL;
    lade_status status = lade_file_open(t->s->path, LADE_APPEND, &f, &t->ctx);
    return status ? status : fill(f);
}

static lade_status load(trial *t)
{
    lade_file *f = NULL;
    city *c = NULL;
    lade_arena *owner = NULL;
    lade_status status = lade_file_open(t->s->path, LADE_READ, &f, &t->ctx);
    if (status != LADE_OK)
        return status;
    status = lade_file_get(f, "city", city, &c, &owner);
    assert_true((status == LADE_OK) == (c != NULL) && (c != NULL) == (owner != NULL));
    if (c)
        city_check(c);
    lade_arena_destroy(owner);
    lade_status closed = lade_file_close(f);
    return status ? status : closed;
}

static const struct work {
    const char *name;
    lade_status (*run)(trial *t);
    bool writes;
} works[] = {{"replace", replace, true}, {"append", append, true}, {"load", load, false}};

static void prepare(const scratch *s, const struct work *work)
{
    save_old(s->path);
    if (!work->writes) {
        trial t = {.s = s};
        assert_int_equal(append(&t), LADE_OK);
        lade_context_fini(&t.ctx);
    }
}

/* Runs with one failing call; true if no call failed. */
static bool run(const scratch *s, const struct work *work, int n, int cause, lade_status *status)
{
    trial t = {.s = s};
    test_memory_init(&t.memory);
    t.ctx = (lade_context){.error = &t.error, .allocator = &t.memory.allocator};
    int descriptors = scratch_descriptors();
    inject_start(n, cause, -1);
    *status = work->run(&t);
    inject_stop();
    lade_context_fini(&t.ctx);
    test_memory_check(&t.memory);
    assert_int_equal(scratch_descriptors(), descriptors);
    assert_int_equal(scratch_count(s), 1);
    if (*status != LADE_OK && cause) {
        assert_int_equal(t.error.status, *status);
        assert_int_equal(t.error.cause, cause);
        assert_true(t.error.message[0] != 0);
    }
    return injected.failed == 0;
}

static void every_call(const scratch *s, int cause, lade_status expected)
{
    for (size_t w = 0; w < COUNT_OF(works); w++)
        for (int n = 1;; n++) {
            lade_status status;
            assert_true(n < MOST);
            prepare(s, &works[w]);
            bool done = run(s, &works[w], n, cause, &status);
            if (done) {
                assert_int_equal(status, LADE_OK);
                break;
            }
            bool harmless = status == LADE_OK && !works[w].writes && injected.hit == INJECT_CLOSE;
            if (injected.hit == INJECT_CLOSE && works[w].writes && status == LADE_OK)
                harmless = true; /* of the directory: it was synced */
            if (!harmless && status != expected)
                print_error("%s, call %d, %s, errno %d\n", works[w].name, n,
                            inject_name(injected.hit), cause);
            if (!harmless)
                assert_status(status, expected);
            /* once a sync or close after the rename or the footer fails, both states are right */
            bool late = injected.hit == INJECT_FSYNC || injected.hit == INJECT_CLOSE ||
                        injected.hit == INJECT_OPEN || injected.hit == INJECT_FTRUNCATE;
            int32_t is = number_in(s->path, false);
            if (works[w].writes && status != LADE_OK && !late)
                assert_int_equal(is, 1);
            assert_true(is == 1 || is == 2);
        }
}

static void errors_stop(void **state)
{
    static const struct {
        int cause;
        lade_status status;
    } causes[] = {{EIO, LADE_ERR_IO},
                  {ENOSPC, LADE_ERR_NO_SPACE},
                  {EDQUOT, LADE_ERR_NO_SPACE},
                  {EACCES, LADE_ERR_PERMISSION}};
    for (size_t i = 0; i < COUNT_OF(causes); i++)
        every_call(*state, causes[i].cause, causes[i].status);
}

/* Interrupted calls are repeated, short ones go on. */
static void goes_on(const scratch *s, int cause)
{
    int refused = 0;
    for (size_t w = 0; w < COUNT_OF(works); w++)
        for (int n = 1;; n++) {
            lade_status status;
            assert_true(n < MOST);
            prepare(s, &works[w]);
            if (run(s, &works[w], n, cause, &status))
                break;
            if (injected.hit == INJECT_RENAME || injected.hit == INJECT_FCHMOD)
                continue; /* Linux never interrupts these */
            if (status != LADE_OK)
                print_error("%s, call %d (%s): %s\n", works[w].name, n, inject_name(injected.hit),
                            lade_status_name(status));
            refused += status != LADE_OK;
            assert_true(number_in(s->path, false) == 2 || status != LADE_OK);
        }
    assert_int_equal(refused, 0);
}

static void interrupted_calls_are_repeated(void **state)
{
    goes_on(*state, EINTR);
}

static void short_transfers_go_on(void **state)
{
    goes_on(*state, 0);
}

/* Not one call but all from then on fail, as on a full disk: nothing is undone by further writes.
 */
static void a_disk_that_stays_full(void **state)
{
    const scratch *s = *state;
    static const inject_call kinds[] = {INJECT_PWRITEV, INJECT_FSYNC};
    for (size_t k = 0; k < COUNT_OF(kinds); k++)
        for (size_t w = 0; w < 2; w++)
            for (int n = 1;; n++) {
                trial t = {.s = s};
                t.ctx.error = &t.error;
                save_old(s->path);
                inject_start(n, ENOSPC, (int)kinds[k]);
                injected.stay = true;
                lade_status status = works[w].run(&t);
                inject_stop();
                lade_context_fini(&t.ctx);
                if (injected.failed == 0)
                    break;
                assert_status(status, LADE_ERR_NO_SPACE);
                int32_t is = number_in(s->path, false);
                assert_true(is == 1 || (kinds[k] == INJECT_FSYNC && is == 2));
                assert_int_equal(scratch_count(s), 1);
            }
}

/* A commit that failed may be tried again, and what was put is still there. */
static void a_failed_commit_can_be_repeated(void **state)
{
    const scratch *s = *state;
    for (int fresh = 0; fresh < 2; fresh++)
        for (int n = 1;; n++) {
            lade_file *f;
            save_old(s->path);
            if (fresh)
                assert_int_equal(lade_file_create(s->path, &f, NULL), LADE_OK);
            else
                assert_int_equal(lade_file_open(s->path, LADE_APPEND, &f, NULL), LADE_OK);
            assert_int_equal(put_number(f, 2), LADE_OK);
            inject_start(n, EIO, -1);
            lade_status status = lade_file_commit(f);
            inject_stop();
            if (injected.failed == 0) {
                assert_int_equal(lade_file_close(f), LADE_OK);
                break;
            }
            if (status != LADE_OK)
                assert_int_equal(lade_file_commit(f), LADE_OK);
            assert_int_equal(lade_file_close(f), LADE_OK);
            assert_int_equal(number_in(s->path, false), 2);
            assert_int_equal(scratch_count(s), 1);
        }
}

/* The program goes on after a failed commit and dies in its next put: one of the two states must
 * still be there. */
static void death_after_a_failed_commit(void **state)
{
    const scratch *s = *state;
    int lost = 0;
    for (int n = 1;; n++) {
        static char text[300000];
        lade_file *f;
        save_old(s->path);
        assert_int_equal(lade_file_open(s->path, LADE_APPEND, &f, NULL), LADE_OK);
        assert_int_equal(put_number(f, 2), LADE_OK);
        inject_start(n, EIO, -1);
        lade_status committed = lade_file_commit(f);
        inject_stop();
        int failed = injected.failed;
        for (int cut = 1; committed != LADE_OK && cut < 4; cut++) {
            inject_start(cut, EIO, INJECT_PWRITEV);
            injected.stay = true;
            lade_status status = lade_file_put_array(f, "more", text, 1, ((size_t[]){300000}));
            inject_stop();
            (void)status;
            scratch_bytes b = scratch_read(s->path); /* as death would leave it */
            char copy[SCRATCH_PATH];
            snprintf(copy, sizeof copy, "%s/copy", s->directory);
            scratch_write(copy, b.data, b.size);
            free(b.data);
            lade_file *is;
            lade_context ctx = {.recover = true};
            status = lade_file_open(copy, LADE_READ, &is, &ctx);
            if (status != LADE_OK)
                print_error("call %d of the commit, write %d of the put: %s\n", n, cut,
                            lade_status_name(status));
            else
                assert_int_equal(lade_file_close(is), LADE_OK);
            lost += status != LADE_OK;
            lade_context_fini(&ctx);
        }
        assert_int_equal(lade_file_close(f), LADE_OK);
        if (failed == 0)
            break;
    }
    assert_int_equal(lost, 0);
}

static void the_nth_allocation_fails(void **state)
{
    const scratch *s = *state;
    for (size_t w = 0; w < COUNT_OF(works); w++)
        for (size_t n = 1;; n++) {
            trial t = {.s = s};
            assert_true(n < MOST);
            prepare(s, &works[w]);
            test_memory_init(&t.memory);
            t.ctx = (lade_context){.error = &t.error, .allocator = &t.memory.allocator};
            test_memory_restart(&t.memory, n);
            int descriptors = scratch_descriptors();
            lade_status status = works[w].run(&t);
            bool done = t.memory.calls < n;
            lade_context_fini(&t.ctx);
            test_memory_check(&t.memory);
            assert_int_equal(scratch_descriptors(), descriptors);
            assert_int_equal(scratch_count(s), 1);
            if (done) {
                assert_int_equal(status, LADE_OK);
                break;
            }
            if (status != LADE_ERR_MEMORY)
                print_error("%s, allocation %zu\n", works[w].name, n);
            assert_status(status, LADE_ERR_MEMORY);
            int32_t is = number_in(s->path, false);
            if (works[w].writes && is != 1)
                print_error("%s, allocation %zu: failed, and yet the state is new\n", works[w].name,
                            n);
            if (works[w].writes)
                assert_int_equal(is, 1);
        }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(errors_stop),
        TEST(interrupted_calls_are_repeated),
        TEST(short_transfers_go_on),
        TEST(a_disk_that_stays_full),
        TEST(a_failed_commit_can_be_repeated),
        TEST(death_after_a_failed_commit),
        TEST(the_nth_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
