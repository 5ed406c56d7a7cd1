/* Comparison of values with kinds of field beyond plain values, texts, vectors and refs. */
#include "kind_types.h"

#include "support.h"

#include <stddef.h>

enum { SIZE = 5, MOST = 2000 };

static int setup(void **state)
{
    *state = test_dirty_arena();
    return 0;
}

static int teardown(void **state)
{
    lade_arena_destroy(*state);
    return 0;
}

static void compare(const lade_type *type, const void *a, const void *b, const char *path)
{
    for (int turn = 0; turn < 2; turn++) {
        lade_comparison c;
        lade_error error;
        lade_context ctx = {.error = &error};
        assert_ok(lade_equal_as(type, turn ? b : a, turn ? a : b, &c, &ctx), &error);
        assert_string_equal(c.path, path);
        assert_int_equal(c.equal, path[0] == 0);
        lade_context_fini(&ctx);
    }
}

/* Changes one place of a copy, compares, and changes it back. */
#define CHANGE(T, copy, place, new, path)                               \
    do {                                                                \
        unsigned char saved[sizeof(place)];                             \
        memcpy(saved, &(place), sizeof saved);                          \
        (place) = (new);                                                \
        compare(&lade_type_##T, value, copy, (path)[0] ? #T path : ""); \
        memcpy(&(place), saved, sizeof saved);                          \
        compare(&lade_type_##T, value, copy, "");                       \
    } while (0)

#define COPY(T, value, size)           \
    T *value = kind_##T(*state, size); \
    T *copy = NULL;                    \
    lade_arena *owner = NULL;          \
    assert_status(lade_copy(T, value, &copy, &owner, NULL), LADE_OK)

static void known_types(void **state)
{
    COPY(kennel, value, 1);
    pack *p = copy->pet;
    dog *visitor = (dog *)(void *)copy->visitor;
    CHANGE(kennel, copy, copy->pet, NULL, ".pet");
    CHANGE(kennel, copy, copy->kind, 0, ".pet");
    CHANGE(kennel, copy, p->base.age, 77, ".pet.base.age");
    CHANGE(kennel, copy, p->nmembers, 1, ".pet.members");
    CHANGE(kennel, copy, ((animal *)p->members[0].pet)->age, 77, ".pet.members[0].pet.age");
    CHANGE(kennel, copy, copy->visitor->species, 0, ".visitor");
    CHANGE(kennel, copy, visitor->weight, 3, ".visitor.weight");
    CHANGE(kennel, copy, copy->friends[1], NULL, ".friends[1]");
    CHANGE(kennel, copy, copy->friends[0]->age, 77, ".friends[0].base.age");
    animal another = *copy->friends[1];
    CHANGE(kennel, copy, copy->friends[1], &another, ".friends[1]"); /* no longer the same */
    value->pet = NULL; /* the number of the type does not count without an object */
    copy->pet = NULL;
    CHANGE(kennel, copy, copy->kind, 1, "");
    lade_arena_destroy(owner);
}

static void arrays_of_pointers(void **state)
{
    COPY(octant, value, 1);
    CHANGE(octant, copy, copy->child[0][0][0], copy->child[1][0][1], ".child[0]");
    CHANGE(octant, copy, copy->child[1][0][1]->tags[0][0], 'x', ".child[5].tags[0]");
    CHANGE(octant, copy, copy->neighbour[5], copy, ".neighbour[5]");
    CHANGE(octant, copy, copy->label[1][0], 'O', ".label[1]");
    CHANGE(octant, copy, copy->field[2][1], 0, ".field[2][1]");
    CHANGE(octant, copy, copy->tags[1][0], 'b', ".tags[1]");
    lade_arena_destroy(owner);
}

static void vectors_of_pointers(void **state)
{
    COPY(sack, value, 1);
    CHANGE(sack, copy, copy->refs[1], copy->refs[0], ".refs[1].to");
    CHANGE(sack, copy, copy->names[0], "First", ".names[0].text");
    CHANGE(sack, copy, copy->names[1], "", ".names[1].text");
    CHANGE(sack, copy, copy->rows.capacity, 9, "");
    CHANGE(sack, copy, copy->rows.data[1].data[1], 4, ".rows.data[1].data[1]");
    CHANGE(sack, copy, copy->from_one[2], 9, ".from_one[1]");
    lade_arena_destroy(owner);
}

static void grids(void **state)
{
    COPY(fields, value, SIZE);
    size_t ny = copy->ny;
    size_t wide = ny + 4;
    CHANGE(fields, copy, copy->nx, 5, ".whole");
    CHANGE(fields, copy, copy->halo, 1, ".inner");
    CHANGE(fields, copy, copy->whole, NULL, ".whole");
    CHANGE(fields, copy, copy->whole[2 * ny + 1], 0.5, ".whole[15]");
    CHANGE(fields, copy, copy->fortran[7], 0.5F, ".fortran[7]");
    CHANGE(fields, copy, copy->inner[3 * wide + 2], 0.5, ".inner[7]");
    CHANGE(fields, copy, copy->inner[3 * wide + 1], 0.5, ""); /* the halo is not stored */
    CHANGE(fields, copy, copy->all[1], 77, ".all[1]");        /* this one is */
    CHANGE(fields, copy, copy->zoo[3].age, 77, ".zoo[3].age");
    CHANGE(fields, copy, copy->rows[2][1], 0.5, ".rows[7]");
    CHANGE(fields, copy, copy->view[5], 77, ".view[5]"); /* strides differ */
    CHANGE(fields, copy, value->view[2 * ny], 77, ".view[1]");
    lade_arena_destroy(owner);
}

static void sequences_and_variants(void **state)
{
    COPY(everything, value, SIZE);
    agenda *a = &copy->agenda;
    CHANGE(everything, copy, a->events->next->next->time, 77, ".agenda.events[2].time");
    CHANGE(everything, copy, a->events->what[0], 'E', ".agenda.events[0].what");
    CHANGE(everything, copy, a->events->next, NULL, ".agenda.events");
    CHANGE(everything, copy, a->last->id, 77, ".agenda.first[4].id");
    CHANGE(everything, copy, a->last, NULL, ""); /* made by a load */
    CHANGE(everything, copy, a->words.entries[3].value, 77, ".agenda.words[3].value");
    CHANGE(everything, copy, a->words.entries[3].key[2], 'R', ".agenda.words[3].key");
    CHANGE(everything, copy, a->words.count, 4, ".agenda.words");
    CHANGE(everything, copy, a->nbits, 64, ".agenda.mask");
    CHANGE(everything, copy, a->mask[1], a->mask[1] ^ 1U << 20, ".agenda.mask[52]");
    CHANGE(everything, copy, a->mask[2], a->mask[2] ^ 1, ".agenda.mask[64]");
    CHANGE(everything, copy, a->mask[2], a->mask[2] ^ 2, ""); /* beyond 65 bits */
    CHANGE(everything, copy, a->material, NULL, ".agenda.material");
    CHANGE(everything, copy, a->callback, NULL, ".agenda.callback");
    CHANGE(everything, copy, copy->shapes[0].kind, SHAPE_NONE, ".shapes[0].is");
    CHANGE(everything, copy, copy->shapes[0].is.label[0], 'S', ".shapes[0].is.label");
    CHANGE(everything, copy, copy->shapes[1].is.side[1], 77, ".shapes[1].is.side[1]");
    CHANGE(everything, copy, copy->shapes[1].after, 77, ".shapes[1].after");
    lade_arena_destroy(owner);
}

static void records_of_every_sort(void **state)
{
    COPY(everything, value, SIZE);
    record_v3 *r = &copy->records[3];
    CHANGE(everything, copy, r->kept, 77, ".records[3].kept");
    CHANGE(everything, copy, r->cache, 77, "");
    CHANGE(everything, copy, r->removed, 77, "");
    CHANGE(everything, copy, r->sum, 77, "");
    CHANGE(everything, copy, r->exact[1], 77, ".records[3].exact[1]");
    CHANGE(everything, copy, r->paint[1].g, 77, ".records[3].paint[1]");
    memset((unsigned char *)&r->exact[0] + 10, 0x5A, sizeof r->exact[0] == 16 ? 6 : 0);
    compare(&lade_type_everything, value, copy, "");
    lade_arena_destroy(owner);
}

/* Lists, maps and grids whose elements lead to their own type wait in the queue. */
typedef struct branch branch;
typedef struct {
    branch *entries;
    size_t count;
} branch_map;
struct branch {
    branch *next; /* link */
    branch *children;
    branch_map named;
    branch *square;
    uint32_t nx, ny;
    int32_t id;
    uint32_t unused;
};

static size_t branch_count(const void *map)
{
    return ((const branch_map *)map)->count;
}

static void *branch_next(const void *map, const void *entry)
{
    const branch_map *m = map;
    size_t i = entry ? (size_t)((const branch *)entry - m->entries) + 1 : 0;
    return i < m->count ? m->entries + i : NULL;
}

static bool branch_fill(void *map, void *entries, size_t count)
{
    if (entries)
        *(branch_map *)map = (branch_map){entries, count};
    return true;
}

static const lade_map branch_adaptor = {branch_count, branch_next, branch_fill, NULL};
LADE_STRUCT(branch, (list, children, branch, next), (map, named, branch_adaptor, branch),
            (grid, square, (nx, ny), branch), (value, id))

static void what_recurs(void **state)
{
    (void)state;
    branch list[3] = {{.next = &list[1], .id = 1}, {.next = &list[2], .id = 2}, {.id = 3}};
    branch map[2] = {{.children = list, .id = 4}, {.id = 5}};
    branch square[6] = {[5] = {.named = {map, 2}, .id = 6}};
    branch root = {.children = &(branch){.square = square, .nx = 2, .ny = 3, .id = 7}};
    branch *value = &root;
    branch *copy = NULL;
    lade_arena *owner = NULL;
    assert_status(lade_copy(branch, value, &copy, &owner, NULL), LADE_OK);
    branch *deep = &copy->children->square[5];
    CHANGE(branch, copy, deep->id, 0, ".children.square[5].id");
    CHANGE(branch, copy, deep->named.entries[1].id, 0, ".children.square[5].named[1].id");
    CHANGE(branch, copy, deep->named.entries[0].children->next->id, 0,
           ".children.square[5].named[0].children[1].id");
    CHANGE(branch, copy, deep->named.entries[0].children->next->next, NULL,
           ".children.square[5].named[0].children");
    lade_arena_destroy(owner);
    /* the root, an element, a grid, entries, 3 elements */
    test_memory m;
    test_memory_init(&m);
    lade_context ctx = {.allocator = &m.allocator, .own_memory = true};
    assert_status(lade_copy(branch, value, &copy, NULL, &ctx), LADE_OK);
    compare(&lade_type_branch, value, copy, "");
    lade_context_fini(&ctx);
    assert_int_equal(m.live, 1 + 1 + 1 + 1 + 3);
    assert_status(lade_free_graph(branch, copy, &ctx), LADE_OK);
    lade_context_fini(&ctx);
    test_memory_check(&m);
    ROUND_TRIP(branch, value, &owner);
    lade_arena_destroy(owner);
}

static void what_is_refused(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_comparison c = {.path = "mine"};
    COPY(everything, value, SIZE);
    copy->agenda.last->next = copy->agenda.first;
    assert_status(lade_equal(everything, value, copy, &c, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "everything.agenda.first");
    copy->agenda.last->next = NULL;
    copy->agenda.mask = NULL;
    assert_status(lade_equal(everything, value, copy, &c, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "everything.agenda.mask");
    kennel *k = kind_kennel(*state, 1);
    kennel *l = kind_kennel(*state, 1);
    l->visitor->species = 9;
    assert_status(lade_equal(kennel, k, l, &c, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "kennel.visitor");
    fields *f = kind_fields(*state, 1);
    fields *g = kind_fields(*state, 1);
    g->rows[1] = NULL;
    assert_status(lade_equal(fields, f, g, &c, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "fields.rows");
    g->halo = -1;
    assert_status(lade_equal(fields, f, g, &c, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "fields.inner");
    assert_string_equal(c.path, "mine");
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

static void hashes(void **state)
{
    lade_context ctx = {.externals = &kind_externals};
    lade_digest h[3];
    COPY(everything, value, SIZE);
    assert_status(lade_hash(everything, value, &h[0], &ctx), LADE_OK);
    assert_status(lade_hash(everything, copy, &h[1], &ctx), LADE_OK);
    copy->agenda.words.entries[1].value++;
    assert_status(lade_hash(everything, copy, &h[2], &ctx), LADE_OK);
    assert_memory_equal(&h[0], &h[1], sizeof h[0]);
    assert_memory_not_equal(&h[0], &h[2], sizeof h[0]);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

static void the_nth_allocation_fails(void **state)
{
    COPY(everything, value, SIZE);
    fields *f = kind_fields(*state, 2);
    lade_status status[2] = {LADE_ERR_MEMORY, LADE_ERR_MEMORY};
    for (size_t n = 1; (status[0] || status[1]) && n < MOST; n++)
        for (int i = 0; i < 2; i++) {
            test_memory m;
            test_memory_init(&m);
            lade_context ctx = {.allocator = &m.allocator};
            lade_comparison c = {.path = "mine"};
            test_memory_restart(&m, n);
            status[i] = i ? lade_equal(fields, f, f, &c, &ctx)
                          : lade_equal(everything, value, copy, &c, &ctx);
            m.fail_at = 0;
            lade_context_fini(&ctx);
            test_memory_check(&m);
            assert_string_equal(c.path, status[i] ? "mine" : "");
        }
    assert_status(status[0], LADE_OK);
    assert_status(status[1], LADE_OK);
    lade_arena_destroy(owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_types, setup, teardown),
        cmocka_unit_test_setup_teardown(arrays_of_pointers, setup, teardown),
        cmocka_unit_test_setup_teardown(vectors_of_pointers, setup, teardown),
        cmocka_unit_test_setup_teardown(grids, setup, teardown),
        cmocka_unit_test_setup_teardown(sequences_and_variants, setup, teardown),
        cmocka_unit_test_setup_teardown(records_of_every_sort, setup, teardown),
        cmocka_unit_test(what_recurs),
        cmocka_unit_test_setup_teardown(what_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(hashes, setup, teardown),
        cmocka_unit_test_setup_teardown(the_nth_allocation_fails, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
