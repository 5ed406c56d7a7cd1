/**
 * \file
 * Values of the cases vectortime, vectortime_memory (one `vec`) and arraytime (one `series_set`).
 */
#ifndef BENCH_VECTORS_H
#define BENCH_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#include "harness.h"

typedef struct {
    size_t n;
    double *x;
} vec;

typedef struct {
    size_t n;
    double *x;
} series;

typedef struct {
    uint32_t count;
    series *a;
} series_set;

/** Makes and frees the `vec` of a case, whose n is its length. Also used by the MPI cases. */
int bench_vec_create(uint64_t n, bench_value *out);
void bench_vec_destroy(bench_value *value);

/** 0, or -1 after a message, if `loaded` is not equal to the job's value. */
int bench_vec_compare(const bench_job *job, const vec *loaded);
int bench_series_compare(const bench_job *job, const series_set *loaded);

extern const bench_impl bench_raw_vectortime, bench_raw_vectortime_fresh;
extern const bench_impl bench_raw_arraytime, bench_raw_arraytime_fresh;
extern const bench_impl bench_raw_memory, bench_raw_memory_fresh;

#endif
