/* Real file systems: a full one, directories and files without permission, a writer that is
 * killed at any time. */
#include "support.h"

#include "../fault/scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, ROUNDS = 50, DOUBLES = 30000 };

static double some[DOUBLES];

static lade_status save(const char *path, size_t n, lade_error *error)
{
    lade_context ctx = {.error = error};
    lade_status status = lade_save_array_file(path, some, 1, ((size_t[]){n}), &ctx);
    lade_context_fini(&ctx);
    return status;
}

static void check(const char *path, size_t n)
{
    double *is;
    size_t count = 0;
    lade_arena *owner = NULL;
    assert_int_equal(lade_load_array_file(path, &is, 1, &count, &owner, NULL), LADE_OK);
    assert_int_equal(count, n);
    lade_arena_destroy(owner);
}

static void full_disk(const scratch *s)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_file *f;
    assert_int_equal(save(s->path, 1000, &error), LADE_OK);
    assert_status(save(s->path, DOUBLES, &error), LADE_ERR_NO_SPACE);
    assert_int_equal(error.cause, ENOSPC);
    assert_int_equal(scratch_count(s), 1);
    check(s->path, 1000);
    assert_int_equal(lade_file_open(s->path, LADE_APPEND, &f, &ctx), LADE_OK);
    lade_status status = lade_file_put_array(f, "more", some, 1, ((size_t[]){DOUBLES}));
    if (status == LADE_OK)
        status = lade_file_commit(f);
    assert_status(status, LADE_ERR_NO_SPACE);
    assert_int_equal(lade_file_put_array(f, "less", some, 1, ((size_t[]){100})), LADE_OK);
    assert_int_equal(lade_file_commit(f), LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
    check(s->path, 1000);
    assert_int_equal(lade_file_open(s->path, LADE_APPEND, &f, &ctx), LADE_OK);
    assert_status(lade_file_put_array(f, "more", some, 1, ((size_t[]){DOUBLES})),
                  LADE_ERR_NO_SPACE);
    assert_int_equal(lade_file_close(f), LADE_OK);
    check(s->path, 1000); /* and no tail */
    lade_context_fini(&ctx);
}

static void a_full_disk(void **state)
{
    const scratch *s = *state;
    if (mount("tmpfs", s->directory, "tmpfs", MS_NOSUID | MS_NODEV, "size=128k,mode=700") != 0) {
        print_message("skipped: mounting a tmpfs is not permitted (%s)\n", strerror(errno));
        skip();
    }
    full_disk(s);
}

static int disk_teardown(void **state)
{
    const scratch *s = *state;
    umount2(s->directory, MNT_DETACH); /* fails where nothing was mounted */
    return scratch_teardown(state);
}

/* Runs in a child as a user without rights; the child's exit status is the number of failures. */
static int as_nobody(int (*run)(const scratch *s), const scratch *s)
{
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
            _exit(99);
        _exit(run(s));
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int refused(lade_status status, const lade_error *error)
{
    if (status == LADE_ERR_PERMISSION && error->cause == EACCES && error->message[0])
        return 0;
    print_error("%s: %s\n", lade_status_name(status), error->message);
    return 1;
}

static int without_rights(const scratch *s)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_file *f = NULL;
    int failures = refused(save(s->path, 10, &error), &error);
    char other[SCRATCH_PATH];
    snprintf(other, sizeof other, "%s/other", s->directory);
    failures += refused(save(other, 10, &error), &error);
    failures += refused(lade_file_open(s->path, LADE_APPEND, &f, &ctx), &error);
    failures += f != NULL;
    if (lade_file_open(s->path, LADE_READ, &f, &ctx) != LADE_OK)
        return failures + 1;
    failures += lade_file_close(f) != LADE_OK;
    lade_context_fini(&ctx);
    return failures;
}

static int unreadable(const scratch *s)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_file *f = NULL;
    int failures = refused(lade_file_open(s->path, LADE_READ, &f, &ctx), &error);
    lade_context_fini(&ctx);
    return failures + (f != NULL);
}

