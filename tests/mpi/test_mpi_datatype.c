/* MPI datatypes of fixed-size types: sizes, padding, the cache, refusals. */
#include <complex.h>
#include <stdlib.h>

#include "mpi_test.h"
#include "mpi_types.h"

typedef enum { RED, GREEN = 5000000, BLUE } colour;
typedef struct {
    char key;
    double weight;
    colour tint;
    char label[7];
    int16_t corner[2][3];
    colour tints[3];
} pixel;
typedef struct {
    bool on;
    pixel first;
    pixel rest[2];
    uint8_t last;
} picture;
typedef struct {
    int64_t a;
    double b;
} plain;
typedef struct {
    char only;
} single;
typedef struct {
    bool b;
    char c;
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f;
    double d;
    float complex cf;
    double complex cd;
    long l;
    size_t z;
} numbers;
typedef struct {
    double kept;
    int32_t unlisted;
    char tail;
} partial;
typedef struct {
    int32_t before;
    cargo inside;
} wrapped;

/* clang-format off */
LADE_ENUM(colour, RED, GREEN, BLUE)
LADE_STRUCT(pixel,
    (value, key), (value, weight), (enumeration, tint, colour), (fixed_text, label), (value, corner),
    (enumeration, tints, colour))
LADE_STRUCT(picture, (value, on), (record, first, pixel), (record, rest, pixel), (value, last))
LADE_STRUCT(plain, (value, a), (value, b))
LADE_STRUCT(single, (value, only))
LADE_STRUCT(numbers,
    (value, b), (value, c), (value, i8), (value, u8), (value, i16), (value, u16), (value, i32),
    (value, u32), (value, i64), (value, u64), (value, f), (value, d), (value, cf), (value, cd),
    (value, l), (value, z))
LADE_STRUCT(partial, (value, kept), (value, tail))
LADE_STRUCT(wrapped, (value, before), (record, inside, cargo))
/* clang-format on */

#define MEMBER(T, m) sizeof(((T *)0)->m)

static MPI_Datatype datatype(const lade_type *type)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    MPI_Datatype found = MPI_DATATYPE_NULL;
    assert_ok(lade_mpi_datatype_as(type, &found, &ctx), &error);
    assert_true(found != MPI_DATATYPE_NULL);
    lade_context_fini(&ctx);
    return found;
}

static void assert_sizes(const lade_type *type, size_t members)
{
    MPI_Aint low;
    MPI_Aint extent;
    int size;
    MPI_Datatype d = datatype(type);
    MPI_Type_get_extent(d, &low, &extent);
    MPI_Type_size(d, &size);
    assert_int_equal(low, 0);
    assert_int_equal(extent, type->size);
    assert_int_equal(size, members);
}

static void sizes_without_padding(void **state)
{
    (void)state;
    size_t of_grain = 1 + 8 + 2 + 1;
    size_t of_pixel = 1 + 8 + sizeof(colour) + 7 + 12 + 3 * sizeof(colour);
    assert_sizes(&lade_type_grain, of_grain);
    assert_sizes(&lade_type_pixel, of_pixel);
    assert_sizes(&lade_type_picture, 1 + 3 * of_pixel + 1);
    assert_sizes(&lade_type_plain, sizeof(plain));
    assert_sizes(&lade_type_single, 1);
    assert_sizes(&lade_type_numbers, 1 + 1 + 2 + 4 + 8 + 16 + 4 + 8 + 8 + 16 + 2 * sizeof(long));
    assert_sizes(&lade_type_partial, 9);
    assert_sizes(&lade_type_spot, 16);
}

static void arithmetic_types(void **state)
{
    (void)state;
    MPI_Datatype d = MPI_DATATYPE_NULL;
    size_t live = lade_mpi_live_handles();
    assert_ok(lade_mpi_datatype(double, &d, NULL), NULL);
    assert_true(d == MPI_DOUBLE);
    assert_ok(lade_mpi_datatype(int32_t, &d, NULL), NULL);
    assert_true(d == MPI_INT32_T);
    assert_ok(lade_mpi_datatype_as(&lade_scalar_c64, &d, NULL), NULL);
    assert_true(d == MPI_C_DOUBLE_COMPLEX);
    assert_int_equal(lade_mpi_live_handles(), live); /* not ours to free */
}

