/* Types made from schemas: the same bytes as the types that the schemas are of; hostile schemas. */
#include "city_types.h"
#include "graph_types.h"
#include "kind_types.h"
#include "support.h"

#include <stdio.h>

typedef struct subject {
    const lade_type *type;
    void *value;
} subject;

enum { SUBJECTS = 24 };

static char a_text[] = "a text";

static size_t make_subjects(lade_arena *arena, subject *s)
{
    static node two[2] = {{1, &two[1], NULL, a_text}, {2, &two[0], &two[1], NULL}};
    static author by = {a_text, NULL};
    static book written = {1999, &by};
    static node pool[3] = {
        {1, &pool[2], NULL, NULL}, {2, NULL, &two[0], NULL}, {3, NULL, NULL, NULL}};
    static double weights[600];
    static link_to links[2] = {{&pool[1], 0.5}, {NULL, 1}};
    static mesh net = {.nodes = pool,
                       .nnodes = 3,
                       .weights = weights,
                       .nweights = 600,
                       .links = links,
                       .nlinks = 2,
                       .top = &pool[2],
                       .last = &two[1],
                       .best = &weights[7]};
    static spot spots[2] = {{1, 2}, {3, 4}};
    static album pictures = {.first = {{1, 2}, a_text}, .dense = spots, .ndense = 2};
    static inner deep = {7, &deep};
    static outer shell = {{1, NULL}, &shell, &deep};
    static shape shapes[3] = {{SHAPE_CIRCLE, {.radius = 2}, 1},
                              {SHAPE_TEXT, {.label = a_text}, 2},
                              {(shape_kind)99, {.radius = 0}, 3}};
    by.first = &written;
    size_t n = 0;
    s[n++] = (subject){&lade_type_city, city_small()};
    s[n++] = (subject){&lade_type_node, two};
    s[n++] = (subject){&lade_type_author, &by};
    s[n++] = (subject){&lade_type_mesh, &net};
    s[n++] = (subject){&lade_type_album, &pictures};
    s[n++] = (subject){&lade_type_outer, &shell};
    s[n++] = (subject){&lade_type_spot, spots};
    for (size_t i = 0; i < 3; i++)
        s[n++] = (subject){&lade_type_shape, &shapes[i]};
    s[n++] = (subject){&lade_type_skipped, &(skipped){NULL}};
    for (size_t size = 0; size <= 2; size++) {
        size_t scale = size * size * 150;
        s[n++] = (subject){&lade_type_octant, kind_octant(arena, scale)};
        s[n++] = (subject){&lade_type_sack, kind_sack(arena, scale)};
        s[n++] = (subject){&lade_type_fields, kind_fields(arena, scale / 10)};
        s[n++] = (subject){&lade_type_everything, kind_everything(arena, scale)};
    }
    s[n++] = (subject){&lade_type_kennel, kind_kennel(arena, 3)};
    assert_true(n <= SUBJECTS);
    return n;
}

static int setup(void **state)
{
    *state = lade_arena_create(NULL);
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    lade_arena_destroy(*state);
    return 0;
}

static void same_bytes(const lade_buffer *a, const lade_buffer *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* Encodes by the program's type, then decodes and encodes by the run-time type, bare and with a header. */
static void check_twin(const subject *s, bool bare)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error, .externals = &kind_externals, .bare = bare};
    lade_schema *schema;
    lade_buffer first = {0};
    lade_buffer second = {0};
    lade_arena *owner = test_dirty_arena();
    void *value;
    lade_fingerprint a;
    lade_fingerprint b;
    assert_ok(lade_schema_describe(s->type, false, &schema, &ctx), &error);
    const lade_type *twin = lade_schema_root(schema);
    assert_ok(lade_fingerprint_of(s->type, &a, &ctx), &error);
    assert_ok(lade_fingerprint_of(twin, &b, &ctx), &error);
    assert_true(a.low == b.low && a.high == b.high);
    assert_ok(lade_encode_as(s->type, s->value, &first, &ctx), &error);
    ctx.externals = NULL; /* keys are kept as they are */
    assert_ok(lade_decode_as(twin, first.data, first.size, &value, &owner, &ctx), &error);
    assert_ok(lade_encode_as(twin, value, &second, &ctx), &error);
    same_bytes(&first, &second);
    assert_ok(lade_decode_into_as(twin, first.data, first.size, value, &ctx), &error);
    assert_ok(lade_encode_as(twin, value, &second, &ctx), &error);
    same_bytes(&first, &second);
    lade_schema_destroy(schema);
    lade_arena_destroy(owner);
    lade_buffer_fini(&first);
    lade_buffer_fini(&second);
    lade_context_fini(&ctx);
}

