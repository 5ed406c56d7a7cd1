#include "harness.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bench_options.h"
#include "bench_report.h"
#include "harness_internal.h"

enum { PAGE_BYTES = 4096 };

/* One selected impl of the running case. */
typedef struct {
    const bench_impl *impl;
    bench_job job;
    char file[PATH_MAX];
    bool opened;
    double *seconds[BENCH_OPS]; /* `samples` of each op */
} bench_entry;

typedef struct {
    const bench_case *about;
    bench_value value;
    uint64_t n;
    size_t count;
    bench_entry *entries;
    size_t fresh_bytes[BENCH_OPS]; /* that a run of this op may obtain anew */
} bench_running;

static void alone_barrier(void)
{
}

static double alone_maximum(double seconds)
{
    return seconds;
}

static bool alone_all(bool ok)
{
    return ok;
}

const bench_peers bench_alone = {.rank = 0,
                                 .ranks = 1,
                                 .transport = "none",
                                 .barrier = alone_barrier,
                                 .maximum = alone_maximum,
                                 .all = alone_all};

int bench_complain(const bench_job *job, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s/%s: ", job->case_name, job->impl_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}

int bench_complain_errno(const bench_job *job, const char *what)
{
    return bench_complain(job, "%s: %s", what, strerror(errno));
}

void *bench_alloc_touched(size_t count, size_t size)
{
    volatile unsigned char *bytes;
    size_t total;

    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    bytes = malloc(total ? total : 1);
    for (size_t i = 0; bytes && i < total; i += PAGE_BYTES)
        bytes[i] = 0;
    return (void *)(uintptr_t)bytes;
}

/*
 * Freed blocks of 2 MiB and more may go back to the host of a virtual machine, and touching them
 * again then costs seconds. Taking and returning as much as the next run may need puts backed pages
 * first on the kernel's free lists. All impls get the same treatment.
 */
static void back_free_pages(size_t bytes)
{
    volatile unsigned char *p;

    if (bytes == 0)
        return;
    p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if ((void *)(uintptr_t)p == MAP_FAILED)
        return;
    madvise((void *)(uintptr_t)p, bytes, MADV_HUGEPAGE);
    for (size_t i = 0; i < bytes; i += PAGE_BYTES)
        p[i] = 1;
    munmap((void *)(uintptr_t)p, bytes);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(const double *sorted, size_t count)
{
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static int step(const bench_session *s, bench_step run, bench_job *job)
{
    return s->peers->all(!run || run(job) == 0) ? 0 : -1;
}

static void show_progress(const bench_session *s, const bench_entry *e, const char *op,
                          unsigned turn)
{
    if (s->progress)
        fprintf(stderr, "\r\033[K%s %s %s %u/%u", e->job.case_name, op, e->impl->name, turn,
                s->options->samples);
}

static int run_verified(const bench_session *s, bench_running *r, size_t op, bench_entry *e)
{
    show_progress(s, e, r->about->ops[op], 0);
    if (step(s, e->impl->scrub, &e->job) || step(s, e->impl->run[op], &e->job) ||
        step(s, e->impl->verify[op], &e->job) || step(s, e->impl->reset, &e->job))
        return -1;
    return 0;
}

static int run_timed(const bench_session *s, bench_running *r, size_t op, bench_entry *e,
                     unsigned turn)
{
    double start, elapsed;
    int status;

    show_progress(s, e, r->about->ops[op], turn + 1);
    back_free_pages(r->fresh_bytes[op]);
    s->peers->barrier();
    start = now();
    status = e->impl->run[op](&e->job);
    elapsed = now() - start;
    if (!s->peers->all(status == 0))
        return -1;
    e->seconds[op][turn] = s->peers->maximum(elapsed) / (double)e->job.repeats;
    return step(s, e->impl->reset, &e->job);
}

/* Every other turn goes backwards, so that no impl always follows the same neighbour. */
static bench_entry *entry_of_turn(bench_running *r, unsigned turn, size_t i)
{
    return &r->entries[turn % 2 ? r->count - 1 - i : i];
}

/* All samples of the impls with warm memory, or of those that obtain it anew: what these give back to the
 * system is still being dealt with while the next sample runs, and must not slow a warm one. */
static int sample_op(const bench_session *s, bench_running *r, size_t op, bool fresh)
{
    for (unsigned turn = 0; turn < s->options->samples; turn++) {
        for (size_t i = 0; i < r->count; i++) {
            bench_entry *e = entry_of_turn(r, turn, i);

            if (e->impl->run[op] && e->impl->fresh[op] == fresh && run_timed(s, r, op, e, turn))
                return -1;
        }
    }
    return 0;
}

static int measure_op(const bench_session *s, bench_running *r, size_t op)
{
    for (size_t i = 0; i < r->count; i++) {
        bench_entry *e = &r->entries[i];

        if (e->impl->run[op] && run_verified(s, r, op, e))
            return -1;
    }
    return sample_op(s, r, op, false) || sample_op(s, r, op, true) ? -1 : 0;
}

static double raw_median(const bench_session *s, const bench_running *r, size_t op)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strcmp(r->entries[i].impl->name, "raw") == 0 && r->entries[i].impl->run[op])
            return median(r->entries[i].seconds[op], s->options->samples);
    }
    return (double)NAN;
}

