/* Round trips of every kind of field beyond plain values, texts, vectors and refs. */
#include <float.h>

#include "kind_types.h"
#include <lade/backend.h>

#include "support.h"

static int setup(void **state)
{
    *state = test_dirty_arena();
    test_externals = &kind_externals;
    return 0;
}

static int teardown(void **state)
{
    lade_arena_destroy(*state);
    test_externals = NULL;
    return 0;
}

static const size_t sizes[] = {0, 1, 2, 5, 70, 2000};

static void known_types(void **state)
{
    for (size_t i = 0; i < 4; i++) {
        lade_arena *owner = NULL;
        kennel *k = ROUND_TRIP(kennel, kind_kennel(*state, sizes[i]), &owner);
        pack *p = k->pet;
        assert_int_equal(k->kind, 2);
        assert_int_equal(p->base.species, 2);
        assert_string_equal(p->base.name, "");
        assert_int_equal(p->nmembers, 2);
        assert_int_equal(p->members[0].kind, 0);
        assert_string_equal(((animal *)p->members[0].pet)->name, "animal 3");
        assert_null(p->members[1].pet);
        assert_true(((dog *)(void *)k->visitor)->weight == 0.5);
        assert_int_equal(k->friends[0]->age, 3 + sizes[i]);
        assert_ptr_equal(k->friends[1], sizes[i] % 2 ? k->friends[0] : NULL);
        lade_arena_destroy(owner);
    }
}

static void an_unknown_class_is_refused(void **state)
{
    kennel *k = kind_kennel(*state, 1);
    lade_buffer buffer = {0};
    lade_error error;
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_context ctx = {.error = &error, .interpret = interpret};
        k->visitor->species = 3;
        assert_status(lade_encode(kennel, k, &buffer, &ctx), LADE_ERR_VALUE);
        assert_string_equal(error.path, "kennel.visitor");
        k->visitor->species = 1;
        k->kind = 200;
        assert_status(lade_encode(kennel, k, &buffer, &ctx), LADE_ERR_VALUE);
        assert_string_equal(error.path, "kennel.pet");
        k->kind = 2;
        k->friends[1] = k->visitor;
        k->friends[1]->species = -1;
        assert_status(lade_encode(kennel, k, &buffer, &ctx), LADE_ERR_VALUE);
        k->visitor->species = 1;
        lade_context_fini(&ctx);
    }
    lade_buffer_fini(&buffer);
}

static void fixed_arrays_of_pointers(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lade_arena *owner = NULL;
        octant *o = ROUND_TRIP(octant, kind_octant(*state, sizes[i]), &owner);
        octant *inner = o->child[1][0][1];
        assert_null(o->child[0][0][0]);
        assert_ptr_equal(inner->neighbour[3], o);
        assert_ptr_equal(o->neighbour[0], o->neighbour[5]);
        assert_ptr_equal(o->neighbour[0]->neighbour[2], o->neighbour[0]);
        assert_null(o->label[0]);
        assert_int_equal(o->n, sizes[i] * 3);
        assert_memory_equal(o->tags[0], "full", 4);
        assert_string_equal(o->tags[1], "a");
        for (size_t k = 0; k < o->n; k++)
            assert_true(o->field[2][k] == (double)(20 + k));
        lade_arena_destroy(owner);
    }
}

static void vectors_of_pointers_and_containers(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lade_arena *owner = NULL;
        sack *b = ROUND_TRIP(sack, kind_sack(*state, sizes[i]), &owner);
        assert_ptr_equal(b->refs[0], b->refs[sizes[i] + 1]);
        assert_string_equal(b->names[0], "first");
        assert_null(b->names[1]);
        assert_string_equal(b->names[2], "");
        assert_int_equal(b->rows.capacity, 2);
        assert_int_equal(b->rows.data[1].capacity, sizes[i] + 1);
        assert_int_equal(b->rows.data[1].data[sizes[i]], -5);
        for (uint32_t k = 1; k <= b->nfrom_one; k++)
            assert_true(b->from_one[k] == k);
        lade_arena_destroy(owner);
    }
}

