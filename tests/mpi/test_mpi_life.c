/* Handles: opened, closed, forgotten, freed with their communicator; before, during and after MPI.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi_internal.h"
#include "mpi_test.h"
#include "mpi_types.h"

static bool threads; /* MPI gave MPI_THREAD_MULTIPLE */

/* Everything that takes no handle. */
static void assert_no_mpi(void)
{
    cargo c = {0};
    cargo *at = &c;
    double *values = NULL;
    size_t extent = 0;
    lade_arena *owner = NULL;
    lade_mpi *mpi = NULL;
    MPI_Datatype d = MPI_BYTE;
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    MPI_Comm w = MPI_COMM_WORLD;
    assert_status(lade_mpi_open(w, NULL, &mpi, &ctx), LADE_ERR_STATE);
    assert_int_equal(error.status, LADE_ERR_STATE);
    assert_true(error.message[0] != 0);
    assert_status(lade_mpi_of(w, &mpi, &ctx), LADE_ERR_STATE);
    assert_status(lade_bcast(cargo, &at, 0, w, &owner, &ctx), LADE_ERR_STATE);
    assert_status(lade_bcast_into(cargo, &c, 0, w, &ctx), LADE_ERR_STATE);
    assert_status(lade_bcast_array(&values, 1, &extent, 0, w, &owner, NULL), LADE_ERR_STATE);
    assert_status(lade_mpi_datatype(grain, &d, &ctx), LADE_ERR_STATE);
    assert_status(lade_mpi_datatype(double, &d, NULL), LADE_ERR_STATE);
    assert_true(!mpi && at == &c && !values && !owner && d == MPI_BYTE);
    assert_status(lade_mpi_close(NULL), LADE_OK);
    assert_int_equal(lade_mpi_live_handles(), 0);
    lade_context_fini(&ctx);
}

static void cast_on(MPI_Comm comm)
{
    int rank;
    cargo c = cargo_make(700, 5000, 1);
    MPI_Comm_rank(comm, &rank);
    cargo *at = rank == 0 ? &c : NULL;
    lade_arena *owner = NULL;
    assert_ok(lade_bcast(cargo, &at, 0, comm, &owner, NULL), NULL);
    cargo_check(at, 700, 5000, 1);
    lade_arena_destroy(owner);
    cargo_free(&c);
}

static void cast_by(lade_mpi *mpi, unsigned seed)
{
    cargo c = cargo_make(700, 5000, seed);
    cargo *at = mpi->rank == 0 ? &c : NULL;
    lade_arena *owner = NULL;
    assert_ok(lade_mpi_bcast(mpi, cargo, &at, 0, &owner, NULL), NULL);
    cargo_check(at, 700, 5000, seed);
    lade_arena_destroy(owner);
    cargo_free(&c);
}

static void opened_many_times(void **state)
{
    (void)state;
    size_t live = lade_mpi_live_handles();
    for (int i = 0; i < 200; i++) {
        lade_mpi *mpi = mpi_test_open(i % 2 ? 64 : 0, i % 3 == 0);
        assert_int_equal(lade_mpi_live_handles(), live + 2);
        if (i % 50 == 0)
            cast_by(mpi, 1);
        assert_ok(lade_mpi_close(mpi), NULL);
        assert_int_equal(lade_mpi_live_handles(), live);
    }
}

static void several_at_once(void **state)
{
    (void)state;
    enum { N = 4 };
    lade_mpi *mpi[N];
    size_t live = lade_mpi_live_handles();
    for (unsigned i = 0; i < N; i++)
        mpi[i] = mpi_test_open(i % 2 ? 100 : 0, false);
    for (unsigned i = N; i-- > 0;)
        cast_by(mpi[i], i);
    cargo c = cargo_make(40, 0, 1);
    cargo other = cargo_make(60, 0, 2);
    int last = world_size > 1 || SELF_SENDS ? world_size - 1 : -1;
    if (world_rank == 0 && last >= 0) { /* the same tag on two handles: two channels */
        assert_ok(lade_mpi_send(mpi[0], cargo, &c, last, 1, NULL), NULL);
        assert_ok(lade_mpi_send(mpi[2], cargo, &other, last, 1, NULL), NULL);
    }
    lade_arena *owner = NULL;
    cargo *at = NULL;
    if (world_rank == last) {
        assert_ok(
            lade_mpi_recv(mpi[2], cargo, &at, MPI_ANY_SOURCE, MPI_ANY_TAG, &owner, NULL, NULL),
            NULL);
        cargo_check(at, 60, 0, 2);
        assert_ok(
            lade_mpi_recv(mpi[0], cargo, &at, MPI_ANY_SOURCE, MPI_ANY_TAG, &owner, NULL, NULL),
            NULL);
        cargo_check(at, 40, 0, 1);
    }
    lade_arena_destroy(owner);
    cargo_free(&c);
    cargo_free(&other);
    assert_ok(lade_mpi_close(mpi[1]), NULL);
    cast_by(mpi[3], 9);
    assert_ok(lade_mpi_close(mpi[0]), NULL);
    assert_ok(lade_mpi_close(mpi[3]), NULL);
    assert_ok(lade_mpi_close(mpi[2]), NULL);
    assert_int_equal(lade_mpi_live_handles(), live);
}

