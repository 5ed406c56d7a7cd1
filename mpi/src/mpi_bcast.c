/*
 * Broadcast: an envelope of fixed size (with small payloads in it), the skeleton in chunks, then
 * the content in place. A rank that fails goes on taking part, into its reserved memory, until all
 * have agreed: once when everything is allocated, before content is written, and once at the end.
 */
#include <limits.h>
#include <string.h>

#include <lade/surrogate.h>

#include "mpi_internal.h"

typedef struct casting {
    lade_mpi *mpi;
    int root;
    const lade_target *target; /* NULL on root */
    lade_envelope e;
    uint8_t head[ENVELOPE_HEAD + BCAST_INLINE];
    lade_encoding *encoding; /* on root */
    lade_decoding *decoding; /* elsewhere */
    lade_status status;      /* of this rank */
    bool inherited;          /* it is the root's */
    bool root_failed;        /* nothing follows its envelope */
    lade_context ctx;        /* the caller's options, with an error report of its own */
    lade_error err;
    lade_arena *none; /* owner of a rank whose arguments are not valid */
} casting;

static bool is_root(const casting *c)
{
    return c->mpi->rank == c->root;
}

/* Failures of MPI itself end the protocol: nothing can be agreed on then. */
static bool bcast(casting *c, void *address, int count, MPI_Datatype type)
{
    lade_status status = lade_mpi_check(
        &c->ctx, MPI_Bcast(address, count, type, c->root, c->mpi->bodies), "MPI_Bcast");
    if (status != LADE_OK)
        c->status = status;
    return status == LADE_OK;
}

/* Everyone learns the lowest failing rank, and its report. A rank that only knows that the root
 * failed has not failed itself. */
static bool agree(casting *c)
{
    if (!c->mpi->agree)
        return true;
    lade_status status =
        lade_mpi_agree(c->mpi->bodies, c->status != LADE_OK && !c->inherited, &c->err, &c->ctx);
    if (status != LADE_OK)
        c->status = status;
    return status != LADE_ERR_MPI;
}

static void root_begin(casting *c, const lade_root *root)
{
    c->status = lade_encoding_begin(root, NULL, NULL, 0, &c->encoding, &c->ctx);
    c->e.status = c->status;
    if (c->status == LADE_OK) {
        const lade_manifest *m = lade_encoding_manifest(c->encoding);
        c->e.array = m->array;
        c->e.fingerprint = m->fingerprint;
        c->e.skeleton_size = m->skeleton_size;
        c->e.content_size = m->content_size;
        lade_inline_put(&c->e, BCAST_INLINE, m, c->head + ENVELOPE_HEAD);
    } else {
        c->root_failed = true;
        c->err.rank = c->root;
        size_t n = strlen(c->err.message) + 1;
        memcpy(c->head + ENVELOPE_HEAD, c->err.message, n < BCAST_INLINE ? n : BCAST_INLINE - 1);
    }
    lade_envelope_put(&c->e, c->head);
}

static void fail(casting *c, lade_status status)
{
    if (c->status == LADE_OK)
        c->status = status;
}

/* A rank that has failed already must still know what follows, and keeps its own report. */
static void envelope_taken(casting *c)
{
    lade_context quiet = {0};
    bool fine = c->status == LADE_OK;
    lade_context *ctx = fine ? &c->ctx : &quiet;
    lade_status status = lade_envelope_get(&c->e, c->head, sizeof c->head, ctx);
    c->root_failed = status != LADE_OK || c->e.status != LADE_OK;
    if (status == LADE_OK && c->root_failed) {
        c->head[sizeof c->head - 1] = 0;
        status = lade_context_fail(ctx, c->e.status, 0, "%s", (char *)c->head + ENVELOPE_HEAD);
        c->inherited = fine;
        if (fine)
            c->err.rank = c->root;
    } else if (status == LADE_OK && fine) {
        status = lade_envelope_check(&c->e, c->target, ctx);
    }
    if (fine)
        c->status = status;
}

/* The skeleton, in chunks that fit the reserved memory of a rank without room. False if MPI failed.
 */
static bool skeleton_cast(casting *c)
{
    if (lade_skeleton_inline(&c->e, BCAST_INLINE))
        return true;
    const uint8_t *from = is_root(c) ? lade_encoding_manifest(c->encoding)->skeleton : NULL;
    if (!is_root(c) && c->status == LADE_OK)
        fail(c, lade_mpi_reserve(c->mpi, c->e.skeleton_size, &c->ctx));
    for (lade_size at = 0; at < c->e.skeleton_size; at += c->mpi->chunk) {
        lade_size left = c->e.skeleton_size - at;
        int part = (int)(left < c->mpi->chunk ? left : c->mpi->chunk);
        void *to = c->mpi->drain;
        if (from)
            to = lade_priv_unconst(from + at);
        else if (c->status == LADE_OK)
            to = c->mpi->skeleton + at;
        if (!bcast(c, to, part, MPI_BYTE))
            return false;
    }
    return true;
}

