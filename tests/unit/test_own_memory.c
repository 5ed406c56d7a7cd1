/* Loads and copies whose parts have memory of their own, and freeing them. LADE_TEST_SEED=<number> repeats a
 * run of the random ones. */
#include "support.h"

#include "city_types.h"
#include "graph_types.h"
#include "random_types.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = TEST_SANITIZED ? 200 : 400, BUDGET = 120, MOST = 3000 };
enum { DEPTH = TEST_SANITIZED ? 1000000 : 10000000 };

/* clang-format off */
typedef struct wide wide;
struct wide { alignas(64) double lanes[8]; wide *next; wide *many; uint32_t n; };
LADE_STRUCT(wide, (value, lanes), (ref, next, wide), (vector, many, n, wide))
typedef struct chain chain;
struct chain { chain *next; char *text; uint32_t id; };
LADE_STRUCT(chain, (ref, next, chain), (text, text), (value, id))
typedef struct held held;
struct held { held *next; uint32_t id; };
LADE_STRUCT(held, (optional, next, held), (value, id))
/* clang-format on */

static uint64_t seed;

typedef struct setting {
    test_memory memory;
    lade_error error;
    lade_context ctx;
} setting;

static void begin(setting *s, bool interpret)
{
    *s = (setting){0};
    test_memory_init(&s->memory);
    s->ctx = (lade_context){.error = &s->error,
                            .allocator = &s->memory.allocator,
                            .interpret = interpret,
                            .own_memory = true};
}

/* What the library keeps between calls is its own; the rest is the value. */
static void end(setting *s)
{
    lade_context_fini(&s->ctx);
    test_memory_check(&s->memory);
}

static void same_value(const lade_type *type, const void *a, const void *b)
{
    lade_comparison c;
    assert_status(lade_equal_as(type, a, b, &c, NULL), LADE_OK);
    assert_string_equal(c.path, "");
}

static void a_value_with_everything(void **state)
{
    (void)state;
    for (int interpret = 0; interpret < 2; interpret++) {
        setting s;
        lade_buffer message = {0};
        city *loaded = NULL;
        city *copy = NULL;
        lade_arena *owner = NULL;
        begin(&s, interpret);
        assert_ok(lade_encode(city, city_small(), &message, NULL), NULL);
        assert_ok(lade_decode(city, message.data, message.size, &loaded, &owner, &s.ctx), &s.error);
        assert_null(owner);
        assert_ok(lade_copy(city, loaded, &copy, NULL, &s.ctx), &s.error);
        city_check(loaded);
        city_check(copy);
        same_value(&lade_type_city, city_small(), loaded);
        lade_context_fini(&s.ctx);
        s.memory.peak = s.memory.live;
        assert_ok(lade_free_graph(city, loaded, &s.ctx), &s.error);
        city_check(copy);
        assert_ok(lade_free_graph(city, copy, &s.ctx), &s.error);
        lade_buffer_fini(&message);
        end(&s);
    }
}

/* One block for each of: the root, 2 pools, a vector, 2 objects, 3 texts. */
static void every_part_is_a_block(void **state)
{
    (void)state;
    char name[] = "n";
    node nodes[3] = {{1, &nodes[2], NULL, name}, {2, NULL, NULL, NULL}, {3, NULL, NULL, name}};
    node alone = {4, &alone, NULL, name};
    double weights[2] = {1, 2};
    link_to links[2] = {{&nodes[0], 1}, {&alone, 2}};
    spot place = {1, 2};
    mesh m = {.nodes = nodes,
              .nnodes = 3,
              .weights = weights,
              .nweights = 2,
              .links = links,
              .nlinks = 2,
              .top = &alone,
              .best = &weights[1],
              .outside = &place};
    mesh *copy = NULL;
    setting s;
    begin(&s, false);
    assert_ok(lade_copy(mesh, &m, &copy, NULL, &s.ctx), &s.error);
    lade_context_fini(&s.ctx);
    assert_int_equal(s.memory.live, 1 + 2 + 1 + 2 + 3);
    same_value(&lade_type_mesh, &m, copy);
    assert_ok(lade_free_graph(mesh, copy, &s.ctx), &s.error);
    end(&s);
}

