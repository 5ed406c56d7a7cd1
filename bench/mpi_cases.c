#include "mpi_cases.h"

#include "hextille.h"
#include "vectors.h"

enum { VECTOR_LENGTH = 10000000, RADIUS = 250 };

static const bench_impl *const vector_impls[] = {
    &bench_raw_bcast_vector,
    &bench_raw_bcast_vector_fresh,
    &bench_lade_bcast_arena,
    &bench_lade_bcast,
    NULL,
};

const bench_case bench_case_bcast_vector = {
    .name = "bcast_vector",
    .ops = {"bcast"},
    .n = VECTOR_LENGTH,
    .quick_n = VECTOR_LENGTH,
    .create = bench_vec_create,
    .destroy = bench_vec_destroy,
    .impls = vector_impls,
};

static const bench_impl *const hextille_impls[] = {
    &bench_raw_bcast_hextille,
    &bench_lade_bcast_arena,
    &bench_lade_bcast,
    NULL,
};

const bench_case bench_case_bcast_hextille = {
    .name = "bcast_hextille",
    .ops = {"bcast"},
    .n = RADIUS,
    .quick_n = RADIUS,
    .create = bench_hexmap_create,
    .destroy = bench_hexmap_destroy,
    .impls = hextille_impls,
};
