/* lade/backend.h: encodings and decodings for transports. */
#include <string.h>

#include "decode.h"
#include "encode.h"

struct lade_encoding {
    lade_job job;
    enc *e;
    lade_manifest manifest;
};

struct lade_decoding {
    lade_job job;
    dec *d;
    lade_target target;
    void *value;
    size_t extents[LADE_MAX_RANK];
    bool checked;
};

lade_status lade_root_check(lade_job *job, const lade_root *root)
{
    size_t count = 1;
    if (!root->type)
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "the type must not be NULL");
    if (root->rank > LADE_MAX_RANK || (root->rank && !root->extents))
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                             LADE_MAX_RANK);
    if (root->rank && (!lade_extents_product(root->rank, root->extents, &count) ||
                       !lade_mul(count, root->type->size, &(size_t){0})))
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "the extents are larger than memory");
    if (!root->value && count > 0)
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "the value must not be NULL");
    return LADE_OK;
}

lade_status lade_encode_job(lade_job *job, enc *e, const lade_root *root)
{
    lade_status status = lade_root_check(job, root);
    if (status == LADE_OK)
        status = lade_plan_get(job, root->type, root->rank > 0, &e->plan);
    return status == LADE_OK ? lade_enc_run(e, root) : status;
}

void lade_handles_free(const lade_allocator *allocator, lade_cache *cache)
{
    lade_mem_free(allocator, cache->encoding, sizeof *cache->encoding);
    lade_mem_free(allocator, cache->decoding, sizeof *cache->decoding);
}

/* The context keeps one of each, so that a loop allocates nothing. Without a context, or while that
 * one is in use, it is new memory. */
static lade_encoding *encoding_make(lade_context *ctx)
{
    lade_encoding *kept = ctx && ctx->cache ? ctx->cache->encoding : NULL;
    if (kept)
        ctx->cache->encoding = NULL;
    return kept ? kept : lade_context_resize(ctx, NULL, 0, sizeof *kept);
}

static lade_decoding *decoding_make(lade_context *ctx)
{
    lade_decoding *kept = ctx && ctx->cache ? ctx->cache->decoding : NULL;
    if (kept)
        ctx->cache->decoding = NULL;
    return kept ? kept : lade_context_resize(ctx, NULL, 0, sizeof *kept);
}

static void encoding_free(lade_encoding *encoding, lade_status status)
{
    lade_context *ctx = encoding->job.ctx;
    const lade_allocator *a = ctx->allocator;
    bool keep = ctx != &encoding->job.own && ctx->cache && !ctx->cache->encoding;
    lade_enc_release(encoding->e);
    lade_job_end(&encoding->job, status);
    if (keep)
        ctx->cache->encoding = encoding;
    else
        lade_mem_free(a, encoding, sizeof *encoding);
}

lade_status lade_encoding_begin(const lade_root *root, lade_sink_fn *sink, void *user, size_t head,
                                lade_encoding **out, lade_context *ctx)
{
    lade_encoding *encoding = encoding_make(ctx);
    if (!encoding)
        return lade_context_fail(ctx, LADE_ERR_MEMORY, 0, "out of memory");
    encoding->e = NULL;
    lade_job *job = &encoding->job;
    lade_status status = lade_job_begin(job, ctx);
    if (status == LADE_OK && (!root || !out))
        status = lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "root and out must not be NULL");
    if (status == LADE_OK && !(encoding->e = lade_enc_acquire(job)))
        status = LADE_ERR_MEMORY;
    enc *e = encoding->e;
    if (status == LADE_OK && sink) {
        e->mode = ENC_STREAM;
        e->sink = sink;
        e->user = user;
        e->begin = NULL;
    } else if (status == LADE_OK) {
        e->own.size = head;
        if (!lade_mem_grow(e->allocator, &e->own.data, &e->own.capacity, head + 1, 1))
            status = lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    }
    if (status == LADE_OK)
        status = lade_encode_job(job, e, root);
    if (status != LADE_OK) {
        encoding_free(encoding, status);
        return status;
    }
    encoding->manifest = (lade_manifest){.skeleton = sink ? NULL : e->own.data + head,
                                         .skeleton_size = e->passed,
                                         .content = e->content,
                                         .content_count = e->content_count,
                                         .content_size = e->content_size,
                                         .fingerprint = e->plan->fingerprint,
                                         .array = e->plan->array};
    *out = encoding;
    return LADE_OK;
}

