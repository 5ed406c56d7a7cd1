/* Writing entries. */
#include <string.h>

#include "entry.h"

/* State of one put. */
typedef struct putter {
    lade_file *f;
    lade_job *job;
    lade_crc_sum sum; /* of the skeleton, then the content */
    uint64_t skeleton_size;
    bool no_crc;
} putter;

static lade_status put_frame(putter *w, const uint8_t *bytes, size_t size)
{
    uint8_t head[FRAME_HEAD];
    uint32_t crc = w->no_crc ? 0 : lade_crc(bytes, size);
    put32(head, (uint32_t)size);
    put32(head + 4, crc);
    if (!w->no_crc)
        lade_crc_sum_add(&w->sum, crc, size);
    w->skeleton_size += size;
    lade_status status = lade_output_copy(w->job, &w->f->out, head, sizeof head);
    return status == LADE_OK ? lade_output_refer(w->job, &w->f->out, bytes, size) : status;
}

/* Cuts the skeleton into frames; what does not fill one waits in f->frame. */
static lade_status put_skeleton(void *user, const uint8_t *bytes, size_t size)
{
    putter *w = user;
    lade_buffer *frame = &w->f->frame;
    lade_status status = LADE_OK;
    if (frame->size > 0 && frame->size + size >= FRAME_BYTES) {
        size_t part = FRAME_BYTES - frame->size;
        memcpy(frame->data + frame->size, bytes, part);
        frame->size = 0;
        status = put_frame(w, frame->data, FRAME_BYTES);
        bytes += part;
        size -= part;
    }
    while (status == LADE_OK && frame->size == 0 && size >= FRAME_BYTES) {
        status = put_frame(w, bytes, FRAME_BYTES);
        bytes += FRAME_BYTES;
        size -= FRAME_BYTES;
    }
    /* the encoder reuses its block, and the frame below is written to */
    if (status == LADE_OK)
        status = lade_output_flush(w->job, &w->f->out);
    if (status == LADE_OK) {
        memcpy(frame->data + frame->size, bytes, size);
        frame->size += size;
    }
    return status;
}

static lade_status put_end_frame(putter *w, const lade_manifest *m)
{
    uint8_t end[END_FRAME];
    lade_status status = LADE_OK;
    if (w->f->frame.size > 0)
        status = put_frame(w, w->f->frame.data, w->f->frame.size);
    put32(end, 0);
    put64(end + FRAME_HEAD, m->skeleton_size);
    put64(end + FRAME_HEAD + 8, m->content_size);
    put64(end + FRAME_HEAD + 16, m->content_count);
    put32(end + 4, lade_crc(end + FRAME_HEAD, END_FRAME - FRAME_HEAD));
    if (status == LADE_OK)
        status = lade_output_copy(w->job, &w->f->out, end, sizeof end);
    return status == LADE_OK ? lade_output_pad(w->job, &w->f->out) : status;
}

static bool table_add32(putter *w, lade_buffer *table, uint32_t crc)
{
    uint8_t bytes[4];
    put32(bytes, crc);
    return lade_buffer_append(w->job, table, bytes, sizeof bytes);
}

/* Without CRCs an array is one piece; with them it goes block by block, so that each is read from
 * memory once: the CRC leaves it in the cache for the write. */
static lade_status put_array(putter *w, const lade_segment *array, lade_buffer *table)
{
    const uint8_t *at = array->data;
    size_t left = array->size;
    lade_status status = LADE_OK;
    while (left > 0 && status == LADE_OK) {
        size_t size = w->no_crc || left < CONTENT_BLOCK ? left : CONTENT_BLOCK;
        if (!w->no_crc) {
            uint32_t crc = lade_crc(at, size);
            lade_crc_sum_add(&w->sum, crc, size);
            if (!table_add32(w, table, crc))
                return lade_job_fail(w->job, LADE_ERR_MEMORY, 0, "out of memory");
        }
        status = lade_output_refer(w->job, &w->f->out, at, size);
        if (status == LADE_OK && !w->no_crc && size == CONTENT_BLOCK)
            status = lade_output_flush(w->job, &w->f->out);
        at += size;
        left -= size;
    }
    return status == LADE_OK ? lade_output_pad(w->job, &w->f->out) : status;
}

static lade_status put_trailer(putter *w, uint64_t entry, size_t segments, const lade_buffer *table)
{
    uint8_t trailer[TRAILER_SIZE] = {0};
    memcpy(trailer, lade_trailer_magic, 4);
    put64(trailer + TRAILER_ENTRY, entry);
    put64(trailer + TRAILER_SEGMENTS, segments);
    put64(trailer + TRAILER_BLOCKS, (table->size - 8 * segments) / 4);
    put32(trailer + TRAILER_TABLE_CRC, lade_crc(table->data, table->size));
    put32(trailer + TRAILER_ENTRY_CRC, w->no_crc ? 0 : w->sum.crc);
    put32(trailer + TRAILER_CRC, lade_crc(trailer, TRAILER_CRC));
    lade_status status = lade_output_copy(w->job, &w->f->out, trailer, sizeof trailer);
    if (status == LADE_OK)
        status = lade_output_refer(w->job, &w->f->out, table->data, table->size);
    if (status == LADE_OK)
        status = lade_output_pad(w->job, &w->f->out);
    return status == LADE_OK ? lade_output_flush(w->job, &w->f->out) : status;
}

