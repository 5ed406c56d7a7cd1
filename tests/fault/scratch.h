/**
 * \file
 * For tests of files: a directory of their own, whole files as bytes, what is left behind.
 */
#ifndef TEST_SCRATCH_H
#define TEST_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

enum { SCRATCH_PATH = 512 };

typedef struct scratch {
    char directory[256];
    char path[SCRATCH_PATH]; /**< of a file in it, "file.lade" */
    int descriptors;         /**< open at the start */
} scratch;

typedef struct scratch_bytes {
    uint8_t *data; /**< free it */
    size_t size;
} scratch_bytes;

/** cmocka setup: *state is a new scratch. */
int scratch_setup(void **state);
/** cmocka teardown: removes the directory; fails if descriptors were leaked. */
int scratch_teardown(void **state);
/** Removes all files in the directory. */
void scratch_clear(const scratch *s);

/** Reads a whole file; asserts that it is there. */
scratch_bytes scratch_read(const char *path);
void scratch_write(const char *path, const void *bytes, size_t size);
/** \returns the number of files in the directory. */
int scratch_count(const scratch *s);
/** \returns the number of open descriptors. */
int scratch_descriptors(void);

#endif
