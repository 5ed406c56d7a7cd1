/*
 * Agreement: a failure on any one rank is everyone's, named by its rank; nothing is published,
 * nothing leaks, and the communicator goes on working.
 */
#include <stdlib.h>

#include "mpi_internal.h"
#include "mpi_test.h"
#include "mpi_types.h"

typedef struct attempt {
    lade_mpi *mpi;
    const lade_type *type;
    const void *value; /* on root */
    int root;
    bool into, no_out, no_owner; /* on this rank */
    lade_size max_bytes;         /* on this rank */
    size_t fail_at;              /* on this rank */
    bool check_interior;
    lade_error error;
} attempt;

/* Broadcasts with a counting allocator, and checks that a failure leaves no trace on this rank. */
static lade_status try(attempt *a)
{
    bool here = world_rank == a->root;
    test_memory memory;
    int untouched;
    test_memory_init(&memory);
    test_memory_restart(&memory, a->fail_at);
    a->error = (lade_error){.rank = -9};
    lade_context ctx = {.error = &a->error,
                        .allocator = &memory.allocator,
                        .limits.max_bytes = a->max_bytes,
                        .check_interior = a->check_interior};
    lade_arena *owner = NULL;
    const void *before = here ? a->value : &untouched;
    const void *at = before;
    lade_status status = lade_mpi_bcast_as(a->mpi, a->type, a->no_out ? NULL : &at, a->root,
                                           a->no_owner ? NULL : &owner, &ctx);
    if (status == LADE_OK) {
        assert_same_value(a->type, at, a->root, MPI_COMM_WORLD);
    } else {
        assert_ptr_equal(at, before);
        assert_null(owner);
        assert_int_equal(a->error.status, status);
        assert_true(a->error.message[0] != 0);
    }
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
    test_memory_check(&memory);
    return status;
}

/* The same broadcast without a failure. */
static void good(lade_mpi *mpi, int root)
{
    cargo c = cargo_make(600, 5000, 3);
    cargo *at = world_rank == root ? &c : NULL;
    lade_arena *owner = NULL;
    assert_ok(lade_mpi_bcast(mpi, cargo, &at, root, &owner, NULL), NULL);
    cargo_check(at, 600, 5000, 3);
    lade_arena_destroy(owner);
    cargo_free(&c);
}

static void assert_agreed(const attempt *a, lade_status status, lade_status expected, int rank)
{
    assert_same_status(status, MPI_COMM_WORLD);
    assert_status(status, expected);
    assert_int_equal(a->error.rank, rank);
    char message[sizeof a->error.message];
    memcpy(message, a->error.message, sizeof message);
    MPI_Bcast(message, sizeof message, MPI_CHAR, rank, MPI_COMM_WORLD);
    assert_string_equal(a->error.message, message);
}

static void assert_failed(attempt *a, lade_status expected, int rank)
{
    assert_agreed(a, try(a), expected, rank);
    good(a->mpi, a->root);
}

/* Runs with each failing rank; the first and the last rank are root. */
static void each(void (*run)(lade_mpi *mpi, int root, int victim), size_t chunk)
{
    lade_mpi *mpi = mpi_test_open(chunk, false);
    for (int root = 0; root<world_size; root += world_size> 1 ? world_size - 1 : 1)
        for (int victim = 0; victim < world_size; victim++)
            run(mpi, root, victim);
    assert_ok(lade_mpi_close(mpi), NULL);
}

/* Inline; a skeleton in chunks; content too: each has its own place to fail. */
static const size_t sizes[][2] = {{60, 0}, {3000, 0}, {60, 9000}, {3000, 9000}};

static void no_memory(lade_mpi *mpi, int root, int victim)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i += COUNT_OF(sizes) - 1) {
        cargo c = cargo_make(sizes[i][0], sizes[i][1], 1);
        attempt a = {.mpi = mpi, .type = &lade_type_cargo, .value = &c, .root = root};
        lade_status status = LADE_ERR_MEMORY;
        size_t n = 1;
        for (; status != LADE_OK; n++) {
            a.fail_at = world_rank == victim ? n : 0;
            status = try(&a);
            if (status != LADE_OK)
                assert_agreed(&a, status, LADE_ERR_MEMORY, victim);
            assert_in_range(n, 1, 200);
        }
        assert_in_range(n, 3, 200); /* one failed at least */
        good(mpi, root);
        cargo_free(&c);
    }
}

static void a_rank_has_no_memory(void **state)
{
    (void)state;
    each(no_memory, 256);
}

static void limited(lade_mpi *mpi, int root, int victim)
{
    for (size_t i = 0; i < COUNT_OF(sizes) && victim != root; i++) {
        cargo c = cargo_make(sizes[i][0], sizes[i][1], 1);
        attempt a = {.mpi = mpi, .type = &lade_type_cargo, .value = &c, .root = root};
        for (lade_size most = 1; most < sizes[i][0] + sizes[i][1]; most *= 4) {
            a.max_bytes = world_rank == victim ? most : 0;
            lade_status status = try(&a);
            if (most < sizes[i][0] / 2)
                assert_agreed(&a, status, LADE_ERR_LIMIT, victim);
            assert_same_status(status, MPI_COMM_WORLD);
        }
        good(mpi, root);
        cargo_free(&c);
    }
}

