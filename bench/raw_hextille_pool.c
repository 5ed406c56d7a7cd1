/*
 * hextille_pool by hand: the flat form with index = pointer - base, one capacity check a cell each
 * way. The warm impl loads into cells and paths it already has, the fresh one mallocs both in each
 * load.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench_file.h"
#include "hextille.h"
#include "hextille_flat.h"

typedef struct {
    bench_sink sink;
    bench_source source;
    hex *cells; /* warm memory, NULL in the fresh impl */
    path *paths;
    uint64_t cells_max;
    uint64_t paths_max;
    hexmap loaded;
} pool_state;

static uint64_t count_paths(const hexmap *map)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < map->ncells; i++)
        count += map->cells[i].npaths;
    return count;
}

static int pool_open(bench_job *job)
{
    pool_state *s = job->state;

    if (bench_sink_init(&s->sink) || bench_source_init(&s->source))
        return bench_complain_errno(job, "open");
    return 0;
}

static int warm_open(bench_job *job)
{
    pool_state *s = job->state;
    const hexmap *map = job->value;

    if (pool_open(job))
        return -1;
    s->cells_max = map->ncells;
    s->paths_max = count_paths(map);
    s->cells = bench_alloc_touched((size_t)s->cells_max, sizeof *s->cells);
    s->paths = bench_alloc_touched((size_t)s->paths_max, sizeof *s->paths);
    return s->cells && s->paths ? 0 : bench_complain_errno(job, "open");
}

static int warm_scrub(bench_job *job)
{
    pool_state *s = job->state;

    memset(s->cells, 0xA5, (size_t)s->cells_max * sizeof *s->cells);
    memset(s->paths, 0xA5, (size_t)s->paths_max * sizeof *s->paths);
    return 0;
}

static int write_map(bench_sink *sink, const hexmap *map)
{
    hexflat_header header = {.radius = map->radius,
                             .ncells = map->ncells,
                             .centre = (uint32_t)(map->centre - map->cells)};
    uint8_t *p = bench_sink_room(sink, HEXFLAT_HEADER);

    sink->used = HEXFLAT_HEADER;
    for (uint32_t i = 0; i < map->ncells; i++) {
        const hex *c = &map->cells[i];

        if (c->npaths > HEXFLAT_PATHS_MAX) {
            errno = EMSGSIZE;
            return -1;
        }
        p = bench_sink_room(sink, HEXFLAT_RECORD_MAX);
        if (!p)
            return -1;
        p = hexflat_put_pooled(p, c, map->cells);
        sink->used = (size_t)(p - sink->base);
        header.npaths += c->npaths;
    }
    /* the number of paths is known only now, and the first block may be in the file already */
    if (bench_sink_flush(sink))
        return -1;
    hexflat_put_header(sink->base, &header);
    return bench_file_write_at(&sink->file, sink->base, HEXFLAT_HEADER, 0);
}

static int pool_save(bench_job *job)
{
    pool_state *s = job->state;

    if (bench_sink_open(&s->sink, job->file))
        return bench_complain_errno(job, "save");
    if (write_map(&s->sink, job->value)) {
        bench_sink_abandon(&s->sink);
        return bench_complain_errno(job, "save");
    }
    return bench_sink_commit(&s->sink, &job->bytes) ? bench_complain_errno(job, "save") : 0;
}

static int read_cells(bench_source *source, const hexmap *map, path *paths, uint64_t npaths)
{
    for (uint32_t i = 0; i < map->ncells; i++) {
        const uint8_t *p = bench_source_need(source, HEXFLAT_RECORD_MAX);

        if (!p)
            return -1;
        p = hexflat_get_pooled(p, &map->cells[i], map, &paths, &npaths);
        if (!p || p > source->end)
            return -1;
        source->at = p;
    }
    return 0;
}

/* With no warm memory, both arrays are malloc'ed and belong to `loaded`. */
static int read_map(bench_job *job, hexmap *loaded)
{
    pool_state *s = job->state;
    const uint8_t *p = bench_source_need(&s->source, HEXFLAT_HEADER);
    hexflat_header h;
    path *paths = s->paths;

    s->source.at += HEXFLAT_HEADER;
    if (!p || job->bytes < HEXFLAT_HEADER ||
        !hexflat_get_header(p, bench_source_left(&s->source), &h))
        return -1;
    if (s->cells && (h.ncells > s->cells_max || h.npaths > s->paths_max))
        return -1;
    *loaded = (hexmap){.radius = h.radius, .ncells = h.ncells, .cells = s->cells};
    if (!loaded->cells) {
        loaded->cells = malloc(h.ncells * sizeof *loaded->cells);
        paths = malloc((size_t)h.npaths * sizeof *paths);
    }
    if (!loaded->cells || !paths || read_cells(&s->source, loaded, paths, h.npaths)) {
        if (!s->cells) {
            free(loaded->cells);
            free(paths);
        }
        *loaded = (hexmap){0};
        return -1;
    }
    loaded->centre = &loaded->cells[h.centre];
    return 0;
}

static int pool_load(bench_job *job)
{
    pool_state *s = job->state;
    int status;

    if (bench_source_open(&s->source, job->file))
        return bench_complain_errno(job, "load");
    job->bytes = s->source.unread;
    status = read_map(job, &s->loaded);
    bench_source_close(&s->source);
    return status ? bench_complain(job, "load: damaged file or no memory") : 0;
}

static int pool_verify(bench_job *job)
{
    pool_state *s = job->state;

    return bench_hexmap_compare(job, &s->loaded);
}

static int fresh_reset(bench_job *job)
{
    pool_state *s = job->state;

    if (s->loaded.cells)
        free(s->loaded.cells[0].paths);
    free(s->loaded.cells);
    s->loaded = (hexmap){0};
    return 0;
}

static void pool_close(bench_job *job)
{
    pool_state *s = job->state;

    free(s->paths);
    free(s->cells);
    bench_source_fini(&s->source);
    bench_sink_fini(&s->sink);
}

const bench_impl bench_raw_hextille_pool = {
    .name = "raw",
    .state_size = sizeof(pool_state),
    .open = warm_open,
    .scrub = warm_scrub,
    .fresh = {true, false},
    .run = {pool_save, pool_load},
    .verify = {NULL, pool_verify},
    .close = pool_close,
};

const bench_impl bench_raw_hextille_pool_fresh = {
    .name = "raw_fresh",
    .file_of = "raw",
    .state_size = sizeof(pool_state),
    .open = pool_open,
    .fresh = {false, true},
    .run = {NULL, pool_load},
    .verify = {NULL, pool_verify},
    .reset = fresh_reset,
    .close = pool_close,
};
