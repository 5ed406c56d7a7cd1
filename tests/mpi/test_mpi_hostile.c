/* Envelopes and bodies that no honest peer sends: clear statuses, and no memory for their claims.
 */
#include <stdlib.h>

#include "mpi_internal.h"
#include "mpi_test.h"
#include "mpi_types.h"

enum { AT_STATUS = 6, SMALL = 700 }; /* so small that a rank may send it to itself */

typedef struct {
    bool *on;
    size_t n;
} switches;
LADE_STRUCT(switches, (vector, on, n))

static lade_mpi *mpi;

typedef struct message {
    uint8_t bytes[ENVELOPE_HEAD + SMALL];
    size_t size;
} message;

/* An honest message: an envelope with everything in it. */
static message honest(const lade_type *type, const void *value)
{
    message m = {.size = ENVELOPE_HEAD};
    lade_root root = {.type = type, .value = value};
    lade_encoding *encoding;
    assert_ok(lade_encoding_begin(&root, NULL, NULL, 0, &encoding, NULL), NULL);
    const lade_manifest *x = lade_encoding_manifest(encoding);
    lade_envelope e = {.fingerprint = x->fingerprint,
                       .skeleton_size = x->skeleton_size,
                       .chunk = mpi->chunk,
                       .sequence = mpi->sequence++};
    assert_true(x->content_size == 0 && x->skeleton_size <= SMALL);
    lade_envelope_put(&e, m.bytes);
    memcpy(m.bytes + m.size, x->skeleton, (size_t)x->skeleton_size);
    m.size += (size_t)x->skeleton_size;
    lade_encoding_end(encoding);
    return m;
}

/* Sends the bytes to this rank itself as an envelope, and receives them as a value. */
static lade_status deliver(const uint8_t *bytes, size_t size, const lade_type *type,
                           lade_size max_bytes, size_t *peak)
{
    test_memory memory;
    lade_error error = {0};
    test_memory_init(&memory);
    lade_context ctx = {.error = &error, .allocator = &memory.allocator};
    ctx.limits.max_bytes = max_bytes;
    int untouched;
    void *at = &untouched;
    lade_arena *owner = NULL;
    MPI_Request sent;
    MPI_Isend(bytes, (int)size, MPI_BYTE, world_rank, 1, mpi->envelopes, &sent);
    lade_status status = lade_mpi_recv_as(mpi, type, &at, world_rank, 1, &owner, NULL, &ctx);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    if (status != LADE_OK) {
        assert_ptr_equal(at, &untouched);
        assert_null(owner);
        assert_int_equal(error.status, status);
        assert_true(error.message[0] != 0);
    } else {
        assert_true(at != &untouched);
    }
    *peak = memory.peak;
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
    test_memory_check(&memory);
    return status;
}

static lade_status deliver_small(const message *m, const lade_type *type)
{
    size_t peak;
    lade_status status = deliver(m->bytes, m->size, type, 0, &peak);
    assert_in_range(peak, 0, 1 << 20);
    return status;
}

static void not_from_lade(void **state)
{
    (void)state;
    cargo c = cargo_make(100, 0, 1);
    message good = honest(&lade_type_cargo, &c);
    for (size_t i = 0; i < 5; i++) {
        message m = good;
        m.bytes[i] ^= 0x41;
        assert_status(deliver_small(&m, &lade_type_cargo),
                      i < 4 ? LADE_ERR_FORMAT : LADE_ERR_VERSION);
    }
    for (size_t size = 0; size < ENVELOPE_HEAD; size++) {
        message m = good;
        m.size = size;
        assert_status(deliver_small(&m, &lade_type_cargo), LADE_ERR_FORMAT);
    }
    cargo_free(&c);
}