/* Sends n values to the next rank with plain MPI, into memory full of rubbish. */
static void *shifted(const lade_type *type, const void *values, int n)
{
    size_t bytes = type->size * (size_t)n;
    unsigned char *got = malloc(bytes);
    MPI_Datatype d = datatype(type);
    assert_non_null(got);
    memset(got, 0xEE, bytes);
    MPI_Sendrecv(values, n, d, (world_rank + 1) % world_size, 3, got, n, d,
                 (world_rank + world_size - 1) % world_size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got;
}

/* Bytes that no member holds keep what was there. */
static void assert_untouched(const void *values, int n, size_t size, size_t from, size_t to)
{
    const unsigned char *bytes = values;
    for (int i = 0; i < n; i++)
        for (size_t k = from; k < to; k++)
            assert_int_equal(bytes[(size_t)i * size + k], 0xEE);
}

static void padding_is_left_alone(void **state)
{
    (void)state;
    enum { N = 5 };
    grain grains[N];
    grains_fill(grains, N, 0x11 + world_rank);
    grain *got = shifted(&lade_type_grain, grains, N);
    for (int i = 0; i < N; i++)
        assert_true(got[i].tag == grains[i].tag && got[i].mass == grains[i].mass &&
                    got[i].charge == grains[i].charge && got[i].fixed == grains[i].fixed);
    assert_untouched(got, N, sizeof *got, MEMBER(grain, tag), offsetof(grain, mass));
    assert_untouched(got, N, sizeof *got, offsetof(grain, fixed) + 1, sizeof *got);
    free(got);
}

static void members_not_listed_are_left_alone(void **state)
{
    (void)state;
    enum { N = 3 };
    partial values[N] = {{1, 2, 'a'}, {3, 4, 'b'}, {5, 6, 'c'}};
    partial *got = shifted(&lade_type_partial, values, N);
    for (int i = 0; i < N; i++)
        assert_true(got[i].kept == values[i].kept && got[i].tail == values[i].tail);
    assert_untouched(got, N, sizeof *got, offsetof(partial, unlisted), offsetof(partial, tail));
    free(got);
}

static void assert_same_pixel(const pixel *a, const pixel *b)
{
    assert_true(a->key == b->key && a->weight == b->weight && a->tint == b->tint);
    assert_memory_equal(a->label, b->label, sizeof a->label);
    assert_memory_equal(a->corner, b->corner, sizeof a->corner);
    assert_memory_equal(a->tints, b->tints, sizeof a->tints);
}

static void nested_records(void **state)
{
    (void)state;
    enum { N = 4 };
    picture values[N];
    memset(values, 0x22, sizeof values);
    for (int i = 0; i < N; i++) {
        pixel p = {'k',
                   i * 0.5,
                   BLUE,
                   {'n', 'o', 't', 0, 'r', 'a', 'w'},
                   {{1, 2, 3}, {4, 5, (int16_t)i}},
                   {RED, GREEN, BLUE}};
        values[i].on = i % 2;
        values[i].first = values[i].rest[0] = values[i].rest[1] = p;
        values[i].rest[1].key = 'z';
        values[i].last = (uint8_t)(200 + i);
    }
    picture *got = shifted(&lade_type_picture, values, N);
    for (int i = 0; i < N; i++) {
        assert_true(got[i].on == values[i].on && got[i].last == values[i].last);
        assert_same_pixel(&got[i].first, &values[i].first);
        assert_same_pixel(&got[i].rest[0], &values[i].rest[0]);
        assert_same_pixel(&got[i].rest[1], &values[i].rest[1]);
    }
    assert_untouched(got, N, sizeof *got, 1, offsetof(picture, first));
    free(got);
}

static void every_number(void **state)
{
    (void)state;
    numbers values[3];
    memset(values, 0, sizeof values);
    for (int i = 0; i < 3; i++) {
        values[i] = (numbers){.b = true, .c = 'c', .i8 = -8, .u8 = 250, .i16 = -300, .u16 = 60000};
        values[i].i32 = -70000 - i;
        values[i].u32 = 4000000000u;
        values[i].i64 = INT64_MIN + i;
        values[i].u64 = UINT64_MAX - (uint64_t)i;
        values[i].f = 0.5F;
        values[i].d = -0.25 * i;
        values[i].cf = 1.0F;
        values[i].cd = 2.0;
        values[i].l = -9;
        values[i].z = (size_t)i;
    }
    numbers *got = shifted(&lade_type_numbers, values, 3);
    for (int i = 0; i < 3; i++)
        assert_true(got[i].b == 1 && got[i].c == 'c' && got[i].i8 == -8 && got[i].u8 == 250 &&
                    got[i].i16 == -300 && got[i].u16 == 60000 && got[i].i32 == -70000 - i &&
                    got[i].u32 == 4000000000u && got[i].i64 == INT64_MIN + i &&
                    got[i].u64 == values[i].u64 && got[i].f == 0.5F && got[i].d == -0.25 * i &&
                    got[i].cf == 1.0F && got[i].cd == 2.0 && got[i].l == -9 &&
                    got[i].z == (size_t)i);
    free(got);
}

static void found_again(void **state)
{
    (void)state;
    MPI_Datatype first = datatype(&lade_type_picture);
    size_t live = lade_mpi_live_handles();
    assert_true(live >= 2); /* of the pixel too */
    for (int i = 0; i < 100; i++)
        assert_true(datatype(&lade_type_picture) == first);
    datatype(&lade_type_pixel);
    assert_int_equal(lade_mpi_live_handles(), live);
}

static void assert_refused(const lade_type *type, const char *field)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    MPI_Datatype d = MPI_BYTE;
    size_t live = lade_mpi_live_handles();
    assert_status(lade_mpi_datatype_as(type, &d, &ctx), LADE_ERR_TYPE);
    assert_true(d == MPI_BYTE);
    assert_int_equal(error.status, LADE_ERR_TYPE);
    assert_non_null(strstr(error.message, field));
    assert_int_equal(lade_mpi_live_handles(), live);
    lade_context_fini(&ctx);
}

