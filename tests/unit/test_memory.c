/* Messages in buffers and fixed memory, bare arrays, owners: what memory.h promises. */
#include "support.h"

#include "graph_types.h"

#include <complex.h>
#include <stdlib.h>

/* clang-format off */
typedef struct { char *name; double *x; size_t n; int16_t tail; } series;
LADE_STRUCT(series, (text, name), (vector, x, n), (value, tail))
typedef struct { int64_t only; } plain;
LADE_STRUCT(plain, (value, only))
/* clang-format on */

static series make_series(size_t n)
{
    series s = {(char[]){"a name"}, calloc(n + 1, sizeof(double)), n, 7};
    s.name = malloc(8);
    assert_true(s.x && s.name);
    memcpy(s.name, "series", 7);
    for (size_t i = 0; i < n; i++)
        s.x[i] = (double)i + 0.5;
    return s;
}

static void free_series(series *s)
{
    free(s->name);
    free(s->x);
}

static void a_buffer_is_used_again(void **state)
{
    (void)state;
    series big = make_series(3000);
    series small = make_series(1);
    lade_buffer buffer = {0};
    assert_int_equal(lade_encode(series, &big, &buffer, NULL), LADE_OK);
    size_t capacity = buffer.capacity;
    assert_true(capacity >= buffer.size && buffer.size > 24000);
    assert_int_equal(lade_encode(series, &small, &buffer, NULL), LADE_OK);
    assert_int_equal(buffer.size, 40 + 7 + 1 + 8 + 2);
    assert_int_equal(buffer.capacity, capacity);
    lade_buffer_fini(&buffer);
    assert_true(!buffer.data && !buffer.size && !buffer.capacity);
    assert_int_equal(lade_encode(series, &small, &buffer, NULL), LADE_OK);
    lade_buffer_fini(&buffer);
    lade_buffer_fini(&buffer);
    lade_buffer_fini(NULL);
    free_series(&big);
    free_series(&small);
}

static void fixed_memory_exact_and_one_too_small(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 7, 50, 511, 512, 600, 100000};
    for (int bare = 0; bare < 2; bare++)
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            series s = make_series(counts[i]);
            lade_error error = {0};
            lade_context ctx = {.error = &error, .bare = bare};
            lade_buffer buffer = {0};
            assert_ok(lade_encode(series, &s, &buffer, &ctx), &error);
            size_t query = 1;
            assert_ok(lade_encoded_size(series, &s, &query, &ctx), &error);
            assert_int_equal(query, buffer.size);
            for (size_t less = 0; less < 100 && less <= buffer.size; less++) {
                size_t capacity = less < 70 ? buffer.size - less : (less - 70);
                uint8_t *memory = malloc(capacity + 1);
                size_t size = 12345;
                assert_non_null(memory);
                memory[capacity] = 0x77;
                lade_status status = lade_encode_to(series, &s, memory, capacity, &size, &ctx);
                assert_status(status, capacity < buffer.size ? LADE_ERR_SPACE : LADE_OK);
                assert_int_equal(size, buffer.size);
                assert_int_equal(memory[capacity], 0x77);
                if (status == LADE_OK)
                    assert_memory_equal(memory, buffer.data, size);
                else
                    assert_non_null(strstr(error.message, "bytes"));
                free(memory);
            }
            lade_buffer_fini(&buffer);
            lade_context_fini(&ctx);
            free_series(&s);
        }
}

static void arrays_of_every_rank(void **state)
{
    (void)state;
    static const size_t extents[LADE_MAX_RANK] = {3, 2, 5, 1, 4, 2, 3, 2};
    size_t total = 1;
    for (unsigned rank = 1; rank <= LADE_MAX_RANK; rank++) {
        total *= extents[rank - 1];
        int32_t *in = calloc(total, sizeof *in);
        assert_non_null(in);
        for (size_t i = 0; i < total; i++)
            in[i] = (int32_t)(i * 3);
        lade_buffer buffer = {0};
        int32_t *out = NULL;
        lade_arena *owner = NULL;
        size_t got[LADE_MAX_RANK] = {0};
        assert_int_equal(lade_encode_array(in, rank, extents, &buffer, NULL), LADE_OK);
        assert_int_equal(lade_decode_array(buffer.data, buffer.size, &out, rank, got, &owner, NULL),
                         LADE_OK);
        assert_memory_equal(got, extents, rank * sizeof *got);
        assert_memory_equal(out, in, total * sizeof *in);
        assert_int_equal((uintptr_t)out % 64, 0);
        memset(in, 0, total * sizeof *in);
        assert_int_equal(lade_decode_array_into(buffer.data, buffer.size, in, rank, extents, NULL),
                         LADE_OK);
        assert_memory_equal(out, in, total * sizeof *in);
        lade_arena_destroy(owner);
        lade_buffer_fini(&buffer);
        free(in);
    }
}