static void grids(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes) - 1; i++) {
        lade_arena *owner = NULL;
        fields *f = ROUND_TRIP(fields, kind_fields(*state, sizes[i]), &owner);
        size_t ny = f->ny;
        size_t wide = ny + 4;
        assert_int_equal(f->nx, sizes[i] + 1);
        for (size_t x = 0; x < f->nx; x++) {
            for (size_t y = 0; y < ny; y++) {
                assert_true(f->whole[x * ny + y] == (double)(x * 100 + y));
                assert_true(f->inner[(x + 2) * wide + y + 2] == (double)(x * 100 + y));
            }
            assert_true(f->inner[(x + 2) * wide + 1] == 0);
            assert_true(f->rows[x][1] == (double)x);
            assert_int_equal(f->zoo[x].age, x);
        }
        for (size_t k = 0; k < f->nx * ny * 3; k++)
            assert_true(f->fortran[k] == (float)k);
        for (size_t k = 0; k < (f->nx + 2U) * wide; k++)
            assert_int_equal(f->all[k], (int16_t)k);
        /* new memory is dense */
        assert_int_equal(f->steps[0], 3);
        assert_int_equal(f->steps[1], 1);
        for (size_t y = 0; y < ny; y++)
            for (size_t z = 0; z < 3; z++)
                assert_int_equal(f->view[y * 3 + z], (uint8_t)(y + z * 2 * ny));
        lade_arena_destroy(owner);
    }
}

static void grids_without_elements(void **state)
{
    fields f = {.nx = 4, .halo = 1};
    lade_arena *owner = NULL;
    (void)state;
    fields *g = ROUND_TRIP(fields, &f, &owner);
    assert_int_equal(g->nx, 4);
    assert_int_equal(g->ny, 0);
    assert_null(g->whole);
    assert_null(g->inner);
    lade_arena_destroy(owner);
}

static void variants(void **state)
{
    animal pet = {0, 4, (char[]){"Rusty"}};
    shape cases[] = {
        {.kind = SHAPE_CIRCLE, .is = {.radius = 1.5}, .after = 1},
        {.kind = SHAPE_BOX, .is = {.side = {3, -4}}, .after = 2},
        {.kind = SHAPE_TEXT, .is = {.label = (char[]){"label"}}, .after = 3},
        {.kind = SHAPE_PET, .is = {.pet = pet}, .after = 4},
        {.kind = SHAPE_NONE, .after = 5},
        {.kind = (shape_kind)99, .after = 6},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lade_arena *owner = NULL;
        shape *s = ROUND_TRIP(shape, &cases[i], &owner);
        assert_int_equal(s->kind, cases[i].kind);
        assert_int_equal(s->after, i + 1);
        if (s->kind == SHAPE_CIRCLE)
            assert_true(s->is.radius == 1.5);
        else if (s->kind == SHAPE_BOX)
            assert_int_equal(s->is.side[1], -4);
        else if (s->kind == SHAPE_TEXT)
            assert_string_equal(s->is.label, "label");
        else if (s->kind == SHAPE_PET)
            assert_string_equal(s->is.pet.name, "Rusty");
        lade_arena_destroy(owner);
    }
}

static void check_agenda(const agenda *a, size_t size)
{
    const event *e = a->events;
    for (size_t i = size; i-- > 0; e = e->next)
        assert_true(e->time == (double)i);
    assert_null(e);
    const stop *s = a->first;
    const stop *before = NULL;
    for (size_t i = 0; i < size; before = s, s = s->next, i++) {
        assert_int_equal(s->id, i);
        assert_ptr_equal(s->prev, before);
    }
    assert_null(s);
    assert_ptr_equal(a->last, before);
    assert_int_equal(a->words.count, size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(a->words.entries[i].value, i * i);
    assert_int_equal(a->nbits, size * 13);
    for (size_t i = 0; i < a->nbits; i++)
        assert_int_equal(a->mask[i / 32] >> i % 32 & 1, i % 3 == 0);
    assert_ptr_equal(a->material, &kind_material);
    assert_true(a->callback == kind_callback);
}

static void sequences_versions_and_hooks(void **state)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lade_arena *owner = NULL;
        everything *e = ROUND_TRIP(everything, kind_everything(*state, sizes[i]), &owner);
        check_agenda(&e->agenda, sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++) {
            const record_v3 *r = &e->records[k];
            assert_int_equal(r->kept, k);
            assert_int_equal(r->cache, -1);
            assert_true(r->removed == 0.5);
            assert_true(r->exact[0] == (long double)k / 3 && r->exact[1] == -1);
            assert_int_equal(r->paint[1].r, (uint8_t)k);
            assert_int_equal(r->paint[2].b, 0);
            assert_int_equal(r->sum, k + 1);
        }
        assert_string_equal(e->shapes[0].is.label, "shape");
        assert_int_equal(e->shapes[1].is.side[1], 4);
        lade_arena_destroy(owner);
    }
}

