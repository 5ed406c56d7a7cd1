/* Copies of values with kinds of field beyond plain values, texts, vectors and refs. */
#include "kind_types.h"

#include "support.h"

#include <stddef.h>

enum { MOST = 2000 };

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

static const size_t sizes[] = {0, 1, 2, 5, 70, 700};

/* A copy is a value that stands elsewhere, compares as equal, and gives the same bytes. */
static void *copied(const lade_type *type, const void *value, lade_arena **owner)
{
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals, .check_interior = true};
    lade_buffer first = {0};
    lade_buffer second = {0};
    lade_comparison c;
    void *copy = NULL;
    *owner = test_dirty_arena();
    assert_ok(lade_copy_as(type, value, &copy, owner, &ctx), &error);
    assert_ok(lade_equal_as(type, value, copy, &c, &ctx), &error);
    assert_string_equal(c.path, "");
    assert_ok(lade_encode_as(type, value, &first, &ctx), &error);
    assert_ok(lade_encode_as(type, copy, &second, &ctx), &error);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    lade_buffer_fini(&first);
    lade_buffer_fini(&second);
    lade_context_fini(&ctx);
    return copy;
}
#define COPIED(T, value, owner) ((T *)copied(&lade_type_##T, value, owner))

static void known_types(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lade_arena *owner;
        kennel *k = kind_kennel(*state, sizes[i]);
        kennel *copy = COPIED(kennel, k, &owner);
        assert_ptr_not_equal(copy->pet, k->pet);
        assert_ptr_not_equal(copy->friends[0], k->friends[0]);
        if (sizes[i] % 2)
            assert_ptr_equal(copy->friends[0], copy->friends[1]);
        lade_arena_destroy(owner);
    }
    kennel none = {.kind = 2};
    lade_arena *owner;
    kennel *copy = COPIED(kennel, &none, &owner);
    assert_int_equal(copy->kind, 0); /* as after a load */
    lade_arena_destroy(owner);
}

static void pointers(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lade_arena *owner[2];
        octant *o = COPIED(octant, kind_octant(*state, sizes[i]), &owner[0]);
        assert_ptr_equal(o->neighbour[0], o->neighbour[5]);
        assert_ptr_equal(o->child[1][0][1]->neighbour[3], o);
        sack *given = kind_sack(*state, sizes[i]);
        given->rows.capacity = 100;
        sack *b = COPIED(sack, given, &owner[1]);
        assert_int_equal(b->rows.capacity, 2);
        assert_ptr_equal(b->refs[0], b->refs[sizes[i] + 1]);
        for (uint32_t k = 1; k <= b->nfrom_one; k++)
            assert_true(b->from_one[k] == k);
        lade_arena_destroy(owner[0]);
        lade_arena_destroy(owner[1]);
    }
}

static void grids(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes) - 1; i++) {
        lade_arena *owner;
        fields *given = kind_fields(*state, sizes[i]);
        size_t ny = given->ny;
        size_t wide = ny + 4;
        for (size_t k = 0; k < 2 * wide; k++)
            given->inner[k] = 77; /* of the halo */
        fields *f = COPIED(fields, given, &owner);
        for (size_t k = 0; k < 2 * wide; k++)
            assert_true(f->inner[k] == 0);
        assert_true(f->inner[2 * wide + 3] == 1);
        assert_int_equal(f->all[2], 2);
        assert_int_equal(f->steps[0], 3);
        assert_int_equal(f->steps[1], 1);
        for (size_t y = 0; y < ny; y++)
            for (size_t z = 0; z < 3; z++)
                assert_int_equal(f->view[y * 3 + z], (uint8_t)(y + z * 2 * ny));
        assert_true(f->rows[given->nx - 1] == f->rows[0] + 3 * (size_t)(given->nx - 1));
        assert_string_equal(f->zoo[0].name, "zoo 0");
        assert_ptr_not_equal(f->zoo[0].name, given->zoo[0].name);
        lade_arena_destroy(owner);
    }
    lade_arena *owner;
    fields *f = COPIED(fields, &((fields){.nx = 4, .halo = 1}), &owner);
    assert_true(f->nx == 4 && f->ny == 0 && !f->whole && !f->rows);
    lade_arena_destroy(owner);
}

