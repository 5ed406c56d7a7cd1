#define _POSIX_C_SOURCE 200809L

#include "serial_cases.h"

#include <sys/stat.h>

#include "compare.h"

void print_head(void)
{
    printf("%-19s %8s %9s %9s %11s %8s %8s\n", "what", "objects", "refs", "values", "file bytes",
           "save ms", "load ms");
}

bool report(const demo *d, const row *r, const char *wrong)
{
    struct stat st = {.st_size = 0};

    if (wrong) {
        fprintf(stderr, "serial_demo: %s: loaded, but %s\n", r->what, wrong);
        return false;
    }
    (void)stat(d->file, &st);
    printf("%-19s %8llu %9llu %9llu %11lld", r->what, (unsigned long long)r->objects,
           (unsigned long long)r->refs, (unsigned long long)r->values, (long long)st.st_size);
    if (r->saved > r->start)
        printf(" %8.2f", r->saved - r->start);
    else
        printf(" %8s", "-");
    printf(" %8.2f  verified\n", r->loaded - r->saved);
    return true;
}

bool failed(const demo *d, const char *doing)
{
    fprintf(stderr, "serial_demo: %s: %s\n", doing, d->error.message);
    return false;
}

bool graph_case(demo *d)
{
    const graph *g = d->in.graph;
    uint64_t n = g->nvertices, ends = 2 * g->nedges;
    uint64_t nweights = n ? n * g->vertices[0].nweights : 0;
    row r = {"METIS graph", n, ends, 2 * n + nweights + ends, demo_clock(), 0, 0};
    graph *loaded;
    lade_arena *owner = NULL;
    bool good;

    if (lade_save_file(d->file, graph, g, &d->ctx) != LADE_OK)
        return failed(d, "saving the graph");
    r.saved = demo_clock();
    if (lade_load_file(d->file, graph, &loaded, &owner, &d->ctx) != LADE_OK)
        return failed(d, "loading the graph");
    r.loaded = demo_clock();
    good = report(d, &r, graph_difference(g, loaded));
    lade_arena_destroy(owner);
    return good;
}

/* Loads into the map that exists, after spoiling its values. */
static bool map_again(demo *d, hexmap *map, row r)
{
    const hex *cells = map->cells;
    const char *wrong;

    for (uint32_t i = 0; i < map->ncells; i++) {
        map->cells[i].ground = WATER;
        for (uint32_t k = 0; k < map->cells[i].npaths; k++)
            map->cells[i].paths[k].cost = 0.0;
    }
    r.what = "  again, in place";
    r.start = r.saved = demo_clock();
    if (lade_load_file_into(d->file, hexmap, map, &d->ctx) != LADE_OK)
        return failed(d, "loading the map in place");
    r.loaded = demo_clock();
    wrong = map->cells != cells ? "the cells are elsewhere" : NULL;
    return report(d, &r, wrong ? wrong : hexmap_check(map, d->options.radius, DEMO_SEED));
}

bool map_case(demo *d)
{
    const hexmap *map = d->in.map;
    uint64_t n = map->ncells, npaths = hexmap_path_count(map->radius);
    char what[32];
    row r = {what, n, npaths + 1, 2 + 3 * n + 2 * npaths, demo_clock(), 0, 0};
    hexmap *loaded;
    lade_arena *owner = NULL;
    const char *wrong;
    bool good;

    snprintf(what, sizeof what, "Hextille map, R=%u", (unsigned)map->radius);
    if (lade_save_file(d->file, hexmap, map, &d->ctx) != LADE_OK)
        return failed(d, "saving the map");
    r.saved = demo_clock();
    if (lade_load_file(d->file, hexmap, &loaded, &owner, &d->ctx) != LADE_OK)
        return failed(d, "loading the map");
    r.loaded = demo_clock();
    wrong = hexmap_difference(map, loaded);
    good = report(d, &r, wrong ? wrong : hexmap_check(loaded, map->radius, DEMO_SEED)) &&
           map_again(d, loaded, r);
    lade_arena_destroy(owner);
    return good;
}
