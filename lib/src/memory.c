/* Messages: header, skeleton and content in one piece of memory. */
#include <string.h>

#include "decode.h"
#include "encode.h"
#include "schema.h"

/*
 * Header, 40 bytes: "LADM", version (1), flags (bit 0: array), two zero bytes, fingerprint (low,
 * high), bytes of the skeleton, bytes of the content; numbers little-endian.
 */
enum { AT_VERSION = 4, AT_FLAGS = 5, AT_FINGERPRINT = 8, AT_SKELETON = 24, AT_CONTENT = 32 };
enum { MESSAGE_VERSION = 1, FLAG_ARRAY = 1 };
static const uint8_t magic[4] = {'L', 'A', 'D', 'M'};

void lade_message_header_put(const lade_manifest *manifest, uint8_t *header)
{
    memset(header, 0, LADE_MESSAGE_HEADER);
    memcpy(header, magic, sizeof magic);
    header[AT_VERSION] = MESSAGE_VERSION;
    header[AT_FLAGS] = manifest->array ? FLAG_ARRAY : 0;
    lade_priv_store64(header + AT_FINGERPRINT, manifest->fingerprint.low);
    lade_priv_store64(header + AT_FINGERPRINT + 8, manifest->fingerprint.high);
    lade_priv_store64(header + AT_SKELETON, manifest->skeleton_size);
    lade_priv_store64(header + AT_CONTENT, manifest->content_size);
}

static lade_status header_get(lade_job *job, const uint8_t *header, const lade_plan *plan,
                              lade_size *skeleton_size, lade_size *content_size)
{
    if (memcmp(header, magic, sizeof magic) != 0)
        return lade_job_fail(job, LADE_ERR_FORMAT, 0, "this is not a Lade message");
    if (header[AT_VERSION] > MESSAGE_VERSION)
        return lade_job_fail(job, LADE_ERR_VERSION, 0,
                             "message of version %u, newer than %u, which this library reads",
                             header[AT_VERSION], MESSAGE_VERSION);
    if (header[AT_VERSION] == 0 || header[6] || header[7] || header[AT_FLAGS] > FLAG_ARRAY)
        return lade_job_fail(job, LADE_ERR_FORMAT, 0, "the header of the message is not valid");
    lade_fingerprint f = {lade_priv_load64(header + AT_FINGERPRINT),
                          lade_priv_load64(header + AT_FINGERPRINT + 8)};
    if (f.low != plan->fingerprint.low || f.high != plan->fingerprint.high ||
        (header[AT_FLAGS] == FLAG_ARRAY) != plan->array)
        return lade_job_fail(job, LADE_ERR_TYPE, 0,
                             "the message holds another type (fingerprint %016llx%016llx) than "
                             "%s'%s' (%016llx%016llx)",
                             (unsigned long long)f.high, (unsigned long long)f.low,
                             plan->array ? "an array of " : "", plan->root->name,
                             (unsigned long long)plan->fingerprint.high,
                             (unsigned long long)plan->fingerprint.low);
    *skeleton_size = lade_priv_load64(header + AT_SKELETON);
    *content_size = lade_priv_load64(header + AT_CONTENT);
    return LADE_OK;
}

lade_status lade_message_header_get(const uint8_t *header, const lade_target *target,
                                    lade_size *skeleton_size, lade_size *content_size,
                                    lade_context *ctx)
{
    lade_job job;
    const lade_plan *plan;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK)
        status = lade_plan_get(&job, target->type, target->rank > 0, &plan);
    if (status == LADE_OK)
        status = header_get(&job, header, plan, skeleton_size, content_size);
    return lade_job_end(&job, status);
}

static void put_header(const enc *e, uint8_t *to)
{
    lade_manifest m = {.skeleton_size = e->passed,
                       .content_size = e->content_size,
                       .fingerprint = e->plan->fingerprint,
                       .array = e->plan->array};
    lade_message_header_put(&m, to);
}

static size_t head_size(const lade_job *job)
{
    return job->ctx->bare ? 0 : LADE_MESSAGE_HEADER;
}

static void put_content(const enc *e, uint8_t *to)
{
    for (size_t i = 0; i < e->content_count; i++) {
        memcpy(to, e->content[i].data, e->content[i].size);
        to += e->content[i].size;
    }
}

