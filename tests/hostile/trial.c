#include "trial.h"

#include "../unit/kind_types.h"

#include <stdio.h>
#include <stdlib.h>

void trial_place_init(trial_place *place, const specimen *s)
{
    *place = (trial_place){.s = s, .memory = area_make(), .before = area_make()};
    place->value = s->make(&place->memory);
    memcpy(place->before.bytes, place->memory.bytes, AREA_SIZE);
    place->honest = specimen_message(s, true);
}

void trial_place_fini(trial_place *place)
{
    area_fini(&place->memory);
    area_fini(&place->before);
    lade_buffer_fini(&place->honest);
}

static lade_status decode(const specimen *s, const uint8_t *bytes, size_t size, void *out,
                          size_t *extents, lade_arena **owner, lade_context *ctx)
{
    return s->rank ? lade_decode_array_as(s->type, bytes, size, out, s->rank, extents, owner, ctx)
                   : lade_decode_as(s->type, bytes, size, out, owner, ctx);
}

static lade_status decode_into(trial_place *place, const uint8_t *bytes, size_t size,
                               lade_context *ctx)
{
    const specimen *s = place->s;
    return s->rank ? lade_decode_array_into_as(s->type, bytes, size, place->value, s->rank,
                                               s->extents, ctx)
                   : lade_decode_into_as(s->type, bytes, size, place->value, ctx);
}

static lade_status encode(const specimen *s, const void *value, const size_t *extents,
                          lade_buffer *message, lade_context *ctx)
{
    return s->rank ? lade_encode_array_as(s->type, value, s->rank, extents, message, ctx)
                   : lade_encode_as(s->type, value, message, ctx);
}

/* The honest message fits exactly where pointers, counts, lengths and what is NULL are as they were; and then
 * every byte is as it was. */
static const char *check_shape(trial_place *place, lade_context *ctx)
{
    lade_buffer again = {0};
    const char *wrong = NULL;
    bool bare = ctx->bare;
    if (place->s->loose)
        return NULL;
    ctx->bare = true;
    if (place->value && decode_into(place, place->honest.data, place->honest.size, ctx))
        wrong = "a load into existing memory changed its shape";
    else if (encode(place->s, place->value, place->s->extents, &again, ctx) ||
             again.size != place->honest.size ||
             memcmp(again.data, place->honest.data, again.size) != 0)
        wrong = "a load into existing memory changed what it leads to";
    else if (place->memory.used &&
             memcmp(place->memory.bytes, place->before.bytes, place->memory.used) != 0)
        wrong = "a load into existing memory changed bytes that are not stored";
    ctx->bare = bare;
    lade_buffer_fini(&again);
    return wrong;
}

static const char *check_failure(lade_status status, const lade_error *error, size_t size)
{
    if (error->status != status || error->message[0] == 0)
        return "the error report does not say what the status says";
    if (error->offset != UINT64_MAX && error->offset > size)
        return "the place of the error lies behind the input";
    return NULL;
}

/* What was loaded is the input: there is one encoding of a value. */
static const char *check_again(const specimen *s, const void *value, const size_t *extents,
                               const uint8_t *bytes, size_t size, lade_context *ctx)
{
    lade_buffer again = {0};
    const char *wrong = NULL;
    if (encode(s, value, extents, &again, ctx) != LADE_OK)
        wrong = "what was loaded cannot be saved";
    else if (again.size != size || memcmp(again.data, bytes, size) != 0)
        wrong = "what was loaded has other bytes when it is saved again";
    lade_buffer_fini(&again);
    return wrong;
}

static const char *load_new(const trial_place *place, const uint8_t *bytes, size_t size,
                            lade_status *status, lade_context *ctx)
{
    int untouched;
    void *out = &untouched;
    lade_arena *owner = NULL;
    size_t extents[LADE_MAX_RANK];
    const char *wrong = NULL;
    memset(extents, 0x5a, sizeof extents);
    *status = decode(place->s, bytes, size, &out, extents, &owner, ctx);
    for (unsigned i = 0; *status != LADE_OK && i < LADE_MAX_RANK; i++)
        if (extents[i] != (size_t)0x5a5a5a5a5a5a5a5a)
            wrong = "a failing load set an extent";
    if (*status != LADE_OK && (out != &untouched || owner))
        wrong = "a failing load set the caller's pointer or owner";
    else if (*status != LADE_OK && !wrong)
        wrong = check_failure(*status, ctx->error, size);
    else if (*status == LADE_OK)
        wrong = check_again(place->s, out, extents, bytes, size, ctx);
    lade_arena_destroy(owner);
    return wrong;
}

