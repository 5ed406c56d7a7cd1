/* Point-to-point: every kind of value, sizes around the borders, sources and tags, refusals. */
#include <stdlib.h>

#include "mpi_internal.h"
#include "mpi_test.h"
#include "mpi_types.h"

static lade_mpi *mpi;

static void send_to(const lade_type *type, const void *value, int dest, int tag)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    assert_ok(lade_mpi_send_as(mpi, type, value, dest, tag, &ctx), &error);
    lade_context_fini(&ctx);
}

static void *recv_from(const lade_type *type, int source, int tag, lade_arena **owner)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    void *at = NULL;
    lade_mpi_source from = {-9, -9};
    assert_ok(lade_mpi_recv_as(mpi, type, &at, source, tag, owner, &from, &ctx), &error);
    assert_non_null(at);
    if (source != MPI_ANY_SOURCE)
        assert_int_equal(from.rank, source);
    if (tag != MPI_ANY_TAG)
        assert_int_equal(from.tag, tag);
    lade_context_fini(&ctx);
    return at;
}

/* Rank 0 sends to the last rank. A single rank sends to itself, and only some hundred bytes: more
 * may wait for ever, as in MPI. */
static int last(void)
{
    return world_size - 1;
}

static void transfer(const lade_type *type, const void *value, int tag)
{
    lade_arena *owner = NULL;
    lade_buffer sent = {0};
    lade_buffer got = {0};
    if (world_rank == 0)
        send_to(type, value, last(), tag);
    if (world_rank == last()) {
        const void *at = recv_from(type, 0, tag, &owner);
        assert_ok(lade_encode_as(type, value, &sent, NULL), NULL);
        assert_ok(lade_encode_as(type, at, &got, NULL), NULL);
        assert_int_equal(got.size, sent.size);
        assert_memory_equal(got.data, sent.data, sent.size);
        lade_arena_destroy(owner);
    }
    lade_buffer_fini(&sent);
    lade_buffer_fini(&got);
}

static void ring(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    int next = (world_rank + 1) % world_size;
    int before = (world_rank + world_size - 1) % world_size;
    size_t sizes[][2] = {{30, 0}, {1000, 5000}, {70000, 300000}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        if (world_size == 1 && i > 0)
            break;
        lade_arena *owner = NULL;
        cargo c = cargo_make(sizes[i][0], sizes[i][1], (unsigned)world_rank);
        if (world_rank == 0)
            send_to(&lade_type_cargo, &c, next, 5);
        cargo *got = recv_from(&lade_type_cargo, before, 5, &owner);
        cargo_check(got, sizes[i][0], sizes[i][1], (unsigned)before);
        if (world_rank > 0)
            send_to(&lade_type_cargo, &c, next, 5);
        lade_arena_destroy(owner);
        cargo_free(&c);
    }
}

static void every_kind_of_value(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    node cycle[3] = {{1, &cycle[1], &cycle[0], NULL}, {2, &cycle[2], NULL, (char[]){"two"}}};
    cycle[2] = (node){3, &cycle[0], &cycle[1], (char[]){""}};
    node pool[2] = {{.id = 7, .next = &pool[1]}, {.id = 8, .other = &pool[0]}};
    mesh m = {.nodes = pool, .nnodes = 2, .top = &pool[1]};
    grain grains[5];
    grains_fill(grains, 5, 0x3C);
    swarm s = {(char[]){"s"}, 5, grains, grains[1]};
    cargo nothing = {0};
    mesh blank = {0};
    transfer(&lade_type_node, cycle, 0);
    transfer(&lade_type_mesh, &m, 1);
    transfer(&lade_type_swarm, &s, 2);
    transfer(&lade_type_cargo, &nothing, 3);
    transfer(&lade_type_mesh, &blank, 4);
    if (world_size > 1)
        transfer(&lade_type_city, city_small(), 6);
}

