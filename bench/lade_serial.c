/*
 * The serial cases by Lade: lade_save_file and lade_load_file of the described value (lade_encode
 * and lade_decode for memory). `lade` loads into an arena that is reset before each load,
 * `lade_arena` into a new one; both without CRC. `lade_crc` writes and checks checksums,
 * `lade_plan` interprets the descriptor instead of calling the generated code.
 */
#include <string.h>

#include "animals.h"
#include "described.h"
#include "hextille.h"
#include "pets.h"
#include "vectors.h"

static int compare_vec(const bench_job *job, const void *loaded)
{
    return bench_vec_compare(job, loaded);
}

static int compare_series(const bench_job *job, const void *loaded)
{
    return bench_series_compare(job, loaded);
}

static int compare_zoo(const bench_job *job, const void *loaded)
{
    return bench_zoo_compare(job, loaded);
}

static int compare_hexmap(const bench_job *job, const void *loaded)
{
    return bench_hexmap_compare(job, loaded);
}

static int compare_hexroot(const bench_job *job, const void *loaded)
{
    return bench_hexroot_compare(job, loaded);
}

static int compare_crates(const bench_job *job, const void *loaded)
{
    return bench_crates_compare(job, loaded);
}

static int compare_any_crates(const bench_job *job, const void *loaded)
{
    return bench_any_crates_compare(job, loaded);
}

static const bench_described table[] = {
    {"vectortime", &lade_type_vec, compare_vec, NULL, 0},
    {"vectortime_memory", &lade_type_vec, compare_vec, NULL, 0},
    {"arraytime", &lade_type_series_set, compare_series, NULL, 0},
    {"animals", &lade_type_zoo, compare_zoo, NULL, 0},
    {"techniques", &lade_type_hooked_zoo, compare_zoo, "lade_hooks", 0},
    {"techniques", &lade_type_custom_zoo, compare_zoo, "lade_custom", 0},
    {"techniques", &lade_type_zoo, compare_zoo, NULL, 0},
    {"dogs_concrete", &lade_type_crates, compare_crates, NULL, offsetof(pets, concrete)},
    {"dogs_any", &lade_type_crates, compare_crates, "lade_concrete", offsetof(pets, concrete)},
    {"dogs_any", &lade_type_any_crates, compare_any_crates, NULL, offsetof(pets, any)},
    {"hextille_pool", &lade_type_hexmap, compare_hexmap, NULL, 0},
    {"hextille_scattered", &lade_type_hexroot, compare_hexroot, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};

static int open_file(bench_job *job)
{
    bench_lade_open(job, table);
    return 0;
}

static int save_file(bench_job *job)
{
    bench_lade_state *s = job->state;
    lade_status status = lade_save_file_as(job->file, s->described->type, s->value, &s->ctx);

    job->bytes = s->ctx.stats.skeleton_bytes + s->ctx.stats.content_bytes;
    return bench_lade_done(job, status);
}

static int load_file(bench_job *job)
{
    bench_lade_state *s = job->state;

    lade_arena_reset(s->arena);
    lade_status status =
        lade_load_file_as(job->file, s->described->type, &s->loaded, &s->arena, &s->ctx);
    job->bytes = s->ctx.stats.skeleton_bytes + s->ctx.stats.content_bytes;
    return bench_lade_done(job, status);
}

static int verify(bench_job *job)
{
    bench_lade_state *s = job->state;

    return s->described->compare(job, s->loaded);
}

#define FILE_IMPL(id, impl_name, own_file, save, is_fresh, scrub_step, reset_step) \
    const bench_impl id = {                                                        \
        .name = impl_name,                                                         \
        .file_of = own_file,                                                       \
        .state_size = sizeof(bench_lade_state),                                    \
        .open = open_file,                                                         \
        .scrub = scrub_step,                                                       \
        .fresh = {true, is_fresh},                                                 \
        .run = {save, load_file},                                                  \
        .verify = {NULL, verify},                                                  \
        .reset = reset_step,                                                       \
        .close = bench_lade_close,                                                 \
    }

FILE_IMPL(bench_lade_file, "lade", NULL, save_file, false, bench_lade_scrub, NULL);
FILE_IMPL(bench_lade_file_crc, "lade_crc", NULL, save_file, false, bench_lade_scrub, NULL);
FILE_IMPL(bench_lade_file_plan, "lade_plan", NULL, save_file, false, bench_lade_scrub, NULL);
FILE_IMPL(bench_lade_file_hooks, "lade_hooks", NULL, save_file, false, bench_lade_scrub, NULL);
FILE_IMPL(bench_lade_file_custom, "lade_custom", NULL, save_file, false, bench_lade_scrub, NULL);
FILE_IMPL(bench_lade_file_arena, "lade_arena", "lade", NULL, true, NULL, bench_lade_reset_fresh);

static int open_memory(bench_job *job)
{
    bench_lade_state *s = job->state;

    bench_lade_open(job, table);
    return bench_lade_done(job, lade_encode_as(s->described->type, s->value, &s->buffer, &s->ctx));
}

static int save_memory(bench_job *job)
{
    bench_lade_state *s = job->state;
    lade_status status = lade_encode_as(s->described->type, s->value, &s->buffer, &s->ctx);

    job->bytes = s->buffer.size;
    return bench_lade_done(job, status);
}

static int save_memory_fresh(bench_job *job)
{
    bench_lade_state *s = job->state;

    lade_buffer_fini(&s->buffer);
    return save_memory(job);
}

static int load_memory(bench_job *job)
{
    bench_lade_state *s = job->state;

    job->bytes = s->buffer.size;
    lade_arena_reset(s->arena);
    return bench_lade_done(job, lade_decode_as(s->described->type, s->buffer.data, s->buffer.size,
                                               &s->loaded, &s->arena, &s->ctx));
}

#define MEMORY_IMPL(id, impl_name)              \
    const bench_impl id = {                     \
        .name = impl_name,                      \
        .state_size = sizeof(bench_lade_state), \
        .open = open_memory,                    \
        .scrub = bench_lade_scrub,              \
        .run = {save_memory, load_memory},      \
        .verify = {NULL, verify},               \
        .close = bench_lade_close,              \
    }

MEMORY_IMPL(bench_lade_memory, "lade");
MEMORY_IMPL(bench_lade_memory_concrete, "lade_concrete");

const bench_impl bench_lade_memory_arena = {
    .name = "lade_arena",
    .state_size = sizeof(bench_lade_state),
    .open = open_memory,
    .fresh = {true, true},
    .run = {save_memory_fresh, load_memory},
    .verify = {NULL, verify},
    .reset = bench_lade_reset_fresh,
    .close = bench_lade_close,
};
