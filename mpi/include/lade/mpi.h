/**
 * \file
 * The MPI archive: described values, graphs and arrays between ranks.
 *
 *     lade_bcast(hexmap, &map, 0, MPI_COMM_WORLD, &owner, NULL);
 *
 * Small things travel as one message; large arrays go from where they live to where they will live.
 * Collective verbs take a plain communicator, or a lade_mpi; point-to-point verbs need a lade_mpi,
 * since opening one duplicates the communicator, which is collective.
 *
 * Collectives return the same status on every rank: that of the lowest failing rank, named in
 * lade_error.rank. Until all ranks agree, none returns. Errors of MPI itself go through the error
 * handler of the communicator that the program passed; where that returns, LADE_ERR_MPI follows.
 *
 * Thread safety: one thread at a time for each lade_mpi; MPI must have been initialised, with
 * MPI_THREAD_MULTIPLE if several threads use MPI at once.
 */
#ifndef LADE_MPI_H
#define LADE_MPI_H

#include <mpi.h>

#include <lade/lade.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lade_mpi lade_mpi;

/** Zero means the default of each. All ranks of the communicator must pass equal ones. */
typedef struct lade_mpi_options {
    size_t chunk_bytes; /**< Most bytes of one message; default and most 16 MiB, at least 64. */
    bool
        no_agreement; /**< Collectives do not compare their status: a failing rank is then alone. */
} lade_mpi_options;

/** Who sent what was received. */
typedef struct lade_mpi_source {
    int rank;
    int tag;
} lade_mpi_source;

/**
 * Makes a handle for messages over comm. Collective over comm, which is duplicated twice.
 * \param options borrowed for the call, or NULL. \param out set on success, owned by the caller.
 * \returns LADE_OK, LADE_ERR_ARGUMENT (MPI_COMM_NULL, an intercommunicator, chunk_bytes too small),
 * LADE_ERR_STATE (MPI not initialised, or finalized), LADE_ERR_MEMORY, LADE_ERR_MPI.
 */
LADE_API LADE_NODISCARD lade_status lade_mpi_open(MPI_Comm comm, const lade_mpi_options *options,
                                                  lade_mpi **out, lade_context *ctx);

/** Frees a handle. Collective over its communicator. NULL is ignored. What is still open when MPI
 * is finalized is freed then. */
LADE_API lade_status lade_mpi_close(lade_mpi *mpi);

/**
 * Sends a value to rank dest with a tag (0 to MPI_TAG_UB). Local: returns when the value may be
 * changed; a large value waits for its receiver, as MPI_Send does.
 * \returns as lade_encode_as, LADE_ERR_MPI. If encoding fails nothing is sent.
 */
LADE_API LADE_NODISCARD lade_status lade_mpi_send_as(lade_mpi *mpi, const lade_type *type,
                                                     const void *value, int dest, int tag,
                                                     lade_context *ctx);

/**
 * Receives a value into new memory.
 * \param source a rank or MPI_ANY_SOURCE. \param tag a tag or MPI_ANY_TAG.
 * \param owner as in lade_decode_as; with lade_context.own_memory untouched, and may be NULL.
 * \param from set on success and on a refused message, or NULL.
 * \returns as lade_decode_as, LADE_ERR_MPI. A message that is refused (its type is another, no
 * memory) is received to its end and dropped: the next one can be received.
 */
LADE_API LADE_NODISCARD lade_status lade_mpi_recv_as(lade_mpi *mpi, const lade_type *type,
                                                     void *out, int source, int tag,
                                                     lade_arena **owner, lade_mpi_source *from,
                                                     lade_context *ctx);

/** Receives into an existing value of the same shape; see lade_decode_into_as. */
LADE_API LADE_NODISCARD lade_status lade_mpi_recv_into_as(lade_mpi *mpi, const lade_type *type,
                                                          void *value, int source, int tag,
                                                          lade_mpi_source *from, lade_context *ctx);

/**
 * Broadcasts the value of rank root to all ranks. Collective; type, root and the options of the
 * context must agree.
 * \param inout address of a pointer to the value: read on root, set on success on all others.
 * \param owner as in lade_decode_as; untouched on root, where it may be NULL. With
 * lade_context.own_memory, which need not agree, it is untouched on all ranks.
 */
LADE_API LADE_NODISCARD lade_status lade_mpi_bcast_as(lade_mpi *mpi, const lade_type *type,
                                                      void *inout, int root, lade_arena **owner,
                                                      lade_context *ctx);
/** Broadcasts into existing values of the same shape on the ranks other than root. */
LADE_API LADE_NODISCARD lade_status lade_mpi_bcast_into_as(lade_mpi *mpi, const lade_type *type,
                                                           void *value, int root,
                                                           lade_context *ctx);
/** Broadcasts a bare array; rank must agree, extents are read on root and set on the others. */
LADE_API LADE_NODISCARD lade_status lade_mpi_bcast_array_as(lade_mpi *mpi, const lade_type *type,
                                                            void *inout, unsigned rank,
                                                            size_t *extents, int root,
                                                            lade_arena **owner, lade_context *ctx);

