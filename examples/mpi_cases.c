#include "mpi_cases.h"

#include <lade/mpi.h>

#include "checksum.h"

/* What a rank has found out about one broadcast. */
typedef struct {
    double start, end; /* MPI_Wtime() */
    uint64_t bytes;    /* of the message, where it was encoded */
    uint64_t checksum;
    const char *wrong; /* or NULL */
} finding;

/* All ranks have the same status, and the report of the rank that failed. */
bool failed(const demo *d, const char *doing)
{
    if (d->rank == 0)
        fprintf(stderr, "mpi_demo: %s: rank %d: %s\n", doing, d->error.rank, d->error.message);
    return false;
}

void print_head(void)
{
    printf("%-19s %5s %11s %8s\n", "what", "ranks", "bytes", "ms");
}

/* Compares the findings of all ranks; rank 0 prints the row. The same result on every rank. */
static bool report(const demo *d, const char *what, const finding *f)
{
    uint64_t mine[2] = {f->checksum, ~f->checksum}, least[2];
    int right = f->wrong == NULL, all_right;
    double seconds = f->end - f->start, longest;

    if (f->wrong)
        fprintf(stderr, "mpi_demo: rank %d: %s: %s\n", d->rank, what, f->wrong);
    MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(mine, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    /* The least of all checksums is also the greatest: all are equal to that of rank 0. */
    if (all_right && least[0] == ~least[1]) {
        if (d->rank == 0)
            printf("%-19s %5d %11llu %8.2f  verified on %d rank%s\n", what, d->nranks,
                   (unsigned long long)f->bytes, 1e3 * longest, d->nranks,
                   d->nranks == 1 ? "" : "s");
        return true;
    }
    if (d->rank == 0 && all_right)
        fprintf(stderr, "mpi_demo: %s: the ranks have different checksums\n", what);
    return false;
}

static void start(finding *f)
{
    *f = (finding){.bytes = 0};
    MPI_Barrier(MPI_COMM_WORLD);
    f->start = MPI_Wtime();
}

static void stop(const demo *d, finding *f)
{
    f->end = MPI_Wtime();
    f->bytes += d->ctx.stats.skeleton_bytes + d->ctx.stats.content_bytes;
}

bool graph_case(demo *d)
{
    graph *g = d->in.graph;
    lade_arena *owner = NULL;
    finding f;
    bool good;

    start(&f);
    if (lade_bcast(graph, &g, 0, MPI_COMM_WORLD, &owner, &d->ctx) != LADE_OK)
        return failed(d, "broadcasting the graph");
    stop(d, &f);
    f.wrong = graph_checksum(g, &f.checksum);
    good = report(d, "METIS graph", &f);
    lade_arena_destroy(owner);
    return good;
}

/* A bare array; the ranks learn its extents, too. */
bool field_case(demo *d, const char *what, double *field)
{
    size_t extents[2] = {FIELD_R, FIELD_Z};
    lade_arena *owner = NULL;
    finding f;
    bool good;

    start(&f);
    if (lade_bcast_array(&field, 2, extents, 0, MPI_COMM_WORLD, &owner, &d->ctx) != LADE_OK)
        return failed(d, "broadcasting the field");
    stop(d, &f);
    f.checksum = array_checksum(field, extents[0] * extents[1]);
    good = report(d, what, &f);
    lade_arena_destroy(owner);
    return good;
}

bool map_case(demo *d)
{
    hexmap *map = d->in.map;
    lade_arena *owner = NULL;
    char what[32];
    finding f;
    bool good;

    start(&f);
    if (lade_bcast(hexmap, &map, 0, MPI_COMM_WORLD, &owner, &d->ctx) != LADE_OK)
        return failed(d, "broadcasting the map");
    stop(d, &f);
    f.wrong = hexmap_check(map, d->options.radius, DEMO_SEED);
    if (!f.wrong)
        f.wrong = hexmap_checksum(map, &f.checksum);
    snprintf(what, sizeof what, "Hextille map, R=%u", (unsigned)d->options.radius);
    good = report(d, what, &f);
    lade_arena_destroy(owner);
    return good;
}
