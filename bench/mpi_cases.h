/**
 * \file
 * The cases of lade-mpi-bench. Rank 0 is the root of every broadcast; all ranks make the same
 * value, so that each can verify what it received.
 */
#ifndef BENCH_MPI_CASES_H
#define BENCH_MPI_CASES_H

#include "harness.h"

extern const bench_case bench_case_bcast_vector;
extern const bench_case bench_case_bcast_hextille;

extern const bench_impl bench_raw_bcast_vector, bench_raw_bcast_vector_fresh;
extern const bench_impl bench_raw_bcast_hextille;
extern const bench_impl bench_lade_bcast, bench_lade_bcast_arena;

#endif
