/**
 * \file
 * The cases of serial_demo. Each saves to the demo's file, loads, compares, and prints a row of the
 * table; or prints what failed on stderr and returns false.
 */
#ifndef EXAMPLES_SERIAL_CASES_H
#define EXAMPLES_SERIAL_CASES_H

#include "demo.h"

typedef struct {
    demo_options options;
    demo_inputs in;
    char dir[4000];
    char file[4096]; /**< in dir; each case replaces it */
    lade_error error;
    lade_context ctx;
} demo;

/** A row of the table. */
typedef struct {
    const char *what;
    uint64_t objects, refs, values;
    /** demo_clock() before saving, between, and after loading; saved == start: not saved. */
    double start, saved, loaded;
} row;

void print_head(void);

/** Prints a row; or, where `wrong` is not NULL, that, and returns false. */
bool report(const demo *d, const row *r, const char *wrong);

/** Prints the error of the last call of Lade. Always false. */
bool failed(const demo *d, const char *doing);

bool graph_case(demo *d);
bool field_case(demo *d);
bool map_case(demo *d);

#endif
