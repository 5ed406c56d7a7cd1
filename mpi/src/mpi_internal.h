/**
 * \file
 * Shared by the sources of the MPI archive: the handle, errors, agreement, and the chunking layer.
 */
#ifndef LADE_MPI_INTERNAL_H
#define LADE_MPI_INTERNAL_H

#include <lade/backend.h>
#include <lade/mpi.h>

enum {
    PROTOCOL_VERSION = 1,
    ENVELOPE_HEAD = 64,
    ENVELOPE_INLINE = 4096,   /* point-to-point: payload that travels with its envelope */
    BCAST_INLINE = 448,       /* broadcast: the same; every rank receives this much */
    CHUNK_DEFAULT = 16 << 20, /* bytes of a message that a receiver must be able to drop */
    CHUNK_MIN = 64,
    BLOCKS_MAX = 8192,      /* of one derived type; a chunk of content never has as many */
    CONTENT_CHUNK = 1 << 30 /* bytes of a message that all have agreed to take: fits an int */
};

struct lade_mpi {
    struct lade_mpi *next; /* in the list of this process, see mpi_registry.c */
    bool registered;
    MPI_Comm parent; /* whose attribute this is, or MPI_COMM_NULL */
    MPI_Comm envelopes, bodies;
    int rank, size;
    size_t chunk, content_chunk;
    bool agree;
    uint32_t sequence; /* of the next body sent */
    int tag_max;
    const lade_allocator *allocator;
    int *lengths;      /* of the blocks of a derived type, BLOCKS_MAX */
    MPI_Aint *places;  /* the same */
    uint8_t *drain;    /* chunk bytes, reserved: takes what is dropped */
    uint8_t *envelope; /* ENVELOPE_HEAD + ENVELOPE_INLINE bytes */
    uint8_t *skeleton; /* received */
    size_t skeleton_capacity;
};

/** What an envelope says. */
typedef struct lade_envelope {
    lade_status status; /* of a root that failed; else LADE_OK */
    bool array;
    lade_fingerprint fingerprint;
    lade_size skeleton_size, content_size;
    lade_size chunk;
    uint32_t sequence;
} lade_envelope;

void lade_envelope_put(const lade_envelope *envelope, uint8_t *bytes);
/** \returns LADE_OK, LADE_ERR_FORMAT or LADE_ERR_VERSION, reported to the context. */
lade_status lade_envelope_get(lade_envelope *envelope, const uint8_t *bytes, size_t size,
                              lade_context *ctx);
/** Compares the envelope with what the receiver expects. */
lade_status lade_envelope_check(const lade_envelope *envelope, const lade_target *target,
                                lade_context *ctx);

/** What travels with an envelope that has room for so many bytes: everything, the skeleton, or
 * nothing. Both sides compute it. */
bool lade_skeleton_inline(const lade_envelope *envelope, size_t room);
bool lade_content_inline(const lade_envelope *envelope, size_t room);
/** Writes what travels with the envelope. \returns its end. */
uint8_t *lade_inline_put(const lade_envelope *envelope, size_t room, const lade_manifest *manifest,
                         uint8_t *to);
/** Compares the amount of content with what the value takes, and takes what came inline, from `from`.
 * \returns LADE_OK or LADE_ERR_FORMAT, reported to the context. */
lade_status lade_inline_get(const lade_envelope *envelope, size_t room, lade_decoding *decoding,
                            const uint8_t *from, lade_context *ctx);

/** Turns the code of an MPI call into a status, reported to the context. */
lade_status lade_mpi_check(lade_context *ctx, int code, const char *what);

/**
 * Collective: returns LADE_OK if no rank failed, else the status of the lowest failing rank, whose
 * report *err becomes everywhere. LADE_ERR_MPI is reported to ctx.
 */
lade_status lade_mpi_agree(MPI_Comm comm, bool failed, lade_error *err, lade_context *ctx);

/** Runs over segments as over one stream of bytes, in messages of `chunk` bytes. */
typedef struct lade_stream {
    const lade_segment *segments;
    size_t count, index; /* of the segment */
    size_t offset;       /* in the segment */
    lade_size left;      /* bytes */
    size_t chunk;
    lade_mpi *mpi; /* has room for the blocks of a type */
    bool one_type; /* every message is one element of a derived type, also a contiguous one */
} lade_stream;

/** One message of a stream: contiguous bytes, or a type over MPI_BOTTOM that must be freed. */
typedef struct lade_piece {
    void *address;
    int count;
    MPI_Datatype type;
    bool derived;
} lade_piece;

lade_stream lade_stream_begin(lade_mpi *mpi, const lade_segment *segments, size_t count,
                              lade_size size, size_t chunk);
/** A message of `size` contiguous bytes as one element of a derived type. */
lade_status lade_piece_whole(lade_piece *piece, void *address, size_t size, lade_context *ctx);
/** Makes the next message. False at the end, or (status set) on failure. */
bool lade_stream_next(lade_stream *stream, lade_piece *piece, lade_status *status,
                      lade_context *ctx);
void lade_piece_free(lade_piece *piece);

/** Makes the received skeleton's buffer large enough; false if out of memory or over the limit. */
lade_status lade_mpi_reserve(lade_mpi *mpi, lade_size size, lade_context *ctx);

/** True once Lade may use MPI. */
lade_status lade_mpi_ready(lade_context *ctx);

/* mpi_registry.c: what this process holds, freed when MPI is finalized */
lade_status lade_registry_add(lade_mpi *mpi, lade_context *ctx);
void lade_registry_remove(lade_mpi *mpi);
/** Finds the handle cached on a communicator; *mpi is NULL if there is none. */
lade_status lade_registry_find(MPI_Comm comm, lade_mpi **mpi, lade_context *ctx);
lade_status lade_registry_attach(MPI_Comm comm, lade_mpi *mpi, lade_context *ctx);
/** The cached datatype of a type, or MPI_DATATYPE_NULL. A descriptor is known by its address (its
 * layout) and its fingerprint (what stood at that address before may have been unloaded). */
lade_status lade_registry_datatype(const lade_type *type, MPI_Datatype *out, lade_context *ctx);
lade_status lade_registry_add_datatype(const lade_type *type, MPI_Datatype datatype,
                                       lade_context *ctx);
void lade_mpi_free(lade_mpi *mpi);

#endif
