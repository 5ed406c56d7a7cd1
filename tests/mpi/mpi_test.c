#include "mpi_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <lade/backend.h>

/* Less than the TIMEOUT that CTest is given, so that the rank and its test are named. */
enum { SECONDS = TEST_SANITIZED ? 150 : 50 };

int world_rank, world_size;

/* Assertions call abort (see mpi_test_begin); the launcher then ends the other ranks. */
static void name_rank(int signal_number)
{
    char text[] = "^ rank 000 failed\n";
    char late[] = "^ rank 000 takes too long\n";
    char *line = signal_number == SIGALRM ? late : text;
    size_t size = signal_number == SIGALRM ? sizeof late : sizeof text;
    for (int i = 9, r = world_rank; i > 6; i--, r /= 10)
        line[i] = (char)('0' + r % 10);
    if (write(STDERR_FILENO, line, size - 1) < 0)
        _exit(2);
    signal(SIGABRT, SIG_DFL);
    if (signal_number == SIGALRM)
        abort();
}

void mpi_test_begin(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    signal(SIGABRT, name_rank);
    signal(SIGALRM, name_rank);
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    cmocka_set_test_filter(getenv("LADE_TEST_ONLY"));
    cmocka_set_skip_filter(getenv("LADE_TEST_SKIP"));
    if (world_rank > 0) {
        cmocka_set_message_output(CM_OUTPUT_TAP); /* to stdout alone */
        if (!freopen("/dev/null", "w", stdout))
            abort();
    }
}

int mpi_test_end(int failed)
{
    alarm(SECONDS);
    MPI_Finalize();
    alarm(0);
    if (lade_mpi_live_handles() != 0) {
        fprintf(stderr, "rank %d: %zu handles are left after MPI_Finalize\n", world_rank,
                lade_mpi_live_handles());
        return 1;
    }
    return failed;
}

int mpi_test_setup(void **state)
{
    (void)state;
    alarm(SECONDS);
    return MPI_Barrier(MPI_COMM_WORLD);
}

int mpi_test_teardown(void **state)
{
    (void)state;
    int code = MPI_Barrier(MPI_COMM_WORLD);
    alarm(0);
    return code;
}

static void compare(lade_buffer *mine, int root, MPI_Comm comm)
{
    int rank;
    unsigned long long size = mine->size;
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, root, comm);
    assert_int_equal(mine->size, size);
    uint8_t *theirs = rank == root ? mine->data : malloc((size_t)size);
    assert_non_null(theirs);
    MPI_Bcast(theirs, (int)size, MPI_BYTE, root, comm);
    assert_memory_equal(mine->data, theirs, (size_t)size);
    if (rank != root)
        free(theirs);
    lade_buffer_fini(mine);
}

void assert_same_value(const lade_type *type, const void *value, int root, MPI_Comm comm)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    lade_buffer mine = {0};
    assert_ok(lade_encode_as(type, value, &mine, &ctx), &error);
    lade_context_fini(&ctx);
    compare(&mine, root, comm);
}

void assert_same_array(const lade_type *type, const void *array, unsigned rank,
                       const size_t *extents, int root, MPI_Comm comm)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    lade_buffer mine = {0};
    assert_ok(lade_encode_array_as(type, array, rank, extents, &mine, &ctx), &error);
    lade_context_fini(&ctx);
    compare(&mine, root, comm);
}

void assert_same_status(lade_status status, MPI_Comm comm)
{
    int mine[2] = {(int)status, -(int)status};
    int most[2];
    MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, comm);
    assert_status(status, (lade_status)most[0]);
    assert_status(status, (lade_status)-most[1]);
}

lade_mpi *mpi_test_open(size_t chunk, bool no_agreement)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    lade_mpi_options options = {.chunk_bytes = chunk, .no_agreement = no_agreement};
    lade_mpi *mpi = NULL;
    assert_ok(lade_mpi_open(MPI_COMM_WORLD, &options, &mpi, &ctx), &error);
    assert_non_null(mpi);
    lade_context_fini(&ctx);
    return mpi;
}

static void with_each_root(void (*run)(MPI_Comm comm, int root), MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    for (int root = 0; root < size; root++)
        run(comm, root);
}

void mpi_test_on_each(void (*run)(MPI_Comm comm, int root))
{
    MPI_Comm other;
    with_each_root(run, MPI_COMM_WORLD);
    with_each_root(run, MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    with_each_root(run, other);
    MPI_Comm_free(&other);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &other);
    with_each_root(run, other);
    MPI_Comm_free(&other);
}
