/* Broadcast of every kind of value, on plain communicators and from every root. */
#include <stdlib.h>

#include "mpi_test.h"
#include "mpi_types.h"

static int rank_of(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/* Broadcasts the value that root has, and compares. Returns what this rank has then. */
static void *cast(const lade_type *type, const void *value, lade_arena **owner, int root,
                  MPI_Comm comm)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    bool here = rank_of(comm) == root;
    const void *at = here ? value : NULL;
    lade_arena *had = *owner;
    assert_ok(lade_bcast_as(type, &at, root, comm, here ? NULL : owner, &ctx), &error);
    assert_non_null(at);
    assert_true(here ? at == value : at != value);
    assert_true(here || had ? *owner == had : *owner != NULL);
    assert_same_value(type, at, root, comm);
    lade_context_fini(&ctx);
    return (void *)(uintptr_t)at;
}

static void cast_and_drop(const lade_type *type, const void *value, int root, MPI_Comm comm)
{
    lade_arena *owner = NULL;
    cast(type, value, &owner, root, comm);
    lade_arena_destroy(owner);
}

static void cast_city(MPI_Comm comm, int root)
{
    lade_arena *owner = NULL;
    city_check(cast(&lade_type_city, city_small(), &owner, root, comm));
    lade_arena_destroy(owner);
}

static void every_kind_of_field(void **state)
{
    (void)state;
    mpi_test_on_each(cast_city);
}

static void cast_cycle(MPI_Comm comm, int root)
{
    enum { N = 1000 };
    static node ring[N];
    char name[] = "ring";
    for (int i = 0; i < N; i++)
        ring[i] = (node){i, &ring[(i + 1) % N], &ring[i * 7 % N], i % 2 ? name : NULL};
    lade_arena *owner = NULL;
    const node *first = cast(&lade_type_node, ring, &owner, root, comm);
    const node *at = first;
    for (int i = 0; i < N; i++, at = at->next) {
        assert_int_equal(at->id, i);
        assert_int_equal(at->other->id, i * 7 % N);
    }
    assert_ptr_equal(at, first);
    assert_ptr_equal(first->other, first);
    lade_arena_destroy(owner);
}

static void cycles(void **state)
{
    (void)state;
    mpi_test_on_each(cast_cycle);
}

static void cast_mesh(MPI_Comm comm, int root)
{
    node nodes[4] = {{.id = 0}, {.id = 1}, {.id = 2}, {.id = 3}};
    node more[2] = {{.id = 4}, {.id = 5}};
    node apart = {.id = 6, .next = &more[1]};
    double weights[600]; /* content, and targets */
    spot outside = {1, 2};
    link_to links[3] = {{&nodes[3], 0.5}, {&more[0], 1.5}, {NULL, 2.5}};
    nodes[0].next = &more[1];
    more[1].other = &nodes[0];
    nodes[2].other = &apart;
    for (int i = 0; i < 600; i++)
        weights[i] = i;
    mesh m = {nodes, 4, more,      2,        weights,       600,
              links, 3, &nodes[1], &more[1], &weights[599], &outside};
    lade_arena *owner = NULL;
    const mesh *x = cast(&lade_type_mesh, &m, &owner, root, comm);
    assert_ptr_equal(x->nodes[0].next, &x->more[1]);
    assert_ptr_equal(x->more[1].other, x->nodes);
    assert_ptr_equal(x->nodes[2].other->next, &x->more[1]);
    assert_ptr_equal(x->links[0].to, &x->nodes[3]);
    assert_ptr_equal(x->links[1].to, x->more);
    assert_ptr_equal(x->best, &x->weights[599]);
    assert_ptr_equal(x->top, &x->nodes[1]);
    assert_true(x->outside->y == 2);
    lade_arena_destroy(owner);
}

static void pools(void **state)
{
    (void)state;
    mpi_test_on_each(cast_mesh);
}