static const char *load_into(trial_place *place, const uint8_t *bytes, size_t size,
                             lade_status *status, lade_context *ctx)
{
    if (!place->value)
        return NULL;
    *status = decode_into(place, bytes, size, ctx);
    const char *wrong =
        *status ? check_failure(*status, ctx->error, size)
                : check_again(place->s, place->value, place->s->extents, bytes, size, ctx);
    return wrong ? wrong : check_shape(place, ctx);
}

static const char *check_memory(const test_memory *m, const specimen *list, size_t count,
                                size_t size, size_t allowed)
{
    if (m->bad_sizes)
        return "memory was given back with another size";
    if (m->live)
        return "memory was leaked";
    size_t most = 8 * size;
    for (size_t i = 0; i < count && m->peak > allowed + most; i++) {
        size_t honest = 2 * specimen_most_memory(&list[i], size);
        most = honest > most ? honest : most;
    }
    return m->peak > allowed + most ? "more memory was taken than the input justifies" : NULL;
}

const char *trial_message(trial_place *place, trial_mode mode, const uint8_t *bytes, size_t size,
                          lade_status *status)
{
    test_memory m;
    lade_error error = {0};
    test_memory_init(&m);
    lade_context ctx = {.externals = &kind_externals,
                        .allocator = &m.allocator,
                        .error = &error,
                        .bare = mode.bare,
                        .interpret = mode.interpret};
    uint8_t *copy = malloc(size + (size == 0)); /* ends where the input does */
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    *status = LADE_OK;
    const char *wrong = mode.into ? load_into(place, copy, size, status, &ctx)
                                  : load_new(place, copy, size, status, &ctx);
    lade_context_fini(&ctx);
    free(copy);
    return wrong ? wrong : check_memory(&m, place->s, 1, size, TRIAL_MESSAGE_MEMORY);
}

static const char *get_new(lade_file *f, const char *name, const specimen *s, lade_context *ctx)
{
    int untouched;
    void *out = &untouched;
    lade_arena *owner = NULL;
    size_t extents[LADE_MAX_RANK];
    lade_buffer message = {0};
    lade_status status =
        s->rank ? lade_file_get_array_as(f, name, s->type, &out, s->rank, extents, &owner)
                : lade_file_get_as(f, name, s->type, &out, &owner);
    const char *wrong = NULL;
    if (status != LADE_OK && (out != &untouched || owner))
        wrong = "a failing get set the caller's pointer or owner";
    else if (status != LADE_OK)
        wrong = check_failure(status, ctx->error, SIZE_MAX);
    else if (encode(s, out, extents, &message, ctx) != LADE_OK)
        wrong = "what was got cannot be saved";
    lade_arena_destroy(owner);
    lade_buffer_fini(&message);
    return wrong;
}

static const char *get_into(lade_file *f, const char *name, const specimen *s, lade_context *ctx)
{
    trial_place place;
    trial_place_init(&place, s);
    lade_status status = LADE_OK;
    if (place.value && s->rank)
        status = lade_file_get_array_into_as(f, name, s->type, place.value, s->rank, s->extents);
    else if (place.value)
        status = lade_file_get_into_as(f, name, s->type, place.value);
    const char *wrong = status ? check_failure(status, ctx->error, SIZE_MAX) : NULL;
    if (!wrong)
        wrong = check_shape(&place, ctx);
    trial_place_fini(&place);
    return wrong;
}

static const char *get_all(lade_file *f, lade_context *ctx)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < lade_file_count(f) && !wrong; i++) {
        const char *name = lade_file_name(f, i);
        const specimen *s = specimen_find(name);
        const specimen *other = &specimens[i % specimen_count];
        if (s)
            wrong = get_new(f, name, s, ctx);
        if (s && !wrong)
            wrong = get_into(f, name, s, ctx);
        if (!wrong && other != s)
            wrong = get_new(f, name, other, ctx);
    }
    return wrong;
}

const char *trial_file(const char *path, size_t size, bool interpret, bool recover)
{
    test_memory m;
    lade_error error = {0};
    test_memory_init(&m);
    lade_context ctx = {.externals = &kind_externals,
                        .allocator = &m.allocator,
                        .error = &error,
                        .interpret = interpret,
                        .recover = recover};
    lade_file *f = NULL;
    lade_status status = lade_file_open(path, LADE_READ, &f, &ctx);
    const char *wrong = NULL;
    if (status != LADE_OK && f)
        wrong = "a failing open set the caller's pointer";
    else if (status != LADE_OK)
        wrong = check_failure(status, &error, size);
    else
        wrong = get_all(f, &ctx);
    (void)lade_file_close(f);
    lade_context_fini(&ctx);
    return wrong ? wrong : check_memory(&m, specimens, specimen_count, size, TRIAL_FILE_MEMORY);
}
