/* Refs that must not be: into the inside of other objects, and forged ids in messages. */
#include "support.h"

#include "graph_types.h"

/* An album whose parts are all there; the cases set one ref. */
typedef struct parts {
    album a;
    spot dense[3], maybe_dense, apart;
    item items[3], maybe, item_apart;
    double double_apart;
    inner in;
} parts;

static void make(parts *p)
{
    *p = (parts){0};
    p->a.dense = p->dense;
    p->a.ndense = 3;
    p->a.items = p->items;
    p->a.nitems = 3;
    p->a.maybe = &p->maybe;
    p->a.maybe_dense = &p->maybe_dense;
    p->a.to_spot = &p->apart;
    p->a.to_item = &p->item_apart;
    p->a.to_double = &p->double_apart;
}

static const char *point_somewhere(parts *p, int which)
{
    switch (which) {
    case 0:
        p->a.to_spot = &p->a.by_value;
        return "a record by value";
    case 1:
        p->a.to_spot = &p->dense[0];
        return "the first of a dense vector";
    case 2:
        p->a.to_spot = &p->dense[2];
        return "the last of a dense vector";
    case 3:
        p->a.to_item = &p->items[0];
        return "the first of a vector of records";
    case 4:
        p->a.to_item = &p->items[2];
        return "the last of a vector of records";
    case 5:
        p->a.to_item = &p->maybe;
        return "an optional record";
    case 6:
        p->a.to_spot = &p->maybe_dense;
        return "an optional dense record";
    case 7:
        p->a.to_item = &p->a.in[1];
        return "a fixed array of records";
    case 8:
        p->a.to_item = &p->a.first;
        return "the root's first member";
    case 9:
        p->a.to_spot = &p->a.first.place;
        return "the first member of the root's first member";
    case 10:
        p->a.to_spot = &p->item_apart.place;
        return "the first member of another target";
    case 11:
        p->a.to_double = &p->apart.y;
        return "the inside of another target";
    case 12:
        p->a.to_double = &p->apart.x;
        return "the start of another target";
    case 13:
        p->a.to_double = &p->items[1].place.x;
        return "the inside of an element";
    case 14:
        p->a.to_double = &p->maybe.place.y;
        return "the inside of an optional";
    default:
        return NULL;
    }
}

static void refs_into_other_objects(void **state)
{
    (void)state;
    int wrong = 0;
    for (int interpret = 0; interpret < 2; interpret++)
        for (int which = 0;; which++) {
            parts p;
            make(&p);
            const char *what = point_somewhere(&p, which);
            lade_error error = {0};
            lade_context ctx = {.error = &error, .check_interior = true, .interpret = interpret};
            lade_buffer buffer = {0};
            lade_status status = lade_encode(album, &p.a, &buffer, &ctx);
            lade_buffer_fini(&buffer);
            lade_context_fini(&ctx);
            if (!what) {
                assert_ok(status, &error); /* all apart: fine */
                break;
            }
            if (status != LADE_ERR_INTERIOR) {
                print_error("%s, %s: %s\n", interpret ? "plan" : "surrogate", what,
                            lade_status_name(status));
                wrong++;
            }
        }
    assert_int_equal(wrong, 0);
}

static void refs_into_pools_but_not_at_an_element(void **state)
{
    (void)state;
    node nodes[3] = {{.id = 1}};
    double weights[3] = {1, 2, 3};
    for (int which = 0; which < 4; which++) {
        mesh m = {.nodes = nodes, .nnodes = 3, .weights = weights, .nweights = 2};
        if (which == 0)
            m.top = (node *)(void *)((char *)&nodes[1] + 8);
        else if (which == 1)
            m.best = (double *)(void *)&nodes[2].next;
        else if (which == 2)
            m.outside = (spot *)(void *)&weights[0];
        else
            m.best = &weights[2]; /* just beyond the pool: an object of its own */
        lade_context ctx = {.check_interior = true};
        lade_buffer buffer = {0};
        assert_status(lade_encode(mesh, &m, &buffer, &ctx),
                      which == 3 ? LADE_OK : LADE_ERR_INTERIOR);
        lade_buffer_fini(&buffer);
        lade_context_fini(&ctx);
    }
}

