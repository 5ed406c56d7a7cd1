/*
 * Envelopes, 64 bytes: "LADE", version (1), flags (bit 0: array), status of a root that failed,
 * zero, fingerprint (low, high), bytes of the skeleton, bytes of the content, bytes of a chunk,
 * sequence number, zeros. Numbers are little-endian.
 */
#include <string.h>

#include <lade/surrogate.h>

#include "mpi_internal.h"

enum { FLAG_ARRAY = 1 };
enum {
    AT_VERSION = 4,
    AT_FLAGS = 5,
    AT_STATUS = 6,
    AT_FINGERPRINT = 8,
    AT_SKELETON = 24,
    AT_CONTENT = 32,
    AT_CHUNK = 40,
    AT_SEQUENCE = 48
};
static const uint8_t magic[4] = {'L', 'A', 'D', 'E'};

void lade_envelope_put(const lade_envelope *e, uint8_t *bytes)
{
    memset(bytes, 0, ENVELOPE_HEAD);
    memcpy(bytes, magic, sizeof magic);
    bytes[AT_VERSION] = PROTOCOL_VERSION;
    bytes[AT_FLAGS] = e->array ? FLAG_ARRAY : 0;
    bytes[AT_STATUS] = (uint8_t)e->status;
    lade_priv_store64(bytes + AT_FINGERPRINT, e->fingerprint.low);
    lade_priv_store64(bytes + AT_FINGERPRINT + 8, e->fingerprint.high);
    lade_priv_store64(bytes + AT_SKELETON, e->skeleton_size);
    lade_priv_store64(bytes + AT_CONTENT, e->content_size);
    lade_priv_store64(bytes + AT_CHUNK, e->chunk);
    lade_priv_store64(bytes + AT_SEQUENCE, e->sequence);
}

lade_status lade_envelope_get(lade_envelope *e, const uint8_t *bytes, size_t size,
                              lade_context *ctx)
{
    if (size < ENVELOPE_HEAD || memcmp(bytes, magic, sizeof magic) != 0)
        return lade_context_fail(ctx, LADE_ERR_FORMAT, 0, "the message was not sent by Lade");
    if (bytes[AT_STATUS] >= LADE_STATUS_COUNT)
        return lade_context_fail(ctx, LADE_ERR_FORMAT, 0, "the envelope is not valid");
    if (bytes[AT_VERSION] != PROTOCOL_VERSION)
        return lade_context_fail(ctx, LADE_ERR_VERSION, 0,
                                 "the message has protocol version %u, this library speaks %u",
                                 bytes[AT_VERSION], PROTOCOL_VERSION);
    *e = (lade_envelope){.status = (lade_status)bytes[AT_STATUS],
                         .array = bytes[AT_FLAGS] & FLAG_ARRAY,
                         .fingerprint = {lade_priv_load64(bytes + AT_FINGERPRINT),
                                         lade_priv_load64(bytes + AT_FINGERPRINT + 8)},
                         .skeleton_size = lade_priv_load64(bytes + AT_SKELETON),
                         .content_size = lade_priv_load64(bytes + AT_CONTENT),
                         .chunk = lade_priv_load64(bytes + AT_CHUNK),
                         .sequence = (uint32_t)lade_priv_load64(bytes + AT_SEQUENCE)};
    return LADE_OK;
}

lade_status lade_envelope_check(const lade_envelope *e, const lade_target *target,
                                lade_context *ctx)
{
    lade_fingerprint wanted;
    lade_status status = lade_target_fingerprint(target, &wanted, ctx);
    if (status != LADE_OK)
        return status;
    if (e->fingerprint.low == wanted.low && e->fingerprint.high == wanted.high)
        return LADE_OK;
    return lade_context_fail(ctx, LADE_ERR_TYPE, 0,
                             "the receiver expects %s'%s', the sender sent another type "
                             "(fingerprint %016llx%016llx, not %016llx%016llx)",
                             target->rank ? "an array of " : "", target->type->name,
                             (unsigned long long)e->fingerprint.high,
                             (unsigned long long)e->fingerprint.low,
                             (unsigned long long)wanted.high, (unsigned long long)wanted.low);
}

bool lade_skeleton_inline(const lade_envelope *e, size_t room)
{
    return e->skeleton_size <= room;
}

bool lade_content_inline(const lade_envelope *e, size_t room)
{
    return lade_skeleton_inline(e, room) && e->content_size <= room - e->skeleton_size;
}

uint8_t *lade_inline_put(const lade_envelope *e, size_t room, const lade_manifest *m, uint8_t *to)
{
    if (lade_skeleton_inline(e, room)) {
        memcpy(to, m->skeleton, (size_t)m->skeleton_size);
        to += m->skeleton_size;
    }
    for (size_t i = 0; i < m->content_count && lade_content_inline(e, room); i++) {
        memcpy(to, m->content[i].data, m->content[i].size);
        to += m->content[i].size;
    }
    return to;
}

lade_status lade_inline_get(const lade_envelope *e, size_t room, lade_decoding *decoding,
                            const uint8_t *from, lade_context *ctx)
{
    size_t count;
    lade_size total = 0;
    const lade_segment *content = lade_decoding_content(decoding, &count, NULL);
    for (size_t i = 0; i < count; i++)
        total += content[i].size;
    if (total != e->content_size)
        return lade_context_fail(ctx, LADE_ERR_FORMAT, 0,
                                 "the message has another amount of content than its value");
    for (size_t i = 0; i < count && lade_content_inline(e, room); i++) {
        memcpy(content[i].data, from, content[i].size);
        from += content[i].size;
    }
    return LADE_OK;
}
