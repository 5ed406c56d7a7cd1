/* What calls with memory refuse, and what they say: arguments, types, limits, places, statistics.
 */
#include "support.h"

#include "city_types.h"

#include <stdlib.h>

/* clang-format off */
typedef struct { int64_t id; } number;
LADE_STRUCT(number, (value, id))
typedef struct { double *big; size_t n; float *more; uint32_t m; char *name; } arrays;
LADE_STRUCT(arrays, (vector, big, n), (vector, more, m), (text, name))
/* clang-format on */

typedef struct fixture {
    lade_error error;
    lade_context ctx;
    lade_buffer buffer;
    city *out;
    lade_arena *owner;
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){.ctx = {.check_interior = true}};
    f->ctx.error = &f->error;
    assert_ok(lade_encode(city, city_small(), &f->buffer, &f->ctx), &f->error);
}

static void end(fixture *f)
{
    lade_buffer_fini(&f->buffer);
    lade_context_fini(&f->ctx);
    lade_arena_destroy(f->owner);
}

/* The last call failed with this status, said so, and left the outputs alone. */
static void refused(fixture *f, lade_status status, lade_status expected)
{
    assert_status(status, expected);
    assert_int_equal(f->error.status, expected);
    assert_true(f->error.message[0] != 0);
    assert_int_equal(f->error.rank, -1);
    assert_null(f->out);
    assert_null(f->owner);
    f->error = (lade_error){0};
}

static void null_arguments(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    const lade_status bad = LADE_ERR_ARGUMENT;
    const city *c = city_small();
    lade_buffer *b = &f.buffer;
    lade_context *ctx = &f.ctx;
    uint8_t memory[64];
    size_t size = 5;
    size_t extents[LADE_MAX_RANK] = {2, 2};
    lade_buffer m = {0};
    assert_int_equal(lade_encode(city, c, &m, NULL), LADE_OK);
    refused(&f, lade_encode_as(NULL, c, b, ctx), bad);
    refused(&f, lade_encode(city, (city *)NULL, b, ctx), bad);
    refused(&f, lade_encode(city, c, NULL, ctx), bad);
    refused(&f, lade_encode_to_as(NULL, c, memory, 64, &size, ctx), bad);
    refused(&f, lade_encode_to(city, (city *)NULL, memory, 64, &size, ctx), bad);
    refused(&f, lade_encode_to(city, c, NULL, 64, &size, ctx), bad);
    refused(&f, lade_encode_to(city, c, memory, 64, NULL, ctx), bad);
    refused(&f, lade_encoded_size_as(NULL, c, &size, ctx), bad);
    refused(&f, lade_encoded_size(city, (city *)NULL, &size, ctx), bad);
    refused(&f, lade_encoded_size(city, c, NULL, ctx), bad);
    refused(&f, lade_decode_as(NULL, m.data, m.size, &f.out, &f.owner, ctx), bad);
    refused(&f, lade_decode(city, NULL, m.size, &f.out, &f.owner, ctx), bad);
    refused(&f, lade_decode(city, m.data, m.size, (city **)NULL, &f.owner, ctx), bad);
    refused(&f, lade_decode(city, m.data, m.size, &f.out, NULL, ctx), bad);
    refused(&f, lade_decode_into_as(NULL, m.data, m.size, memory, ctx), bad);
    refused(&f, lade_decode_into(city, NULL, m.size, city_small(), ctx), bad);
    refused(&f, lade_decode_into(city, m.data, m.size, (city *)NULL, ctx), bad);
    refused(&f, lade_encode_array_as(NULL, memory, 1, extents, b, ctx), bad);
    refused(&f, lade_encode_array((double *)NULL, 1, extents, b, ctx), bad);
    refused(&f, lade_encode_array(memory, 1, NULL, b, ctx), bad);
    refused(&f, lade_encode_array(memory, 0, extents, b, ctx), bad);
    refused(&f, lade_encode_array(memory, LADE_MAX_RANK + 1, extents, b, ctx), bad);
    refused(&f, lade_encode_array(memory, 1, extents, NULL, ctx), bad);
    refused(&f, lade_encode_array(memory, 2, ((size_t[]){SIZE_MAX, 2}), b, ctx), bad);
    refused(&f,
            lade_encode_array((double *)(void *)f.buffer.data, 1, (size_t[]){SIZE_MAX / 4}, b, ctx),
            bad);
    assert_int_equal(size, 5);
    uint8_t *bytes = NULL;
    assert_int_equal(lade_encode_array(memory, 2, extents, &m, NULL), LADE_OK);
    refused(&f, lade_decode_array_as(NULL, m.data, m.size, &bytes, 2, extents, &f.owner, ctx), bad);
    refused(&f, lade_decode_array(NULL, m.size, &bytes, 2, extents, &f.owner, ctx), bad);
    refused(&f, lade_decode_array(m.data, m.size, &bytes, 0, extents, &f.owner, ctx), bad);
    refused(&f, lade_decode_array(m.data, m.size, &bytes, 9, extents, &f.owner, ctx), bad);
    refused(&f, lade_decode_array(m.data, m.size, &bytes, 2, NULL, &f.owner, ctx), bad);
    refused(&f, lade_decode_array(m.data, m.size, &bytes, 2, extents, NULL, ctx), bad);
    refused(&f, lade_decode_array(m.data, m.size, (uint8_t **)NULL, 2, extents, &f.owner, ctx),
            bad);
    refused(&f, lade_decode_array_into(m.data, m.size, (uint8_t *)NULL, 2, extents, ctx), bad);
    refused(&f, lade_decode_array_into(m.data, m.size, memory, 2, NULL, ctx), bad);
    refused(&f, lade_decode_array_into(m.data, m.size, memory, 0, extents, ctx), bad);
    refused(&f, lade_decode_array_into(NULL, m.size, memory, 2, extents, ctx), bad);
    assert_null(bytes);
    lade_buffer_fini(&m);
    end(&f);
}

