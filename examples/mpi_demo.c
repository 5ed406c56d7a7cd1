/*
 * Rank 0 reads a mesh and a field and makes a map; each is broadcast, and every rank proves that it
 * has the very same: structure, values, and every pointer linked to the rank's own objects.
 */
#include <stdlib.h>

#include <lade/mpi.h>

#include "mpi_cases.h"

static bool run(demo *d)
{
    lade_mpi *opened;
    int ready = d->rank == 0 && demo_inputs_read(&d->in, &d->options);

    /* Where rank 0 has no inputs, nobody waits for them. */
    MPI_Bcast(&ready, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!ready)
        return false;
    /* The first row should not pay for opening the communicator. */
    if (lade_mpi_of(MPI_COMM_WORLD, &opened, &d->ctx) != LADE_OK)
        return failed(d, "opening the communicator");
    if (d->rank == 0)
        print_head();
    return graph_case(d) && field_case(d, "field Br", d->in.br) &&
           field_case(d, "field Bz", d->in.bz) && map_case(d);
}

static int run_or_explain(demo *d, int argc, char **argv)
{
    bool good;

    if (!demo_options_parse(&d->options, argc, argv))
        return demo_usage(&d->options, d->rank == 0);
    good = run(d);
    demo_inputs_fini(&d->in);
    lade_context_fini(&d->ctx);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    demo d = {.options = {.program = "mpi_demo"}};
    int result;

    d.ctx.error = &d.error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d.nranks);
    result = run_or_explain(&d, argc, argv);
    MPI_Finalize();
    return result;
}
