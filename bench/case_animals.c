#include <stdlib.h>
#include <string.h>

#include "animals.h"
#include "bench_bytes.h"
#include "described.h"
#include "serial_cases.h"

enum { ANIMALS = 3000000, KINDS = 5, TEXT_SHORTEST = 5, TEXT_LONGEST = 15, LETTERS = 26 };

void bench_zoo_destroy(bench_value *value)
{
    zoo *z = value->value;

    for (size_t i = 0; z->all && i < z->n; i++) {
        free(z->all[i].name);
        free(z->all[i].owner);
    }
    free(z->all);
    free(z);
}

/* Each text is malloc'ed alone, as a program that reads its input would do it. */
static int make_text(uint64_t *seed, char **out)
{
    size_t span = TEXT_LONGEST - TEXT_SHORTEST + 1;
    size_t length = TEXT_SHORTEST + (size_t)(bench_random(seed) % span);
    uint64_t letters = bench_random(seed);
    char *text = malloc(length + 1);

    if (!text)
        return -1;
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)('a' + letters % LETTERS);
        letters = letters / LETTERS ^ letters << 58;
    }
    text[length] = '\0';
    *out = text;
    return 0;
}

static int make_animal(uint64_t *seed, animal *a)
{
    uint64_t dice = bench_random(seed);

    a->age = (int32_t)(dice % 40);
    a->alive = (dice >> 16) % 8 != 0;
    a->what = (kind)((dice >> 24) % KINDS);
    a->weight = 0.1 + 100.0 * bench_unit(bench_random(seed));
    if ((dice >> 32) % 10 != 0 && make_text(seed, &a->name))
        return -1;
    if ((dice >> 48) % 2 != 0 && make_text(seed, &a->owner))
        return -1;
    return 0;
}

int bench_zoo_create(uint64_t n, bench_value *out)
{
    uint64_t seed = 3;
    bench_value made = {.value = calloc(1, sizeof(zoo))};
    zoo *z = made.value;

    if (!z)
        return -1;
    z->n = (size_t)n;
    z->all = calloc(z->n, sizeof *z->all);
    if (!z->all)
        goto err_destroy;
    for (size_t i = 0; i < z->n; i++) {
        if (make_animal(&seed, &z->all[i]))
            goto err_destroy;
    }
    /* the records and, for a load that mallocs each text, a block of 32 bytes for most of them */
    made.working_bytes = z->n * (sizeof *z->all + 48);
    *out = made;
    return 0;

err_destroy:
    bench_zoo_destroy(&made);
    return -1;
}

static bool text_equal(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool animal_equal(const animal *a, const animal *b)
{
    return text_equal(a->name, b->name) && a->age == b->age &&
           memcmp(&a->weight, &b->weight, sizeof a->weight) == 0 && a->alive == b->alive &&
           a->what == b->what && text_equal(a->owner, b->owner);
}

int bench_zoo_compare(const bench_job *job, const zoo *loaded)
{
    const zoo *saved = job->value;

    if (loaded->n != saved->n)
        return bench_complain(job, "%zu animals loaded, %zu saved", loaded->n, saved->n);
    for (size_t i = 0; i < saved->n; i++) {
        if (!animal_equal(&loaded->all[i], &saved->all[i]))
            return bench_complain(job, "loaded animal %zu differs from the saved one", i);
    }
    return 0;
}

static const bench_impl *const impls[] = {
    &bench_raw_animals,     &bench_raw_animals_arena,

    &bench_lade_file_arena, &bench_lade_file_crc,     &bench_lade_file_plan, &bench_lade_file, NULL,
};

const bench_case bench_case_animals = {
    .name = "animals",
    .ops = {"save", "load"},
    .n = ANIMALS,
    .quick_n = ANIMALS,
    .create = bench_zoo_create,
    .destroy = bench_zoo_destroy,
    .impls = impls,
};