static void another_type_is_named(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    district *d = NULL;
    hex *cells = NULL;
    size_t n = 0;
    const uint8_t *m = f.buffer.data;
    size_t size = f.buffer.size;
    assert_status(lade_decode(district, m, size, &d, &f.owner, &f.ctx), LADE_ERR_TYPE);
    assert_non_null(strstr(f.error.message, "district"));
    refused(&f, lade_decode_into(number, m, size, &(number){0}, &f.ctx), LADE_ERR_TYPE);
    refused(&f, lade_decode_records(hex, m, size, &cells, 1, &n, &f.owner, &f.ctx), LADE_ERR_TYPE);
    assert_true(!d && !cells && n == 0);
    end(&f);
}

static void headers_that_are_not_ours(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
        lade_status status;
    } cases[] = {
        {0, 'X', LADE_ERR_FORMAT},   {3, 'F', LADE_ERR_FORMAT},     {4, 0, LADE_ERR_FORMAT},
        {4, 2, LADE_ERR_VERSION},    {4, 255, LADE_ERR_VERSION},    {5, 1, LADE_ERR_TYPE},
        {5, 2, LADE_ERR_FORMAT},     {6, 1, LADE_ERR_FORMAT},       {7, 1, LADE_ERR_FORMAT},
        {8, 0, LADE_ERR_TYPE},       {23, 0, LADE_ERR_TYPE},        {31, 1, LADE_ERR_TRUNCATED},
        {39, 1, LADE_ERR_TRUNCATED}, {39, 255, LADE_ERR_TRUNCATED},
    };
    fixture f;
    begin(&f);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint8_t *byte = &f.buffer.data[cases[i].at];
        uint8_t old = *byte;
        *byte = cases[i].value == old ? (uint8_t)(old + 1) : cases[i].value;
        refused(&f, lade_decode(city, f.buffer.data, f.buffer.size, &f.out, &f.owner, &f.ctx),
                cases[i].status);
        *byte = old;
    }
    uint8_t *longer = calloc(f.buffer.size + 1, 1);
    assert_non_null(longer);
    memcpy(longer, f.buffer.data, f.buffer.size);
    refused(&f, lade_decode(city, longer, f.buffer.size + 1, &f.out, &f.owner, &f.ctx),
            LADE_ERR_FORMAT);
    refused(&f, lade_decode(city, "something else", 14, &f.out, &f.owner, &f.ctx), LADE_ERR_FORMAT);
    refused(&f, lade_decode(city, "LA", 2, &f.out, &f.owner, &f.ctx), LADE_ERR_TRUNCATED);
    refused(&f, lade_decode(city, "", 0, &f.out, &f.owner, &f.ctx), LADE_ERR_TRUNCATED);
    free(longer);
    end(&f);
}

static void the_limit_of_bytes_is_kept(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    size_t refusals = 0;
    for (f.ctx.limits.max_bytes = 1; !f.out; f.ctx.limits.max_bytes += 97) {
        test_memory m;
        test_memory_init(&m);
        lade_arena *arena = lade_arena_create(&m.allocator);
        lade_status status =
            lade_decode(city, f.buffer.data, f.buffer.size, &f.out, &arena, &f.ctx);
        if (status != LADE_OK) {
            assert_status(status, LADE_ERR_LIMIT);
            assert_int_equal(f.error.status, LADE_ERR_LIMIT);
            assert_null(f.out);
            refusals++;
        } else {
            city_check(f.out);
        }
        lade_arena_destroy(arena);
        test_memory_check(&m);
    }
    assert_in_range(refusals, 50, 1000);
    end(&f);
}

