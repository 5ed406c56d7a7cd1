/*
 * arraytime by hand: the count and all lengths, then all arrays, in as few writev calls as IOV_MAX
 * allows; loading mirrors it with readv.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_bytes.h"
#include "bench_file.h"
#include "vectors.h"

enum { COUNT_BYTES = 4, LENGTH_BYTES = 8 };

typedef struct {
    bench_file file;
    uint8_t *header; /* the count and the lengths */
    size_t header_bytes;
    struct iovec *part;
    series_set warm;
    series_set loaded;
} series_state;

static void series_free(series_set *set)
{
    for (uint32_t i = 0; set->a && i < set->count; i++)
        free(set->a[i].x);
    free(set->a);
    *set = (series_set){0};
}

static int fresh_open(bench_job *job)
{
    series_state *s = job->state;
    const series_set *set = job->value;

    s->header_bytes = COUNT_BYTES + (size_t)set->count * LENGTH_BYTES;
    s->header = malloc(s->header_bytes);
    s->part = calloc((size_t)set->count + 1, sizeof *s->part);
    return s->header && s->part ? 0 : bench_complain_errno(job, "open");
}

static int warm_open(bench_job *job)
{
    series_state *s = job->state;
    const series_set *set = job->value;

    if (fresh_open(job))
        return -1;
    s->warm.a = calloc(set->count, sizeof *s->warm.a);
    if (!s->warm.a)
        return bench_complain_errno(job, "open");
    s->warm.count = set->count;
    for (uint32_t i = 0; i < set->count; i++) {
        s->warm.a[i].n = set->a[i].n;
        s->warm.a[i].x = bench_alloc_touched(set->a[i].n, sizeof(double));
        if (!s->warm.a[i].x)
            return bench_complain_errno(job, "open");
    }
    return 0;
}

static int warm_scrub(bench_job *job)
{
    series_state *s = job->state;

    for (uint32_t i = 0; i < s->warm.count; i++)
        memset(s->warm.a[i].x, 0xA5, s->warm.a[i].n * sizeof(double));
    return 0;
}

static int series_save(bench_job *job)
{
    series_state *s = job->state;
    const series_set *set = job->value;
    uint8_t *p = bench_put_u32(s->header, set->count);

    s->part[0] = (struct iovec){.iov_base = s->header, .iov_len = s->header_bytes};
    job->bytes = s->header_bytes;
    for (uint32_t i = 0; i < set->count; i++) {
        size_t size = set->a[i].n * sizeof(double);

        p = bench_put_u64(p, set->a[i].n);
        s->part[i + 1] = (struct iovec){.iov_base = set->a[i].x, .iov_len = size};
        job->bytes += size;
    }
    if (bench_file_create(&s->file, job->file))
        return bench_complain_errno(job, "save");
    if (bench_file_writev(&s->file, s->part, (size_t)set->count + 1)) {
        bench_file_abandon(&s->file);
        return bench_complain_errno(job, "save");
    }
    return bench_file_commit(&s->file) ? bench_complain_errno(job, "save") : 0;
}

/* Reads the lengths; fills `set` (whose series are malloc'ed if `fresh`) and the parts to read
 * into. */
static int series_prepare(series_state *s, int fd, uint64_t size, series_set *set, bool fresh)
{
    uint64_t left = size - s->header_bytes;

    if (size < s->header_bytes || bench_file_read(fd, s->header, s->header_bytes))
        return -1;
    if (bench_get_u32(s->header) != set->count) {
        errno = EPROTO;
        return -1;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        uint64_t n = bench_get_u64(s->header + COUNT_BYTES + (size_t)i * LENGTH_BYTES);

        if (n > left / sizeof(double) || (!fresh && n > set->a[i].n)) {
            errno = EPROTO;
            return -1;
        }
        left -= n * sizeof(double);
        set->a[i].n = (size_t)n;
        if (fresh)
            set->a[i].x = malloc((size_t)n * sizeof(double));
        if (!set->a[i].x)
            return -1;
        s->part[i] = (struct iovec){.iov_base = set->a[i].x, .iov_len = (size_t)n * sizeof(double)};
    }
    return 0;
}

static int series_read(bench_job *job, series_set *set, bool fresh)
{
    series_state *s = job->state;
    uint64_t size = 0;
    int fd = bench_file_open(job->file, &size);

    if (fd < 0)
        return bench_complain_errno(job, "load");
    if (series_prepare(s, fd, size, set, fresh) || bench_file_readv(fd, s->part, set->count)) {
        bench_complain_errno(job, "load");
        close(fd);
        return -1;
    }
    close(fd);
    job->bytes = size;
    return 0;
}

static int warm_load(bench_job *job)
{
    series_state *s = job->state;

    return series_read(job, &s->warm, false);
}

static int fresh_load(bench_job *job)
{
    series_state *s = job->state;
    const series_set *set = job->value;

    s->loaded = (series_set){.count = set->count, .a = calloc(set->count, sizeof *s->loaded.a)};
    if (!s->loaded.a)
        return bench_complain_errno(job, "load");
    return series_read(job, &s->loaded, true);
}

static int warm_verify(bench_job *job)
{
    series_state *s = job->state;

    return bench_series_compare(job, &s->warm);
}

static int fresh_verify(bench_job *job)
{
    series_state *s = job->state;

    return bench_series_compare(job, &s->loaded);
}

static int fresh_reset(bench_job *job)
{
    series_state *s = job->state;

    series_free(&s->loaded);
    return 0;
}

static void series_close(bench_job *job)
{
    series_state *s = job->state;

    series_free(&s->warm);
    series_free(&s->loaded);
    free(s->part);
    free(s->header);
}

const bench_impl bench_raw_arraytime = {
    .name = "raw",
    .state_size = sizeof(series_state),
    .open = warm_open,
    .scrub = warm_scrub,
    .fresh = {true, false},
    .run = {series_save, warm_load},
    .verify = {NULL, warm_verify},
    .close = series_close,
};

const bench_impl bench_raw_arraytime_fresh = {
    .name = "raw_fresh",
    .file_of = "raw",
    .state_size = sizeof(series_state),
    .open = fresh_open,
    .fresh = {false, true},
    .run = {NULL, fresh_load},
    .verify = {NULL, fresh_verify},
    .reset = fresh_reset,
    .close = series_close,
};
