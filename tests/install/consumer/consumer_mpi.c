#include <lade/lade.h>
#include <lade/mpi.h>

#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int major = 0, minor = 0;

    return MPI_Get_version(&major, &minor) != MPI_SUCCESS || puts(lade_version_string()) < 0;
}
