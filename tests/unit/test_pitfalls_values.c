/* What has hurt users of other serializers with values, one test each: by plan and by surrogate, in memory. */
#include <lade/backend.h>

#include "kind_types.h"
#include "support.h"

#include <limits.h>
#include <stdalign.h>
#include <stdlib.h>
#include <wchar.h>

/* clang-format off */
__extension__ typedef enum { LEAST = INT64_MIN, BELOW_INT = -3000000000, MOST = INT64_MAX } wide;
LADE_ENUM(wide, LEAST, BELOW_INT, MOST)
typedef struct { wide one, row[3]; int64_t held; } wide_enums;
LADE_STRUCT(wide_enums, (enumeration, one, wide), (enumeration, row, wide), (enumeration, held, wide))
typedef struct { long l; unsigned long ul; size_t size; wchar_t wide; ptrdiff_t diff; intmax_t most; } machine;
LADE_STRUCT(machine, (value, l), (value, ul), (value, size), (value, wide), (value, diff), (value, most))
/* The same struct where long has 32 bits. */
typedef struct { int32_t l; uint32_t ul; uint32_t size; int32_t wide; int32_t diff; int64_t most; } small_machine;
static const lade_field small_fields[] = {
    {.name = "l", .kind = LADE_KIND_VALUE, .scalar = LADE_I32, .offset = offsetof(small_machine, l)},
    {.name = "ul", .kind = LADE_KIND_VALUE, .scalar = LADE_U32, .offset = offsetof(small_machine, ul)},
    {.name = "size", .kind = LADE_KIND_VALUE, .scalar = LADE_U32, .offset = offsetof(small_machine, size)},
    {.name = "wide", .kind = LADE_KIND_VALUE, .scalar = LADE_I32, .offset = offsetof(small_machine, wide)},
    {.name = "diff", .kind = LADE_KIND_VALUE, .scalar = LADE_I32, .offset = offsetof(small_machine, diff)},
    {.name = "most", .kind = LADE_KIND_VALUE, .scalar = LADE_I64, .offset = offsetof(small_machine, most)}};
static const lade_type small_type = {
    .name = "machine", .size = sizeof(small_machine), .align = alignof(small_machine), .field_count = 6,
    .fields = small_fields};

typedef struct { bool *flags; uint32_t nflags; bool row[3]; bool table[2][3]; } switches;
LADE_STRUCT(switches, (vector, flags, nflags), (value, row), (value, table))
typedef struct { uint8_t *bytes; uint32_t nbytes; char *chars; uint32_t nchars; int8_t signs[5]; } small_things;
LADE_STRUCT(small_things, (vector, bytes, nbytes), (vector, chars, nchars), (value, signs))

typedef struct { uint8_t a; double b; int16_t c; } gaps;             /* padding inside and behind */
typedef struct { double a; int32_t b; } behind;                      /* padding behind only */
typedef struct { alignas(32) float a; int64_t b; char c; } aligned;  /* much of it */
typedef struct { int32_t listed; int32_t not_listed; int64_t listed_too; } partly;
LADE_STRUCT(gaps, (value, a), (value, b), (value, c))
LADE_STRUCT(behind, (value, a), (value, b))
LADE_STRUCT(aligned, (value, a), (value, b), (value, c))
LADE_STRUCT(partly, (value, listed), (value, listed_too))
typedef struct {
    gaps g, grow[3]; gaps *gmany; uint32_t n; behind *bmany; behind brow[3]; aligned *amany; aligned arow[3];
    partly *pmany; partly prow[3];
} padded;
LADE_STRUCT(padded,
    (record, g, gaps), (record, grow, gaps), (vector, gmany, n, gaps), (vector, bmany, n, behind), (record, brow, behind),
    (vector, amany, n, aligned), (record, arow, aligned), (vector, pmany, n, partly), (record, prow, partly))

typedef struct { int32_t cube[2][3][4][5]; int8_t lines[3][2]; } nested;
typedef struct { nested row[3], grid[2][2]; double square[2][2]; } nested_more;
LADE_STRUCT(nested, (value, cube), (value, lines))
LADE_STRUCT(nested_more, (record, row, nested), (record, grid, nested), (value, square))
typedef struct { uint8_t only; } byte;
LADE_STRUCT(byte, (value, only))
typedef struct { byte one, row[3]; byte *many; uint32_t nmany; byte *maybe; byte *shared, *again; } bytes;
LADE_STRUCT(bytes,
    (record, one, byte), (record, row, byte), (vector, many, nmany, byte), (optional, maybe, byte),
    (ref, shared, byte), (ref, again, byte))