static lade_status put_content(putter *w, const lade_manifest *m, uint64_t entry)
{
    lade_buffer table = {0};
    lade_status status = LADE_OK;
    lade_crc_sum_block(&w->sum, CONTENT_BLOCK);
    for (size_t i = 0; i < m->content_count && status == LADE_OK; i++) {
        uint8_t size[8];
        put64(size, m->content[i].size);
        if (!lade_buffer_append(w->job, &table, size, sizeof size))
            status = lade_job_fail(w->job, LADE_ERR_MEMORY, 0, "out of memory");
    }
    for (size_t i = 0; i < m->content_count && status == LADE_OK; i++)
        status = put_array(w, &m->content[i], &table);
    if (status == LADE_OK)
        status = put_trailer(w, entry, m->content_count, &table);
    lade_buffer_fini(&table);
    return status;
}

static bool find_schema(const lade_file *f, const lade_known_schema *schema, uint64_t *position)
{
    for (size_t i = 0; i < f->schema_count; i++) {
        const lade_known_schema *known = &f->schemas[i];
        if (known->fingerprint.low != schema->fingerprint.low ||
            known->fingerprint.high != schema->fingerprint.high ||
            known->more_crc != schema->more_crc)
            continue;
        *position = known->position;
        return true;
    }
    return false;
}

static lade_status put_padded(lade_job *job, lade_file *f, const lade_buffer *bytes)
{
    if (bytes->size == 0)
        return LADE_OK;
    lade_status status = lade_output_refer(job, &f->out, bytes->data, bytes->size);
    return status == LADE_OK ? lade_output_pad(job, &f->out) : status;
}

static lade_status put_schema_record(lade_job *job, lade_file *f, const lade_schema_record *record,
                                     lade_known_schema *known)
{
    uint8_t head[RECORD_HEAD];
    known->position = f->out.position;
    lade_record_head_open(head, RECORD_SCHEMA, 0, known->position);
    put64(head + SCHEMA_SIZE, record->bytes.size);
    put32(head + SCHEMA_CRC, lade_crc(record->bytes.data, record->bytes.size));
    put64(head + SCHEMA_FINGERPRINT, known->fingerprint.low);
    put64(head + SCHEMA_FINGERPRINT + 8, known->fingerprint.high);
    put64(head + SCHEMA_MORE_SIZE, record->more.size);
    put32(head + SCHEMA_MORE_CRC, known->more_crc);
    lade_record_head_close(head);
    lade_status status = lade_output_copy(job, &f->out, head, sizeof head);
    if (status == LADE_OK)
        status = put_padded(job, f, &record->bytes);
    if (status == LADE_OK)
        status = put_padded(job, f, &record->more);
    return status == LADE_OK ? lade_output_flush(job, &f->out) : status;
}

/* The schema of a type, written once a file. */
static lade_status put_schema(lade_job *job, lade_file *f, const lade_root *root,
                              lade_known_schema *known)
{
    lade_typeset set = {0};
    lade_schema_record record = {0};
    lade_status status = lade_typeset_collect(job, root->type, &set);
    if (status == LADE_OK)
        status = lade_schema_write(job, &set, root->rank > 0, &record.bytes);
    if (status == LADE_OK)
        status = lade_attachment_write(job, &set, &record.more);
    lade_typeset_fini(job, &set);
    if (status == LADE_OK) {
        known->fingerprint = lade_schema_fingerprint(record.bytes.data, record.bytes.size);
        known->more_crc = record.more.size ? lade_crc(record.more.data, record.more.size) : 0;
    }
    if (status == LADE_OK && !find_schema(f, known, &known->position)) {
        if (!lade_mem_grow(f->ctx->allocator, &f->schemas, &f->schema_capacity, f->schema_count + 1,
                           sizeof *f->schemas))
            status = lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
        if (status == LADE_OK)
            status = put_schema_record(job, f, &record, known);
        if (status == LADE_OK)
            f->schemas[f->schema_count++] = *known;
    }
    lade_schema_record_fini(&record);
    return status;
}

