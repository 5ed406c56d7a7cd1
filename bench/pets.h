/**
 * \file
 * The values of the cases dogs_concrete and dogs_any: containers that own one dog each, through a pointer to
 * the dog's own type, or to the type that it extends.
 */
#ifndef BENCH_PETS_H
#define BENCH_PETS_H

#include <stddef.h>
#include <stdint.h>

#include "harness.h"

typedef enum { beagle, collie, husky, poodle, terrier } breed;

typedef struct {
    int32_t age;
    char *name;
} pet;

typedef struct {
    pet base;
    breed breed;
} pet_dog;

/** Says what any_crate.pet points to; the place in the list of known types. */
enum { PET_PLAIN, PET_DOG };

typedef struct {
    pet *pet;
    uint8_t kind;
} any_crate;

/** Of the same size, so that both declarations move the same memory. */
typedef struct {
    pet_dog *pet;
    uint8_t unused;
} crate;

typedef struct {
    size_t n;
    crate *all;
} crates;

typedef struct {
    size_t n;
    any_crate *all;
} any_crates;

/** What the impls of both cases save: the same dogs, declared in both ways. */
typedef struct {
    crates concrete;
    any_crates any;
} pets;

/** 0, or -1 after a message, if `loaded` is not equal to the job's pets. */
int bench_crates_compare(const bench_job *job, const crates *loaded);
int bench_any_crates_compare(const bench_job *job, const any_crates *loaded);

extern const bench_impl bench_raw_crates, bench_raw_any_crates;

#endif
