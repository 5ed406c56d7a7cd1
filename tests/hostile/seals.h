/**
 * \file
 * Checksums and fingerprints of a file, made right again after its bytes were changed, so that what stands
 * behind them is reached.
 */
#ifndef TEST_SEALS_H
#define TEST_SEALS_H

#include <stddef.h>
#include <stdint.h>

enum { SEALS_MOST = 256 };

/** A checksum: where it stands, and of what it is. */
typedef struct seal {
    size_t at;
    size_t from, size;
    size_t from2, size2; /**< a second part, if size2 is not 0 */
    int kind;            /**< private */
} seal;

typedef struct seals {
    seal list[SEALS_MOST]; /**< inner ones before those that cover them */
    size_t count;
} seals;

/** Finds the seals of a file, which need not be valid: its records, at multiples of 64. Entries with more
 * than one frame or array have no checksum of the whole here. */
void seals_find(seals *s, const uint8_t *bytes, size_t size);
/** Makes all seals right. */
void seals_close(const seals *s, uint8_t *bytes);

#endif