#define ARRAY_OF(T, ...)                                                                         \
    {                                                                                            \
        const T in[] = {__VA_ARGS__};                                                            \
        size_t n = COUNT_OF(in);                                                                 \
        T *out = NULL;                                                                           \
        lade_arena *owner = NULL;                                                                \
        lade_buffer buffer = {0};                                                                \
        assert_int_equal(lade_encode_array(in, 1, &n, &buffer, NULL), LADE_OK);                  \
        n = 0;                                                                                   \
        assert_int_equal(lade_decode_array(buffer.data, buffer.size, &out, 1, &n, &owner, NULL), \
                         LADE_OK);                                                               \
        assert_int_equal(n, COUNT_OF(in));                                                       \
        assert_memory_equal(in, out, sizeof in);                                                 \
        lade_arena_destroy(owner);                                                               \
        lade_buffer_fini(&buffer);                                                               \
    }

static void arrays_of_every_arithmetic_type(void **state)
{
    (void)state;
    ARRAY_OF(bool, true, false, true)
    ARRAY_OF(char, 'a', -1)
    ARRAY_OF(signed char, -128, 127)
    ARRAY_OF(unsigned char, 0, 255)
    ARRAY_OF(short, -5, 5)
    ARRAY_OF(unsigned short, 65535)
    ARRAY_OF(int, -1, 2, 3)
    ARRAY_OF(unsigned, 4000000000u)
    ARRAY_OF(long, -1, 1)
    ARRAY_OF(unsigned long, 1)
    ARRAY_OF(long long, INT64_MIN)
    ARRAY_OF(unsigned long long, UINT64_MAX)
    ARRAY_OF(float, 1.5F, -0.0F)
    ARRAY_OF(double, 1e300, -0.0)
    ARRAY_OF(float complex, 1.0F + 2.0F * I)
    ARRAY_OF(double complex, 1.0 + 2.0 * I, 3.0)
}

static void arrays_without_elements(void **state)
{
    (void)state;
    static const size_t extents[] = {3, 0};
    double dummy = 1;
    double *out = &dummy;
    lade_buffer buffer = {0};
    lade_arena *owner = NULL;
    size_t got[2] = {9, 9};
    assert_int_equal(lade_encode_array((double *)NULL, 2, extents, &buffer, NULL), LADE_OK);
    const uint8_t *m = buffer.data;
    size_t n = buffer.size;
    assert_int_equal(lade_decode_array(m, n, &out, 2, got, &owner, NULL), LADE_OK);
    assert_null(out);
    assert_true(got[0] == 3 && got[1] == 0);
    assert_int_equal(lade_decode_array_into(m, n, (double *)NULL, 2, extents, NULL), LADE_OK);
    assert_int_equal(lade_decode_array_into(m, n, &dummy, 2, extents, NULL), LADE_OK);
    assert_true(dummy == 1);
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
}

