/*
 * vectortime_memory by hand: an 8-byte length and one memcpy each way. The warm impl reuses its
 * buffers, the fresh one mallocs the destination of each save and load.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_bytes.h"
#include "vectors.h"

enum { HEADER_BYTES = 8 };

typedef struct {
    uint8_t *encoded; /* filled by open; what load reads */
    uint8_t *saved;   /* the result of save: `encoded`, or fresh */
    vec loaded;
    size_t size; /* bytes of the encoded form */
} memory_state;

static void encode(uint8_t *to, const vec *v)
{
    memcpy(bench_put_u64(to, v->n), v->x, v->n * sizeof *v->x);
}

static int fresh_open(bench_job *job)
{
    memory_state *s = job->state;
    const vec *v = job->value;

    s->size = HEADER_BYTES + v->n * sizeof *v->x;
    s->encoded = bench_alloc_touched(s->size, 1);
    if (!s->encoded)
        return bench_complain_errno(job, "open");
    encode(s->encoded, v);
    return 0;
}

static int warm_open(bench_job *job)
{
    memory_state *s = job->state;
    const vec *v = job->value;

    if (fresh_open(job))
        return -1;
    s->saved = s->encoded;
    s->loaded = (vec){.n = v->n, .x = bench_alloc_touched(v->n, sizeof *v->x)};
    return s->loaded.x ? 0 : bench_complain_errno(job, "open");
}

/* The buffer is spoilt only before its first save, not before load reads it. */
static int warm_scrub(bench_job *job)
{
    memory_state *s = job->state;

    if (job->bytes == 0)
        memset(s->saved, 0xA5, s->size);
    memset(s->loaded.x, 0xA5, s->size - HEADER_BYTES);
    return 0;
}

static int warm_save(bench_job *job)
{
    memory_state *s = job->state;

    encode(s->saved, job->value);
    job->bytes = s->size;
    return 0;
}

static int fresh_save(bench_job *job)
{
    memory_state *s = job->state;

    s->saved = malloc(s->size);
    return s->saved ? warm_save(job) : bench_complain_errno(job, "save");
}

static int warm_load(bench_job *job)
{
    memory_state *s = job->state;
    uint64_t n = bench_get_u64(s->encoded);

    if (n != (s->size - HEADER_BYTES) / sizeof(double))
        return bench_complain(job, "load: bad length");
    s->loaded.n = (size_t)n;
    memcpy(s->loaded.x, s->encoded + HEADER_BYTES, (size_t)n * sizeof(double));
    job->bytes = s->size;
    return 0;
}

static int fresh_load(bench_job *job)
{
    memory_state *s = job->state;

    s->loaded.x = malloc(s->size - HEADER_BYTES);
    return s->loaded.x ? warm_load(job) : bench_complain_errno(job, "load");
}

static int verify_save(bench_job *job)
{
    memory_state *s = job->state;
    const vec *v = job->value;

    if (bench_get_u64(s->saved) != v->n ||
        memcmp(s->saved + HEADER_BYTES, v->x, v->n * sizeof *v->x) != 0)
        return bench_complain(job, "the encoded bytes are wrong");
    return 0;
}

static int verify_load(bench_job *job)
{
    memory_state *s = job->state;

    return bench_vec_compare(job, &s->loaded);
}

static int fresh_reset(bench_job *job)
{
    memory_state *s = job->state;

    free(s->saved);
    free(s->loaded.x);
    s->saved = NULL;
    s->loaded.x = NULL;
    return 0;
}

static void memory_close(bench_job *job)
{
    memory_state *s = job->state;

    free(s->loaded.x);
    free(s->encoded);
}

const bench_impl bench_raw_memory = {
    .name = "raw",
    .state_size = sizeof(memory_state),
    .open = warm_open,
    .scrub = warm_scrub,
    .run = {warm_save, warm_load},
    .verify = {verify_save, verify_load},
    .close = memory_close,
};

const bench_impl bench_raw_memory_fresh = {
    .name = "raw_fresh",
    .state_size = sizeof(memory_state),
    .open = fresh_open,
    .fresh = {true, true},
    .run = {fresh_save, fresh_load},
    .verify = {verify_save, verify_load},
    .reset = fresh_reset,
    .close = memory_close,
};
