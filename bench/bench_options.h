/**
 * \file
 * The options that all benchmark programs share.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_NAMES_MAX = 64 };

typedef struct {
    const char *name[BENCH_NAMES_MAX]; /* borrowed from argv */
    size_t count;
} bench_names;

typedef struct {
    bool quick;
    bool list;
    bool help;
    bench_names cases; /* empty: all */
    bench_names impls; /* empty: all; `raw` always runs */
    const char *json;  /* borrowed from argv, or NULL */
    const char *dir;   /* borrowed from argv or the environment */
    unsigned samples;
    uint64_t size; /* 0: the sizes of the cases */
} bench_options;

/** 0, or -1 after a message on stderr (printed only if `speak`). Untouched on failure. */
int bench_options_parse(int argc, char **argv, const char *program, bool speak, bench_options *out);

/** Prints the help text to stdout. */
void bench_options_help(const char *program);

/** True if `names` is empty or holds `name`. */
bool bench_names_select(const bench_names *names, const char *name);

#endif
