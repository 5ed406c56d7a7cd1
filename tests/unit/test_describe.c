/* Values and fixed arrays of them, through memory by surrogate and by plan. */
#include "support.h"

#include <complex.h>
#include <float.h>
#include <limits.h>
#include <stdlib.h>

/* clang-format off */
typedef struct {
    bool truth; char letter; signed char sc; unsigned char uc; short s; unsigned short us;
    int i; unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull;
    float f; double d; float complex fc; double complex dc;
} numbers;
LADE_STRUCT(numbers,
    (value, truth), (value, letter), (value, sc), (value, uc), (value, s), (value, us),
    (value, i), (value, u), (value, l), (value, ul), (value, ll), (value, ull),
    (value, f), (value, d), (value, fc), (value, dc))

typedef struct { int8_t a; int16_t b; int32_t c; int64_t d; uint8_t e; uint16_t f; uint32_t g;
                 uint64_t h; size_t i; ptrdiff_t j; wchar_t k; } fixed_width;
LADE_STRUCT(fixed_width,
    (value, a), (value, b), (value, c), (value, d), (value, e), (value, f), (value, g), (value, h),
    (value, i), (value, j), (value, k))

typedef struct {
    int32_t r1[3]; double r2[2][3]; int16_t r3[2][3][2]; uint8_t r4[2][3][1][2];
    bool flags[5]; char letters[3][4]; float complex c[2][2]; int64_t one[1];
} arrays;
LADE_STRUCT(arrays,
    (value, r1), (value, r2), (value, r3), (value, r4), (value, flags), (value, letters), (value, c),
    (value, one))

/* around the borders of 64 bytes (straight-line) and 4096 bytes (content) */
typedef struct {
    uint8_t b64[64]; uint8_t b65[65]; uint8_t b4095[4095]; uint8_t b4096[4096];
    double grid[20][30]; bool flags[5000]; float complex c[8][8][8]; int16_t last;
} big_arrays;
LADE_STRUCT(big_arrays,
    (value, b64), (value, b65), (value, b4095), (value, b4096), (value, grid), (value, flags),
    (value, c), (value, last))

/* clang-format on */

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

#define SAME(T, a, b, field) assert_memory_equal(&(a)->field, &(b)->field, sizeof((T *)0)->field)

static void check_numbers(const numbers *in)
{
    lade_arena *owner = NULL;
    const numbers *out = ROUND_TRIP(numbers, in, &owner);
    SAME(numbers, in, out, truth);
    SAME(numbers, in, out, letter);
    SAME(numbers, in, out, sc);
    SAME(numbers, in, out, uc);
    SAME(numbers, in, out, s);
    SAME(numbers, in, out, us);
    SAME(numbers, in, out, i);
    SAME(numbers, in, out, u);
    SAME(numbers, in, out, l);
    SAME(numbers, in, out, ul);
    SAME(numbers, in, out, ll);
    SAME(numbers, in, out, ull);
    SAME(numbers, in, out, f);
    SAME(numbers, in, out, d);
    SAME(numbers, in, out, fc);
    SAME(numbers, in, out, dc);
    lade_arena_destroy(owner);
}

static void numbers_at_their_limits(void **state)
{
    (void)state;
    numbers cases[] = {
        {0},
        {true, CHAR_MIN, SCHAR_MIN, 0, SHRT_MIN, 0, INT_MIN, 0, LONG_MIN, 0, LLONG_MIN, 0, -FLT_MAX,
         -DBL_MAX, 0, 0},
        {true, CHAR_MAX, SCHAR_MAX, UCHAR_MAX, SHRT_MAX, USHRT_MAX, INT_MAX, UINT_MAX, LONG_MAX,
         ULONG_MAX, LLONG_MAX, ULLONG_MAX, FLT_MAX, DBL_MAX, 0, 0},
    };
    memcpy(&cases[1].fc, (float[]){-FLT_MAX, FLT_MIN}, sizeof(float[2]));
    memcpy(&cases[1].dc, (double[]){-DBL_MAX, DBL_MIN}, sizeof(double[2]));
    memcpy(&cases[2].fc, (float[]){FLT_MAX, -0.0F}, sizeof(float[2]));
    memcpy(&cases[2].dc, (double[]){DBL_MAX, -0.0}, sizeof(double[2]));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_numbers(&cases[i]);
}