/* Finds the field by changing the value, so that the test knows nothing of the bytes. */
static size_t first_difference(const lade_buffer *a, const lade_buffer *b)
{
    size_t i = 0;
    while (i < a->size && i < b->size && a->data[i] == b->data[i])
        i++;
    return i;
}

static void errors_say_where(void **state)
{
    (void)state;
    for (int interpret = 0; interpret < 2; interpret++) {
        fixture f;
        begin(&f);
        f.ctx.interpret = interpret;
        city *c = city_small();
        lade_buffer changed = {0};
        c->cells[17].paths[2].open = true;
        assert_ok(lade_encode(city, c, &changed, &f.ctx), &f.error);
        size_t at = first_difference(&f.buffer, &changed);
        changed.data[at] = 2;
        assert_status(lade_decode(city, changed.data, changed.size, &f.out, &f.owner, &f.ctx),
                      LADE_ERR_VALUE);
        assert_string_equal(f.error.path, "city.cells[17].paths[2].open");
        assert_int_equal(f.error.offset, at);
        assert_non_null(strstr(f.error.message, "city.cells[17].paths[2].open"));
        lade_arena_destroy(f.owner);
        city_small();
        c->centre.parts[1].code[0] = 'Q';
        assert_ok(lade_encode(city, c, &changed, &f.ctx), &f.error);
        at = first_difference(&f.buffer, &changed);
        changed.data[at] = 0;
        f.owner = NULL;
        assert_status(lade_decode(city, changed.data, changed.size, &f.out, &f.owner, &f.ctx),
                      LADE_ERR_VALUE);
        assert_string_equal(f.error.path, "district[1].code");
        c = city_small();
        c->cells[3].npaths = 1;
        c->cells[3].paths = NULL;
        assert_status(lade_encode(city, c, &changed, &f.ctx), LADE_ERR_VALUE);
        assert_string_equal(f.error.path, "city.cells[3].paths");
        lade_buffer_fini(&changed);
        end(&f);
    }
}

static void large_arrays_are_not_copied_on_the_way(void **state)
{
    (void)state;
    arrays in = {calloc(100000, sizeof(double)), 100000, calloc(2000, sizeof(float)), 2000, NULL};
    assert_true(in.big && in.more);
    lade_context ctx = {0};
    lade_buffer buffer = {0};
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(lade_encode(arrays, &in, &buffer, &ctx), LADE_OK);
        assert_true(ctx.stats.content_bytes == 808000 && ctx.stats.segments == 2);
        assert_true(ctx.stats.staged_bytes == 0 && ctx.stats.skeleton_bytes == 3 + 2 + 1);
        arrays *out = NULL;
        lade_arena *owner = NULL;
        assert_int_equal(lade_decode(arrays, buffer.data, buffer.size, &out, &owner, &ctx),
                         LADE_OK);
        assert_true(ctx.stats.content_bytes == 808000 && ctx.stats.segments == 2);
        assert_true(ctx.stats.staged_bytes == 0 && ctx.stats.skeleton_bytes == 3 + 2 + 1);
        assert_int_equal((uintptr_t)out->big % 64, 0);
        assert_int_equal((uintptr_t)out->more % 64, 0);
        lade_arena_destroy(owner);
    }
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    free(in.big);
    free(in.more);
}

/* Beyond the message itself, encoding holds no copy of the arrays, and decoding one: the value. */
static void bytes_allocated_follow_the_value(void **state)
{
    (void)state;
    arrays in = {calloc(1 << 20, sizeof(double)), 1 << 20, NULL, 0, NULL};
    assert_non_null(in.big);
    test_memory m;
    test_memory_init(&m);
    lade_context ctx = {.allocator = &m.allocator};
    size_t size;
    assert_int_equal(lade_encoded_size(arrays, &in, &size, &ctx), LADE_OK);
    assert_in_range(m.peak, 1, 1 << 20);
    lade_buffer buffer = {0};
    assert_int_equal(lade_encode(arrays, &in, &buffer, &ctx), LADE_OK);
    assert_in_range(m.peak, size, size + (1 << 20));
    size_t before = m.bytes;
    arrays *out = NULL;
    lade_arena *owner = NULL;
    test_memory_restart(&m, 0);
    assert_int_equal(lade_decode(arrays, buffer.data, buffer.size, &out, &owner, &ctx), LADE_OK);
    assert_in_range(m.peak - before, size, size + (1 << 20));
    test_memory_restart(&m, 0);
    before = m.bytes;
    assert_int_equal(lade_decode_into(arrays, buffer.data, buffer.size, &in, &ctx), LADE_OK);
    assert_in_range(m.peak - before, 0, 1 << 20);
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    test_memory_check(&m);
    free(in.big);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(another_type_is_named),
        cmocka_unit_test(headers_that_are_not_ours),
        cmocka_unit_test(the_limit_of_bytes_is_kept),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(large_arrays_are_not_copied_on_the_way),
        cmocka_unit_test(bytes_allocated_follow_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
