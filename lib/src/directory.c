/* Directories: which entries the commits of a file list, and the footers that make commits count. */
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "container.h"
#include "crc.h"

enum {
    COMMIT_PREVIOUS = 16,
    COMMIT_SEQUENCE = 24,
    COMMIT_SIZE = 32,
    COMMIT_CRC = 40,
    COMMIT_COUNT = 44
};
/* Of each entry in a directory: position, size, skeleton size, length of the name. */
enum { LISTED_FIXED = 25 };

static const uint8_t footer_magic[8] = {0x89, 'L', 'C', 'O', 'M', 'M', 'I', 'T'};

void lade_listed_free(const lade_allocator *a, lade_listed *list, size_t count, size_t capacity)
{
    for (size_t i = 0; i < count; i++)
        lade_mem_free(a, list[i].name, strlen(list[i].name) + 1);
    lade_mem_free(a, list, capacity * sizeof *list);
}

/* Names added since the last commit: an open-addressing table of places in `added`, plus one. */
static uint32_t *added_slot(const lade_file *f, const char *name)
{
    size_t at = (size_t)XXH3_64bits(name, strlen(name)) & (f->slots_capacity - 1);
    while (f->slots[at] != 0 && strcmp(f->added[f->slots[at] - 1].name, name) != 0)
        at = (at + 1) & (f->slots_capacity - 1);
    return &f->slots[at];
}

bool lade_added_has(const lade_file *f, const char *name)
{
    return f->slots_capacity > 0 && *added_slot(f, name) != 0;
}

static void added_index(lade_file *f)
{
    for (size_t i = 0; i < f->added_count; i++)
        *added_slot(f, f->added[i].name) = (uint32_t)i + 1;
}

bool lade_added_reserve(lade_file *f)
{
    if (f->added_count * 2 + 2 <= f->slots_capacity)
        return true;
    size_t capacity = f->slots_capacity ? f->slots_capacity * 2 : 64;
    uint32_t *slots = lade_mem_get(f->ctx->allocator, capacity * sizeof *slots);
    if (!slots)
        return false;
    lade_mem_free(f->ctx->allocator, f->slots, f->slots_capacity * sizeof *slots);
    memset(slots, 0, capacity * sizeof *slots);
    f->slots = slots;
    f->slots_capacity = capacity;
    added_index(f);
    return true;
}

void lade_added_count(lade_file *f)
{
    *added_slot(f, f->added[f->added_count].name) = (uint32_t)f->added_count + 1;
    f->added_count++;
}

void lade_added_clear(lade_file *f)
{
    if (f->slots_capacity)
        memset(f->slots, 0, f->slots_capacity * sizeof *f->slots);
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

/* Drops all but the newest of entries of one name, which stand side by side. */
static void listed_drop(lade_file *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->listed_count; i++) {
        lade_listed *last = kept ? &f->listed[kept - 1] : NULL;
        if (!last || strcmp(last->name, f->listed[i].name) != 0) {
            f->listed[kept++] = f->listed[i];
            continue;
        }
        lade_listed older = last->position < f->listed[i].position ? *last : f->listed[i];
        if (last->position < f->listed[i].position)
            *last = f->listed[i];
        lade_mem_free(f->ctx->allocator, older.name, strlen(older.name) + 1);
    }
    f->listed_count = kept;
}

/* Sorts by name, and drops superseded entries. */
static void listed_settle(lade_file *f)
{
    if (f->listed_count)
        qsort(f->listed, f->listed_count, sizeof *f->listed, by_name);
    listed_drop(f);
}

static bool footer_valid(const uint8_t *footer, uint64_t position)
{
    return memcmp(footer, footer_magic, sizeof footer_magic) == 0 &&
           get32(footer + AT_CRC) == lade_crc(footer, AT_CRC) &&
           get64(footer + FOOTER_END) == position + RECORD_HEAD &&
           get64(footer + FOOTER_COMMIT) < position &&
           get64(footer + FOOTER_COMMIT) >= RECORD_HEAD &&
           get64(footer + FOOTER_COMMIT) % RECORD_ALIGN == 0 && lade_all_zero(footer + 32, 28);
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
                               uint64_t *sequence, uint64_t *end_of)
{
    uint8_t head[RECORD_HEAD];
    lade_buffer bytes = {0};
    lade_status status = lade_record_head_read(job, f, commit, RECORD_COMMIT, head);
    if (status == LADE_OK)
        status = lade_record_read(job, f, commit + RECORD_HEAD, get64(head + COMMIT_SIZE),
                                  get32(head + COMMIT_CRC), &bytes);
    if (status == LADE_OK) {
        *previous = get64(head + COMMIT_PREVIOUS);
        *sequence = get64(head + COMMIT_SEQUENCE);
        status = directory_parse(job, f, &bytes, get32(head + COMMIT_COUNT), commit);
    }
    uint64_t end = lade_padded(commit + RECORD_HEAD + bytes.size);
    *end_of = end + RECORD_HEAD;
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
        uint64_t end_of;
        status = commit_read(job, f, commit, &previous, &sequence, &end_of);
        /* the footer that was found must be the one behind its commit, not a copy of an older one */
        if (status == LADE_OK && commit == f->last_commit && end_of != f->committed)
            status = directory_fail(job, f, f->committed - RECORD_HEAD);
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
    lade_added_clear(f); /* places have changed */
    added_index(f);
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
        status = lade_output_copy(job, &f->out, head, sizeof head);
    if (status == LADE_OK)
        status = lade_output_refer(job, &f->out, bytes.data, bytes.size);
    if (status == LADE_OK)
        status = lade_output_pad(job, &f->out);
    if (status == LADE_OK)
        status = lade_output_flush(job, &f->out);
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

/* Both lists are sorted: merged from their ends, so that nothing is overwritten before it is read. Entries
 * that are superseded leave a gap, which is closed. */
void lade_directory_merge(lade_file *f)
{
    size_t old = f->listed_count;
    size_t added = f->added_count;
    size_t total = old + added;
    size_t to = total;
    if (added == 0)
        return;
    while (added > 0) {
        int order = old > 0 ? strcmp(f->listed[old - 1].name, f->added[added - 1].name) : -1;
        if (order == 0) {
            char *superseded = f->listed[--old].name;
            lade_mem_free(f->ctx->allocator, superseded, strlen(superseded) + 1);
        } else if (order > 0) {
            f->listed[--to] = f->listed[--old];
        } else {
            f->listed[--to] = f->added[--added];
        }
    }
    memmove(f->listed + old, f->listed + to, (total - to) * sizeof *f->listed);
    f->listed_count = old + total - to;
    f->added_count = 0;
    lade_added_clear(f);
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
