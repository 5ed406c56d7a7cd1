/* The values of the hextille cases as the harness wants them, and their comparison. */
#include <stdlib.h>

#include "hextille.h"
#include "hextille_gen.h"

int bench_hexmap_create(uint64_t n, bench_value *out)
{
    hexmap *map = calloc(1, sizeof *map);

    if (!map || n > HEXTILLE_RADIUS_MAX || hextille_pool_create((uint32_t)n, map)) {
        free(map);
        return -1;
    }
    out->value = map;
    out->working_bytes = (size_t)hextille_cell_count((uint32_t)n) * sizeof(hex) +
                         (size_t)hextille_path_count((uint32_t)n) * sizeof(path);
    return 0;
}

void bench_hexmap_destroy(bench_value *value)
{
    hextille_pool_destroy(value->value);
    free(value->value);
}

static int compare_graphs(const bench_job *job, const hex *loaded, const hex *saved,
                          uint32_t radius)
{
    uint64_t sum_loaded = 0, sum_saved = 0;
    const char *wrong = hextille_check(loaded, radius, &sum_loaded);

    if (wrong)
        return bench_complain(job, "loaded map: %s", wrong);
    wrong = hextille_check(saved, radius, &sum_saved);
    if (wrong)
        return bench_complain(job, "saved map: %s", wrong);
    if (sum_loaded != sum_saved)
        return bench_complain(job, "the loaded map differs from the saved one");
    return 0;
}

int bench_hexmap_compare(const bench_job *job, const hexmap *loaded)
{
    const hexmap *saved = job->value;

    if (loaded->radius != saved->radius || loaded->ncells != saved->ncells ||
        loaded->centre - loaded->cells != saved->centre - saved->cells)
        return bench_complain(job, "the loaded map has another shape");
    for (uint32_t i = 0; i < saved->ncells; i++) {
        const hex *l = &loaded->cells[i], *s = &saved->cells[i];

        if (l->q != s->q || l->r != s->r || l->npaths != s->npaths)
            return bench_complain(job, "loaded cell %u differs from the saved one", i);
        for (uint32_t k = 0; k < s->npaths; k++) {
            if (l->paths[k].to - loaded->cells != s->paths[k].to - saved->cells)
                return bench_complain(job, "path %u of loaded cell %u leads elsewhere", k, i);
        }
    }
    return compare_graphs(job, loaded->centre, saved->centre, saved->radius);
}

int bench_hexroot_compare(const bench_job *job, const hexroot *loaded)
{
    const hexroot *saved = job->value;

    return compare_graphs(job, loaded->centre, saved->centre, (uint32_t)job->n);
}