static lade_status encode_buffer(lade_job *job, const lade_root *root, lade_buffer *buffer)
{
    enc *e = lade_enc_acquire(job);
    if (!e)
        return LADE_ERR_MEMORY;
    size_t head = head_size(job);
    lade_status status = LADE_OK;
    e->keep = buffer;
    if (!lade_buffer_reserve(job, buffer, head + 1))
        status = lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    buffer->size = head;
    if (status == LADE_OK)
        status = lade_encode_job(job, e, root);
    if (status == LADE_OK && e->content_size > SIZE_MAX - buffer->size)
        status = lade_job_fail(job, LADE_ERR_MEMORY, 0, "the message is larger than memory");
    if (status == LADE_OK && e->content_size) {
        size_t skeleton_end = buffer->size;
        if (lade_buffer_reserve(job, buffer, skeleton_end + (size_t)e->content_size)) {
            put_content(e, buffer->data + skeleton_end);
            buffer->size += (size_t)e->content_size;
        } else {
            status = lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
        }
    }
    if (status == LADE_OK && head)
        put_header(e, buffer->data);
    if (status != LADE_OK)
        buffer->size = 0;
    lade_enc_release(e);
    return status;
}

static lade_status encode_fixed(lade_job *job, const lade_root *root, uint8_t *memory,
                                size_t capacity, size_t *size)
{
    enc *e = lade_enc_acquire(job);
    if (!e)
        return LADE_ERR_MEMORY;
    size_t head = head_size(job);
    bool room = memory && capacity > head;
    e->mode = ENC_FIXED;
    e->begin = room ? &memory[head] : NULL;
    e->fixed_end = room ? &memory[capacity] : NULL;
    lade_status status = lade_encode_job(job, e, root);
    if (status == LADE_OK) {
        /* the skeleton is whole in memory only if the encoder never had to leave it */
        uint64_t total = head + e->passed + e->content_size;
        *size = (size_t)total;
        if (memory && (total > capacity || e->left))
            status = LADE_ERR_SPACE;
        if (status == LADE_OK && memory) {
            put_content(e, memory + head + e->passed);
            if (head)
                put_header(e, memory);
        }
    }
    lade_enc_release(e);
    return status;
}

/* Fixed memory that is too small only for the bound of the last fields: by way of a buffer. */
static lade_status encode_by_buffer(lade_job *job, const lade_root *root, uint8_t *memory,
                                    size_t capacity, size_t *size)
{
    lade_buffer buffer = {0};
    lade_status status = encode_buffer(job, root, &buffer);
    if (status == LADE_OK) {
        *size = buffer.size;
        if (buffer.size <= capacity)
            memcpy(memory, buffer.data, buffer.size);
        else
            status = lade_job_fail(job, LADE_ERR_SPACE, 0, "the message needs %zu bytes, not %zu",
                                   buffer.size, capacity);
    }
    lade_buffer_fini(&buffer);
    return status;
}

static lade_status to_buffer(const lade_root *root, lade_buffer *buffer, lade_context *ctx)
{
    lade_job job;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && !buffer)
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "the buffer must not be NULL");
    if (status == LADE_OK)
        status = encode_buffer(&job, root, buffer);
    return lade_job_end(&job, status);
}

lade_status lade_encode_as(const lade_type *type, const void *value, lade_buffer *buffer,
                           lade_context *ctx)
{
    return to_buffer(&(lade_root){.type = type, .value = value}, buffer, ctx);
}

lade_status lade_encode_array_as(const lade_type *type, const void *array, unsigned rank,
                                 const size_t *extents, lade_buffer *buffer, lade_context *ctx)
{
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return to_buffer(&(lade_root){type, array, rank, extents}, buffer, ctx);
}

lade_status lade_encode_to_as(const lade_type *type, const void *value, void *memory,
                              size_t capacity, size_t *size, lade_context *ctx)
{
    lade_root root = {.type = type, .value = value};
    lade_job job;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && (!memory || !size))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "memory and size must not be NULL");
    if (status == LADE_OK)
        status = encode_fixed(&job, &root, memory, capacity, size);
    if (status == LADE_ERR_SPACE && *size <= capacity)
        status = encode_by_buffer(&job, &root, memory, capacity, size);
    else if (status == LADE_ERR_SPACE)
        lade_job_error(&job, status, 0, "the message needs %zu bytes, not %zu", *size, capacity);
    return lade_job_end(&job, status);
}

