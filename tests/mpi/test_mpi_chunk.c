/* Small chunks: what sizes beyond 2^31 bytes do with large ones. */
#include "mpi_test.h"
#include "mpi_types.h"

static const size_t chunks[] = {64, 100, 1024, 4096};

static void cast_cargo(lade_mpi *mpi, size_t skeleton, size_t content, int root)
{
    bool here = world_rank == root;
    cargo c = cargo_make(skeleton, content, 1);
    cargo other = cargo_make(skeleton, content, 2);
    cargo *at = here ? &c : NULL;
    lade_arena *owner = NULL;
    assert_ok(lade_mpi_bcast(mpi, cargo, &at, root, &owner, NULL), NULL);
    cargo_check(at, skeleton, content, 1);
    assert_ok(lade_mpi_bcast_into(mpi, cargo, here ? &c : &other, root, NULL), NULL);
    cargo_check(here ? &c : &other, skeleton, content, 1);
    lade_arena_destroy(owner);
    cargo_free(&c);
    cargo_free(&other);
}

/* In a ring, into new and into existing memory. */
static void pass_cargo(lade_mpi *mpi, size_t skeleton, size_t content)
{
    int next = (world_rank + 1) % world_size;
    int before = (world_rank + world_size - 1) % world_size;
    cargo c = cargo_make(skeleton, content, (unsigned)world_rank);
    cargo other = cargo_make(skeleton, content, 77);
    if (world_rank == 0) {
        assert_ok(lade_mpi_send(mpi, cargo, &c, next, 1, NULL), NULL);
        assert_ok(lade_mpi_send(mpi, cargo, &c, next, 2, NULL), NULL);
    }
    lade_arena *owner = NULL;
    cargo *at = NULL;
    assert_ok(lade_mpi_recv(mpi, cargo, &at, before, 1, &owner, NULL, NULL), NULL);
    cargo_check(at, skeleton, content, (unsigned)before);
    assert_ok(lade_mpi_recv_into(mpi, cargo, &other, before, 2, NULL, NULL), NULL);
    cargo_check(&other, skeleton, content, (unsigned)before);
    if (world_rank > 0) {
        assert_ok(lade_mpi_send(mpi, cargo, &c, next, 1, NULL), NULL);
        assert_ok(lade_mpi_send(mpi, cargo, &c, next, 2, NULL), NULL);
    }
    lade_arena_destroy(owner);
    cargo_free(&c);
    cargo_free(&other);
}

/* Sizes just below, at and above a multiple of the chunk, above what travels with an envelope. */
static size_t border(size_t chunk, size_t least, int step)
{
    size_t times = least / chunk + 2;
    return (size_t)((ptrdiff_t)(times * chunk) + step);
}

static void skeletons_around_the_chunk(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chunks); i++) {
        lade_mpi *mpi = mpi_test_open(chunks[i], false);
        for (int step = -1; step <= 1; step++) {
            cast_cargo(mpi, border(chunks[i], 448, step), 0, world_size - 1);
            if (world_size > 1)
                pass_cargo(mpi, border(chunks[i], 4096, step), 0);
        }
        assert_ok(lade_mpi_close(mpi), NULL);
    }
}

static void content_around_the_chunk(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chunks); i++) {
        lade_mpi *mpi = mpi_test_open(chunks[i], false);
        for (int step = -1; step <= 1; step++)
            for (int large = 0; large < 2; large++) {
                size_t skeleton = large ? border(chunks[i], 4096, -step) : 40;
                cast_cargo(mpi, skeleton, border(chunks[i], 4096, step), 0);
                if (world_size > 1)
                    pass_cargo(mpi, skeleton, border(chunks[i], 4096, step));
            }
        assert_ok(lade_mpi_close(mpi), NULL);
    }
}

static void graphs_in_chunks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chunks); i++) {
        lade_mpi *mpi = mpi_test_open(chunks[i], i % 2);
        for (int root = 0; root < world_size; root++) {
            city *at = world_rank == root ? city_small() : NULL;
            lade_arena *owner = NULL;
            assert_ok(lade_mpi_bcast(mpi, city, &at, root, &owner, NULL), NULL);
            city_check(at);
            lade_arena_destroy(owner);
        }
        assert_ok(lade_mpi_close(mpi), NULL);
    }
}

