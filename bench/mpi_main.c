#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_cases.h"

static const bench_case *const cases[] = {
    &bench_case_bcast_vector,
    &bench_case_bcast_hextille,
    NULL,
};

static void world_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static double world_maximum(double seconds)
{
    double result = seconds;

    MPI_Allreduce(&seconds, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return result;
}

static bool world_all(bool ok)
{
    int mine = ok, result = ok;

    MPI_Allreduce(&mine, &result, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return result;
}

/* How Open MPI was told to move large messages between processes of one node. */
static const char *find_transport(void)
{
    const char *mechanism = getenv("OMPI_MCA_btl_vader_single_copy_mechanism");

    return mechanism && strcmp(mechanism, "none") == 0 ? "none" : "default";
}

int main(int argc, char **argv)
{
    bench_peers world = {.transport = find_transport(),
                         .barrier = world_barrier,
                         .maximum = world_maximum,
                         .all = world_all};
    int status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    status = bench_main(argc, argv, "lade-mpi-bench", cases, &world);
    MPI_Finalize();
    return status;
}
