/* Loads whose parts have memory of their own, and freeing them, for the kinds of field beyond plain values, texts,
 * vectors and refs. */
#include "kind_types.h"

#include "support.h"

#include <stdlib.h>

enum { MOST = 3000 };

static int setup(void **state)
{
    *state = test_dirty_arena();
    return 0;
}

static int teardown(void **state)
{
    lade_arena_destroy(*state);
    return 0;
}

/* Loads a value into blocks, asserts their number, and frees it. */
static void blocks(const lade_type *type, const void *value, size_t expected)
{
    lade_error error;
    lade_buffer message = {0};
    lade_context ctx = {.error = &error, .externals = &kind_externals};
    assert_ok(lade_encode_as(type, value, &message, &ctx), &error);
    lade_context_fini(&ctx);
    for (int i = 0; i < 3; i++) {
        test_memory m;
        test_memory_init(&m);
        void *out = NULL;
        ctx = (lade_context){.allocator = &m.allocator,
                             .error = &error,
                             .externals = &kind_externals,
                             .interpret = i == 1,
                             .own_memory = true};
        assert_ok(i == 2 ? lade_copy_as(type, value, &out, NULL, &ctx)
                         : lade_decode_as(type, message.data, message.size, &out, NULL, &ctx),
                  &error);
        lade_context_fini(&ctx);
        assert_int_equal(m.live, expected);
        assert_ok(lade_free_graph_as(type, out, &ctx), &error);
        lade_context_fini(&ctx);
        test_memory_check(&m);
    }
    lade_buffer_fini(&message);
}

static void every_part_is_a_block(void **state)
{
    /* value; a pet with a name and two members, one pet with a name; a visitor; a friend with a name */
    blocks(&lade_type_kennel, kind_kennel(*state, 0), 1 + 2 + 1 + 2 + 1 + 2);
    /* 3 octants, 3 fields, a label */
    blocks(&lade_type_octant, kind_octant(*state, 1), 3 + 3 + 1);
    /* the sack, 2 arrays, 2 texts, rows and one of them, elements from 1; an octant of size 0 */
    blocks(&lade_type_sack, kind_sack(*state, 3), 1 + 2 + 2 + 2 + 1 + 3 + 1);
    /* 7 grids, rows have 2 blocks; 2 names */
    blocks(&lade_type_fields, kind_fields(*state, 1), 1 + 8 + 2);
    /* records; 3 events with texts, 3 stops, entries with 3 keys, bits; a label */
    blocks(&lade_type_everything, kind_everything(*state, 3), 1 + 1 + 6 + 3 + 4 + 1 + 1);
    blocks(&lade_type_everything, kind_everything(*state, 0), 1 + 1);
}

/* With malloc: elements of lists come and go, entries too; sanitizers see what is left. */
static void parts_are_the_programs(void **state)
{
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals, .own_memory = true};
    everything *e = NULL;
    assert_ok(lade_copy(everything, kind_everything(*state, 5), &e, NULL, &ctx), &error);
    agenda *a = &e->agenda;
    event *second = a->events->next;
    a->events->next = second->next;
    free(second->what);
    free(second);
    stop *more = calloc(1, sizeof *more);
    assert_non_null(more);
    more->prev = a->last;
    a->last->next = more;
    a->last = more;
    pair *entries = realloc(a->words.entries, 6 * sizeof *entries);
    assert_non_null(entries);
    entries[5] = (pair){strdup("zebra"), 5};
    a->words = (dictionary){entries, 6};
    uint32_t *mask = realloc(a->mask, 8 * sizeof *mask);
    assert_non_null(mask);
    a->mask = mask;
    a->nbits = 255;
    free(e->shapes[0].is.label);
    e->shapes[0] = (shape){.kind = SHAPE_PET, .is = {.pet = {.name = strdup("Rusty")}}};
    assert_ok(lade_free_graph(everything, e, &ctx), &error);
    lade_context_fini(&ctx);
}

