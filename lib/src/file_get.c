/* Reading entries. */
#include <string.h>

#include "convert.h"
#include "entry.h"

/* State of one get. */
typedef struct getter {
    lade_file *f;
    lade_job *job;
    const lade_listed *listed;
    uint64_t frames_start; /* position in the file */
    uint64_t skeleton_read;
    lade_crc_sum sum;
    uint8_t flags; /* of the entry */
    bool unchecked;
} getter;

static lade_status damaged(getter *r, uint64_t position, const char *what)
{
    return lade_entry_damaged(r->job, r->f, position, what);
}

/* Frames k to k + n - 1 of the skeleton, straight into `bytes`. */
static lade_status read_frames(getter *r, uint64_t k, size_t n, uint8_t *bytes, size_t size)
{
    enum { MOST = 32 };
    uint8_t heads[MOST][FRAME_HEAD] = {{0}};
    struct iovec iov[2 * MOST];
    uint64_t at = r->frames_start + k * (FRAME_BYTES + FRAME_HEAD);
    for (size_t i = 0; i < n; i++) {
        size_t part = i + 1 < n ? FRAME_BYTES : size - i * FRAME_BYTES;
        iov[2 * i] = (struct iovec){heads[i], FRAME_HEAD};
        iov[2 * i + 1] = (struct iovec){bytes + i * FRAME_BYTES, part};
    }
    lade_status status =
        lade_io_readv(r->job, r->f->out.fd, iov, (int)(2 * n), (off_t)at, r->f->path);
    for (size_t i = 0; i < n && status == LADE_OK; i++) {
        size_t part = i + 1 < n ? FRAME_BYTES : size - i * FRAME_BYTES;
        uint64_t position = at + i * (FRAME_BYTES + FRAME_HEAD);
        if (get32(heads[i]) != part)
            return damaged(r, position, "the length of a frame is not valid");
        if (r->unchecked)
            continue;
        uint32_t crc = lade_crc(bytes + i * FRAME_BYTES, part);
        if (crc != get32(heads[i] + 4))
            return damaged(r, position, "a frame of the skeleton is damaged");
        lade_crc_sum_add(&r->sum, crc, part);
    }
    return status;
}

/* The decoder's source: as many whole frames as fit. */
static lade_status get_skeleton(void *user, uint8_t *bytes, size_t capacity, size_t *size)
{
    enum { MOST = 32 };
    getter *r = user;
    uint64_t left = r->listed->skeleton_size - r->skeleton_read;
    size_t n = capacity / FRAME_BYTES < MOST ? capacity / FRAME_BYTES : MOST;
    if (left < (uint64_t)n * FRAME_BYTES)
        n = (size_t)lade_frames(left);
    *size = left < (uint64_t)n * FRAME_BYTES ? (size_t)left : n * FRAME_BYTES;
    if (*size == 0)
        return left ? lade_job_fail(r->job, LADE_ERR_SPACE, 0, "a frame does not fit") : LADE_OK;
    lade_status status = read_frames(r, r->skeleton_read / FRAME_BYTES, n, bytes, *size);
    r->skeleton_read += *size;
    return status;
}

/* The trailer and its table: sizes of all arrays, then CRCs of all blocks. */
static lade_status read_trailer(getter *r, uint64_t position, const lade_segment *content,
                                size_t count, lade_buffer *table, uint32_t *entry_crc)
{
    uint8_t trailer[TRAILER_SIZE];
    uint64_t end = r->listed->position + r->listed->size;
    uint64_t blocks = 0;
    for (size_t i = 0; i < count && !(r->flags & ENTRY_NO_CRC); i++)
        blocks += lade_content_blocks(content[i].size);
    uint64_t size = 8 * (uint64_t)count + 4 * blocks;
    if (position > end || lade_padded(TRAILER_SIZE + size) != end - position)
        return damaged(r, position, "the entry has another size than its value");
    if (!lade_buffer_reserve(r->job, table, (size_t)lade_padded(size) + 1))
        return lade_job_fail(r->job, LADE_ERR_MEMORY, 0, "out of memory");
    struct iovec iov[2] = {{trailer, TRAILER_SIZE}, {table->data, (size_t)lade_padded(size)}};
    lade_status status = lade_io_readv(r->job, r->f->out.fd, iov, 2, (off_t)position, r->f->path);
    if (status != LADE_OK)
        return status;
    table->size = (size_t)size;
    if (get32(trailer + TRAILER_CRC) != lade_crc(trailer, TRAILER_CRC) ||
        memcmp(trailer, lade_trailer_magic, 4) != 0 ||
        get64(trailer + TRAILER_ENTRY) != r->listed->position ||
        get64(trailer + TRAILER_SEGMENTS) != count || get64(trailer + TRAILER_BLOCKS) != blocks ||
        get32(trailer + TRAILER_TABLE_CRC) != lade_crc(table->data, table->size) ||
        !lade_all_zero(table->data + size, (size_t)(lade_padded(size) - size)))
        return damaged(r, position, "the trailer of the entry is damaged");
    for (size_t i = 0; i < count; i++)
        if (get64(table->data + 8 * i) != content[i].size)
            return damaged(r, position, "an array has another size than its value");
    *entry_crc = get32(trailer + TRAILER_ENTRY_CRC);
    return LADE_OK;
}