static void cast_arrays(MPI_Comm comm, int root)
{
    cargo one = cargo_make(40, 3 << 20, 1);
    fleet many = fleet_make(300, 5000, 2);
    fleet small = fleet_make(3000, 20, 3);
    cast_and_drop(&lade_type_cargo, &one, root, comm);
    cast_and_drop(&lade_type_fleet, &many, root, comm);
    cast_and_drop(&lade_type_fleet, &small, root, comm);
    cargo_free(&one);
    fleet_free(&many);
    fleet_free(&small);
}

static void large_arrays_and_many(void **state)
{
    (void)state;
    mpi_test_on_each(cast_arrays);
}

static void cast_grains(MPI_Comm comm, int root)
{
    enum { N = 1000 };
    static grain grains[N];
    grains_fill(grains, N, rank_of(comm) + 1);
    for (uint32_t n = 0; n <= N; n = n < 5 ? n + 1 : n * 3) {
        swarm s = {.name = n % 2 ? (char[]){"swarm"} : NULL, .n = n, .grains = grains};
        s.first = grains[2];
        cast_and_drop(&lade_type_swarm, &s, root, comm);
    }
}

static void records_with_padding(void **state)
{
    (void)state;
    mpi_test_on_each(cast_grains);
}

static void cast_texts(MPI_Comm comm, int root)
{
    static const size_t lengths[] = {0, 1, 62, 63, 126, 127, 128, 440, 448, 449, 20000};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        char *text = calloc(1, lengths[i] + 1);
        assert_non_null(text);
        memset(text, 't', lengths[i]);
        cargo both = {.text = text, .label = NULL};
        cast_and_drop(&lade_type_cargo, &both, root, comm);
        free(text);
    }
}

static void texts(void **state)
{
    (void)state;
    mpi_test_on_each(cast_texts);
}

static void cast_empty(MPI_Comm comm, int root)
{
    cargo nothing = {0};
    fleet none = {0};
    mesh plain = {0};
    city blank = {0};
    uint8_t byte = 1;
    cargo pointer = {.bytes = &byte};
    cast_and_drop(&lade_type_cargo, &nothing, root, comm);
    cast_and_drop(&lade_type_cargo, &pointer, root, comm);
    cast_and_drop(&lade_type_fleet, &none, root, comm);
    cast_and_drop(&lade_type_mesh, &plain, root, comm);
    cast_and_drop(&lade_type_city, &blank, root, comm);
}

static void empty_values(void **state)
{
    (void)state;
    mpi_test_on_each(cast_empty);
}

static void cast_array(MPI_Comm comm, int root, unsigned rank, const size_t *shape, size_t n)
{
    bool here = rank_of(comm) == root;
    size_t extents[3] = {77, 77, 77};
    double *mine = malloc(n * sizeof *mine + 1);
    lade_arena *owner = NULL;
    assert_non_null(mine);
    for (size_t i = 0; i < n; i++)
        mine[i] = (double)i * 0.5 + root;
    if (here)
        memcpy(extents, shape, rank * sizeof *extents);
    double *at = here ? mine : NULL;
    assert_ok(lade_bcast_array(&at, rank, extents, root, comm, &owner, NULL), NULL);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(extents[i], i < rank ? shape[i] : 77);
    if (n)
        assert_memory_equal(at, mine, n * sizeof *mine);
    else
        assert_true(here || !at);
    assert_same_array(&lade_scalar_f64, at, rank, extents, root, comm);
    /* into an array of the same shape; of another shape on all ranks but root */
    if (!here)
        memset(mine, 0, n * sizeof *mine);
    assert_ok(lade_bcast_array_into(mine, rank, extents, root, comm, NULL), NULL);
    assert_same_array(&lade_scalar_f64, mine, rank, extents, root, comm);
    if (!here)
        extents[rank - 1]++;
    int size;
    MPI_Comm_size(comm, &size);
    lade_status status = lade_bcast_array_into(mine, rank, extents, root, comm, NULL);
    assert_status(status, size > 1 ? LADE_ERR_SHAPE : LADE_OK);
    lade_arena_destroy(owner);
    free(mine);
}

