/* Handles: opening, closing, and the one that is cached on a communicator. */
#include <stdlib.h>
#include <string.h>

#include "mpi_internal.h"

lade_status lade_mpi_check(lade_context *ctx, int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    int class = 0;
    if (code == MPI_SUCCESS)
        return LADE_OK;
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    return lade_context_fail(ctx, LADE_ERR_MPI, class, "%s failed: %s", what, text);
}

lade_status lade_mpi_ready(lade_context *ctx)
{
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return lade_context_fail(ctx, LADE_ERR_STATE, 0, "MPI is not initialised%s",
                                 finalized ? " any more" : " yet");
    return LADE_OK;
}

/* What is wrong for all ranks alike: nothing can be agreed on over such a communicator. */
static lade_status comm_check(MPI_Comm comm, lade_context *ctx)
{
    int inter = 0;
    lade_status status = lade_mpi_ready(ctx);
    if (status != LADE_OK)
        return status;
    if (comm == MPI_COMM_NULL)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "the communicator is MPI_COMM_NULL");
    status = lade_mpi_check(ctx, MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    if (status == LADE_OK && inter)
        status = lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "intercommunicators are not served");
    return status;
}

void lade_mpi_free(lade_mpi *mpi)
{
    lade_context memory = {.allocator = mpi->allocator};
    if (mpi->envelopes != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->envelopes);
    if (mpi->bodies != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->bodies);
    if (mpi->drain)
        lade_context_resize(&memory, mpi->drain, mpi->chunk, 0);
    if (mpi->envelope)
        lade_context_resize(&memory, mpi->envelope, ENVELOPE_HEAD + ENVELOPE_INLINE, 0);
    if (mpi->lengths)
        lade_context_resize(&memory, mpi->lengths, BLOCKS_MAX * sizeof *mpi->lengths, 0);
    if (mpi->places)
        lade_context_resize(&memory, mpi->places, BLOCKS_MAX * sizeof *mpi->places, 0);
    if (mpi->skeleton)
        lade_context_resize(&memory, mpi->skeleton, mpi->skeleton_capacity, 0);
    lade_context_resize(&memory, mpi, sizeof *mpi, 0);
}

static lade_mpi *handle_make(const lade_mpi_options *options, lade_context *ctx)
{
    lade_mpi *mpi = lade_context_resize(ctx, NULL, 0, sizeof *mpi);
    if (!mpi)
        return NULL;
    *mpi = (lade_mpi){.parent = MPI_COMM_NULL,
                      .envelopes = MPI_COMM_NULL,
                      .bodies = MPI_COMM_NULL,
                      .agree = !options || !options->no_agreement,
                      .allocator = ctx ? ctx->allocator : NULL};
    bool given = options && options->chunk_bytes;
    mpi->chunk = given ? options->chunk_bytes : CHUNK_DEFAULT;
    mpi->content_chunk = given ? options->chunk_bytes : CONTENT_CHUNK;
    mpi->drain = lade_context_resize(ctx, NULL, 0, mpi->chunk);
    mpi->envelope = lade_context_resize(ctx, NULL, 0, ENVELOPE_HEAD + ENVELOPE_INLINE);
    mpi->lengths = lade_context_resize(ctx, NULL, 0, BLOCKS_MAX * sizeof *mpi->lengths);
    mpi->places = lade_context_resize(ctx, NULL, 0, BLOCKS_MAX * sizeof *mpi->places);
    if (mpi->drain && mpi->envelope && mpi->lengths && mpi->places)
        return mpi;
    lade_mpi_free(mpi);
    return NULL;
}

static lade_status handle_join(lade_mpi *mpi, MPI_Comm comm, lade_context *ctx)
{
    lade_status status = lade_mpi_check(ctx, MPI_Comm_dup(comm, &mpi->envelopes), "MPI_Comm_dup");
    if (status == LADE_OK)
        status = lade_mpi_check(ctx, MPI_Comm_dup(comm, &mpi->bodies), "MPI_Comm_dup");
    if (status != LADE_OK)
        return status;
    int *tag_max = NULL;
    int found = 0;
    MPI_Comm_rank(mpi->bodies, &mpi->rank);
    MPI_Comm_size(mpi->bodies, &mpi->size);
    MPI_Comm_get_attr(mpi->bodies, MPI_TAG_UB, &tag_max, &found);
    mpi->tag_max = found ? *tag_max : 32767; /* the least that MPI promises */
    return lade_registry_add(mpi, ctx);
}