/* Arrays are read in batches: one system call for many small ones, one block at a time (still in
 * the cache when its CRC is taken) for large ones, and all at once where no CRC is wanted. */
enum { BATCH = 500 };
typedef struct batch {
    struct iovec iov[2 * BATCH];
    uint8_t pads[BATCH][RECORD_ALIGN];
    const uint8_t *piece[BATCH];
    size_t size[BATCH], pad[BATCH];
    int count, pieces;
    size_t bytes;
    uint64_t position;
} batch;

static lade_status batch_read(getter *r, batch *b, const uint8_t **crcs)
{
    lade_status status =
        lade_io_readv(r->job, r->f->out.fd, b->iov, b->count, (off_t)b->position, r->f->path);
    uint64_t at = b->position;
    for (int i = 0; i < b->pieces && status == LADE_OK; i++) {
        uint32_t crc = r->unchecked ? 0 : lade_crc(b->piece[i], b->size[i]);
        if (!r->unchecked && crc != get32(*crcs))
            status = damaged(r, at, "a block of an array is damaged");
        else if (!lade_all_zero(b->pads[i], b->pad[i]))
            status = damaged(r, at + b->size[i], "padding is not zero");
        if (!r->unchecked) {
            lade_crc_sum_add(&r->sum, crc, b->size[i]);
            *crcs += 4;
        }
        at += b->size[i] + b->pad[i];
    }
    b->position = at;
    b->count = b->pieces = 0;
    b->bytes = 0;
    return status;
}

static void batch_add(batch *b, uint8_t *piece, size_t size, size_t pad)
{
    struct iovec *last = b->count ? &b->iov[b->count - 1] : NULL;
    if (last && (uint8_t *)last->iov_base + last->iov_len == piece)
        last->iov_len += size; /* arrays that a load allocated one after the other */
    else
        b->iov[b->count++] = (struct iovec){piece, size};
    if (pad)
        b->iov[b->count++] = (struct iovec){b->pads[b->pieces], pad};
    b->piece[b->pieces] = piece;
    b->size[b->pieces] = size;
    b->pad[b->pieces++] = pad;
    b->bytes += size;
}

static lade_status read_batches(getter *r, batch *b, const lade_segment *content, size_t count,
                                const uint8_t *crcs)
{
    lade_status status = LADE_OK;
    for (size_t i = 0; i < count && status == LADE_OK; i++) {
        uint8_t *at = content[i].data;
        size_t left = content[i].size;
        while (left > 0 && status == LADE_OK) {
            size_t size = r->unchecked || left < CONTENT_BLOCK ? left : CONTENT_BLOCK;
            left -= size;
            batch_add(b, at, size, left ? 0 : (size_t)(-(uint64_t)content[i].size % RECORD_ALIGN));
            at += size;
            if (b->pieces == BATCH || (!r->unchecked && b->bytes >= CONTENT_BLOCK))
                status = batch_read(r, b, &crcs);
        }
    }
    return status == LADE_OK && b->pieces ? batch_read(r, b, &crcs) : status;
}

static lade_status read_content(getter *r, uint64_t position, const lade_segment *content,
                                size_t count, const uint8_t *crcs)
{
    if (count == 0)
        return LADE_OK;
    batch *b = lade_mem_get(r->f->ctx->allocator, sizeof *b); /* too large for small stacks */
    if (!b)
        return lade_job_fail(r->job, LADE_ERR_MEMORY, 0, "out of memory");
    b->position = position;
    b->count = b->pieces = 0;
    b->bytes = 0;
    lade_status status = read_batches(r, b, content, count, crcs);
    lade_mem_free(r->f->ctx->allocator, b, sizeof *b);
    return status;
}

