#include "support.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 64, DIRT = 1 << 20, DIRT_OF_BLOCK = 64 << 10 };

static void *counting_resize(void *user, void *memory, size_t old_size, size_t new_size)
{
    test_memory *m = user;
    unsigned char *block = memory ? (unsigned char *)memory - HEAD : NULL;
    size_t had = 0;
    if (block)
        memcpy(&had, block, sizeof had);
    if (had != old_size)
        m->bad_sizes++;
    if (new_size && ++m->calls == m->fail_at)
        return NULL;
    unsigned char *fresh = NULL;
    if (new_size) {
        fresh = malloc(HEAD + new_size);
        if (!fresh)
            return NULL;
        memcpy(fresh, &new_size, sizeof new_size);
        memset(fresh + HEAD, 0xA5, new_size < DIRT_OF_BLOCK ? new_size : DIRT_OF_BLOCK);
        if (block)
            memcpy(fresh + HEAD, memory, had < new_size ? had : new_size);
        m->live++;
        m->bytes += new_size;
    }
    if (block) {
        free(block);
        m->live--;
        m->bytes -= had;
    }
    if (m->bytes > m->peak)
        m->peak = m->bytes;
    return fresh ? fresh + HEAD : NULL;
}

void test_memory_init(test_memory *m)
{
    *m = (test_memory){.allocator = {counting_resize, m}};
}

void test_memory_restart(test_memory *m, size_t fail_at)
{
    m->calls = 0;
    m->fail_at = fail_at;
    m->peak = m->bytes;
}

void test_memory_check(const test_memory *m)
{
    assert_int_equal(m->bad_sizes, 0);
    assert_int_equal(m->live, 0);
    assert_int_equal(m->bytes, 0);
}

lade_arena *test_dirty_arena(void)
{
    lade_arena *arena = lade_arena_create(NULL);
    assert_non_null(arena);
    void *memory = lade_arena_alloc(arena, DIRT, 64);
    assert_non_null(memory);
    memset(memory, 0xA5, DIRT);
    lade_arena_reset(arena);
    return arena;
}

void test_ok(lade_status status, const lade_error *error, const char *file, int line)
{
    if (status == LADE_OK)
        return;
    print_error("%s: %s\n", lade_status_name(status), error ? error->message : "");
    _assert_int_equal(status, LADE_OK, file, line);
}

typedef struct side {
    lade_error error;
    lade_context ctx;
    lade_buffer message, bare, again;
    lade_arena *owner;
    void *value;
} side;

const lade_externals *test_externals;

static void side_init(side *s, bool interpret)
{
    *s = (side){.owner = test_dirty_arena()};
    s->ctx = (lade_context){.externals = test_externals,
                            .error = &s->error,
                            .interpret = interpret,
                            .check_interior = true};
}

static void side_encode(side *s, const lade_type *type, const void *value)
{
    size_t size = 0;
    assert_ok(lade_encode_as(type, value, &s->message, &s->ctx), &s->error);
    assert_ok(lade_encoded_size_as(type, value, &size, &s->ctx), &s->error);
    assert_int_equal(size, s->message.size);
    s->ctx.bare = true;
    assert_ok(lade_encode_as(type, value, &s->bare, &s->ctx), &s->error);
    assert_ok(lade_encoded_size_as(type, value, &size, &s->ctx), &s->error);
    assert_int_equal(size, s->bare.size);
    s->ctx.bare = false;
    assert_int_equal(s->message.size, s->bare.size + 40);
    assert_memory_equal(s->message.data + 40, s->bare.data, s->bare.size);
}

static void side_again(side *s, const lade_type *type, const lade_buffer *expected)
{
    assert_ok(lade_encode_as(type, s->value, &s->again, &s->ctx), &s->error);
    assert_int_equal(s->again.size, expected->size);
    assert_memory_equal(s->again.data, expected->data, expected->size);
}

/* Loads what the other side wrote, in a copy that ends where the message does. */
static void side_decode(side *s, const lade_type *type, const lade_buffer *from)
{
    uint8_t *copy = malloc(from->size);
    assert_non_null(copy);
    memcpy(copy, from->data, from->size);
    assert_ok(lade_decode_as(type, copy, from->size, &s->value, &s->owner, &s->ctx), &s->error);
    side_again(s, type, from);
    assert_ok(lade_decode_into_as(type, copy, from->size, s->value, &s->ctx), &s->error);
    side_again(s, type, from);
    free(copy);
}

