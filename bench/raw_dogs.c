/*
 * dogs_concrete and dogs_any by hand. A container is a byte, 0 for NULL, else 1, or in dogs_any 1 + the place
 * of its type; then age (4 bytes), a byte of the name's length + 1 and its characters, and for a dog a byte of
 * its breed. One check of the room a container each way. A load puts the containers, the objects and the names
 * into a warm block of each.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_bytes.h"
#include "pets.h"

enum {
    HEADER_BYTES = 8,
    NAME_MAX = 254,
    RECORD_MAX = 1 + 4 + 1 + NAME_MAX + 1,
    COPY_SPAN = 16 /* bytes that a copy of a short name may always move */
};

typedef struct {
    bool any;
    uint8_t *bytes;
    size_t capacity, size;
    size_t n; /* what the blocks hold */
    void *crates;
    unsigned char *objects;
    char *names;
    size_t names_bytes;
    crates loaded;
    any_crates loaded_any;
} dogs_state;

/* NULL if the name is too long for this form. */
static inline uint8_t *put_pet(uint8_t *p, const pet *a)
{
    size_t length = strlen(a->name);

    if (length > NAME_MAX)
        return NULL;
    p = bench_put_u32(p, (uint32_t)a->age);
    *p++ = (uint8_t)(length + 1);
    bench_copy_short(p, a->name, length);
    return p + length;
}

static inline uint8_t *put_dog(uint8_t *p, const pet_dog *dog)
{
    p = put_pet(p, &dog->base);
    if (p)
        *p++ = (uint8_t)dog->breed;
    return p;
}

static uint8_t *put_crates(uint8_t *p, const uint8_t *end, const crates *value)
{
    p = bench_put_u64(p, value->n);
    for (size_t i = 0; p && i < value->n; i++) {
        const pet_dog *dog = value->all[i].pet;

        if (end - p < RECORD_MAX)
            return NULL;
        *p++ = dog != NULL;
        if (dog)
            p = put_dog(p, dog);
    }
    return p;
}

static uint8_t *put_any_crates(uint8_t *p, const uint8_t *end, const any_crates *value)
{
    p = bench_put_u64(p, value->n);
    for (size_t i = 0; p && i < value->n; i++) {
        const any_crate *c = &value->all[i];

        if (end - p < RECORD_MAX)
            return NULL;
        *p++ = c->pet ? (uint8_t)(1 + c->kind) : 0;
        if (c->pet && c->kind == PET_DOG)
            p = put_dog(p, (const pet_dog *)(const void *)c->pet);
        else if (c->pet)
            p = put_pet(p, c->pet);
    }
    return p;
}

static int dogs_save(bench_job *job)
{
    dogs_state *s = job->state;
    const pets *value = job->value;
    const uint8_t *end = s->bytes + s->capacity;
    uint8_t *p = s->any ? put_any_crates(s->bytes, end, &value->any)
                        : put_crates(s->bytes, end, &value->concrete);

    if (!p)
        return bench_complain(job, "save: no room");
    s->size = (size_t)(p - s->bytes);
    job->bytes = s->size;
    return 0;
}

/* Both the bytes and the names have COPY_SPAN bytes to spare. NULL for a name that is missing. */
static inline const uint8_t *get_pet(const uint8_t *p, pet *a, char **names)
{
    size_t length = p[4];
    char *name = *names;

    a->age = (int32_t)bench_get_u32(p);
    p += 5;
    if (length-- == 0)
        return NULL;
    if (length <= COPY_SPAN)
        memcpy(name, p, COPY_SPAN);
    else
        memcpy(name, p, length);
    name[length] = '\0';
    a->name = name;
    *names = name + length + 1;
    return p + length;
}

static inline const uint8_t *get_dog(const uint8_t *p, pet_dog *dog, char **names)
{
    p = get_pet(p, &dog->base, names);
    if (p)
        dog->breed = (breed)*p++;
    return p;
}

static const uint8_t *get_crates(dogs_state *s, const uint8_t *p, const uint8_t *end)
{
    crate *all = s->crates;
    pet_dog *dog = (pet_dog *)(void *)s->objects;
    char *names = s->names;

    for (size_t i = 0; p && i < s->loaded.n; i++) {
        uint8_t tag = *p++;

        all[i] = (crate){tag ? dog : NULL, 0};
        if (tag)
            p = get_dog(p, dog++, &names);
        if (p > end)
            return NULL;
    }
    s->loaded.all = all;
    return p;
}