static void decode(casting *c)
{
    if (c->status != LADE_OK || is_root(c))
        return;
    const uint8_t *skeleton =
        lade_skeleton_inline(&c->e, BCAST_INLINE) ? c->head + ENVELOPE_HEAD : c->mpi->skeleton;
    lade_input input = {
        .bytes = skeleton, .size = (size_t)c->e.skeleton_size, .after = c->e.content_size};
    c->status = lade_decoding_begin(c->target, &input, &c->decoding, &c->ctx);
    if (c->status != LADE_OK)
        return;
    c->status =
        lade_inline_get(&c->e, BCAST_INLINE, c->decoding, skeleton + c->e.skeleton_size, &c->ctx);
}

/* Takes a message of content into the reserved memory. Some algorithms of MPI_Bcast cut by the count, so
 * that all ranks must pass the same: one element of a type, whatever its blocks are. */
static bool cast_away(casting *c, size_t size)
{
    lade_piece piece;
    lade_status status = lade_piece_whole(&piece, c->mpi->drain, size, &c->ctx);
    if (status != LADE_OK)
        return false;
    bool ok = bcast(c, piece.address, piece.count, piece.type);
    lade_piece_free(&piece);
    return ok;
}

/* The content from where it lives to where it will live. Without agreement a rank that failed takes
 * it into its reserved memory. False if MPI failed. */
static bool content_cast(casting *c)
{
    size_t count = 0;
    const lade_segment *content = NULL;
    size_t chunk = c->mpi->agree ? c->mpi->content_chunk : c->mpi->chunk;
    if (is_root(c)) {
        const lade_manifest *m = lade_encoding_manifest(c->encoding);
        content = m->content;
        count = m->content_count;
    } else if (c->status == LADE_OK) {
        content = lade_decoding_content(c->decoding, &count, NULL);
    }
    for (lade_size at = 0; !content && at < c->e.content_size; at += chunk) {
        lade_size left = c->e.content_size - at;
        if (!cast_away(c, (size_t)(left < chunk ? left : chunk)))
            return false;
    }
    if (!content)
        return true;
    lade_stream stream = lade_stream_begin(c->mpi, content, count, c->e.content_size, chunk);
    stream.one_type = !c->mpi->agree;
    lade_piece piece;
    lade_status status;
    while (lade_stream_next(&stream, &piece, &status, &c->ctx)) {
        bool ok = bcast(c, piece.address, piece.count, piece.type);
        lade_piece_free(&piece);
        if (!ok)
            return false;
    }
    fail(c, status);
    return status == LADE_OK;
}

static void run(casting *c, const lade_root *root)
{
    if (is_root(c))
        root_begin(c, root);
    if (!bcast(c, c->head, (int)sizeof c->head, MPI_BYTE))
        return;
    if (!is_root(c))
        envelope_taken(c);
    if (c->root_failed) {
        agree(c);
        return;
    }
    if (!skeleton_cast(c))
        return;
    decode(c);
    if (!lade_content_inline(&c->e, BCAST_INLINE)) {
        if (!agree(c) || (c->mpi->agree && c->status != LADE_OK) || !content_cast(c))
            return;
    }
    if (c->status == LADE_OK && c->decoding)
        c->status = lade_decoding_check(c->decoding);
    agree(c);
}

/* Publishes or drops; reports to the caller's context. */
static lade_status end(casting *c, void *out, lade_context *ctx)
{
    lade_encoding_end(c->encoding);
    if (c->status == LADE_OK && c->decoding)
        c->status = lade_decoding_finish(c->decoding, out);
    else
        lade_decoding_abort(c->decoding);
    if (ctx) {
        ctx->cache = c->ctx.cache;
        ctx->stats = c->ctx.stats;
        if (c->status != LADE_OK && ctx->error)
            *ctx->error = c->err;
    } else {
        lade_context_fini(&c->ctx);
    }
    return c->status;
}

static lade_status start(casting *c, lade_mpi *mpi, int root, lade_context *ctx)
{
    *c = (casting){.mpi = mpi, .root = root};
    if (!mpi)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "the handle must not be NULL");
    if (root < 0 || root >= mpi->size)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "root %d is no rank", root);
    if (ctx)
        c->ctx = *ctx;
    c->ctx.error = &c->err;
    c->e.chunk = mpi->chunk;
    return LADE_OK;
}