/* The end frame, and the padding behind it. */
static lade_status read_end_frame(getter *r, lade_size skeleton, lade_size content, size_t count,
                                  uint64_t *content_start)
{
    uint8_t end[END_FRAME + RECORD_ALIGN];
    uint64_t at = r->frames_start + skeleton + lade_frames(skeleton) * FRAME_HEAD;
    *content_start = lade_padded(at + END_FRAME);
    size_t size = (size_t)(*content_start - at);
    lade_status status = lade_io_read(r->job, r->f->out.fd, end, size, (off_t)at, r->f->path);
    if (status != LADE_OK)
        return status;
    if (get32(end) != 0 || get32(end + 4) != lade_crc(end + FRAME_HEAD, END_FRAME - FRAME_HEAD) ||
        get64(end + FRAME_HEAD) != skeleton || get64(end + FRAME_HEAD + 8) != content ||
        get64(end + FRAME_HEAD + 16) != count || !lade_all_zero(end + END_FRAME, size - END_FRAME))
        return damaged(r, at, "the end of the skeleton is damaged");
    return LADE_OK;
}

static lade_status get_content(getter *r, const lade_decoding *decoding)
{
    size_t count;
    lade_size skeleton;
    lade_size total = 0;
    uint64_t position;
    const lade_segment *content = lade_decoding_content(decoding, &count, &skeleton);
    lade_buffer table = {0};
    uint32_t entry_crc = 0;
    for (size_t i = 0; i < count; i++)
        total += content[i].size;
    lade_status status = read_end_frame(r, skeleton, total, count, &position);
    uint64_t end = position;
    for (size_t i = 0; i < count; i++)
        end += lade_padded(content[i].size);
    if (status == LADE_OK)
        status = read_trailer(r, end, content, count, &table, &entry_crc);
    if (status == LADE_OK) {
        lade_crc_sum_block(&r->sum, CONTENT_BLOCK);
        status = read_content(r, position, content, count, table.data + 8 * count);
    }
    if (status == LADE_OK && !r->unchecked && r->sum.crc != entry_crc)
        status = damaged(r, end, "the checksum of the whole entry does not match");
    lade_buffer_fini(&table);
    return status;
}

static bool same_print(lade_fingerprint a, lade_fingerprint b)
{
    return a.low == b.low && a.high == b.high;
}

/* The schema of the entry must be whole and be the one that its fingerprint says. One that was read before is known. */
static lade_status check_schema(getter *r, const lade_entry_head *head)
{
    lade_file *f = r->f;
    lade_schema_record schema = {0};
    for (size_t i = 0; i < f->schema_count; i++)
        if (f->schemas[i].position == head->schema &&
            same_print(f->schemas[i].fingerprint, head->fingerprint))
            return LADE_OK;
    lade_status status = lade_schema_read(r->job, f, head->schema, false, &schema);
    if (status == LADE_OK &&
        !same_print(lade_schema_fingerprint(schema.bytes.data, schema.bytes.size),
                    head->fingerprint))
        status = damaged(r, head->schema, "the schema is not the one of the entry");
    if (status == LADE_OK && !lade_mem_grow(f->ctx->allocator, &f->schemas, &f->schema_capacity,
                                            f->schema_count + 1, sizeof *f->schemas))
        status = lade_job_fail(r->job, LADE_ERR_MEMORY, 0, "out of memory");
    if (status == LADE_OK)
        f->schemas[f->schema_count++] =
            (lade_known_schema){head->fingerprint, head->schema, schema.more_crc};
    lade_schema_record_fini(&schema);
    return status;
}

/* The value behind the head of an entry. */
static lade_status get_plain(getter *r, const lade_target *target, void *out)
{
    lade_decoding *decoding;
    r->sum = lade_crc_sum_begin(FRAME_BYTES);
    lade_input input = {.source = get_skeleton,
                        .user = r,
                        .after = r->listed->size,
                        .offset = r->frames_start,
                        .block_bytes = FRAME_BYTES,
                        .block_head = FRAME_HEAD};
    lade_status status = lade_decoding_begin(target, &input, &decoding, r->f->ctx);
    if (status != LADE_OK)
        return status;
    status = get_content(r, decoding);
    if (status == LADE_OK)
        return lade_decoding_finish(decoding, out);
    lade_decoding_abort(decoding);
    return status;
}