/* The envelope carries 4096 bytes: all, or the skeleton, or nothing. */
static void around_the_envelope(void **state)
{
    (void)state;
    size_t limit = ENVELOPE_INLINE;
    if (world_size == 1)
        return;
    for (size_t skeleton = limit - 2; skeleton <= limit + 2; skeleton++) {
        cargo c = cargo_make(skeleton, 0, 1);
        cargo with = cargo_make(skeleton, 4096, 2);
        transfer(&lade_type_cargo, &c, 1);
        transfer(&lade_type_cargo, &with, 1);
        cargo_free(&c);
        cargo_free(&with);
    }
    for (size_t skeleton = 20; skeleton < 24; skeleton++) {
        cargo c = cargo_make(skeleton, limit, 3); /* content alone would fit */
        transfer(&lade_type_cargo, &c, 2);
        cargo_free(&c);
    }
}

static void bad_ranks_and_tags(void **state)
{
    (void)state;
    static const int bad_ranks[] = {-1, -100, MPI_PROC_NULL, 99};
    cargo c = {0};
    cargo *out = &c;
    lade_arena *owner = NULL;
    lade_mpi_source from = {-9, -9};
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    int bad_tags[] = {-7, mpi->tag_max < INT32_MAX ? mpi->tag_max + 1 : -8};
    for (size_t i = 0; i < COUNT_OF(bad_ranks); i++) {
        assert_status(lade_mpi_send(mpi, cargo, &c, bad_ranks[i], 0, &ctx), LADE_ERR_ARGUMENT);
        if (bad_ranks[i] != MPI_ANY_SOURCE)
            assert_status(lade_mpi_recv(mpi, cargo, &out, bad_ranks[i], 0, &owner, &from, &ctx),
                          LADE_ERR_ARGUMENT);
    }
    for (size_t i = 0; i < COUNT_OF(bad_tags); i++) {
        assert_status(lade_mpi_send(mpi, cargo, &c, 0, bad_tags[i], &ctx), LADE_ERR_ARGUMENT);
        assert_status(lade_mpi_recv(mpi, cargo, &out, 0, bad_tags[i], &owner, &from, &ctx),
                      LADE_ERR_ARGUMENT);
        assert_status(lade_mpi_recv_into(mpi, cargo, &c, 0, bad_tags[i], &from, &ctx),
                      LADE_ERR_ARGUMENT);
    }
    assert_int_equal(error.status, LADE_ERR_ARGUMENT);
    assert_true(error.message[0] != 0);
    assert_ptr_equal(out, &c);
    assert_null(owner);
    assert_true(from.rank == -9 && from.tag == -9);
    lade_context_fini(&ctx);
}

