/**
 * \file
 * For transports: the manifest of an encoded value, and the mirror image for decoding.
 *
 * Encoding a value gives a skeleton (all small things, in memory of the library) and content: the
 * value's own large arrays, in order, never copied. A transport moves both. Decoding parses the
 * skeleton, allocates everything, and then names the final addresses of the content, for the
 * transport to fill.
 *
 * The MPI and HDF5 archives are built on this header; programs need it only for archives of their
 * own.
 */
#ifndef LADE_BACKEND_H
#define LADE_BACKEND_H

#include <stdarg.h>

#include <lade/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to encode. All pointers are borrowed until the manifest is ended. */
typedef struct lade_root {
    const lade_type *type;
    const void *value;
    unsigned rank; /**< 0: one value of the type; else a bare array of this rank */
    const size_t *extents;
} lade_root;

/** What to decode, and where to. */
typedef struct lade_target {
    const lade_type *type;
    unsigned rank;      /**< as in lade_root */
    size_t *extents;    /**< of an array: set by decoding, or (into) the ones that must be there */
    void *into;         /**< existing memory of the same shape, or NULL for new memory */
    lade_arena **owner; /**< of new memory; see lade_decode_as */
    unsigned *found;    /**< of an array: its rank may be any, and is set; `extents` has room for
                             LADE_MAX_RANK. NULL: the rank must be this one */
} lade_target;

/** Bytes in the user's memory. */
typedef struct lade_segment {
    void *data; /**< not to be written while encoding */
    size_t size;
} lade_segment;

/** Takes the skeleton in pieces, in order, while encoding goes on. Returns LADE_OK to go on. */
typedef lade_status lade_sink_fn(void *user, const uint8_t *bytes, size_t size);

/**
 * Gives the skeleton in pieces: writes up to capacity bytes and sets *size; *size 0 is the end.
 * Returns LADE_OK to go on.
 */
typedef lade_status lade_source_fn(void *user, uint8_t *bytes, size_t capacity, size_t *size);

typedef struct lade_encoding lade_encoding;
typedef struct lade_decoding lade_decoding;

/** The result of encoding; borrowed until lade_encoding_end. */
typedef struct lade_manifest {
    const uint8_t *skeleton; /**< whole, or NULL if a sink took it */
    lade_size skeleton_size;
    const lade_segment *content;
    size_t content_count;
    lade_size content_size; /**< bytes of all segments */
    lade_fingerprint fingerprint;
    bool array;
} lade_manifest;

/**
 * Encodes a value. \param sink takes the skeleton piece by piece, or NULL: it is kept whole.
 * \param head bytes that stand free before the kept skeleton, for a transport's header.
 * \returns as lade_encode_as, or what the sink returned. \param out set on success; end it with
 * lade_encoding_end.
 */
LADE_API LADE_NODISCARD lade_status lade_encoding_begin(const lade_root *root, lade_sink_fn *sink,
                                                        void *user, size_t head,
                                                        lade_encoding **out, lade_context *ctx);
LADE_API const lade_manifest *lade_encoding_manifest(const lade_encoding *encoding);
LADE_API void lade_encoding_end(lade_encoding *encoding);

/** Where the skeleton comes from: memory, a source, or first memory and then a source. */
typedef struct lade_input {
    const uint8_t *bytes; /**< borrowed until lade_decoding_finish or _abort */
    size_t size;
    lade_source_fn *source;
    void *user;
    lade_size after;  /**< bytes that the whole input has beyond these (an upper bound) */
    lade_size offset; /**< of the first byte, for error reports */
    size_t
        block_bytes; /**< if not 0: before every so many bytes stood block_head others (frames) */
    size_t block_head;
    bool open_end; /**< content follows the skeleton in `bytes` (a bare message) */
} lade_input;

/** Finds the fingerprint that the input must have. */
LADE_API LADE_NODISCARD lade_status lade_target_fingerprint(const lade_target *target,
                                                            lade_fingerprint *out,
                                                            lade_context *ctx);

/** Parses the skeleton and allocates everything. On failure nothing is left behind. */
LADE_API LADE_NODISCARD lade_status lade_decoding_begin(const lade_target *target,
                                                        const lade_input *input,
                                                        lade_decoding **out, lade_context *ctx);
/** \returns the places of the content, to be filled in order. \param consumed bytes of the input
 * that the skeleton took. */
LADE_API const lade_segment *lade_decoding_content(const lade_decoding *decoding, size_t *count,
                                                   lade_size *consumed);
/** Checks what the content filled, which lade_decoding_finish does too: for transports that must
 * agree before they publish. */
LADE_API LADE_NODISCARD lade_status lade_decoding_check(lade_decoding *decoding);
/** Checks what the content filled, and publishes: *out (address of a pointer), the
 * extents and the owner. Frees the decoding in any case; on failure nothing is left behind. */
LADE_API LADE_NODISCARD lade_status lade_decoding_finish(lade_decoding *decoding, void *out);
/** Frees the decoding and all that it made. NULL is ignored. */
LADE_API void lade_decoding_abort(lade_decoding *decoding);

/** Fills the error report of a context (NULL is allowed) and returns status. */
LADE_API LADE_PRINTF(4, 5) lade_status
    lade_context_fail(lade_context *ctx, lade_status status, int cause, const char *format, ...);

/** Bytes of a message's header; the skeleton and the content follow. */
#define LADE_MESSAGE_HEADER 40
/** Writes the header of a message whose manifest is known into 40 bytes. */
LADE_API void lade_message_header_put(const lade_manifest *manifest, uint8_t *header);
/** Reads a header against what is expected. \returns LADE_OK, LADE_ERR_FORMAT, LADE_ERR_VERSION,
 * LADE_ERR_TYPE. */
LADE_API LADE_NODISCARD lade_status lade_message_header_get(const uint8_t *header,
                                                            const lade_target *target,
                                                            lade_size *skeleton_size,
                                                            lade_size *content_size,
                                                            lade_context *ctx);

/** Memory through the allocator of a context (NULL is allowed). */
LADE_API void *lade_context_resize(lade_context *ctx, void *memory, size_t old_size,
                                   size_t new_size);

#ifdef __cplusplus
}
#endif
#endif
