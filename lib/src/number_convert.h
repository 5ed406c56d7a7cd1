/**
 * \file
 * Numbers of any scalar, to be read as others. Nothing is rounded unless the caller asks for it.
 */
#ifndef LADE_NUMBER_CONVERT_H
#define LADE_NUMBER_CONVERT_H

#include "internal.h"

/** A number: an integer (sign and magnitude), or a real and an imaginary part. */
typedef struct lade_number {
    bool integer, negative;
    uint64_t magnitude;
    long double real,
        imaginary; /* every double, float and 64-bit integer is one exactly, or is an integer here */
} lade_number;

/** Reads a member. False: not a scalar. */
bool lade_number_read(const void *member, lade_scalar scalar, lade_number *out);
/** Writes a member; false (and nothing is written) unless the number is one of the scalar exactly, or NaN. */
bool lade_number_write(const lade_number *n, lade_scalar scalar, void *member);
/** The real part, rounded where it must be. */
long double lade_number_real(const lade_number *n);

#endif
