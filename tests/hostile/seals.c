#include "seals.h"

#include <string.h>

#include "crc.h"
#include "entry.h"
#include "schema.h"

enum { SEAL_CRC, SEAL_PRINT };

/* A checksum of bytes that lie in the file; others are left out. */
static void add(seals *s, size_t file_size, seal x)
{
    size_t wide = x.kind == SEAL_PRINT ? sizeof(lade_fingerprint) : sizeof(uint32_t);
    bool inside = x.at + wide <= file_size && x.from <= file_size && x.size <= file_size - x.from &&
                  x.from2 <= file_size && x.size2 <= file_size - x.from2;
    if (inside && s->count < SEALS_MOST)
        s->list[s->count++] = x;
}

static bool inside(size_t size, uint64_t at, uint64_t n)
{
    return at <= size && n <= size - at;
}

static void find_schema(seals *s, const uint8_t *bytes, size_t size, size_t at)
{
    const uint8_t *head = bytes + at;
    uint64_t n = get64(head + SCHEMA_SIZE);
    if (!inside(size, at + RECORD_HEAD, n))
        return;
    seal x = {.from = at + RECORD_HEAD, .size = (size_t)n};
    x.at = at + SCHEMA_CRC;
    add(s, size, x);
    x.kind = SEAL_PRINT;
    x.at = at + SCHEMA_FINGERPRINT;
    add(s, size, x);
    for (size_t e = at; e + RECORD_HEAD <= size; e += RECORD_ALIGN) /* entries that use it */
        if (memcmp(bytes + e, "LREC", 4) == 0 && bytes[e + 4] == RECORD_ENTRY &&
            get64(bytes + e + ENTRY_SCHEMA) == at) {
            x.at = e + ENTRY_FINGERPRINT;
            add(s, size, x);
        }
}

/* The trailer of an entry whose skeleton is in at most one frame; its content is at most one array. */
static void find_trailer(seals *s, const uint8_t *bytes, size_t size, size_t at, seal whole)
{
    if (!inside(size, at, TRAILER_SIZE))
        return;
    const uint8_t *trailer = bytes + at;
    uint64_t segments = get64(trailer + TRAILER_SEGMENTS);
    uint64_t table = at + TRAILER_SIZE;
    uint64_t blocks = get64(trailer + TRAILER_BLOCKS);
    if (segments > size || blocks > size || !inside(size, table, 8 * segments + 4 * blocks))
        return;
    uint64_t content = lade_padded(whole.from + whole.size + END_FRAME);
    for (uint64_t i = 0; i < segments; i++) {
        uint64_t n = get64(bytes + table + 8 * i);
        if (!inside(size, content, n))
            return;
        if (blocks == segments)
            add(s, size,
                (seal){.at = (size_t)(table + 8 * segments + 4 * i),
                       .from = (size_t)content,
                       .size = (size_t)n});
        whole.from2 = (size_t)content;
        whole.size2 = (size_t)n;
        content = lade_padded(content + n);
    }
    add(s, size,
        (seal){.at = at + TRAILER_TABLE_CRC,
               .from = (size_t)table,
               .size = (size_t)(8 * segments + 4 * blocks)});
    whole.at = at + TRAILER_ENTRY_CRC;
    if (segments <= 1 && blocks == segments)
        add(s, size, whole);
    add(s, size, (seal){.at = at + TRAILER_CRC, .from = at, .size = TRAILER_CRC});
}

static void find_entry(seals *s, const uint8_t *bytes, size_t size, size_t at)
{
    const uint8_t *head = bytes + at;
    uint64_t name = get32(head + ENTRY_NAME_SIZE);
    uint64_t frame = at + RECORD_HEAD + name;
    if (!inside(size, frame, FRAME_HEAD))
        return;
    add(s, size, (seal){.at = at + ENTRY_NAME_CRC, .from = at + RECORD_HEAD, .size = (size_t)name});
    uint64_t n = get32(bytes + frame);
    seal x = {.at = (size_t)frame + 4, .from = (size_t)frame + FRAME_HEAD, .size = (size_t)n};
    uint64_t end = n ? frame + FRAME_HEAD + n : frame;
    if (!inside(size, end, END_FRAME))
        return;
    if (n)
        add(s, size, x);
    else
        x.from = (size_t)frame;
    add(s, size,
        (seal){.at = (size_t)end + 4,
               .from = (size_t)end + FRAME_HEAD,
               .size = END_FRAME - FRAME_HEAD});
    for (size_t t = at; t + TRAILER_SIZE <= size; t += RECORD_ALIGN)
        if (memcmp(bytes + t, "LEND", 4) == 0 && get64(bytes + t + TRAILER_ENTRY) == at) {
            find_trailer(s, bytes, size, t, x);
            return;
        }
}

static void find_commit(seals *s, const uint8_t *bytes, size_t size, size_t at)
{
    enum { DIRECTORY_SIZE = 32, DIRECTORY_CRC = 40 };
    uint64_t n = get64(bytes + at + DIRECTORY_SIZE);
    if (inside(size, at + RECORD_HEAD, n))
        add(s, size, (seal){.at = at + DIRECTORY_CRC, .from = at + RECORD_HEAD, .size = (size_t)n});
}

static void find_record(seals *s, const uint8_t *bytes, size_t size, size_t at)
{
    switch (bytes[at + 4]) {
    case RECORD_SCHEMA:
        find_schema(s, bytes, size, at);
        break;
    case RECORD_ENTRY:
        find_entry(s, bytes, size, at);
        break;
    case RECORD_COMMIT:
        find_commit(s, bytes, size, at);
        break;
    default:;
    }
}

void seals_find(seals *s, const uint8_t *bytes, size_t size)
{
    s->count = 0;
    for (size_t at = RECORD_HEAD; at + RECORD_HEAD <= size; at += RECORD_ALIGN)
        if (memcmp(bytes + at, "LREC", 4) == 0)
            find_record(s, bytes, size, at);
    /* heads and footers cover the checksums above */
    for (size_t at = 0; at + RECORD_HEAD <= size; at += RECORD_ALIGN)
        if (memcmp(bytes + at, "LREC", 4) == 0 || memcmp(bytes + at, "\x89L", 2) == 0)
            add(s, size, (seal){.at = at + AT_CRC, .from = at, .size = AT_CRC});
}

void seals_close(const seals *s, uint8_t *bytes)
{
    for (size_t i = 0; i < s->count; i++) {
        const seal *x = &s->list[i];
        if (x->kind == SEAL_PRINT) {
            lade_fingerprint print = lade_schema_fingerprint(bytes + x->from, x->size);
            put64(bytes + x->at, print.low);
            put64(bytes + x->at + 8, print.high);
            continue;
        }
        lade_crc_sum sum = lade_crc_sum_begin(RECORD_ALIGN);
        lade_crc_sum_add(&sum, lade_crc(bytes + x->from, x->size), x->size);
        if (x->size2)
            lade_crc_sum_add(&sum, lade_crc(bytes + x->from2, x->size2), x->size2);
        put32(bytes + x->at, sum.crc);
    }
}
