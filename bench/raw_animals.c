/*
 * animals by hand. A record: name, age (4 bytes), weight (8), one byte of kind * 2 + alive, owner.
 * A text is a byte, 0 for NULL or its length + 1, and its characters. One capacity check a record
 * each way. `raw` loads into a vector and texts of their own malloc; `raw_arena` reuses a warm
 * vector and one bump arena, which the size of the file bounds: each text needs a NUL there and has
 * a length byte here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "animals.h"
#include "bench_bytes.h"
#include "bench_file.h"

enum {
    HEADER_BYTES = 8,
    TEXT_MAX = 254,
    FIXED_BYTES = 4 + 8 + 1,
    RECORD_MIN = FIXED_BYTES + 2,
    RECORD_MAX = FIXED_BYTES + 2 * (1 + TEXT_MAX),
    COPY_SPAN = 16 /* bytes that a copy of a short text may always move */
};

typedef struct {
    bench_sink sink;
    bench_source source;
    zoo warm; /* n is the capacity */
    char *arena;
    size_t arena_bytes;
    zoo loaded;
} animal_state;

/* Returns the byte after the text, or NULL if it is too long for this form. */
static inline uint8_t *put_text(uint8_t *p, const char *text)
{
    size_t length;

    if (!text) {
        *p = 0;
        return p + 1;
    }
    length = strlen(text);
    if (length > TEXT_MAX)
        return NULL;
    *p = (uint8_t)(length + 1);
    bench_copy_short(p + 1, text, length);
    return p + 1 + length;
}

static inline uint8_t *put_animal(uint8_t *p, const animal *a)
{
    p = put_text(p, a->name);
    if (!p)
        return NULL;
    p = bench_put_u32(p, (uint32_t)a->age);
    p = bench_put_f64(p, a->weight);
    *p++ = (uint8_t)((unsigned)a->what << 1 | (unsigned)a->alive);
    return put_text(p, a->owner);
}

static int write_zoo(bench_sink *sink, const zoo *z)
{
    uint8_t *p = bench_sink_room(sink, HEADER_BYTES);

    sink->used += (size_t)(bench_put_u64(p, z->n) - p);
    for (size_t i = 0; i < z->n; i++) {
        p = bench_sink_room(sink, RECORD_MAX);
        if (!p)
            return -1;
        p = put_animal(p, &z->all[i]);
        if (!p) {
            errno = EMSGSIZE;
            return -1;
        }
        sink->used = (size_t)(p - sink->base);
    }
    return 0;
}

static int animals_save(bench_job *job)
{
    animal_state *s = job->state;

    if (bench_sink_open(&s->sink, job->file))
        return bench_complain_errno(job, "save");
    if (write_zoo(&s->sink, job->value)) {
        bench_sink_abandon(&s->sink);
        return bench_complain_errno(job, "save");
    }
    return bench_sink_commit(&s->sink, &job->bytes) ? bench_complain_errno(job, "save") : 0;
}

/* The fixed middle of a record. */
static inline const uint8_t *get_fixed(const uint8_t *p, animal *a)
{
    a->age = (int32_t)bench_get_u32(p);
    a->weight = bench_get_f64(p + 4);
    a->alive = p[12] & 1;
    a->what = (kind)(p[12] >> 1);
    return p + FIXED_BYTES;
}

/* Returns the byte after the text, or NULL if malloc failed. */
static inline const uint8_t *get_text_own(const uint8_t *p, char **out)
{
    size_t length = *p++;
    char *text;

    if (length == 0) {
        *out = NULL;
        return p;
    }
    text = malloc(length--);
    if (!text)
        return NULL;
    bench_copy_short(text, p, length);
    text[length] = '\0';
    *out = text;
    return p + length;
}

/* Both the source and the arena have COPY_SPAN bytes to spare behind any text. */
static inline const uint8_t *get_text_arena(const uint8_t *p, char **arena, char **out)
{
    size_t length = *p++;
    char *text = *arena;

    if (length == 0) {
        *out = NULL;
        return p;
    }
    length--;
    if (length <= COPY_SPAN)
        memcpy(text, p, COPY_SPAN);
    else
        memcpy(text, p, length);
    text[length] = '\0';
    *out = text;
    *arena = text + length + 1;
    return p + length;
}

static int animals_read_own(bench_source *source, zoo *z)
{
    for (size_t i = 0; i < z->n; i++) {
        animal *a = &z->all[i];
        const uint8_t *p = bench_source_need(source, RECORD_MAX);

        a->name = NULL;
        a->owner = NULL;
        if (p)
            p = get_text_own(p, &a->name);
        if (p)
            p = get_text_own(get_fixed(p, a), &a->owner);
        if (!p || p > source->end) {
            z->n = i + 1;
            return -1;
        }
        source->at = p;
    }
    return 0;
}

