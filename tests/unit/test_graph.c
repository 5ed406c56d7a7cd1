/* Graphs by refs: identity is kept whatever the shape, with and without pools. */
#include "support.h"

#include "graph_types.h"

#include <stdlib.h>

static void cycles_and_self_references(void **state)
{
    (void)state;
    node a = {.id = 1, .name = (char[]){"a"}};
    node b = {.id = 2, .next = &a};
    node c = {.id = 3, .next = &b};
    a.next = &c;
    a.other = &a;
    b.other = &c;
    lade_arena *owner = NULL;
    const node *x = ROUND_TRIP(node, &a, &owner);
    assert_int_equal(x->id, 1);
    assert_string_equal(x->name, "a");
    assert_ptr_equal(x->other, x);
    assert_int_equal(x->next->id, 3);
    assert_null(x->next->other);
    assert_int_equal(x->next->next->id, 2);
    assert_ptr_equal(x->next->next->next, x);
    assert_ptr_equal(x->next->next->other, x->next);
    lade_arena_destroy(owner);
}

static void shared_and_null(void **state)
{
    (void)state;
    node shared = {.id = 9};
    node middle = {.id = 2, .next = &shared, .other = &shared};
    node root = {.id = 1, .next = &middle, .other = &shared};
    lade_arena *owner = NULL;
    const node *x = ROUND_TRIP(node, &root, &owner);
    assert_int_equal(x->other->id, 9);
    assert_ptr_equal(x->next->next, x->other);
    assert_ptr_equal(x->next->other, x->other);
    assert_null(x->other->next);
    assert_null(x->other->other);
    lade_arena_destroy(owner);
}

static void types_that_refer_to_each_other(void **state)
{
    (void)state;
    author a = {(char[]){"A"}, NULL};
    book b = {1999, &a};
    a.first = &b;
    lade_arena *owner = NULL;
    const author *x = ROUND_TRIP(author, &a, &owner);
    assert_string_equal(x->name, "A");
    assert_int_equal(x->first->year, 1999);
    assert_ptr_equal(x->first->by, x);
    lade_arena_destroy(owner);
    owner = NULL;
    const book *y = ROUND_TRIP(book, &b, &owner);
    assert_ptr_equal(y->by->first, y);
    lade_arena_destroy(owner);
}

static void a_struct_and_its_first_member(void **state)
{
    (void)state;
    inner separate = {5, &separate};
    outer o = {{4, &separate}, NULL, &separate};
    o.self = &o;
    lade_arena *owner = NULL;
    const outer *x = ROUND_TRIP(outer, &o, &owner);
    assert_ptr_equal(x->self, x);
    assert_ptr_equal(x->inside->self, x->inside);
    assert_ptr_equal(x->first.self, x->inside);
    assert_true((const void *)x->inside != x);
    lade_arena_destroy(owner);
}

/* The first of a pool has the address of the pool, and refs of two types may share it. */
static void pools_hold_their_targets(void **state)
{
    (void)state;
    node nodes[300] = {{0}};
    node more[2] = {{.id = 1000, .next = nodes}, {.id = 1001, .next = &more[0]}};
    node outside = {.id = 2000, .next = &more[1]};
    spot place = {1, 2};
    double weights[3] = {0.5, 1.5, 2.5};
    link_to links[4] = {{&nodes[299], 1}, {&more[1], 2}, {NULL, 3}, {&outside, 4}};
    for (int i = 0; i < 300; i++)
        nodes[i] = (node){i, &nodes[(i + 1) % 300], i % 2 ? &more[0] : NULL, NULL};
    nodes[7].other = &outside;
    const mesh m = {nodes, 300, more,      2,        weights,     3,
                    links, 4,   &nodes[0], &more[1], &weights[2], &place};
    lade_arena *owner = NULL;
    const mesh *x = ROUND_TRIP(mesh, &m, &owner);
    assert_true(x->nnodes == 300 && x->nmore == 2 && x->nweights == 3 && x->nlinks == 4);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(x->nodes[i].id, i);
        assert_ptr_equal(x->nodes[i].next, &x->nodes[(i + 1) % 300]);
        if (i != 7)
            assert_ptr_equal(x->nodes[i].other, i % 2 ? &x->more[0] : NULL);
    }
    const node *out = x->nodes[7].other;
    assert_int_equal(out->id, 2000);
    assert_ptr_equal(out->next, &x->more[1]);
    assert_ptr_equal(x->links[0].to, &x->nodes[299]);
    assert_ptr_equal(x->links[1].to, &x->more[1]);
    assert_null(x->links[2].to);
    assert_ptr_equal(x->links[3].to, out);
    assert_ptr_equal(x->top, x->nodes);
    assert_ptr_equal(x->last, &x->more[1]);
    assert_ptr_equal(x->best, &x->weights[2]);
    assert_true(*x->best == 2.5 && x->outside->y == 2);
    lade_arena_destroy(owner);
}

