/**
 * \file
 * The container: records of a file and their layout in bytes, as FORMAT.md specifies it.
 *
 *     superblock | schema | entry ... | commit | schema | entry ... | commit | ...
 *
 * Every record starts at a multiple of 64 bytes with a head of 64 bytes.
 */
#ifndef LADE_CONTAINER_H
#define LADE_CONTAINER_H

#include "io.h"
#include "schema.h"

enum {
    CONTAINER_VERSION = 1,
    RECORD_ALIGN = 64,
    RECORD_HEAD = 64,
    FRAME_BYTES = 64 << 10, /* skeleton bytes of every frame but the last */
    FRAME_HEAD = 8,
    END_FRAME = FRAME_HEAD + 24,
    CONTENT_BLOCK = 1 << 20, /* content bytes under one CRC */
    NAME_MAX_BYTES = 255
};

typedef enum record_kind {
    RECORD_SCHEMA = 'S',
    RECORD_ENTRY = 'E',
    RECORD_COMMIT = 'C'
} record_kind;
enum { ENTRY_ARRAY = 1, ENTRY_NO_CRC = 2 };

/* Place of the CRC in the superblock, in record heads and in footers. */
enum { AT_CRC = 60 };
/* Places in schema records and in the footer of a commit. */
enum {
    SCHEMA_SIZE = 16,
    SCHEMA_CRC = 24,
    SCHEMA_FINGERPRINT = 32,
    SCHEMA_MORE_SIZE = 48, /* of the attachment behind the padding of the schema */
    SCHEMA_MORE_CRC = 56
};
enum { FOOTER_COMMIT = 8, FOOTER_END = 16, FOOTER_SEQUENCE = 24 };

/** An entry as its commit lists it. */
typedef struct lade_listed {
    char *name; /* owned, NUL-terminated */
    uint64_t position;
    uint64_t size;          /* bytes of the whole record */
    uint64_t skeleton_size; /* bytes */
} lade_listed;

/** A schema that stands in the file. */
typedef struct lade_known_schema {
    lade_fingerprint fingerprint;
    uint64_t position;
    uint32_t more_crc; /* of its attachment; 0 if there is none */
} lade_known_schema;

struct lade_file {
    lade_context *ctx; /* the caller's, or own */
    lade_context own;
    lade_open_mode mode;
    char *path;      /* resolved */
    char *temporary; /* name until the first commit of a new file, else NULL */
    size_t path_size, temporary_size;
    dev_t device; /* of a new file that was closed at its first commit */
    ino_t inode;
    bool broken;        /* a failed commit could not be taken back: nothing more is written */
    bool tail;          /* the file may hold bytes behind the last commit */
    uint64_t committed; /* bytes of the file up to the last commit; 0: none yet */
    uint64_t last_commit, sequence;
    lade_listed *listed; /* of the last commit and those before, by name */
    size_t listed_count, listed_capacity;
    lade_listed *added; /* since the last commit */
    size_t added_count, added_capacity;
    uint32_t *slots; /* of names in `added` */
    size_t slots_capacity;
    lade_known_schema *schemas;
    size_t schema_count, schema_capacity;
    struct lade_conversion *conversions; /* of types that the program has otherwise */
    lade_job *job;                       /* of the put or get under way */
    lade_buffer frame;                   /* skeleton bytes of a frame that is not full */
    lade_output out;
};

/** Little-endian numbers at a place of a record. */
static inline void put32(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}
static inline uint32_t get32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static inline void put64(uint8_t *at, uint64_t v)
{
    lade_priv_store64(at, v);
}
static inline uint64_t get64(const uint8_t *at)
{
    return lade_priv_load64(at);
}

/** Starts a record head (zeroed); record_head_close puts its CRC. */
void lade_record_head_open(uint8_t head[RECORD_HEAD], record_kind kind, uint8_t flags,
                           uint64_t position);
void lade_record_head_close(uint8_t head[RECORD_HEAD]);
/** Reads and checks the head of a record. */
lade_status lade_record_head_read(lade_job *job, const lade_file *f, uint64_t position,
                                  record_kind kind, uint8_t head[RECORD_HEAD]);

/** Reads the bytes of a record behind its head, and checks them and the padding behind them. */
lade_status lade_record_read(lade_job *job, const lade_file *f, uint64_t position, uint64_t size,
                             uint32_t crc, lade_buffer *bytes);

void lade_superblock_make(uint8_t block[RECORD_HEAD]);
lade_status lade_superblock_check(lade_job *job, const uint8_t *block, size_t size,
                                  const char *path);

/** Finds the last whole commit, and reads the directory of it and those before. */
lade_status lade_directory_read(lade_job *job, lade_file *f, uint64_t file_size);
/** Writes the commit record for what was added (without its footer, which is returned). */
lade_status lade_directory_write(lade_job *job, lade_file *f, uint8_t footer[RECORD_HEAD]);
/** Makes room for lade_directory_merge, which cannot fail then. */
lade_status lade_directory_reserve(lade_job *job, lade_file *f);
/** Makes what was added part of the listed entries. */
void lade_directory_merge(lade_file *f);
/** Names put since the last commit: is it there; room for one more; count the one that stands at
 * added[added_count]; forget all. */
bool lade_added_has(const lade_file *f, const char *name);
bool lade_added_reserve(lade_file *f);
void lade_added_count(lade_file *f);
void lade_added_clear(lade_file *f);
const lade_listed *lade_directory_find(const lade_file *f, const char *name);
void lade_listed_free(const lade_allocator *a, lade_listed *list, size_t count, size_t capacity);

/** A schema record; the buffers are owned by who reads it. */
typedef struct lade_schema_record {
    lade_buffer bytes, more;
    uint32_t more_crc;
} lade_schema_record;
/** Reads the schema record at a position; its attachment only if `more`. */
lade_status lade_schema_read(lade_job *job, const lade_file *f, uint64_t position, bool more,
                             lade_schema_record *record);
void lade_schema_record_fini(lade_schema_record *record);

/** Frees the plans of conversions to a type that goes out of existence. */
void lade_conversions_forget(lade_file *f, const lade_type *type);

/** Padding must be zero. */
static inline bool lade_all_zero(const uint8_t *bytes, size_t n)
{
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= bytes[i];
    return any == 0;
}

static inline uint64_t lade_padded(uint64_t position)
{
    return (position + RECORD_ALIGN - 1) / RECORD_ALIGN * RECORD_ALIGN;
}

#endif
