#include "container.h"

#include <stdlib.h>
#include <string.h>

#include "crc.h"

/* Places in the superblock, in record heads and in the footer; FORMAT.md has the same tables. */
enum { AT_CRC = 60 };
enum { HEAD_KIND = 4, HEAD_FLAGS = 5, HEAD_POSITION = 8 };
enum { SUPER_VERSION = 8 };
enum { SCHEMA_SIZE = 16, SCHEMA_CRC = 24 };
enum {
    COMMIT_PREVIOUS = 16,
    COMMIT_SEQUENCE = 24,
    COMMIT_SIZE = 32,
    COMMIT_CRC = 40,
    COMMIT_COUNT = 44
};
enum { FOOTER_COMMIT = 8, FOOTER_END = 16, FOOTER_SEQUENCE = 24 };
/* Of each entry in a directory: position, size, skeleton size, length of the name. */
enum { LISTED_FIXED = 25 };

static const uint8_t super_magic[8] = {0x89, 'L', 'A', 'D', 'E', '\r', '\n', 0x1a};
static const uint8_t record_magic[4] = {'L', 'R', 'E', 'C'};
static const uint8_t footer_magic[8] = {0x89, 'L', 'C', 'O', 'M', 'M', 'I', 'T'};

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
static lade_status read_checked(lade_job *job, const lade_file *f, uint64_t position, uint64_t size,
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

lade_status lade_schema_read(lade_job *job, const lade_file *f, uint64_t position,
                             lade_buffer *bytes)
{
    uint8_t head[RECORD_HEAD];
    if (position > f->committed || position % RECORD_ALIGN)
        return lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: an entry names no schema", f->path);
    lade_status status = lade_record_head_read(job, f, position, RECORD_SCHEMA, head);
    if (status != LADE_OK)
        return status;
    return read_checked(job, f, position + RECORD_HEAD, get64(head + SCHEMA_SIZE),
                        get32(head + SCHEMA_CRC), bytes);
}

void lade_listed_free(const lade_allocator *a, lade_listed *list, size_t count, size_t capacity)
{
    for (size_t i = 0; i < count; i++)
        lade_mem_free(a, list[i].name, strlen(list[i].name) + 1);
    lade_mem_free(a, list, capacity * sizeof *list);
}

static lade_status listed_add(lade_job *job, lade_file *f, const uint8_t *at, size_t name_size)
{
    const lade_allocator *a = f->ctx->allocator;
    if (!lade_mem_grow(a, &f->listed, &f->listed_capacity, f->listed_count + 1, sizeof *f->listed))
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    char *name = lade_mem_get(a, name_size + 1);
    if (!name)
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    memcpy(name, at + LISTED_FIXED, name_size);
    name[name_size] = 0;
    f->listed[f->listed_count++] = (lade_listed){name, get64(at), get64(at + 8), get64(at + 16)};
    return LADE_OK;
}

static lade_status directory_fail(lade_job *job, const lade_file *f, uint64_t position)
{
    job->err.offset = position;
    return lade_job_fail(job, LADE_ERR_FORMAT, 0, "%s: the directory of a commit is not valid",
                         f->path);
}

/* Names of a directory ascend bytewise, and none stands twice. */
static bool in_order(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    size_t shared = a_size < b_size ? a_size : b_size;
    int order = memcmp(a + LISTED_FIXED, b + LISTED_FIXED, shared);
    return order < 0 || (order == 0 && a_size < b_size);
}

static lade_status directory_parse(lade_job *job, lade_file *f, const lade_buffer *bytes,
                                   uint32_t count, uint64_t commit)
{
    size_t at = 0;
    const uint8_t *previous = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *p = bytes->data + at;
        if (bytes->size - at < LISTED_FIXED)
            return directory_fail(job, f, commit);
        size_t name_size = p[24];
        uint64_t position = get64(p);
        uint64_t size = get64(p + 8);
        if (name_size == 0 || name_size > bytes->size - at - LISTED_FIXED ||
            memchr(p + LISTED_FIXED, 0, name_size) || position % RECORD_ALIGN ||
            position >= commit || size > commit - position || size % RECORD_ALIGN ||
            get64(p + 16) > size)
            return directory_fail(job, f, commit);
        if (i > 0 && !in_order(previous, previous[24], p, name_size))
            return directory_fail(job, f, commit);
        previous = p;
        lade_status status = listed_add(job, f, p, name_size);
        if (status != LADE_OK)
            return status;
        at += LISTED_FIXED + name_size;
    }
    return at == bytes->size ? LADE_OK : directory_fail(job, f, commit);
}

