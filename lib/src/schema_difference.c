/* What two schemas differ in, for error messages. */
#include <stdio.h>
#include <string.h>

#include "schema.h"

/* A reader of schema bytes for messages; it stops quietly at anything that is not valid. */
enum { NAMES_MAX = 64, NAME_MAX_CUT = 40 };

typedef struct reader {
    const uint8_t *p, *end;
    char names[NAMES_MAX][NAME_MAX_CUT]; /* of its types, as far as they are known */
} reader;

static uint64_t take_varint(reader *r)
{
    uint8_t padded[LADE_PRIV_VARINT_MAX + 8] = {0};
    uint64_t v = 0;
    size_t left = (size_t)(r->end - r->p);
    memcpy(padded, r->p, left < sizeof padded ? left : sizeof padded);
    const uint8_t *next = left ? lade_priv_get_varint(padded, &v) : NULL;
    if (!next || (size_t)(next - padded) > left) {
        r->p = r->end;
        return 0;
    }
    r->p += next - padded;
    return v;
}

static unsigned take_u8(reader *r)
{
    return r->p < r->end ? *r->p++ : 0;
}

static void take_name(reader *r, char *name, size_t size)
{
    uint64_t n = take_varint(r);
    if (n > (uint64_t)(r->end - r->p))
        n = (uint64_t)(r->end - r->p);
    size_t kept = n < size - 1 ? (size_t)n : size - 1;
    memcpy(name, r->p, kept);
    name[kept] = 0;
    r->p += n;
}

/* One field as text, such as "cost: value f64[3]". */
static void take_field(reader *r, char *text, size_t size)
{
    char name[64];
    char more[64] = "";
    take_name(r, name, sizeof name);
    unsigned kind = take_u8(r);
    unsigned scalar = 0;
    int n = 0;
    if (kind == LADE_KIND_VALUE || kind == LADE_KIND_ENUMERATION) {
        scalar = take_u8(r);
        n = snprintf(more, sizeof more, " %s", lade_scalar_name((lade_scalar)scalar));
    }
    if (kind <= LADE_KIND_RECORD && kind != LADE_KIND_TEXT) {
        unsigned rank = take_u8(r);
        for (unsigned i = 0; i < rank && i < LADE_MAX_EXTENTS && n < 40; i++)
            n += snprintf(more + n, sizeof more - (size_t)n, "[%llu]",
                          (unsigned long long)take_varint(r));
    }
    if (kind == LADE_KIND_ENUMERATION) {
        char ignored[64];
        take_name(r, ignored, sizeof ignored);
        uint64_t count = take_varint(r);
        for (uint64_t i = 0; i < count && r->p < r->end; i++) {
            take_name(r, ignored, sizeof ignored);
            r->p += r->end - r->p < 8 ? r->end - r->p : 8;
        }
        snprintf(more + n, sizeof more - (size_t)n, " with %llu enumerators",
                 (unsigned long long)count);
    }
    if (kind >= LADE_KIND_RECORD) {
        uint64_t target = take_varint(r);
        snprintf(more + n, sizeof more - (size_t)n, " of %s",
                 target < NAMES_MAX ? r->names[target] : "?");
    }
    snprintf(text, size, "%.40s: %s%s", name, lade_kind_name((lade_kind)kind), more);
}

/* Reads the types once for their names. */
static reader reader_begin(const uint8_t *bytes, size_t size)
{
    reader r = {.p = bytes, .end = bytes + size};
    char field[128];
    take_u8(&r);
    uint64_t count = take_varint(&r);
    for (uint64_t t = 0; t < count && r.p < r.end; t++) {
        char name[NAME_MAX_CUT];
        take_name(&r, name, sizeof name);
        if (t < NAMES_MAX)
            memcpy(r.names[t], name, sizeof name);
        if (take_u8(&r) != LADE_NONE)
            continue;
        take_varint(&r);
        uint64_t fields = take_varint(&r);
        for (uint64_t i = 0; i < fields && r.p < r.end; i++)
            take_field(&r, field, sizeof field);
    }
    r.p = bytes;
    return r;
}

void lade_schema_difference(const uint8_t *stored, size_t stored_size, const uint8_t *wanted,
                            size_t wanted_size, char *text, size_t text_size)
{
    reader a = reader_begin(stored, stored_size);
    reader b = reader_begin(wanted, wanted_size);
    char x[128];
    char y[128];
    if (take_u8(&a) != take_u8(&b)) {
        snprintf(text, text_size, "one is a bare array, the other a value");
        return;
    }
    take_varint(&a);
    take_varint(&b);
    while (a.p < a.end && b.p < b.end) {
        char type[64];
        char other[64];
        take_name(&a, type, sizeof type);
        take_name(&b, other, sizeof other);
        unsigned scalar = take_u8(&a);
        if (strcmp(type, other) != 0 || scalar != take_u8(&b)) {
            snprintf(text, text_size, "the file has '%s', the program '%s'", type, other);
            return;
        }
        if (scalar != LADE_NONE)
            continue;
        if (take_varint(&a) != take_varint(&b)) {
            snprintf(text, text_size, "'%s' has another version", type);
            return;
        }
        uint64_t n = take_varint(&a);
        uint64_t m = take_varint(&b);
        for (uint64_t i = 0; i < n || i < m; i++) {
            snprintf(x, sizeof x, "no further field");
            snprintf(y, sizeof y, "no further field");
            if (i < n)
                take_field(&a, x, sizeof x);
            if (i < m)
                take_field(&b, y, sizeof y);
            if (strcmp(x, y) != 0) {
                snprintf(text, text_size, "in '%s' the file has (%s), the program (%s)", type, x,
                         y);
                return;
            }
        }
    }
    snprintf(text, text_size, "the names of enumerators or of targets differ");
}
