/**
 * \file
 * The measuring harness: what a case and an implementation ("impl") of it are, and the main program
 * that runs them. Uses the C library and POSIX only; MPI comes in through `bench_peers`.
 *
 * For every op of a case the impls run interleaved: one untimed round in which each result is
 * verified, then `--samples` timed rounds, in alternating order: first of the impls with warm memory, then
 * of those that obtain it anew. The figure is the median; the
 * ratio is to the median of the impl named `raw` of the same case and op in the same run.
 *
 * The steps of an impl, in the order in which the harness calls them:
 *
 *     open
 *     for each op:   scrub  run[op]  verify[op]  reset      once, untimed
 *                    run[op] (timed)  reset                 `--samples` times
 *     close
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_OPS = 2,  /* the most ops a case has: save and load, or a transfer */
    BENCH_SAVE = 0, /* index of an op in the tables of file and memory cases */
    BENCH_LOAD = 1
};

/** What the steps of one impl work on. The harness fills it; an impl owns `state` and sets `bytes`.
 */
typedef struct {
    const char *case_name;
    const char *impl_name;
    const char *file;  /* borrowed: the file to save to and to load from */
    const void *value; /* borrowed: the value that every impl of the case saves or sends */
    void *state;       /* `state_size` zeroed bytes before open, the impl's own */
    uint64_t n;        /* the size of the case: array length, radius or object count */
    uint64_t bytes;    /* set by every run: encoded bytes that were moved */
    uint64_t repeats;  /* operations in one run, 1 unless open changes it */
    int rank;
    int ranks;
} bench_job;

/** One step: 0, or -1 after a call of `bench_complain`. */
typedef int (*bench_step)(bench_job *job);

/** One implementation. Every step but run may be NULL; a NULL run means that the impl lacks this
 * op. */
typedef struct {
    const char *name;
    const char *file_of;           /* the impl whose file this one loads; NULL: its own */
    bool fresh[BENCH_OPS];         /* run obtains memory or page cache anew */
    size_t state_size;             /* bytes */
    bench_step open;               /* allocates and touches all warm memory */
    bench_step scrub;              /* spoils warm results, so that verify proves what run did */
    bench_step run[BENCH_OPS];     /* the only timed step */
    bench_step verify[BENCH_OPS];  /* compares the result of run with job->value */
    bench_step reset;              /* frees what a run obtained anew */
    void (*close)(bench_job *job); /* also after a failed open */
} bench_impl;

/** What a case makes once and all its impls share. */
typedef struct {
    void *value;
    uint64_t n;           /* set by the harness before destroy */
    size_t working_bytes; /* memory, page cache included, that a fresh run may obtain */
} bench_value;

typedef struct {
    const char *name;
    const char *ops[BENCH_OPS]; /* "save", "load"; NULL: no such op */
    uint64_t n;
    uint64_t quick_n;
    int (*create)(uint64_t n, bench_value *out); /* deterministic; 0 or -1; untouched on failure */
    void (*destroy)(bench_value *value);
    const bench_impl *const *impls; /* ends with NULL */
} bench_case;

/** How the processes of one run agree. A serial program uses `bench_alone`. */
typedef struct {
    int rank;
    int ranks;
    const char *transport;
    void (*barrier)(void);
    double (*maximum)(double seconds);
    bool (*all)(bool ok); /* true if it is true on every rank */
} bench_peers;

extern const bench_peers bench_alone;

/**
 * Parses the options, prints the machine and one table for the selected cases (rank 0 only).
 * `cases` ends with NULL. Collective over the processes of `peers`.
 * Returns the exit status: 0; 1 after a failed step or verification; 2 for wrong options.
 */
int bench_main(int argc, char **argv, const char *program, const bench_case *const *cases,
               const bench_peers *peers);

/** Prints "case/impl: message" to stderr; returns -1. */
int bench_complain(const bench_job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Like `bench_complain`, with the text of errno. */
int bench_complain_errno(const bench_job *job, const char *what);

/** malloc of `count * size` bytes, checked, each page touched. Returns owned memory or NULL. */
void *bench_alloc_touched(size_t count, size_t size);

#endif
