/*
 * One small object after another, each a message of its own: what a call of the library costs. `raw` stores a
 * length of 4 bytes and the characters, and loads into a warm block; `lade` is lade_encode_to and lade_decode
 * of bare messages, with a context and an arena that is reset before each load. n is the number of objects, a
 * time that of one.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_bytes.h"
#include "described.h"
#include "serial_cases.h"

enum { OBJECTS = 1000000, ROOM = 64, LENGTH_BYTES = 4 };

typedef struct {
    const char *text;
} testclass;

LADE_STRUCT(testclass, (text, text))

static const testclass object = {"Hello Bin Serializer"};

static int testclass_create(uint64_t n, bench_value *out)
{
    testclass *all = calloc((size_t)n, sizeof *all);

    if (!all)
        return -1;
    for (size_t i = 0; i < n; i++)
        all[i] = object;
    *out = (bench_value){.value = all};
    return 0;
}

static void testclass_destroy(bench_value *value)
{
    free(value->value);
}

/* What every impl has. Each object is saved to the same bytes and loaded to the same memory. */
typedef struct {
    bench_lade_state lade;
    uint8_t bytes[ROOM];
    size_t size;
    char text[ROOM];
    testclass loaded;
    const testclass *last;
} one_state;

static int testclass_compare(const bench_job *job, const void *loaded)
{
    const testclass *t = loaded;

    return t->text && strcmp(t->text, object.text) == 0
               ? 0
               : bench_complain(job, "the loaded object differs from the saved one");
}

static int verify(bench_job *job)
{
    one_state *s = job->state;

    return testclass_compare(job, s->last);
}

/* noinline: a caller saves one object at a time, somewhere. */
__attribute__((noinline)) static size_t raw_put(const testclass *t, uint8_t *to, size_t capacity)
{
    size_t length = strlen(t->text);

    if (length > capacity - LENGTH_BYTES)
        return 0;
    memcpy(bench_put_u32(to, (uint32_t)length), t->text, length);
    return LENGTH_BYTES + length;
}

__attribute__((noinline)) static int raw_get(const uint8_t *from, size_t size, char *text,
                                             size_t capacity, testclass *out)
{
    uint32_t length;

    if (size < LENGTH_BYTES)
        return -1;
    length = bench_get_u32(from);
    if (length > size - LENGTH_BYTES || length >= capacity)
        return -1;
    memcpy(text, from + LENGTH_BYTES, length);
    text[length] = '\0';
    out->text = text;
    return 0;
}

static int raw_open(bench_job *job)
{
    job->repeats = job->n;
    return 0;
}

static int raw_save(bench_job *job)
{
    one_state *s = job->state;
    const testclass *all = job->value;

    for (size_t i = 0; i < job->n; i++) {
        s->size = raw_put(&all[i], s->bytes, sizeof s->bytes);
        if (s->size == 0)
            return bench_complain(job, "save: no room");
    }
    job->bytes = s->size;
    return 0;
}

static int raw_load(bench_job *job)
{
    one_state *s = job->state;

    for (size_t i = 0; i < job->n; i++)
        if (raw_get(s->bytes, s->size, s->text, sizeof s->text, &s->loaded))
            return bench_complain(job, "load: damaged bytes");
    s->last = &s->loaded;
    job->bytes = s->size;
    return 0;
}

static const bench_impl raw = {
    .name = "raw",
    .state_size = sizeof(one_state),
    .open = raw_open,
    .run = {raw_save, raw_load},
    .verify = {NULL, verify},
};

static int lade_open(bench_job *job)
{
    static const bench_described table[] = {
        {"testclass", &lade_type_testclass, testclass_compare, NULL, 0},
        {NULL, NULL, NULL, NULL, 0},
    };
    one_state *s = job->state;

    bench_lade_open(job, table);
    s->lade.ctx.bare = true;
    job->repeats = job->n;
    return 0;
}

static int lade_save(bench_job *job)
{
    one_state *s = job->state;
    const testclass *all = job->value;
    lade_status status = LADE_OK;

    for (size_t i = 0; status == LADE_OK && i < job->n; i++)
        status =
            lade_encode_to(testclass, &all[i], s->bytes, sizeof s->bytes, &s->size, &s->lade.ctx);
    job->bytes = s->size;
    return bench_lade_done(job, status);
}

static int lade_load(bench_job *job)
{
    one_state *s = job->state;
    lade_status status = LADE_OK;
    testclass *loaded = NULL;

    for (size_t i = 0; status == LADE_OK && i < job->n; i++) {
        lade_arena_reset(s->lade.arena);
        status = lade_decode(testclass, s->bytes, s->size, &loaded, &s->lade.arena, &s->lade.ctx);
    }
    s->last = loaded;
    job->bytes = s->size;
    return bench_lade_done(job, status);
}

static const bench_impl lade = {
    .name = "lade",
    .state_size = sizeof(one_state),
    .open = lade_open,
    .run = {lade_save, lade_load},
    .verify = {NULL, verify},
    .close = bench_lade_close,
};

static const bench_impl *const impls[] = {&raw, &lade, NULL};

const bench_case bench_case_testclass = {
    .name = "testclass",
    .ops = {"save", "load"},
    .n = OBJECTS,
    .quick_n = OBJECTS,
    .create = testclass_create,
    .destroy = testclass_destroy,
    .impls = impls,
};