#define FIVE_MEMBERS(f) uint8_t f##0; double f##1; int16_t f##2; bool f##3; int64_t f##4; 
#define TEN_MEMBERS(f) FIVE_MEMBERS(f##0) FIVE_MEMBERS(f##1)
#define FIVE_FIELDS(f) (value, f##0), (value, f##1), (value, f##2), (value, f##3), (value, f##4)
#define TEN_FIELDS(f) FIVE_FIELDS(f##0), FIVE_FIELDS(f##1)
typedef struct {
    TEN_MEMBERS(a) TEN_MEMBERS(b) TEN_MEMBERS(c) TEN_MEMBERS(d) TEN_MEMBERS(e)
    TEN_MEMBERS(f) TEN_MEMBERS(g) TEN_MEMBERS(h) TEN_MEMBERS(i) TEN_MEMBERS(j)
} hundred;
LADE_STRUCT(hundred,
    TEN_FIELDS(a), TEN_FIELDS(b), TEN_FIELDS(c), TEN_FIELDS(d), TEN_FIELDS(e),
    TEN_FIELDS(f), TEN_FIELDS(g), TEN_FIELDS(h), TEN_FIELDS(i), TEN_FIELDS(j))
typedef struct { double *x; uint16_t nx; gaps *g; int32_t ng; char *t; double *y; uint16_t ny; } empties;
LADE_STRUCT(empties, (vector, x, nx), (vector, g, ng, gaps), (text, t), (pool, y, ny))
/* clang-format on */

/* 10. A 64-bit enumeration is kept whole, listed or not; a type whose width differs between machines keeps
 * the width that it has here, and a reader to whom it is narrower is told so. */
static void pitfall_10_widths(void **state)
{
    (void)state;
    const wide_enums e = {
        .one = MOST, .row = {LEAST, BELOW_INT, (wide)-3000000001}, .held = 1ll << 40};
    lade_arena *owner = NULL;
    const wide_enums *w = ROUND_TRIP(wide_enums, &e, &owner);
    assert_true(w->one == MOST && w->row[0] == LEAST && w->row[1] == BELOW_INT);
    assert_true((int64_t)w->row[2] == -3000000001 && w->held == 1ll << 40);
    lade_arena_destroy(owner);
    owner = NULL;
    const machine most = {LONG_MAX, ULONG_MAX, SIZE_MAX, WCHAR_MAX, PTRDIFF_MAX, INTMAX_MAX};
    const machine least = {LONG_MIN, 1, 2, WCHAR_MIN, PTRDIFF_MIN, INTMAX_MIN};
    const machine *m = ROUND_TRIP(machine, &most, &owner);
    assert_true(m->l == LONG_MAX && m->ul == ULONG_MAX && m->size == SIZE_MAX);
    assert_true(m->wide == WCHAR_MAX && m->diff == PTRDIFF_MAX && m->most == INTMAX_MAX);
    lade_arena_destroy(owner);
    owner = NULL;
    m = ROUND_TRIP(machine, &least, &owner);
    assert_true(m->l == LONG_MIN && m->ul == 1 && m->size == 2);
    assert_true(m->wide == WCHAR_MIN && m->diff == PTRDIFF_MIN && m->most == INTMAX_MIN);
    lade_arena_destroy(owner);
    static const size_t sizes[] = {sizeof(long),    sizeof(long),      sizeof(size_t),
                                   sizeof(wchar_t), sizeof(ptrdiff_t), sizeof(intmax_t)};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        assert_int_equal(lade_scalar_size((lade_scalar)lade_type_machine.fields[i].scalar),
                         sizes[i]);
    lade_buffer message = {0};
    void *out = NULL;
    owner = NULL;
    assert_status(lade_encode(machine, &most, &message, NULL), LADE_OK);
    assert_status(lade_decode_as(&small_type, message.data, message.size, &out, &owner, NULL),
                  sizeof(long) == 8 ? LADE_ERR_TYPE : LADE_OK);
    lade_arena_destroy(owner);
    lade_buffer_fini(&message);
}

/* 13. Arrays of booleans and of other single bytes are one piece, a byte each, moved at once; a byte of a
 * boolean that is neither 0 nor 1 is found wherever it stands. */
