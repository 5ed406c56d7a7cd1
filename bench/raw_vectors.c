/*
 * vectortime by hand: an 8-byte length and the array, one writev; loading reads the length, then
 * the array straight to where it lives. The warm impl reuses one array, the fresh one mallocs it in
 * each load.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_bytes.h"
#include "bench_file.h"
#include "vectors.h"

enum { HEADER_BYTES = 8 };

typedef struct {
    bench_file file;
    vec warm; /* n is the capacity */
    vec loaded;
} vector_state;

static int vector_open(bench_job *job)
{
    vector_state *s = job->state;
    const vec *v = job->value;

    s->warm = (vec){.n = v->n, .x = bench_alloc_touched(v->n, sizeof *v->x)};
    return s->warm.x ? 0 : bench_complain_errno(job, "open");
}

static int vector_scrub(bench_job *job)
{
    vector_state *s = job->state;

    memset(s->warm.x, 0xA5, s->warm.n * sizeof *s->warm.x);
    return 0;
}

static int vector_save(bench_job *job)
{
    vector_state *s = job->state;
    const vec *v = job->value;
    uint8_t header[HEADER_BYTES];
    size_t size = v->n * sizeof *v->x;
    struct iovec part[2] = {{.iov_base = header, .iov_len = sizeof header},
                            {.iov_base = v->x, .iov_len = size}};

    bench_put_u64(header, v->n);
    if (bench_file_create(&s->file, job->file))
        return bench_complain_errno(job, "save");
    if (bench_file_writev(&s->file, part, 2)) {
        bench_file_abandon(&s->file);
        return bench_complain_errno(job, "save");
    }
    if (bench_file_commit(&s->file))
        return bench_complain_errno(job, "save");
    job->bytes = sizeof header + size;
    return 0;
}

/* Reads into `into` if it has memory, else into memory that it mallocs. */
static int vector_read(bench_job *job, vec into, vec *loaded)
{
    uint8_t header[HEADER_BYTES];
    uint64_t size = 0, n;
    int fd = bench_file_open(job->file, &size);
    double *fresh = NULL;

    if (fd < 0)
        return bench_complain_errno(job, "load");
    if (bench_file_read(fd, header, sizeof header))
        goto err_close;
    errno = EPROTO;
    n = bench_get_u64(header);
    if (n > (size - sizeof header) / sizeof(double) || (into.x && n > into.n))
        goto err_close;
    if (!into.x)
        into.x = fresh = malloc((size_t)n * sizeof(double));
    if (!into.x || bench_file_read(fd, into.x, (size_t)n * sizeof(double)))
        goto err_free;
    close(fd);
    *loaded = (vec){.n = (size_t)n, .x = into.x};
    job->bytes = size;
    return 0;

err_free:
    free(fresh);
err_close:
    close(fd);
    return bench_complain_errno(job, "load");
}

static int vector_load(bench_job *job)
{
    vector_state *s = job->state;

    return vector_read(job, s->warm, &s->loaded);
}

static int vector_load_fresh(bench_job *job)
{
    vector_state *s = job->state;

    return vector_read(job, (vec){0}, &s->loaded);
}

static int vector_verify(bench_job *job)
{
    vector_state *s = job->state;

    return bench_vec_compare(job, &s->loaded);
}

static int vector_reset_fresh(bench_job *job)
{
    vector_state *s = job->state;

    free(s->loaded.x);
    s->loaded = (vec){0};
    return 0;
}

static void vector_close(bench_job *job)
{
    vector_state *s = job->state;

    free(s->warm.x);
}

const bench_impl bench_raw_vectortime = {
    .name = "raw",
    .state_size = sizeof(vector_state),
    .open = vector_open,
    .scrub = vector_scrub,
    .fresh = {true, false},
    .run = {vector_save, vector_load},
    .verify = {NULL, vector_verify},
    .close = vector_close,
};

const bench_impl bench_raw_vectortime_fresh = {
    .name = "raw_fresh",
    .file_of = "raw",
    .state_size = sizeof(vector_state),
    .fresh = {false, true},
    .run = {NULL, vector_load_fresh},
    .verify = {NULL, vector_verify},
    .reset = vector_reset_fresh,
};