/* With malloc: the program replaces parts, and sanitizers see what is left. */
static void parts_are_the_programs(void **state)
{
    (void)state;
    lade_context ctx = {.own_memory = true};
    lade_buffer message = {0};
    city *c = NULL;
    lade_arena *untouched = lade_arena_create(NULL);
    lade_arena *owner = untouched;
    assert_ok(lade_encode(city, city_small(), &message, NULL), NULL);
    assert_ok(lade_decode(city, message.data, message.size, &c, &owner, &ctx), NULL);
    assert_ptr_equal(owner, untouched);
    assert_int_equal(lade_arena_capacity(untouched), 0);
    double *more = realloc(c->heights, (c->nheights + 100) * sizeof *more);
    assert_non_null(more);
    c->heights = more;
    for (size_t i = 0; i < 100; i++)
        c->heights[c->nheights++] = (double)i;
    free(c->title);
    c->title = strdup("another title");
    free(c->cells[3].paths);
    c->cells[3].paths = NULL;
    c->cells[3].npaths = 0;
    assert_ok(lade_free_graph(city, c, &ctx), NULL);
    assert_ok(lade_free_graph_as(&lade_type_city, NULL, &ctx), NULL);
    lade_arena_destroy(untouched);
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
}

static void files(void **state)
{
    (void)state;
    char name[] = "/tmp/lade_own_memory_XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    close(fd);
    setting s;
    city *c = NULL;
    lade_arena *owner = NULL;
    lade_file *f = NULL;
    begin(&s, false);
    assert_ok(lade_save_file(name, city, city_small(), NULL), NULL);
    assert_ok(lade_load_file(name, city, &c, &owner, &s.ctx), &s.error);
    city_check(c);
    assert_null(owner);
    assert_ok(lade_free_graph(city, c, &s.ctx), &s.error);
    assert_ok(lade_file_open(name, LADE_READ, &f, &s.ctx), &s.error);
    assert_ok(lade_file_get(f, lade_file_name(f, 0), city, &c, NULL), &s.error);
    city_check(c);
    assert_ok(lade_file_close(f), &s.error);
    assert_ok(lade_free_graph(city, c, &s.ctx), &s.error);
    end(&s);
    unlink(name);
}

static void arrays(void **state)
{
    (void)state;
    node ring[4];
    double reals[600];
    const size_t four = 4;
    const size_t shape[2] = {6, 100};
    size_t extents[2] = {0};
    lade_buffer message = {0};
    node *nodes = NULL;
    double *out = NULL;
    setting s;
    begin(&s, false);
    for (int i = 0; i < 4; i++)
        ring[i] =
            (node){i, &ring[(i + 1) % 4], i ? ring : NULL, i % 2 ? (char *)(uintptr_t) "x" : NULL};
    for (int i = 0; i < 600; i++)
        reals[i] = i;
    assert_ok(lade_encode_records(node, ring, 1, &four, &message, NULL), NULL);
    assert_ok(
        lade_decode_records(node, message.data, message.size, &nodes, 1, extents, NULL, &s.ctx),
        &s.error);
    assert_ptr_equal(nodes[3].next, nodes);
    assert_ok(lade_free_records(node, nodes, 1, extents, &s.ctx), &s.error);
    assert_ok(lade_encode_array(reals, 2, shape, &message, NULL), NULL);
    assert_ok(lade_decode_array(message.data, message.size, &out, 2, extents, NULL, &s.ctx),
              &s.error);
    assert_memory_equal(out, reals, sizeof reals);
    assert_ok(lade_free_array_as(&lade_scalar_f64, out, 2, extents, &s.ctx), &s.error);
    assert_ok(lade_copy_records(node, ring, 1, &four, &nodes, NULL, &s.ctx), &s.error);
    assert_ok(lade_free_records(node, nodes, 1, &four, &s.ctx), &s.error);
    assert_status(lade_free_array_as(&lade_scalar_f64, reals, 0, &four, &s.ctx), LADE_ERR_ARGUMENT);
    lade_buffer_fini(&message);
    end(&s);
}