static void pools_without_elements(void **state)
{
    (void)state;
    node outside = {.id = 1};
    double w = 2;
    lade_arena *owner = NULL;
    const mesh *x =
        ROUND_TRIP(mesh, &((mesh){.top = &outside, .last = &outside, .best = &w}), &owner);
    assert_ptr_equal(x->top, x->last);
    assert_true(x->top->id == 1 && *x->best == 2 && !x->nodes && !x->more && !x->weights);
    lade_arena_destroy(owner);
    owner = NULL;
    node more[1] = {{.id = 3, .next = more}}; /* the first pool of the type is empty */
    x = ROUND_TRIP(mesh, &((mesh){.more = more, .nmore = 1, .top = more}), &owner);
    assert_ptr_equal(x->top, x->more);
    assert_ptr_equal(x->more->next, x->more);
    lade_arena_destroy(owner);
}

/* Objects that lie side by side (step 1) or apart. */
static void check_bag(size_t n, bool doubles, bool spots, lade_buffer *message, size_t step)
{
    double *d = calloc(n * step, sizeof *d);
    spot *s = calloc(n * step, sizeof *s);
    bag b = {calloc(n, sizeof *b.h), n};
    assert_true(d && s && b.h);
    for (size_t i = 0; i < n; i++) {
        d[i * step] = (double)i;
        s[i * step] = (spot){(double)i, 7};
        b.h[i] = (holder){doubles ? d + i * step : NULL, spots ? s + i * step : NULL};
    }
    assert_int_equal(lade_encode(bag, &b, message, NULL), LADE_OK);
    lade_arena *owner = NULL;
    const bag *x = ROUND_TRIP(bag, &b, &owner);
    for (size_t i = 0; i < n; i++) {
        assert_true(!doubles || *x->h[i].d == (double)i);
        assert_true(!spots || x->h[i].s->x == (double)i);
    }
    lade_arena_destroy(owner);
    free(d), free(s), free(b.h);
}

/* Where the objects lie in memory must not matter: not for the bytes, and not for the reader. */
static void refs_to_scalars_and_dense_records(bool doubles, bool spots)
{
    static const size_t counts[] = {1, 2, 3, 100, 511, 512, 513, 600, 1025, 5000};
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        lade_buffer together = {0};
        lade_buffer apart = {0};
        check_bag(counts[c], doubles, spots, &apart, 3);
        check_bag(counts[c], doubles, spots, &together, 1);
        assert_int_equal(together.size, apart.size);
        assert_memory_equal(together.data, apart.data, apart.size);
        lade_buffer_fini(&together);
        lade_buffer_fini(&apart);
    }
}

static void refs_to_scalars(void **state)
{
    (void)state;
    refs_to_scalars_and_dense_records(true, false);
}

static void refs_to_dense_records(void **state)
{
    (void)state;
    refs_to_scalars_and_dense_records(false, true);
}

static void refs_to_scalars_and_dense_records_in_turn(void **state)
{
    (void)state;
    refs_to_scalars_and_dense_records(true, true);
}