static void variants(void **state)
{
    animal pet = {0, 4, (char[]){"Rusty"}};
    const shape cases[] = {
        {.kind = SHAPE_CIRCLE, .is = {.radius = 1.5}, .after = 1},
        {.kind = SHAPE_BOX, .is = {.side = {3, -4}}, .after = 2},
        {.kind = SHAPE_TEXT, .is = {.label = (char[]){"label"}}, .after = 3},
        {.kind = SHAPE_PET, .is = {.pet = pet}, .after = 4},
        {.kind = SHAPE_NONE, .after = 5},
        {.kind = (shape_kind)99, .after = 6},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        static const unsigned char none[sizeof(shape_union)];
        static const size_t used[] = {
            sizeof(double), 2 * sizeof(int32_t), sizeof(char *), sizeof(animal), 0, 0};
        lade_arena *owner;
        shape given;
        memset(&given.is, 0xEE, sizeof given.is);
        given.kind = cases[i].kind;
        given.after = cases[i].after;
        memcpy(&given.is, &cases[i].is, used[i]);
        shape *s = COPIED(shape, &given, &owner);
        assert_memory_equal((unsigned char *)&s->is + used[i], none, sizeof none - used[i]);
        if (s->kind == SHAPE_TEXT)
            assert_ptr_not_equal(s->is.label, given.is.label);
        if (s->kind == SHAPE_PET)
            assert_string_equal(s->is.pet.name, "Rusty");
        lade_arena_destroy(owner);
    }
}

static void check_links(const agenda *a, const agenda *given, size_t n)
{
    const event *e = a->events;
    const stop *before = NULL;
    for (size_t i = n; i-- > 0; e = e->next)
        assert_true(e->time == (double)i);
    assert_null(e);
    for (const stop *s = a->first; s; before = s, s = s->next)
        assert_ptr_equal(s->prev, before);
    assert_ptr_equal(a->last, before);
    assert_true(n == 0 || a->last != given->last);
    assert_int_equal(a->words.count, n);
    assert_true(n == 0 || a->words.entries != given->words.entries);
}

static void sequences_versions_and_hooks(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lade_arena *owner;
        size_t n = sizes[i];
        everything *given = kind_everything(*state, n);
        if (n)
            given->agenda.mask[given->agenda.nbits / 32] |= ~0U << given->agenda.nbits % 32;
        given->nothing.only = &owner;
        everything *e = COPIED(everything, given, &owner);
        const agenda *a = &e->agenda;
        check_links(a, &given->agenda, n);
        if (n)
            assert_int_equal(a->mask[a->nbits / 32] >> a->nbits % 32, 0);
        assert_ptr_equal(a->material, &kind_material);
        assert_true(a->callback == kind_callback);
        assert_null(e->nothing.only);
        for (size_t k = 0; k < n; k++) {
            const record_v3 *r = &e->records[k];
            assert_int_equal(r->cache, -1);
            assert_true(r->removed == 0.5);
            assert_int_equal(r->paint[1].r, (uint8_t)k);
            assert_int_equal(r->sum, k + 1);
            assert_int_equal(r->saves, 1); /* by the encoding of the copy only */
        }
        lade_arena_destroy(owner);
    }
}

/* Whatever no member says is zero, the padding of a long double too. */
static void padding_is_zero(void **state)
{
    everything *given = kind_everything(*state, 3);
    lade_arena *owner = test_dirty_arena();
    everything *e = NULL;
    for (int i = 0; i < 3; i++)
        for (size_t k = 10; k < sizeof(long double) && sizeof(long double) == 16; k++)
            ((unsigned char *)&given->records[i].exact[1])[k] = 0xEE;
    assert_status(lade_copy(everything, given, &e, &owner, NULL), LADE_OK);
    for (int i = 0; i < 3; i++)
        for (size_t k = 10; k < sizeof(long double) && sizeof(long double) == 16; k++)
            assert_int_equal(((unsigned char *)&e->records[i].exact[1])[k], 0);
    lade_arena_destroy(owner);
}

/* Sequences and custom types in unions, and arrays of records of them. */
typedef struct mark mark;
struct mark {
    mark *next, *before;
    colour paint;
};
typedef union {
    mark *marks;
    colour paint;
    shape inner;
} sign_union;
typedef struct {
    uint8_t kind;
    sign_union is;
    char note[5];
} sign;
typedef struct {
    sign all[2][2];
    colour *palette;
    uint8_t npalette;
    long double *precise;
    uint16_t nprecise;
} signs;
LADE_STRUCT(mark, (record, paint, colour))
LADE_UNION(sign_union, (list, marks, mark, next, prev(before)), (record, paint, colour),
           (record, inner, shape))
