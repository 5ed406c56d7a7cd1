/* What has hurt users of other serializers with graphs, one test each: by plan and by surrogate, in memory. */
#include "support.h"

#include "pitfalls_twin.h"

#include <stdlib.h>

/* clang-format off */
typedef struct link link;
struct link { link *next; int64_t id; };
LADE_STRUCT(link, (ref, next, link), (value, id))

typedef struct leaf { double x; } leaf;
LADE_STRUCT(leaf, (value, x))
typedef struct branch branch;
struct branch { leaf *leaf; branch *left, *right; };
LADE_STRUCT(branch, (ref, leaf, leaf), (ref, left, branch), (ref, right, branch))

/* The first member of a shell has its address. */
typedef struct core core;
struct core { int32_t id; core *self; };
typedef struct shell shell;
struct shell { core first; shell *self; core *apart; };
LADE_STRUCT(core, (value, id), (ref, self, core))
LADE_STRUCT(shell, (record, first, core), (ref, self, shell), (ref, apart, core))
typedef struct two_shells { shell *a, *b; core *c; } two_shells;
LADE_STRUCT(two_shells, (ref, a, shell), (ref, b, shell), (ref, c, core))

/* Cells that stand in an array and are pointed to. */
typedef struct cell cell;
struct cell { cell *peer; int16_t id; };
LADE_STRUCT(cell, (ref, peer, cell), (value, id))
typedef struct board { cell *cells; uint32_t ncells; cell *first, *last; } board;
LADE_STRUCT(board, (pool, cells, ncells, cell), (ref, first, cell), (ref, last, cell))
typedef struct loose_board { cell *cells; uint32_t ncells; cell *first; } loose_board;
LADE_STRUCT(loose_board, (vector, cells, ncells, cell), (ref, first, cell))

LADE_STRUCT(twin, (value, id), (text, name), (ref, next, twin))
/* clang-format on */

typedef struct chain {
    link *head;
    bool interpret;
    lade_status saved, loaded;
    size_t bytes;
    link *out;
    lade_arena *owner;
} chain;

static void save_and_load(void *user)
{
    chain *c = user;
    lade_context ctx = {.interpret = c->interpret};
    lade_buffer message = {0};
    c->saved = lade_encode(link, c->head, &message, &ctx);
    c->loaded = lade_decode(link, message.data, message.size, &c->out, &c->owner, &ctx);
    c->bytes = message.size;
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
}

/* 1. A linked list saved by its head overflows no stack, of 64 KiB here, whatever its length. */
static void pitfall_1_long_lists(void **state)
{
    (void)state;
    static const size_t lengths[] = {20000, 1000000};
    for (unsigned k = 0; k < 2 * COUNT_OF(lengths); k++) {
        size_t n = lengths[k / 2];
        link *nodes = calloc(n, sizeof *nodes);
        assert_non_null(nodes);
        for (size_t i = 0; i < n; i++)
            nodes[i] = (link){i + 1 < n ? &nodes[i + 1] : NULL, (int64_t)i};
        chain c = {.head = nodes, .interpret = k % 2};
        test_on_small_stack(save_and_load, &c);
        assert_status(c.saved, LADE_OK);
        assert_status(c.loaded, LADE_OK);
        size_t found = 0;
        for (const link *at = c.out; at && at->id == (int64_t)found; at = at->next)
            found++;
        assert_int_equal(found, n);
        lade_arena_destroy(c.owner);
        free(nodes);
    }
}

