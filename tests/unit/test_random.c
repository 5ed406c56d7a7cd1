/* Random types and values. LADE_TEST_SEED=<number> repeats a run. */
#include "support.h"

#include "random_types.h"

#include <stdlib.h>

enum { ROUNDS = TEST_SANITIZED ? 200 : 400, VALUES = 3, BUDGET = 120 };

/* clang-format off */
typedef struct { int16_t a; double b; bool c; } small;
LADE_STRUCT(small, (value, a), (value, b), (value, c))
typedef struct { float x, y; } dense;
LADE_STRUCT(dense, (value, x), (value, y))
typedef enum { ONE = 1, TWO, THREE } number;
LADE_ENUM(number, ONE, TWO, THREE)
typedef struct tree tree;
struct tree { char *name; tree *kids; int8_t n; small s; tree *left; };
LADE_STRUCT(tree, (text, name), (vector, kids, n, tree), (record, s, small), (optional, left, tree))
typedef struct {
    uint8_t flags[3]; number e; char code[5]; small one, many[2][3]; dense d[4]; dense *v; size_t nv;
    small *w; uint8_t nw; double *x; uint16_t nx; char *t; tree *root; float *maybe; int64_t big[70];
} wide;
LADE_STRUCT(wide,
    (value, flags), (enumeration, e, number), (fixed_text, code), (record, one, small),
    (record, many, small), (record, d, dense), (vector, v, nv, dense), (vector, w, nw, small),
    (vector, x, nx), (text, t), (optional, root, tree), (optional, maybe), (value, big))
/* clang-format on */

static uint64_t seed;

/* Every cut is refused, and so is a byte too much. */
static void check_cuts(const lade_type *type, const void *value, uint64_t *random)
{
    lade_buffer buffer = {0};
    lade_context ctx = {.bare = true};
    assert_int_equal(lade_encode_as(type, value, &buffer, &ctx), LADE_OK);
    for (int i = 0; i < 8; i++) {
        size_t cut = (size_t)(test_random(random) % (buffer.size + (buffer.size == 0)));
        uint8_t *copy = malloc(cut + 1);
        assert_non_null(copy);
        memcpy(copy, buffer.data, cut);
        void *out = NULL;
        lade_arena *owner = NULL;
        ctx.interpret = i % 2;
        assert_status(lade_decode_as(type, copy, cut, &out, &owner, &ctx), LADE_ERR_TRUNCATED);
        free(copy);
    }
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

static void random_types_and_values(void **state)
{
    (void)state;
    uint64_t random = seed;
    for (int round = 0; round < ROUNDS; round++) {
        random_types types;
        uint64_t this_seed = test_random(&random);
        random_types_make(&types, this_seed);
        for (int k = 0; k < VALUES; k++) {
            random_values values;
            void *value = random_values_make(&values, &types, BUDGET);
            lade_arena *owner = NULL;
            test_round_trip(&types.types[0], value, &owner);
            lade_arena_destroy(owner);
            check_cuts(&types.types[0], value, &random);
            random_values_free(&values);
        }
    }
}

static void random_values_of_described_types(void **state)
{
    (void)state;
    random_types types = {.state = seed};
    for (int round = 0; round < ROUNDS; round++) {
        random_values values = {.types = &types, .budget = BUDGET};
        wide *w = calloc(1, sizeof *w);
        tree *t = calloc(1, sizeof *t);
        assert_true(w && t);
        random_value_fill(&values, &lade_type_wide, w, 0);
        random_value_fill(&values, &lade_type_tree, t, 0);
        lade_arena *owner = NULL;
        ROUND_TRIP(wide, w, &owner);
        lade_arena_destroy(owner);
        owner = NULL;
        ROUND_TRIP(tree, t, &owner);
        lade_arena_destroy(owner);
        check_cuts(&lade_type_wide, w, &types.state);
        check_cuts(&lade_type_tree, t, &types.state);
        random_values_free(&values);
        free(w);
        free(t);
    }
}

/* Random changes of whole messages: any status, but no crash, and what loads can be saved. */
static void random_damage(void **state)
{
    (void)state;
    uint64_t random = seed;
    for (int round = 0; round < ROUNDS; round++) {
        random_types types;
        random_values values;
        random_types_make(&types, test_random(&random));
        void *value = random_values_make(&values, &types, BUDGET);
        const lade_type *type = &types.types[0];
        lade_context ctx = {.bare = true, .interpret = true, .limits.max_bytes = 64 << 20};
        lade_buffer buffer = {0};
        lade_buffer again = {0};
        assert_int_equal(lade_encode_as(type, value, &buffer, &ctx), LADE_OK);
        for (int k = 0; k < 20; k++) {
            size_t at = (size_t)(test_random(&random) % (buffer.size + (buffer.size == 0)));
            if (buffer.size == 0)
                break;
            uint8_t old = buffer.data[at];
            buffer.data[at] = (uint8_t)(test_random(&random) >> 20);
            void *out = NULL;
            lade_arena *owner = NULL;
            if (lade_decode_as(type, buffer.data, buffer.size, &out, &owner, &ctx) == LADE_OK)
                assert_int_equal(lade_encode_as(type, out, &again, &ctx), LADE_OK);
            lade_arena_destroy(owner);
            buffer.data[at] = old;
        }
        lade_buffer_fini(&buffer);
        lade_buffer_fini(&again);
        lade_context_fini(&ctx);
        random_values_free(&values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_types_and_values),
        cmocka_unit_test(random_values_of_described_types),
        cmocka_unit_test(random_damage),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
