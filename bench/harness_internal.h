/**
 * \file
 * What harness.c (measuring a case) and bench_main.c (choosing cases) share.
 */
#ifndef BENCH_HARNESS_INTERNAL_H
#define BENCH_HARNESS_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "bench_options.h"
#include "harness.h"

typedef struct {
    const bench_options *options;
    const bench_peers *peers;
    const char *fs;
    FILE *json; /* NULL: none */
    bool progress;
} bench_session;

/** Makes the value, runs the selected impls, reports. Collective. 0, or -1 after a message. */
int bench_run_case(const bench_session *session, const bench_case *about);

#endif
