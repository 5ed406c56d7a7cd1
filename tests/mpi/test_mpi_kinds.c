/* Every kind of field between ranks: grids, known types, variants, sequences, custom types, hooks. */
#include <lade/value.h>

#include "mpi_test.h"
#include "unit/kind_types.h"

enum { TAG = 7 };

static void same_hash(const lade_type *type, const void *value, int root, MPI_Comm comm)
{
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals};
    lade_digest mine;
    assert_ok(lade_hash_as(type, value, &mine, &ctx), &error);
    lade_digest roots = mine;
    MPI_Bcast(&roots, sizeof roots, MPI_BYTE, root, comm);
    assert_true(mine.low == roots.low && mine.high == roots.high);
    lade_context_fini(&ctx);
}

static void cast(const lade_type *type, const void *value, int root, MPI_Comm comm, bool interpret)
{
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals, .interpret = interpret};
    int rank;
    lade_arena *owner = NULL;
    MPI_Comm_rank(comm, &rank);
    const void *at = rank == root ? value : NULL;
    assert_ok(lade_bcast_as(type, &at, root, comm, rank == root ? NULL : &owner, &ctx), &error);
    same_hash(type, at, root, comm);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

static void cast_all(MPI_Comm comm, int root)
{
    lade_arena *arena = test_dirty_arena();
    for (size_t size = 0; size < 2000; size = 3 * size + 2)
        for (int interpret = 0; interpret < 2; interpret++) {
            if (size < 10)
                cast(&lade_type_kennel, kind_kennel(arena, size), root, comm, interpret);
            cast(&lade_type_octant, kind_octant(arena, size), root, comm, interpret);
            cast(&lade_type_sack, kind_sack(arena, size), root, comm, interpret);
            if (size < 100)
                cast(&lade_type_fields, kind_fields(arena, size), root, comm, interpret);
            cast(&lade_type_everything, kind_everything(arena, size), root, comm, interpret);
        }
    lade_arena_destroy(arena);
}

static void every_kind_is_broadcast(void **state)
{
    (void)state;
    mpi_test_on_each(cast_all);
}

/* Each rank sends to the next one; what arrives is what was sent. */
static void every_kind_goes_round(void **state)
{
    (void)state;
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals};
    lade_arena *arena = test_dirty_arena();
    lade_mpi *mpi = mpi_test_open(0, false);
    int next = (world_rank + 1) % world_size;
    int last = (world_rank + world_size - 1) % world_size;
    for (size_t size = 0; size < (world_size > 1 ? 60U
                                  : SELF_SENDS   ? 1U
                                                 : 0U);
         size = 3 * size + 1) {
        fields *f = kind_fields(arena, size);
        fields *got = NULL;
        lade_arena *owner = NULL;
        if (world_rank % 2 == 0)
            assert_ok(lade_mpi_send(mpi, fields, f, next, TAG, &ctx), &error);
        assert_ok(lade_mpi_recv(mpi, fields, &got, last, TAG, &owner, NULL, &ctx), &error);
        if (world_rank % 2)
            assert_ok(lade_mpi_send(mpi, fields, f, next, TAG, &ctx), &error);
        lade_digest sent;
        lade_digest came;
        assert_ok(lade_hash(fields, f, &sent, &ctx), &error);
        assert_ok(lade_hash(fields, got, &came, &ctx), &error);
        assert_true(sent.low == came.low && sent.high == came.high);
        lade_arena_destroy(owner);
    }
    lade_mpi_close(mpi);
    lade_arena_destroy(arena);
    lade_context_fini(&ctx);
}

/* A hook that fails on one rank fails the broadcast on all. */
static void failing_hooks_are_agreed_on(void **state)
{
    (void)state;
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals};
    lade_arena *arena = test_dirty_arena();
    lade_arena *owner = NULL;
    const everything *e = kind_everything(arena, 3);
    if (world_rank == 0)
        ((everything *)(uintptr_t)e)->records[2].kept = INT32_MAX;
    else
        e = NULL;
    lade_status status =
        lade_bcast(everything, &e, 0, MPI_COMM_WORLD, world_rank ? &owner : NULL, &ctx);
    assert_same_status(status, MPI_COMM_WORLD);
    assert_status(status, world_size > 1 ? LADE_ERR_VALUE : LADE_OK);
    assert_null(owner);
    lade_arena_destroy(arena);
    lade_context_fini(&ctx);
}

typedef struct {
    int32_t a;
    int32_t cache;
    double b[2];
} reading;
LADE_STRUCT(reading, (value, a), (skip, cache, default(-1)), (value, b))

/* A datatype leaves out what is not stored, and there is none of what only functions understand. */
static void datatypes(void **state)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Aint lower;
    MPI_Aint extent;
    int size;
    (void)state;
    assert_ok(lade_mpi_datatype(reading, &type, &ctx), &error);
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lower, &extent);
    assert_int_equal(size, 20);
    assert_int_equal(extent, sizeof(reading));
    reading r[3] = {{1, 5, {2, 3}}, {4, 5, {6, 7}}, {8, 5, {9, 10}}};
    if (world_rank)
        for (int i = 0; i < 3; i++)
            r[i] = (reading){0, 50 + i, {0, 0}};
    MPI_Bcast(r, 3, type, 0, MPI_COMM_WORLD);
    assert_true(r[2].a == 8 && r[2].b[1] == 10 && r[2].cache == (world_rank ? 52 : 5));
    assert_status(lade_mpi_datatype(colour, &type, &ctx), LADE_ERR_TYPE);
    assert_status(lade_mpi_datatype(shape, &type, &ctx), LADE_ERR_TYPE);
    lade_context_fini(&ctx);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mpi_test_begin();
    const struct CMUnitTest tests[] = {
        MPI_TEST(every_kind_is_broadcast),
        MPI_TEST(every_kind_goes_round),
        MPI_TEST(failing_hooks_are_agreed_on),
        MPI_TEST(datatypes),
    };
    return mpi_test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
