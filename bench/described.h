/**
 * \file
 * The descriptions of the benchmark's types for Lade, and what the lade impls of all cases share.
 */
#ifndef BENCH_DESCRIBED_H
#define BENCH_DESCRIBED_H

#include <lade/lade.h>

#include "harness.h"

/** One case as Lade sees it. */
typedef struct {
    const char *case_name;
    const lade_type *type;
    int (*compare)(const bench_job *job, const void *loaded);
    const char *impl_name; /* only for this impl; NULL: for all that have no line before this one */
    size_t at;             /* bytes from the job's value to what is saved */
} bench_described;

/** Finds the description of a job's case and impl in a table that ends with a NULL name. */
const bench_described *bench_described_find(const bench_described *table, const bench_job *job);

/** State of one lade impl. */
typedef struct {
    const bench_described *described;
    const void *value;
    lade_context ctx;
    lade_error err;
    lade_arena *arena;
    void *loaded;
    lade_buffer buffer;
} bench_lade_state;

/** Sets the context up as the impl's name says: lade and lade_arena without CRC, lade_crc,
 * lade_plan. */
void bench_lade_open(bench_job *job, const bench_described *table);
void bench_lade_close(bench_job *job);
/** Spoils what a warm arena holds, so that verify proves what the run did. */
int bench_lade_scrub(bench_job *job);
/** Drops the memory of a fresh arena. */
int bench_lade_reset_fresh(bench_job *job);
/** Reports a failed call: 0 if status is LADE_OK, else -1. */
int bench_lade_done(const bench_job *job, lade_status status);

LADE_DECLARE(vec)
LADE_DECLARE(series_set)
LADE_DECLARE(zoo)
LADE_DECLARE(hooked_zoo)
LADE_DECLARE(custom_zoo)
LADE_DECLARE(crates)
LADE_DECLARE(any_crates)
LADE_DECLARE(hexmap)
LADE_DECLARE(hexroot)

/** Stores to a file and loads from it, and to memory, for all serial cases. */
extern const bench_impl bench_lade_file, bench_lade_file_crc, bench_lade_file_arena;
extern const bench_impl bench_lade_file_plan, bench_lade_file_hooks, bench_lade_file_custom;
extern const bench_impl bench_lade_memory, bench_lade_memory_arena, bench_lade_memory_concrete;

#endif
