/* Fingerprints, and descriptors that cannot be. */
#include "support.h"

#include "schema_twin.h"

#include <stdlib.h>

/* clang-format off */
typedef struct { double x; int32_t y; } point;
LADE_STRUCT(point, (value, x), (value, y))
typedef struct list list;
struct list { point *p; uint32_t n; char *name; list *next; };
LADE_STRUCT(list, (vector, p, n, point), (text, name), (ref, next, list))
typedef enum { RED, GREEN } colour;
LADE_ENUM(colour, RED, GREEN)
typedef struct { colour c; int32_t v[2][3]; char t[8]; point in; double *w; size_t nw; } all;
LADE_STRUCT(all, (enumeration, c, colour), (value, v), (fixed_text, t), (record, in, point),
    (optional, w))
/* clang-format on */

enum { FIELDS = 5 };

/* A copy of a type that a case may change. */
typedef struct draft {
    lade_type type;
    lade_field f[FIELDS];
    lade_type inner;
    lade_field inner_f[2];
    lade_enum e;
    lade_enumerator list[3];
} draft;

static void draft_init(draft *d)
{
    memset(d, 0, sizeof *d);
    d->type = lade_type_all;
    memcpy(d->f, lade_type_all.fields, sizeof d->f);
    d->type.fields = d->f;
    d->inner = lade_type_point;
    memcpy(d->inner_f, lade_type_point.fields, sizeof d->inner_f);
    d->inner.fields = d->inner_f;
    d->e = lade_enum_colour;
    memcpy(d->list, lade_enum_colour.list, 2 * sizeof *d->list);
    d->list[2] = (lade_enumerator){"BLUE", 2};
    d->e.list = d->list;
    d->f[0].enumeration = &d->e;
    d->f[3].type = &d->inner;
    d->type.cell = d->inner.cell = NULL;
    d->type.save = d->inner.save = NULL;
    d->type.load = d->inner.load = NULL;
}

static lade_fingerprint print_of(const lade_type *type)
{
    lade_fingerprint f = {0};
    lade_error error;
    lade_context ctx = {.error = &error};
    assert_ok(lade_fingerprint_of(type, &f, &ctx), &error);
    lade_context_fini(&ctx);
    return f;
}

static bool same(lade_fingerprint a, lade_fingerprint b)
{
    return a.low == b.low && a.high == b.high;
}

static void equal_types_in_two_translation_units(void **state)
{
    (void)state;
    assert_true(same(print_of(&lade_type_list), print_of(&twin_list)));
    assert_true(same(print_of(&lade_type_list), print_of(&lade_type_list)));
    point p[2] = {{1, 2}, {3, 4}};
    list in = {p, 2, NULL, &in};
    list *out = NULL;
    lade_arena *owner = NULL;
    lade_buffer buffer = {0};
    assert_int_equal(lade_encode(list, &in, &buffer, NULL), LADE_OK);
    assert_int_equal(lade_decode_as(&twin_list, buffer.data, buffer.size, &out, &owner, NULL),
                     LADE_OK);
    assert_true(out->n == 2 && out->p[1].y == 4 && out->next == out);
    lade_buffer_fini(&buffer);
    lade_arena_destroy(owner);
}

/* Placement in memory is no part of the schema: size, offsets, alignment, width of counts. */
static void what_does_not_change_a_fingerprint(void **state)
{
    (void)state;
    draft d;
    draft_init(&d);
    const lade_fingerprint f = print_of(&lade_type_all);
    assert_true(same(f, print_of(&d.type)));
    d.type.size += 64;
    d.type.align *= 2;
    d.f[3].offset += 64;
    assert_true(same(f, print_of(&d.type)));
}

