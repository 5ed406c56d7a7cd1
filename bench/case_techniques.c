/*
 * One type, the records of the case animals, saved in the ways that there are: by hand, by generated code, by
 * interpreting the descriptor, by generated code with hooks, and by functions of the program's own.
 */
#include "animals.h"
#include "described.h"
#include "serial_cases.h"

enum { ANIMALS = 3000000, QUICK_ANIMALS = 1000000, KINDS = 5 };

static lade_status animal_before_save(animal *a, void *user)
{
    (void)user;
    a->age = a->age < 0 ? 0 : a->age;
    return LADE_OK;
}

static lade_status animal_after_load(animal *a, void *user)
{
    (void)user;
    return a->age < 0 ? LADE_ERR_VALUE : LADE_OK;
}

static lade_status animal_save(lade_out *out, const animal *a)
{
    lade_out_text(out, a->name);
    lade_out_i32(out, a->age);
    lade_out_f64(out, a->weight);
    lade_out_u8(out, (uint8_t)((unsigned)a->what << 1 | (unsigned)a->alive));
    lade_out_text(out, a->owner);
    return LADE_OK;
}

static lade_status animal_load(lade_in *in, animal *a, uint32_t version)
{
    lade_in_text(in, &a->name);
    a->age = lade_in_i32(in);
    a->weight = lade_in_f64(in);
    uint8_t flags = lade_in_u8(in);
    a->alive = flags & 1;
    a->what = (kind)(flags >> 1);
    lade_in_text(in, &a->owner);
    return version == 1 && flags >> 1 < KINDS ? LADE_OK : LADE_ERR_VALUE;
}

/* The same structs under names of their own, each with another description. */
typedef animal hooked_animal;
typedef animal custom_animal;
typedef zoo hooked_zoo;
typedef zoo custom_zoo;

/* clang-format off */
LADE_DECLARE_ENUM(kind)
LADE_STRUCT(hooked_animal,
    (before_save, animal_before_save),
    (after_load,  animal_after_load),
    (text,        name),
    (value,       age),
    (value,       weight),
    (value,       alive),
    (enumeration, what, kind),
    (text,        owner))
LADE_STRUCT(hooked_zoo,
    (vector, all, n, hooked_animal))

LADE_CUSTOM(custom_animal, 1, animal_save, animal_load)
LADE_STRUCT(custom_zoo,
    (vector, all, n, custom_animal))
/* clang-format on */

static const bench_impl *const impls[] = {
    &bench_raw_animals,
    &bench_raw_animals_arena,
    &bench_lade_file,
    &bench_lade_file_plan,
    &bench_lade_file_hooks,
    &bench_lade_file_custom,
    NULL,
};

const bench_case bench_case_techniques = {
    .name = "techniques",
    .ops = {"save", "load"},
    .n = ANIMALS,
    .quick_n = QUICK_ANIMALS,
    .create = bench_zoo_create,
    .destroy = bench_zoo_destroy,
    .impls = impls,
};
