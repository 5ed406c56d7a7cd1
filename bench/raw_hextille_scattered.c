/*
 * hextille_scattered by hand, in the flat form with ids in breadth-first order. Saving: `raw` with
 * the map of pages, `raw_hash` with the hash. Loading: `raw` mallocs each cell and each array of
 * paths, as the saved graph was made; `raw_arena` uses one warm slab of cells and one of paths.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench_file.h"
#include "hextille.h"
#include "hextille_flat.h"
#include "hextille_gen.h"
#include "hextille_table.h"

enum {
    QUEUE_FIRST = 1 << 16,
    AHEAD_CELL = 24,
    AHEAD_PATHS = 12,
    AHEAD_TARGETS = 6,
    CACHE_LINE = 64
};

typedef struct {
    bench_sink sink;
    bench_source source;
    const hex **queue;
    uint32_t queue_max;
    hextable_hash hash;
    hextable_pages pages;
    hex **cells; /* by id, of a load that mallocs; warm */
    uint32_t cells_max;
    uint32_t cells_made;
    hex *slab; /* of a load into slabs; warm */
    path *path_slab;
    uint64_t paths_max;
    hexroot loaded;
} scattered_state;

static inline void prefetch_paths(const hex *c)
{
    const char *first = (const char *)c->paths;

    for (size_t at = 0; at < HEXTILLE_DIRECTIONS * sizeof(path); at += CACHE_LINE)
        __builtin_prefetch(first + at);
}

static int queue_grow(scattered_state *s)
{
    const hex **more;

    if (s->queue_max > UINT32_MAX / 4)
        return -1;
    more = realloc(s->queue, (size_t)s->queue_max * 2 * sizeof *more);
    if (!more)
        return -1;
    s->queue = more;
    s->queue_max *= 2;
    return 0;
}

/* Room in the sink for a cell and in the queue for all its targets. NULL with errno set. */
static inline uint8_t *walk_room(scattered_state *s, const hex *c, uint32_t count)
{
    if (c->npaths > HEXFLAT_PATHS_MAX) {
        errno = EMSGSIZE;
        return NULL;
    }
    if (count + c->npaths > s->queue_max && queue_grow(s))
        return NULL;
    return bench_sink_room(&s->sink, HEXFLAT_RECORD_MAX);
}

#define WALK_NAME walk_pages
#define WALK_TABLE hextable_pages
#define WALK_MEMBER pages
#define WALK_RESERVE(table, count) 0
#include "hextille_walk_template.h"

#define WALK_NAME walk_hash
#define WALK_TABLE hextable_hash
#define WALK_MEMBER hash
#define WALK_RESERVE(table, count) hextable_hash_reserve(table, count)
#include "hextille_walk_template.h"

typedef int (*walk)(scattered_state *s, const hex *centre, hexflat_header *h);

static int save_with(bench_job *job, walk write_cells)
{
    scattered_state *s = job->state;
    const hexroot *root = job->value;
    hexflat_header header = {.radius = (uint32_t)job->n};

    if (bench_sink_open(&s->sink, job->file))
        return bench_complain_errno(job, "save");
    s->sink.used = HEXFLAT_HEADER;
    if (write_cells(s, root->centre, &header) || bench_sink_flush(&s->sink))
        goto err_abandon;
    /* both counts are known only now, and the first block is in the file already */
    hexflat_put_header(s->sink.base, &header);
    if (bench_file_write_at(&s->sink.file, s->sink.base, HEXFLAT_HEADER, 0))
        goto err_abandon;
    return bench_sink_commit(&s->sink, &job->bytes) ? bench_complain_errno(job, "save") : 0;

err_abandon:
    bench_sink_abandon(&s->sink);
    return bench_complain_errno(job, "save");
}

static int pages_save(bench_job *job)
{
    return save_with(job, walk_pages);
}

static int hash_save(bench_job *job)
{
    return save_with(job, walk_hash);
}

/* A new cell with the next id; NULL without memory. */
static hex *make_cell(scattered_state *s)
{
    hex *c = malloc(sizeof *c);

    if (c) {
        c->paths = NULL;
        s->cells[s->cells_made++] = c;
    }
    return c;
}

/* Parses a cell that exists already, makes its paths and those of their targets that are new. */
static const uint8_t *get_cell_own(scattered_state *s, const uint8_t *p, hex *c, uint32_t ncells)
{
    p = hexflat_get_cell(p, c);
    c->paths = malloc((c->npaths ? c->npaths : 1) * sizeof *c->paths);
    if (!c->paths)
        return NULL;
    for (uint32_t k = 0; k < c->npaths; k++) {
        path *e = &c->paths[k];
        uint32_t id;

        p = hexflat_get_path(p, &id, e);
        e->to = NULL;
        if (id < s->cells_made)
            e->to = s->cells[id];
        else if (id == s->cells_made && id < ncells)
            e->to = make_cell(s);
        if (!e->to && id != HEXFLAT_NULL)
            return NULL;
    }
    return p;
}

static int read_own(scattered_state *s, const hexflat_header *h)
{
    s->cells_made = 0;
    s->loaded.centre = make_cell(s);
    if (!s->loaded.centre || h->centre != 0)
        return -1;
    for (uint32_t i = 0; i < h->ncells; i++) {
        const uint8_t *p = bench_source_need(&s->source, HEXFLAT_RECORD_MAX);

        if (!p || i >= s->cells_made)
            return -1;
        p = get_cell_own(s, p, s->cells[i], h->ncells);
        if (!p || p > s->source.end)
            return -1;
        s->source.at = p;
    }
    return 0;
}

