#include "described.h"

#include <string.h>

#include "animals.h"
#include "hextille.h"
#include "pets.h"
#include "vectors.h"

/* clang-format off */
LADE_STRUCT(vec,
    (vector, x, n))

LADE_STRUCT(series,
    (vector, x, n))
LADE_STRUCT(series_set,
    (vector, a, count, series))

LADE_ENUM(kind, cat, dog, bird, fish, other)
LADE_STRUCT(animal,
    (text,        name),
    (value,       age),
    (value,       weight),
    (value,       alive),
    (enumeration, what, kind),
    (text,        owner))
LADE_STRUCT(zoo,
    (vector, all, n, animal))

LADE_ENUM(breed, beagle, collie, husky, poodle, terrier)
LADE_STRUCT(pet,
    (value, age),
    (text,  name))
LADE_STRUCT(pet_dog,
    (record,      base, pet),
    (enumeration, breed, breed))
LADE_STRUCT(crate,
    (optional, pet, pet_dog))
LADE_STRUCT(crates,
    (vector, all, n, crate))
LADE_STRUCT(any_crate,
    (any, pet, of(kind), pet, pet, pet_dog))
LADE_STRUCT(any_crates,
    (vector, all, n, any_crate))

LADE_ENUM(terrain, water, sand, grass, forest, rock)
LADE_STRUCT(path,
    (ref,   to, hex),
    (value, cost),
    (value, open))
LADE_STRUCT(hex,
    (value,       q),
    (value,       r),
    (enumeration, ground, terrain),
    (vector,      paths, npaths, path))
LADE_STRUCT(hexmap,
    (value, radius),
    (pool,  cells, ncells, hex),
    (ref,   centre, hex))
LADE_STRUCT(hexroot,
    (ref, centre, hex))
/* clang-format on */

const bench_described *bench_described_find(const bench_described *table, const bench_job *job)
{
    while (table->case_name &&
           (strcmp(table->case_name, job->case_name) != 0 ||
            (table->impl_name && strcmp(table->impl_name, job->impl_name) != 0)))
        table++;
    return table->case_name ? table : NULL;
}

int bench_lade_done(const bench_job *job, lade_status status)
{
    const bench_lade_state *s = job->state;

    if (status == LADE_OK)
        return 0;
    return bench_complain(job, "%s: %s", lade_status_name(status), s->err.message);
}

void bench_lade_open(bench_job *job, const bench_described *table)
{
    bench_lade_state *s = job->state;

    s->described = bench_described_find(table, job);
    s->value = (const unsigned char *)job->value + s->described->at;
    s->ctx = (lade_context){.error = &s->err, .no_crc = true, .no_sync = true};
    if (strcmp(job->impl_name, "lade_crc") == 0)
        s->ctx.no_crc = false;
    if (strcmp(job->impl_name, "lade_plan") == 0)
        s->ctx.interpret = true;
}

void bench_lade_close(bench_job *job)
{
    bench_lade_state *s = job->state;

    lade_arena_destroy(s->arena);
    lade_buffer_fini(&s->buffer);
    lade_context_fini(&s->ctx);
}

/* The arena hands out the same memory again after a reset: allocate it all, spoil it, reset. */
int bench_lade_scrub(bench_job *job)
{
    bench_lade_state *s = job->state;

    if (!s->arena)
        return 0;
    size_t size = lade_arena_capacity(s->arena);
    lade_arena_reset(s->arena);
    for (size_t piece = size; piece >= 64; piece /= 2) {
        void *memory = lade_arena_alloc(s->arena, piece, 1);

        if (memory && lade_arena_capacity(s->arena) == size)
            memset(memory, 0xA5, piece);
    }
    lade_arena_reset(s->arena);
    return 0;
}

int bench_lade_reset_fresh(bench_job *job)
{
    bench_lade_state *s = job->state;

    lade_arena_destroy(s->arena);
    s->arena = NULL;
    s->loaded = NULL;
    return 0;
}
