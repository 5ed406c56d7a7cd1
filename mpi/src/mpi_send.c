/*
 * Point-to-point. An envelope goes under the program's tag on the first duplicate; what does not
 * fit into it follows on the second, under a sequence number: first the skeleton, then the content,
 * both cut into chunks. A receiver that refuses a message takes the chunks into its reserved
 * memory.
 */
#include <string.h>

#include <lade/surrogate.h>

#include "mpi_internal.h"

static size_t inline_size(const lade_envelope *e)
{
    return (size_t)((lade_skeleton_inline(e, ENVELOPE_INLINE) ? e->skeleton_size : 0) +
                    (lade_content_inline(e, ENVELOPE_INLINE) ? e->content_size : 0));
}

static lade_status send_stream(lade_mpi *mpi, lade_stream stream, int dest, int tag,
                               lade_context *ctx)
{
    lade_piece piece;
    lade_status status;
    while (lade_stream_next(&stream, &piece, &status, ctx)) {
        status = lade_mpi_check(
            ctx, MPI_Send(piece.address, piece.count, piece.type, dest, tag, mpi->bodies),
            "MPI_Send");
        lade_piece_free(&piece);
        if (status != LADE_OK)
            return status;
    }
    return status;
}

static lade_status recv_stream(lade_mpi *mpi, lade_stream stream, int source, int tag,
                               lade_context *ctx)
{
    lade_piece piece;
    lade_status status;
    while (lade_stream_next(&stream, &piece, &status, ctx)) {
        status = lade_mpi_check(ctx,
                                MPI_Recv(piece.address, piece.count, piece.type, source, tag,
                                         mpi->bodies, MPI_STATUS_IGNORE),
                                "MPI_Recv");
        lade_piece_free(&piece);
        if (status != LADE_OK)
            return status;
    }
    return status;
}

static int sequence_tag(const lade_mpi *mpi, uint32_t sequence)
{
    return (int)(sequence % ((uint32_t)mpi->tag_max + 1U));
}

static lade_status send_manifest(lade_mpi *mpi, const lade_manifest *m, int dest, int tag,
                                 lade_context *ctx)
{
    lade_envelope e = {.array = m->array,
                       .fingerprint = m->fingerprint,
                       .skeleton_size = m->skeleton_size,
                       .content_size = m->content_size,
                       .chunk = mpi->chunk,
                       .sequence = mpi->sequence++};
    uint8_t bytes[ENVELOPE_HEAD + ENVELOPE_INLINE];
    lade_envelope_put(&e, bytes);
    uint8_t *to = lade_inline_put(&e, ENVELOPE_INLINE, m, bytes + ENVELOPE_HEAD);
    int body = sequence_tag(mpi, e.sequence);
    lade_status status = lade_mpi_check(
        ctx, MPI_Send(bytes, (int)(to - bytes), MPI_BYTE, dest, tag, mpi->envelopes), "MPI_Send");
    lade_segment skeleton = {lade_priv_unconst(m->skeleton), (size_t)m->skeleton_size};
    if (status == LADE_OK && !lade_skeleton_inline(&e, ENVELOPE_INLINE))
        status =
            send_stream(mpi, lade_stream_begin(mpi, &skeleton, 1, m->skeleton_size, mpi->chunk),
                        dest, body, ctx);
    if (status == LADE_OK && !lade_content_inline(&e, ENVELOPE_INLINE))
        status = send_stream(
            mpi, lade_stream_begin(mpi, m->content, m->content_count, m->content_size, mpi->chunk),
            dest, body, ctx);
    return status;
}

lade_status lade_mpi_send_as(lade_mpi *mpi, const lade_type *type, const void *value, int dest,
                             int tag, lade_context *ctx)
{
    lade_root root = {.type = type, .value = value};
    lade_encoding *encoding;
    if (!mpi || dest < 0 || dest >= mpi->size || tag < 0 || tag > mpi->tag_max)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0,
                                 "the handle must not be NULL, dest a rank and tag 0 to %d",
                                 mpi ? mpi->tag_max : 0);
    lade_status status = lade_encoding_begin(&root, NULL, NULL, 0, &encoding, ctx);
    if (status != LADE_OK)
        return status;
    status = send_manifest(mpi, lade_encoding_manifest(encoding), dest, tag, ctx);
    lade_encoding_end(encoding);
    return status;
}

/* Takes bytes of a body that nobody wants. */
static lade_status drain(lade_mpi *mpi, lade_size size, lade_size chunk, int source, int tag,
                         lade_context *ctx)
{
    while (size > 0) {
        int part = (int)(size < chunk ? size : chunk);
        lade_status status = lade_mpi_check(
            ctx, MPI_Recv(mpi->drain, part, MPI_BYTE, source, tag, mpi->bodies, MPI_STATUS_IGNORE),
            "MPI_Recv");
        if (status != LADE_OK)
            return status;
        size -= (lade_size)part;
    }
    return LADE_OK;
}

typedef struct receiving {
    lade_mpi *mpi;
    const lade_target *target;
    lade_envelope e;
    size_t size; /* bytes of the envelope's message */
    int source, tag;
    lade_size owed_skeleton, owed_content; /* bytes of the body not yet received */
    lade_decoding *decoding;
} receiving;

