/**
 * \file
 * A type that two translation units describe, each for itself: what pitfalls_twin.c offers.
 */
#ifndef TEST_PITFALLS_TWIN_H
#define TEST_PITFALLS_TWIN_H

#include <lade/lade.h>

typedef struct twin twin;
struct twin {
    int32_t id;
    char *name;
    twin *next;
};

/** Saves one that refers to itself, by the other unit's description. */
lade_status pitfalls_twin_save(int32_t id, lade_buffer *message, lade_context *ctx);
const lade_type *pitfalls_twin_type(void);

#endif