/* 2. A context that saved an object knows nothing of it afterwards: another one at its address is another one. */
static void pitfall_2_addresses_are_used_again(void **state)
{
    (void)state;
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_context ctx = {.interpret = interpret};
        lade_buffer message = {0};
        lade_arena *owner = NULL;
        leaf slot = {0}; /* every leaf is "allocated" here */
        branch root = {.leaf = &slot};
        link as_link = {NULL, 0};
        for (int turn = 0; turn < 5; turn++) {
            branch *out;
            slot.x = turn;
            root.left = turn % 2 ? &root : NULL;
            assert_status(lade_encode(branch, &root, &message, &ctx), LADE_OK);
            assert_status(lade_decode(branch, message.data, message.size, &out, &owner, &ctx),
                          LADE_OK);
            assert_true(out->leaf->x == turn);
            assert_ptr_equal(out->left, turn % 2 ? out : NULL);
            /* a save that failed leaves nothing behind either */
            char small[4];
            size_t size;
            assert_status(lade_encode_to(branch, &root, small, sizeof small, &size, &ctx),
                          LADE_ERR_SPACE);
            /* and so does one of another type */
            as_link.id = turn;
            assert_status(lade_encode(link, &as_link, &message, &ctx), LADE_OK);
        }
        lade_arena_destroy(owner);
        lade_buffer_fini(&message);
        lade_context_fini(&ctx);
    }
}

/* The bare message of a branch, by the codes of its three refs; behind it what a leaf would be. */
static size_t put_branch(uint8_t *bytes, uint64_t leaf_code, uint64_t left, uint64_t right)
{
    uint8_t *p = lade_priv_put_varint(bytes, leaf_code);
    p = lade_priv_put_varint(p, left);
    p = lade_priv_put_varint(p, right);
    lade_priv_store64(p, 0x3ff8000000000000); /* 1.5 */
    return (size_t)(p - bytes) + (leaf_code ? 8 : 0);
}

/* 3. Ids are of one type, and none is followed that was not given: neither that of an object of another
 * type, nor a huge one, nor (as the largest of all) a negative one. */
