/*
 * Deep copies in memory. `raw` copies the arrays by hand and moves each reference by the distance of the two
 * pools; `encode_decode` makes a message and loads it again; `lade` is lade_copy. All have warm memory.
 */
#include <stdlib.h>
#include <string.h>

#include "described.h"
#include "hextille.h"
#include "hextille_gen.h"
#include "serial_cases.h"

enum { RADIUS = 250 };

static const bench_described table[] = {
    {"copy_hextille", &lade_type_hexmap, NULL, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};

static uint64_t copied_bytes(const bench_job *job)
{
    return sizeof(hexmap) + hextille_cell_count((uint32_t)job->n) * sizeof(hex) +
           hextille_path_count((uint32_t)job->n) * sizeof(path);
}

typedef struct {
    hexmap copy;
    path *paths;
} raw_state;

static int raw_open(bench_job *job)
{
    raw_state *s = job->state;
    uint32_t radius = (uint32_t)job->n;

    s->copy.cells = bench_alloc_touched((size_t)hextille_cell_count(radius), sizeof(hex));
    s->paths = bench_alloc_touched((size_t)hextille_path_count(radius), sizeof(path));
    return s->copy.cells && s->paths ? 0 : bench_complain_errno(job, "open");
}

static int raw_scrub(bench_job *job)
{
    raw_state *s = job->state;

    memset(s->copy.cells, 0xA5, (size_t)hextille_cell_count((uint32_t)job->n) * sizeof(hex));
    memset(s->paths, 0xA5, (size_t)hextille_path_count((uint32_t)job->n) * sizeof(path));
    return 0;
}

static int raw_copy(bench_job *job)
{
    raw_state *s = job->state;
    const hexmap *map = job->value;
    hex *cells = s->copy.cells;
    path *to = s->paths;

    s->copy = *map;
    s->copy.cells = cells;
    s->copy.centre = cells + (map->centre - map->cells);
    for (uint32_t i = 0; i < map->ncells; i++) {
        const hex *c = &map->cells[i];

        cells[i] = *c;
        cells[i].paths = to;
        for (uint32_t k = 0; k < c->npaths; k++, to++) {
            *to = c->paths[k];
            to->to = cells + (c->paths[k].to - map->cells);
        }
    }
    job->bytes = copied_bytes(job);
    return 0;
}

static int raw_verify(bench_job *job)
{
    raw_state *s = job->state;

    return bench_hexmap_compare(job, &s->copy);
}

static void raw_close(bench_job *job)
{
    raw_state *s = job->state;

    free(s->copy.cells);
    free(s->paths);
}

static const bench_impl raw = {
    .name = "raw",
    .state_size = sizeof(raw_state),
    .open = raw_open,
    .scrub = raw_scrub,
    .run = {raw_copy},
    .verify = {raw_verify},
    .close = raw_close,
};

static int lade_open(bench_job *job)
{
    bench_lade_open(job, table);
    return 0;
}

static int lade_run(bench_job *job)
{
    bench_lade_state *s = job->state;

    lade_arena_reset(s->arena);
    job->bytes = copied_bytes(job);
    return bench_lade_done(
        job, lade_copy_as(s->described->type, job->value, &s->loaded, &s->arena, &s->ctx));
}

static int encode_decode_run(bench_job *job)
{
    bench_lade_state *s = job->state;
    lade_status status = lade_encode_as(s->described->type, job->value, &s->buffer, &s->ctx);

    lade_arena_reset(s->arena);
    job->bytes = copied_bytes(job);
    if (status == LADE_OK)
        status = lade_decode_as(s->described->type, s->buffer.data, s->buffer.size, &s->loaded,
                                &s->arena, &s->ctx);
    return bench_lade_done(job, status);
}

static int lade_verify(bench_job *job)
{
    bench_lade_state *s = job->state;

    return bench_hexmap_compare(job, s->loaded);
}

#define LADE_IMPL(id, impl_name, step)          \
    static const bench_impl id = {              \
        .name = impl_name,                      \
        .state_size = sizeof(bench_lade_state), \
        .open = lade_open,                      \
        .scrub = bench_lade_scrub,              \
        .run = {step},                          \
        .verify = {lade_verify},                \
        .close = bench_lade_close,              \
    }

LADE_IMPL(encode_decode, "encode_decode", encode_decode_run);
LADE_IMPL(copy, "lade", lade_run);

static const bench_impl *const impls[] = {&raw, &encode_decode, &copy, NULL};

const bench_case bench_case_copy_hextille = {
    .name = "copy_hextille",
    .ops = {"copy"},
    .n = RADIUS,
    .quick_n = RADIUS,
    .create = bench_hexmap_create,
    .destroy = bench_hexmap_destroy,
    .impls = impls,
};