static void cast_bare_arrays(MPI_Comm comm, int root)
{
    static const size_t shapes[][3] = {{1, 1, 1},     {5, 1, 1},   {0, 1, 1},   {56, 1, 1},
                                       {20000, 1, 1}, {3, 4, 1},   {47, 47, 1}, {0, 9, 1},
                                       {2, 3, 4},     {31, 17, 5}, {4, 0, 2}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        const size_t *s = shapes[i];
        size_t n = s[0] * s[1] * s[2];
        for (unsigned rank = s[2] != 1 ? 3 : s[1] != 1 ? 2 : 1; rank <= 3; rank++)
            cast_array(comm, root, rank, s, n);
    }
}

static void bare_arrays(void **state)
{
    (void)state;
    mpi_test_on_each(cast_bare_arrays);
}

static void cast_records(MPI_Comm comm, int root)
{
    grain grains[7];
    size_t extents[2] = {0};
    bool here = rank_of(comm) == root;
    lade_arena *owner = NULL;
    grain *at = here ? grains : NULL;
    grains_fill(grains, 7, 0x5A);
    if (here)
        extents[0] = extents[1] = 1, extents[0] = 7;
    assert_ok(lade_bcast_array_as(&lade_type_grain, &at, 2, extents, root, comm, &owner, NULL),
              NULL);
    assert_true(extents[0] == 7 && extents[1] == 1);
    for (int i = 0; i < 7; i++)
        assert_true(at[i].tag == grains[i].tag && at[i].mass == grains[i].mass &&
                    at[i].charge == grains[i].charge && at[i].fixed == grains[i].fixed);
    lade_arena_destroy(owner);
}

static void bare_arrays_of_records(void **state)
{
    (void)state;
    mpi_test_on_each(cast_records);
}

static void cast_into(MPI_Comm comm, int root)
{
    bool here = rank_of(comm) == root;
    lade_buffer message = {0};
    lade_arena *owner = NULL;
    city *mine = NULL;
    assert_ok(lade_encode(city, city_small(), &message, NULL), NULL);
    assert_ok(lade_decode(city, message.data, message.size, &mine, &owner, NULL), NULL);
    city was = *mine;
    hex cell = was.cells[5];
    if (!here) { /* other values, the same shape */
        memset(mine->heights, 0, was.nheights * sizeof *was.heights);
        memset(mine->image, 0, was.nimage);
        memset(mine->table, 0, sizeof mine->table);
        memset(mine->title, 'x', strlen(mine->title));
        mine->version = 99;
        mine->cells[5].q = 99;
        mine->cells[5].paths[1].cost = 99;
    }
    assert_ok(lade_bcast_into(city, mine, root, comm, NULL), NULL);
    city_check(mine);
    assert_ptr_equal(mine->title, was.title);
    assert_ptr_equal(mine->cells, was.cells);
    assert_ptr_equal(mine->heights, was.heights);
    assert_ptr_equal(mine->flags, was.flags);
    assert_ptr_equal(mine->image, was.image);
    assert_ptr_equal(mine->capital, was.capital);
    assert_ptr_equal(mine->centre.parts, was.centre.parts);
    assert_ptr_equal(mine->centre.up, was.centre.up);
    assert_ptr_equal(mine->cells[5].paths, cell.paths);
    assert_ptr_equal(mine->cells[5].label, cell.label);
    ASSERT_SAME(city, mine, root, comm);
    lade_buffer_fini(&message);
    lade_arena_destroy(owner);
}

static void into_existing_memory(void **state)
{
    (void)state;
    mpi_test_on_each(cast_into);
}

static void cast_again_and_again(MPI_Comm comm, int root)
{
    bool here = rank_of(comm) == root;
    lade_arena *owner = lade_arena_create(NULL);
    size_t capacity = 0;
    cargo c = cargo_make(600, 100000, 4);
    lade_context ctx = {0};
    for (int turn = 0; turn < 5; turn++) {
        cargo *at = here ? &c : NULL;
        lade_arena *kept = owner;
        lade_arena_reset(owner);
        assert_ok(lade_bcast(cargo, &at, root, comm, &owner, &ctx), NULL);
        assert_ptr_equal(owner, kept);
        cargo_check(at, 600, 100000, 4);
        if (turn > 0)
            assert_int_equal(lade_arena_capacity(owner), capacity);
        capacity = lade_arena_capacity(owner);
    }
    lade_context_fini(&ctx);
    lade_arena_destroy(owner);
    cargo_free(&c);
}