static void failing_hooks_fail_the_call(void **state)
{
    everything *e = kind_everything(*state, 3);
    lade_buffer buffer = {0};
    lade_error error;
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_context ctx = {.error = &error, .interpret = interpret, .externals = &kind_externals};
        int untouched;
        void *out = &untouched;
        lade_arena *owner = NULL;
        e->records[1].saves = UINT64_MAX;
        assert_status(lade_encode(everything, e, &buffer, &ctx), LADE_ERR_VALUE);
        e->records[1].kept = INT32_MAX;
        assert_ok(lade_encode(everything, e, &buffer, &ctx), &error);
        assert_status(
            lade_decode_as(&lade_type_everything, buffer.data, buffer.size, &out, &owner, &ctx),
            LADE_ERR_VALUE);
        assert_non_null(strstr(error.message, "after_load of 'record_v3' failed"));
        assert_ptr_equal(out, &untouched);
        assert_null(owner);
        lade_context_fini(&ctx);
    }
    lade_buffer_fini(&buffer);
}

static void what_is_external_needs_a_key(void **state)
{
    everything *e = kind_everything(*state, 1);
    lade_buffer buffer = {0};
    lade_error error;
    lade_context ctx = {.error = &error};
    assert_status(lade_encode(everything, e, &buffer, &ctx), LADE_ERR_REFERENCE);
    assert_string_equal(error.path, "everything.agenda.material");
    ctx.externals = &kind_externals;
    int other;
    e->agenda.material = &other;
    assert_status(lade_encode(everything, e, &buffer, &ctx), LADE_ERR_REFERENCE);
    e->agenda.material = NULL;
    assert_ok(lade_encode(everything, e, &buffer, &ctx), &error);
    void *out;
    lade_arena *owner = NULL;
    ctx.externals = NULL;
    assert_status(
        lade_decode_as(&lade_type_everything, buffer.data, buffer.size, &out, &owner, &ctx),
        LADE_ERR_REFERENCE);
    assert_non_null(strstr(error.message, "on_tick"));
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

static void a_list_that_is_a_cycle_is_refused(void **state)
{
    everything *e = kind_everything(*state, 70);
    lade_buffer buffer = {0};
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals};
    e->agenda.last->next = e->agenda.first->next;
    assert_status(lade_encode(everything, e, &buffer, &ctx), LADE_ERR_VALUE);
    assert_string_equal(error.path, "everything.agenda.first");
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

static void unsorted_maps_are_refused(void **state)
{
    everything *e = kind_everything(*state, 3);
    lade_buffer buffer = {0};
    lade_error error;
    lade_context ctx = {.error = &error, .externals = &kind_externals};
    pair swap = e->agenda.words.entries[0];
    e->agenda.words.entries[0] = e->agenda.words.entries[1];
    e->agenda.words.entries[1] = swap;
    assert_ok(lade_encode(everything, e, &buffer, &ctx), &error);
    void *out;
    lade_arena *owner = NULL;
    assert_status(
        lade_decode_as(&lade_type_everything, buffer.data, buffer.size, &out, &owner, &ctx),
        LADE_ERR_VALUE);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

/* Natural types with hooks and fields that are not stored go in bulk. */
typedef struct {
    double x, y;
    int32_t skipped;
    uint32_t loads;
} bulk;
typedef struct {
    bulk ends[2];
    double length;
} bulk_pair;
typedef struct {
    size_t n;
    bulk_pair *pairs;
} bulk_list;

static lade_status bulk_before(bulk *b, void *user)
{
    (void)b;
    ++*(size_t *)user;
    return LADE_OK;
}

static lade_status bulk_after(bulk *b, void *user)
{
    (void)user;
    b->loads++;
    return LADE_OK;
}

static lade_status pair_after(bulk_pair *p, void *user)
{
    (void)user;
    return p->ends[0].loads && p->ends[1].loads ? LADE_OK : LADE_ERR_STATE;
}

LADE_STRUCT(bulk, (before_save, bulk_before), (after_load, bulk_after), (value, x), (value, y),
            (skip, skipped, default(42)))
LADE_STRUCT(bulk_pair, (after_load, pair_after), (record, ends, bulk), (value, length))
LADE_STRUCT(bulk_list, (vector, pairs, n, bulk_pair))

static void hooks_and_defaults_in_bulk(void **state)
{
    bulk_list list = {.n = 1000};
    list.pairs = lade_arena_alloc(*state, list.n * sizeof *list.pairs, 8);
    for (size_t n = 1; n <= list.n; n *= 10) {
        for (int interpret = 0; interpret < 2; interpret++) {
            size_t saves = 0;
            lade_error error;
            lade_context ctx = {.error = &error, .interpret = interpret, .user = &saves};
            lade_buffer buffer = {0};
            lade_arena *owner = test_dirty_arena();
            bulk_list *loaded;
            list.n = n;
            for (size_t i = 0; i < n; i++)
                list.pairs[i] = (bulk_pair){{{(double)i, 1, 0, 9}, {2, 3, 0, 9}}, (double)i};
            assert_ok(lade_encode(bulk_list, &list, &buffer, &ctx), &error);
            assert_int_equal(saves, 2 * n);
            assert_int_equal(ctx.stats.content_bytes, n * 40 >= LADE_CONTENT_MIN ? n * 40 : 0);
            assert_ok(lade_decode(bulk_list, buffer.data, buffer.size, &loaded, &owner, &ctx),
                      &error);
            for (size_t i = 0; i < n; i++) {
                assert_true(loaded->pairs[i].ends[0].x == (double)i);
                assert_int_equal(loaded->pairs[i].ends[1].skipped, 42);
                assert_int_equal(loaded->pairs[i].ends[1].loads, 1);
            }
            loaded->pairs[n - 1].ends[1].skipped = 7;
            assert_ok(lade_decode_into(bulk_list, buffer.data, buffer.size, loaded, &ctx), &error);
            assert_int_equal(loaded->pairs[n - 1].ends[1].skipped, 7);
            lade_buffer_fini(&buffer);
            lade_arena_destroy(owner);
            lade_context_fini(&ctx);
        }
        list.n = 1000;
    }
}

static void long_doubles_are_exact(void **state)
{
    static const long double values[] = {0.0L,          -0.0L,        1.0L,
                                         -1.0L / 3,     LDBL_MAX,     LDBL_MIN,
                                         LDBL_TRUE_MIN, LDBL_EPSILON, 3.14159265358979323846L};
    lade_arena *owner = NULL;
    lade_error error;
    lade_context ctx = {.error = &error};
    lade_buffer buffer = {0};
    long double *loaded;
    size_t n = COUNT_OF(values);
    (void)state;
    assert_ok(lade_encode_array(values, 1, &n, &buffer, &ctx), &error);
    assert_ok(lade_decode_array(buffer.data, buffer.size, &loaded, 1, &n, &owner, &ctx), &error);
    for (size_t i = 0; i < n; i++)
        assert_true(loaded[i] == values[i] &&
                    __builtin_signbit(loaded[i]) == __builtin_signbit(values[i]));
    /* one, as binary128 */
    static const uint8_t one[16] = {[14] = 0xff, [15] = 0x3f};
    assert_memory_equal(buffer.data + LADE_MESSAGE_HEADER + 2 + 32, one, sizeof one);
    buffer.data[LADE_MESSAGE_HEADER + 2 + 32] = 1; /* the last of 113 bits */
    lade_status status = lade_decode_array_as(&lade_scalar_f128, buffer.data, buffer.size, &loaded,
                                              1, &n, &owner, &ctx);
    assert_status(status, LDBL_MANT_DIG == 113 ? LADE_OK : LADE_ERR_RANGE);
    lade_buffer_fini(&buffer);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_types, setup, teardown),
        cmocka_unit_test_setup_teardown(an_unknown_class_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(fixed_arrays_of_pointers, setup, teardown),
        cmocka_unit_test_setup_teardown(vectors_of_pointers_and_containers, setup, teardown),
        cmocka_unit_test_setup_teardown(grids, setup, teardown),
        cmocka_unit_test_setup_teardown(grids_without_elements, setup, teardown),
        cmocka_unit_test_setup_teardown(variants, setup, teardown),
        cmocka_unit_test_setup_teardown(sequences_versions_and_hooks, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_hooks_fail_the_call, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_external_needs_a_key, setup, teardown),
        cmocka_unit_test_setup_teardown(a_list_that_is_a_cycle_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(unsorted_maps_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(hooks_and_defaults_in_bulk, setup, teardown),
        cmocka_unit_test_setup_teardown(long_doubles_are_exact, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