static void pitfall_13_arrays_of_bytes(void **state)
{
    (void)state;
    enum { N = 100000 };
    bool *flags = calloc(N, sizeof *flags);
    assert_non_null(flags);
    for (int i = 0; i < N; i++)
        flags[i] = i % 3 == 1;
    const switches s = {flags, N, {true, false, true}, {{true, true, false}, {false, true, true}}};
    lade_arena *owner = NULL;
    const switches *x = ROUND_TRIP(switches, &s, &owner);
    assert_memory_equal(x->flags, flags, N);
    assert_memory_equal(x->row, s.row, 3);
    assert_memory_equal(x->table, s.table, 6);
    lade_arena_destroy(owner);
    lade_context ctx = {.bare = true};
    lade_buffer message = {0};
    assert_status(lade_encode(switches, &s, &message, &ctx), LADE_OK);
    assert_true(ctx.stats.segments == 1 && ctx.stats.content_bytes == N);
    assert_int_equal(message.size, 3 + 9 + N); /* the count, the fixed arrays */
    size_t step = message.size / 50;
    for (size_t at = 3; at < message.size; at += at < 12 ? 1 : step) {
        uint8_t old = message.data[at];
        message.data[at] = 2;
        test_refused(&lade_type_switches, message.data, message.size, LADE_ERR_VALUE);
        message.data[at] = old;
    }
    const uint8_t expected[] = {3 << 1 | 1, 1, 128, 255, 2 << 1 | 1, 'x', 0, 255, 254, 0, 1, 2};
    const small_things t = {(uint8_t[]){1, 128, 255}, 3, (char[]){'x', 0}, 2, {-1, -2, 0, 1, 2}};
    test_bytes(&lade_type_small_things, &t, expected, sizeof expected);
    owner = NULL;
    assert_memory_equal(ROUND_TRIP(small_things, &t, &owner)->chars, t.chars, 2);
    lade_arena_destroy(owner);
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
    free(flags);
}

enum { PADDED = 5 };

/* The same value in memory that was full of something. */
typedef struct padded_parts {
    padded p;
    gaps g[PADDED];
    behind b[PADDED];
    aligned a[PADDED];
    partly x[PADDED];
} padded_parts;

static gaps fill_gaps(gaps *g, int i)
{
    g->a = (uint8_t)i;
    g->b = i + 0.5;
    g->c = (int16_t)-i;
    return *g;
}

static void fill_others(behind *b, aligned *a, partly *x, int i)
{
    b->a = i;
    b->b = -i;
    a->a = (float)i;
    a->b = i * 1000;
    a->c = (char)i;
    x->listed = i;
    x->listed_too = -i;
}

static void fill_padded(padded_parts *parts, int dirt)
{
    memset(parts, dirt, sizeof *parts);
    padded *p = &parts->p;
    p->gmany = parts->g;
    p->bmany = parts->b;
    p->amany = parts->a;
    p->pmany = parts->x;
    p->n = PADDED;
    fill_gaps(&p->g, 99);
    for (int i = 0; i < PADDED; i++) {
        fill_gaps(&parts->g[i], i);
        fill_others(&parts->b[i], &parts->a[i], &parts->x[i], i);
    }
    for (int i = 0; i < 3; i++) {
        fill_gaps(&p->grow[i], i + 10);
        fill_others(&p->brow[i], &p->arow[i], &p->prow[i], i + 10);
    }
}

static void check_gaps(const gaps *g, int i)
{
    assert_true(g->a == i && g->b == i + 0.5 && g->c == -i);
}

static void check_others(const behind *b, const aligned *a, const partly *x, int i)
{
    assert_true(b->a == i && b->b == -i);
    assert_true(a->a == (float)i && a->b == i * 1000 && a->c == i && (uintptr_t)a % 32 == 0);
    assert_true(x->listed == i && x->listed_too == -i);
    assert_int_equal(x->not_listed, 0);
}

/* 14. Padding is neither read nor written: equal values give equal bytes whatever stands between their members,
 * and the sum of the members, not sizeof, is what an element takes. Elements beyond the first are where they
 * belong. */
