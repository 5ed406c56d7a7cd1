/**
 * \file
 * System calls that fail on demand. Programs that use this are linked with
 * -Wl,--wrap=<call> for each call of inject_call.
 */
#ifndef TEST_INJECT_H
#define TEST_INJECT_H

#include <stdbool.h>

typedef enum inject_call {
    INJECT_OPEN,
    INJECT_CLOSE,
    INJECT_PREADV,
    INJECT_PWRITEV,
    INJECT_FSYNC,
    INJECT_FTRUNCATE,
    INJECT_RENAME,
    INJECT_FCHMOD,
    INJECT_CALLS
} inject_call;

typedef struct inject {
    bool on;         /**< count, and fail */
    int counted;     /**< calls since it was set on (of kind `only`, or all) */
    int fail_at;     /**< the call that fails, from 1; 0: none */
    bool stay;       /**< all calls of that kind from then on fail */
    int cause;       /**< errno; 0: a short transfer of 1 byte, for reads and writes */
    int only;        /**< an inject_call, or -1 for all */
    int failed;      /**< calls that failed so far */
    inject_call hit; /**< the kind of the last one */
} inject;

extern inject injected;

/** Starts to count; the n-th call fails with `cause`. */
void inject_start(int n, int cause, int only);
void inject_stop(void);
const char *inject_name(inject_call call);

#endif