static void arrays_that_do_not_fit(void **state)
{
    (void)state;
    const int32_t in[6] = {1, 2, 3, 4, 5, 6};
    static const size_t extents[] = {2, 3};
    lade_buffer buffer = {0};
    int32_t room[6] = {0};
    int32_t *out = room;
    unsigned *other = NULL;
    node *records = NULL;
    lade_arena *owner = NULL;
    size_t got[LADE_MAX_RANK] = {77, 78, 79};
    assert_int_equal(lade_encode_array(in, 2, extents, &buffer, NULL), LADE_OK);
    const uint8_t *m = buffer.data;
    size_t n = buffer.size;
    assert_status(lade_decode_array(m, n, &out, 1, got, &owner, NULL), LADE_ERR_SHAPE);
    assert_status(lade_decode_array(m, n, &out, 3, got, &owner, NULL), LADE_ERR_SHAPE);
    assert_status(lade_decode_array(m, n, &other, 2, got, &owner, NULL), LADE_ERR_TYPE);
    assert_status(lade_decode_records(node, m, n, &records, 2, got, &owner, NULL), LADE_ERR_TYPE);
    assert_status(lade_decode_as(&lade_scalar_i32, m, n, &out, &owner, NULL), LADE_ERR_TYPE);
    assert_true(out == room && !other && !records && !owner);
    assert_true(got[0] == 77 && got[1] == 78 && got[2] == 79);
    static const size_t wrong[][3] = {{3, 2, 1}, {2, 2, 1}, {6, 1, 1}, {0, 3, 1}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_status(lade_decode_array_into(m, n, room, 2, wrong[i], NULL), LADE_ERR_SHAPE);
    assert_status(lade_decode_array_into(m, n, room, 1, (size_t[]){6}, NULL), LADE_ERR_SHAPE);
    assert_status(lade_decode_array_into(m, n, (float *)(void *)room, 2, extents, NULL),
                  LADE_ERR_TYPE);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(room[i], 0);
    lade_buffer_fini(&buffer);
}

static void bare_messages_have_no_header(void **state)
{
    (void)state;
    lade_context ctx = {.bare = true};
    lade_buffer buffer = {0};
    plain *out = NULL;
    lade_arena *owner = NULL;
    assert_int_equal(lade_encode(plain, &(plain){5}, &buffer, &ctx), LADE_OK);
    assert_int_equal(buffer.size, 8);
    assert_int_equal(lade_decode(plain, buffer.data, buffer.size, &out, &owner, &ctx), LADE_OK);
    assert_true(out->only == 5);
    const void *read_only = &(const plain){6};
    assert_int_equal(lade_encode(plain, (const plain *)read_only, &buffer, &ctx), LADE_OK);
    assert_int_equal(lade_decode_into(plain, buffer.data, buffer.size, out, &ctx), LADE_OK);
    assert_true(out->only == 6);
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

/* Several values in one arena; all are there until it ends. */
static void one_owner_of_many_values(void **state)
{
    (void)state;
    lade_arena *owner = NULL;
    series *out[10];
    lade_buffer buffer = {0};
    for (size_t i = 0; i < COUNT_OF(out); i++) {
        series s = make_series(i * 100);
        assert_int_equal(lade_encode(series, &s, &buffer, NULL), LADE_OK);
        assert_int_equal(lade_decode(series, buffer.data, buffer.size, &out[i], &owner, NULL),
                         LADE_OK);
        /* a failure in between leaves what is there alone */
        series *none = NULL;
        assert_status(lade_decode(series, buffer.data, buffer.size - 1, &none, &owner, NULL),
                      LADE_ERR_TRUNCATED);
        free_series(&s);
    }
    for (size_t i = 0; i < COUNT_OF(out); i++) {
        assert_string_equal(out[i]->name, "series");
        assert_int_equal(out[i]->n, i * 100);
        for (size_t k = 0; k < out[i]->n; k++)
            assert_true(out[i]->x[k] == (double)k + 0.5);
    }
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
}

static void second_turns_allocate_nothing(void **state)
{
    (void)state;
    test_memory m;
    test_memory_init(&m);
    lade_context ctx = {.allocator = &m.allocator};
    lade_arena *owner = lade_arena_create(&m.allocator);
    lade_buffer buffer = {0};
    size_t late = 0;
    series s = make_series(10000);
    node ring[3] = {
        {1, &ring[1], NULL, NULL}, {2, &ring[2], NULL, (char[]){"x"}}, {3, ring, ring, NULL}};
    for (int turn = 0; turn < 4; turn++) {
        static const char *const steps[] = {"encode", "decode", "into", "graph encode",
                                            "graph decode"};
        for (int step = 0; step < 5; step++) {
            series *out = NULL;
            node *graph = NULL;
            test_memory_restart(&m, 0);
            lade_arena_reset(owner);
            lade_status status = LADE_OK;
            if (step == 0)
                status = lade_encode(series, &s, &buffer, &ctx);
            else if (step == 1)
                status = lade_decode(series, buffer.data, buffer.size, &out, &owner, &ctx);
            else if (step == 2)
                status = lade_decode_into(series, buffer.data, buffer.size, &s, &ctx);
            else if (step == 3)
                status = lade_encode(node, ring, &buffer, &ctx);
            else
                status = lade_decode(node, buffer.data, buffer.size, &graph, &owner, &ctx);
            assert_status(status, LADE_OK);
            if (turn == 3 && m.calls)
                print_error("%s: %zu allocations in turn %d\n", steps[step], m.calls, turn);
            late += turn > 1 ? m.calls : 0;
        }
    }
    free_series(&s);
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    test_memory_check(&m);
    assert_int_equal(late, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_used_again),
        cmocka_unit_test(fixed_memory_exact_and_one_too_small),
        cmocka_unit_test(arrays_of_every_rank),
        cmocka_unit_test(arrays_of_every_arithmetic_type),
        cmocka_unit_test(arrays_without_elements),
        cmocka_unit_test(arrays_that_do_not_fit),
        cmocka_unit_test(bare_messages_have_no_header),
        cmocka_unit_test(one_owner_of_many_values),
        cmocka_unit_test(second_turns_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