static void a_ref_to_the_first_member_of_its_own_struct(void **state)
{
    (void)state;
    outer o = {.first = {4, NULL}, .inside = &o.first};
    lade_error error = {0};
    lade_context ctx = {.error = &error, .check_interior = true};
    lade_buffer buffer = {0};
    assert_status(lade_encode(outer, &o, &buffer, &ctx), LADE_ERR_INTERIOR);
    assert_non_null(strstr(error.message, "inner"));
    assert_int_equal(buffer.size, 0);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

static void forged_ids(void **state)
{
    (void)state;
    enum { NIL = 1, TEXT = 1 };
    /* node: id, next, other, name; then the bodies of new nodes */
    static const struct {
        const lade_type *type;
        uint8_t bytes[40];
        size_t size;
        lade_status status;
    } cases[] = {
        /* only the root (id 0, code 1) exists: code 2 makes one, code 3 does not follow */
        {&lade_type_node, {1, 0, 0, 0, 3 << 1 | 1, NIL, TEXT}, 7, LADE_ERR_REFERENCE},
        {&lade_type_node, {1, 0, 0, 0, 127 << 1 | 1, NIL, TEXT}, 7, LADE_ERR_REFERENCE},
        {&lade_type_node,
         {1, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, NIL, TEXT},
         15,
         LADE_ERR_REFERENCE},
        {&lade_type_node,
         {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, NIL, TEXT},
         15,
         LADE_ERR_REFERENCE},
        /* new, but its body is not there */
        {&lade_type_node, {1, 0, 0, 0, 2 << 1 | 1, NIL, TEXT}, 7, LADE_ERR_TRUNCATED},
        {&lade_type_node,
         {1, 0, 0, 0, 2 << 1 | 1, NIL, TEXT, 2, 0, 0, 0, NIL, NIL},
         13,
         LADE_ERR_TRUNCATED},
        /* ids are of one type: the book's id 0 is not the author's */
        {&lade_type_author, {TEXT, 2 << 1 | 1}, 2, LADE_ERR_REFERENCE},
        {&lade_type_author, {TEXT, 3, 0, 0, 0, 0, 5, TEXT}, 8, LADE_ERR_TRUNCATED},
        {&lade_type_author, {TEXT, 3, 0, 0, 0, 0, 7}, 7, LADE_ERR_REFERENCE},
        /* mesh: three pool counts, bodies, links, top, last, best, outside. A pool of one node and
           none of doubles: codes are 0, 1, 2 (escape) and 0, 1 (escape).
           There are zeros enough behind it for the least that a mesh takes. */
        {&lade_type_mesh, {3, 1, 1, 9, 0, 0, 0, 3, 0, TEXT}, 40, LADE_ERR_REFERENCE},
        {&lade_type_mesh, {3, 1, 1, 9, 0, 0, 0, 255, 0, TEXT}, 40, LADE_ERR_REFERENCE},
        {&lade_type_mesh, {3, 1, 1, 9, 0, 0, 0, 2, 5, 0, TEXT}, 40, LADE_ERR_REFERENCE},
        {&lade_type_mesh, {1, 1, 1, 1, 2, 0, 0, NIL}, 40, LADE_ERR_REFERENCE},
        {&lade_type_mesh, {1, 1, 1, 1, 0, 0, 1, 5, NIL}, 40, LADE_ERR_REFERENCE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        test_refused(cases[i].type, cases[i].bytes, cases[i].size, cases[i].status);
}

static void the_error_says_where(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 0, 0, 0, 5, 1, 1, /* #1: */ 2, 0, 0, 0, 3, 11, 1};
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_error error = {0};
        lade_context ctx = {.error = &error, .bare = true, .interpret = interpret};
        node *out = NULL;
        lade_arena *owner = NULL;
        assert_status(lade_decode(node, bytes, sizeof bytes, &out, &owner, &ctx),
                      LADE_ERR_REFERENCE);
        assert_string_equal(error.path, "node#1.other");
        assert_in_range(error.offset, 12, 13);
        assert_non_null(strstr(error.message, "node#1.other"));
        lade_context_fini(&ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refs_into_other_objects),
        cmocka_unit_test(refs_into_pools_but_not_at_an_element),
        cmocka_unit_test(a_ref_to_the_first_member_of_its_own_struct),
        cmocka_unit_test(forged_ids),
        cmocka_unit_test(the_error_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
