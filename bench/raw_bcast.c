/*
 * The broadcasts by hand. bcast_vector: one MPI_Bcast of the array, whose length every rank knows,
 * into a warm array or one that is malloc'ed in each run. bcast_hextille: the root encodes the flat
 * form into a warm buffer, broadcasts size and bytes, and all others decode into warm cells and
 * paths.
 */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "hextille.h"
#include "hextille_flat.h"
#include "hextille_gen.h"
#include "mpi_cases.h"
#include "vectors.h"

enum { ROOT = 0 };

typedef struct {
    vec received; /* warm, or of one run */
} vector_state;

static int vector_open_fresh(bench_job *job)
{
    return job->n <= INT_MAX ? 0 : bench_complain(job, "too long for one MPI_Bcast");
}

static int vector_open(bench_job *job)
{
    vector_state *s = job->state;

    if (vector_open_fresh(job))
        return -1;
    s->received =
        (vec){.n = (size_t)job->n, .x = bench_alloc_touched((size_t)job->n, sizeof(double))};
    return s->received.x ? 0 : bench_complain_errno(job, "open");
}

static int vector_scrub(bench_job *job)
{
    vector_state *s = job->state;

    memset(s->received.x, 0xA5, s->received.n * sizeof(double));
    return 0;
}

static int vector_bcast(bench_job *job)
{
    vector_state *s = job->state;
    const vec *v = job->value;
    double *x = job->rank == ROOT ? v->x : s->received.x;

    job->bytes = job->n * sizeof(double);
    if (MPI_Bcast(x, (int)job->n, MPI_DOUBLE, ROOT, MPI_COMM_WORLD) != MPI_SUCCESS)
        return bench_complain(job, "MPI_Bcast failed");
    return 0;
}

static int vector_bcast_fresh(bench_job *job)
{
    vector_state *s = job->state;

    if (job->rank != ROOT) {
        s->received = (vec){.n = (size_t)job->n, .x = malloc((size_t)job->n * sizeof(double))};
        if (!s->received.x) {
            bench_complain_errno(job, "bcast");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    return vector_bcast(job);
}

static int vector_verify(bench_job *job)
{
    vector_state *s = job->state;

    return job->rank == ROOT ? 0 : bench_vec_compare(job, &s->received);
}

static int vector_release(bench_job *job)
{
    vector_state *s = job->state;

    free(s->received.x);
    s->received = (vec){0};
    return 0;
}

static void vector_close(bench_job *job)
{
    vector_release(job);
}

const bench_impl bench_raw_bcast_vector = {
    .name = "raw",
    .state_size = sizeof(vector_state),
    .open = vector_open,
    .scrub = vector_scrub,
    .run = {vector_bcast},
    .verify = {vector_verify},
    .close = vector_close,
};

const bench_impl bench_raw_bcast_vector_fresh = {
    .name = "raw_fresh",
    .state_size = sizeof(vector_state),
    .open = vector_open_fresh,
    .fresh = {true},
    .run = {vector_bcast_fresh},
    .verify = {vector_verify},
    .reset = vector_release,
};

typedef struct {
    uint8_t *buffer; /* the flat form */
    uint64_t buffer_max;
    hexmap received; /* warm cells */
    path *paths;     /* warm slab */
    uint64_t paths_max;
} hextille_state;

static int hextille_open(bench_job *job)
{
    hextille_state *s = job->state;
    const hexmap *map = job->value;

    s->paths_max = hextille_path_count(map->radius);
    s->buffer_max =
        HEXFLAT_HEADER + (uint64_t)map->ncells * HEXFLAT_CELL + s->paths_max * HEXFLAT_PATH;
    if (s->buffer_max > INT_MAX)
        return bench_complain(job, "too large for one MPI_Bcast");
    s->buffer = bench_alloc_touched((size_t)s->buffer_max, 1);
    s->received =
        (hexmap){.ncells = map->ncells, .cells = bench_alloc_touched(map->ncells, sizeof(hex))};
    s->paths = bench_alloc_touched((size_t)s->paths_max, sizeof *s->paths);
    return s->buffer && s->received.cells && s->paths ? 0 : bench_complain_errno(job, "open");
}

static int hextille_scrub(bench_job *job)
{
    hextille_state *s = job->state;
    const hexmap *map = job->value;

    memset(s->buffer, 0xA5, (size_t)s->buffer_max);
    memset(s->received.cells, 0xA5, map->ncells * sizeof(hex));
    memset(s->paths, 0xA5, (size_t)s->paths_max * sizeof *s->paths);
    return 0;
}

/* The sender knows the size of its graph, so the buffer needs no checks while it is filled. */
static uint64_t encode_map(hextille_state *s, const hexmap *map)
{
    hexflat_header h = {.radius = map->radius,
                        .ncells = map->ncells,
                        .centre = (uint32_t)(map->centre - map->cells),
                        .npaths = s->paths_max};
    uint8_t *p = hexflat_put_header(s->buffer, &h);

    for (uint32_t i = 0; i < map->ncells; i++)
        p = hexflat_put_pooled(p, &map->cells[i], map->cells);
    return (uint64_t)(p - s->buffer);
}

static int decode_map(hextille_state *s, uint64_t size, uint32_t cells_max)
{
    const uint8_t *p = s->buffer + HEXFLAT_HEADER;
    path *paths = s->paths;
    hexflat_header h;
    uint64_t left;

    if (size < HEXFLAT_HEADER || !hexflat_get_header(s->buffer, size - HEXFLAT_HEADER, &h) ||
        h.ncells > cells_max || h.npaths > s->paths_max)
        return -1;
    left = h.npaths;
    s->received.radius = h.radius;
    s->received.ncells = h.ncells;
    for (uint32_t i = 0; p && i < h.ncells; i++)
        p = hexflat_get_pooled(p, &s->received.cells[i], &s->received, &paths, &left);
    s->received.centre = &s->received.cells[h.centre];
    return p && left == 0 ? 0 : -1;
}

static int hextille_bcast(bench_job *job)
{
    hextille_state *s = job->state;
    const hexmap *map = job->value;
    uint64_t size = 0;

    if (job->rank == ROOT)
        size = encode_map(s, map);
    if (MPI_Bcast(&size, 1, MPI_UINT64_T, ROOT, MPI_COMM_WORLD) != MPI_SUCCESS ||
        size > s->buffer_max ||
        MPI_Bcast(s->buffer, (int)size, MPI_BYTE, ROOT, MPI_COMM_WORLD) != MPI_SUCCESS)
        return bench_complain(job, "MPI_Bcast failed");
    job->bytes = size;
    if (job->rank != ROOT && decode_map(s, size, map->ncells))
        return bench_complain(job, "bcast: damaged bytes");
    return 0;
}

static int hextille_verify(bench_job *job)
{
    hextille_state *s = job->state;

    return job->rank == ROOT ? 0 : bench_hexmap_compare(job, &s->received);
}

static void hextille_close(bench_job *job)
{
    hextille_state *s = job->state;

    free(s->paths);
    free(s->received.cells);
    free(s->buffer);
}

const bench_impl bench_raw_bcast_hextille = {
    .name = "raw",
    .state_size = sizeof(hextille_state),
    .open = hextille_open,
    .scrub = hextille_scrub,
    .run = {hextille_bcast},
    .verify = {hextille_verify},
    .close = hextille_close,
};
