#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "pages.h"

const char *lade_version_string(void)
{
    return LADE_PRIV_VERSION;
}

void *lade_mem_resize(const lade_allocator *allocator, void *memory, size_t old_size,
                      size_t new_size)
{
    if (allocator)
        return allocator->resize(allocator->user, memory, old_size, new_size);
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    memory = realloc(memory, new_size);
    if (memory)
        lade_pages_advise(memory, new_size);
    return memory;
}

void *lade_context_resize(lade_context *ctx, void *memory, size_t old_size, size_t new_size)
{
    return lade_mem_resize(ctx ? ctx->allocator : NULL, memory, old_size, new_size);
}

bool lade_mem_grow_slow(const lade_allocator *allocator, void *array_address, size_t *capacity,
                        size_t need, size_t element)
{
    size_t wanted = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (wanted < need)
        wanted = need;
    size_t bytes;
    if (!lade_mul(wanted, element, &bytes))
        return false;
    void *array;
    memcpy(&array, array_address, sizeof array);
    array = lade_mem_resize(allocator, array, *capacity * element, bytes);
    if (!array)
        return false;
    memcpy(array_address, &array, sizeof array);
    *capacity = wanted;
    return true;
}

bool lade_extents_product(unsigned rank, const size_t *extents, size_t *product)
{
    size_t n = 1;
    for (unsigned i = 0; i < rank; i++)
        if (extents[i] == 0)
            n = 0;
    for (unsigned i = 0; i < rank && n > 0; i++)
        if (!lade_mul(n, extents[i], &n))
            return false;
    *product = n;
    return true;
}

static lade_cache *cache_create(const lade_allocator *allocator)
{
    lade_cache *cache = lade_mem_get(allocator, sizeof *cache);
    if (cache)
        memset(cache, 0, sizeof *cache);
    return cache;
}

void lade_context_fini(lade_context *ctx)
{
    if (!ctx || !ctx->cache)
        return;
    lade_encoders_free(ctx->cache->encoders);
    lade_decoders_free(ctx->cache->decoders);
    lade_plans_free(ctx->allocator, ctx->cache->plans);
    lade_handles_free(ctx->allocator, ctx->cache);
    lade_mem_free(ctx->allocator, ctx->cache, sizeof *ctx->cache);
    ctx->cache = NULL;
}

/* Texts are cut where they are too long: that is what the size of the report allows. */
static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    size_t n = strlen(more);
    if (n > size - 1 - used)
        n = size - 1 - used;
    memcpy(text + used, more, n);
    text[used + n] = 0;
}

lade_status lade_job_begin(lade_job *job, lade_context *ctx)
{
    job->err.status = LADE_OK;
    job->err.path[0] = 0;
    job->err.entry[0] = 0;
    job->err.offset = UINT64_MAX;
    job->ctx = ctx;
    if (!ctx) {
        job->own = (lade_context){0};
        job->ctx = &job->own;
    }
    job->ctx->stats = (lade_stats){0};
    if (job->ctx->cache) {
        if (job->ctx->cache->entry)
            lade_job_entry(job, job->ctx->cache->entry);
        return LADE_OK;
    }
    job->ctx->cache = cache_create(job->ctx->allocator);
    return job->ctx->cache ? LADE_OK : lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
}

/* The message that the user sees says where: entry, path, what, offset. */
static void error_report(lade_error *to, const lade_error *from)
{
    char offset[40];
    *to = *from;
    to->message[0] = 0;
    if (from->entry[0]) {
        append(to->message, sizeof to->message, "entry '");
        append(to->message, sizeof to->message, from->entry);
        append(to->message, sizeof to->message, "', ");
    }
    if (from->path[0]) {
        append(to->message, sizeof to->message, from->path);
        append(to->message, sizeof to->message, ": ");
    }
    append(to->message, sizeof to->message, from->message);
    if (from->offset == UINT64_MAX)
        return;
    snprintf(offset, sizeof offset, " (byte %llu)", (unsigned long long)from->offset);
    append(to->message, sizeof to->message, offset);
}

void lade_job_entry(lade_job *job, const char *entry)
{
    job->err.entry[0] = 0;
    if (entry)
        append(job->err.entry, sizeof job->err.entry, entry);
}

lade_status lade_job_report(lade_job *job, lade_status status)
{
    if (status != LADE_OK && job->ctx->error)
        error_report(job->ctx->error, &job->err);
    return status;
}

lade_status lade_job_end(lade_job *job, lade_status status)
{
    lade_job_report(job, status);
    if (job->ctx == &job->own)
        lade_context_fini(&job->own);
    return status;
}

void lade_job_error(lade_job *job, lade_status status, int cause, const char *format, ...)
{
    if (job->err.status != LADE_OK)
        return;
    job->err.status = status;
    job->err.cause = cause;
    job->err.rank = -1;
    va_list args;
    va_start(args, format);
    vsnprintf(job->err.message, sizeof job->err.message, format, args);
    va_end(args);
}

void lade_job_path(lade_job *job, const char *name, size_t i, size_t n)
{
    char rest[sizeof job->err.path];
    memcpy(rest, job->err.path, sizeof rest);
    job->err.path[0] = 0;
    if (n != 1)
        snprintf(job->err.path, sizeof job->err.path, "[%zu]", i);
    append(job->err.path, sizeof job->err.path, ".");
    append(job->err.path, sizeof job->err.path, name);
    append(job->err.path, sizeof job->err.path, rest);
}

void lade_job_index(lade_job *job, size_t i)
{
    char rest[sizeof job->err.path];
    memcpy(rest, job->err.path, sizeof rest);
    snprintf(job->err.path, sizeof job->err.path, "[%zu]", i);
    append(job->err.path, sizeof job->err.path, rest);
}

void lade_path_set(lade_job *job, const char *type, uint64_t id, const char *rest)
{
    char number[24] = "";
    if (id != UINT64_MAX)
        snprintf(number, sizeof number, "#%llu", (unsigned long long)id);
    job->err.path[0] = 0;
    append(job->err.path, sizeof job->err.path, type);
    append(job->err.path, sizeof job->err.path, number);
    append(job->err.path, sizeof job->err.path, rest);
}

lade_status lade_context_fail(lade_context *ctx, lade_status status, int cause, const char *format,
                              ...)
{
    if (!ctx || !ctx->error)
        return status;
    lade_error *err = ctx->error;
    *err = (lade_error){.status = status, .cause = cause, .rank = -1, .offset = UINT64_MAX};
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

/* Well-formed UTF-8 (Unicode 15, table 3-7), no control characters. */
bool lade_is_utf8(const char *name)
{
    const uint8_t *p = (const uint8_t *)name;
    while (*p) {
        unsigned first = *p++;
        unsigned more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        if (first < 0x20 || first == 0x7f || (first >= 0x80 && first < 0xc2) || first > 0xf4)
            return false;
        unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        for (; more > 0; more--, p++, low = 0x80, high = 0xbf)
            if (*p < low || *p > high)
                return false;
    }
    return true;
}
