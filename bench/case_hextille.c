#include <stdlib.h>

#include "described.h"
#include "hextille.h"
#include "hextille_gen.h"
#include "serial_cases.h"

enum { RADIUS = 1000 };

static int hexroot_create(uint64_t n, bench_value *out)
{
    hexroot *root = calloc(1, sizeof *root);

    if (!root || n > HEXTILLE_RADIUS_MAX || hextille_scattered_create((uint32_t)n, root)) {
        free(root);
        return -1;
    }
    out->value = root;
    /* blocks of 32 and of 160 bytes hold a cell and its paths in common allocators */
    out->working_bytes = (size_t)hextille_cell_count((uint32_t)n) * (32 + 160);
    return 0;
}

static void hexroot_destroy(bench_value *value)
{
    hexroot *root = value->value;

    hextille_scattered_destroy((uint32_t)value->n, root);
    free(root);
}

static const bench_impl *const pool_impls[] = {
    &bench_raw_hextille_pool,
    &bench_raw_hextille_pool_fresh,

    &bench_lade_file_arena,
    &bench_lade_file_crc,
    &bench_lade_file_plan,
    &bench_lade_file,
    NULL,
};

const bench_case bench_case_hextille_pool = {
    .name = "hextille_pool",
    .ops = {"save", "load"},
    .n = RADIUS,
    .quick_n = RADIUS,
    .create = bench_hexmap_create,
    .destroy = bench_hexmap_destroy,
    .impls = pool_impls,
};

static const bench_impl *const scattered_impls[] = {
    &bench_raw_hextille_scattered,
    &bench_raw_hextille_scattered_hash,
    &bench_raw_hextille_scattered_arena,

    &bench_lade_file_arena,
    &bench_lade_file,
    NULL,
};

const bench_case bench_case_hextille_scattered = {
    .name = "hextille_scattered",
    .ops = {"save", "load"},
    .n = RADIUS,
    .quick_n = RADIUS,
    .create = hexroot_create,
    .destroy = hexroot_destroy,
    .impls = scattered_impls,
};
