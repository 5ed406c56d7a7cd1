/* Deep copies. LADE_TEST_SEED=<number> repeats a run of the random ones. */
#include "support.h"

#include "city_types.h"
#include "graph_types.h"
#include "random_types.h"

#include <stdlib.h>

enum { ROUNDS = TEST_SANITIZED ? 200 : 400, BUDGET = 120, MOST = 2000 };
enum { DEPTH = TEST_SANITIZED ? 1000000 : 10000000 };

/* clang-format off */
typedef struct gappy gappy;
/* members that are not listed: of a byte, of many, at the end, in a record by value */
typedef struct { uint8_t a; uint8_t hidden; uint16_t b; char *t; } gap_inner;
struct gappy {
    uint8_t a; uint8_t hidden_byte; uint32_t b; char hidden_many[40]; char code[7]; gap_inner in[2][3];
    gappy *next; uint8_t n; gappy *kids; uint32_t hidden_tail;
};
LADE_STRUCT(gap_inner, (value, a), (value, b), (text, t))
LADE_STRUCT(gappy,
    (value, a), (value, b), (fixed_text, code), (record, in, gap_inner), (ref, next, gappy),
    (vector, kids, n, gappy))
typedef struct { gap_inner a[2]; gap_inner b; } gap_outer;
typedef struct { gap_outer all[3]; } gap_outermost;
LADE_STRUCT(gap_outer, (record, a, gap_inner), (record, b, gap_inner))
LADE_STRUCT(gap_outermost, (record, all, gap_outer))
typedef struct { int8_t n; double *x; } counted;
LADE_STRUCT(counted, (vector, x, n))
typedef struct { counted c; counted *more; uint64_t nmore; } counteds;
LADE_STRUCT(counteds, (record, c, counted), (vector, more, nmore, counted))
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

static uint64_t seed;

