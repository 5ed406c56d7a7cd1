/* Loading an entry whose type is another than the program's. */
#include <string.h>

#include "convert.h"
#include "entry.h"

static lade_status make(lade_job *job, lade_file *f, const lade_entry_head *head,
                        lade_conversion *c)
{
    lade_status status = lade_file_schema_load(job, f, head, f->ctx, &c->from);
    if (status == LADE_OK)
        status = lade_schema_make(job, f->ctx, &c->to);
    if (status == LADE_OK)
        status = lade_convert_adapt(job, c);
    if (status == LADE_OK)
        status = lade_runtime_twin(job, c->to, c->own.types[0], c->array);
    return status == LADE_OK ? lade_convert_compile(job, c) : status;
}

lade_status lade_conversion_get(lade_job *job, lade_file *f, const lade_entry_head *head,
                                const lade_target *target, lade_conversion **out)
{
    for (lade_conversion *c = f->conversions; c; c = c->next)
        if (c->stored.low == head->fingerprint.low && c->stored.high == head->fingerprint.high &&
            c->type == target->type && c->stamp == target->type->stamp &&
            c->array == (target->rank > 0) && c->newer == f->ctx->read_newer) {
            *out = c;
            return LADE_OK;
        }
    lade_conversion *c = lade_mem_get(f->ctx->allocator, sizeof *c);
    if (!c)
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    *c = (lade_conversion){.allocator = f->ctx->allocator,
                           .stored = head->fingerprint,
                           .type = target->type,
                           .stamp = target->type->stamp,
                           .array = target->rank > 0,
                           .newer = f->ctx->read_newer};
    lade_status status = make(job, f, head, c);
    if (status != LADE_OK) {
        lade_conversion_free(job, c);
        return status;
    }
    c->next = f->conversions;
    f->conversions = c;
    *out = c;
    return LADE_OK;
}

void lade_conversions_forget(lade_file *f, const lade_type *type)
{
    lade_job job = {.ctx = f->ctx};
    lade_conversion **link = &f->conversions;
    while (*link) {
        lade_conversion *c = *link;
        if (c->type != type) {
            link = &c->next;
            continue;
        }
        *link = c->next;
        lade_conversion_free(&job, c);
    }
}

void lade_conversions_free(lade_file *f)
{
    lade_job job = {.ctx = f->ctx};
    for (lade_conversion *c = f->conversions, *next; c; c = next) {
        next = c->next;
        lade_conversion_free(&job, c);
    }
    f->conversions = NULL;
}

/* From one type to another with the same schema: through the bytes, in memory. */
static lade_status recode(const lade_value *from, const lade_target *target, void *out,
                          lade_context *ctx)
{
    lade_root root = {from->type, from->data, from->rank, from->extents};
    lade_encoding *encoding;
    lade_decoding *decoding;
    size_t count;
    lade_status status = lade_encoding_begin(&root, NULL, NULL, 0, &encoding, ctx);
    if (status != LADE_OK)
        return status;
    const lade_manifest *m = lade_encoding_manifest(encoding);
    lade_input input = {
        .bytes = m->skeleton, .size = (size_t)m->skeleton_size, .after = m->content_size};
    status = lade_decoding_begin(target, &input, &decoding, ctx);
    if (status == LADE_OK) {
        const lade_segment *content = lade_decoding_content(decoding, &count, NULL);
        for (size_t i = 0; i < count && i < m->content_count; i++)
            memcpy(content[i].data, m->content[i].data, content[i].size);
        status = lade_decoding_finish(decoding, out);
    }
    lade_encoding_end(encoding);
    return status;
}

lade_status lade_converted(lade_job *job, lade_conversion *c, const lade_value *stored,
                           const lade_target *target, void *out, lade_arena *arena)
{
    lade_value wanted;
    lade_target own = *target;
    own.type = c->own.types[0];
    lade_status status = lade_convert_run(job, c, stored, &wanted, arena);
    return status == LADE_OK ? recode(&wanted, &own, out, job->ctx) : status;
}