static const uint8_t *get_any_crates(dogs_state *s, const uint8_t *p, const uint8_t *end)
{
    any_crate *all = s->crates;
    unsigned char *object = s->objects;
    char *names = s->names;

    for (size_t i = 0; p && i < s->loaded.n; i++) {
        uint8_t tag = *p++;

        if (tag > 1 + PET_DOG)
            return NULL;
        all[i] = (any_crate){tag ? (pet *)(void *)object : NULL, tag ? (uint8_t)(tag - 1) : 0};
        if (tag == 1 + PET_DOG) {
            p = get_dog(p, (pet_dog *)(void *)object, &names);
            object += sizeof(pet_dog);
        } else if (tag) {
            p = get_pet(p, (pet *)(void *)object, &names);
            object += sizeof(pet);
        }
        if (p > end)
            return NULL;
    }
    s->loaded_any = (any_crates){s->loaded.n, all};
    return p;
}

static int dogs_load(bench_job *job)
{
    dogs_state *s = job->state;
    const uint8_t *end = s->bytes + s->size;
    const uint8_t *p = s->bytes + HEADER_BYTES;
    uint64_t n = bench_get_u64(s->bytes);

    if (n > s->n || s->size > s->names_bytes)
        return bench_complain(job, "load: bad header");
    s->loaded.n = (size_t)n;
    p = s->any ? get_any_crates(s, p, end) : get_crates(s, p, end);
    job->bytes = s->size;
    return p == end ? 0 : bench_complain(job, "load: damaged bytes");
}

/* The encoded bytes bound the names: each needs a NUL there and has a length here. */
static int open_both(bench_job *job, bool any)
{
    dogs_state *s = job->state;
    const crates *value = &((const pets *)job->value)->concrete;

    s->any = any;
    s->n = value->n;
    s->capacity = HEADER_BYTES + RECORD_MAX + COPY_SPAN;
    for (size_t i = 0; i < s->n; i++)
        s->capacity += 1 + 4 + 1 + strlen(value->all[i].pet->base.name) + 1;
    s->names_bytes = s->capacity;
    s->bytes = bench_alloc_touched(s->capacity, 1);
    s->crates = bench_alloc_touched(s->n, any ? sizeof(any_crate) : sizeof(crate));
    s->objects = bench_alloc_touched(s->n, sizeof(pet_dog));
    s->names = bench_alloc_touched(s->names_bytes + RECORD_MAX + COPY_SPAN, 1);
    if (!s->bytes || !s->crates || !s->objects || !s->names)
        return bench_complain_errno(job, "open");
    return dogs_save(job);
}

static int open_concrete(bench_job *job)
{
    return open_both(job, false);
}

static int open_any(bench_job *job)
{
    return open_both(job, true);
}

static int dogs_scrub(bench_job *job)
{
    dogs_state *s = job->state;

    memset(s->crates, 0xA5, s->n * sizeof(crate));
    memset(s->objects, 0xA5, s->n * sizeof(pet_dog));
    memset(s->names, 0xA5, s->names_bytes);
    return 0;
}

static int dogs_verify(bench_job *job)
{
    dogs_state *s = job->state;

    return s->any ? bench_any_crates_compare(job, &s->loaded_any)
                  : bench_crates_compare(job, &s->loaded);
}

static void dogs_close(bench_job *job)
{
    dogs_state *s = job->state;

    free(s->bytes);
    free(s->crates);
    free(s->objects);
    free(s->names);
}

#define RAW_IMPL(id, open_step)           \
    const bench_impl id = {               \
        .name = "raw",                    \
        .state_size = sizeof(dogs_state), \
        .open = open_step,                \
        .scrub = dogs_scrub,              \
        .run = {dogs_save, dogs_load},    \
        .verify = {NULL, dogs_verify},    \
        .close = dogs_close,              \
    }

RAW_IMPL(bench_raw_crates, open_concrete);
RAW_IMPL(bench_raw_any_crates, open_any);