static void another_length_than_it_says(void **state)
{
    (void)state;
    cargo c = cargo_make(100, 0, 1);
    message good = honest(&lade_type_cargo, &c);
    for (size_t size = ENVELOPE_HEAD; size <= good.size + 20; size++) {
        message m = good;
        m.size = size;
        assert_status(deliver_small(&m, &lade_type_cargo),
                      size == good.size ? LADE_OK : LADE_ERR_FORMAT);
    }
    cargo_free(&c);
}

static void another_type(void **state)
{
    (void)state;
    cargo c = cargo_make(100, 0, 1);
    message good = honest(&lade_type_cargo, &c);
    assert_status(deliver_small(&good, &lade_type_swarm), LADE_ERR_TYPE);
    for (size_t i = 8; i < 24; i++) {
        message m = good;
        m.bytes[i] ^= 0x10;
        assert_status(deliver_small(&m, &lade_type_cargo), LADE_ERR_TYPE);
    }
    cargo_free(&c);
}

static void another_chunk(void **state)
{
    (void)state;
    cargo c = cargo_make(100, 0, 1);
    message m = honest(&lade_type_cargo, &c);
    lade_envelope e;
    for (size_t chunk = 0; chunk < 3; chunk++) {
        assert_ok(lade_envelope_get(&e, m.bytes, m.size, NULL), NULL);
        e.chunk = chunk == 0 ? 0 : chunk == 1 ? mpi->chunk + 1 : UINT64_MAX;
        lade_envelope_put(&e, m.bytes);
        assert_status(deliver_small(&m, &lade_type_cargo), LADE_ERR_FORMAT);
    }
    cargo_free(&c);
}

/* Counts beyond what was sent: refused before there is memory for them. */
static void counts_beyond_the_message(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1,         100, 4096, (uint64_t)1 << 32, (uint64_t)1 << 60,
                                      UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        cargo nothing = {0};
        message m = honest(&lade_type_cargo, &nothing);
        uint8_t *end = m.bytes + ENVELOPE_HEAD; /* text, label: NULL; then the count */
        *end++ = 1;
        *end++ = 1;
        end = lade_priv_put_varint(end, counts[i]);
        m.size = (size_t)(end - m.bytes);
        lade_envelope e;
        assert_ok(lade_envelope_get(&e, m.bytes, m.size, NULL), NULL);
        e.skeleton_size = m.size - ENVELOPE_HEAD;
        lade_envelope_put(&e, m.bytes);
        assert_true(deliver_small(&m, &lade_type_cargo) != LADE_OK);
    }
}

/* Content that the skeleton does not mention, and a skeleton with something behind it. */
static void more_than_the_value(void **state)
{
    (void)state;
    cargo c = cargo_make(100, 0, 1);
    for (int which = 0; which < 2; which++) {
        message m = honest(&lade_type_cargo, &c);
        lade_envelope e;
        assert_ok(lade_envelope_get(&e, m.bytes, m.size, NULL), NULL);
        if (which)
            e.content_size = 10;
        else
            e.skeleton_size += 10;
        m.size += 10;
        lade_envelope_put(&e, m.bytes);
        assert_status(deliver_small(&m, &lade_type_cargo), LADE_ERR_FORMAT);
    }
    cargo_free(&c);
}

/* Every byte of the skeleton in turn, to several values: an answer, and never much memory. */
static void mutants_of(const lade_type *type, const void *value)
{
    static const uint8_t values[] = {0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF};
    message good = honest(type, value);
    for (size_t i = ENVELOPE_HEAD; i < good.size; i++)
        for (size_t k = 0; k < COUNT_OF(values); k++) {
            message m = good;
            m.bytes[i] = values[k];
            deliver_small(&m, type);
        }
    assert_status(deliver_small(&good, type), LADE_OK);
}

