/**
 * \file
 * Shared by the sources of the core: jobs (one API call: context, error), memory, checked sizes.
 */
#ifndef LADE_INTERNAL_H
#define LADE_INTERNAL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lade/backend.h>
#include <lade/lade.h>

struct enc;
struct dec;
struct lade_plan;

/** What a context keeps between calls. */
struct lade_cache {
    struct lade_plan *plans; /* list */
    const struct lade_plan *last;
    struct enc *encoders; /* idle ones, with their buffers */
    struct dec *decoders;
    lade_encoding *encoding; /* an idle one of each, or NULL */
    lade_decoding *decoding;
    const char *entry;        /* of the file, for errors; or NULL */
    lade_fingerprint unknown; /* of the type that ended the last load, or zero */
};

/** One API call: its context (the caller's, or a default one of its own) and its error. */
typedef struct lade_job {
    lade_context *ctx;
    lade_context own; /* used where the caller passed NULL */
    lade_error err;
} lade_job;

lade_status lade_job_begin(lade_job *job, lade_context *ctx);
/** Reports the error if status is one. Returns status. */
lade_status lade_job_report(lade_job *job, lade_status status);
/** The same at the end of the job; frees a context of its own. Returns status. */
lade_status lade_job_end(lade_job *job, lade_status status);
/** Records an error; the first one of a job wins. */
LADE_PRINTF(4, 5)
void lade_job_error(lade_job *job, lade_status status, int cause, const char *format, ...);
/** The same, as an expression with the value `status`. */
#define lade_job_fail(job, status, cause, ...) \
    (lade_job_error(job, status, cause, __VA_ARGS__), (status))
/** The status of the job's error, or `otherwise` (which becomes it) where none is recorded yet. */
static inline lade_status lade_job_status(lade_job *job, lade_status otherwise, const char *text)
{
    lade_job_error(job, otherwise, 0, "%s", text);
    return job->err.status;
}
/** Names the entry of a file that the job is about; NULL is ignored. */
void lade_job_entry(lade_job *job, const char *entry);
/** Puts "[i].name" (no index if n is 1) in front of the error's path. */
void lade_job_path(lade_job *job, const char *name, size_t i, size_t n);

/** Puts "[i]" in front of the error's path. */
void lade_job_index(lade_job *job, size_t i);

/** Makes the path complete: the type it starts from, and the object's id (UINT64_MAX: none). */
void lade_path_set(lade_job *job, const char *type, uint64_t id, const char *rest);

/** Checks that a root can be read: type, value, rank and extents. */
lade_status lade_root_check(lade_job *job, const lade_root *root);

/** Memory by the context's allocator; sizes must be those of the allocation. */
void *lade_mem_resize(const lade_allocator *allocator, void *memory, size_t old_size,
                      size_t new_size);
static inline void *lade_mem_get(const lade_allocator *allocator, size_t size)
{
    return lade_mem_resize(allocator, NULL, 0, size);
}
static inline void lade_mem_free(const lade_allocator *allocator, void *memory, size_t size)
{
    if (memory)
        lade_mem_resize(allocator, memory, size, 0);
}

/** Makes room for at least `need` elements in a growing array; false if out of memory. */
bool lade_mem_grow_slow(const lade_allocator *allocator, void *array_address, size_t *capacity,
                        size_t need, size_t element);
static inline bool lade_mem_grow(const lade_allocator *allocator, void *array_address,
                                 size_t *capacity, size_t need, size_t element)
{
    return need <= *capacity ||
           lade_mem_grow_slow(allocator, array_address, capacity, need, element);
}

static inline bool lade_mul(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/** Whether a text is well-formed UTF-8 without control characters. */
bool lade_is_utf8(const char *name);

/** Product of extents; false on overflow. */
bool lade_extents_product(unsigned rank, const size_t *extents, size_t *product);

void lade_encoders_free(struct enc *list);
void lade_decoders_free(struct dec *list);
/** Idle encoders and decoders that are ready for a plan, which is about to go, are so no more. */
void lade_encoders_forget(struct enc *list, const struct lade_plan *plan);
void lade_decoders_forget(struct dec *list, const struct lade_plan *plan);
/** Frees the idle encoding and decoding of a cache. */
void lade_handles_free(const lade_allocator *allocator, lade_cache *cache);
void lade_plans_free(const lade_allocator *allocator, struct lade_plan *list);
/** Frees the plans of types made at run time, by the stamp of their schema. */
void lade_plans_drop(const lade_allocator *allocator, lade_cache *cache, uint64_t stamp);

/** A point in an arena to which a failed load returns. */
typedef struct lade_arena_mark {
    void *block;
    size_t used;
} lade_arena_mark;
lade_arena_mark lade_arena_save(const lade_arena *arena);
void lade_arena_restore(lade_arena *arena, lade_arena_mark mark);

#endif