static int animals_read_arena(bench_source *source, zoo *z, char *arena)
{
    for (size_t i = 0; i < z->n; i++) {
        animal *a = &z->all[i];
        const uint8_t *p = bench_source_need(source, RECORD_MAX);

        if (!p)
            return -1;
        p = get_fixed(get_text_arena(p, &arena, &a->name), a);
        p = get_text_arena(p, &arena, &a->owner);
        if (p > source->end)
            return -1;
        source->at = p;
    }
    return 0;
}

/* Opens the file and reads the count, which the bytes that follow must be able to hold. */
static int open_count(bench_job *job, size_t *n)
{
    animal_state *s = job->state;
    const uint8_t *p;
    uint64_t count;

    if (bench_source_open(&s->source, job->file))
        return bench_complain_errno(job, "load");
    job->bytes = s->source.unread;
    p = bench_source_need(&s->source, HEADER_BYTES);
    count = p ? bench_get_u64(p) : 0;
    if (!p || job->bytes < HEADER_BYTES || count > (job->bytes - HEADER_BYTES) / RECORD_MIN) {
        bench_source_close(&s->source);
        return bench_complain(job, "load: bad header");
    }
    s->source.at += HEADER_BYTES;
    *n = (size_t)count;
    return 0;
}

static int own_load(bench_job *job)
{
    animal_state *s = job->state;
    zoo z = {0};
    int status = -1;

    if (open_count(job, &z.n))
        return -1;
    z.all = malloc((z.n ? z.n : 1) * sizeof *z.all);
    if (z.all)
        status = animals_read_own(&s->source, &z);
    s->loaded = z.all ? z : (zoo){0};
    bench_source_close(&s->source);
    return status ? bench_complain(job, "load: damaged file or no memory") : 0;
}

static int arena_load(bench_job *job)
{
    animal_state *s = job->state;
    zoo z = {.all = s->warm.all};
    int status = -1;

    if (open_count(job, &z.n))
        return -1;
    if (z.n <= s->warm.n && job->bytes <= s->arena_bytes)
        status = animals_read_arena(&s->source, &z, s->arena);
    s->loaded = z;
    bench_source_close(&s->source);
    return status ? bench_complain(job, "load: damaged file") : 0;
}

static int own_open(bench_job *job)
{
    animal_state *s = job->state;

    if (bench_sink_init(&s->sink) || bench_source_init(&s->source))
        return bench_complain_errno(job, "open");
    return 0;
}

static int arena_open(bench_job *job)
{
    animal_state *s = job->state;
    const zoo *z = job->value;

    if (own_open(job))
        return -1;
    s->arena_bytes = HEADER_BYTES;
    for (size_t i = 0; i < z->n; i++) {
        const animal *a = &z->all[i];

        s->arena_bytes += RECORD_MIN + (a->name ? strlen(a->name) : 0);
        s->arena_bytes += a->owner ? strlen(a->owner) : 0;
    }
    /* a damaged last record may be copied before it is found out */
    s->arena = bench_alloc_touched(s->arena_bytes + RECORD_MAX + COPY_SPAN, 1);
    s->warm = (zoo){.n = z->n, .all = bench_alloc_touched(z->n, sizeof *z->all)};
    return s->arena && s->warm.all ? 0 : bench_complain_errno(job, "open");
}

static int arena_scrub(bench_job *job)
{
    animal_state *s = job->state;

    memset(s->warm.all, 0xA5, s->warm.n * sizeof *s->warm.all);
    memset(s->arena, 0xA5, s->arena_bytes);
    return 0;
}

static int animals_verify(bench_job *job)
{
    animal_state *s = job->state;

    return bench_zoo_compare(job, &s->loaded);
}

static int own_reset(bench_job *job)
{
    animal_state *s = job->state;

    for (size_t i = 0; i < s->loaded.n; i++) {
        free(s->loaded.all[i].name);
        free(s->loaded.all[i].owner);
    }
    free(s->loaded.all);
    s->loaded = (zoo){0};
    return 0;
}

static void animals_close(bench_job *job)
{
    animal_state *s = job->state;

    free(s->arena);
    free(s->warm.all);
    bench_source_fini(&s->source);
    bench_sink_fini(&s->sink);
}

const bench_impl bench_raw_animals = {
    .name = "raw",
    .state_size = sizeof(animal_state),
    .open = own_open,
    .fresh = {true, true},
    .run = {animals_save, own_load},
    .verify = {NULL, animals_verify},
    .reset = own_reset,
    .close = animals_close,
};

const bench_impl bench_raw_animals_arena = {
    .name = "raw_arena",
    .file_of = "raw",
    .state_size = sizeof(animal_state),
    .open = arena_open,
    .scrub = arena_scrub,
    .run = {NULL, arena_load},
    .verify = {NULL, animals_verify},
    .close = animals_close,
};