static void same_messages(const lade_type *type, const void *a, const void *b)
{
    lade_buffer first = {0};
    lade_buffer second = {0};
    lade_context ctx = {.check_interior = true, .interpret = true};
    assert_status(lade_encode_as(type, a, &first, &ctx), LADE_OK);
    assert_status(lade_encode_as(type, b, &second, &ctx), LADE_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    lade_buffer_fini(&first);
    lade_buffer_fini(&second);
    lade_context_fini(&ctx);
}

static void a_value_with_everything(void **state)
{
    (void)state;
    city *copy = NULL;
    lade_arena *owner = test_dirty_arena();
    lade_arena *same = owner;
    lade_error error;
    lade_context ctx = {.error = &error};
    for (int i = 0; i < 2; i++) {
        assert_ok(lade_copy(city, city_small(), &copy, &owner, &ctx), &error);
        assert_ptr_equal(owner, same);
        assert_ptr_not_equal(copy, city_small());
        assert_ptr_not_equal(copy->cells, city_small()->cells);
        city_check(copy);
        same_messages(&lade_type_city, city_small(), copy);
    }
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

/* Two rings that share an object, and pools of every sort. */
static void identity_is_kept(void **state)
{
    (void)state;
    node nodes[5] = {{0}};
    node outside = {77, &outside, &nodes[2], NULL};
    node more[2] = {{10, &nodes[4], &more[1], (char *)(uintptr_t) "ten"},
                    {11, more, &outside, NULL}};
    double weights[3] = {1, 2, 3};
    spot alone = {4, 5};
    link_to links[3] = {{&nodes[3], 1.5}, {&more[1], 2.5}, {NULL, 3.5}};
    for (int i = 0; i < 5; i++)
        nodes[i] = (node){i, &nodes[(i + 1) % 5], i == 3 ? &outside : &more[0], NULL};
    mesh m = {nodes, 5, more, 2, weights, 3, links, 3, &nodes[4], &more[1], &weights[2], &alone};
    mesh *copy = NULL;
    lade_arena *owner = NULL;
    assert_status(lade_copy(mesh, &m, &copy, &owner, NULL), LADE_OK);
    same_messages(&lade_type_mesh, &m, copy);
    assert_ptr_equal(copy->top, &copy->nodes[4]);
    assert_ptr_equal(copy->last, &copy->more[1]);
    assert_ptr_equal(copy->best, &copy->weights[2]);
    assert_ptr_equal(copy->nodes[3].other->next, copy->nodes[3].other);
    assert_ptr_equal(copy->more[1].other, copy->nodes[3].other);
    assert_ptr_not_equal(copy->more[1].other, &outside);
    assert_ptr_not_equal(copy->outside, &alone);
    assert_string_equal(copy->more[0].name, "ten");
    lade_arena_destroy(owner);
}

static void what_is_not_listed_is_zero(void **state)
{
    (void)state;
    char text[] = "t";
    gappy other;
    gappy kids[2];
    gappy value;
    gappy *copy = NULL;
    lade_arena *owner = test_dirty_arena();
    gappy *const all[] = {&value, &other, &kids[0], &kids[1]};
    for (size_t k = 0; k < COUNT_OF(all); k++) {
        memset(all[k], 0xEE, sizeof *all[k]);
        memcpy(all[k]->code, "ab\0rest", 7);
        all[k]->next = k ? &value : &other;
        all[k]->n = k ? 0 : 2;
        all[k]->kids = kids;
        for (int i = 0; i < 6; i++)
            all[k]->in[i / 3][i % 3].t = i % 2 ? text : NULL;
    }
    assert_status(lade_copy(gappy, &value, &copy, &owner, NULL), LADE_OK);
    assert_ptr_equal(copy->next->next, copy);
    const gappy *const copies[] = {copy, copy->next, &copy->kids[0], &copy->kids[1]};
    for (size_t k = 0; k < COUNT_OF(copies); k++) {
        static const char none[40];
        const gappy *g = copies[k];
        assert_true(g->a == 0xEE && g->b == 0xEEEEEEEE && g->n == (k ? 0 : 2));
        assert_int_equal(g->hidden_byte, 0);
        assert_int_equal(g->hidden_tail, 0);
        assert_memory_equal(g->hidden_many, none, 40);
        assert_memory_equal(g->code, "ab\0\0\0\0\0", 7);
        assert_true(k == 0 || g->kids == NULL);
        for (int i = 0; i < 6; i++) {
            const gap_inner *in = &g->in[i / 3][i % 3];
            assert_true(in->a == 0xEE && in->hidden == 0 && in->b == 0xEEEE);
            assert_true(i % 2 ? in->t != text && strcmp(in->t, "t") == 0 : in->t == NULL);
        }
    }
    lade_arena_destroy(owner);
}

/* Arrays in arrays of records: each element has its own gaps and pointers. */
static void records_nest(void **state)
{
    (void)state;
    char *texts[9];
    gap_outermost value;
    gap_outermost *copy = NULL;
    lade_arena *owner = test_dirty_arena();
    gap_inner *in[9];
    memset(&value, 0xEE, sizeof value);
    for (int i = 0; i < 9; i++) {
        static char letters[9][2];
        letters[i][0] = (char)('a' + i);
        in[i] = i % 3 == 2 ? &value.all[i / 3].b : &value.all[i / 3].a[i % 3];
        *in[i] = (gap_inner){(uint8_t)i, 9, (uint16_t)(i * 100), letters[i]};
        texts[i] = letters[i];
    }
    assert_status(lade_copy(gap_outermost, &value, &copy, &owner, NULL), LADE_OK);
    for (int i = 0; i < 9; i++) {
        const gap_inner *c = i % 3 == 2 ? &copy->all[i / 3].b : &copy->all[i / 3].a[i % 3];
        assert_true(c->a == i && c->hidden == 0 && c->b == i * 100);
        assert_true(c->t != texts[i]);
        assert_string_equal(c->t, texts[i]);
    }
    lade_arena_destroy(owner);
}

static void arrays(void **state)
{
    (void)state;
    static double reals[3][500];
    static node ring[3];
    const size_t shape[2] = {3, 500};
    const size_t three = 3;
    const size_t zero[2] = {0, 4};
    double *copy = NULL;
    node *nodes = NULL;
    lade_arena *owner = NULL;
    for (int i = 0; i < 1500; i++)
        reals[i / 500][i % 500] = i;
    for (int i = 0; i < 3; i++)
        ring[i] = (node){i, &ring[(i + 2) % 3], NULL, NULL};
    assert_status(lade_copy_array(&reals[0][0], 2, shape, &copy, &owner, NULL), LADE_OK);
    assert_memory_equal(copy, reals, sizeof reals);
    assert_int_equal((uintptr_t)copy % 64, 0);
    assert_status(lade_copy_records(node, ring, 1, &three, &nodes, &owner, NULL), LADE_OK);
    for (int i = 0; i < 3; i++)
        assert_true(nodes[i].id == i && nodes[i].next == &nodes[(i + 2) % 3]);
    assert_status(lade_copy_array(&reals[0][0], 2, zero, &copy, &owner, NULL), LADE_OK);
    assert_null(copy);
    copy = &reals[0][0];
    assert_status(lade_copy_array(&reals[0][0], 0, shape, &copy, &owner, NULL), LADE_ERR_ARGUMENT);
    assert_status(lade_copy_array(&reals[0][0], 9, shape, &copy, &owner, NULL), LADE_ERR_ARGUMENT);
    assert_ptr_equal(copy, reals);
    lade_arena_destroy(owner);
}

static void what_is_refused(void **state)
{
    (void)state;
    double x[2] = {1, 2};
    counted more[3] = {{1, x}, {2, x}, {-1, x}};
    counteds value = {{2, x}, more, 3};
    counteds *out = NULL;
    lade_arena *owner = NULL;
    lade_error error = {0};
    lade_context ctx = {.error = &error, .check_interior = true};
    assert_status(lade_copy(counteds, &value, &out, &owner, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "counted.x");
    more[2].n = 1;
    more[1].x = NULL;
    assert_status(lade_copy(counteds, &value, &out, &owner, &ctx), LADE_ERR_VALUE);
    assert_status(lade_copy_as(&lade_type_counteds, NULL, &out, &owner, &ctx), LADE_ERR_ARGUMENT);
    assert_status(lade_copy_as(&lade_type_counteds, &value, NULL, &owner, &ctx), LADE_ERR_ARGUMENT);
    assert_status(lade_copy(counteds, &value, &out, NULL, &ctx), LADE_ERR_ARGUMENT);
    assert_status(lade_copy_as(NULL, &value, &out, &owner, &ctx), LADE_ERR_ARGUMENT);
    item items[2] = {{{1, 2}, NULL}, {{3, 4}, NULL}};
    album a = {.items = items, .nitems = 2, .to_item = &items[1]};
    album *copy = NULL;
    assert_status(lade_copy(album, &a, &copy, &owner, &ctx), LADE_ERR_INTERIOR);
    mesh m = {.nnodes = 3};
    mesh *meshes = NULL;
    assert_status(lade_copy(mesh, &m, &meshes, &owner, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "mesh.nodes");
    by_optional self = {&self, 1, 0};
    by_optional *selves = NULL;
    assert_status(lade_copy(by_optional, &self, &selves, &owner, &ctx), LADE_ERR_VALUE);
    by_vector elements[2] = {{&elements[1], 0, 1}, {&elements[0], 1, 1}};
    by_vector *vectors = NULL;
    assert_status(lade_copy(by_vector, elements, &vectors, &owner, &ctx), LADE_ERR_VALUE);
    assert_true(!out && !owner && !copy && !meshes && !selves && !vectors);
    lade_context_fini(&ctx);
}

static void random_types_and_values(void **state)
{
    (void)state;
    uint64_t random = seed;
    for (int round = 0; round < ROUNDS; round++) {
        random_types types;
        random_values values;
        random_types_make(&types, test_random(&random));
        lade_context ctx = {.check_interior = true};
        for (int k = 0; k < 3; k++) {
            void *value = random_values_make(&values, &types, BUDGET);
            void *copy = NULL;
            lade_arena *owner = test_dirty_arena();
            assert_status(lade_copy_as(&types.types[0], value, &copy, &owner, &ctx), LADE_OK);
            same_messages(&types.types[0], value, copy);
            lade_arena_destroy(owner);
            random_values_free(&values);
        }
        lade_context_fini(&ctx);
    }
}

/* Into a new arena, and into one that has something already. */
static void the_nth_allocation_fails(void **state)
{
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        test_memory m;
        test_memory_init(&m);
        lade_arena *mine = kept ? lade_arena_create(&m.allocator) : NULL;
        lade_status status = LADE_ERR_MEMORY;
        size_t n = 1;
        for (; status != LADE_OK && n < MOST; n++) {
            lade_error error = {0};
            lade_context ctx = {.allocator = &m.allocator, .error = &error};
            lade_arena *owner = mine;
            city *copy = NULL;
            size_t live = m.live;
            test_memory_restart(&m, n);
            status = lade_copy(city, city_small(), &copy, &owner, &ctx);
            m.fail_at = 0;
            lade_context_fini(&ctx);
            if (status != LADE_OK) {
                assert_status(status, LADE_ERR_MEMORY);
                assert_true(!copy && owner == mine && error.message[0]);
                assert_true(kept || m.live == live);
                continue;
            }
            city_check(copy);
            lade_arena_destroy(owner);
        }
        assert_int_equal(status, LADE_OK);
        assert_true(n > 10);
        test_memory_check(&m);
    }
}

typedef struct work {
    const lade_type *type;
    void *value, *copy;
    lade_arena *owner;
    lade_status status;
} work;

static void run(void *user)
{
    work *w = user;
    w->status = lade_copy_as(w->type, w->value, &w->copy, &w->owner, NULL);
}

#define CHAIN(T, count)                                                      \
    static void chain_##T(void **state)                                      \
    {                                                                        \
        const uint64_t step = 7368787; /* prime to the depth */              \
        (void)state;                                                         \
        T *nodes = calloc(DEPTH, sizeof *nodes);                             \
        assert_non_null(nodes);                                              \
        for (uint32_t i = 0; i < DEPTH; i++) {                               \
            T *next = i + 1 < DEPTH ? &nodes[(i + 1) * step % DEPTH] : NULL; \
            nodes[i * step % DEPTH] = (T){next, i, next ? count : 0};        \
        }                                                                    \
        work w = {.type = &lade_type_##T, .value = nodes};                   \
        test_on_small_stack(run, &w);                                        \
        assert_status(w.status, LADE_OK);                                    \
        uint32_t n = 0;                                                      \
        for (const T *p = w.copy; p && p->id == n; p = p->next)              \
            n++;                                                             \
        assert_int_equal(n, DEPTH);                                          \
        lade_arena_destroy(w.owner);                                         \
        free(nodes);                                                         \
    }

CHAIN(by_ref, 1)
CHAIN(by_optional, 1)
CHAIN(by_vector, 1)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_with_everything),
        cmocka_unit_test(identity_is_kept),
        cmocka_unit_test(what_is_not_listed_is_zero),
        cmocka_unit_test(records_nest),
        cmocka_unit_test(arrays),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(random_types_and_values),
        cmocka_unit_test(the_nth_allocation_fails),
        cmocka_unit_test(chain_by_ref),
        cmocka_unit_test(chain_by_optional),
        cmocka_unit_test(chain_by_vector),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
