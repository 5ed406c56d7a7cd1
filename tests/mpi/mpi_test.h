/**
 * \file
 * Shared by the MPI tests: programs of cmocka tests that all ranks run in step. Only rank 0
 * reports; an assertion that fails on any rank prints that rank and ends all of them, and so does a
 * test that takes too long.
 */
#ifndef MPI_TEST_H
#define MPI_TEST_H

#include <mpi.h>

#include <lade/mpi.h>

#include "unit/support.h"

extern int world_rank, world_size;

/** After MPI_Init: sets the two above, and prepares the reports. The environment may choose tests
 * by a pattern: LADE_TEST_ONLY, LADE_TEST_SKIP. */
void mpi_test_begin(void);
/** Finalizes MPI, and asserts that Lade holds nothing any more. \returns the exit status. */
int mpi_test_end(int failed);

int mpi_test_setup(void **state);
int mpi_test_teardown(void **state);
#define MPI_TEST(f) cmocka_unit_test_setup_teardown(f, mpi_test_setup, mpi_test_teardown)

/** Whether a rank may send to itself some hundred bytes with a blocking send. MPI does not promise
 * it: Open MPI keeps them, MPICH waits for the receive. */
#ifdef OPEN_MPI
#define SELF_SENDS true
#else
#define SELF_SENDS false
#endif

/** Asserts, by encoding it on every rank, that all have the value of root. */
void assert_same_value(const lade_type *type, const void *value, int root, MPI_Comm comm);
void assert_same_array(const lade_type *type, const void *array, unsigned rank,
                       const size_t *extents, int root, MPI_Comm comm);
#define ASSERT_SAME(T, value, root, comm) assert_same_value(&lade_type_##T, value, root, comm)

/** Asserts that all ranks of a communicator pass the same status. */
void assert_same_status(lade_status status, MPI_Comm comm);

/** A handle over MPI_COMM_WORLD; chunk 0 is the default. */
lade_mpi *mpi_test_open(size_t chunk, bool no_agreement);

/** Runs on MPI_COMM_WORLD, a duplicate, halves in another order, MPI_COMM_SELF; with every root. */
void mpi_test_on_each(void (*run)(MPI_Comm comm, int root));

#endif