const lade_manifest *lade_encoding_manifest(const lade_encoding *encoding)
{
    return &encoding->manifest;
}

void lade_encoding_end(lade_encoding *encoding)
{
    if (encoding)
        encoding_free(encoding, LADE_OK);
}

static lade_status target_check(lade_job *job, const lade_target *target)
{
    if (!target->type)
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "the type must not be NULL");
    if (target->rank > LADE_MAX_RANK || (target->rank && !target->extents))
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                             LADE_MAX_RANK);
    if (!target->into && !target->owner && !job->ctx->own_memory)
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "the owner must not be NULL");
    return LADE_OK;
}

lade_status lade_target_fingerprint(const lade_target *target, lade_fingerprint *out,
                                    lade_context *ctx)
{
    lade_job job;
    const lade_plan *plan;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK)
        status = target_check(&job, target);
    if (status == LADE_OK)
        status = lade_plan_get(&job, target->type, target->rank > 0, &plan);
    if (status == LADE_OK)
        *out = plan->fingerprint;
    return lade_job_end(&job, status);
}

static lade_status decoding_free(lade_decoding *decoding, lade_status status)
{
    lade_context *ctx = decoding->job.ctx;
    const lade_allocator *a = ctx->allocator;
    bool keep = ctx != &decoding->job.own && ctx->cache && !ctx->cache->decoding;
    lade_dec_release(decoding->d);
    lade_job_end(&decoding->job, status);
    if (keep)
        ctx->cache->decoding = decoding;
    else
        lade_mem_free(a, decoding, sizeof *decoding);
    return status;
}

lade_status lade_decoding_begin(const lade_target *target, const lade_input *input,
                                lade_decoding **out, lade_context *ctx)
{
    lade_decoding *decoding = decoding_make(ctx);
    if (!decoding)
        return lade_context_fail(ctx, LADE_ERR_MEMORY, 0, "out of memory");
    decoding->d = NULL;
    decoding->checked = false;
    lade_job *job = &decoding->job;
    lade_status status = lade_job_begin(job, ctx);
    if (status == LADE_OK && (!target || !input || !out))
        status = lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "target, input and out must not be NULL");
    if (status == LADE_OK)
        status = target_check(job, target);
    if (status == LADE_OK && !(decoding->d = lade_dec_acquire(job)))
        status = LADE_ERR_MEMORY;
    if (status == LADE_OK)
        status = lade_plan_get(job, target->type, target->rank > 0, &decoding->d->plan);
    if (status == LADE_OK) {
        decoding->target = *target;
        decoding->d->input = *input;
        status = lade_dec_run(decoding->d, target, &decoding->value, decoding->extents);
    }
    if (status != LADE_OK)
        return decoding_free(decoding, status);
    *out = decoding;
    return LADE_OK;
}

const lade_segment *lade_decoding_content(const lade_decoding *decoding, size_t *count,
                                          lade_size *consumed)
{
    if (consumed)
        *consumed = decoding->d->consumed;
    *count = decoding->d->content_count;
    return decoding->d->content;
}

lade_status lade_decoding_check(lade_decoding *decoding)
{
    if (decoding->checked)
        return LADE_OK;
    lade_status status = lade_dec_finish(decoding->d);
    decoding->checked = status == LADE_OK;
    return lade_job_report(&decoding->job, status);
}

lade_status lade_decoding_finish(lade_decoding *decoding, void *out)
{
    dec *d = decoding->d;
    lade_target *target = &decoding->target;
    lade_status status = lade_decoding_check(decoding);
    if (status == LADE_OK && !target->into) {
        if (out)
            memcpy(out, &decoding->value, sizeof decoding->value);
        if (target->rank)
            memcpy(target->extents, decoding->extents, d->rank * sizeof *target->extents);
        if (target->rank && target->found)
            *target->found = d->rank;
        lade_store_publish(&d->store, target->owner);
    }
    if (status == LADE_OK)
        d->after_done = 0; /* maps keep what they have */
    return decoding_free(decoding, status);
}

void lade_decoding_abort(lade_decoding *decoding)
{
    if (decoding)
        decoding_free(decoding, LADE_OK);
}