static void pitfall_14_padding(void **state)
{
    (void)state;
    static padded_parts parts[2];
    lade_buffer messages[2] = {{0}};
    lade_context ctx = {.bare = true};
    for (int i = 0; i < 2; i++) {
        fill_padded(&parts[i], i ? 0xff : 0x11);
        ctx.interpret = i;
        assert_status(lade_encode(padded, &parts[i].p, &messages[i], &ctx), LADE_OK);
    }
    enum { GAPS = 11, BEHIND = 12, ALIGNED = 13, PARTLY = 12, OTHERS = BEHIND + ALIGNED + PARTLY };
    size_t counts = 4; /* each vector has its own */
    assert_int_equal(messages[0].size, GAPS * (1 + 3 + PADDED) + OTHERS * (3 + PADDED) + counts);
    assert_int_equal(messages[0].size, messages[1].size);
    assert_memory_equal(messages[0].data, messages[1].data, messages[0].size);
    lade_arena *owner = NULL;
    const padded *p = ROUND_TRIP(padded, &parts[1].p, &owner);
    check_gaps(&p->g, 99);
    for (int i = 0; i < PADDED; i++) {
        check_gaps(&p->gmany[i], i);
        check_others(&p->bmany[i], &p->amany[i], &p->pmany[i], i);
    }
    for (int i = 0; i < 3; i++) {
        check_gaps(&p->grow[i], i + 10);
        check_others(&p->brow[i], &p->arow[i], &p->prow[i], i + 10);
    }
    lade_arena_destroy(owner);
    owner = NULL;
    size_t n[2] = {1, PADDED}; /* bare arrays too */
    behind *bare;
    assert_status(lade_encode_records(behind, parts[0].b, 2, n, &messages[0], &ctx), LADE_OK);
    assert_int_equal(messages[0].size, 3 + PADDED * BEHIND);
    assert_status(
        lade_decode_records(behind, messages[0].data, messages[0].size, &bare, 2, n, &owner, &ctx),
        LADE_OK);
    for (int i = 0; i < PADDED; i++)
        assert_true(bare[i].a == i && bare[i].b == -i);
    lade_arena_destroy(owner);
    for (int i = 0; i < 2; i++)
        lade_buffer_fini(&messages[i]);
    lade_context_fini(&ctx);
}

static void check_nested_arrays(void)
{
    nested_more *in = calloc(1, sizeof *in);
    assert_non_null(in);
    for (int i = 0; i < 7; i++) {
        nested *x = i < 3 ? &in->row[i] : &in->grid[(i - 3) / 2][(i - 3) % 2];
        for (int k = 0; k < 120; k++)
            x->cube[k / 60][k / 20 % 3][k / 5 % 4][k % 5] = i * 1000 + k;
        for (int k = 0; k < 6; k++)
            x->lines[k / 2][k % 2] = (int8_t)(i * 10 + k);
    }
    in->square[1][0] = 2.5;
    lade_arena *owner = NULL;
    const nested_more *out = ROUND_TRIP(nested_more, in, &owner);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(out->row[i].cube, in->row[i].cube, sizeof in->row[i].cube);
    assert_true(out->grid[1][1].cube[1][2][3][4] == 6119 && out->grid[1][0].lines[2][1] == 55);
    assert_true(out->square[1][0] == 2.5 && out->square[0][1] == 0);
    lade_arena_destroy(owner);
    free(in);
}

static void check_single_bytes(void)
{
    byte shared = {9};
    const bytes in = {{1},     {{2}, {3}, {4}}, (byte[]){{5}, {6}, {7}}, 3, &(byte){8},
                      &shared, &shared};
    lade_arena *owner = NULL;
    const bytes *out = ROUND_TRIP(bytes, &in, &owner);
    assert_true(out->one.only == 1 && out->row[2].only == 4 && out->nmany == 3);
    assert_true(out->many[0].only == 5 && out->many[2].only == 7 && out->maybe->only == 8);
    assert_true(out->shared == out->again && out->shared->only == 9);
    lade_arena_destroy(owner);
    const uint8_t expected[] = {0xfe};
    test_bytes(&lade_type_byte, &(byte){0xfe}, expected, 1);
}

static void check_a_hundred_fields(void)
{
    hundred in[3];
    memset(in, 0, sizeof in); /* padding too: it is compared */
    assert_int_equal(lade_type_hundred.field_count, 100);
    for (int i = 0; i < 3; i++) {
        in[i].a00 = (uint8_t)(i + 1);
        in[i].e11 = i + 0.25;
        in[i].j13 = true;
        in[i].j14 = INT64_MIN + i;
    }
    size_t n = 3;
    hundred *out;
    lade_arena *owner = NULL;
    lade_buffer message = {0};
    lade_context ctx = {.bare = true};
    assert_memory_equal(ROUND_TRIP(hundred, &in[1], &owner), &in[1], sizeof *in);
    lade_arena_destroy(owner);
    owner = NULL;
    assert_status(lade_encode_records(hundred, in, 1, &n, &message, &ctx), LADE_OK);
    assert_int_equal(message.size, 2 + 3 * 20 * (1 + 8 + 2 + 1 + 8));
    assert_status(
        lade_decode_records(hundred, message.data, message.size, &out, 1, &n, &owner, &ctx),
        LADE_OK);
    for (int i = 0; i < 3; i++)
        assert_true(out[i].a00 == i + 1 && out[i].e11 == i + 0.25 && out[i].j13 &&
                    out[i].j14 == INT64_MIN + i);
    lade_arena_destroy(owner);
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
}

