/**
 * \file
 * Random types, built at run time as descriptors, and random values of them.
 */
#ifndef TEST_RANDOM_TYPES_H
#define TEST_RANDOM_TYPES_H

#include <lade/lade.h>

enum { MAX_TYPES = 6, MAX_FIELDS = 9, MAX_OBJECTS = 64 };

typedef struct random_types {
    uint64_t state;
    unsigned count;
    bool pools; /* types[0] has pools: nothing may lead to it */
    lade_type types[MAX_TYPES];
    lade_field fields[MAX_TYPES][MAX_FIELDS];
} random_types;

/** types[0] is the root; the others may be recursive. */
void random_types_make(random_types *t, uint64_t seed);

/** Values in memory of their own, all freed together. */
typedef struct random_values {
    random_types *types;
    unsigned budget; /* bodies that may still be made */
    void **blocks;
    size_t block_count;
    void *objects[MAX_TYPES + 1][MAX_OBJECTS]; /* targets of refs; the last: doubles */
    unsigned object_count[MAX_TYPES + 1];
} random_values;

void *random_values_make(random_values *v, random_types *t, unsigned budget);
/** Fills one value of any descriptor without pools and refs: for macro-described types. */
void random_value_fill(random_values *v, const lade_type *type, void *value, unsigned depth);
void random_values_free(random_values *v);

#endif
