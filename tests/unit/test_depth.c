/* Chains and trees of great depth, on a stack of 64 KiB: nothing recurses over data. */
#include "support.h"

#include <stdlib.h>

enum { DEPTH = TEST_SANITIZED ? 1000000 : 10000000, PLAN_DEPTH = 1000000 };

/* clang-format off */
typedef struct by_ref by_ref;
struct by_ref { by_ref *next; uint32_t id; uint8_t n; };
LADE_STRUCT(by_ref, (ref, next, by_ref), (value, id))
typedef struct by_optional by_optional;
struct by_optional { by_optional *next; uint32_t id; uint8_t n; };
LADE_STRUCT(by_optional, (optional, next, by_optional), (value, id))
typedef struct by_vector by_vector;
struct by_vector { by_vector *next; uint32_t id; uint8_t n; };
LADE_STRUCT(by_vector, (vector, next, n, by_vector), (value, id))
/* clang-format on */

typedef struct work {
    const lade_type *type;
    bool interpret;
    void *value, *loaded;
    lade_arena *owner;
    lade_status encoded, decoded, again;
    bool same;
} work;

static void run(void *user)
{
    work *w = user;
    lade_context ctx = {.interpret = w->interpret};
    lade_buffer first = {0};
    lade_buffer second = {0};
    w->encoded = lade_encode_as(w->type, w->value, &first, &ctx);
    if (w->encoded == LADE_OK)
        w->decoded = lade_decode_as(w->type, first.data, first.size, &w->loaded, &w->owner, &ctx);
    if (w->encoded == LADE_OK && w->decoded == LADE_OK)
        w->again = lade_encode_as(w->type, w->loaded, &second, &ctx);
    w->same = first.size == second.size && first.size > 0 &&
              memcmp(first.data, second.data, first.size) == 0;
    lade_buffer_fini(&first);
    lade_buffer_fini(&second);
    lade_context_fini(&ctx);
}

/* The nodes lie in memory in an order that is not that of the chain. */
#define CHAIN(T, count)                                                            \
    static void check_##T(uint32_t depth, bool interpret)                          \
    {                                                                              \
        const uint64_t step = 7368787; /* prime to every depth */                  \
        T *nodes = calloc(depth, sizeof *nodes);                                   \
        assert_non_null(nodes);                                                    \
        for (uint32_t i = 0; i < depth; i++) {                                     \
            T *next = i + 1 < depth ? &nodes[(i + 1) * step % depth] : NULL;       \
            nodes[i * step % depth] = (T){next, i, next ? count : 0};              \
        }                                                                          \
        work w = {.type = &lade_type_##T, .value = nodes, .interpret = interpret}; \
        test_on_small_stack(run, &w);                                              \
        assert_status(w.encoded, LADE_OK);                                         \
        assert_status(w.decoded, LADE_OK);                                         \
        assert_status(w.again, LADE_OK);                                           \
        assert_true(w.same);                                                       \
        uint32_t n = 0;                                                            \
        for (const T *p = w.loaded; p && p->id == n; p = p->next)                  \
            n++;                                                                   \
        assert_int_equal(n, depth);                                                \
        lade_arena_destroy(w.owner);                                               \
        free(nodes);                                                               \
    }                                                                              \
    static void chain_##T(void **state)                                            \
    {                                                                              \
        (void)state;                                                               \
        check_##T(DEPTH, false);                                                   \
        check_##T(PLAN_DEPTH, true);                                               \
    }

CHAIN(by_ref, 1)
CHAIN(by_optional, 1)
CHAIN(by_vector, 1)

/* What owns itself would never end. */
static void chains_that_close(void **state)
{
    enum { LENGTH = 40 };
    (void)state;
    static by_optional nodes[LENGTH];
    static by_vector elements[LENGTH];
    for (int entry = 0; entry < LENGTH; entry += 13) /* the last leads back to this one */
        for (int interpret = 0; interpret < 2; interpret++) {
            lade_context ctx = {.interpret = interpret};
            lade_buffer buffer = {0};
            for (int i = 0; i < LENGTH; i++) {
                int next = i + 1 < LENGTH ? i + 1 : entry;
                nodes[i] = (by_optional){&nodes[next], (uint32_t)i, 0};
                elements[i] = (by_vector){&elements[next], (uint32_t)i, 1};
            }
            assert_status(lade_encode(by_optional, nodes, &buffer, &ctx), LADE_ERR_VALUE);
            assert_status(lade_encode(by_vector, elements, &buffer, &ctx), LADE_ERR_VALUE);
            lade_buffer_fini(&buffer);
            lade_context_fini(&ctx);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_that_close),
        cmocka_unit_test(chain_by_ref),
        cmocka_unit_test(chain_by_optional),
        cmocka_unit_test(chain_by_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
