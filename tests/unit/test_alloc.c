/* The nth allocation fails, for every n until the call succeeds: LADE_ERR_MEMORY, outputs
 * untouched, nothing leaked, sizes told to the allocator right. */
#include "support.h"

#include "city_types.h"
#include "graph_types.h"

#include <stdlib.h>

enum { MOST = 2000 };

typedef struct call {
    lade_context *ctx;
    test_memory *memory;
    lade_buffer message; /* encoded before, by another allocator */
    lade_buffer graph, records, reals;
    lade_buffer out; /* to encode into */
    void *loaded;
    lade_arena *owner;
    size_t extents[2];
} call;

static node ring[4];
static double reals[1000];
static const size_t shape[2] = {10, 100};
static const size_t ring_size = 4;

typedef lade_status call_fn(call *c);

static lade_status encode(call *c)
{
    return lade_encode(city, city_small(), &c->out, c->ctx);
}

static lade_status encode_graph(call *c)
{
    return lade_encode(node, ring, &c->out, c->ctx);
}

static lade_status encode_to(call *c)
{
    static uint8_t memory[20000];
    size_t size = 77;
    lade_status status = lade_encode_to(city, city_small(), memory, sizeof memory, &size, c->ctx);
    assert_true(status == LADE_OK || size == 77);
    return status;
}

static lade_status encode_to_exactly(call *c)
{
    uint8_t *memory = malloc(c->message.size);
    size_t size;
    assert_non_null(memory);
    lade_status status = lade_encode_to(city, city_small(), memory, c->message.size, &size, c->ctx);
    free(memory);
    return status;
}

static lade_status size_query(call *c)
{
    size_t size = 77;
    lade_status status = lade_encoded_size(city, city_small(), &size, c->ctx);
    assert_true(status == LADE_OK || size == 77);
    return status;
}

static lade_status decode(call *c)
{
    city *out = NULL;
    lade_status status =
        lade_decode(city, c->message.data, c->message.size, &out, &c->owner, c->ctx);
    c->loaded = out;
    if (out)
        city_check(out);
    return status;
}

static lade_status decode_graph(call *c)
{
    node *out = NULL;
    lade_status status = lade_decode(node, c->graph.data, c->graph.size, &out, &c->owner, c->ctx);
    c->loaded = out;
    return status;
}

static lade_status decode_into(call *c)
{
    city *there = city_small();
    lade_status status = lade_decode_into(city, c->message.data, c->message.size, there, c->ctx);
    assert_true(there->ncells == 20 && there->cells && there->nimage == 4200);
    return status;
}

static lade_status decode_graph_into(call *c)
{
    return lade_decode_into(node, c->graph.data, c->graph.size, ring, c->ctx);
}

static lade_status encode_reals(call *c)
{
    return lade_encode_array(reals, 2, shape, &c->out, c->ctx);
}

static lade_status decode_reals(call *c)
{
    double *out = NULL;
    lade_status status =
        lade_decode_array(c->reals.data, c->reals.size, &out, 2, c->extents, &c->owner, c->ctx);
    c->loaded = out;
    return status;
}

static lade_status decode_reals_into(call *c)
{
    return lade_decode_array_into(c->reals.data, c->reals.size, reals, 2, shape, c->ctx);
}

static lade_status encode_records(call *c)
{
    return lade_encode_records(node, ring, 1, &ring_size, &c->out, c->ctx);
}

static lade_status decode_records(call *c)
{
    node *out = NULL;
    lade_status status = lade_decode_records(node, c->records.data, c->records.size, &out, 1,
                                             c->extents, &c->owner, c->ctx);
    c->loaded = out;
    return status;
}

static lade_status fingerprint(call *c)
{
    lade_type fresh = lade_type_city; /* whose cell does not know it yet */
    lade_fingerprint f;
    fresh.cell = NULL;
    return lade_fingerprint_of(&fresh, &f, c->ctx);
}

static const struct {
    const char *name;
    call_fn *run;
} calls[] = {
    {"encode", encode},
    {"encode graph", encode_graph},
    {"encode_to", encode_to},
    {"encode_to, exact", encode_to_exactly},
    {"encoded_size", size_query},
    {"decode", decode},
    {"decode graph", decode_graph},
    {"decode_into", decode_into},
    {"decode_into graph", decode_graph_into},
    {"encode_array", encode_reals},
    {"decode_array", decode_reals},
    {"decode_array_into", decode_reals_into},
    {"encode_records", encode_records},
    {"decode_records", decode_records},
    {"fingerprint", fingerprint},
};

static void prepare(call *c)
{
    for (int i = 0; i < 4; i++)
        ring[i] = (node){i, &ring[(i + 1) % 4], i ? ring : NULL, NULL};
    for (int i = 0; i < 1000; i++)
        reals[i] = i;
    *c = (call){0};
    assert_int_equal(lade_encode(city, city_small(), &c->message, NULL), LADE_OK);
    assert_int_equal(lade_encode(node, ring, &c->graph, NULL), LADE_OK);
    assert_int_equal(lade_encode_array(reals, 2, shape, &c->reals, NULL), LADE_OK);
    assert_int_equal(lade_encode_records(node, ring, 1, &ring_size, &c->records, NULL), LADE_OK);
}