static void mutants(void **state)
{
    (void)state;
    node ring[3] = {{1, &ring[1], &ring[0], NULL}, {2, &ring[2], NULL, NULL}, {.id = 3}};
    node nodes[2] = {{.id = 7, .next = &nodes[1]}, {.id = 8, .other = &nodes[0]}};
    double weights[3] = {1, 2, 3};
    link_to links[2] = {{&nodes[1], 1}, {NULL, 2}};
    mesh m = {.nodes = nodes, .nnodes = 2, .weights = weights, .nweights = 3, .top = &nodes[1]};
    grain grains[3];
    ring[2].next = &ring[0];
    m.links = links;
    m.nlinks = 2;
    m.best = &weights[2];
    grains_fill(grains, 3, 0x77);
    swarm s = {(char[]){"swarm"}, 3, grains, grains[1]};
    cargo c = cargo_make(40, 0, 1);
    mutants_of(&lade_type_node, ring);
    mutants_of(&lade_type_mesh, &m);
    mutants_of(&lade_type_swarm, &s);
    mutants_of(&lade_type_cargo, &c);
    cargo_free(&c);
}

/* What the envelope claims of a body is no reason to take memory that the context does not allow.
 */
static void sizes_beyond_a_limit(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {5000, 1 << 20, (uint64_t)1 << 40, UINT64_MAX};
    test_memory memory;
    test_memory_init(&memory);
    lade_mpi forged = {.allocator = &memory.allocator};
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    ctx.limits.max_bytes = 4999;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        assert_status(lade_mpi_reserve(&forged, sizes[i], &ctx), LADE_ERR_LIMIT);
        assert_int_equal(error.status, LADE_ERR_LIMIT);
        assert_int_equal(memory.calls, 0);
    }
    lade_context_fini(&ctx);
}

/* A real body that this rank has no memory for, or must not take, is dropped whole. */
static lade_status drop(const cargo *c, const cargo *good, lade_size most, size_t fail_at)
{
    int last = world_size - 1;
    lade_status status = LADE_OK;
    if (world_rank == 0) {
        assert_ok(lade_mpi_send(mpi, cargo, c, last, 1, NULL), NULL);
        assert_ok(lade_mpi_send(mpi, cargo, good, last, 1, NULL), NULL);
    }
    if (world_rank == last) {
        test_memory memory;
        test_memory_init(&memory);
        test_memory_restart(&memory, fail_at);
        lade_context ctx = {.limits.max_bytes = most, .allocator = &memory.allocator};
        lade_arena *owner = NULL;
        cargo *at = NULL;
        status = lade_mpi_recv(mpi, cargo, &at, 0, 1, &owner, NULL, &ctx);
        assert_true(status == LADE_OK ? at && owner : !at && !owner);
        lade_arena_destroy(owner);
        lade_context_fini(&ctx);
        test_memory_check(&memory);
        owner = NULL;
        assert_ok(lade_mpi_recv(mpi, cargo, &at, 0, 1, &owner, NULL, NULL), NULL);
        cargo_check(at, 40, 0, 2);
        lade_arena_destroy(owner);
    }
    MPI_Bcast(&status, 1, MPI_INT, last, MPI_COMM_WORLD);
    return status;
}

static void bodies_are_dropped(void **state)
{
    (void)state;
    if (world_size == 1)
        return;
    cargo c = cargo_make(9000, 20000, 1);
    cargo good = cargo_make(40, 0, 2);
    for (lade_size most = 1; most < 60000; most *= 3)
        assert_status(drop(&c, &good, most, 0), most < 29000 ? LADE_ERR_LIMIT : LADE_OK);
    lade_status status = LADE_ERR_MEMORY;
    for (size_t n = 1; status != LADE_OK; n++) {
        status = drop(&c, &good, 0, n);
        assert_true(status == LADE_OK || status == LADE_ERR_MEMORY);
    }
    cargo_free(&c);
    cargo_free(&good);
}

