#include <stdlib.h>
#include <string.h>

#include "bench_bytes.h"
#include "described.h"
#include "pets.h"
#include "serial_cases.h"

enum { DOGS = 1000000, BREEDS = 5, NAME_SHORTEST = 3, NAME_LONGEST = 10, LETTERS = 26 };

/* One block of each: what a program has that loaded them. */
typedef struct {
    pets pets; /* first: what the impls see */
    pet_dog *dogs;
    char *names;
} kennel;

static void kennel_destroy(bench_value *value)
{
    kennel *k = value->value;

    free(k->pets.concrete.all);
    free(k->pets.any.all);
    free(k->dogs);
    free(k->names);
    free(k);
}

static void make_dog(uint64_t *seed, pet_dog *dog, char *name)
{
    uint64_t dice = bench_random(seed);
    size_t span = NAME_LONGEST - NAME_SHORTEST + 1;
    size_t length = NAME_SHORTEST + (size_t)((dice >> 40) % span);

    for (size_t i = 0; i < length; i++)
        name[i] = (char)('a' + (dice >> 4 * i) % LETTERS);
    name[length] = '\0';
    *dog = (pet_dog){{(int32_t)(dice % 20), name}, (breed)((dice >> 24) % BREEDS)};
}

static int kennel_create(uint64_t n, bench_value *out)
{
    uint64_t seed = 4;
    bench_value made = {.value = calloc(1, sizeof(kennel))};
    kennel *k = made.value;

    if (!k)
        return -1;
    k->pets.concrete = (crates){(size_t)n, calloc((size_t)n, sizeof(crate))};
    k->pets.any = (any_crates){(size_t)n, calloc((size_t)n, sizeof(any_crate))};
    k->dogs = calloc((size_t)n, sizeof *k->dogs);
    k->names = calloc((size_t)n, NAME_LONGEST + 1);
    if (!k->pets.concrete.all || !k->pets.any.all || !k->dogs || !k->names) {
        kennel_destroy(&made);
        return -1;
    }
    char *name = k->names;
    for (size_t i = 0; i < n; i++) {
        pet_dog *dog = &k->dogs[i];

        make_dog(&seed, dog, name);
        name += strlen(name) + 1;
        k->pets.concrete.all[i].pet = dog;
        k->pets.any.all[i] = (any_crate){&dog->base, PET_DOG};
    }
    *out = made;
    return 0;
}

static bool dog_equal(const pet_dog *a, const pet_dog *b)
{
    return a && b && a->base.age == b->base.age && a->breed == b->breed && a->base.name &&
           strcmp(a->base.name, b->base.name) == 0;
}

int bench_crates_compare(const bench_job *job, const crates *loaded)
{
    const crates *saved = &((const pets *)job->value)->concrete;

    if (loaded->n != saved->n)
        return bench_complain(job, "%zu crates loaded, %zu saved", loaded->n, saved->n);
    for (size_t i = 0; i < saved->n; i++)
        if (!dog_equal(loaded->all[i].pet, saved->all[i].pet))
            return bench_complain(job, "loaded dog %zu differs from the saved one", i);
    return 0;
}

int bench_any_crates_compare(const bench_job *job, const any_crates *loaded)
{
    const any_crates *saved = &((const pets *)job->value)->any;

    if (loaded->n != saved->n)
        return bench_complain(job, "%zu crates loaded, %zu saved", loaded->n, saved->n);
    for (size_t i = 0; i < saved->n; i++) {
        const any_crate *c = &loaded->all[i];

        if (c->kind != PET_DOG || !dog_equal((const pet_dog *)(const void *)c->pet,
                                             (const pet_dog *)(const void *)saved->all[i].pet))
            return bench_complain(job, "loaded dog %zu differs from the saved one", i);
    }
    return 0;
}

static const bench_impl *const concrete_impls[] = {&bench_raw_crates, &bench_lade_memory, NULL};

const bench_case bench_case_dogs_concrete = {
    .name = "dogs_concrete",
    .ops = {"save", "load"},
    .n = DOGS,
    .quick_n = DOGS,
    .create = kennel_create,
    .destroy = kennel_destroy,
    .impls = concrete_impls,
};

static const bench_impl *const any_impls[] = {
    &bench_raw_any_crates,
    &bench_lade_memory_concrete,
    &bench_lade_memory,
    NULL,
};

const bench_case bench_case_dogs_any = {
    .name = "dogs_any",
    .ops = {"save", "load"},
    .n = DOGS,
    .quick_n = DOGS,
    .create = kennel_create,
    .destroy = kennel_destroy,
    .impls = any_impls,
};
