#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include "bench_bytes.h"

int bench_vec_create(uint64_t n, bench_value *out)
{
    vec *v = calloc(1, sizeof *v);
    uint64_t seed = 1;

    if (!v || n > SIZE_MAX / sizeof *v->x)
        goto err_free;
    v->n = (size_t)n;
    v->x = bench_alloc_touched(v->n, sizeof *v->x);
    if (!v->x)
        goto err_free;
    for (size_t i = 0; i < v->n; i++)
        v->x[i] = bench_unit(bench_random(&seed));
    out->value = v;
    out->working_bytes = v->n * sizeof *v->x;
    return 0;

err_free:
    free(v);
    return -1;
}

void bench_vec_destroy(bench_value *value)
{
    vec *v = value->value;

    free(v->x);
    free(v);
}

int bench_vec_compare(const bench_job *job, const vec *loaded)
{
    const vec *saved = job->value;

    if (loaded->n != saved->n || memcmp(loaded->x, saved->x, saved->n * sizeof *saved->x) != 0)
        return bench_complain(job, "the loaded array differs from the saved one");
    return 0;
}

int bench_series_compare(const bench_job *job, const series_set *loaded)
{
    const series_set *saved = job->value;

    if (loaded->count != saved->count)
        return bench_complain(job, "%u series loaded, %u saved", loaded->count, saved->count);
    for (uint32_t i = 0; i < saved->count; i++) {
        const series *s = &saved->a[i], *l = &loaded->a[i];

        if (l->n != s->n || memcmp(l->x, s->x, s->n * sizeof *s->x) != 0)
            return bench_complain(job, "loaded series %u differs from the saved one", i);
    }
    return 0;
}