/* A rank whose arguments are not valid takes part all the same, so that the others learn it. */
static lade_status cast_new(lade_mpi *mpi, const lade_root *value, const lade_target *wanted,
                            void *inout, int root, lade_context *ctx)
{
    casting c;
    lade_target target = *wanted;
    lade_status status = start(&c, mpi, root, ctx);
    if (status != LADE_OK)
        return status;
    bool owned = is_root(&c) || target.owner || c.ctx.own_memory;
    if (!inout || !value->type || !owned || value->rank > LADE_MAX_RANK ||
        (value->rank && !value->extents)) {
        c.status =
            lade_context_fail(&c.ctx, LADE_ERR_ARGUMENT, 0,
                              "the type, the address of the value and (except on root) owner "
                              "must not be NULL, and an array has 1 to %d extents",
                              LADE_MAX_RANK);
        target.owner = &c.none;
    }
    c.target = &target;
    run(&c, value);
    return end(&c, inout, ctx);
}

lade_status lade_mpi_bcast_as(lade_mpi *mpi, const lade_type *type, void *inout, int root,
                              lade_arena **owner, lade_context *ctx)
{
    void *value = NULL;
    if (inout)
        memcpy(&value, inout, sizeof value);
    lade_root from = {.type = type, .value = value};
    lade_target to = {.type = type, .owner = owner};
    return cast_new(mpi, &from, &to, inout, root, ctx);
}

lade_status lade_mpi_bcast_array_as(lade_mpi *mpi, const lade_type *type, void *inout,
                                    unsigned rank, size_t *extents, int root, lade_arena **owner,
                                    lade_context *ctx)
{
    void *value = NULL;
    if (inout)
        memcpy(&value, inout, sizeof value);
    if (rank == 0)
        rank = LADE_MAX_RANK + 1; /* an array has extents: refused */
    lade_root from = {type, value, rank, extents};
    lade_target to = {.type = type, .rank = rank, .extents = extents, .owner = owner};
    return cast_new(mpi, &from, &to, inout, root, ctx);
}

lade_status lade_mpi_bcast_into_as(lade_mpi *mpi, const lade_type *type, void *value, int root,
                                   lade_context *ctx)
{
    casting c;
    lade_root from = {.type = type, .value = value};
    lade_target to = {.type = type, .into = value};
    lade_status status = start(&c, mpi, root, ctx);
    if (status != LADE_OK)
        return status;
    c.target = &to;
    run(&c, &from);
    return end(&c, NULL, ctx);
}

lade_status lade_mpi_bcast_array_into_as(lade_mpi *mpi, const lade_type *type, void *array,
                                         unsigned rank, const size_t *extents, int root,
                                         lade_context *ctx)
{
    casting c;
    size_t there[LADE_MAX_RANK] = {0};
    size_t none = 0;
    bool valid = rank > 0 && rank <= LADE_MAX_RANK && extents;
    for (unsigned i = 0; valid && i < rank; i++) {
        there[i] = extents[i];
        none += extents[i] == 0;
    }
    valid = valid && (array || none); /* an array without elements may be NULL */
    lade_root from = {type, array, valid ? rank : LADE_MAX_RANK + 1, there};
    lade_target to = {.type = type, .rank = rank, .extents = there, .into = array ? array : &none};
    lade_status status = start(&c, mpi, root, ctx);
    if (status != LADE_OK)
        return status;
    if (!valid)
        c.status = lade_context_fail(&c.ctx, LADE_ERR_ARGUMENT, 0,
                                     "an array has 1 to %d extents, and elements that are not NULL",
                                     LADE_MAX_RANK);
    c.target = &to;
    run(&c, &from);
    return end(&c, NULL, ctx);
}

lade_status lade_bcast_as(const lade_type *type, void *inout, int root, MPI_Comm comm,
                          lade_arena **owner, lade_context *ctx)
{
    lade_mpi *mpi;
    lade_status status = lade_mpi_of(comm, &mpi, ctx);
    return status == LADE_OK ? lade_mpi_bcast_as(mpi, type, inout, root, owner, ctx) : status;
}

lade_status lade_bcast_into_as(const lade_type *type, void *value, int root, MPI_Comm comm,
                               lade_context *ctx)
{
    lade_mpi *mpi;
    lade_status status = lade_mpi_of(comm, &mpi, ctx);
    return status == LADE_OK ? lade_mpi_bcast_into_as(mpi, type, value, root, ctx) : status;
}

lade_status lade_bcast_array_as(const lade_type *type, void *inout, unsigned rank, size_t *extents,
                                int root, MPI_Comm comm, lade_arena **owner, lade_context *ctx)
{
    lade_mpi *mpi;
    lade_status status = lade_mpi_of(comm, &mpi, ctx);
    return status == LADE_OK
               ? lade_mpi_bcast_array_as(mpi, type, inout, rank, extents, root, owner, ctx)
               : status;
}

lade_status lade_bcast_array_into_as(const lade_type *type, void *array, unsigned rank,
                                     const size_t *extents, int root, MPI_Comm comm,
                                     lade_context *ctx)
{
    lade_mpi *mpi;
    lade_status status = lade_mpi_of(comm, &mpi, ctx);
    return status == LADE_OK
               ? lade_mpi_bcast_array_into_as(mpi, type, array, rank, extents, root, ctx)
               : status;
}
