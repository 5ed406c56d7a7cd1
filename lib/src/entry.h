/**
 * \file
 * Entries: places in an entry's head and trailer (FORMAT.md, "Entry").
 *
 *     head | name | frames of the skeleton, end frame | pad | content, each array at a multiple of
 * 64 | pad | trailer | sizes of the arrays | CRCs of the content blocks | pad
 */
#ifndef LADE_ENTRY_H
#define LADE_ENTRY_H

#include "container.h"
#include "crc.h"

enum {
    ENTRY_FINGERPRINT = 16,
    ENTRY_SCHEMA = 32,
    ENTRY_NAME_SIZE = 40,
    ENTRY_NAME_CRC = 44,
    TRAILER_SIZE = 64,
    TRAILER_ENTRY = 8,
    TRAILER_SEGMENTS = 16,
    TRAILER_BLOCKS = 24,
    TRAILER_TABLE_CRC = 32,
    TRAILER_ENTRY_CRC = 36,
    TRAILER_CRC = 60
};

/** First four bytes of a trailer. */
static const uint8_t lade_trailer_magic[4] = {'L', 'E', 'N', 'D'};

/** Blocks under one CRC each in an array of `size` bytes. */
static inline uint64_t lade_content_blocks(uint64_t size)
{
    return (size + CONTENT_BLOCK - 1) / CONTENT_BLOCK;
}

/** Frames of a skeleton, the end frame not counted. */
static inline uint64_t lade_frames(uint64_t skeleton_size)
{
    return (skeleton_size + FRAME_BYTES - 1) / FRAME_BYTES;
}

/** Starts an API call on a file: a job whose errors name the entry. */
lade_status lade_file_job(lade_job *job, lade_file *f, const char *entry);
lade_status lade_file_job_end(lade_job *job, lade_file *f, lade_status status);

/** The head of an entry, and where the frames of its skeleton start. */
typedef struct lade_entry_head {
    lade_fingerprint fingerprint;
    uint64_t schema; /* position of its record */
    uint64_t frames;
    uint8_t flags;
} lade_entry_head;
/** Finds a committed entry. LADE_ERR_STATE, LADE_ERR_NOT_FOUND. */
lade_status lade_entry_find(lade_job *job, lade_file *f, const char *name, const lade_listed **out);
/** Reads and checks the head and the name of an entry. */
lade_status lade_entry_head_read(lade_job *job, const lade_file *f, const lade_listed *listed,
                                 lade_entry_head *head);
/** Fails the job: something at a place of the file is not what it must be. */
lade_status lade_entry_damaged(lade_job *job, const lade_file *f, uint64_t position,
                               const char *what);
/** Adds the name of the type that ended a load to the report, if the file knows it. Returns status. */
lade_status lade_file_name_unknown(lade_file *f, const lade_entry_head *head, lade_status status);
/** Makes the run-time types of an entry. \param ctx of the types. */
lade_status lade_file_schema_load(lade_job *job, const lade_file *f, const lade_entry_head *head,
                                  lade_context *ctx, struct lade_schema **out);

/** Finds or makes the plan that converts an entry of another type. */
lade_status lade_conversion_get(lade_job *job, lade_file *f, const lade_entry_head *head,
                                const lade_target *target, struct lade_conversion **out);
/** Converts a stored value into what the target says; what is made on the way belongs to the arena. */
lade_status lade_converted(lade_job *job, struct lade_conversion *c, const lade_value *stored,
                           const lade_target *target, void *out, lade_arena *arena);
void lade_conversions_free(lade_file *f);

/** Makes sure that the file has a descriptor, and may be used. */
lade_status lade_file_ready(lade_job *job, lade_file *f);
/** Closes a file as lade_file_close does, without a report. */
void lade_file_discard(lade_file *f);

/** True if one of the two CRC options or the entry's flag says not to check. */
static inline bool lade_entry_unchecked(const lade_file *f, uint8_t flags)
{
    return f->ctx->no_crc || (flags & ENTRY_NO_CRC);
}

#endif