/* Members that are fixed arrays of pointers, also in records by value. */
typedef struct {
    char *texts[2][2];
    double *vectors[3];
    uint8_t n; /* of each of them */
    spot *optionals[2];
    node *refs[2];
} pointers;
typedef struct {
    int32_t id;
    pointers all[2];
} pointer_sets;

static const lade_field pointer_fields[] = {
    {.name = "texts",
     .kind = LADE_KIND_TEXT,
     .rank = 2,
     .extent = {2, 2},
     .offset = offsetof(pointers, texts)},
    {.name = "vectors",
     .kind = LADE_KIND_VECTOR,
     .count_scalar = LADE_U8,
     .rank = 1,
     .extent = {3},
     .offset = offsetof(pointers, vectors),
     .count_offset = offsetof(pointers, n),
     .type = &lade_scalar_f64},
    {.name = "optionals",
     .kind = LADE_KIND_OPTIONAL,
     .rank = 1,
     .extent = {2},
     .offset = offsetof(pointers, optionals),
     .type = &lade_type_spot},
    {.name = "refs",
     .kind = LADE_KIND_REF,
     .rank = 1,
     .extent = {2},
     .offset = offsetof(pointers, refs),
     .type = &lade_type_node},
};
static const lade_type type_pointers = {.name = "pointers",
                                        .size = sizeof(pointers),
                                        .align = alignof(pointers),
                                        .field_count = COUNT_OF(pointer_fields),
                                        .fields = pointer_fields};
static const lade_field set_fields[] = {
    {.name = "id",
     .kind = LADE_KIND_VALUE,
     .scalar = LADE_I32,
     .offset = offsetof(pointer_sets, id)},
    {.name = "all",
     .kind = LADE_KIND_RECORD,
     .rank = 1,
     .extent = {2},
     .offset = offsetof(pointer_sets, all),
     .type = &type_pointers},
};
static const lade_type type_pointer_sets = {.name = "pointer_sets",
                                            .size = sizeof(pointer_sets),
                                            .align = alignof(pointer_sets),
                                            .field_count = COUNT_OF(set_fields),
                                            .fields = set_fields};

static void arrays_of_pointers(void **state)
{
    (void)state;
    char text[] = "abc";
    double x[2] = {1, 2};
    spot place = {3, 4};
    node alone = {5, &alone, NULL, text};
    pointers p = {{{text, NULL}, {text, text}}, {x, x, x}, 2, {NULL, &place}, {&alone, &alone}};
    pointer_sets value = {7, {p, p}};
    pointer_sets *copy = NULL;
    lade_comparison c;
    setting s;
    begin(&s, false);
    assert_ok(lade_copy_as(&type_pointer_sets, &value, &copy, NULL, &s.ctx), &s.error);
    lade_context_fini(&s.ctx);
    assert_int_equal(s.memory.live, 1 + 2 * (3 + 3 + 1) + 2);
    same_value(&type_pointer_sets, &value, copy);
    assert_ptr_equal(copy->all[1].refs[1], copy->all[0].refs[0]);
    assert_ptr_not_equal(copy->all[1].refs[1], &alone);
    assert_null(copy->all[1].texts[0][1]);
    copy->all[1].texts[1][1][2] = '!';
    assert_ok(lade_equal_as(&type_pointer_sets, &value, copy, &c, NULL), NULL);
    assert_string_equal(c.path, "pointer_sets.all[1].texts[3]");
    copy->all[1].texts[1][1][2] = 'c';
    copy->all[1].vectors[2][1] = 0;
    assert_ok(lade_equal_as(&type_pointer_sets, &value, copy, &c, NULL), NULL);
    assert_string_equal(c.path, "pointer_sets.all[1].vectors[2][1]");
    assert_ok(lade_free_graph_as(&type_pointer_sets, copy, &s.ctx), &s.error);
    end(&s);
}