/** Broadcasts a bare array into existing arrays of the same extents (else LADE_ERR_SHAPE). */
LADE_API LADE_NODISCARD lade_status lade_mpi_bcast_array_into_as(lade_mpi *mpi,
                                                                 const lade_type *type, void *array,
                                                                 unsigned rank,
                                                                 const size_t *extents, int root,
                                                                 lade_context *ctx);

/**
 * Finds the handle that Lade keeps for a plain communicator, or opens it. Collective over comm at
 * its first use. The handle belongs to comm and is freed with it.
 */
LADE_API LADE_NODISCARD lade_status lade_mpi_of(MPI_Comm comm, lade_mpi **out, lade_context *ctx);

/** The same with a plain communicator. */
LADE_API LADE_NODISCARD lade_status lade_bcast_as(const lade_type *type, void *inout, int root,
                                                  MPI_Comm comm, lade_arena **owner,
                                                  lade_context *ctx);
LADE_API LADE_NODISCARD lade_status lade_bcast_into_as(const lade_type *type, void *value, int root,
                                                       MPI_Comm comm, lade_context *ctx);
LADE_API LADE_NODISCARD lade_status lade_bcast_array_as(const lade_type *type, void *inout,
                                                        unsigned rank, size_t *extents, int root,
                                                        MPI_Comm comm, lade_arena **owner,
                                                        lade_context *ctx);

LADE_API LADE_NODISCARD lade_status lade_bcast_array_into_as(const lade_type *type, void *array,
                                                             unsigned rank, const size_t *extents,
                                                             int root, MPI_Comm comm,
                                                             lade_context *ctx);

/**
 * Finds the MPI datatype of a fixed-size type (records of values, enumerations, fixed texts and
 * such records): committed, its extent that of the C struct, its padding left out. Local. \param
 * out a datatype that Lade keeps and frees when MPI is finalized; do not free it. \returns LADE_OK;
 * LADE_ERR_TYPE (the type holds pointers), LADE_ERR_STATE, LADE_ERR_MPI.
 */
LADE_API LADE_NODISCARD lade_status lade_mpi_datatype_as(const lade_type *type, MPI_Datatype *out,
                                                         lade_context *ctx);

/** \returns the communicators and datatypes that Lade holds now, in this process. */
LADE_API size_t lade_mpi_live_handles(void);

#ifdef __cplusplus
}
#endif

#define lade_mpi_send(mpi, T, value, dest, tag, ctx) \
    lade_mpi_send_as(mpi, LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), dest, tag, ctx)
#define lade_mpi_recv(mpi, T, out, source, tag, owner, from, ctx) \
    lade_mpi_recv_as(mpi, LADE_PRIV_TYPE(T), LADE_PRIV_SETS(T, out), source, tag, owner, from, ctx)
#define lade_mpi_recv_into(mpi, T, value, source, tag, from, ctx) \
    lade_mpi_recv_into_as(mpi, LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, value), source, tag, from, ctx)
#define lade_mpi_bcast(mpi, T, inout, root, owner, ctx) \
    lade_mpi_bcast_as(mpi, LADE_PRIV_TYPE(T), LADE_PRIV_SETS(T, inout), root, owner, ctx)
#define lade_mpi_bcast_into(mpi, T, value, root, ctx) \
    lade_mpi_bcast_into_as(mpi, LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, value), root, ctx)
#define lade_mpi_bcast_array(mpi, inout, rank, extents, root, owner, ctx)                    \
    lade_mpi_bcast_array_as(mpi, LADE_PRIV_ARITHMETIC(*(inout)), inout, rank, extents, root, \
                            owner, ctx)
#define lade_bcast(T, inout, root, comm, owner, ctx) \
    lade_bcast_as(LADE_PRIV_TYPE(T), LADE_PRIV_SETS(T, inout), root, comm, owner, ctx)
#define lade_bcast_into(T, value, root, comm, ctx) \
    lade_bcast_into_as(LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, value), root, comm, ctx)
#define lade_bcast_array(inout, rank, extents, root, comm, owner, ctx)                           \
    lade_bcast_array_as(LADE_PRIV_ARITHMETIC(*(inout)), inout, rank, extents, root, comm, owner, \
                        ctx)
#define lade_mpi_bcast_array_into(mpi, array, rank, extents, root, ctx) \
    lade_mpi_bcast_array_into_as(mpi, LADE_PRIV_ARITHMETIC(array), array, rank, extents, root, ctx)
#define lade_bcast_array_into(array, rank, extents, root, comm, ctx) \
    lade_bcast_array_into_as(LADE_PRIV_ARITHMETIC(array), array, rank, extents, root, comm, ctx)
#define lade_mpi_datatype(T, out, ctx) lade_mpi_datatype_as(LADE_PRIV_TYPE(T), out, ctx)

#endif
