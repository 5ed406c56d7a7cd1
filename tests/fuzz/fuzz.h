/**
 * \file
 * Fuzz targets: each source beside this one but fuzz_main.c and make_corpus.c is one. Built with LADE_FUZZ they
 * are libFuzzer programs; in every build they are regression tests, which run the committed corpus.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stdlib.h>

#include "../hostile/trial.h"

/** Runs one input; aborts where a promise of the library is broken. \returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/** Aborts, and says why, unless `wrong` is NULL. */
static inline void fuzz_check(const char *wrong)
{
    if (!wrong)
        return;
    print_error("%s\n", wrong);
    abort();
}

/* The first bytes of an input say what the others are. */
enum {
    FUZZ_MESSAGE_HEAD = 2,
    FUZZ_BARE = 1,
    FUZZ_INTERPRET = 2,
    FUZZ_INTO = 4
};                                                              /* specimen, mode */
enum { FUZZ_FILE_HEAD = 1, FUZZ_SEALED = 1, FUZZ_RECOVER = 4 }; /* mode */
enum { FUZZ_SCHEMA_HEAD = 1 };                                  /* specimen */

#endif