static void aligned_types(void **state)
{
    (void)state;
    wide other = {{1}, NULL, NULL, 0};
    wide many[2] = {{{2}, &other, NULL, 0}, {{3}, &other, NULL, 0}};
    wide value = {{4}, &value, many, 2};
    lade_buffer message = {0};
    assert_ok(lade_encode(wide, &value, &message, NULL), NULL);
    for (int copy = 0; copy < 2; copy++) {
        lade_error error = {0};
        lade_context ctx = {.own_memory = true, .error = &error};
        wide *w = NULL;
        assert_ok(copy ? lade_copy(wide, &value, &w, NULL, &ctx)
                       : lade_decode(wide, message.data, message.size, &w, NULL, &ctx),
                  &error);
        assert_true((uintptr_t)w % 64 == 0 && (uintptr_t)w->many % 64 == 0);
        assert_true((uintptr_t)w->many[1].next % 64 == 0);
        same_value(&lade_type_wide, &value, w);
        assert_ok(lade_free_graph(wide, w, &ctx), &error);
        lade_context_fini(&ctx);

        /* one that always gives 16 bytes beyond a multiple of 64: a clear error, nothing left */
        setting s;
        begin(&s, false);
        w = NULL;
        size_t refused = 0;
        for (int i = 0; i < 8; i++) { /* malloc may be lucky */
            lade_status status =
                copy ? lade_copy(wide, &value, &w, NULL, &s.ctx)
                     : lade_decode(wide, message.data, message.size, &w, NULL, &s.ctx);
            if (status == LADE_OK) {
                assert_ok(lade_free_graph(wide, w, &s.ctx), &s.error);
                continue;
            }
            assert_status(status, LADE_ERR_ARGUMENT);
            assert_non_null(strstr(s.error.message, "aligned to 64 bytes"));
            refused++;
        }
        assert_true(refused > 0 || TEST_SANITIZED);
        end(&s);
    }
    lade_buffer_fini(&message);
}

static void random_types_and_values(void **state)
{
    (void)state;
    uint64_t random = seed;
    for (int round = 0; round < ROUNDS; round++) {
        random_types types;
        random_values values;
        random_types_make(&types, test_random(&random));
        const lade_type *type = &types.types[0];
        setting s;
        begin(&s, round % 2);
        for (int k = 0; k < 3; k++) {
            void *value = random_values_make(&values, &types, BUDGET);
            void *loaded = NULL;
            void *copy = NULL;
            lade_buffer message = {0};
            assert_ok(lade_encode_as(type, value, &message, NULL), NULL);
            assert_ok(lade_decode_as(type, message.data, message.size, &loaded, NULL, &s.ctx),
                      &s.error);
            same_value(type, value, loaded);
            assert_ok(lade_copy_as(type, loaded, &copy, NULL, &s.ctx), &s.error);
            assert_ok(lade_free_graph_as(type, loaded, &s.ctx), &s.error);
            same_value(type, value, copy);
            assert_ok(lade_free_graph_as(type, copy, &s.ctx), &s.error);
            for (int cut = 0; cut < 8; cut++) { /* what is cut or damaged leaves nothing */
                size_t size = (size_t)(test_random(&random) % message.size);
                message.data[test_random(&random) % message.size] ^= 1;
                loaded = NULL;
                lade_status status = lade_decode_as(
                    type, message.data, cut % 2 ? size : message.size, &loaded, NULL, &s.ctx);
                if (status == LADE_OK)
                    assert_ok(lade_free_graph_as(type, loaded, &s.ctx), &s.error);
                else
                    assert_null(loaded);
            }
            lade_buffer_fini(&message);
            random_values_free(&values);
        }
        end(&s);
    }
}

