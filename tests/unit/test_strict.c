/* Bytes that a writer never makes are refused, with the right status and place; descriptions that would
 * let foreign bytes become pointers are refused. */
#include "support.h"

#include <lade/backend.h>

/* clang-format off */
typedef struct flags { uint32_t n; bool *b; } flags;
LADE_STRUCT(flags, (vector, b, n))
typedef struct line { char *t; } line;
LADE_STRUCT(line, (text, t))
enum colour { RED, ROUGE = RED, BLUE };
LADE_ENUM(colour, RED, ROUGE, BLUE)
typedef struct paint { enum colour c; } paint;
LADE_STRUCT(paint, (enumeration, c, colour))
typedef struct point point;
struct point { int32_t v; };
LADE_STRUCT(point, (value, v))
typedef struct group { uint32_t n; point *p; point *x; } group;
LADE_STRUCT(group, (pool, p, n, point), (ref, x, point))
typedef struct overlap { union { char *t; uint64_t x; } u; } overlap;
/* clang-format on */

static lade_status decode(const lade_type *type, const void *bytes, size_t size, lade_error *error)
{
    void *out = NULL;
    lade_arena *owner = NULL;
    lade_context ctx = {.error = error, .bare = true};
    lade_status status = lade_decode_as(type, bytes, size, &out, &owner, &ctx);
    assert_true((status == LADE_OK) == (owner != NULL));
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
    return status;
}

/* The place of a bad value is right although the end of the input was moved meanwhile. */
static void places_near_the_end(void **state)
{
    (void)state;
    enum { N = 40 };
    uint8_t bytes[1 + N];
    lade_error error;
    memset(bytes, 1, sizeof bytes);
    bytes[0] = N << 1 | 1;
    assert_status(decode(&lade_type_flags, bytes, sizeof bytes, &error), LADE_OK);
    for (size_t at = 1; at < sizeof bytes; at++) {
        bytes[at] = 2;
        assert_status(decode(&lade_type_flags, bytes, sizeof bytes, &error), LADE_ERR_VALUE);
        assert_int_equal(error.offset, 1);
        bytes[at] = 1;
    }
    memset(bytes, 'x', sizeof bytes);
    bytes[0] = (N + 1) << 1 | 1;
    for (size_t at = 1; at < sizeof bytes; at++) {
        char text[N + 1];
        line there = {text};
        lade_context ctx = {.error = &error, .bare = true};
        memset(text, 'y', N);
        text[N] = 0;
        bytes[at] = 0;
        assert_status(decode(&lade_type_line, bytes, sizeof bytes, &error), LADE_ERR_VALUE);
        assert_int_equal(error.offset, 1);
        assert_status(lade_decode_into(line, bytes, sizeof bytes, &there, &ctx), LADE_ERR_VALUE);
        assert_int_equal(error.offset, 1);
        bytes[at] = 'x';
        lade_context_fini(&ctx);
    }
}

static void second_names_of_an_enumerator(void **state)
{
    (void)state;
    lade_error error;
    assert_status(decode(&lade_type_paint, "\x03", 1, &error), LADE_OK);
    assert_status(decode(&lade_type_paint, "\x05", 1, &error), LADE_ERR_FORMAT);
    assert_status(decode(&lade_type_paint, "\x07", 1, &error), LADE_OK);
}

static void objects_outside_pools_stay_outside(void **state)
{
    (void)state;
    point in[2] = {{1}, {2}};
    point outside = {99};
    group saved = {2, in, &outside};
    point there[2] = {{1}, {2}};
    point alone = {0};
    group existing = {2, there, &there[0]};
    lade_buffer message = {0};
    assert_status(lade_encode(group, &saved, &message, NULL), LADE_OK);
    assert_status(lade_decode_into(group, message.data, message.size, &existing, NULL),
                  LADE_ERR_SHAPE);
    assert_int_equal(there[0].v, 1);
    existing.x = &alone;
    assert_status(lade_decode_into(group, message.data, message.size, &existing, NULL), LADE_OK);
    assert_int_equal(alone.v, 99);
    lade_buffer_fini(&message);
}

static void members_that_share_bytes(void **state)
{
    (void)state;
    const lade_field fields[] = {
        {.name = "t", .kind = LADE_KIND_TEXT},
        {.name = "x", .kind = LADE_KIND_VALUE, .scalar = LADE_U64},
    };
    const lade_type type = {.name = "overlap",
                            .size = sizeof(overlap),
                            .align = _Alignof(overlap),
                            .field_count = 2,
                            .fields = fields};
    lade_fingerprint print;
    assert_status(lade_fingerprint_of(&type, &print, NULL), LADE_ERR_DESCRIPTION);
}

static void extents_of_which_one_is_zero(void **state)
{
    (void)state;
    const size_t shapes[][3] = {{SIZE_MAX, SIZE_MAX, 0}, {0, SIZE_MAX, SIZE_MAX}};
    for (int i = 0; i < 2; i++) {
        lade_buffer message = {0};
        double *out = NULL;
        size_t extents[3];
        lade_arena *owner = NULL;
        assert_status(lade_encode_array((double *)NULL, 3, shapes[i], &message, NULL), LADE_OK);
        assert_status(lade_decode_array(message.data, message.size, &out, 3, extents, &owner, NULL),
                      LADE_OK);
        assert_memory_equal(extents, shapes[i], sizeof extents);
        assert_null(out);
        lade_arena_destroy(owner);
        lade_buffer_fini(&message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_near_the_end),
        cmocka_unit_test(second_names_of_an_enumerator),
        cmocka_unit_test(objects_outside_pools_stay_outside),
        cmocka_unit_test(members_that_share_bytes),
        cmocka_unit_test(extents_of_which_one_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