static int read_arena(scattered_state *s, const hexflat_header *h)
{
    hexmap map = {.ncells = h->ncells, .cells = s->slab};
    path *paths = s->path_slab;
    uint64_t left = h->npaths;

    if (h->npaths > s->paths_max)
        return -1;
    for (uint32_t i = 0; i < h->ncells; i++) {
        const uint8_t *p = bench_source_need(&s->source, HEXFLAT_RECORD_MAX);

        if (!p)
            return -1;
        p = hexflat_get_pooled(p, &map.cells[i], &map, &paths, &left);
        if (!p || p > s->source.end)
            return -1;
        s->source.at = p;
    }
    s->loaded.centre = &map.cells[h->centre];
    return 0;
}

static int load_with(bench_job *job, int (*read_cells)(scattered_state *, const hexflat_header *))
{
    scattered_state *s = job->state;
    const uint8_t *p;
    hexflat_header h;
    int status = -1;

    if (bench_source_open(&s->source, job->file))
        return bench_complain_errno(job, "load");
    job->bytes = s->source.unread;
    p = bench_source_need(&s->source, HEXFLAT_HEADER);
    s->source.at += HEXFLAT_HEADER;
    if (p && job->bytes >= HEXFLAT_HEADER &&
        hexflat_get_header(p, bench_source_left(&s->source), &h) && h.ncells <= s->cells_max)
        status = read_cells(s, &h);
    bench_source_close(&s->source);
    return status ? bench_complain(job, "load: damaged file or no memory") : 0;
}

static int own_load(bench_job *job)
{
    return load_with(job, read_own);
}

static int arena_load(bench_job *job)
{
    return load_with(job, read_arena);
}

static int common_open(bench_job *job)
{
    scattered_state *s = job->state;

    s->cells_max = (uint32_t)hextille_cell_count((uint32_t)job->n);
    s->queue_max = QUEUE_FIRST;
    s->queue = malloc(s->queue_max * sizeof *s->queue);
    if (!s->queue || bench_sink_init(&s->sink) || bench_source_init(&s->source))
        return bench_complain_errno(job, "open");
    return 0;
}

static int own_open(bench_job *job)
{
    scattered_state *s = job->state;

    if (common_open(job))
        return -1;
    s->cells = bench_alloc_touched(s->cells_max, sizeof *s->cells);
    return s->cells && hextable_pages_init(&s->pages) == 0 ? 0 : bench_complain_errno(job, "open");
}

static int hash_open(bench_job *job)
{
    scattered_state *s = job->state;

    if (common_open(job))
        return -1;
    s->cells = bench_alloc_touched(s->cells_max, sizeof *s->cells);
    return s->cells && hextable_hash_init(&s->hash) == 0 ? 0 : bench_complain_errno(job, "open");
}

static int arena_open(bench_job *job)
{
    scattered_state *s = job->state;

    if (common_open(job))
        return -1;
    s->paths_max = hextille_path_count((uint32_t)job->n);
    s->slab = bench_alloc_touched(s->cells_max, sizeof *s->slab);
    s->path_slab = bench_alloc_touched((size_t)s->paths_max, sizeof *s->path_slab);
    return s->slab && s->path_slab ? 0 : bench_complain_errno(job, "open");
}

static int arena_scrub(bench_job *job)
{
    scattered_state *s = job->state;

    memset(s->slab, 0xA5, s->cells_max * sizeof *s->slab);
    memset(s->path_slab, 0xA5, (size_t)s->paths_max * sizeof *s->path_slab);
    return 0;
}

static int scattered_verify(bench_job *job)
{
    scattered_state *s = job->state;

    return bench_hexroot_compare(job, &s->loaded);
}

/* For an impl whose file no other one loads. */
static int file_verify(bench_job *job)
{
    return own_load(job) || scattered_verify(job) ? -1 : 0;
}

static int own_reset(bench_job *job)
{
    scattered_state *s = job->state;

    for (uint32_t i = 0; i < s->cells_made; i++) {
        free(s->cells[i]->paths);
        free(s->cells[i]);
    }
    s->cells_made = 0;
    s->loaded.centre = NULL;
    return 0;
}

static void scattered_close(bench_job *job)
{
    scattered_state *s = job->state;

    free(s->path_slab);
    free(s->slab);
    free(s->cells);
    hextable_pages_fini(&s->pages);
    hextable_hash_fini(&s->hash);
    free(s->queue);
    bench_source_fini(&s->source);
    bench_sink_fini(&s->sink);
}

const bench_impl bench_raw_hextille_scattered = {
    .name = "raw",
    .state_size = sizeof(scattered_state),
    .open = own_open,
    .fresh = {true, true},
    .run = {pages_save, own_load},
    .verify = {NULL, scattered_verify},
    .reset = own_reset,
    .close = scattered_close,
};

const bench_impl bench_raw_hextille_scattered_hash = {
    .name = "raw_hash",
    .state_size = sizeof(scattered_state),
    .open = hash_open,
    .fresh = {true, false},
    .run = {hash_save, NULL},
    .verify = {file_verify, NULL},
    .reset = own_reset,
    .close = scattered_close,
};

const bench_impl bench_raw_hextille_scattered_arena = {
    .name = "raw_arena",
    .file_of = "raw",
    .state_size = sizeof(scattered_state),
    .open = arena_open,
    .scrub = arena_scrub,
    .run = {NULL, arena_load},
    .verify = {NULL, scattered_verify},
    .close = scattered_close,
};
