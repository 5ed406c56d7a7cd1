/* Enumerations: linear and not, held by every integer, listed and not, strict. */
#include "support.h"

#include <limits.h>

/* clang-format off */
typedef enum { PLAIN, WOOD, WATER } terrain;
LADE_ENUM(terrain, PLAIN, WOOD, WATER)
typedef enum { LOW = -7, MIDDLE = 100, HIGH = 2000000000 } spread;
LADE_ENUM(spread, LOW, HIGH, MIDDLE)
typedef enum { MINUS_TWO = -2, MINUS_ONE, ZERO, ONE } signs;
LADE_ENUM(signs, MINUS_TWO, MINUS_ONE, ZERO, ONE)
typedef enum { FIRST = 1, ALSO_FIRST = 1, SECOND = 2 } twice;
LADE_ENUM(twice, FIRST, ALSO_FIRST, SECOND)
__extension__ typedef enum { SMALLEST = INT64_MIN, LARGEST = INT64_MAX } wide;
LADE_ENUM(wide, SMALLEST, LARGEST)
__extension__ typedef enum { ALL_BITS = UINT64_MAX, TOP_BIT = 1ULL << 63 } wide_unsigned;
LADE_ENUM(wide_unsigned, ALL_BITS, TOP_BIT)
typedef struct { terrain t; spread s; signs g; twice w; } plain_enums;
LADE_STRUCT(plain_enums,
    (enumeration, t, terrain), (enumeration, s, spread), (enumeration, g, signs),
    (enumeration, w, twice))
typedef struct { char c; int8_t i8; uint8_t u8; int16_t i16; uint16_t u16; int32_t i32; uint32_t u32;
                 int64_t i64; uint64_t u64; } held;
LADE_STRUCT(held,
    (enumeration, c, signs), (enumeration, i8, signs), (enumeration, u8, terrain),
    (enumeration, i16, signs), (enumeration, u16, terrain), (enumeration, i32, spread),
    (enumeration, u32, spread), (enumeration, i64, wide), (enumeration, u64, wide_unsigned))
typedef struct { terrain row[3]; spread table[2][2]; uint8_t bytes[200]; } enum_arrays;
LADE_STRUCT(enum_arrays,
    (enumeration, row, terrain), (enumeration, table, spread), (enumeration, bytes, terrain))
typedef struct { int8_t small; } small_holder;
LADE_STRUCT(small_holder, (enumeration, small, spread))
typedef struct { int32_t v; } one_spread;
LADE_STRUCT(one_spread, (enumeration, v, spread))
typedef struct { uint8_t v; } one_terrain;
LADE_STRUCT(one_terrain, (enumeration, v, terrain))
typedef struct { twice v; } one_twice;
LADE_STRUCT(one_twice, (enumeration, v, twice))
/* clang-format on */