typedef enum what { DECODE, DECODE_PLAN, COPY, FREE, WHATS } what;

static void the_nth_allocation_fails(void **state)
{
    (void)state;
    lade_buffer message = {0};
    assert_ok(lade_encode(city, city_small(), &message, NULL), NULL);
    for (what call = 0; call < WHATS; call++) {
        lade_status status = LADE_ERR_MEMORY;
        size_t n = 1;
        for (; status != LADE_OK && n < MOST; n++) {
            setting s;
            city *c = NULL;
            begin(&s, call == DECODE_PLAN);
            if (call == FREE) {
                assert_ok(lade_copy(city, city_small(), &c, NULL, &s.ctx), &s.error);
                lade_context_fini(&s.ctx);
            }
            size_t live = s.memory.live;
            test_memory_restart(&s.memory, n);
            if (call == FREE)
                status = lade_free_graph(city, c, &s.ctx);
            else if (call == COPY)
                status = lade_copy(city, city_small(), &c, NULL, &s.ctx);
            else
                status = lade_decode(city, message.data, message.size, &c, NULL, &s.ctx);
            s.memory.fail_at = 0;
            if (status != LADE_OK) {
                assert_status(status, LADE_ERR_MEMORY);
                assert_true(s.error.message[0] != 0);
                lade_context_fini(&s.ctx);
                assert_int_equal(s.memory.live, live);
                assert_true(call == FREE || !c);
            }
            if (c && (call != FREE || status != LADE_OK)) {
                city_check(c);
                assert_ok(lade_free_graph(city, c, &s.ctx), &s.error);
            }
            end(&s);
        }
        assert_int_equal(status, LADE_OK);
        assert_true(n > 10);
    }
    lade_buffer_fini(&message);
}

typedef struct work {
    const lade_type *type;
    void *value, *copy;
    lade_status copied, freed;
} work;

static void run(void *user)
{
    work *w = user;
    lade_context ctx = {.own_memory = true};
    w->copied = lade_copy_as(w->type, w->value, &w->copy, NULL, &ctx);
    w->freed = w->copied == LADE_OK ? lade_free_graph_as(w->type, w->copy, &ctx) : w->copied;
    lade_context_fini(&ctx);
}

static void long_chains(void **state)
{
    (void)state;
    char text[] = "";
    chain *refs = calloc(DEPTH, sizeof *refs);
    held *owned = calloc(DEPTH, sizeof *owned);
    assert_true(refs && owned);
    for (uint32_t i = 0; i < DEPTH; i++) {
        refs[i] = (chain){&refs[(i + 1) % DEPTH], i % 1000 ? NULL : text, i};
        owned[i] = (held){i + 1 < DEPTH ? &owned[i + 1] : NULL, i};
    }
    work w[2] = {{.type = &lade_type_chain, .value = refs},
                 {.type = &lade_type_held, .value = owned}};
    for (int i = 0; i < 2; i++) {
        test_on_small_stack(run, &w[i]);
        assert_status(w[i].copied, LADE_OK);
        assert_status(w[i].freed, LADE_OK);
    }
    free(refs);
    free(owned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_with_everything),
        cmocka_unit_test(every_part_is_a_block),
        cmocka_unit_test(parts_are_the_programs),
        cmocka_unit_test(files),
        cmocka_unit_test(arrays),
        cmocka_unit_test(arrays_of_pointers),
        cmocka_unit_test(aligned_types),
        cmocka_unit_test(random_types_and_values),
        cmocka_unit_test(the_nth_allocation_fails),
        cmocka_unit_test(long_chains),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
