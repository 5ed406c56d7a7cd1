#include "serial_cases.h"

static const bench_case *const cases[] = {
    &bench_case_vectortime,        &bench_case_arraytime,
    &bench_case_vectortime_memory, &bench_case_animals,
    &bench_case_techniques,        &bench_case_dogs_concrete,
    &bench_case_dogs_any,          &bench_case_testclass,
    &bench_case_hextille_pool,     &bench_case_hextille_scattered,
    &bench_case_copy_hextille,     NULL,
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, "lade-bench", cases, &bench_alone);
}