static void descriptors(void **state)
{
    (void)state;
    static const struct {
        const lade_enum *e;
        uint32_t count;
        bool linear;
    } cases[] = {{&lade_enum_terrain, 3, true}, {&lade_enum_spread, 3, false},
                 {&lade_enum_signs, 4, true},   {&lade_enum_twice, 3, false},
                 {&lade_enum_wide, 2, false},   {&lade_enum_wide_unsigned, 2, false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(cases[i].e->count, cases[i].count);
        assert_int_equal(cases[i].e->linear, cases[i].linear);
    }
    assert_string_equal(lade_enum_spread.list[1].name, "HIGH");
    assert_true(lade_enum_wide.list[0].value == INT64_MIN);
    assert_true(lade_enum_wide_unsigned.list[0].value == -1);
}

static void listed_values(void **state)
{
    (void)state;
    static const plain_enums cases[] = {
        {PLAIN, LOW, MINUS_TWO, FIRST},
        {WOOD, MIDDLE, MINUS_ONE, ALSO_FIRST},
        {WATER, HIGH, ONE, SECOND},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lade_arena *owner = NULL;
        const plain_enums *out = ROUND_TRIP(plain_enums, &cases[i], &owner);
        assert_true(out->t == cases[i].t && out->s == cases[i].s);
        assert_true(out->g == cases[i].g && out->w == cases[i].w);
        lade_arena_destroy(owner);
    }
    /* the place in the list plus one; of two names for one value, the first */
    static const uint8_t bytes[] = {3 << 1 | 1, 2 << 1 | 1, 4 << 1 | 1, 3 << 1 | 1};
    test_bytes(&lade_type_plain_enums, &cases[2], bytes, sizeof bytes);
    test_bytes(&lade_type_one_twice, &(one_twice){ALSO_FIRST}, (const uint8_t[]){3}, 1);
}

static void values_that_are_not_listed(void **state)
{
    (void)state;
    const plain_enums in = {(terrain)17, (spread)-8, (signs)5, (twice)0};
    lade_arena *owner = NULL;
    const plain_enums *out = ROUND_TRIP(plain_enums, &in, &owner);
    assert_true((int)out->t == 17 && (int)out->s == -8 && (int)out->g == 5 && (int)out->w == 0);
    lade_arena_destroy(owner);
    static const uint8_t bytes[] = {1, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    test_bytes(&lade_type_one_spread, &(one_spread){-8}, bytes, sizeof bytes);
}

static void held_by_every_integer(void **state)
{
    (void)state;
    const held cases[] = {
        {MINUS_TWO, MINUS_TWO, PLAIN, MINUS_ONE, WATER, LOW, MIDDLE, INT64_MIN, UINT64_MAX},
        {ONE, ONE, WATER, ZERO, WOOD, HIGH, HIGH, INT64_MAX, TOP_BIT},
        {CHAR_MAX, INT8_MIN, UINT8_MAX, INT16_MIN, UINT16_MAX, INT32_MIN, UINT32_MAX, -1,
         UINT64_MAX - 1},
        {0, INT8_MAX, 200, INT16_MAX, 40000, INT32_MAX, 3000000000, INT64_MIN + 1, INT64_MAX},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const held *in = &cases[i];
        lade_arena *owner = NULL;
        const held *out = ROUND_TRIP(held, in, &owner);
        assert_true(out->c == in->c && out->i8 == in->i8 && out->u8 == in->u8);
        assert_true(out->i16 == in->i16 && out->u16 == in->u16 && out->i32 == in->i32);
        assert_true(out->u32 == in->u32 && out->i64 == in->i64 && out->u64 == in->u64);
        lade_arena_destroy(owner);
    }
}

static void arrays_of_enumerations(void **state)
{
    (void)state;
    enum_arrays in = {{WATER, PLAIN, WOOD}, {{LOW, HIGH}, {MIDDLE, (spread)3}}, {0}};
    for (size_t i = 0; i < COUNT_OF(in.bytes); i++)
        in.bytes[i] = (uint8_t)(i % 5);
    lade_arena *owner = NULL;
    const enum_arrays *out = ROUND_TRIP(enum_arrays, &in, &owner);
    assert_memory_equal(out, &in, sizeof in);
    lade_arena_destroy(owner);
}

static void strict_refuses_what_is_not_listed(void **state)
{
    (void)state;
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_error error = {0};
        lade_context ctx = {.error = &error, .interpret = interpret};
        lade_buffer buffer = {0};
        const plain_enums good = {WOOD, HIGH, ZERO, SECOND};
        const plain_enums bad = {WOOD, HIGH, (signs)44, SECOND};
        assert_ok(lade_encode(plain_enums, &bad, &buffer, &ctx), &error);
        ctx.strict_enums = true;
        plain_enums *out = NULL;
        lade_arena *owner = NULL;
        assert_status(lade_decode(plain_enums, buffer.data, buffer.size, &out, &owner, &ctx),
                      LADE_ERR_VALUE);
        assert_string_equal(error.path, "plain_enums.g");
        assert_null(out);
        assert_null(owner);
        assert_status(lade_encode(plain_enums, &bad, &buffer, &ctx), LADE_ERR_VALUE);
        assert_string_equal(error.path, "plain_enums.g");
        assert_non_null(strstr(error.message, "44"));
        assert_non_null(strstr(error.message, "signs"));
        assert_int_equal(buffer.size, 0);
        assert_ok(lade_encode(plain_enums, &good, &buffer, &ctx), &error);
        assert_ok(lade_decode(plain_enums, buffer.data, buffer.size, &out, &owner, &ctx), &error);
        lade_buffer_fini(&buffer);
        lade_arena_destroy(owner);
        lade_context_fini(&ctx);
    }
}

static void broken_bytes(void **state)
{
    (void)state;
    static const struct {
        const lade_type *type;
        uint8_t bytes[12];
        size_t size;
        lade_status status;
    } cases[] = {
        /* beyond the list */
        {&lade_type_one_terrain, {4 << 1 | 1}, 1, LADE_ERR_VALUE},
        {&lade_type_one_terrain, {0x02, 0x02}, 2, LADE_ERR_VALUE},
        /* listed, yet as a number */
        {&lade_type_one_terrain, {1, 2}, 9, LADE_ERR_FORMAT},
        /* does not fit into the member */
        {&lade_type_one_terrain, {1, 0, 1}, 9, LADE_ERR_RANGE},
        {&lade_type_one_terrain, {1, 255, 255, 255, 255, 255, 255, 255, 255}, 9, LADE_ERR_RANGE},
        {&lade_type_small_holder, {2 << 1 | 1}, 1, LADE_ERR_RANGE},
        /* not the shortest form, cut short, too long */
        {&lade_type_one_terrain, {0x06, 0x00}, 2, LADE_ERR_FORMAT},
        {&lade_type_one_terrain, {0}, 9, LADE_ERR_FORMAT},
        {&lade_type_one_terrain, {1, 7}, 8, LADE_ERR_TRUNCATED},
        {&lade_type_one_terrain, {1}, 1, LADE_ERR_TRUNCATED},
        {&lade_type_one_terrain, {3, 3}, 2, LADE_ERR_FORMAT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        test_refused(cases[i].type, cases[i].bytes, cases[i].size, cases[i].status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors),
        cmocka_unit_test(listed_values),
        cmocka_unit_test(values_that_are_not_listed),
        cmocka_unit_test(held_by_every_integer),
        cmocka_unit_test(arrays_of_enumerations),
        cmocka_unit_test(strict_refuses_what_is_not_listed),
        cmocka_unit_test(broken_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