/* A copy is the same value, and so is what a load into blocks of their own makes; these can all be freed. */
static void side_memory(side *s, const lade_type *type, const void *value)
{
    test_memory memory;
    lade_comparison c;
    void *copy;
    test_memory_init(&memory);
    lade_context own = {.allocator = &memory.allocator,
                        .externals = test_externals,
                        .error = &s->error,
                        .interpret = s->ctx.interpret,
                        .own_memory = true};
    assert_ok(lade_copy_as(type, value, &copy, &s->owner, &s->ctx), &s->error);
    assert_ok(lade_equal_as(type, value, copy, &c, &s->ctx), &s->error);
    assert_string_equal(c.path, "");
    s->value = copy;
    side_again(s, type, &s->message);
    /* the counting allocator cannot serve types that are aligned more than malloc's memory */
    if (lade_copy_as(type, value, &copy, NULL, &own) == LADE_ERR_ARGUMENT) {
        lade_context_fini(&own);
        own.allocator = NULL;
    } else {
        assert_ok(lade_free_graph_as(type, copy, &own), &s->error);
    }
    for (int i = 0; i < 2; i++) {
        assert_ok(i ? lade_copy_as(type, value, &copy, NULL, &own)
                    : lade_decode_as(type, s->message.data, s->message.size, &copy, NULL, &own),
                  &s->error);
        assert_ok(lade_equal_as(type, value, copy, &c, &own), &s->error);
        assert_string_equal(c.path, "");
        assert_ok(lade_free_graph_as(type, copy, &own), &s->error);
    }
    lade_context_fini(&own);
    test_memory_check(&memory);
}

static void side_fini(side *s)
{
    lade_buffer_fini(&s->message);
    lade_buffer_fini(&s->bare);
    lade_buffer_fini(&s->again);
    lade_context_fini(&s->ctx);
}

void *test_round_trip(const lade_type *type, const void *value, lade_arena **owner)
{
    side surrogate;
    side plan;
    side_init(&surrogate, false);
    side_init(&plan, true);
    side_encode(&surrogate, type, value);
    side_encode(&plan, type, value);
    assert_int_equal(surrogate.message.size, plan.message.size);
    assert_memory_equal(surrogate.message.data, plan.message.data, plan.message.size);
    side_memory(&plan, type, value);
    side_decode(&surrogate, type, &plan.message);
    side_decode(&plan, type, &surrogate.message);
    side_fini(&surrogate);
    side_fini(&plan);
    lade_arena_destroy(plan.owner);
    *owner = surrogate.owner;
    return surrogate.value;
}

void test_bytes(const lade_type *type, const void *value, const uint8_t *bytes, size_t size)
{
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_error error;
        lade_context ctx = {.error = &error, .bare = true, .interpret = interpret};
        lade_buffer buffer = {0};
        assert_ok(lade_encode_as(type, value, &buffer, &ctx), &error);
        assert_int_equal(buffer.size, size);
        assert_memory_equal(buffer.data, bytes, size);
        lade_buffer_fini(&buffer);
        lade_context_fini(&ctx);
    }
}

void test_refused(const lade_type *type, const void *message, size_t size, lade_status status)
{
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_error error = {0};
        lade_context ctx = {.error = &error, .bare = true, .interpret = interpret};
        int untouched;
        void *out = &untouched;
        lade_arena *owner = NULL;
        assert_status(lade_decode_as(type, message, size, &out, &owner, &ctx), status);
        assert_int_equal(error.status, status);
        assert_true(error.message[0] != 0);
        assert_ptr_equal(out, &untouched);
        assert_null(owner);
        lade_context_fini(&ctx);
    }
}

uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

uint64_t test_seed(void)
{
    const char *text = getenv("LADE_TEST_SEED");
    uint64_t seed =
        text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    print_message("LADE_TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

typedef struct small_stack {
    void (*run)(void *);
    void *user;
} small_stack;

static void *small_stack_start(void *user)
{
    const small_stack *s = user;
    s->run(s->user);
    return NULL;
}

void test_on_small_stack(void (*run)(void *), void *user)
{
    small_stack s = {run, user};
    size_t size = 64 << 10;
    long least = sysconf(_SC_THREAD_STACK_MIN);
    if (least > 0 && (size_t)least > size)
        size = (size_t)least;
    if (TEST_SANITIZED)
        size = 512 << 10;
    pthread_attr_t attr;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, size), 0);
    assert_int_equal(pthread_create(&thread, &attr, small_stack_start, &s), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attr);
}

size_t support_accepted;

void support_refused(const lade_type *type, const char *text)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_buffer buffer = {0};
    void *value = calloc(1, type->size);
    assert_non_null(value);
    lade_status status = lade_encode_as(type, value, &buffer, &ctx);
    if (status != LADE_ERR_DESCRIPTION || !strstr(error.message, text)) {
        print_error("'%s' expected, got %s %s\n", text, lade_status_name(status), error.message);
        support_accepted++;
    }
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    free(value);
}

int support_nothing_accepted(void **state)
{
    (void)state;
    support_accepted = 0;
    return 0;
}