static void kept_on_its_communicator(void **state)
{
    (void)state;
    MPI_Comm comm;
    lade_mpi *first = NULL;
    lade_mpi *again = NULL;
    size_t live = lade_mpi_live_handles();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    cast_on(comm);
    assert_int_equal(lade_mpi_live_handles(), live + 2);
    assert_ok(lade_mpi_of(comm, &first, NULL), NULL);
    assert_ok(lade_mpi_of(comm, &again, NULL), NULL);
    assert_ptr_equal(first, again);
    assert_status(lade_mpi_close(first), LADE_ERR_STATE); /* it goes with comm */
    cast_by(first, 2);
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy); /* has no handle of its own yet */
    cast_on(copy);
    assert_ok(lade_mpi_of(copy, &again, NULL), NULL);
    assert_true(first != again);
    assert_int_equal(lade_mpi_live_handles(), live + 4);
    MPI_Comm_free(&comm);
    assert_int_equal(lade_mpi_live_handles(), live + 2);
    cast_on(copy);
    MPI_Comm_free(&copy);
    assert_int_equal(lade_mpi_live_handles(), live);
}

static void outlives_its_communicator(void **state)
{
    (void)state;
    MPI_Comm comm;
    lade_mpi *mpi = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    assert_ok(lade_mpi_open(comm, NULL, &mpi, NULL), NULL);
    MPI_Comm_free(&comm);
    cast_by(mpi, 4);
    assert_ok(lade_mpi_close(mpi), NULL);
}

/* Used after the context that made it is gone, and under a context whose allocator fails. */
static void kept_longer_than_a_context(void **state)
{
    (void)state;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    test_memory memory;
    test_memory_init(&memory);
    lade_context ctx = {.allocator = &memory.allocator};
    lade_mpi *mpi = NULL;
    assert_ok(lade_mpi_of(comm, &mpi, &ctx), NULL);
    lade_context_fini(&ctx);
    test_memory_check(&memory);
    cast_on(comm);
    MPI_Comm_free(&comm);
}

