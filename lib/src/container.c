#include "container.h"

#include <string.h>

#include "crc.h"

/* Places in the superblock, in record heads and in the footer; FORMAT.md has the same tables. */
enum { HEAD_KIND = 4, HEAD_FLAGS = 5, HEAD_POSITION = 8 };
enum { SUPER_VERSION = 8 };

static const uint8_t super_magic[8] = {0x89, 'L', 'A', 'D', 'E', '\r', '\n', 0x1a};
static const uint8_t record_magic[4] = {'L', 'R', 'E', 'C'};

void lade_superblock_make(uint8_t block[RECORD_HEAD])
{
    memset(block, 0, RECORD_HEAD);
    memcpy(block, super_magic, sizeof super_magic);
    put32(block + SUPER_VERSION, CONTAINER_VERSION);
    put32(block + AT_CRC, lade_crc(block, AT_CRC));
}

lade_status lade_superblock_check(lade_job *job, const uint8_t *block, size_t size,
                                  const char *path)
{
    if (memcmp(block, super_magic, size < sizeof super_magic ? size : sizeof super_magic) != 0)
        return lade_job_fail(job, LADE_ERR_FORMAT, 0, "%s is not a Lade file", path);
    if (size < RECORD_HEAD)
        return lade_job_fail(job, LADE_ERR_TRUNCATED, 0, "%s: the file ends in its first block",
                             path);
    if (get32(block + AT_CRC) != lade_crc(block, AT_CRC))
        return lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: the first block is damaged", path);
    uint32_t version = get32(block + SUPER_VERSION);
    if (version == 0 || !lade_all_zero(block + 12, AT_CRC - 12))
        return lade_job_fail(job, LADE_ERR_FORMAT, 0, "%s: the first block is not valid", path);
    if (version > CONTAINER_VERSION)
        return lade_job_fail(job, LADE_ERR_VERSION, 0,
                             "%s has format version %u, newer than %u, which this library reads",
                             path, version, CONTAINER_VERSION);
    return LADE_OK;
}

void lade_record_head_open(uint8_t head[RECORD_HEAD], record_kind kind, uint8_t flags,
                           uint64_t position)
{
    memset(head, 0, RECORD_HEAD);
    memcpy(head, record_magic, sizeof record_magic);
    head[HEAD_KIND] = (uint8_t)kind;
    head[HEAD_FLAGS] = flags;
    put64(head + HEAD_POSITION, position);
}

void lade_record_head_close(uint8_t head[RECORD_HEAD])
{
    put32(head + AT_CRC, lade_crc(head, AT_CRC));
}

lade_status lade_record_head_read(lade_job *job, const lade_file *f, uint64_t position,
                                  record_kind kind, uint8_t head[RECORD_HEAD])
{
    lade_status status = lade_io_read(job, f->out.fd, head, RECORD_HEAD, (off_t)position, f->path);
    if (status != LADE_OK)
        return status;
    if (memcmp(head, record_magic, sizeof record_magic) != 0 || head[HEAD_KIND] != (uint8_t)kind ||
        get64(head + HEAD_POSITION) != position || get32(head + AT_CRC) != lade_crc(head, AT_CRC)) {
        job->err.offset = position;
        return lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: the head of a record is damaged",
                             f->path);
    }
    return LADE_OK;
}

/* The bytes of a record behind its head, and the padding behind them, checked. */
lade_status lade_record_read(lade_job *job, const lade_file *f, uint64_t position, uint64_t size,
                             uint32_t crc, lade_buffer *bytes)
{
    uint64_t padded = lade_padded(size);
    if (size > f->committed || position > f->committed || padded > f->committed - position) {
        job->err.offset = position;
        return lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: a record is larger than the file",
                             f->path);
    }
    if (!lade_buffer_reserve(job, bytes, (size_t)padded + 1))
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    lade_status status =
        lade_io_read(job, f->out.fd, bytes->data, (size_t)padded, (off_t)position, f->path);
    bytes->size = (size_t)size;
    if (status == LADE_OK && (lade_crc(bytes->data, bytes->size) != crc ||
                              !lade_all_zero(bytes->data + size, (size_t)(padded - size)))) {
        job->err.offset = position;
        status = lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: a record is damaged", f->path);
    }
    return status;
}

lade_status lade_schema_read(lade_job *job, const lade_file *f, uint64_t position, bool more,
                             lade_schema_record *record)
{
    uint8_t head[RECORD_HEAD];
    if (position > f->committed || position % RECORD_ALIGN)
        return lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: an entry names no schema", f->path);
    lade_status status = lade_record_head_read(job, f, position, RECORD_SCHEMA, head);
    if (status != LADE_OK)
        return status;
    uint64_t size = get64(head + SCHEMA_SIZE);
    uint64_t more_size = get64(head + SCHEMA_MORE_SIZE);
    record->more_crc = get32(head + SCHEMA_MORE_CRC);
    status = lade_record_read(job, f, position + RECORD_HEAD, size, get32(head + SCHEMA_CRC),
                              &record->bytes);
    if (status == LADE_OK && more && more_size)
        status = lade_record_read(job, f, position + RECORD_HEAD + lade_padded(size), more_size,
                                  record->more_crc, &record->more);
    return status;
}

void lade_schema_record_fini(lade_schema_record *record)
{
    lade_buffer_fini(&record->bytes);
    lade_buffer_fini(&record->more);
}