static lade_status recv_envelope(receiving *r, int source, int tag, lade_mpi_source *from,
                                 lade_context *ctx)
{
    MPI_Status info;
    int count = 0;
    lade_mpi *mpi = r->mpi;
    lade_status status = lade_mpi_check(ctx,
                                        MPI_Recv(mpi->envelope, ENVELOPE_HEAD + ENVELOPE_INLINE,
                                                 MPI_BYTE, source, tag, mpi->envelopes, &info),
                                        "MPI_Recv");
    if (status != LADE_OK)
        return status;
    MPI_Get_count(&info, MPI_BYTE, &count);
    if (from)
        *from = (lade_mpi_source){info.MPI_SOURCE, info.MPI_TAG};
    r->size = (size_t)count;
    r->source = info.MPI_SOURCE;
    status = lade_envelope_get(&r->e, mpi->envelope, r->size, ctx);
    if (status != LADE_OK)
        return status;
    if (r->e.chunk != mpi->chunk || r->size != ENVELOPE_HEAD + inline_size(&r->e))
        return lade_context_fail(ctx, LADE_ERR_FORMAT, 0,
                                 "the envelope is not valid (chunk_bytes must agree on all ranks)");
    r->tag = sequence_tag(mpi, r->e.sequence);
    r->owed_skeleton = lade_skeleton_inline(&r->e, ENVELOPE_INLINE) ? 0 : r->e.skeleton_size;
    r->owed_content = lade_content_inline(&r->e, ENVELOPE_INLINE) ? 0 : r->e.content_size;
    return LADE_OK;
}

static lade_status recv_skeleton(receiving *r, const uint8_t **skeleton, lade_context *ctx)
{
    lade_mpi *mpi = r->mpi;
    if (r->owed_skeleton == 0) {
        *skeleton = mpi->envelope + ENVELOPE_HEAD;
        return LADE_OK;
    }
    lade_status status = lade_mpi_reserve(mpi, r->e.skeleton_size, ctx);
    if (status != LADE_OK)
        return status;
    lade_segment whole = {mpi->skeleton, (size_t)r->e.skeleton_size};
    status = recv_stream(mpi, lade_stream_begin(mpi, &whole, 1, r->e.skeleton_size, mpi->chunk),
                         r->source, r->tag, ctx);
    r->owed_skeleton = 0;
    *skeleton = mpi->skeleton;
    return status;
}

static lade_status recv_value(receiving *r, lade_context *ctx)
{
    const uint8_t *skeleton = NULL;
    lade_status status = lade_envelope_check(&r->e, r->target, ctx);
    if (status == LADE_OK)
        status = recv_skeleton(r, &skeleton, ctx);
    if (status != LADE_OK)
        return status;
    lade_input input = {
        .bytes = skeleton, .size = (size_t)r->e.skeleton_size, .after = r->e.content_size};
    status = lade_decoding_begin(r->target, &input, &r->decoding, ctx);
    if (status != LADE_OK)
        return status;
    status =
        lade_inline_get(&r->e, ENVELOPE_INLINE, r->decoding, skeleton + r->e.skeleton_size, ctx);
    if (status != LADE_OK)
        return status;
    size_t count;
    const lade_segment *content = lade_decoding_content(r->decoding, &count, NULL);
    if (r->owed_content)
        status = recv_stream(
            r->mpi, lade_stream_begin(r->mpi, content, count, r->owed_content, r->mpi->chunk),
            r->source, r->tag, ctx);
    r->owed_content = 0;
    return status;
}

static lade_status receive(lade_mpi *mpi, const lade_target *target, void *out, int source, int tag,
                           lade_mpi_source *from, lade_context *ctx)
{
    receiving r = {.mpi = mpi, .target = target};
    if (source != MPI_ANY_SOURCE && (source < 0 || source >= mpi->size))
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "source %d is no rank", source);
    if (tag != MPI_ANY_TAG && (tag < 0 || tag > mpi->tag_max))
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "a tag is 0 to %d", mpi->tag_max);
    lade_status status = recv_envelope(&r, source, tag, from, ctx);
    if (status != LADE_OK)
        return status;
    status = recv_value(&r, ctx);
    if (status == LADE_OK)
        return lade_decoding_finish(r.decoding, out);
    lade_decoding_abort(r.decoding);
    if (status == LADE_ERR_MPI)
        return status;
    lade_status drained = drain(mpi, r.owed_skeleton, mpi->chunk, r.source, r.tag, NULL);
    if (drained == LADE_OK)
        drain(mpi, r.owed_content, mpi->chunk, r.source, r.tag, NULL);
    return status;
}

lade_status lade_mpi_recv_as(lade_mpi *mpi, const lade_type *type, void *out, int source, int tag,
                             lade_arena **owner, lade_mpi_source *from, lade_context *ctx)
{
    lade_target target = {.type = type, .owner = owner};
    if (!mpi || !type || !out || !(owner || (ctx && ctx->own_memory)))
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0,
                                 "the handle, the type, out and owner must not be NULL");
    return receive(mpi, &target, out, source, tag, from, ctx);
}

lade_status lade_mpi_recv_into_as(lade_mpi *mpi, const lade_type *type, void *value, int source,
                                  int tag, lade_mpi_source *from, lade_context *ctx)
{
    lade_target target = {.type = type, .into = value};
    if (!mpi || !type || !value)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0,
                                 "the handle, the type and the value must not be NULL");
    return receive(mpi, &target, NULL, source, tag, from, ctx);
}