static void a_rank_has_a_limit(void **state)
{
    (void)state;
    each(limited, 256);
}

static void bad_argument(lade_mpi *mpi, int root, int victim)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i += COUNT_OF(sizes) - 1) {
        cargo c = cargo_make(sizes[i][0], sizes[i][1], 1);
        attempt out = {.mpi = mpi, .type = &lade_type_cargo, .value = &c, .root = root};
        attempt owner = out;
        attempt type = out;
        out.no_out = world_rank == victim;
        assert_failed(&out, LADE_ERR_ARGUMENT, victim);
        owner.no_owner = world_rank == victim;
        if (victim != root)
            assert_failed(&owner, LADE_ERR_ARGUMENT, victim);
        else
            assert_status(try(&owner), LADE_OK);
        type.type = world_rank == victim ? NULL : type.type;
        assert_failed(&type, LADE_ERR_ARGUMENT, victim);
        cargo_free(&c);
    }
}

static void a_rank_has_a_bad_argument(void **state)
{
    (void)state;
    each(bad_argument, 0);
}

static void no_value(lade_mpi *mpi, int root, int victim)
{
    cargo c = cargo_make(60, 9000, 1);
    cargo other = cargo_make(60, 9000, 2);
    cargo *at = world_rank == victim ? NULL : world_rank == root ? &c : &other;
    attempt a = {.mpi = mpi, .root = root};
    lade_context ctx = {.error = &a.error};
    lade_status status = lade_mpi_bcast_into(mpi, cargo, at, root, &ctx);
    assert_agreed(&a, status, LADE_ERR_ARGUMENT, victim);
    good(mpi, root);
    lade_context_fini(&ctx);
    cargo_free(&c);
    cargo_free(&other);
}

static void a_rank_has_no_value_to_fill(void **state)
{
    (void)state;
    each(no_value, 0);
}

static void other_shape(lade_mpi *mpi, int root, int victim)
{
    for (size_t i = 0; i < COUNT_OF(sizes) && victim != root; i++) {
        cargo c = cargo_make(sizes[i][0], sizes[i][1], 1);
        cargo other = cargo_make(sizes[i][0] + (world_rank == victim), sizes[i][1], 2);
        cargo was = other;
        attempt a = {.mpi = mpi, .root = root};
        lade_context ctx = {.error = &a.error};
        lade_status status =
            lade_mpi_bcast_into(mpi, cargo, world_rank == root ? &c : &other, root, &ctx);
        assert_agreed(&a, status, LADE_ERR_SHAPE, victim);
        good(mpi, root);
        assert_memory_equal(&was, &other, sizeof was);
        lade_context_fini(&ctx);
        cargo_free(&c);
        cargo_free(&other);
    }
}

static void a_rank_has_another_shape(void **state)
{
    (void)state;
    each(other_shape, 0);
}

static void other_type(lade_mpi *mpi, int root, int victim)
{
    for (size_t i = 0; i < COUNT_OF(sizes) && victim != root; i++) {
        cargo c = cargo_make(sizes[i][0], sizes[i][1], 1);
        attempt a = {.mpi = mpi, .value = &c, .root = root};
        a.type = world_rank == victim ? &lade_type_swarm : &lade_type_cargo;
        assert_failed(&a, LADE_ERR_TYPE, victim);
        cargo_free(&c);
    }
}

static void a_rank_expects_another_type(void **state)
{
    (void)state;
    each(other_type, 0);
}

/* The root cannot encode; victim has a failure too, or is the root itself. */
static void bad_value(lade_mpi *mpi, int root, int victim)
{
    cargo without = {.n = 3};
    spot inside[2] = {{1, 2}, {3, 4}};
    album points_inside = {.dense = inside, .ndense = 2, .to_double = &inside[1].y};
    attempt null = {.mpi = mpi, .type = &lade_type_cargo, .value = &without, .root = root};
    attempt interior = {.mpi = mpi,
                        .type = &lade_type_album,
                        .value = &points_inside,
                        .root = root,
                        .check_interior = true};
    attempt missing = {.mpi = mpi, .type = &lade_type_cargo, .root = root};
    if (victim == root) {
        assert_failed(&null, LADE_ERR_VALUE, root);
        assert_failed(&interior, LADE_ERR_INTERIOR, root);
        assert_failed(&missing, LADE_ERR_ARGUMENT, root);
        return;
    }
    int lowest = victim < root ? victim : root;
    null.no_owner = world_rank == victim;
    assert_failed(&null, lowest == root ? LADE_ERR_VALUE : LADE_ERR_ARGUMENT, lowest);
}

static void root_has_a_bad_value(void **state)
{
    (void)state;
    each(bad_value, 0);
}