/* What one rank alone may get wrong or lack. */
static lade_status handle_begin(const lade_mpi_options *options, lade_mpi **mpi, bool wanted,
                                lade_context *ctx)
{
    size_t chunk = options ? options->chunk_bytes : 0;
    if (!wanted)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "out must not be NULL");
    if (chunk && (chunk < CHUNK_MIN || chunk > CHUNK_DEFAULT))
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "chunk_bytes must be %d to %d",
                                 CHUNK_MIN, CHUNK_DEFAULT);
    *mpi = handle_make(options, ctx);
    return *mpi ? LADE_OK : lade_context_fail(ctx, LADE_ERR_MEMORY, 0, "out of memory");
}

/* Options must be the same everywhere: chunks of other sizes would be cut off by their receivers.
 */
static lade_status options_compare(const lade_mpi *mpi, MPI_Comm comm, lade_context *ctx)
{
    long mine[6] = {(long)mpi->chunk, -(long)mpi->chunk, mpi->agree,
                    -mpi->agree,      PROTOCOL_VERSION,  -PROTOCOL_VERSION};
    long least[6];
    lade_status status = lade_mpi_check(ctx, MPI_Allreduce(mine, least, 6, MPI_LONG, MPI_MIN, comm),
                                        "MPI_Allreduce");
    if (status == LADE_OK && (least[0] != -least[1] || least[2] != -least[3]))
        status = lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "the options differ between ranks");
    if (status == LADE_OK && least[4] != -least[5])
        status =
            lade_context_fail(ctx, LADE_ERR_VERSION, 0,
                              "the ranks speak protocol versions %ld to %ld", least[4], -least[5]);
    return status;
}

lade_status lade_mpi_open(MPI_Comm comm, const lade_mpi_options *options, lade_mpi **out,
                          lade_context *ctx)
{
    lade_error err = {.rank = -1};
    lade_context own = {.error = &err, .allocator = ctx ? ctx->allocator : NULL};
    lade_mpi *mpi = NULL;
    lade_status status = comm_check(comm, ctx);
    if (status != LADE_OK)
        return status;
    status = handle_begin(options, &mpi, out != NULL, &own);
    status = lade_mpi_agree(comm, status != LADE_OK, &err, &own);
    if (status == LADE_OK)
        status = options_compare(mpi, comm, &own);
    if (status == LADE_OK) {
        status = handle_join(mpi, comm, &own);
        if (status != LADE_ERR_MPI)
            status = lade_mpi_agree(comm, status != LADE_OK, &err, &own);
    }
    if (status == LADE_OK) {
        *out = mpi;
        return LADE_OK;
    }
    if (mpi) {
        lade_registry_remove(mpi);
        lade_mpi_free(mpi);
    }
    if (ctx && ctx->error)
        *ctx->error = err;
    return status;
}

lade_status lade_mpi_close(lade_mpi *mpi)
{
    if (!mpi)
        return LADE_OK;
    if (mpi->parent != MPI_COMM_NULL)
        return LADE_ERR_STATE; /* goes with its communicator */
    lade_registry_remove(mpi);
    lade_mpi_free(mpi);
    return LADE_OK;
}

lade_status lade_mpi_of(MPI_Comm comm, lade_mpi **out, lade_context *ctx)
{
    if (!out)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "out must not be NULL");
    lade_status status = comm_check(comm, ctx);
    lade_mpi *mpi = NULL;
    if (status == LADE_OK)
        status = lade_registry_find(comm, &mpi, ctx);
    if (status == LADE_OK && !mpi) {
        lade_context own = {.error =
                                ctx ? ctx->error : NULL}; /* it outlives the caller's context */
        status = lade_mpi_open(comm, NULL, &mpi, &own);
        if (status == LADE_OK)
            status = lade_registry_attach(comm, mpi, ctx);
    }
    if (status == LADE_OK)
        *out = mpi;
    return status;
}

lade_status lade_mpi_reserve(lade_mpi *mpi, lade_size size, lade_context *ctx)
{
    lade_context memory = {.allocator = mpi->allocator};
    lade_size limit = ctx ? ctx->limits.max_bytes : 0;
    if (limit && size > limit)
        return lade_context_fail(ctx, LADE_ERR_LIMIT, 0,
                                 "the message needs more memory than the context allows");
    if (size <= mpi->skeleton_capacity)
        return LADE_OK;
    uint8_t *wider = size > SIZE_MAX ? NULL
                                     : lade_context_resize(&memory, mpi->skeleton,
                                                           mpi->skeleton_capacity, (size_t)size);
    if (!wider)
        return lade_context_fail(ctx, LADE_ERR_MEMORY, 0, "out of memory for a message");
    mpi->skeleton = wider;
    mpi->skeleton_capacity = (size_t)size;
    return LADE_OK;
}