static void twins_write_the_same_bytes(void **state)
{
    subject subjects[SUBJECTS];
    size_t n = make_subjects(*state, subjects);
    for (size_t i = 0; i < n; i++)
        for (int bare = 0; bare < 2; bare++)
            check_twin(&subjects[i], bare);
}

/* The schema of a twin, with its attachment, is that of its type. */
static void schemas_of_twins_are_equal(void **state)
{
    subject subjects[SUBJECTS];
    size_t n = make_subjects(*state, subjects);
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    for (size_t i = 0; i < 2 * n; i++) {
        lade_buffer bytes[2] = {{0}, {0}};
        lade_buffer more[2] = {{0}, {0}};
        lade_schema *schema;
        bool array = i % 2 && subjects[i / 2].type != &lade_type_city &&
                     subjects[i / 2].type != &lade_type_mesh;
        assert_ok(lade_schema_bytes(subjects[i / 2].type, array, &bytes[0], &more[0], &ctx),
                  &error);
        assert_ok(lade_schema_parse(bytes[0].data, bytes[0].size, more[0].data, more[0].size,
                                    &schema, &ctx),
                  &error);
        assert_int_equal(lade_schema_is_array(schema), array);
        assert_ok(lade_schema_bytes(lade_schema_root(schema), array, &bytes[1], &more[1], &ctx),
                  &error);
        same_bytes(&bytes[0], &bytes[1]);
        same_bytes(&more[0], &more[1]);
        lade_schema_destroy(schema);
        for (int k = 0; k < 2; k++) {
            lade_buffer_fini(&bytes[k]);
            lade_buffer_fini(&more[k]);
        }
    }
    lade_context_fini(&ctx);
}

static void arrays_of_twins(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    node nodes[3] = {
        {1, &nodes[2], NULL, NULL}, {2, &nodes[0], &nodes[1], NULL}, {3, NULL, NULL, NULL}};
    size_t extents[2] = {3, 1};
    size_t found[2];
    lade_buffer first = {0};
    lade_buffer second = {0};
    lade_schema *schema;
    lade_arena *owner = NULL;
    void *array;
    (void)state;
    assert_ok(lade_schema_describe(&lade_type_node, true, &schema, &ctx), &error);
    assert_ok(lade_encode_array_as(&lade_type_node, nodes, 2, extents, &first, &ctx), &error);
    assert_ok(lade_decode_array_as(lade_schema_root(schema), first.data, first.size, &array, 2,
                                   found, &owner, &ctx),
              &error);
    assert_ok(lade_encode_array_as(lade_schema_root(schema), array, 2, found, &second, &ctx),
              &error);
    same_bytes(&first, &second);
    lade_schema_destroy(schema);
    lade_arena_destroy(owner);
    lade_buffer_fini(&first);
    lade_buffer_fini(&second);
    lade_context_fini(&ctx);
}

/* Parses; what is accepted is written again as it was. */
static void feed(const uint8_t *bytes, size_t size, const uint8_t *more, size_t more_size)
{
    lade_schema *schema = NULL;
    lade_buffer again = {0};
    lade_context ctx = {0};
    lade_status status = lade_schema_parse(bytes, size, more, more_size, &schema, &ctx);
    if (status == LADE_OK) {
        lade_error error = {0};
        ctx.error = &error;
        assert_ok(lade_schema_bytes(lade_schema_root(schema), lade_schema_is_array(schema), &again,
                                    NULL, &ctx),
                  &error);
        assert_int_equal(again.size, size);
        assert_memory_equal(again.data, bytes, size);
    } else {
        assert_true(status == LADE_ERR_FORMAT || status == LADE_ERR_LIMIT ||
                    status == LADE_ERR_VERSION);
        assert_null(schema);
    }
    lade_schema_destroy(schema);
    lade_buffer_fini(&again);
    lade_context_fini(&ctx);
}

/* A copy of exactly so many bytes, so that a sanitizer sees a read behind them. */
static uint8_t *exact(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = test_malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    return copy;
}

static void broken_schemas_are_refused(void **state)
{
    static const lade_type *const types[] = {&lade_type_everything, &lade_type_kennel,
                                             &lade_type_sack, &lade_type_fields, &lade_type_city};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        lade_buffer bytes = {0};
        lade_buffer more = {0};
        assert_status(lade_schema_bytes(types[t], false, &bytes, &more, NULL), LADE_OK);
        feed(bytes.data, bytes.size, more.data, more.size);
        for (size_t cut = 0; cut < bytes.size; cut++) {
            uint8_t *part = exact(bytes.data, cut);
            feed(part, cut, NULL, 0);
            test_free(part);
        }
        for (size_t i = 0; i < bytes.size; i++)
            for (unsigned bit = 0; bit < 8; bit++) {
                bytes.data[i] ^= (uint8_t)(1U << bit);
                feed(bytes.data, bytes.size, more.data, more.size);
                bytes.data[i] ^= (uint8_t)(1U << bit);
            }
        for (size_t i = 0; i < more.size; i++) {
            uint8_t *part = exact(more.data, i);
            feed(bytes.data, bytes.size, part, i);
            test_free(part);
            for (unsigned bit = 0; bit < 8; bit++) {
                more.data[i] ^= (uint8_t)(1U << bit);
                feed(bytes.data, bytes.size, more.data, more.size);
                more.data[i] ^= (uint8_t)(1U << bit);
            }
        }
        lade_buffer_fini(&bytes);
        lade_buffer_fini(&more);
    }
}