/* Content that is no value of its type, found only when all of it is there. */
static void content_that_is_no_value(void **state)
{
    (void)state;
    static bool bits[5000];
    switches s = {bits, 5000};
    int last = world_size - 1;
    memset(bits, 2, sizeof bits);
    for (int root = 0; root < world_size && world_size > 1; root++) {
        lade_error error = {.rank = -9};
        lade_context ctx = {.error = &error};
        int untouched;
        switches *at = world_rank == root ? &s : (switches *)(void *)&untouched;
        const switches *before = at;
        lade_arena *owner = NULL;
        lade_status status = lade_mpi_bcast(mpi, switches, &at, root, &owner, &ctx);
        assert_status(status, LADE_ERR_VALUE);
        assert_true(at == before && !owner);
        assert_same_status(status, MPI_COMM_WORLD);
        assert_in_range(error.rank, 0, last);
        lade_context_fini(&ctx);
    }
    if (world_size > 1 && world_rank == 0 &&
        lade_mpi_send(mpi, switches, &s, last, 1, NULL) != LADE_OK)
        s.n = 0; /* a sender may find it too: then nothing is sent */
    MPI_Bcast(&s.n, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (world_size > 1 && world_rank == last && s.n) {
        lade_arena *owner = NULL;
        switches *at = NULL;
        assert_status(lade_mpi_recv(mpi, switches, &at, 0, 1, &owner, NULL, NULL), LADE_ERR_VALUE);
        assert_true(!at && !owner);
    }
}

/* A root that failed says with what: only with a status that there is. */
static void statuses_that_do_not_exist(void **state)
{
    (void)state;
    uint8_t bytes[ENVELOPE_HEAD];
    lade_envelope e = {.chunk = mpi->chunk, .status = LADE_ERR_VALUE};
    lade_envelope got;
    lade_envelope_put(&e, bytes);
    assert_ok(lade_envelope_get(&got, bytes, sizeof bytes, NULL), NULL);
    assert_status(got.status, LADE_ERR_VALUE);
    for (int status = LADE_STATUS_COUNT; status < 256; status++) {
        bytes[AT_STATUS] = (uint8_t)status;
        assert_status(lade_envelope_get(&got, bytes, sizeof bytes, NULL), LADE_ERR_FORMAT);
    }
}

/* Envelopes of random bytes behind the right beginning. */
static void random_envelopes(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int i = 0; i < 20000; i++) {
        uint8_t bytes[ENVELOPE_HEAD] = {'L', 'A', 'D', 'E', 1};
        lade_envelope e;
        lade_target target = {.type = &lade_type_cargo, .owner = &(lade_arena *){NULL}};
        for (size_t k = 5; k < sizeof bytes; k++)
            bytes[k] = k == AT_STATUS ? 0 : (uint8_t)test_random(&seed);
        lade_status status = lade_envelope_get(&e, bytes, sizeof bytes, NULL);
        if (status == LADE_OK)
            status = lade_envelope_check(&e, &target, NULL);
        assert_true(status == LADE_ERR_TYPE || status == LADE_ERR_FORMAT);
    }
}

static int open_mpi(void **state)
{
    (void)state;
    mpi = mpi_test_open(512, false);
    return 0;
}

static int close_mpi(void **state)
{
    (void)state;
    assert_ok(lade_mpi_close(mpi), NULL);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        MPI_TEST(not_from_lade),
        MPI_TEST(another_length_than_it_says),
        MPI_TEST(another_type),
        MPI_TEST(another_chunk),
        MPI_TEST(counts_beyond_the_message),
        MPI_TEST(more_than_the_value),
        MPI_TEST(mutants),
        MPI_TEST(sizes_beyond_a_limit),
        MPI_TEST(bodies_are_dropped),
        MPI_TEST(content_that_is_no_value),
        MPI_TEST(statuses_that_do_not_exist),
        MPI_TEST(random_envelopes),
    };
    MPI_Init(&argc, &argv);
    mpi_test_begin();
    return mpi_test_end(cmocka_run_group_tests(tests, open_mpi, close_mpi));
}
