/*
 * The broadcasts by Lade: one lade_bcast of the described value over MPI_COMM_WORLD, with
 * agreement. `lade` receives into an arena that is reset before each run, `lade_arena` into a new
 * one.
 */
#include <string.h>

#include <lade/mpi.h>

#include "described.h"
#include "hextille.h"
#include "mpi_cases.h"
#include "vectors.h"

enum { ROOT = 0 };

static int compare_vec(const bench_job *job, const void *loaded)
{
    return bench_vec_compare(job, loaded);
}

static int compare_hexmap(const bench_job *job, const void *loaded)
{
    return bench_hexmap_compare(job, loaded);
}

static const bench_described table[] = {
    {"bcast_vector", &lade_type_vec, compare_vec, NULL, 0},
    {"bcast_hextille", &lade_type_hexmap, compare_hexmap, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};

static int open_bcast(bench_job *job)
{
    bench_lade_open(job, table);
    return 0;
}

static int bcast(bench_job *job)
{
    bench_lade_state *s = job->state;
    const void *sent = job->value;
    void *inout = job->rank == ROOT ? (void *)&sent : (void *)&s->loaded;

    lade_arena_reset(s->arena);
    lade_status status =
        lade_bcast_as(s->described->type, inout, ROOT, MPI_COMM_WORLD, &s->arena, &s->ctx);
    job->bytes = s->ctx.stats.skeleton_bytes + s->ctx.stats.content_bytes;
    return bench_lade_done(job, status);
}

static int verify(bench_job *job)
{
    bench_lade_state *s = job->state;

    return job->rank == ROOT ? 0 : s->described->compare(job, s->loaded);
}

const bench_impl bench_lade_bcast = {
    .name = "lade",
    .state_size = sizeof(bench_lade_state),
    .open = open_bcast,
    .scrub = bench_lade_scrub,
    .run = {bcast},
    .verify = {verify},
    .close = bench_lade_close,
};

const bench_impl bench_lade_bcast_arena = {
    .name = "lade_arena",
    .state_size = sizeof(bench_lade_state),
    .open = open_bcast,
    .fresh = {true},
    .run = {bcast},
    .verify = {verify},
    .reset = bench_lade_reset_fresh,
    .close = bench_lade_close,
};
