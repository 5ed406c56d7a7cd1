/**
 * \file
 * What the programs print: the machine, the table and JSON lines.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdint.h>
#include <stdio.h>

typedef struct {
    const char *case_name;
    const char *impl;
    const char *op;
    int ranks;
    uint64_t n;
    uint64_t bytes;
    double seconds_median;
    double seconds_min;
    double ratio; /* to raw; NaN where raw lacks the op */
    const char *transport;
    const char *fs;
} bench_result;

/** The name of the file system that holds `dir`, a constant string; "unknown" if it has none here.
 */
const char *bench_fs_name(const char *dir);

/** Prints lines that begin with '#': processor, memory, system, compiler, files, huge pages. */
void bench_report_machine(FILE *to, const char *dir, const char *fs);

void bench_report_header(FILE *to);
void bench_report_row(FILE *to, const bench_result *result);

/** One JSON object and a newline. Returns 0, or -1 if the stream has failed. */
int bench_report_json(FILE *to, const bench_result *result);

#endif