static void what_no_writer_makes(void **state)
{
    static const struct {
        uint8_t bytes[40];
        size_t size;
        const char *text;
    } cases[] = {
        {{0, 1}, 2, "it has no types"},
        {{0, 3, 3, 'a', 0, 1, 3, 3, 'x', 1, 7, 0, 9}, 13, "left over"},
        /* a record that holds itself */
        {{0, 3, 3, 'a', 0, 1, 3, 3, 'x', 5, 0, 1}, 12, "holds itself"},
        /* level 1 for what is level 0 */
        {{2, 3, 3, 'a', 0, 1, 3, 3, 'x', 1, 7, 0}, 12, "not written as it must be"},
        {{0, 3, 3, 'a', 0, 1, 3, 3, 'x', 1, 7, 9}, 12, "rank"},
        {{0, 3, 3, 'a', 0, 1, 3, 3, 'x', 1, 77, 0}, 12, "scalar"},
        {{0, 3, 3, 'a', 0, 1, 3, 3, 'x', 6, 7}, 11, "is not there"},
        /* a field twice */
        {{0, 3, 3, 'a', 0, 1, 5, 3, 'x', 3, 3, 'x', 3}, 13, "listed twice"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lade_error error = {0};
        lade_context ctx = {.error = &error};
        lade_schema *schema;
        assert_status(lade_schema_parse(cases[i].bytes, cases[i].size, NULL, 0, &schema, &ctx),
                      LADE_ERR_FORMAT);
        if (!strstr(error.message, cases[i].text))
            fail_msg("'%s' is not in '%s'", cases[i].text, error.message);
        lade_context_fini(&ctx);
    }
}

/* 65 levels of records by value; and a chain that is short but as large as memory. */
static void large_types_are_refused(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    (void)state;
    for (unsigned extent = 1; extent <= 1000; extent += 999) {
        lade_schema *schema;
        const lade_type *inside = &lade_scalar_u8;
        assert_ok(lade_schema_create(&schema, &ctx), &error);
        for (unsigned i = 0; i < 70; i++) {
            char name[16];
            const lade_type *around;
            snprintf(name, sizeof name, "t%u", i);
            assert_ok(lade_schema_add(schema, &(lade_type){.name = name}, &around), &error);
            lade_field f = {.name = "x",
                            .kind = LADE_KIND_RECORD,
                            .offset = LADE_NO_OFFSET,
                            .rank = extent > 1,
                            .extent = {extent},
                            .type = inside};
            if (i == 0)
                f = (lade_field){.name = "x",
                                 .kind = LADE_KIND_VALUE,
                                 .scalar = LADE_U8,
                                 .offset = LADE_NO_OFFSET};
            assert_ok(lade_schema_add_field(schema, around, &f), &error);
            inside = around;
        }
        assert_status(lade_schema_finish(schema, inside, false), LADE_ERR_LIMIT);
        lade_schema_destroy(schema);
    }
    lade_context_fini(&ctx);
}

static void every_allocation_may_fail(void **state)
{
    test_memory memory;
    lade_buffer bytes = {0};
    lade_buffer more = {0};
    (void)state;
    test_memory_init(&memory);
    assert_status(lade_schema_bytes(&lade_type_everything, false, &bytes, &more, NULL), LADE_OK);
    lade_status status = LADE_ERR_MEMORY;
    for (size_t n = 1; status != LADE_OK; n++) {
        lade_context ctx = {.allocator = &memory.allocator};
        lade_schema *schema = NULL;
        test_memory_restart(&memory, n);
        status = lade_schema_parse(bytes.data, bytes.size, more.data, more.size, &schema, &ctx);
        if (status != LADE_OK)
            assert_status(status, LADE_ERR_MEMORY);
        lade_schema_destroy(schema);
        lade_context_fini(&ctx);
        test_memory_check(&memory);
    }
    lade_buffer_fini(&bytes);
    lade_buffer_fini(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(twins_write_the_same_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(schemas_of_twins_are_equal, setup, teardown),
        cmocka_unit_test(arrays_of_twins),
        cmocka_unit_test(broken_schemas_are_refused),
        cmocka_unit_test(what_no_writer_makes),
        cmocka_unit_test(large_types_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