static int by_name(const void *a, const void *b)
{
    const lade_listed *x = a;
    const lade_listed *y = b;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    return x->position > y->position ? -1 : x->position < y->position; /* newest first */
}

/* Sorts by name, and drops superseded entries. */
static void listed_settle(lade_file *f)
{
    size_t kept = 0;
    if (f->listed_count)
        qsort(f->listed, f->listed_count, sizeof *f->listed, by_name);
    for (size_t i = 0; i < f->listed_count; i++) {
        if (kept && strcmp(f->listed[kept - 1].name, f->listed[i].name) == 0)
            lade_mem_free(f->ctx->allocator, f->listed[i].name, strlen(f->listed[i].name) + 1);
        else
            f->listed[kept++] = f->listed[i];
    }
    f->listed_count = kept;
}

static bool footer_valid(const uint8_t *footer, uint64_t position)
{
    return memcmp(footer, footer_magic, sizeof footer_magic) == 0 &&
           get32(footer + AT_CRC) == lade_crc(footer, AT_CRC) &&
           get64(footer + FOOTER_END) == position + RECORD_HEAD &&
           get64(footer + FOOTER_COMMIT) < position && lade_all_zero(footer + 32, 28);
}

/* Looks for the last valid footer before *end, backwards; *end is set behind it, or to 0. */
static lade_status footer_scan(lade_job *job, const lade_file *f, uint8_t footer[RECORD_HEAD],
                               uint64_t *end)
{
    enum { CHUNK = 1 << 20 };
    uint64_t at = *end / RECORD_ALIGN * RECORD_ALIGN;
    uint8_t *chunk = lade_mem_get(f->ctx->allocator, CHUNK);
    lade_status status = chunk ? LADE_OK : lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    *end = 0;
    while (status == LADE_OK && at > RECORD_HEAD && *end == 0) {
        size_t size = at - RECORD_HEAD < CHUNK ? (size_t)(at - RECORD_HEAD) : CHUNK;
        at -= size;
        status = lade_io_read(job, f->out.fd, chunk, size, (off_t)at, f->path);
        for (size_t k = size; status == LADE_OK && k > 0 && *end == 0; k -= RECORD_HEAD) {
            if (!footer_valid(chunk + k - RECORD_HEAD, at + k - RECORD_HEAD))
                continue;
            memcpy(footer, chunk + k - RECORD_HEAD, RECORD_HEAD);
            *end = at + k;
        }
    }
    lade_mem_free(f->ctx->allocator, chunk, CHUNK);
    return status;
}

/* In a whole file the last footer stands at the very end. */
static lade_status footer_find(lade_job *job, const lade_file *f, uint64_t file_size,
                               uint8_t footer[RECORD_HEAD], uint64_t *end)
{
    *end = file_size;
    if (file_size % RECORD_ALIGN == 0 && file_size > RECORD_HEAD) {
        uint64_t at = file_size - RECORD_HEAD;
        lade_status status = lade_io_read(job, f->out.fd, footer, RECORD_HEAD, (off_t)at, f->path);
        if (status != LADE_OK || footer_valid(footer, at))
            return status;
    }
    return footer_scan(job, f, footer, end);
}

static lade_status commit_read(lade_job *job, lade_file *f, uint64_t commit, uint64_t *previous,
                               uint64_t *sequence)
{
    uint8_t head[RECORD_HEAD];
    lade_buffer bytes = {0};
    lade_status status = lade_record_head_read(job, f, commit, RECORD_COMMIT, head);
    if (status == LADE_OK)
        status = read_checked(job, f, commit + RECORD_HEAD, get64(head + COMMIT_SIZE),
                              get32(head + COMMIT_CRC), &bytes);
    if (status == LADE_OK) {
        *previous = get64(head + COMMIT_PREVIOUS);
        *sequence = get64(head + COMMIT_SEQUENCE);
        status = directory_parse(job, f, &bytes, get32(head + COMMIT_COUNT), commit);
    }
    uint64_t end = lade_padded(commit + RECORD_HEAD + bytes.size);
    if (status == LADE_OK)
        status = lade_io_read(job, f->out.fd, head, RECORD_HEAD, (off_t)end, f->path);
    if (status == LADE_OK && (!footer_valid(head, end) || get64(head + FOOTER_COMMIT) != commit)) {
        job->err.offset = end;
        status =
            lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: the end of a commit is damaged", f->path);
    }
    if (status == LADE_OK && *previous >= commit)
        status = directory_fail(job, f, commit);
    lade_buffer_fini(&bytes);
    return status;
}

