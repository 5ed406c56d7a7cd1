/* Hostile counts and ids, written by hand: never a crash, never more memory than the message can justify.
 * (test_hostile_message changes honest messages at every byte.) */
#include "support.h"

#include "city_types.h"

#include <stdlib.h>

/* clang-format off */
typedef struct tree tree;
struct tree { tree *kids; uint32_t n; };
LADE_STRUCT(tree, (vector, kids, n, tree))
typedef struct { double a[400]; } heavy;
LADE_STRUCT(heavy, (value, a))
typedef struct { heavy *to; } to_heavy;
LADE_STRUCT(to_heavy, (ref, to, heavy))
typedef struct { to_heavy *v; size_t n; } heavies;
LADE_STRUCT(heavies, (vector, v, n, to_heavy))
typedef struct { double *d; uint64_t nd; char *t; hex *c; uint64_t nc; uint8_t *b; uint64_t nb; } lists;
LADE_STRUCT(lists, (vector, d, nd), (text, t), (vector, c, nc, hex), (vector, b, nb))
typedef struct { double *d; uint64_t nd; double *e; uint64_t ne; } two_pools;
LADE_STRUCT(two_pools, (pool, d, nd), (pool, e, ne))
/* clang-format on */

typedef struct trial {
    bool interpret, bare;
    lade_status status;
    size_t peak;
} trial;

static size_t beyond; /* errors whose offset lies behind the message's end */

/* Decodes bytes that end where their memory does; counts memory; saves again what loads. */
static void decode(trial *t, const lade_type *type, const uint8_t *bytes, size_t size)
{
    test_memory m;
    test_memory_init(&m);
    lade_error error = {0};
    lade_context ctx = {.allocator = &m.allocator,
                        .error = &error,
                        .bare = t->bare,
                        .interpret = t->interpret,
                        .limits.max_bytes = 1 << 28};
    uint8_t *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    void *out = NULL;
    lade_arena *owner = NULL;
    t->status = lade_decode_as(type, copy, size, &out, &owner, &ctx);
    free(copy);
    t->peak = m.peak;
    if (t->status == LADE_OK) {
        lade_buffer again = {0};
        assert_ok(lade_encode_as(type, out, &again, &ctx), &error);
        lade_buffer_fini(&again);
    } else {
        assert_null(out);
        assert_null(owner);
        assert_int_equal(error.status, t->status);
        assert_true(error.message[0] != 0);
        if (error.offset != UINT64_MAX && error.offset > size && ++beyond == 1)
            print_error("offset %llu in %zu bytes: %s\n", (unsigned long long)error.offset, size,
                        error.message);
    }
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
    test_memory_check(&m);
}

/* Counts that the rest of the message cannot hold are refused before anything is allocated. */
static void huge_counts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {5,          100,        4096,       UINT32_MAX, 1ull << 32,
                                      1ull << 60, 1ull << 61, 1ull << 63, UINT64_MAX};
    for (int interpret = 0; interpret < 2; interpret++)
        for (size_t i = 0; i < COUNT_OF(counts); i++)
            for (int field = 0; field < 6; field++) {
                uint8_t bytes[40] = {1, 1, 1, 1};
                const lade_type *type = field < 4 ? &lade_type_lists : &lade_type_two_pools;
                size_t at = field < 4 ? (size_t)field : (size_t)field - 4;
                size_t size = (size_t)(lade_priv_put_varint(bytes + at, counts[i]) - bytes);
                trial t = {interpret, true, 0, 0};
                decode(&t, type, bytes, size + 2);
                assert_true(t.status == LADE_ERR_TRUNCATED || t.status == LADE_ERR_REFERENCE);
                assert_true(t.peak < 64 << 10);
            }
}

/* Each of many bodies that follow later claims all that is left. */
static void counts_that_claim_the_same_bytes(void **state)
{
    (void)state;
    enum { KIDS = 30000, LIARS = 2000 };
    uint8_t *bytes = malloc((KIDS + LIARS) * 4);
    assert_non_null(bytes);
    uint8_t *p = lade_priv_put_varint(bytes, KIDS);
    for (int i = 0; i < LIARS; i++)
        p = lade_priv_put_varint(p, KIDS);
    memset(p, 1, KIDS);
    size_t size = (size_t)(p - bytes) + KIDS;
    for (int interpret = 0; interpret < 2; interpret++) {
        trial t = {interpret, true, 0, 0};
        decode(&t, &lade_type_tree, bytes, size);
        assert_true(t.status != LADE_OK);
        assert_in_range(t.peak, 0, (1 << 20) + 32 * size); /* a tree of 16 bytes takes 1 byte */
    }
    free(bytes);
}

/* Objects are named by a byte or two, and their bodies are not there. */
static void ids_without_bodies(void **state)
{
    (void)state;
    enum { N = 5000 };
    uint8_t *bytes = malloc(N * 4);
    assert_non_null(bytes);
    uint8_t *p = lade_priv_put_varint(bytes, N);
    for (uint64_t i = 0; i < N; i++)
        p = lade_priv_put_varint(p, i + 1);
    for (int interpret = 0; interpret < 2; interpret++) {
        trial t = {interpret, true, 0, 0};
        decode(&t, &lade_type_heavies, bytes, (size_t)(p - bytes));
        assert_status(t.status, LADE_ERR_TRUNCATED);
        assert_in_range(t.peak, 0, (1 << 20) + 8 * (size_t)(p - bytes));
    }
    free(bytes);
}

/* Of all errors above. */
static void offsets_lie_in_the_message(void **state)
{
    (void)state;
    assert_int_equal(beyond, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(huge_counts),
        cmocka_unit_test(counts_that_claim_the_same_bytes),
        cmocka_unit_test(ids_without_bodies),
        cmocka_unit_test(offsets_lie_in_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
