/* Walks for archives of a program's own. */
#include <stdlib.h>

#include <lade/visit.h>

#include "kind_types.h"
#include "support.h"

/* Everything that has a value, one after the other, as bytes. */
typedef struct {
    uint8_t *bytes;
    size_t size, capacity, at;
    bool whole;       /* arrays in one call */
    size_t calls;     /* to any function */
    size_t fail_call; /* the call that fails, or 0 */
    size_t arrays, begun, ended, nulls, refs, objects, keys;
} tape;

static lade_status count_call(tape *t)
{
    return ++t->calls == t->fail_call ? LADE_ERR_NO_SPACE : LADE_OK;
}

static void tape_put(tape *t, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    if (t->size + size > t->capacity) {
        t->capacity = 2 * (t->size + size);
        t->bytes = realloc(t->bytes, t->capacity);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static size_t item_size(const lade_item *item)
{
    switch (item->kind) {
    case LADE_ITEM_SCALAR:
    case LADE_ITEM_ENUMERATION:
        return lade_scalar_size(item->scalar);
    case LADE_ITEM_FIXED_TEXT:
        return (size_t)item->count;
    case LADE_ITEM_TEXT:
        return strlen(item->data);
    case LADE_ITEM_ARRAY:
        return (size_t)item->count * item->type->size;
    default:
        return 0;
    }
}

static void note(tape *t, const lade_item *item)
{
    t->nulls += item->kind == LADE_ITEM_NULL;
    t->refs += item->kind == LADE_ITEM_REF;
    t->keys += item->kind == LADE_ITEM_KEY;
}

static lade_status save_value(void *user, const lade_item *item)
{
    note(user, item);
    tape_put(user, item->data, item_size(item));
    return count_call(user);
}

static lade_status save_array(void *user, const lade_item *item)
{
    ((tape *)user)->arrays++;
    assert_int_equal(item->kind, LADE_ITEM_ARRAY);
    tape_put(user, item->data, item_size(item));
    return count_call(user);
}

static lade_status load_value(void *user, const lade_item *item)
{
    tape *t = user;
    size_t size = item_size(item);
    bool discriminant = item->field && item->field->kind == LADE_KIND_VARIANT;
    assert_true(t->at + size <= t->size);
    if (size && !discriminant)
        memcpy(item->data, t->bytes + t->at, size);
    t->at += size;
    return LADE_OK;
}

static bool takes_whole(void *user, const lade_type *element)
{
    return element && ((tape *)user)->whole;
}

static lade_status on_begin(void *user, const lade_item *item)
{
    tape *t = user;
    t->begun++;
    t->objects += item->kind == LADE_ITEM_OBJECT;
    return count_call(t);
}

static lade_status on_end(void *user, const lade_item *item)
{
    assert_true(item->kind == LADE_ITEM_ARRAY || item->kind == LADE_ITEM_RECORD ||
                item->kind == LADE_ITEM_OBJECT);
    ((tape *)user)->ended++;
    return count_call(user);
}

static lade_visitor saver(tape *t)
{
    return (lade_visitor){t, takes_whole, save_array, save_value, on_begin, on_end};
}

static lade_visitor loader(tape *t)
{
    return (lade_visitor){t, takes_whole, load_value, load_value, on_begin, on_end};
}

static lade_error error;
static lade_context ctx = {.error = &error, .externals = &kind_externals};

/* Zeros all numbers, in place. */
static lade_status wipe(void *user, const lade_item *item)
{
    (void)user;
    if (item->kind == LADE_ITEM_SCALAR && !(item->field && item->field->kind == LADE_KIND_VARIANT))
        memset(item->data, 0, item_size(item));
    return LADE_OK;
}

/* What is taped from one value and played into another of its shape makes them equal. */
static void tape_and_play(const lade_type *type, const void *value, bool whole)
{
    lade_buffer first = {0};
    lade_buffer second = {0};
    void *other;
    lade_arena *owner = NULL;
    tape t = {.whole = whole};
    ctx.bare = false;
    assert_ok(lade_encode_as(type, value, &first, &ctx), &error);
    assert_ok(lade_decode_as(type, first.data, first.size, &other, &owner, &ctx), &error);
    lade_visitor save = saver(&t);
    lade_visitor load = loader(&t);
    assert_ok(lade_visit(&(lade_root){.type = type, .value = value}, &save, &ctx), &error);
    assert_int_equal(t.begun, t.ended);
    if (type != &lade_type_kennel) { /* whose numbers tell types */
        lade_visitor wiper = {.value = wipe};
        assert_ok(lade_visit_into(&(lade_root){.type = type}, other, &wiper, &ctx), &error);
    }
    assert_ok(lade_visit_into(&(lade_root){.type = type}, other, &load, &ctx), &error);
    assert_int_equal(t.at, t.size);
    assert_ok(lade_encode_as(type, other, &second, &ctx), &error);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    lade_buffer_fini(&first);
    lade_buffer_fini(&second);
    lade_arena_destroy(owner);
    free(t.bytes);
}

static void every_kind(void **state)
{
    (void)state;
    lade_arena *arena = test_dirty_arena();
    for (size_t size = 0; size < 6; size++)
        for (int whole = 0; whole < 2; whole++) {
            tape_and_play(&lade_type_kennel, kind_kennel(arena, size), whole);
            tape_and_play(&lade_type_octant, kind_octant(arena, size), whole);
            tape_and_play(&lade_type_sack, kind_sack(arena, size), whole);
            tape_and_play(&lade_type_fields, kind_fields(arena, size), whole);
            everything *e = kind_everything(arena, size);
            tape_and_play(&lade_type_agenda, &e->agenda, whole);
            tape_and_play(&lade_type_shape, &e->shapes[0], whole);
            tape_and_play(&lade_type_shape, &e->shapes[1], whole);
        }
    lade_arena_destroy(arena);
}

static void one_call_an_array_or_one_an_element(void **state)
{
    enum { N = 1000 };
    double numbers[N] = {0};
    size_t extents[2] = {10, N / 10};
    lade_root root = {&lade_scalar_f64, numbers, 2, extents};
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        tape t = {.whole = whole};
        lade_visitor v = saver(&t);
        assert_int_equal(lade_visit(&root, &v, NULL), LADE_OK);
        assert_int_equal(t.arrays, whole);
        assert_int_equal(t.calls, whole ? 1 : N + 2);
        assert_int_equal(t.size, sizeof numbers);
        free(t.bytes);
        v.takes_whole = NULL; /* who does not say is asked for nothing */
        t = (tape){.whole = whole};
        assert_int_equal(lade_visit(&root, &v, NULL), LADE_OK);
        assert_int_equal(t.calls, N + 2);
        free(t.bytes);
    }
}

static void which_types_are_whole(void **state)
{
    (void)state;
    assert_true(lade_takes_whole(&lade_scalar_f64, NULL));
    assert_true(lade_takes_whole(&lade_scalar_bool, NULL));
    assert_false(lade_takes_whole(&lade_scalar_f128, NULL));
    assert_false(lade_takes_whole(&lade_type_animal, NULL));
    assert_false(lade_takes_whole(&lade_type_colour, NULL));
    assert_false(lade_takes_whole(NULL, NULL));
}

static void refs_and_nulls(void **state)
{
    (void)state;
    lade_arena *arena = test_dirty_arena();
    octant *o = kind_octant(arena, 1);
    tape t = {0};
    lade_visitor v = saver(&t);
    assert_int_equal(lade_visit(&(lade_root){.type = &lade_type_octant, .value = o}, &v, &ctx),
                     LADE_OK);
    assert_int_equal(t.refs, 4);
    assert_int_equal(t.objects, 1); /* the root is none */
    assert_int_equal(t.keys, 0);
    free(t.bytes);
    lade_arena_destroy(arena);
}

static void a_failing_visitor_ends_the_walk(void **state)
{
    (void)state;
    lade_arena *arena = test_dirty_arena();
    lade_root root = {.type = &lade_type_fields, .value = kind_fields(arena, 1)};
    tape all = {0};
    lade_visitor v = saver(&all);
    assert_int_equal(lade_visit(&root, &v, &ctx), LADE_OK);
    for (size_t n = 1; n <= all.calls; n++) {
        tape t = {.fail_call = n};
        lade_visitor failing = saver(&t);
        assert_int_equal(lade_visit(&root, &failing, &ctx), LADE_ERR_NO_SPACE);
        assert_int_equal(t.calls, n);
        free(t.bytes);
    }
    free(all.bytes);
    lade_arena_destroy(arena);
}

static void what_cannot_be_walked(void **state)
{
    (void)state;
    lade_visitor v = {0};
    colour red = {255, 0, 0};
    octant loop = {0};
    assert_int_equal(lade_visit(NULL, &v, &ctx), LADE_ERR_ARGUMENT);
    assert_int_equal(lade_visit(&(lade_root){.type = &lade_type_colour}, &v, &ctx),
                     LADE_ERR_ARGUMENT);
    assert_int_equal(lade_visit(&(lade_root){.type = &lade_type_colour, .value = &red}, &v, &ctx),
                     LADE_ERR_ARGUMENT);
    assert_non_null(strstr(error.message, "custom"));
    loop.child[0][0][0] = &loop;
    assert_int_equal(lade_visit(&(lade_root){.type = &lade_type_octant, .value = &loop}, &v, &ctx),
                     LADE_ERR_VALUE);
}

static int fini(void **state)
{
    (void)state;
    lade_context_fini(&ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(one_call_an_array_or_one_an_element),
        cmocka_unit_test(which_types_are_whole),
        cmocka_unit_test(refs_and_nulls),
        cmocka_unit_test(a_failing_visitor_ends_the_walk),
        cmocka_unit_test(what_cannot_be_walked),
    };
    return cmocka_run_group_tests(tests, NULL, fini);
}