lade_status lade_directory_read(lade_job *job, lade_file *f, uint64_t file_size)
{
    uint8_t footer[RECORD_HEAD];
    uint64_t end;
    lade_status status = footer_find(job, f, file_size, footer, &end);
    if (status != LADE_OK)
        return status;
    if (end == 0)
        return lade_job_fail(job, LADE_ERR_TRUNCATED, 0,
                             "%s: no whole commit: the file is cut short, or its end is damaged",
                             f->path);
    if (end != file_size && !f->ctx->recover) {
        job->err.offset = end;
        return lade_job_fail(
            job, LADE_ERR_TAIL, 0,
            "%s: an unfinished or damaged tail of %llu bytes follows the last whole "
            "commit (the context's `recover` opens the file there)",
            f->path, (unsigned long long)(file_size - end));
    }
    f->committed = end;
    f->last_commit = get64(footer + FOOTER_COMMIT);
    f->sequence = get64(footer + FOOTER_SEQUENCE);
    uint64_t expected = f->sequence;
    for (uint64_t commit = f->last_commit, previous; commit; commit = previous, expected--) {
        uint64_t sequence;
        status = commit_read(job, f, commit, &previous, &sequence);
        if (status == LADE_OK && (sequence != expected || (previous == 0) != (sequence == 1)))
            status = directory_fail(job, f, commit);
        if (status != LADE_OK)
            return status;
    }
    listed_settle(f);
    return LADE_OK;
}

static int listed_order(const void *a, const void *b)
{
    return strcmp(((const lade_listed *)a)->name, ((const lade_listed *)b)->name);
}

lade_status lade_directory_write(lade_job *job, lade_file *f, uint8_t footer[RECORD_HEAD])
{
    lade_buffer bytes = {0};
    bool ok = true;
    if (f->added_count)
        qsort(f->added, f->added_count, sizeof *f->added, listed_order);
    for (size_t i = 0; i < f->added_count && ok; i++) {
        const lade_listed *l = &f->added[i];
        uint8_t fixed[LISTED_FIXED];
        put64(fixed, l->position);
        put64(fixed + 8, l->size);
        put64(fixed + 16, l->skeleton_size);
        fixed[24] = (uint8_t)strlen(l->name);
        ok = lade_buffer_append(job, &bytes, fixed, sizeof fixed) &&
             lade_buffer_append(job, &bytes, l->name, strlen(l->name));
    }
    lade_status status = ok ? LADE_OK : lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    uint64_t commit = f->out.position;
    uint8_t head[RECORD_HEAD];
    lade_record_head_open(head, RECORD_COMMIT, 0, commit);
    put64(head + COMMIT_PREVIOUS, f->last_commit);
    put64(head + COMMIT_SEQUENCE, f->sequence + 1);
    put64(head + COMMIT_SIZE, bytes.size);
    put32(head + COMMIT_CRC, lade_crc(bytes.data, bytes.size));
    put32(head + COMMIT_COUNT, (uint32_t)f->added_count);
    lade_record_head_close(head);
    if (status == LADE_OK)
        status = lade_out_copy(job, &f->out, head, sizeof head);
    if (status == LADE_OK)
        status = lade_out_refer(job, &f->out, bytes.data, bytes.size);
    if (status == LADE_OK)
        status = lade_out_pad(job, &f->out);
    if (status == LADE_OK)
        status = lade_out_flush(job, &f->out);
    lade_buffer_fini(&bytes);
    memset(footer, 0, RECORD_HEAD);
    memcpy(footer, footer_magic, sizeof footer_magic);
    put64(footer + FOOTER_COMMIT, commit);
    put64(footer + FOOTER_END, f->out.position + RECORD_HEAD);
    put64(footer + FOOTER_SEQUENCE, f->sequence + 1);
    put32(footer + AT_CRC, lade_crc(footer, AT_CRC));
    return status;
}

lade_status lade_directory_reserve(lade_job *job, lade_file *f)
{
    if (lade_mem_grow(f->ctx->allocator, &f->listed, &f->listed_capacity,
                      f->listed_count + f->added_count, sizeof *f->listed))
        return LADE_OK;
    return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
}

void lade_directory_merge(lade_file *f)
{
    for (size_t i = 0; i < f->added_count; i++)
        f->listed[f->listed_count++] = f->added[i];
    f->added_count = 0;
    listed_settle(f);
}

const lade_listed *lade_directory_find(const lade_file *f, const char *name)
{
    size_t low = 0;
    size_t high = f->listed_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, f->listed[middle].name);
        if (order == 0)
            return &f->listed[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