static void an_arena_is_used_again(void **state)
{
    (void)state;
    mpi_test_on_each(cast_again_and_again);
}

/* What stays is in the same arena as what came before. */
static void an_arena_takes_several(void **state)
{
    (void)state;
    lade_arena *owner = NULL;
    city *first = cast(&lade_type_city, city_small(), &owner, 0, MPI_COMM_WORLD);
    cargo c = cargo_make(5000, 5000, 6);
    cargo *second = cast(&lade_type_cargo, &c, &owner, 0, MPI_COMM_WORLD);
    city_check(first);
    cargo_check(second, 5000, 5000, 6);
    lade_arena_destroy(owner);
    cargo_free(&c);
}

static void by_a_handle_and_by_the_plan(void **state)
{
    (void)state;
    lade_mpi *mpi = mpi_test_open(0, false);
    for (int root = 0; root < world_size; root++)
        for (int plans = 0; plans < 4; plans++) {
            /* each side by surrogate or by plan */
            bool here = world_rank == root;
            lade_context ctx = {.interpret = plans & (here ? 1 : 2)};
            city *at = here ? city_small() : NULL;
            lade_arena *owner = NULL;
            assert_ok(lade_mpi_bcast(mpi, city, &at, root, &owner, &ctx), NULL);
            city_check(at);
            assert_ok(lade_mpi_bcast_into(mpi, city, at, root, &ctx), NULL);
            city_check(at);
            lade_arena_destroy(owner);
            lade_context_fini(&ctx);
        }
    assert_ok(lade_mpi_close(mpi), NULL);
}

/* The owner is untouched, also where there is none; sanitizers see what is left. */
static void every_part_on_its_own(void **state)
{
    (void)state;
    size_t extents[1] = {4};
    for (int root = 0; root < world_size; root++) {
        bool here = world_rank == root;
        lade_error error;
        lade_context ctx = {.error = &error, .own_memory = true};
        lade_arena *owner = NULL;
        city *at = here ? city_small() : NULL;
        node ring[4];
        node *nodes = here ? ring : NULL;
        assert_ok(lade_bcast(city, &at, root, MPI_COMM_WORLD, NULL, &ctx), &error);
        city_check(at);
        for (int i = 0; i < 4; i++)
            ring[i] = (node){i, &ring[(i + 1) % 4], NULL, NULL};
        assert_ok(lade_bcast_array_as(&lade_type_node, &nodes, 1, extents, root, MPI_COMM_WORLD,
                                      &owner, &ctx),
                  &error);
        assert_ptr_equal(nodes[3].next, nodes);
        assert_null(owner);
        if (!here) {
            assert_ok(lade_free_graph(city, at, &ctx), &error);
            assert_ok(lade_free_records(node, nodes, 1, extents, &ctx), &error);
        }
        lade_context_fini(&ctx);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        MPI_TEST(every_kind_of_field),
        MPI_TEST(cycles),
        MPI_TEST(pools),
        MPI_TEST(large_arrays_and_many),
        MPI_TEST(records_with_padding),
        MPI_TEST(texts),
        MPI_TEST(empty_values),
        MPI_TEST(bare_arrays),
        MPI_TEST(bare_arrays_of_records),
        MPI_TEST(into_existing_memory),
        MPI_TEST(an_arena_is_used_again),
        MPI_TEST(an_arena_takes_several),
        MPI_TEST(by_a_handle_and_by_the_plan),
        MPI_TEST(every_part_on_its_own),
    };
    MPI_Init(&argc, &argv);
    mpi_test_begin();
    return mpi_test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
