/* One status for all ranks: that of the lowest failing one. */
#include <limits.h>
#include <string.h>

#include "mpi_internal.h"

lade_status lade_mpi_agree(MPI_Comm comm, bool failed, lade_error *err, lade_context *ctx)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    int mine = failed ? rank : INT_MAX;
    int lowest = INT_MAX;
    lade_status status = lade_mpi_check(
        ctx, MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    if (status != LADE_OK || lowest == INT_MAX)
        return status;
    if (rank == lowest)
        err->rank = lowest;
    status =
        lade_mpi_check(ctx, MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, lowest, comm), "MPI_Bcast");
    return status == LADE_OK ? err->status : status;
}
