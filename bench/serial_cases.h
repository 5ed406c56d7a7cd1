/**
 * \file
 * All cases of lade-bench. A new case: a file case_NAME.c, a line here and one in serial_main.c.
 */
#ifndef BENCH_SERIAL_CASES_H
#define BENCH_SERIAL_CASES_H

#include "harness.h"

extern const bench_case bench_case_vectortime;
extern const bench_case bench_case_arraytime;
extern const bench_case bench_case_vectortime_memory;
extern const bench_case bench_case_animals;
extern const bench_case bench_case_techniques;
extern const bench_case bench_case_dogs_concrete;
extern const bench_case bench_case_dogs_any;
extern const bench_case bench_case_testclass;
extern const bench_case bench_case_hextille_pool;
extern const bench_case bench_case_hextille_scattered;
extern const bench_case bench_case_copy_hextille;

#endif