static void types_with_pointers_are_refused(void **state)
{
    (void)state;
    assert_refused(&lade_type_cargo, "text");
    assert_refused(&lade_type_wrapped, "text");
    assert_refused(&lade_type_fleet, "items");
    assert_refused(&lade_type_path, "to");
    assert_refused(&lade_type_mesh, "nodes");
    assert_refused(&lade_type_inner, "self");
}

static void missing_arguments(void **state)
{
    (void)state;
    MPI_Datatype d = MPI_BYTE;
    assert_status(lade_mpi_datatype_as(NULL, &d, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_datatype_as(&lade_type_plain, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_true(d == MPI_BYTE);
}

/* A descriptor may be copied, and a library that holds one unloaded and another loaded in its
 * place: types are known by what they are, not by their address. */
static void known_by_fingerprint(void **state)
{
    (void)state;
    static lade_type twin;
    size_t live = lade_mpi_live_handles();
    twin = lade_type_single;
    MPI_Datatype d = datatype(&twin);
    assert_in_range(lade_mpi_live_handles(), live, live + 1);
    assert_true(d == datatype(&twin));
    assert_sizes(&twin, 1);
    twin = lade_type_plain;
    assert_sizes(&twin, sizeof(plain));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        MPI_TEST(sizes_without_padding), MPI_TEST(arithmetic_types),
        MPI_TEST(padding_is_left_alone), MPI_TEST(members_not_listed_are_left_alone),
        MPI_TEST(nested_records),        MPI_TEST(every_number),
        MPI_TEST(found_again),           MPI_TEST(types_with_pointers_are_refused),
        MPI_TEST(missing_arguments),     MPI_TEST(known_by_fingerprint),
    };
    MPI_Init(&argc, &argv);
    mpi_test_begin();
    return mpi_test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