static void change(draft *d, int which)
{
    switch (which) {
    case 0:
        d->type.name = "other";
        break;
    case 1:
        d->type.version = 1;
        break;
    case 2:
        d->type.field_count--;
        break;
    case 3:
        d->f[1].name = "w2";
        break;
    case 4:
        d->f[1].scalar = LADE_U32;
        break;
    case 5:
        d->f[1].extent[0] = 1;
        break;
    case 6:
        d->f[1].rank = 1;
        break;
    case 7:
        d->f[2].extent[0] = 7;
        break;
    case 8:
        d->f[3].type = &twin_list;
        d->type.size += sizeof(list);
        break;
    case 9:
        d->inner_f[1].name = "z";
        break;
    case 10:
        d->inner_f[1].scalar = LADE_F32;
        break;
    case 11:
        d->inner.name = "pt";
        break;
    case 12:
        d->f[4].kind = LADE_KIND_REF;
        break;
    case 13:
        d->f[4].type = &lade_scalar_i64;
        break;
    case 14:
        d->e.name = "color";
        break;
    case 15:
        d->list[1].name = "GRUEN";
        break;
    case 16:
        d->list[1].value = 7;
        break;
    case 17:
        d->e.count = 3;
        break;
    case 18:
        d->f[0].kind = LADE_KIND_VALUE;
        d->f[0].enumeration = NULL;
        break;
    case 19:
        d->inner_f[0] = lade_type_point.fields[1];
        d->inner_f[1] = lade_type_point.fields[0];
        break;
    case 20:
        d->f[3].rank = 1;
        d->f[3].extent[0] = 1;
        break;
    }
}

static void any_change_gives_another_fingerprint(void **state)
{
    (void)state;
    enum { CHANGES = 21 };
    lade_fingerprint seen[CHANGES + 1];
    seen[CHANGES] = print_of(&lade_type_all);
    for (int i = 0; i < CHANGES; i++) {
        draft d;
        draft_init(&d);
        /* far apart, so that no change makes two members share bytes */
        for (size_t k = 0; k < d.type.field_count; k++)
            d.f[k].offset = 256 * (k + 1);
        d.type.size = 256 * (d.type.field_count + 2);
        change(&d, i);
        seen[i] = print_of(&d.type);
        for (int k = 0; k < i; k++)
            assert_false(same(seen[i], seen[k]));
        assert_false(same(seen[i], seen[CHANGES]));
    }
    for (int i = LADE_BOOL; i < LADE_C64; i++)
        assert_false(same(print_of(&lade_scalar_bool), print_of(&lade_scalar_c64)));
}

static void descriptors_that_cannot_be(void **state)
{
    (void)state;
    draft d;
    draft_init(&d);
    d.f[1].offset = d.type.size - 4;
    support_refused(&d.type, "all.v");
    draft_init(&d);
    d.f[1].kind = 99;
    support_refused(&d.type, "all.v");
    draft_init(&d);
    d.f[1].scalar = LADE_NONE;
    support_refused(&d.type, "all.v");
    draft_init(&d);
    d.f[3].type = NULL;
    support_refused(&d.type, "all.in");
    draft_init(&d);
    d.f[0].enumeration = NULL;
    support_refused(&d.type, "all.c");
    draft_init(&d);
    d.type.field_count = 0;
    support_refused(&d.type, "all has no fields");
    draft_init(&d);
    d.f[3].type = &d.type;
    d.type.size *= 3;
    support_refused(&d.type, "all.in");
    draft_init(&d);
    d.f[4].kind = LADE_KIND_VECTOR;
    support_refused(&d.type, "all.w");
    draft_init(&d);
    d.f[4].kind = LADE_KIND_VECTOR;
    d.f[4].count_scalar = LADE_F64; /* a count is an integer */
    d.f[4].count_offset = offsetof(all, nw);
    support_refused(&d.type, "all.w");
    draft_init(&d);
    d.f[4].kind = LADE_KIND_VECTOR;
    d.f[4].count_scalar = LADE_U64;
    d.f[4].count_offset = d.type.size - 4;
    support_refused(&d.type, "all.w");
    draft_init(&d);
    d.f[0].rank = LADE_MAX_EXTENTS + 1;
    support_refused(&d.type, "all.c");
    draft_init(&d);
    d.f[1].scalar = LADE_C64 + 1;
    support_refused(&d.type, "all.v");
    draft_init(&d);
    d.f[1].extent[0] = 0;
    support_refused(&d.type, "all.v");
    draft_init(&d);
    d.f[1].name = "t"; /* two fields of one name */
    support_refused(&d.type, "all.t");
    draft_init(&d);
    d.f[1].extent[0] = d.f[1].extent[1] = UINT32_MAX;
    d.f[1].rank = 4;
    d.f[1].extent[2] = d.f[1].extent[3] = UINT32_MAX;
    support_refused(&d.type, "all.v");
    assert_int_equal(support_accepted, 0);
}