static void other_communicators_are_refused(void **state)
{
    (void)state;
    lade_mpi *mpi = NULL;
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    cargo c = {0};
    cargo *at = &c;
    lade_arena *owner = NULL;
    MPI_Comm comms[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm half = MPI_COMM_NULL;
    if (world_size > 1) {
        int side = world_rank % 2;
        MPI_Comm_split(MPI_COMM_WORLD, side, world_rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !side, 1, &comms[1]);
    }
    for (int i = 0; i < 2; i++) {
        assert_status(lade_mpi_open(comms[i], NULL, &mpi, &ctx), LADE_ERR_ARGUMENT);
        assert_status(lade_mpi_of(comms[i], &mpi, &ctx), LADE_ERR_ARGUMENT);
        assert_status(lade_bcast(cargo, &at, 0, comms[i], &owner, &ctx), LADE_ERR_ARGUMENT);
        assert_true(error.message[0] != 0);
    }
    assert_true(!mpi && !owner && at == &c);
    if (comms[1] != MPI_COMM_NULL) {
        MPI_Comm_free(&comms[1]);
        MPI_Comm_free(&half);
    }
    lade_context_fini(&ctx);
}

/* A body of another size than its envelope says, in a message that MPI must cut. (A short one: Open
 * MPI writes large ones over the end of the buffer before it tells of the error.) */
static void send_too_much(lade_mpi *mpi, int dest)
{
    uint8_t bytes[ENVELOPE_HEAD];
    uint8_t body[100] = {0}; /* more than a chunk */
    lade_envelope e = {.skeleton_size = 5000, .chunk = mpi->chunk, .sequence = 7};
    assert_ok(lade_fingerprint_of(&lade_type_cargo, &e.fingerprint, NULL), NULL);
    lade_envelope_put(&e, bytes);
    MPI_Send(bytes, sizeof bytes, MPI_BYTE, dest, 1, mpi->envelopes);
    MPI_Send(body, sizeof body, MPI_BYTE, dest, 7, mpi->bodies);
}

/* What MPI cannot deliver: its error returns, through the handler of the program. */
static void errors_of_mpi_return(void **state)
{
    (void)state;
    MPI_Comm comm;
    MPI_Errhandler handler;
    lade_mpi *mpi = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    assert_ok(lade_mpi_open(comm, &(lade_mpi_options){.chunk_bytes = 64}, &mpi, NULL), NULL);
    MPI_Comm_get_errhandler(mpi->bodies, &handler);
    assert_true(handler == MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(mpi->envelopes, &handler);
    assert_true(handler == MPI_ERRORS_RETURN);
    int last = world_size - 1;
    if (world_size > 1 && world_rank == 0)
        send_too_much(mpi, last);
    if (world_size > 1 && world_rank == last) {
        lade_error error = {0};
        lade_context ctx = {.error = &error};
        lade_arena *owner = NULL;
        cargo *at = NULL;
        assert_status(lade_mpi_recv(mpi, cargo, &at, 0, 1, &owner, NULL, &ctx), LADE_ERR_MPI);
        assert_int_equal(error.cause, MPI_ERR_TRUNCATE);
        assert_true(error.message[0] != 0 && !at && !owner);
        lade_context_fini(&ctx);
    }
    cast_by(mpi, 3);
    assert_ok(lade_mpi_close(mpi), NULL);
    MPI_Comm_free(&comm);
}

static void sub_communicators(void **state)
{
    (void)state;
    size_t live = lade_mpi_live_handles();
    for (int i = 0; i < 20; i++) {
        MPI_Comm part;
        MPI_Comm_split(MPI_COMM_WORLD, (world_rank + i) % 3 ? 0 : MPI_UNDEFINED, 0, &part);
        if (part == MPI_COMM_NULL)
            continue;
        cast_on(part);
        MPI_Comm_free(&part);
    }
    assert_int_equal(lade_mpi_live_handles(), live);
}

typedef struct worker {
    MPI_Comm comm;
    unsigned seed;
    bool cached;
} worker;

/* Opens, broadcasts, closes; or has the handle kept on a communicator that it makes and frees. */
static void *work(void *user)
{
    const worker *w = user;
    for (unsigned i = 0; i < 10; i++) {
        if (w->cached) {
            MPI_Comm comm;
            MPI_Comm_dup(w->comm, &comm);
            cast_on(comm);
            MPI_Comm_free(&comm);
            continue;
        }
        lade_mpi *mpi = NULL;
        MPI_Datatype d;
        assert_ok(lade_mpi_open(w->comm, NULL, &mpi, NULL), NULL);
        assert_ok(lade_mpi_datatype(grain, &d, NULL), NULL);
        for (unsigned k = 0; k < 5; k++)
            cast_by(mpi, w->seed + k);
        assert_ok(lade_mpi_close(mpi), NULL);
    }
    return NULL;
}

static void two_threads(bool cached)
{
    enum { N = 2 };
    pthread_t thread[N];
    worker w[N];
    for (int i = 0; i < N; i++) {
        w[i] = (worker){.seed = (unsigned)i * 50, .cached = cached && i == 1};
        MPI_Comm_dup(MPI_COMM_WORLD, &w[i].comm);
    }
    for (int i = 0; i < N; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
    for (int i = 0; i < N; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        MPI_Comm_free(&w[i].comm);
    }
}

static void threads_with_a_handle_each(void **state)
{
    (void)state;
    if (!threads)
        skip();
    two_threads(false);
}

static void threads_that_free_communicators(void **state)
{
    (void)state;
    if (!threads)
        skip();
    two_threads(true);
}

/* The last test: what it leaves is freed by MPI_Finalize, see mpi_test_end. */
static void forgotten(void **state)
{
    (void)state;
    MPI_Comm comm;
    MPI_Datatype d;
    size_t live = lade_mpi_live_handles();
    cast_by(mpi_test_open(0, false), 1);
    cast_by(mpi_test_open(100, false), 2);
    if (!TEST_SANITIZED) { /* MPI itself does not free this one whole */
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        cast_on(comm);
    }
    cast_on(MPI_COMM_WORLD);
    cast_on(MPI_COMM_SELF);
    assert_ok(lade_mpi_datatype(grain, &d, NULL), NULL);
    assert_in_range(lade_mpi_live_handles(), live + 6, live + 11);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        MPI_TEST(opened_many_times),
        MPI_TEST(several_at_once),
        MPI_TEST(kept_on_its_communicator),
        MPI_TEST(outlives_its_communicator),
        MPI_TEST(kept_longer_than_a_context),
        MPI_TEST(other_communicators_are_refused),
        MPI_TEST(errors_of_mpi_return),
        MPI_TEST(sub_communicators),
        MPI_TEST(threads_with_a_handle_each),
        MPI_TEST(threads_that_free_communicators),
        MPI_TEST(forgotten),
    };
    int level;
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    assert_no_mpi();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    threads = level == MPI_THREAD_MULTIPLE;
    mpi_test_begin();
    int failed = mpi_test_end(cmocka_run_group_tests(tests, NULL, NULL));
    assert_no_mpi();
    return failed;
}
