#include "serial_cases.h"

static const bench_case *const cases[] = {
    &bench_case_vectortime,        &bench_case_arraytime,
    &bench_case_vectortime_memory, &bench_case_animals,
    &bench_case_hextille_pool,     &bench_case_hextille_scattered,
    &bench_case_copy_hextille,     NULL,
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, "lade-bench", cases, &bench_alone);
}