/* Two fail in different ways: the lower rank's failure is everyone's. */
static void two_failures(lade_mpi *mpi, int root, int victim)
{
    int second = (victim + 1) % world_size;
    int lowest = victim < second ? victim : second;
    if (second == victim || victim == root || second == root)
        return;
    cargo c = cargo_make(3000, 9000, 1);
    attempt a = {.mpi = mpi, .type = &lade_type_cargo, .value = &c, .root = root};
    a.max_bytes = world_rank == victim ? 8 : 0;
    a.no_owner = world_rank == second;
    assert_failed(&a, lowest == victim ? LADE_ERR_LIMIT : LADE_ERR_ARGUMENT, lowest);
    cargo_free(&c);
}

static void the_lowest_rank_counts(void **state)
{
    (void)state;
    each(two_failures, 0);
}

/* Without agreement a rank that fails is alone, and nobody waits for it. */
static void alone(lade_mpi *mpi, int root, int victim)
{
    for (size_t i = 0; i < COUNT_OF(sizes) && victim != root; i++) {
        cargo c = cargo_make(sizes[i][0], sizes[i][1], 1);
        cargo *at = world_rank == root ? &c : NULL;
        lade_error error = {0};
        lade_context ctx = {.error = &error};
        lade_arena *owner = NULL;
        ctx.limits.max_bytes = world_rank == victim ? 8 : 0;
        lade_status status = lade_mpi_bcast(mpi, cargo, &at, root, &owner, &ctx);
        assert_status(status, world_rank == victim ? LADE_ERR_LIMIT : LADE_OK);
        if (status == LADE_OK)
            cargo_check(at, sizes[i][0], sizes[i][1], 1);
        else
            assert_true(!at && !owner);
        lade_arena_destroy(owner);
        lade_context_fini(&ctx);
        cargo_free(&c);
        good(mpi, root);
    }
}

static void without_agreement(void **state)
{
    (void)state;
    for (size_t chunk = 0; chunk <= 256; chunk += 256) {
        lade_mpi *mpi = mpi_test_open(chunk, true);
        for (int root = 0; root<world_size; root += world_size> 1 ? world_size - 1 : 1)
            for (int victim = 0; victim < world_size; victim++)
                alone(mpi, root, victim);
        cargo bad = {.n = 1}; /* a root that fails tells all */
        for (int root = 0; root < world_size; root++) {
            attempt a = {.mpi = mpi, .type = &lade_type_cargo, .value = &bad, .root = root};
            assert_failed(&a, LADE_ERR_VALUE, root);
        }
        assert_ok(lade_mpi_close(mpi), NULL);
    }
}

/* Opening is collective too: a rank without memory, or with a bad argument, is everyone's failure.
 */
static lade_status open_once(int victim, size_t fail_at)
{
    test_memory memory;
    lade_error error = {.rank = -9};
    lade_mpi *mpi = NULL;
    test_memory_init(&memory);
    test_memory_restart(&memory, world_rank == victim ? fail_at : 0);
    lade_context ctx = {.error = &error, .allocator = &memory.allocator};
    lade_status status = lade_mpi_open(MPI_COMM_WORLD, NULL, &mpi, &ctx);
    assert_same_status(status, MPI_COMM_WORLD);
    if (status == LADE_OK) {
        good(mpi, victim);
    } else {
        assert_status(status, LADE_ERR_MEMORY);
        assert_null(mpi);
        assert_int_equal(error.rank, victim);
    }
    assert_ok(lade_mpi_close(mpi), NULL);
    lade_context_fini(&ctx);
    test_memory_check(&memory);
    return status;
}

static void open_without_memory(void **state)
{
    (void)state;
    for (int victim = 0; victim < world_size; victim++)
        for (size_t n = 1; open_once(victim, n) != LADE_OK; n++)
            assert_in_range(n, 1, 20);
}

static void open_with_a_bad_argument(void **state)
{
    (void)state;
    for (int victim = 0; victim < world_size; victim++)
        for (int which = 0; which < 2; which++) {
            bool bad = world_rank == victim;
            lade_mpi_options options = {.chunk_bytes = bad && which ? 1 : 1024};
            lade_mpi *mpi = NULL;
            lade_error error = {.rank = -9};
            lade_context ctx = {.error = &error};
            lade_status status =
                lade_mpi_open(MPI_COMM_WORLD, &options, bad && !which ? NULL : &mpi, &ctx);
            assert_same_status(status, MPI_COMM_WORLD);
            assert_status(status, LADE_ERR_ARGUMENT);
            assert_null(mpi);
            assert_int_equal(error.rank, victim);
            lade_context_fini(&ctx);
        }
    assert_int_equal(lade_mpi_live_handles(), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        MPI_TEST(a_rank_has_no_memory),      MPI_TEST(a_rank_has_a_limit),
        MPI_TEST(a_rank_has_a_bad_argument), MPI_TEST(a_rank_has_no_value_to_fill),
        MPI_TEST(a_rank_has_another_shape),  MPI_TEST(a_rank_expects_another_type),
        MPI_TEST(root_has_a_bad_value),      MPI_TEST(the_lowest_rank_counts),
        MPI_TEST(without_agreement),         MPI_TEST(open_without_memory),
        MPI_TEST(open_with_a_bad_argument),
    };
    MPI_Init(&argc, &argv);
    mpi_test_begin();
    return mpi_test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