lade_status lade_encoded_size_as(const lade_type *type, const void *value, size_t *size,
                                 lade_context *ctx)
{
    lade_root root = {.type = type, .value = value};
    lade_job job;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && !size)
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "size must not be NULL");
    if (status == LADE_OK)
        status = encode_fixed(&job, &root, NULL, 0, size);
    return lade_job_end(&job, status);
}

/* Finds the parts of a message, or says what is wrong with it. */
static lade_status message_open(const lade_target *target, const uint8_t *message, size_t size,
                                lade_input *input, lade_context *ctx)
{
    *input = (lade_input){.bytes = message, .size = size, .open_end = true};
    if (ctx && ctx->bare)
        return LADE_OK;
    lade_size skeleton = 0;
    lade_size content = 0;
    if (size < LADE_MESSAGE_HEADER)
        return lade_context_fail(
            ctx, memcmp(message, magic, size < 4 ? size : 4) ? LADE_ERR_FORMAT : LADE_ERR_TRUNCATED,
            0, "%zu bytes are too few for a message", size);
    lade_status status = lade_message_header_get(message, target, &skeleton, &content, ctx);
    if (status != LADE_OK)
        return status;
    lade_size rest = size - LADE_MESSAGE_HEADER;
    if (skeleton > rest || content > rest - skeleton)
        return lade_context_fail(ctx, LADE_ERR_TRUNCATED, 0,
                                 "the message is cut short: %zu bytes are there", size);
    if (skeleton + content < rest)
        return lade_context_fail(ctx, LADE_ERR_FORMAT, 0, "bytes are left over after the message");
    *input = (lade_input){.bytes = message + LADE_MESSAGE_HEADER,
                          .size = (size_t)skeleton,
                          .after = content,
                          .offset = LADE_MESSAGE_HEADER};
    return LADE_OK;
}

static lade_status message_decode(const lade_target *target, const void *message, size_t size,
                                  void *out, lade_context *ctx)
{
    lade_input input;
    if (!message || !target->type)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "type and message must not be NULL");
    lade_status status = message_open(target, message, size, &input, ctx);
    lade_decoding *decoding;
    if (status == LADE_OK)
        status = lade_decoding_begin(target, &input, &decoding, ctx);
    if (status != LADE_OK)
        return status;
    size_t count;
    lade_size consumed;
    const lade_segment *content = lade_decoding_content(decoding, &count, &consumed);
    const uint8_t *from = input.bytes + consumed;
    for (size_t i = 0; i < count; i++) {
        memcpy(content[i].data, from, content[i].size);
        from += content[i].size;
    }
    if (from != (const uint8_t *)message + size) {
        lade_decoding_abort(decoding);
        return lade_context_fail(ctx, LADE_ERR_FORMAT, 0, "bytes are left over after the message");
    }
    return lade_decoding_finish(decoding, out);
}

static lade_status missing(lade_context *ctx, const char *what)
{
    return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "%s must not be NULL", what);
}

lade_status lade_decode_as(const lade_type *type, const void *message, size_t size, void *out,
                           lade_arena **owner, lade_context *ctx)
{
    lade_target target = {.type = type, .owner = owner};
    return out ? message_decode(&target, message, size, out, ctx) : missing(ctx, "out");
}

lade_status lade_decode_into_as(const lade_type *type, const void *message, size_t size,
                                void *value, lade_context *ctx)
{
    lade_target target = {.type = type, .into = value};
    return value ? message_decode(&target, message, size, NULL, ctx) : missing(ctx, "value");
}

lade_status lade_decode_array_as(const lade_type *type, const void *message, size_t size, void *out,
                                 unsigned rank, size_t *extents, lade_arena **owner,
                                 lade_context *ctx)
{
    lade_target target = {.type = type, .rank = rank, .extents = extents, .owner = owner};
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return out ? message_decode(&target, message, size, out, ctx) : missing(ctx, "out");
}

lade_status lade_decode_array_into_as(const lade_type *type, const void *message, size_t size,
                                      void *array, unsigned rank, const size_t *extents,
                                      lade_context *ctx)
{
    size_t there[LADE_MAX_RANK] = {0};
    lade_target target = {.type = type, .rank = rank, .extents = there, .into = array};
    if (rank == 0 || rank > LADE_MAX_RANK || !extents)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    memcpy(there, extents, rank * sizeof *extents);
    size_t none; /* an array without elements may be NULL */
    if (!array && lade_extents_product(rank, extents, &none) && none == 0)
        target.into = &none;
    return target.into ? message_decode(&target, message, size, NULL, ctx) : missing(ctx, "array");
}