/* The value of an entry of another type, by way of the stored one. */
static lade_status get_converted(getter *r, const lade_entry_head *head, const lade_target *target,
                                 void *out)
{
    lade_conversion *c;
    lade_value stored = {.rank = target->rank};
    lade_status status = lade_conversion_get(r->job, r->f, head, target, &c);
    if (status != LADE_OK)
        return status;
    lade_arena *arena = lade_arena_create(r->f->ctx->allocator);
    if (!arena)
        return lade_job_fail(r->job, LADE_ERR_MEMORY, 0, "out of memory");
    lade_target inner = {.type = lade_schema_root(c->from),
                         .rank = target->rank,
                         .extents = stored.extents,
                         .owner = &arena};
    bool own_memory = r->f->ctx->own_memory;
    stored.type = inner.type;
    r->f->ctx->own_memory = false; /* what is made on the way has one owner */
    status = get_plain(r, &inner, &stored.data);
    r->f->ctx->own_memory = own_memory;
    if (status == LADE_OK)
        status = lade_converted(r->job, c, &stored, target, out, arena);
    lade_arena_destroy(arena);
    return status;
}

static lade_status get_value(getter *r, const lade_target *target, void *out)
{
    lade_entry_head head;
    lade_fingerprint wanted;
    r->f->ctx->cache->unknown = (lade_fingerprint){0, 0};
    lade_status status = lade_entry_head_read(r->job, r->f, r->listed, &head);
    if (status != LADE_OK)
        return status;
    r->flags = head.flags;
    r->unchecked = lade_entry_unchecked(r->f, r->flags);
    r->frames_start = head.frames;
    status = lade_target_fingerprint(target, &wanted, r->f->ctx);
    if (status == LADE_OK)
        status = check_schema(r, &head);
    if (status != LADE_OK)
        return status;
    if (same_print(wanted, head.fingerprint))
        status = get_plain(r, target, out);
    else if (target->found)
        status = lade_job_fail(r->job, LADE_ERR_TYPE, 0, "the schema is not the one of the entry");
    else
        status = get_converted(r, &head, target, out);
    return lade_file_name_unknown(r->f, &head, status);
}

static lade_status get(lade_file *f, const char *name, const lade_target *target, void *out)
{
    lade_job job;
    lade_status status = lade_file_job(&job, f, name);
    getter r = {.f = f, .job = &job};
    if (status == LADE_OK && (!name || !target->type || (!out && !target->into)))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0,
                               "the name, the type and the place of the value must not be NULL");
    if (status == LADE_OK)
        status = lade_entry_find(&job, f, name, &r.listed);
    if (status == LADE_OK)
        status = get_value(&r, target, out);
    return lade_file_job_end(&job, f, status);
}

lade_status lade_file_get_as(lade_file *file, const char *name, const lade_type *type, void *out,
                             lade_arena **owner)
{
    lade_target target = {.type = type, .owner = owner};
    return file ? get(file, name, &target, out) : LADE_ERR_ARGUMENT;
}

lade_status lade_file_get_into_as(lade_file *file, const char *name, const lade_type *type,
                                  void *value)
{
    lade_target target = {.type = type, .into = value};
    return file ? get(file, name, &target, NULL) : LADE_ERR_ARGUMENT;
}

static lade_status rank_fail(lade_file *file)
{
    return lade_context_fail(file->ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                             LADE_MAX_RANK);
}

lade_status lade_file_get_array_as(lade_file *file, const char *name, const lade_type *type,
                                   void *out, unsigned rank, size_t *extents, lade_arena **owner)
{
    lade_target target = {.type = type, .rank = rank, .extents = extents, .owner = owner};
    if (!file)
        return LADE_ERR_ARGUMENT;
    return rank ? get(file, name, &target, out) : rank_fail(file);
}

lade_status lade_file_get_array_into_as(lade_file *file, const char *name, const lade_type *type,
                                        void *array, unsigned rank, const size_t *extents)
{
    size_t there[LADE_MAX_RANK] = {0};
    lade_target target = {.type = type, .rank = rank, .extents = there, .into = array};
    if (!file)
        return LADE_ERR_ARGUMENT;
    if (rank == 0 || rank > LADE_MAX_RANK || !extents)
        return rank_fail(file);
    memcpy(there, extents, rank * sizeof *extents);
    size_t count; /* an array without elements may be NULL */
    if (!array && lade_extents_product(rank, extents, &count) && count == 0)
        target.into = &count;
    return get(file, name, &target, NULL);
}

lade_status lade_file_get_any(lade_file *file, const char *name, const lade_schema *schema,
                              lade_value *out, lade_arena **owner)
{
    lade_value value = {.type = lade_schema_root(schema)};
    lade_target target = {.type = value.type,
                          .rank = lade_schema_is_array(schema),
                          .extents = value.extents,
                          .owner = owner,
                          .found = &value.rank};
    if (!file)
        return LADE_ERR_ARGUMENT;
    lade_status status = get(file, name, &target, out ? &value.data : NULL);
    if (status == LADE_OK && out)
        *out = value;
    return status;
}