LADE_STRUCT(sign, (variant, is, kind, sign_union), (fixed_text, note))
LADE_STRUCT(signs, (record, all, sign), (vector, palette, npalette, colour),
            (vector, precise, nprecise))

static void unions_of_everything(void **state)
{
    (void)state;
    colour palette[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    long double precise[2] = {1 / 3.0L, -2};
    mark marks[3] = {{.next = &marks[2], .paint = {1, 0, 0}},
                     {.paint = {2, 0, 0}},
                     {.next = &marks[1], .paint = {3, 0, 0}}};
    signs given = {
        {{{0, {.marks = marks}, "list"}, {1, {.paint = {9, 9, 9}}, "c"}},
         {{2, {.inner = {SHAPE_TEXT, {.label = (char[]){"in"}}, 7}}, "whole"}, {3, {0}, ""}}},
        palette,
        3,
        precise,
        2};
    lade_arena *owner;
    test_externals = &kind_externals;
    ROUND_TRIP(signs, &given, &owner);
    lade_arena_destroy(owner);
    test_externals = NULL;
    signs *copy = COPIED(signs, &given, &owner);
    const mark *m = copy->all[0][0].is.marks;
    assert_true(m->paint.r == 1 && m->next->paint.r == 3 && m->next->next->paint.r == 2);
    assert_true(!m->before && m->next->before == m && m->next->next->before == m->next);
    assert_int_equal(copy->all[0][1].is.paint.b, 9);
    assert_string_equal(copy->all[1][0].is.inner.is.label, "in");
    assert_int_equal(copy->all[1][0].is.inner.after, 7);
    assert_int_equal(copy->all[1][1].kind, 3);
    assert_int_equal(copy->palette[2].g, 8);
    lade_arena_destroy(owner);
}

/* Inner values first, also behind pointers; each once. */
typedef struct {
    int32_t id;
    uint32_t loads;
} leaf;
typedef struct {
    leaf ends[2];
    leaf *more;
    uint32_t nmore, loads;
} twig;
typedef struct {
    twig twigs[2][2];
    twig *others;
    size_t nothers;
    uint32_t loads;
} bush;

static lade_status leaf_after(leaf *l, void *user)
{
    ++*(size_t *)user;
    return l->loads++ == 0 && l->id >= 0 ? LADE_OK : LADE_ERR_STATE;
}

static lade_status twig_after(twig *t, void *user)
{
    ++*(size_t *)user;
    bool ok = t->loads++ == 0 && t->ends[0].loads && t->ends[1].loads;
    for (uint32_t i = 0; i < t->nmore; i++)
        ok = ok && t->more[i].loads;
    return ok ? LADE_OK : LADE_ERR_STATE;
}

static lade_status bush_after(bush *b, void *user)
{
    ++*(size_t *)user;
    bool ok = b->loads++ == 0;
    for (int i = 0; i < 4; i++)
        ok = ok && b->twigs[i / 2][i % 2].loads == 1;
    for (size_t i = 0; i < b->nothers; i++)
        ok = ok && b->others[i].loads == 1;
    return ok ? LADE_OK : LADE_ERR_STATE;
}

LADE_STRUCT(leaf, (after_load, leaf_after), (value, id), (skip, loads))
LADE_STRUCT(twig, (after_load, twig_after), (record, ends, leaf), (vector, more, nmore, leaf),
            (skip, loads))
LADE_STRUCT(bush, (after_load, bush_after), (record, twigs, twig), (vector, others, nothers, twig),
            (skip, loads))

static void hooks_inner_first(void **state)
{
    (void)state;
    enum { MANY = 500 };
    static leaf leaves[3] = {{1, 9}, {2, 9}, {3, 9}};
    static twig others[MANY];
    size_t calls = 0;
    lade_error error;
    lade_context ctx = {.error = &error, .user = &calls};
    lade_arena *owner = NULL;
    bush given = {.others = others, .nothers = MANY, .loads = 9};
    bush *copy = NULL;
    for (int i = 0; i < MANY; i++)
        others[i] = (twig){.more = leaves, .nmore = 3, .loads = 9};
    given.twigs[1][0] = (twig){.more = leaves, .nmore = 2};
    assert_ok(lade_copy(bush, &given, &copy, &owner, &ctx), &error);
    assert_int_equal(copy->loads, 1);
    assert_int_equal(calls, 1 + 4 * 3 + 2 + MANY * (3 + 3));
    leaves[1].id = -1;
    lade_arena *same = owner;
    copy = NULL;
    assert_status(lade_copy(bush, &given, &copy, &owner, &ctx), LADE_ERR_STATE);
    assert_non_null(strstr(error.message, "after_load of 'leaf' failed"));
    assert_null(copy);
    assert_ptr_equal(owner, same);
    leaves[1].id = 2;
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

static void what_is_refused(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_arena *owner = NULL;
    everything *out = NULL;
    everything *e = kind_everything(*state, 5);
    e->agenda.last->next = e->agenda.first;
    assert_status(lade_copy(everything, e, &out, &owner, &ctx), LADE_ERR_VALUE);
    assert_non_null(strstr(error.path, "first"));
    e->agenda.last->next = NULL;
    uint32_t *mask = e->agenda.mask;
    e->agenda.mask = NULL;
    assert_status(lade_copy(everything, e, &out, &owner, &ctx), LADE_ERR_VALUE);
    e->agenda.mask = mask;
    e->agenda.words.entries[2].key = e->agenda.words.entries[1].key;
    assert_status(lade_copy(everything, e, &out, &owner, &ctx), LADE_ERR_VALUE);
    assert_non_null(strstr(error.message, "refuses"));
    kennel *k = kind_kennel(*state, 1);
    kennel *dogs = NULL;
    k->visitor->species = 9;
    assert_status(lade_copy(kennel, k, &dogs, &owner, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "kennel.visitor");
    fields *f = kind_fields(*state, 1);
    fields *grid = NULL;
    f->rows[1] = NULL;
    assert_status(lade_copy(fields, f, &grid, &owner, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "fields.rows");
    f->halo = -1;
    assert_status(lade_copy(fields, f, &grid, &owner, &ctx), LADE_ERR_VALUE);
    assert_true(!out && !owner && !dogs && !grid);
    lade_context_fini(&ctx);
}

static void the_nth_allocation_fails(void **state)
{
    const struct {
        const lade_type *type;
        void *value;
    } values[] = {{&lade_type_kennel, kind_kennel(*state, 2)},
                  {&lade_type_octant, kind_octant(*state, 2)},
                  {&lade_type_sack, kind_sack(*state, 2)},
                  {&lade_type_fields, kind_fields(*state, 2)},
                  {&lade_type_everything, kind_everything(*state, 3)}};
    for (size_t i = 0; i < 2 * COUNT_OF(values); i++) {
        lade_status status = LADE_ERR_MEMORY;
        for (size_t n = 1; status != LADE_OK && n < MOST; n++) {
            test_memory m;
            test_memory_init(&m);
            lade_context ctx = {.allocator = &m.allocator, .own_memory = i % 2};
            lade_arena *owner = NULL;
            void *copy = NULL;
            test_memory_restart(&m, n);
            status = lade_copy_as(values[i / 2].type, values[i / 2].value, &copy, &owner, &ctx);
            m.fail_at = 0;
            assert_true(status == LADE_OK || (status == LADE_ERR_MEMORY && !copy && !owner));
            if (status == LADE_OK && ctx.own_memory)
                assert_status(lade_free_graph_as(values[i / 2].type, copy, &ctx), LADE_OK);
            lade_arena_destroy(owner);
            lade_context_fini(&ctx);
            test_memory_check(&m);
        }
        assert_status(status, LADE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_types, setup, teardown),
        cmocka_unit_test_setup_teardown(pointers, setup, teardown),
        cmocka_unit_test_setup_teardown(grids, setup, teardown),
        cmocka_unit_test(variants),
        cmocka_unit_test_setup_teardown(sequences_versions_and_hooks, setup, teardown),
        cmocka_unit_test_setup_teardown(padding_is_zero, setup, teardown),
        cmocka_unit_test(unions_of_everything),
        cmocka_unit_test(hooks_inner_first),
        cmocka_unit_test_setup_teardown(what_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(the_nth_allocation_fails, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
