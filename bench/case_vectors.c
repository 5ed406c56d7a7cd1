#include <stdlib.h>

#include "bench_bytes.h"
#include "described.h"
#include "serial_cases.h"
#include "vectors.h"

enum { VECTOR_LENGTH = 10000000, SERIES_COUNT = 1000 };

static void series_destroy(bench_value *value)
{
    series_set *set = value->value;

    for (uint32_t i = 0; set->a && i < set->count; i++)
        free(set->a[i].x);
    free(set->a);
    free(set);
}

/* n is the number of doubles in all series together. */
static int series_create(uint64_t n, bench_value *out)
{
    uint64_t seed = 1;
    bench_value made = {.value = calloc(1, sizeof(series_set))};
    series_set *set = made.value;

    if (!set)
        return -1;
    set->count = SERIES_COUNT;
    set->a = calloc(set->count, sizeof *set->a);
    for (uint32_t i = 0; set->a && i < set->count; i++) {
        series *s = &set->a[i];

        s->n = (size_t)(n / SERIES_COUNT);
        s->x = bench_alloc_touched(s->n, sizeof *s->x);
        if (!s->x)
            goto err_destroy;
        for (size_t k = 0; k < s->n; k++)
            s->x[k] = bench_unit(bench_random(&seed));
    }
    if (!set->a)
        goto err_destroy;
    made.working_bytes = (size_t)n * sizeof(double);
    *out = made;
    return 0;

err_destroy:
    series_destroy(&made);
    return -1;
}

static const bench_impl *const vectortime_impls[] = {
    &bench_raw_vectortime,  &bench_raw_vectortime_fresh,
    &bench_lade_file_arena, &bench_lade_file_crc,
    &bench_lade_file,       NULL,
};

const bench_case bench_case_vectortime = {
    .name = "vectortime",
    .ops = {"save", "load"},
    .n = VECTOR_LENGTH,
    .quick_n = VECTOR_LENGTH,
    .create = bench_vec_create,
    .destroy = bench_vec_destroy,
    .impls = vectortime_impls,
};

static const bench_impl *const arraytime_impls[] = {
    &bench_raw_arraytime, &bench_raw_arraytime_fresh, &bench_lade_file_arena,
    &bench_lade_file_crc, &bench_lade_file,           NULL,
};

const bench_case bench_case_arraytime = {
    .name = "arraytime",
    .ops = {"save", "load"},
    .n = VECTOR_LENGTH,
    .quick_n = VECTOR_LENGTH,
    .create = series_create,
    .destroy = series_destroy,
    .impls = arraytime_impls,
};

static const bench_impl *const memory_impls[] = {
    &bench_raw_memory, &bench_raw_memory_fresh, &bench_lade_memory_arena, &bench_lade_memory, NULL,
};

const bench_case bench_case_vectortime_memory = {
    .name = "vectortime_memory",
    .ops = {"save", "load"},
    .n = VECTOR_LENGTH,
    .quick_n = VECTOR_LENGTH,
    .create = bench_vec_create,
    .destroy = bench_vec_destroy,
    .impls = memory_impls,
};