static int report_op(const bench_session *s, bench_running *r, size_t op)
{
    unsigned samples = s->options->samples;
    double raw;

    for (size_t i = 0; i < r->count; i++)
        qsort(r->entries[i].seconds[op], samples, sizeof(double), compare_seconds);
    raw = raw_median(s, r, op);
    for (size_t i = 0; i < r->count; i++) {
        const bench_entry *e = &r->entries[i];
        bench_result result = {.case_name = r->about->name,
                               .impl = e->impl->name,
                               .op = r->about->ops[op],
                               .ranks = s->peers->ranks,
                               .n = r->n,
                               .bytes = e->job.bytes,
                               .seconds_min = e->seconds[op][0],
                               .seconds_median = median(e->seconds[op], samples),
                               .transport = s->peers->transport,
                               .fs = s->fs};

        if (!e->impl->run[op])
            continue;
        result.ratio = result.seconds_median / raw;
        bench_report_row(stdout, &result);
        if (s->json && bench_report_json(s->json, &result)) {
            perror(s->options->json);
            return -1;
        }
    }
    return 0;
}

static bool impl_selected(const bench_session *s, const bench_impl *impl)
{
    return strcmp(impl->name, "raw") == 0 || bench_names_select(&s->options->impls, impl->name);
}

static int entry_init(const bench_session *s, const bench_running *r, const bench_impl *impl,
                      bench_entry *e)
{
    const char *owner = impl->file_of ? impl->file_of : impl->name;
    int length = snprintf(e->file, sizeof e->file, "%s/lade-bench-%ld-%s-%s", s->options->dir,
                          (long)getpid(), r->about->name, owner);

    if (length < 0 || (size_t)length >= sizeof e->file)
        return -1;
    e->impl = impl;
    e->job = (bench_job){.case_name = r->about->name,
                         .impl_name = impl->name,
                         .file = e->file,
                         .value = r->value.value,
                         .n = r->n,
                         .repeats = 1,
                         .rank = s->peers->rank,
                         .ranks = s->peers->ranks};
    for (size_t op = 0; op < BENCH_OPS; op++) {
        e->seconds[op] = calloc(s->options->samples, sizeof(double));
        if (!e->seconds[op])
            return -1;
    }
    e->job.state = calloc(1, impl->state_size ? impl->state_size : 1);
    return e->job.state ? 0 : -1;
}

static int entries_open(const bench_session *s, bench_running *r)
{
    size_t all = 0;

    while (r->about->impls[all])
        all++;
    r->entries = calloc(all, sizeof *r->entries);
    if (!r->entries)
        return -1;
    for (size_t i = 0; i < all; i++) {
        bench_entry *e = &r->entries[r->count];

        if (!impl_selected(s, r->about->impls[i]))
            continue;
        r->count++;
        if (entry_init(s, r, r->about->impls[i], e))
            return -1;
        for (size_t op = 0; op < BENCH_OPS; op++) {
            if (e->impl->fresh[op])
                r->fresh_bytes[op] = r->value.working_bytes;
        }
        e->opened = true;
        if (step(s, e->impl->open, &e->job))
            return -1;
    }
    return 0;
}

static void entries_close(bench_running *r)
{
    for (size_t i = 0; i < r->count; i++) {
        bench_entry *e = &r->entries[i];

        if (e->opened && e->impl->close)
            e->impl->close(&e->job);
        if (e->opened)
            unlink(e->file);
        free(e->job.state);
        for (size_t op = 0; op < BENCH_OPS; op++)
            free(e->seconds[op]);
    }
    free(r->entries);
}

static int run_ops(const bench_session *s, bench_running *r)
{
    for (size_t op = 0; op < BENCH_OPS && r->about->ops[op]; op++) {
        if (measure_op(s, r, op))
            return -1;
    }
    if (s->progress)
        fprintf(stderr, "\r\033[K");
    for (size_t op = 0; s->peers->rank == 0 && op < BENCH_OPS && r->about->ops[op]; op++) {
        if (report_op(s, r, op))
            return -1;
    }
    fflush(stdout);
    return 0;
}

int bench_run_case(const bench_session *s, const bench_case *c)
{
    bench_running r = {.about = c, .n = s->options->quick ? c->quick_n : c->n};
    int status;

    if (s->options->size)
        r.n = s->options->size;
    if (!s->peers->all(c->create(r.n, &r.value) == 0)) {
        fprintf(stderr, "%s: cannot make the value\n", c->name);
        return -1;
    }
    status = entries_open(s, &r);
    if (status == 0)
        status = run_ops(s, &r);
    entries_close(&r);
    r.value.n = r.n;
    c->destroy(&r.value);
    if (status)
        fprintf(stderr, "%s: stopped\n", c->name);
    return status;
}
