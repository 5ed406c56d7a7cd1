/**
 * \file
 * The value of the case animals: records with two nullable texts each.
 */
#ifndef BENCH_ANIMALS_H
#define BENCH_ANIMALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness.h"

typedef enum kind { cat, dog, bird, fish, other } kind;

typedef struct {
    char *name; /* NULL for a tenth of the animals, else 5 to 15 letters */
    int32_t age;
    double weight;
    bool alive;
    kind what;
    char *owner; /* NULL for half of the animals, else 5 to 15 letters */
} animal;

typedef struct {
    size_t n;
    animal *all;
} zoo;

/** Makes and frees the `zoo` of a case, whose n is its number of animals. */
int bench_zoo_create(uint64_t n, bench_value *out);
void bench_zoo_destroy(bench_value *value);

/** 0, or -1 after a message, if `loaded` is not equal to the job's zoo. */
int bench_zoo_compare(const bench_job *job, const zoo *loaded);

extern const bench_impl bench_raw_animals, bench_raw_animals_arena;

#endif