static void missing_arguments(void **state)
{
    (void)state;
    cargo c = {0};
    cargo *out = &c;
    lade_arena *owner = NULL;
    const lade_type *type = &lade_type_cargo;
    assert_status(lade_mpi_send_as(NULL, type, &c, 0, 0, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_send_as(mpi, NULL, &c, 0, 0, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_send_as(mpi, type, NULL, 0, 0, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_recv_as(NULL, type, &out, 0, 0, &owner, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_recv_as(mpi, NULL, &out, 0, 0, &owner, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_recv_as(mpi, type, NULL, 0, 0, &owner, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_recv_as(mpi, type, &out, 0, 0, NULL, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_recv_into_as(NULL, type, &c, 0, 0, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_recv_into_as(mpi, NULL, &c, 0, 0, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_mpi_recv_into_as(mpi, type, NULL, 0, 0, NULL, NULL), LADE_ERR_ARGUMENT);
    assert_ptr_equal(out, &c);
    assert_null(owner);
}

static void any_source_any_tag(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    enum { EACH = 20 };
    size_t content = world_size > 1 ? 6000 : 0;
    if (world_rank > 0 || world_size == 1)
        for (int i = 0; i < EACH; i++) {
            cargo c = cargo_make(100, i % 3 ? 0 : content, (unsigned)(world_rank * 100 + i));
            send_to(&lade_type_cargo, &c, 0, world_rank * 100 + i);
            cargo_free(&c);
        }
    int seen[64] = {0};
    int senders = world_size > 1 ? world_size - 1 : 1;
    for (int i = 0; world_rank == 0 && i < senders * EACH; i++) {
        lade_mpi_source from;
        lade_arena *owner = NULL;
        cargo *c = NULL;
        assert_ok(lade_mpi_recv(mpi, cargo, &c, MPI_ANY_SOURCE, MPI_ANY_TAG, &owner, &from, NULL),
                  NULL);
        assert_in_range(from.rank, 0, world_size - 1);
        assert_int_equal(from.tag, from.rank * 100 + seen[from.rank]); /* in order */
        cargo_check(c, 100, seen[from.rank] % 3 ? 0 : content, (unsigned)from.tag);
        seen[from.rank]++;
        lade_arena_destroy(owner);
    }
}

/* The last tag first: messages and bodies are not mixed up. */
static void tags_in_reverse(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    enum { N = 10 };
    if (world_rank == 0)
        for (int i = 0; i < N; i++) {
            cargo c = cargo_make(50 + (size_t)i, 0, (unsigned)i);
            send_to(&lade_type_cargo, &c, last(), i);
            cargo_free(&c);
        }
    for (int i = N - 1; world_rank == last() && i >= 0; i--) {
        lade_arena *owner = NULL;
        cargo_check(recv_from(&lade_type_cargo, 0, i, &owner), 50 + (size_t)i, 0, (unsigned)i);
        lade_arena_destroy(owner);
    }
}

static void into_existing_memory(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    size_t content = world_size > 1 ? 100000 : 0;
    cargo c = cargo_make(200, content, 1);
    cargo other = cargo_make(200, content, 2);
    if (world_rank == 0)
        send_to(&lade_type_cargo, &c, last(), 3);
    if (world_rank == last()) {
        cargo was = other;
        lade_mpi_source from = {-9, -9};
        assert_ok(lade_mpi_recv_into(mpi, cargo, &other, MPI_ANY_SOURCE, 3, &from, NULL), NULL);
        assert_true(from.rank == 0 && from.tag == 3);
        cargo_check(&other, 200, content, 1);
        assert_memory_equal(&was, &other, sizeof was);
    }
    cargo_free(&c);
    cargo_free(&other);
}

/* A refusal is one message, whatever its size: the next one on the same tag is received. */
typedef struct refusal {
    lade_status status;
    const lade_type *type;
    size_t max_bytes, fail_at;
} refusal;

static void refuse(const refusal *r, size_t skeleton, size_t content)
{
    cargo c = cargo_make(skeleton, content, 1);
    cargo good = cargo_make(300, world_size > 1 ? 5000 : 0, 2);
    if (world_rank == 0) {
        send_to(&lade_type_cargo, &c, last(), 8);
        send_to(&lade_type_cargo, &good, last(), 8);
    }
    if (world_rank == last()) {
        test_memory memory;
        lade_error error = {0};
        test_memory_init(&memory);
        test_memory_restart(&memory, r->fail_at);
        lade_context ctx = {.error = &error, .allocator = &memory.allocator};
        ctx.limits.max_bytes = r->max_bytes;
        int untouched;
        void *out = &untouched;
        lade_arena *owner = NULL;
        lade_mpi_source from = {-9, -9};
        lade_status status =
            lade_mpi_recv_as(mpi, r->type, &out, MPI_ANY_SOURCE, MPI_ANY_TAG, &owner, &from, &ctx);
        assert_status(status, r->status);
        assert_int_equal(error.status, r->status);
        assert_true(error.message[0] != 0);
        assert_ptr_equal(out, &untouched);
        assert_null(owner);
        assert_true(from.rank == 0 && from.tag == 8);
        lade_context_fini(&ctx);
        test_memory_check(&memory);
        cargo_check(recv_from(&lade_type_cargo, 0, 8, &owner), 300, good.n, 2);
        lade_arena_destroy(owner);
    }
    cargo_free(&c);
    cargo_free(&good);
}

static void refused_messages(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    static const refusal cases[] = {
        {LADE_ERR_TYPE, &lade_type_swarm, 0, 0},
        {LADE_ERR_MEMORY, &lade_type_cargo, 0, 1},
        {LADE_ERR_MEMORY, &lade_type_cargo, 0, 2},
        {LADE_ERR_LIMIT, &lade_type_cargo, 8, 0},
    };
    static const size_t sizes[][2] = {{100, 0}, {100, 4096}, {100, 9000}, {5000, 0}, {9000, 70000}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t k = 0; k < (world_size > 1 ? COUNT_OF(sizes) : 1); k++)
            refuse(&cases[i], sizes[k][0], sizes[k][1]);
}

static void another_shape(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    static const size_t sizes[][2] = {{100, 0}, {100, 9000}, {9000, 70000}};
    for (size_t i = 0; i < (world_size > 1 ? COUNT_OF(sizes) : 1); i++) {
        cargo c = cargo_make(sizes[i][0], sizes[i][1], 1);
        cargo other = cargo_make(sizes[i][0] + 1, 4096, 2);
        cargo was = other;
        if (world_rank == 0) {
            send_to(&lade_type_cargo, &c, last(), 8);
            send_to(&lade_type_cargo, &c, last(), 8);
        }
        if (world_rank == last()) {
            lade_error error = {0};
            lade_context ctx = {.error = &error};
            assert_status(lade_mpi_recv_into(mpi, cargo, &other, 0, 8, NULL, &ctx), LADE_ERR_SHAPE);
            assert_int_equal(error.status, LADE_ERR_SHAPE);
            assert_memory_equal(&was, &other, sizeof was);
            lade_context_fini(&ctx);
            lade_arena *owner = NULL;
            cargo_check(recv_from(&lade_type_cargo, 0, 8, &owner), sizes[i][0], sizes[i][1], 1);
            lade_arena_destroy(owner);
        }
        cargo_free(&c);
        cargo_free(&other);
    }
}

/* What cannot be encoded is not sent: the receiver gets the next message. */
static void nothing_is_sent_on_failure(void **state)
{
    (void)state;
    if (world_size == 1 && !SELF_SENDS)
        skip();
    cargo bad = {.n = 3};
    cargo good = cargo_make(30, 0, 1);
    if (world_rank == 0) {
        assert_status(lade_mpi_send(mpi, cargo, &bad, last(), 2, NULL), LADE_ERR_VALUE);
        send_to(&lade_type_cargo, &good, last(), 2);
    }
    if (world_rank == last()) {
        lade_arena *owner = NULL;
        cargo_check(recv_from(&lade_type_cargo, 0, 2, &owner), 30, 0, 1);
        lade_arena_destroy(owner);
    }
    cargo_free(&good);
}

static void every_part_on_its_own(void **state)
{
    (void)state;
    if (world_size == 1)
        skip();
    if (world_rank == 0)
        send_to(&lade_type_city, city_small(), last(), 3);
    if (world_rank == last()) {
        lade_error error;
        lade_context ctx = {.error = &error, .own_memory = true};
        city *at = NULL;
        assert_ok(lade_mpi_recv(mpi, city, &at, 0, 3, NULL, NULL, &ctx), &error);
        city_check(at);
        assert_ok(lade_free_graph(city, at, &ctx), &error);
        lade_context_fini(&ctx);
    }
}

static int open_mpi(void **state)
{
    (void)state;
    mpi = mpi_test_open(0, false);
    return 0;
}

static int close_mpi(void **state)
{
    (void)state;
    assert_ok(lade_mpi_close(mpi), NULL);
    assert_int_equal(lade_mpi_live_handles(), 0);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        MPI_TEST(ring),
        MPI_TEST(every_kind_of_value),
        MPI_TEST(around_the_envelope),
        MPI_TEST(bad_ranks_and_tags),
        MPI_TEST(missing_arguments),
        MPI_TEST(any_source_any_tag),
        MPI_TEST(tags_in_reverse),
        MPI_TEST(into_existing_memory),
        MPI_TEST(refused_messages),
        MPI_TEST(another_shape),
        MPI_TEST(nothing_is_sent_on_failure),
        MPI_TEST(every_part_on_its_own),
    };
    MPI_Init(&argc, &argv);
    mpi_test_begin();
    return mpi_test_end(cmocka_run_group_tests(tests, open_mpi, close_mpi));
}