static void floating_point_bit_for_bit(void **state)
{
    (void)state;
    static const struct {
        uint32_t f;
        uint64_t d;
    } cases[] = {
        {0x80000000, 0x8000000000000000}, /* -0.0 */
        {0x00000001, 0x0000000000000001}, /* least denormal */
        {0x807fffff, 0x800fffffffffffff}, /* greatest denormal, negative */
        {0x7f800000, 0x7ff0000000000000}, /* inf */
        {0xff800000, 0xfff0000000000000}, /* -inf */
        {0x7fc00000, 0x7ff8000000000000}, /* quiet NaN */
        {0xffc12345, 0xfff8123456789abc}, /* NaN with sign and payload */
        {0x7fa55aa5, 0x7ff55aa55aa55aa5}, /* signalling NaN */
        {0x00800000, 0x0010000000000000}, /* least normal */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        numbers in = {.truth = true};
        memcpy(&in.f, &cases[i].f, sizeof in.f);
        memcpy(&in.d, &cases[i].d, sizeof in.d);
        float fc[2] = {float_of(0x3f800000), 0};
        double dc[2] = {0, double_of(0x3ff0000000000000)};
        memcpy(&fc[1], &cases[i].f, sizeof fc[1]);
        memcpy(&dc[0], &cases[i].d, sizeof dc[0]);
        memcpy(&in.fc, fc, sizeof fc);
        memcpy(&in.dc, dc, sizeof dc);
        check_numbers(&in);
    }
}

static void widths_by_name(void **state)
{
    (void)state;
    const fixed_width cases[] = {
        {INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, 0, 0, 0, 0, 0, PTRDIFF_MIN, WCHAR_MIN},
        {INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX,
         SIZE_MAX, PTRDIFF_MAX, WCHAR_MAX},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lade_arena *owner = NULL;
        const fixed_width *in = &cases[i];
        const fixed_width *out = ROUND_TRIP(fixed_width, in, &owner);
        assert_true(in->a == out->a && in->b == out->b && in->c == out->c && in->d == out->d);
        assert_true(in->e == out->e && in->f == out->f && in->g == out->g && in->h == out->h);
        assert_true(in->i == out->i && in->j == out->j && in->k == out->k);
        lade_arena_destroy(owner);
    }
}

static void fill(void *memory, size_t size, unsigned seed)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(seed + i * 7 + i / 251);
}

static void fixed_arrays_of_rank_1_to_4(void **state)
{
    (void)state;
    arrays in;
    fill(&in, sizeof in, 3);
    for (size_t i = 0; i < COUNT_OF(in.flags); i++)
        in.flags[i] = i % 2;
    lade_arena *owner = NULL;
    const arrays *out = ROUND_TRIP(arrays, &in, &owner);
    SAME(arrays, &in, out, r1);
    SAME(arrays, &in, out, r2);
    SAME(arrays, &in, out, r3);
    SAME(arrays, &in, out, r4);
    SAME(arrays, &in, out, flags);
    SAME(arrays, &in, out, letters);
    SAME(arrays, &in, out, c);
    SAME(arrays, &in, out, one);
    lade_arena_destroy(owner);
    static const uint32_t extents[][LADE_MAX_EXTENTS] = {{3}, {2, 3}, {2, 3, 2}, {2, 3, 1, 2},
                                                         {5}, {3, 4}, {2, 2},    {1}};
    static const uint8_t ranks[] = {1, 2, 3, 4, 1, 2, 2, 1};
    for (uint32_t i = 0; i < lade_type_arrays.field_count; i++) {
        assert_int_equal(lade_type_arrays.fields[i].rank, ranks[i]);
        for (unsigned k = 0; k < ranks[i]; k++)
            assert_int_equal(lade_type_arrays.fields[i].extent[k], extents[i][k]);
    }
}

static void fixed_arrays_that_are_content(void **state)
{
    (void)state;
    big_arrays *in = malloc(sizeof *in);
    assert_non_null(in);
    fill(in, sizeof *in, 9);
    for (size_t i = 0; i < COUNT_OF(in->flags); i++)
        in->flags[i] = i % 3 == 0;
    lade_arena *owner = NULL;
    const big_arrays *out = ROUND_TRIP(big_arrays, in, &owner);
    SAME(big_arrays, in, out, b64);
    SAME(big_arrays, in, out, b65);
    SAME(big_arrays, in, out, b4095);
    SAME(big_arrays, in, out, b4096);
    SAME(big_arrays, in, out, grid);
    SAME(big_arrays, in, out, flags);
    SAME(big_arrays, in, out, c);
    SAME(big_arrays, in, out, last);
    lade_arena_destroy(owner);
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_at_their_limits),
        cmocka_unit_test(floating_point_bit_for_bit),
        cmocka_unit_test(widths_by_name),
        cmocka_unit_test(fixed_arrays_of_rank_1_to_4),
        cmocka_unit_test(fixed_arrays_that_are_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
