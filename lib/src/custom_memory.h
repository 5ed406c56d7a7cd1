/**
 * \file
 * Values of custom types in operations in memory: their save functions write into a buffer, which is compared,
 * or loaded from again.
 */
#ifndef LADE_CUSTOM_MEMORY_H
#define LADE_CUSTOM_MEMORY_H

#include "store.h"

struct lade_plan;

/** Encoders and a decoder, taken from the context at their first use. Zero-initialise the rest. */
typedef struct lade_customs {
    lade_job *job;
    const struct lade_plan *plan;
    struct enc *enc[2];
    struct dec *dec;
} lade_customs;

/** Loads `to`, which is cleared, from what `from` saves; memory comes from the store. False: an error. */
bool lade_customs_copy(lade_customs *c, lade_store *store, const lade_node *node, const void *from,
                       void *to);
/** Compares what two values save. False: an error. */
bool lade_customs_equal(lade_customs *c, const lade_node *node, const void *a, const void *b,
                        bool *equal);
/** Gives them back to the context. */
void lade_customs_end(lade_customs *c);

#endif