static void into_the_same_graph(void **state)
{
    (void)state;
    node b = {.id = 2, .name = (char[]){"old"}};
    node a = {.id = 1, .next = &b, .other = &a};
    b.next = &a;
    lade_buffer buffer = {0};
    assert_int_equal(lade_encode(node, &a, &buffer, NULL), LADE_OK);
    a.id = b.id = 0;
    memcpy(b.name, "new", 3);
    char *name = b.name;
    assert_int_equal(lade_decode_into(node, buffer.data, buffer.size, &a, NULL), LADE_OK);
    assert_true(a.id == 1 && b.id == 2 && a.next == &b && a.other == &a && b.next == &a);
    assert_ptr_equal(b.name, name);
    assert_string_equal(b.name, "old");
    lade_buffer_fini(&buffer);
}

/* The graph that is there must have the stored one's shape: nothing is relinked. */
static void into_another_graph(void **state)
{
    (void)state;
    node s1 = {.id = 3};
    node s2 = {.id = 4};
    node shared = {.id = 1, .next = &s1, .other = &s1};
    node apart = {.id = 1, .next = &s1, .other = &s2};
    node less = {.id = 1, .next = &s1};
    node cycle = {.id = 1, .next = &s1, .other = &cycle};
    node *all[] = {&shared, &apart, &less, &cycle};
    for (int interpret = 0; interpret < 2; interpret++)
        for (size_t i = 0; i < COUNT_OF(all); i++)
            for (size_t k = 0; k < COUNT_OF(all); k++) {
                lade_context ctx = {.interpret = interpret};
                lade_buffer buffer = {0};
                node before = *all[k];
                assert_int_equal(lade_encode(node, all[i], &buffer, &ctx), LADE_OK);
                lade_status status = lade_decode_into(node, buffer.data, buffer.size, all[k], &ctx);
                if (i != k && status != LADE_ERR_SHAPE)
                    print_error("graph %zu into graph %zu\n", i, k);
                assert_status(status, i == k ? LADE_OK : LADE_ERR_SHAPE);
                assert_ptr_equal(all[k]->next, before.next);
                assert_ptr_equal(all[k]->other, before.other);
                lade_buffer_fini(&buffer);
                lade_context_fini(&ctx);
            }
}

static void records_with_refs_among_themselves(void **state)
{
    (void)state;
    for (size_t n = 1; n < 70000; n = n * 6 + 2) {
        node *nodes = calloc(n, sizeof *nodes);
        node outside = {.id = -1, .next = nodes};
        assert_non_null(nodes);
        for (size_t i = 0; i < n; i++)
            nodes[i] = (node){(int32_t)i, &nodes[(i * 7 + 1) % n], i % 5 ? NULL : &outside, NULL};
        for (int interpret = 0; interpret < 2; interpret++) {
            lade_context ctx = {.interpret = interpret};
            lade_buffer buffer = {0};
            node *x = NULL;
            lade_arena *owner = NULL;
            size_t extent = 0;
            assert_int_equal(lade_encode_records(node, nodes, 1, &n, &buffer, &ctx), LADE_OK);
            assert_int_equal(
                lade_decode_records(node, buffer.data, buffer.size, &x, 1, &extent, &owner, &ctx),
                LADE_OK);
            assert_int_equal(extent, n);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(x[i].id, i);
                assert_ptr_equal(x[i].next, &x[(i * 7 + 1) % n]);
                assert_ptr_equal(x[i].other, i % 5 ? NULL : x[0].other);
            }
            assert_int_equal(x[0].other->id, -1);
            assert_ptr_equal(x[0].other->next, x);
            assert_int_equal(
                lade_decode_records_into(node, buffer.data, buffer.size, x, 1, &n, &ctx), LADE_OK);
            lade_arena_destroy(owner);
            lade_buffer_fini(&buffer);
            lade_context_fini(&ctx);
        }
        free(nodes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_and_self_references),
        cmocka_unit_test(shared_and_null),
        cmocka_unit_test(types_that_refer_to_each_other),
        cmocka_unit_test(a_struct_and_its_first_member),
        cmocka_unit_test(pools_hold_their_targets),
        cmocka_unit_test(pools_without_elements),
        cmocka_unit_test(refs_to_scalars),
        cmocka_unit_test(refs_to_dense_records),
        cmocka_unit_test(refs_to_scalars_and_dense_records_in_turn),
        cmocka_unit_test(into_the_same_graph),
        cmocka_unit_test(into_another_graph),
        cmocka_unit_test(records_with_refs_among_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
