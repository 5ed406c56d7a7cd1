/* Known types: programs that know different sets of them understand each other. */
#include <stdio.h>

#include <lade/backend.h>

#include "kind_types.h"
#include "support.h"

/* A type with the fields of kennel, but which knows only the types that are listed. */
typedef struct {
    lade_type type;
    lade_field fields[3];
    lade_choice choices[3];
} other_kennel;

static void other_make(other_kennel *o, const lade_type *const *types, uint32_t count)
{
    memcpy(o->fields, lade_type_kennel.fields, sizeof o->fields);
    for (int i = 0; i < 3; i++) {
        o->choices[i] = *o->fields[i].choice;
        o->choices[i].types = types;
        o->choices[i].count = count;
        o->fields[i].choice = &o->choices[i];
    }
    o->type = lade_type_kennel;
    o->type.fields = o->fields;
    o->type.save = NULL;
    o->type.load = NULL;
    o->type.cell = NULL;
}

static void fingerprints_do_not_depend_on_the_set(void **state)
{
    static const lade_type *const few[] = {&lade_type_animal};
    other_kennel o;
    lade_fingerprint a;
    lade_fingerprint b;
    (void)state;
    other_make(&o, few, 1);
    assert_int_equal(lade_fingerprint_of(&lade_type_kennel, &a, NULL), LADE_OK);
    assert_int_equal(lade_fingerprint_of(&o.type, &b, NULL), LADE_OK);
    assert_true(a.low == b.low && a.high == b.high);
}

/* One set is {animal, dog, pack}, the other is in another order or smaller. */
static void sets_in_another_order(void **state)
{
    static const lade_type *const others[] = {&lade_type_pack, &lade_type_dog, &lade_type_animal};
    other_kennel o;
    lade_error error;
    lade_context ctx = {.error = &error};
    lade_buffer buffer = {0};
    lade_arena *arena = test_dirty_arena();
    lade_arena *owner = NULL;
    dog rex = {{0, 7, NULL}, 30.5}; /* `by` functions give places: here dog is 1 in both sets */
    kennel k = {.pet = &rex, .kind = 1};
    kennel *loaded;
    (void)state;
    other_make(&o, others, 3);
    assert_ok(lade_encode(kennel, &k, &buffer, &ctx), &error);
    assert_ok(lade_decode_as(&o.type, buffer.data, buffer.size, &loaded, &owner, &ctx), &error);
    assert_int_equal(loaded->kind, 1);
    assert_true(((dog *)loaded->pet)->weight == 30.5);
    animal cat = {2, 3, NULL};
    k = (kennel){.pet = &cat, .kind = 0};
    assert_ok(lade_encode(kennel, &k, &buffer, &ctx), &error);
    assert_ok(lade_decode_as(&o.type, buffer.data, buffer.size, &loaded, &owner, &ctx), &error);
    assert_int_equal(loaded->kind, 2); /* the place of animal there */
    assert_int_equal(((animal *)loaded->pet)->age, 3);
    lade_buffer_fini(&buffer);
    lade_arena_destroy(owner);
    lade_arena_destroy(arena);
    lade_context_fini(&ctx);
}

static void what_is_not_known_is_named(void **state)
{
    static const lade_type *const few[] = {&lade_type_animal};
    other_kennel o;
    lade_error error;
    lade_context ctx = {.error = &error};
    lade_buffer buffer = {0};
    lade_arena *owner = NULL;
    dog rex = {{0, 7, NULL}, 30.5};
    kennel k = {.pet = &rex, .kind = 1};
    int untouched;
    void *loaded = &untouched;
    lade_fingerprint print;
    char digits[40];
    (void)state;
    other_make(&o, few, 1);
    assert_int_equal(lade_fingerprint_of(&lade_type_dog, &print, NULL), LADE_OK);
    snprintf(digits, sizeof digits, "%016llx%016llx", (unsigned long long)print.high,
             (unsigned long long)print.low);
    assert_ok(lade_encode(kennel, &k, &buffer, &ctx), &error);
    assert_status(lade_decode_as(&o.type, buffer.data, buffer.size, &loaded, &owner, &ctx),
                  LADE_ERR_TYPE);
    assert_ptr_equal(loaded, &untouched);
    assert_non_null(strstr(error.message, digits));
    assert_string_equal(error.path, "kennel.pet");
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

/* Programs go by the type: an object whose own members say another one is refused. */
static void an_object_is_what_it_says(void **state)
{
    lade_error error;
    lade_buffer buffer = {0};
    animal a = {0, 5, NULL};
    kennel k = {.visitor = &a};
    (void)state;
    for (int interpret = 0; interpret < 2; interpret++) {
        lade_context ctx = {.error = &error, .interpret = interpret};
        kennel *loaded = NULL;
        lade_arena *owner = NULL;
        assert_ok(lade_encode(kennel, &k, &buffer, &ctx), &error);
        /* header; pet null; tag, fingerprint; species */
        uint8_t *species = buffer.data + LADE_MESSAGE_HEADER + 1 + 1 + 16;
        assert_int_equal(*species, 0);
        *species = 1;
        assert_status(lade_decode(kennel, buffer.data, buffer.size, &loaded, &owner, &ctx),
                      LADE_ERR_TYPE);
        assert_null(loaded);
        lade_context_fini(&ctx);
    }
    lade_buffer_fini(&buffer);
}

/* The fingerprint of a type stands once, then one byte an object. */
static void tags_take_one_byte(void **state)
{
    lade_error error;
    lade_context ctx = {.error = &error, .bare = true};
    lade_buffer buffer = {0};
    enum { N = 100 };
    animal pets[N] = {{0, 0, NULL}};
    kennel kennels[N] = {{0}};
    size_t n = N;
    (void)state;
    for (int i = 0; i < N; i++)
        kennels[i] = (kennel){.pet = &pets[i]};
    assert_ok(lade_encode_records(kennel, kennels, 1, &n, &buffer, &ctx), &error);
    /* each: tag, species, age, no name; no visitor; two friends */
    assert_int_equal(buffer.size, 1 + 1 + 16 + N * (1 + 4 + 4 + 1 + 1 + 2));
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingerprints_do_not_depend_on_the_set),
        cmocka_unit_test(sets_in_another_order),
        cmocka_unit_test(what_is_not_known_is_named),
        cmocka_unit_test(an_object_is_what_it_says),
        cmocka_unit_test(tags_take_one_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
