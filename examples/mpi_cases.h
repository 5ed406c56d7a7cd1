/**
 * \file
 * The cases of mpi_demo. Each broadcasts a value from rank 0, lets every rank prove that it has the
 * very same, and prints a row of the table on rank 0; or what failed on stderr, and returns false.
 * All are collective over MPI_COMM_WORLD, with the same result on every rank.
 */
#ifndef EXAMPLES_MPI_CASES_H
#define EXAMPLES_MPI_CASES_H

#include "demo.h"

typedef struct {
    demo_options options;
    demo_inputs in; /**< on rank 0; empty elsewhere */
    int rank, nranks;
    lade_error error;
    lade_context ctx;
} demo;

void print_head(void);

bool graph_case(demo *d);
bool field_case(demo *d, const char *what, double *field);
bool map_case(demo *d);

/** Prints the error of the last call of Lade, on rank 0. Always false. */
bool failed(const demo *d, const char *doing);

#endif