/* clang-format off */
typedef struct { double *v; uint32_t n; } listed;
LADE_STRUCT(listed, (vector, v, n), (value, n))
typedef struct { point *p; uint32_t n; point *best; } pooled;
LADE_STRUCT(pooled, (pool, p, n, point), (ref, best, point))
typedef struct { pooled in; } by_value;
LADE_STRUCT(by_value, (record, in, pooled))
typedef struct { pooled *v; uint32_t n; } in_vector;
LADE_STRUCT(in_vector, (vector, v, n, pooled))
typedef struct { pooled *v; } in_optional;
LADE_STRUCT(in_optional, (optional, v, pooled))
typedef struct { by_value *v; } in_ref;
LADE_STRUCT(in_ref, (ref, v, by_value))
/* Two types of one name in what is saved: equal is fine, different is refused by name. */
static void two_types_of_one_name(void **state)
{
    (void)state;
    lade_type twin = lade_type_point;
    lade_field twin_fields[2];
    memcpy(twin_fields, lade_type_point.fields, sizeof twin_fields);
    twin.fields = twin_fields;
    twin.cell = NULL;
    lade_field fields[2] = {
        {.name = "a", .kind = LADE_KIND_RECORD, .type = &lade_type_point},
        {.name = "b", .kind = LADE_KIND_RECORD, .type = &twin, .offset = sizeof(point)}};
    const lade_type both = {
        .name = "both", .size = 2 * sizeof(point), .align = 8, .field_count = 2, .fields = fields};
    const point in[2] = {{1, 2}, {3, 4}};
    lade_arena *owner = NULL;
    const point *out = test_round_trip(&both, in, &owner);
    assert_true(out[1].x == 3 && out[1].y == 4);
    lade_arena_destroy(owner);
    twin_fields[1].scalar = LADE_F32;
    support_refused(&both, "point");
    twin_fields[1].scalar = LADE_I32;
    twin_fields[1].name = "other";
    support_refused(&both, "point");
    /* the name of a scalar */
    twin_fields[1].name = "y";
    twin.name = "f64";
    fields[0].kind = LADE_KIND_OPTIONAL;
    fields[0].type = &lade_scalar_f64;
    support_refused(&both, "f64");
    assert_int_equal(support_accepted, 0);
}

static void two_lists_of_one_name(void **state)
{
    (void)state;
    draft d;
    draft_init(&d);
    lade_field fields[2] = {
        {.name = "a", .kind = LADE_KIND_OPTIONAL, .type = &twin_list},
        {.name = "b", .kind = LADE_KIND_OPTIONAL, .type = &lade_type_list, .offset = 8}};
    const lade_type both = {
        .name = "both", .size = 16, .align = 8, .field_count = 2, .fields = fields};
    lade_field twin_fields[3];
    lade_type narrow = lade_type_list;
    memcpy(twin_fields, lade_type_list.fields, sizeof twin_fields);
    narrow.fields = twin_fields;
    narrow.cell = NULL;
    twin_fields[2].type = &narrow;
    fields[0].type = &narrow;
    twin_fields[0].count_scalar = LADE_U8; /* another struct, though the schema is the same */
    support_refused(&both, "list");
    /* enumerations of one name, of which one lists more */
    lade_field enums[2] = {lade_type_all.fields[0], lade_type_all.fields[0]};
    enums[1].name = "d";
    enums[1].offset = sizeof(colour);
    enums[1].enumeration = &d.e;
    d.e.count = 3;
    const lade_type two = {
        .name = "two", .size = 2 * sizeof(colour), .align = 4, .field_count = 2, .fields = enums};
    const colour in[2] = {GREEN, (colour)2};
    lade_arena *owner = NULL;
    const colour *out = test_round_trip(&two, in, &owner);
    assert_true(out[0] == GREEN && (int)out[1] == 2);
    lade_arena_destroy(owner);
    assert_int_equal(support_accepted, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_types_in_two_translation_units),
        cmocka_unit_test(what_does_not_change_a_fingerprint),
        cmocka_unit_test(any_change_gives_another_fingerprint),
        cmocka_unit_test_setup(descriptors_that_cannot_be, support_nothing_accepted),
        cmocka_unit_test_setup(two_types_of_one_name, support_nothing_accepted),
        cmocka_unit_test_setup(two_lists_of_one_name, support_nothing_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
