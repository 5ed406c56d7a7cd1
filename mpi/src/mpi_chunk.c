/* The chunking layer: segments as a stream of bytes, cut into messages whose size fits an int. */
#include <stdlib.h>
#include <string.h>

#include <lade/surrogate.h>

#include "mpi_internal.h"

/* A segment has at least LADE_CONTENT_MIN bytes, so that a chunk of content has fewer blocks than
 * BLOCKS_MAX: what a receiver drops chunk by chunk was cut in the same way. */
_Static_assert(CHUNK_DEFAULT / LADE_CONTENT_MIN + 2 <= BLOCKS_MAX, "a chunk fits one type");

lade_stream lade_stream_begin(lade_mpi *mpi, const lade_segment *segments, size_t count,
                              lade_size size, size_t chunk)
{
    return (lade_stream){segments, count, 0, 0, size, chunk, mpi, false};
}

/* Steps over one contiguous run of at most `most` bytes. */
static lade_segment step(lade_stream *s, size_t most)
{
    const lade_segment *at = &s->segments[s->index];
    size_t size = at->size - s->offset;
    if (size > most)
        size = most;
    lade_segment run = {(unsigned char *)at->data + s->offset, size};
    s->offset += size;
    s->left -= size;
    if (s->offset == at->size) {
        s->index++;
        s->offset = 0;
    }
    return run;
}

static lade_status derive(lade_piece *piece, const int *lengths, const MPI_Aint *places, int count,
                          lade_context *ctx)
{
    lade_status status = lade_mpi_check(
        ctx, MPI_Type_create_hindexed(count, lengths, places, MPI_BYTE, &piece->type),
        "MPI_Type_create_hindexed");
    if (status != LADE_OK)
        return status;
    piece->derived = true;
    piece->address = MPI_BOTTOM;
    piece->count = 1;
    status = lade_mpi_check(ctx, MPI_Type_commit(&piece->type), "MPI_Type_commit");
    if (status != LADE_OK)
        lade_piece_free(piece);
    return status;
}

lade_status lade_piece_whole(lade_piece *piece, void *address, size_t size, lade_context *ctx)
{
    int length = (int)size;
    MPI_Aint place;
    *piece = (lade_piece){0};
    MPI_Get_address(address, &place);
    return derive(piece, &length, &place, 1, ctx);
}

bool lade_stream_next(lade_stream *s, lade_piece *piece, lade_status *status, lade_context *ctx)
{
    int *lengths = s->mpi->lengths;
    MPI_Aint *places = s->mpi->places;
    int count = 0;
    size_t room = s->chunk;
    *status = LADE_OK;
    if (s->left == 0)
        return false;
    lade_segment first = {0};
    while (room > 0 && s->left > 0 && count < BLOCKS_MAX) {
        lade_segment run = step(s, room);
        if (count == 0)
            first = run;
        lengths[count] = (int)run.size;
        MPI_Get_address(run.data, &places[count++]);
        room -= run.size;
    }
    *piece = (lade_piece){first.data, (int)first.size, MPI_BYTE, false};
    if (count > 1 || s->one_type)
        *status = derive(piece, lengths, places, count, ctx);
    return *status == LADE_OK;
}

void lade_piece_free(lade_piece *piece)
{
    if (piece->derived)
        MPI_Type_free(&piece->type);
    piece->derived = false;
}