static void check_nothing(void)
{
    double unused[1] = {1};
    gaps none[1];
    lade_arena *owner = NULL;
    lade_buffer message = {0};
    const empties null = {0};
    const empties not_null = {.x = unused, .g = none, .t = NULL, .y = unused};
    const uint8_t expected[] = {1, 1, 1, 1};
    test_bytes(&lade_type_empties, &null, expected, sizeof expected);
    test_bytes(&lade_type_empties, &not_null, expected, sizeof expected);
    const empties *out = ROUND_TRIP(empties, &null, &owner);
    assert_true(!out->x && !out->g && !out->t && !out->y && !out->nx && !out->ng && !out->ny);
    lade_arena_destroy(owner);
    const empties wrong[] = {{.nx = 1}, {.ng = 1}, {.ny = 1}, {.g = none, .ng = -1}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_status(lade_encode(empties, &wrong[i], &message, NULL), LADE_ERR_VALUE);
    const size_t shapes[][2] = {{0, 3}, {3, 0}, {0, 0}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        int32_t *array = (int32_t *)unused;
        size_t extents[2];
        owner = NULL;
        assert_status(lade_encode_array((int32_t *)NULL, 2, shapes[i], &message, NULL), LADE_OK);
        assert_status(
            lade_decode_array(message.data, message.size, &array, 2, extents, &owner, NULL),
            LADE_OK);
        assert_true(!array && extents[0] == shapes[i][0] && extents[1] == shapes[i][1]);
        lade_arena_destroy(owner);
    }
    lade_buffer_fini(&message);
}

/* Versions of one type: 200, and as large as they can be. */
static unsigned version_seen;

typedef struct {
    uint8_t byte;
} versioned;

static lade_status versioned_save(lade_out *out, const versioned *v)
{
    lade_out_u8(out, v->byte);
    return LADE_OK;
}

static lade_status versioned_load(lade_in *in, versioned *v, uint32_t version)
{
    v->byte = lade_in_u8(in);
    version_seen = version;
    return LADE_OK;
}

LADE_CUSTOM(versioned, 200, versioned_save, versioned_load)

/* 11. A version number is a number of 32 bits, and comes back as it was. */
static void pitfall_11_versions(void **state)
{
    (void)state;
    static const uint32_t versions[] = {0,   1,   127,   128,       200,
                                        255, 256, 65535, INT32_MAX, UINT32_MAX};
    lade_fingerprint before = {0, 0};
    for (size_t i = 0; i < COUNT_OF(versions); i++) {
        lade_type type = lade_type_versioned;
        lade_arena *owner = NULL;
        lade_buffer message = {0};
        versioned v = {7};
        versioned *out;
        lade_fingerprint print;
        type.version = versions[i];
        type.cell = NULL;
        assert_status(lade_fingerprint_of(&type, &print, NULL), LADE_OK);
        assert_true(print.low != before.low || print.high != before.high);
        before = print;
        assert_status(lade_encode_as(&type, &v, &message, NULL), LADE_OK);
        assert_status(lade_decode_as(&type, message.data, message.size, &out, &owner, NULL),
                      LADE_OK);
        assert_int_equal(version_seen, versions[i]);
        assert_int_equal(out->byte, 7);
        lade_arena_destroy(owner);
        lade_buffer_fini(&message);
    }
}

/* A struct with fields that are not stored only. */
static void check_only_skipped(void)
{
    skipped s[3] = {{(void *)1}, {(void *)2}, {(void *)3}};
    size_t n = COUNT_OF(s);
    lade_arena *owner = NULL;
    lade_buffer message = {0};
    skipped *out;
    assert_status(lade_encode_records(skipped, s, 1, &n, &message, NULL), LADE_OK);
    assert_int_equal(message.size, LADE_MESSAGE_HEADER + 2);
    n = 0;
    assert_status(
        lade_decode_records(skipped, message.data, message.size, &out, 1, &n, &owner, NULL),
        LADE_OK);
    assert_true(n == 3 && !out[0].only && !out[1].only && !out[2].only);
    lade_arena_destroy(owner);
    lade_buffer_fini(&message);
}

/* 15. Nested fixed arrays, structs of one byte and of a hundred fields, arrays of no elements, NULL. */
static void pitfall_15_shapes(void **state)
{
    (void)state;
    check_nested_arrays();
    check_single_bytes();
    check_a_hundred_fields();
    check_nothing();
    check_only_skipped();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pitfall_10_widths),          cmocka_unit_test(pitfall_11_versions),
        cmocka_unit_test(pitfall_13_arrays_of_bytes), cmocka_unit_test(pitfall_14_padding),
        cmocka_unit_test(pitfall_15_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