static void fleets(lade_mpi *mpi, size_t n, size_t bytes)
{
    fleet f = fleet_make(n, bytes, 5);
    fleet *at = world_rank == 0 ? &f : NULL;
    lade_arena *owner = NULL;
    assert_ok(lade_mpi_bcast(mpi, fleet, &at, 0, &owner, NULL), NULL);
    ASSERT_SAME(fleet, at, 0, MPI_COMM_WORLD);
    if (world_size > 1 && world_rank == 0)
        assert_ok(lade_mpi_send(mpi, fleet, &f, world_size - 1, 1, NULL), NULL);
    if (world_size > 1 && world_rank == world_size - 1)
        assert_ok(lade_mpi_recv(mpi, fleet, &at, 0, 1, &owner, NULL, NULL), NULL);
    ASSERT_SAME(fleet, at, 0, MPI_COMM_WORLD);
    lade_arena_destroy(owner);
    fleet_free(&f);
}

static void a_thousand_small_arrays(void **state)
{
    (void)state;
    static const size_t sizes[] = {1000, 4096, 10000, 65536, 1 << 20, 0};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lade_mpi *mpi = mpi_test_open(sizes[i], i % 2);
        fleets(mpi, 1000, 4096 + i);
        assert_ok(lade_mpi_close(mpi), NULL);
    }
}

/* More arrays than there are in a chunk; the first does not end where a block would. */
enum { MANY = 8300, WIDE = 16 << 20 };

static void more_arrays_than_a_chunk_takes(void **state)
{
    (void)state;
    lade_mpi *mpi = mpi_test_open(WIDE, false);
    fleets(mpi, MANY, 4097);
    assert_ok(lade_mpi_close(mpi), NULL);
}

/* The receiver does not know how the sender cuts its arrays: it drops all of them all the same. */
static void refused_with_more_arrays_than_a_chunk_takes(void **state)
{
    (void)state;
    if (world_size == 1)
        return;
    lade_mpi *mpi = mpi_test_open(WIDE, false);
    fleet f = fleet_make(MANY, 4097, 5);
    cargo next = cargo_make(30, 0, 2);
    if (world_rank == 0) {
        assert_ok(lade_mpi_send(mpi, fleet, &f, world_size - 1, 1, NULL), NULL);
        assert_ok(lade_mpi_send(mpi, cargo, &next, world_size - 1, 1, NULL), NULL);
    }
    if (world_rank == world_size - 1) {
        lade_arena *owner = NULL;
        cargo *at = NULL;
        assert_status(lade_mpi_recv(mpi, cargo, &at, 0, 1, &owner, NULL, NULL), LADE_ERR_TYPE);
        assert_ok(lade_mpi_recv(mpi, cargo, &at, 0, 1, &owner, NULL, NULL), NULL);
        cargo_check(at, 30, 0, 2);
        lade_arena_destroy(owner);
    }
    fleet_free(&f);
    cargo_free(&next);
    assert_ok(lade_mpi_close(mpi), NULL);
}

static void dropped_with_more_arrays_than_a_chunk_takes(void **state)
{
    (void)state;
    if (world_size == 1)
        return;
    lade_mpi *mpi = mpi_test_open(WIDE, true);
    fleet f = fleet_make(MANY, 4097, 5);
    lade_context ctx = {0};
    ctx.limits.max_bytes = world_rank == 1 ? 10 : 0;
    fleet *at = world_rank == 0 ? &f : NULL;
    lade_arena *owner = NULL;
    assert_status(lade_mpi_bcast(mpi, fleet, &at, 0, &owner, &ctx),
                  world_rank == 1 ? LADE_ERR_LIMIT : LADE_OK);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
    fleet_free(&f);
    cast_cargo(mpi, 40, 5000, 0);
    assert_ok(lade_mpi_close(mpi), NULL);
}

static void chunks_that_are_refused(void **state)
{
    (void)state;
    static const size_t bad[] = {1, 63, (16 << 20) + 1, SIZE_MAX};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        lade_mpi_options options = {.chunk_bytes = bad[i]};
        lade_error error = {0};
        lade_context ctx = {.error = &error};
        lade_mpi *mpi = NULL;
        assert_status(lade_mpi_open(MPI_COMM_WORLD, &options, &mpi, &ctx), LADE_ERR_ARGUMENT);
        assert_true(error.message[0] != 0);
        assert_null(mpi);
        lade_context_fini(&ctx);
    }
    assert_int_equal(lade_mpi_live_handles(), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        MPI_TEST(skeletons_around_the_chunk),
        MPI_TEST(content_around_the_chunk),
        MPI_TEST(graphs_in_chunks),
        MPI_TEST(a_thousand_small_arrays),
        MPI_TEST(chunks_that_are_refused),
        MPI_TEST(more_arrays_than_a_chunk_takes),
        MPI_TEST(refused_with_more_arrays_than_a_chunk_takes),
        MPI_TEST(dropped_with_more_arrays_than_a_chunk_takes),
    };
    MPI_Init(&argc, &argv);
    mpi_test_begin();
    return mpi_test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