static lade_status put_head(putter *w, const char *name, const lade_root *root,
                            const lade_known_schema *schema)
{
    uint8_t head[RECORD_HEAD];
    size_t size = strlen(name);
    uint8_t flags = (uint8_t)((root->rank ? ENTRY_ARRAY : 0) | (w->no_crc ? ENTRY_NO_CRC : 0));
    lade_record_head_open(head, RECORD_ENTRY, flags, w->f->out.position);
    put64(head + ENTRY_FINGERPRINT, schema->fingerprint.low);
    put64(head + ENTRY_FINGERPRINT + 8, schema->fingerprint.high);
    put64(head + ENTRY_SCHEMA, schema->position);
    put32(head + ENTRY_NAME_SIZE, (uint32_t)size);
    put32(head + ENTRY_NAME_CRC, lade_crc(name, size));
    lade_record_head_close(head);
    lade_status status = lade_output_copy(w->job, &w->f->out, head, sizeof head);
    return status == LADE_OK ? lade_output_copy(w->job, &w->f->out, name, size) : status;
}

static lade_status put_record(putter *w, const char *name, const lade_root *root)
{
    lade_file *f = w->f;
    lade_known_schema schema = {0};
    lade_encoding *encoding = NULL;
    lade_status status = put_schema(w->job, f, root, &schema);
    uint64_t entry = f->out.position;
    if (status == LADE_OK)
        status = put_head(w, name, root, &schema);
    if (status == LADE_OK)
        status = lade_encoding_begin(root, put_skeleton, w, 0, &encoding, f->ctx);
    if (status == LADE_OK)
        status = put_end_frame(w, lade_encoding_manifest(encoding));
    if (status == LADE_OK)
        status = put_content(w, lade_encoding_manifest(encoding), entry);
    lade_encoding_end(encoding);
    if (status != LADE_OK)
        return status;
    f->added[f->added_count].position = entry;
    f->added[f->added_count].size = f->out.position - entry;
    f->added[f->added_count].skeleton_size = w->skeleton_size;
    lade_added_count(f);
    return LADE_OK;
}

static lade_status put_check(lade_job *job, lade_file *f, const char *name, const lade_root *root)
{
    if (f->mode == LADE_READ)
        return lade_job_fail(job, LADE_ERR_STATE, 0, "%s is open for reading only", f->path);
    if (!name || !*name || strlen(name) > NAME_MAX_BYTES || !lade_is_utf8(name))
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0,
                             "the name of an entry is 1 to %d bytes of UTF-8", NAME_MAX_BYTES);
    if (!root->type)
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0, "the type must not be NULL");
    if (lade_added_has(f, name))
        return lade_job_fail(job, LADE_ERR_EXISTS, 0,
                             "an entry of this name was put since the last commit");
    return lade_file_ready(job, f);
}

/* Makes room for one more added entry, with its name in place. */
static lade_status put_reserve(lade_job *job, lade_file *f, const char *name)
{
    const lade_allocator *a = f->ctx->allocator;
    size_t size = strlen(name) + 1;
    if (!lade_buffer_reserve(job, &f->frame, FRAME_BYTES) || !lade_added_reserve(f) ||
        !lade_mem_grow(a, &f->added, &f->added_capacity, f->added_count + 1, sizeof *f->added))
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    f->frame.size = 0;
    char *copy = lade_mem_get(a, size);
    if (!copy)
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    memcpy(copy, name, size);
    f->added[f->added_count] = (lade_listed){.name = copy};
    return LADE_OK;
}

static lade_status put(lade_file *f, const char *name, const lade_root *root)
{
    lade_job job;
    lade_status status = lade_file_job(&job, f, name);
    if (status == LADE_OK)
        status = put_check(&job, f, name, root);
    if (status == LADE_OK)
        status = put_reserve(&job, f, name);
    if (status != LADE_OK)
        return lade_file_job_end(&job, f, status);
    putter w = {.f = f, .job = &job, .no_crc = f->ctx->no_crc};
    uint64_t start = f->out.position;
    f->tail = true;
    size_t added = f->added_count;
    size_t schemas = f->schema_count;
    w.sum = lade_crc_sum_begin(FRAME_BYTES);
    status = put_record(&w, name, root);
    if (status != LADE_OK) { /* as if it had never begun */
        lade_mem_free(f->ctx->allocator, f->added[added].name, strlen(name) + 1);
        f->schema_count = schemas;
        lade_output_seek(&f->out, start);
    }
    return lade_file_job_end(&job, f, status);
}

lade_status lade_file_put_as(lade_file *file, const char *name, const lade_type *type,
                             const void *value)
{
    lade_root root = {.type = type, .value = value};
    return file ? put(file, name, &root) : LADE_ERR_ARGUMENT;
}

lade_status lade_file_put_array_as(lade_file *file, const char *name, const lade_type *type,
                                   const void *array, unsigned rank, const size_t *extents)
{
    lade_root root = {type, array, rank, extents};
    if (!file)
        return LADE_ERR_ARGUMENT;
    if (rank == 0)
        return lade_context_fail(file->ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return put(file, name, &root);
}