static void pitfall_3_forged_ids(void **state)
{
    (void)state;
    static const uint64_t forged[] = {3,          4,          1u << 31,   UINT32_MAX,
                                      1ull << 32, 1ull << 62, 1ull << 63, UINT64_MAX};
    uint8_t bytes[64] = {0};
    branch *out;
    lade_arena *owner = NULL;
    lade_context ctx = {.bare = true};
    size_t size = put_branch(bytes, 1, 1, 0);
    assert_status(lade_decode(branch, bytes, size, &out, &owner, &ctx), LADE_OK);
    assert_true(out->leaf->x == 1.5 && out->left == out && !out->right);
    for (size_t i = 0; i < COUNT_OF(forged); i++) {
        /* code 1 is the root, code 2 would be the next new branch */
        size = put_branch(bytes, 1, forged[i], 0);
        test_refused(&lade_type_branch, bytes, size, LADE_ERR_REFERENCE);
        size = put_branch(bytes, 1, 0, forged[i]);
        test_refused(&lade_type_branch, bytes, size, LADE_ERR_REFERENCE);
        size = put_branch(bytes, forged[i], 0, 0);
        test_refused(&lade_type_branch, bytes, size, LADE_ERR_REFERENCE);
    }
    /* code 2 is an object for a branch (whose body is not there), but none for a leaf */
    test_refused(&lade_type_branch, bytes, put_branch(bytes, 2, 1, 1), LADE_ERR_REFERENCE);
    test_refused(&lade_type_branch, bytes, put_branch(bytes, 0, 2, 1), LADE_ERR_TRUNCATED);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

/* 4. What is shared is loaded once; an object and its first member have one address and two identities. */
static void pitfall_4_shared_and_first_members(void **state)
{
    (void)state;
    leaf shared = {2.5};
    branch twig = {.leaf = &shared};
    branch root = {.leaf = &shared, .left = &twig, .right = &twig};
    lade_arena *owner = NULL;
    const branch *b = ROUND_TRIP(branch, &root, &owner);
    assert_true(b->left == b->right && b->leaf == b->left->leaf && b->leaf->x == 2.5);
    lade_arena_destroy(owner);
    owner = NULL;
    core apart = {7, &apart};
    shell one = {.first = {1, &apart}, .apart = &apart};
    one.self = &one; /* the address of one.first, too */
    shell two = {.first = {2, NULL}, .self = &one};
    const two_shells *t = ROUND_TRIP(two_shells, &((two_shells){&one, &two, &apart}), &owner);
    assert_true(t->a->self == t->a && t->b->self == t->a && t->a != t->b);
    assert_true(t->a->first.id == 1 && t->b->first.id == 2 && !t->b->apart);
    assert_true(t->c->id == 7 && t->c->self == t->c);
    assert_true(t->a->first.self == t->c && t->a->apart == t->c);
    assert_true((const void *)t->c != (const void *)t->a);
    lade_arena_destroy(owner);
}

/* 5. Objects that stand in an array (a pool) and are reached by pointers too have one identity, in every
 * order; where the description says that they have none (a vector), the save says so. */
static void pitfall_5_by_value_and_by_pointer(void **state)
{
    (void)state;
    enum { N = 5 };
    cell cells[N];
    for (int i = 0; i < N; i++)
        cells[i] = (cell){&cells[(i * 2 + 1) % N], (int16_t)i};
    lade_arena *owner = NULL;
    const board *b = ROUND_TRIP(board, &((board){cells, N, &cells[0], &cells[N - 1]}), &owner);
    assert_true(b->first == &b->cells[0] && b->last == &b->cells[N - 1]);
    for (int i = 0; i < N; i++)
        assert_true(b->cells[i].id == i && b->cells[i].peer == &b->cells[(i * 2 + 1) % N]);
    lade_arena_destroy(owner);
    owner = NULL;
    size_t n = N;
    cell *out; /* a bare array is a pool too */
    lade_buffer message = {0};
    assert_status(lade_encode_records(cell, cells, 1, &n, &message, NULL), LADE_OK);
    assert_status(lade_decode_records(cell, message.data, message.size, &out, 1, &n, &owner, NULL),
                  LADE_OK);
    for (int i = 0; i < N; i++)
        assert_ptr_equal(out[i].peer, &out[(i * 2 + 1) % N]);
    lade_arena_destroy(owner);
    cell alone = {NULL, 9};
    for (int i = 0; i < N; i++)
        cells[i].peer = &alone;
    lade_context ctx = {.check_interior = true};
    const loose_board apart = {cells, N, &alone};
    const loose_board inside = {cells, N, &cells[2]};
    assert_status(lade_encode(loose_board, &apart, &message, &ctx), LADE_OK);
    assert_status(lade_encode(loose_board, &inside, &message, &ctx), LADE_ERR_INTERIOR);
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
}

/* 6. Two translation units describe one type: both are good, in one context; there is no registry. (Plugins
 * and programs that end: test_life.) */
static void pitfall_6_described_twice(void **state)
{
    (void)state;
    lade_context ctx = {0};
    lade_buffer message = {0};
    lade_arena *owner = NULL;
    for (int turn = 0; turn < 4; turn++) {
        twin *out = NULL;
        void *other = NULL;
        assert_true(pitfalls_twin_type() != &lade_type_twin);
        assert_status(pitfalls_twin_save(turn, &message, &ctx), LADE_OK);
        assert_status(lade_decode(twin, message.data, message.size, &out, &owner, &ctx), LADE_OK);
        assert_true(out->id == turn && out->next == out && !out->name);
        assert_status(lade_encode(twin, out, &message, &ctx), LADE_OK);
        assert_status(
            lade_decode_as(pitfalls_twin_type(), message.data, message.size, &other, &owner, &ctx),
            LADE_OK);
        assert_int_equal(((twin *)other)->id, turn);
    }
    lade_arena_destroy(owner);
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
}

static void fail_at_every_cut(test_memory *m, const lade_buffer *message, bool interpret)
{
    lade_context ctx = {.allocator = &m->allocator, .interpret = interpret, .bare = true};
    lade_arena *owner = lade_arena_create(&m->allocator);
    assert_non_null(owner);
    int *before = lade_arena_alloc(owner, sizeof *before, 8);
    lade_arena *mine = owner;
    assert_non_null(before);
    *before = 41;
    size_t live = 0;
    for (size_t cut = 0; cut < message->size; cut++) {
        branch untouched;
        branch *out = &untouched;
        lade_arena *none = NULL;
        assert_status(lade_decode(branch, message->data, cut, &out, &owner, &ctx),
                      LADE_ERR_TRUNCATED);
        assert_true(out == &untouched && owner == mine && *before == 41);
        assert_status(lade_decode(branch, message->data, cut, &out, &none, &ctx),
                      LADE_ERR_TRUNCATED);
        assert_true(out == &untouched && !none);
        if (cut == message->size / 2)
            live = m->live; /* buffers of the context, and blocks of the arena: both are kept */
    }
    assert_int_equal(m->live, live);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

/* 7. A failing load leaks nothing, leaves the caller's variables alone, and leaves no trace in an arena that
 * held something before. */
static void pitfall_7_failed_loads(void **state)
{
    (void)state;
    enum { N = 60 };
    branch nodes[N] = {{0}};
    leaf leaves[N] = {{0}};
    for (int i = 0; i < N; i++)
        nodes[i] = (branch){&leaves[i], &nodes[(i + 1) % N], i % 7 ? &nodes[i / 2] : NULL};
    lade_context ctx = {.bare = true};
    lade_buffer message = {0};
    assert_status(lade_encode(branch, nodes, &message, &ctx), LADE_OK);
    for (int interpret = 0; interpret < 2; interpret++) {
        test_memory m;
        test_memory_init(&m);
        fail_at_every_cut(&m, &message, interpret);
        test_memory_check(&m);
    }
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
}

/* 8. An object costs its own bytes and those of its references: no class name, no version, no tag, no size. A
 * reference to one of n pool objects takes the bytes that hold n + 1; in memory a loaded object takes its
 * sizeof. */
static void pitfall_8_bytes_of_small_objects(void **state)
{
    (void)state;
    enum { N = 10000 };
    link *nodes = calloc(N, sizeof *nodes);
    cell *cells = calloc(N, sizeof *cells);
    assert_true(nodes && cells);
    for (int i = 0; i < N; i++) {
        nodes[i] = (link){i + 1 < N ? &nodes[i + 1] : NULL, i};
        cells[i] = (cell){&cells[(i + 1) % N], (int16_t)i};
    }
    lade_context ctx = {.bare = true};
    lade_buffer message = {0};
    /* table: 8 bytes of id; the reference is a varint of 1 byte below 128, else 2 (up to 16,383) */
    assert_status(lade_encode(link, nodes, &message, &ctx), LADE_OK);
    assert_int_equal(message.size, N * (8 + 2) - 127);
    link *out;
    lade_arena *owner = NULL;
    assert_status(lade_decode(link, message.data, message.size, &out, &owner, &ctx), LADE_OK);
    assert_in_range(lade_arena_capacity(owner), N * sizeof *nodes, 4 * N * sizeof *nodes);
    lade_arena_destroy(owner);
    /* pool: 2 bytes of id, 2 of the reference; and the count, 2 null references beside it */
    const board b = {cells, N, NULL, NULL};
    assert_status(lade_encode(board, &b, &message, &ctx), LADE_OK);
    assert_int_equal(message.size, N * (2 + 2) + 2 + 2 * 2);
    lade_buffer_fini(&message);
    lade_context_fini(&ctx);
    free(nodes);
    free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pitfall_1_long_lists),
        cmocka_unit_test(pitfall_2_addresses_are_used_again),
        cmocka_unit_test(pitfall_3_forged_ids),
        cmocka_unit_test(pitfall_4_shared_and_first_members),
        cmocka_unit_test(pitfall_5_by_value_and_by_pointer),
        cmocka_unit_test(pitfall_6_described_twice),
        cmocka_unit_test(pitfall_7_failed_loads),
        cmocka_unit_test(pitfall_8_bytes_of_small_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