static void directories_and_files_without_rights(void **state)
{
    const scratch *s = *state;
    lade_error error = {0};
    assert_int_equal(save(s->path, 1000, &error), LADE_OK);
    assert_int_equal(chmod(s->path, 0444), 0);
    assert_int_equal(chmod(s->directory, 0555), 0);
    int failures = as_nobody(without_rights, s);
    assert_int_equal(chmod(s->path, 0), 0);
    failures += as_nobody(unreadable, s);
    assert_int_equal(chmod(s->directory, 0700), 0);
    assert_int_equal(chmod(s->path, 0600), 0);
    assert_int_equal(failures, 0);
    assert_int_equal(scratch_count(s), 1);
    check(s->path, 1000);
}

/* Commits states 1, 2, 3, ... until it is killed; each is told through the pipe once it is done. */
static void write_states(const char *path, int pipe_to)
{
    lade_file *f = NULL;
    lade_context ctx = {.recover = true};
    if (lade_file_open(path, LADE_APPEND, &f, &ctx) != LADE_OK)
        _exit(1);
    int32_t number = 0;
    if (lade_file_get_array_into(f, "number", &number, 1, ((size_t[]){1})) != LADE_OK)
        _exit(2);
    for (;;) {
        number++;
        some[0] = number;
        if (lade_file_put_array(f, "number", &number, 1, ((size_t[]){1})) != LADE_OK ||
            lade_file_put_array(f, "some", some, 1, ((size_t[]){2000})) != LADE_OK ||
            lade_file_commit(f) != LADE_OK ||
            write(pipe_to, &number, sizeof number) != (ssize_t)sizeof number)
            _exit(3);
    }
}

static int32_t kill_a_writer(const char *path, uint64_t *random)
{
    int ends[2];
    int32_t told = 0;
    int32_t last = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        write_states(path, ends[1]);
    close(ends[1]);
    if (test_random(random) % 4) /* most of them after the first commit */
        if (read(ends[0], &told, sizeof told) == (ssize_t)sizeof told)
            last = told;
    struct timespec pause = {0, (long)(test_random(random) % 4000000)};
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    while (read(ends[0], &told, sizeof told) == (ssize_t)sizeof told)
        last = told;
    close(ends[0]);
    return last;
}

static void a_killed_writer(void **state)
{
    const scratch *s = *state;
    uint64_t random = 20240229;
    int32_t number = 0;
    int32_t before = 0;
    int tails = 0;
    lade_file *f;
    assert_int_equal(lade_file_create(s->path, &f, NULL), LADE_OK);
    assert_int_equal(lade_file_put_array(f, "number", &number, 1, ((size_t[]){1})), LADE_OK);
    assert_int_equal(lade_file_put_array(f, "some", some, 1, ((size_t[]){2000})), LADE_OK);
    assert_int_equal(lade_file_commit(f), LADE_OK);
    assert_int_equal(lade_file_close(f), LADE_OK);
    for (int round = 0; round < ROUNDS; round++) {
        static double is[2000];
        lade_error error = {0};
        lade_context ctx = {.error = &error};
        int32_t told = kill_a_writer(s->path, &random);
        lade_status status = lade_file_open(s->path, LADE_READ, &f, &ctx);
        if (status != LADE_OK) {
            assert_status(status, LADE_ERR_TAIL);
            tails++;
            ctx.recover = true;
            assert_ok(lade_file_open(s->path, LADE_READ, &f, &ctx), &error);
        }
        assert_ok(lade_file_get_array_into(f, "number", &number, 1, ((size_t[]){1})), &error);
        assert_ok(lade_file_get_array_into(f, "some", is, 1, ((size_t[]){2000})), &error);
        assert_true(is[0] == number && number >= told && number >= before);
        assert_int_equal(lade_file_close(f), LADE_OK);
        assert_int_equal(scratch_count(s), 1);
        before = number;
        lade_context_fini(&ctx);
    }
    print_message("%d commits, %d unfinished tails\n", before, tails);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_full_disk, scratch_setup, disk_teardown),
        TEST(directories_and_files_without_rights),
        TEST(a_killed_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