static void finish(call *c)
{
    lade_buffer_fini(&c->message);
    lade_buffer_fini(&c->graph);
    lade_buffer_fini(&c->reals);
    lade_buffer_fini(&c->records);
}

/* One call whose nth allocation fails. A fresh context each time, or one that lives on. */
static lade_status try_one(call *c, call_fn *run, lade_context *ctx, size_t n)
{
    lade_error error = {0};
    ctx->error = &error;
    c->ctx = ctx;
    c->out = (lade_buffer){0};
    c->owner = NULL;
    c->loaded = NULL;
    c->extents[0] = c->extents[1] = 77;
    test_memory_restart(c->memory, n);
    lade_status status = run(c);
    if (status != LADE_OK) {
        assert_status(status, LADE_ERR_MEMORY);
        assert_int_equal(error.status, LADE_ERR_MEMORY);
        assert_true(error.message[0] != 0);
        assert_null(c->loaded);
        assert_null(c->owner);
        assert_int_equal(c->out.size, 0);
        assert_true(c->extents[0] == 77 && c->extents[1] == 77);
    }
    c->memory->fail_at = 0;
    lade_buffer_fini(&c->out);
    lade_arena_destroy(c->owner);
    ctx->error = NULL;
    return status;
}

static void fail_everywhere(bool interpret, bool keep)
{
    size_t wrong = 0;
    call c;
    prepare(&c);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        test_memory m;
        test_memory_init(&m);
        c.memory = &m;
        lade_context ctx = {.allocator = &m.allocator, .interpret = interpret};
        lade_status status = LADE_ERR_MEMORY;
        size_t n = 1;
        for (; status != LADE_OK && n < MOST; n++) {
            status = try_one(&c, calls[i].run, &ctx, n);
            if (!keep)
                lade_context_fini(&ctx);
            if (m.bad_sizes || (!keep && m.live)) {
                print_error("%s, allocation %zu fails: %zu wrong sizes, %zu blocks left\n",
                            calls[i].name, n, m.bad_sizes, m.live);
                wrong++;
                m.bad_sizes = 0;
            }
        }
        lade_context_fini(&ctx);
        assert_int_equal(status, LADE_OK);
        assert_true(n > 2 || (keep && n > 1));
        assert_int_equal(m.live, 0);
    }
    finish(&c);
    assert_int_equal(wrong, 0);
}

static void surrogate_with_fresh_contexts(void **state)
{
    (void)state;
    fail_everywhere(false, false);
}

static void plan_with_fresh_contexts(void **state)
{
    (void)state;
    fail_everywhere(true, false);
}

static void a_context_lives_on_after_failures(void **state)
{
    (void)state;
    fail_everywhere(false, true);
    fail_everywhere(true, true);
}

/* The caller's arena keeps what it had when a load into it fails. */
static void an_owner_lives_on_after_failures(void **state)
{
    (void)state;
    call c;
    prepare(&c);
    test_memory m;
    test_memory_init(&m);
    lade_arena *owner = lade_arena_create(&m.allocator);
    char *text = lade_arena_alloc(owner, 6, 1);
    assert_non_null(text);
    memcpy(text, "mine!", 6);
    lade_status status = LADE_ERR_MEMORY;
    size_t n = 1;
    for (; status != LADE_OK && n < MOST; n++) {
        city *out = NULL;
        lade_context ctx = {.allocator = &m.allocator};
        lade_arena *same = owner;
        test_memory_restart(&m, n);
        status = lade_decode(city, c.message.data, c.message.size, &out, &owner, &ctx);
        assert_true(status == LADE_OK ? out != NULL : status == LADE_ERR_MEMORY && !out);
        assert_ptr_equal(owner, same);
        assert_string_equal(text, "mine!");
        m.fail_at = 0;
        lade_context_fini(&ctx);
    }
    assert_int_equal(status, LADE_OK);
    assert_true(n > 5);
    lade_arena_destroy(owner);
    assert_int_equal(m.live, 0);
    finish(&c);
}

static void an_arena_that_cannot_be(void **state)
{
    (void)state;
    test_memory m;
    test_memory_init(&m);
    test_memory_restart(&m, 1);
    assert_null(lade_arena_create(&m.allocator));
    test_memory_restart(&m, 2);
    lade_arena *arena = lade_arena_create(&m.allocator);
    assert_non_null(arena);
    assert_null(lade_arena_alloc(arena, 10, 8));
    assert_non_null(lade_arena_alloc(arena, 10, 8));
    lade_arena_destroy(arena);
    test_memory_check(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surrogate_with_fresh_contexts),
        cmocka_unit_test(plan_with_fresh_contexts),
        cmocka_unit_test(a_context_lives_on_after_failures),
        cmocka_unit_test(an_owner_lives_on_after_failures),
        cmocka_unit_test(an_arena_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