static void what_is_refused(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error, .own_memory = true};
    everything *e = NULL;
    fields *f = NULL;
    kennel *k = NULL;
    assert_ok(lade_copy(everything, kind_everything(*state, 3), &e, NULL, &ctx), &error);
    stop *last = e->agenda.last;
    last->next = e->agenda.first;
    assert_status(lade_free_graph(everything, e, &ctx), LADE_ERR_VALUE);
    assert_non_null(strstr(error.message, "nothing was freed"));
    last->next = NULL;
    assert_ok(lade_free_graph(everything, e, &ctx), &error);

    assert_ok(lade_copy(fields, kind_fields(*state, 1), &f, NULL, &ctx), &error);
    double *row = f->rows[1];
    f->rows[1] = f->rows[0];
    assert_status(lade_free_graph(fields, f, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "fields.rows");
    f->rows[1] = row;
    assert_ok(lade_free_graph(fields, f, &ctx), &error);

    assert_ok(lade_copy(kennel, kind_kennel(*state, 1), &k, NULL, &ctx), &error);
    k->kind = 3;
    assert_status(lade_free_graph(kennel, k, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "kennel.pet");
    k->kind = 2;
    assert_ok(lade_free_graph(kennel, k, &ctx), &error);
    lade_context_fini(&ctx);
}

/* Links that do not follow memory. */
static void a_long_list(void **state)
{
    enum { LENGTH = 300000, STEP = 104729 }; /* prime to the length */
    stop *stops = calloc(LENGTH, sizeof *stops);
    lade_error error;
    lade_context ctx = {.error = &error, .own_memory = true};
    agenda a = {.first = stops};
    agenda *copy = NULL;
    lade_comparison c;
    int32_t n = 0;
    (void)state;
    assert_non_null(stops);
    for (size_t i = 0; i < LENGTH; i++) {
        stop *s = &stops[i * STEP % LENGTH];
        *s = (stop){(int32_t)i, a.last, NULL};
        if (a.last)
            a.last->next = s;
        a.last = s;
    }
    assert_ok(lade_copy(agenda, &a, &copy, NULL, &ctx), &error);
    for (const stop *s = copy->first; s && s->id == n; s = s->next)
        n++;
    assert_int_equal(n, LENGTH);
    assert_ok(lade_equal(agenda, &a, copy, &c, &ctx), &error);
    assert_true(c.equal);
    copy->last->prev->id = 0;
    assert_ok(lade_equal(agenda, &a, copy, &c, &ctx), &error);
    assert_string_equal(c.path, "agenda.first[299998].id");
    assert_ok(lade_free_graph(agenda, copy, &ctx), &error);
    lade_context_fini(&ctx);
    free(stops);
}

/* Cut and damaged messages leave nothing, nor do loads that hooks and maps refuse. */
static void broken_messages(void **state)
{
    lade_context writer = {.externals = &kind_externals};
    lade_buffer message = {0};
    uint64_t random = test_seed();
    everything *given = kind_everything(*state, 4);
    assert_status(lade_encode(everything, given, &message, &writer), LADE_OK);
    for (int i = 0; i < 400; i++) {
        test_memory m;
        test_memory_init(&m);
        lade_context ctx = {.allocator = &m.allocator,
                            .externals = &kind_externals,
                            .interpret = i % 2,
                            .own_memory = true,
                            .limits.max_bytes = 1 << 20};
        everything *e = NULL;
        size_t size = i % 4 ? message.size : (size_t)(test_random(&random) % message.size);
        size_t at = (size_t)(test_random(&random) % message.size);
        uint8_t old = message.data[at];
        message.data[at] = (uint8_t)test_random(&random);
        if (lade_decode(everything, message.data, size, &e, NULL, &ctx) == LADE_OK)
            assert_status(lade_free_graph(everything, e, &ctx), LADE_OK);
        else
            assert_null(e);
        message.data[at] = old;
        lade_context_fini(&ctx);
        test_memory_check(&m);
    }
    lade_buffer_fini(&message);
    lade_context_fini(&writer);
}

static void the_nth_allocation_fails(void **state)
{
    const struct {
        const lade_type *type;
        void *value;
    } values[] = {{&lade_type_kennel, kind_kennel(*state, 2)},
                  {&lade_type_octant, kind_octant(*state, 2)},
                  {&lade_type_sack, kind_sack(*state, 2)},
                  {&lade_type_fields, kind_fields(*state, 2)},
                  {&lade_type_everything, kind_everything(*state, 3)}};
    for (size_t i = 0; i < 3 * COUNT_OF(values); i++) {
        const lade_type *type = values[i / 3].type;
        bool freeing = i % 3 == 2;
        lade_status status = LADE_ERR_MEMORY;
        lade_context writer = {.externals = &kind_externals};
        lade_buffer message = {0};
        assert_status(lade_encode_as(type, values[i / 3].value, &message, &writer), LADE_OK);
        for (size_t n = 1; status != LADE_OK && n < MOST; n++) {
            test_memory m;
            test_memory_init(&m);
            lade_context ctx = {.allocator = &m.allocator,
                                .externals = &kind_externals,
                                .interpret = i % 3 == 1,
                                .own_memory = true};
            void *out = NULL;
            if (freeing) {
                assert_status(lade_copy_as(type, values[i / 3].value, &out, NULL, &ctx), LADE_OK);
                lade_context_fini(&ctx);
            }
            test_memory_restart(&m, n);
            status = freeing ? lade_free_graph_as(type, out, &ctx)
                             : lade_decode_as(type, message.data, message.size, &out, NULL, &ctx);
            m.fail_at = 0;
            assert_true(status == LADE_OK || status == LADE_ERR_MEMORY);
            if (freeing == (status != LADE_OK))
                assert_status(lade_free_graph_as(type, out, &ctx), LADE_OK);
            lade_context_fini(&ctx);
            test_memory_check(&m);
        }
        assert_status(status, LADE_OK);
        lade_buffer_fini(&message);
        lade_context_fini(&writer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_part_is_a_block, setup, teardown),
        cmocka_unit_test_setup_teardown(parts_are_the_programs, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_refused, setup, teardown),
        cmocka_unit_test(a_long_list),
        cmocka_unit_test_setup_teardown(broken_messages, setup, teardown),
        cmocka_unit_test_setup_teardown(the_nth_allocation_fails, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
