/* Walking values without their C types; entries of files that are loaded by their own schema. */
#include "city_types.h"
#include "graph_types.h"
#include "kind_types.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A dump of a value as text; objects that are met again are named by their number. */
typedef struct dump {
    FILE *to;
    const void *seen[2000];
    const lade_type *types[2000];
    size_t count;
} dump;

static bool met_before(dump *d, const lade_view *v)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->seen[i] == v->data && strcmp(d->types[i]->name, v->type->name) == 0) {
            fprintf(d->to, "#%zu", i);
            return true;
        }
    assert_true(d->count < COUNT_OF(d->seen));
    d->types[d->count] = v->type;
    d->seen[d->count++] = v->data;
    return false;
}

static void dump_number(dump *d, const lade_view *v)
{
    int64_t i;
    uint64_t u;
    double re = 0;
    double im = 0;
    if (lade_view_enumerator(v))
        fprintf(d->to, "%s", lade_view_enumerator(v));
    else if (lade_view_i64(v, &i))
        fprintf(d->to, "%lld", (long long)i);
    else if (lade_view_u64(v, &u))
        fprintf(d->to, "%llu", (unsigned long long)u);
    else if (lade_view_f64(v, &re) && lade_view_imaginary(v, &im))
        fprintf(d->to, "%a+%ai", re, im);
    else
        fail_msg("a number is none");
}

static void dump_view(dump *d, const lade_view *v)
{
    lade_view x;
    if (v->name)
        fprintf(d->to, "%s=", v->name);
    if (v->is == LADE_IS_RECORD && v->tracked && met_before(d, v))
        return;
    switch (v->is) {
    case LADE_IS_NULL:
        fprintf(d->to, "NULL");
        break;
    case LADE_IS_NUMBER:
        dump_number(d, v);
        break;
    case LADE_IS_TEXT:
        if (v->field->kind == LADE_KIND_EXTERNAL)
            fprintf(d->to, "?");
        else
            fprintf(d->to, "\"%.*s\"", (int)v->count, (const char *)v->data);
        break;
    case LADE_IS_RECORD:
    case LADE_IS_CASE:
        fprintf(d->to, "%s{", v->type->name);
        for (uint64_t i = 0; i < v->count; i++) {
            assert_true(lade_view_field(v, i, &x));
            dump_view(d, &x);
            fprintf(d->to, " ");
        }
        if (v->is == LADE_IS_CASE)
            fprintf(d->to, "case %lld", (long long)v->discriminant);
        assert_false(lade_view_field(v, v->count, &x));
        fprintf(d->to, "}");
        break;
    case LADE_IS_ARRAY:
        for (unsigned i = 0; i < v->rank; i++)
            fprintf(d->to, "[%zu]", v->extents[i]);
        for (uint64_t i = 0; i < v->count; i++) {
            assert_true(lade_view_at(v, i, &x));
            fprintf(d->to, " ");
            dump_view(d, &x);
        }
        assert_false(lade_view_at(v, v->count, &x));
        break;
    case LADE_IS_RAW:
    case LADE_IS_OPAQUE:
        fprintf(d->to, "?");
        break;
    }
}

static char *dump_text(const lade_value *value)
{
    char *text = NULL;
    size_t size = 0;
    dump *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->to = open_memstream(&text, &size);
    assert_non_null(d->to);
    lade_view v = lade_view_of(value);
    dump_view(d, &v);
    fclose(d->to);
    free(d);
    return text;
}

static char folder[] = "/tmp/lade_view_XXXXXX";
static char file_path[64];

static int setup(void **state)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file_path, sizeof file_path, "%s/file.lade", folder);
    *state = lade_arena_create(NULL);
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    lade_arena_destroy(*state);
    unlink(file_path);
    return rmdir(folder);
}

static void put(lade_file *file, const char *name, const lade_value *v, const lade_error *error)
{
    if (v->rank)
        assert_ok(lade_file_put_array_as(file, name, v->type, v->data, v->rank, v->extents), error);
    else
        assert_ok(lade_file_put_as(file, name, v->type, v->data), error);
}

/* Saves a value by its type, loads it without, compares the walks, saves it again, and loads it by its type. */
static void check_any(const lade_value *value)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error, .externals = &kind_externals};
    lade_file *file;
    lade_schema *schema;
    lade_value any;
    lade_arena *owner = test_dirty_arena();
    size_t extents[LADE_MAX_RANK];
    void *back;
    assert_ok(lade_file_create(file_path, &file, &ctx), &error);
    put(file, "first", value, &error);
    assert_ok(lade_file_commit(file), &error);
    assert_ok(lade_file_schema(file, "first", &schema), &error);
    assert_ok(lade_file_get_any(file, "first", schema, &any, &owner), &error);
    char *a = dump_text(value);
    char *b = dump_text(&any);
    assert_string_equal(a, b);
    free(a);
    free(b);
    put(file, "second", &any, &error);
    assert_ok(lade_file_commit(file), &error);
    if (value->rank)
        assert_ok(lade_file_get_array_as(file, "second", value->type, &back, value->rank, extents,
                                         &owner),
                  &error);
    else
        assert_ok(lade_file_get_as(file, "second", value->type, &back, &owner), &error);
    lade_schema_destroy(schema);
    assert_ok(lade_file_close(file), &error);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

static void every_type_is_walked_alike(void **state)
{
    node two[2] = {{1, &two[1], NULL, NULL}, {2, &two[0], &two[1], NULL}};
    shape shapes[2] = {{.kind = SHAPE_BOX, .is = {.side = {1, 2}}, .after = 1}, {.after = 2}};
    lade_arena *arena = *state;
    check_any(&(lade_value){.type = &lade_type_city, .data = city_small()});
    check_any(&(lade_value){.type = &lade_type_node, .data = two});
    check_any(&(lade_value){.type = &lade_type_node, .data = two, .rank = 2, .extents = {1, 2}});
    check_any(&(lade_value){.type = &lade_type_shape, .data = shapes, .rank = 1, .extents = {2}});
    check_any(
        &(lade_value){.type = &lade_scalar_i32, .data = &(int32_t){-5}, .rank = 1, .extents = {1}});
    for (size_t size = 0; size <= 20; size += 10) {
        check_any(&(lade_value){.type = &lade_type_octant, .data = kind_octant(arena, size)});
        check_any(&(lade_value){.type = &lade_type_sack, .data = kind_sack(arena, size)});
        check_any(&(lade_value){.type = &lade_type_fields, .data = kind_fields(arena, size)});
        check_any(&(lade_value){.type = &lade_type_kennel, .data = kind_kennel(arena, size / 5)});
        check_any(
            &(lade_value){.type = &lade_type_everything, .data = kind_everything(arena, size)});
    }
}

static void units_and_sentences_are_kept(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_schema *schema;
    lade_file *file;
    animal a = {.age = 3};
    (void)state;
    assert_ok(lade_save_file(file_path, animal, &a, &ctx), &error);
    assert_ok(lade_file_open(file_path, LADE_READ, &file, &ctx), &error);
    assert_ok(lade_file_schema(file, LADE_ROOT_ENTRY, &schema), &error);
    lade_value any;
    lade_arena *owner = NULL;
    assert_ok(lade_file_get_any(file, LADE_ROOT_ENTRY, schema, &any, &owner), &error);
    assert_ok(lade_file_close(file), &error);
    lade_view root = lade_view_of(&any);
    lade_view age;
    int64_t years;
    assert_true(lade_view_find(&root, "age", &age));
    assert_true(lade_view_i64(&age, &years));
    assert_int_equal(years, 3);
    assert_string_equal(lade_view_unit(&age), "a");
    assert_string_equal(lade_view_doc(&age), "since birth");
    assert_false(lade_view_find(&root, "weight", &age));
    lade_schema_destroy(schema);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

/* A program that knows animals only. */
static void an_unknown_type_is_named(void **state)
{
    static const lade_type *const known[] = {&lade_type_animal};
    lade_choice choice = {1, known, NULL};
    lade_field list[3];
    lade_type poor = lade_type_kennel;
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    dog rex = {{1, 2, NULL}, 3};
    kennel k = {.pet = &rex, .kind = 1};
    void *out;
    lade_arena *owner = NULL;
    (void)state;
    memcpy(list, lade_type_kennel.fields, sizeof list);
    for (int i = 0; i < 3; i++) {
        static lade_choice by[3];
        by[i] = *list[i].choice;
        by[i].count = 1;
        by[i].types = known;
        list[i].choice = i ? &by[i] : &choice;
    }
    poor.fields = list;
    poor.save = NULL;
    poor.load = NULL;
    poor.cell = NULL;
    assert_ok(lade_save_file(file_path, kennel, &k, &ctx), &error);
    assert_status(lade_load_file_as(file_path, &poor, &out, &owner, &ctx), LADE_ERR_TYPE);
    assert_non_null(strstr(error.message, "'dog'"));
    assert_null(owner);
    lade_context_fini(&ctx);
}

static void schemas_of_entries_fail_cleanly(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_file *file;
    lade_schema *schema = NULL;
    lade_schema *other = NULL;
    lade_value any = {0};
    lade_arena *owner = NULL;
    animal a = {0};
    (void)state;
    assert_ok(lade_file_create(file_path, &file, &ctx), &error);
    assert_ok(lade_file_put(file, "a", animal, &a), &error);
    assert_status(lade_file_schema(file, "a", &schema), LADE_ERR_STATE);
    assert_ok(lade_file_commit(file), &error);
    assert_status(lade_file_schema(file, "b", &schema), LADE_ERR_NOT_FOUND);
    assert_status(lade_file_schema(file, NULL, &schema), LADE_ERR_ARGUMENT);
    assert_status(lade_file_get_any(file, "a", NULL, &any, &owner), LADE_ERR_ARGUMENT);
    assert_ok(lade_schema_describe(&lade_type_spot, false, &other, &ctx), &error);
    assert_status(lade_file_get_any(file, "a", other, &any, &owner), LADE_ERR_TYPE);
    assert_null(any.type);
    assert_null(owner);
    lade_schema_destroy(other);
    assert_ok(lade_file_close(file), &error);
    lade_context_fini(&ctx);
}

/* A struct of the program, described at run time with its own offsets. */
typedef struct {
    double x[2];
    int32_t id;
    uint16_t n;
    float *samples;
} probe;

static void types_are_made_field_by_field(void **state)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_schema *schema;
    const lade_type *type;
    lade_buffer buffer = {0};
    lade_arena *owner = NULL;
    float samples[3] = {1, 2, 3};
    probe p = {{0.5, 1.5}, 7, 3, samples};
    probe *loaded;
    (void)state;
    assert_ok(lade_schema_create(&schema, &ctx), &error);
    assert_ok(lade_schema_add(
                  schema, &(lade_type){.name = "probe", .size = sizeof p, .align = _Alignof(probe)},
                  &type),
              &error);
    const lade_field list[] = {
        {.name = "x", .kind = LADE_KIND_VALUE, .scalar = LADE_F64, .rank = 1, .extent = {2}},
        {.name = "id", .kind = LADE_KIND_VALUE, .scalar = LADE_I32, .offset = offsetof(probe, id)},
        {.name = "samples",
         .kind = LADE_KIND_VECTOR,
         .type = &lade_scalar_f32,
         .offset = offsetof(probe, samples),
         .count_offset = offsetof(probe, n),
         .count_scalar = LADE_U16},
    };
    for (size_t i = 0; i < COUNT_OF(list); i++)
        assert_ok(lade_schema_add_field(schema, type, &list[i]), &error);
    assert_ok(lade_schema_finish(schema, type, false), &error);
    assert_status(lade_schema_finish(schema, type, false), LADE_ERR_STATE);
    assert_ptr_equal(lade_schema_find(schema, "probe"), type);
    assert_ok(lade_encode_as(type, &p, &buffer, &ctx), &error);
    assert_ok(lade_decode_as(type, buffer.data, buffer.size, &loaded, &owner, &ctx), &error);
    assert_true(loaded->x[1] == 1.5 && loaded->id == 7 && loaded->n == 3 &&
                loaded->samples[2] == 3);
    lade_schema_destroy(schema);
    lade_buffer_fini(&buffer);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
}

static void what_cannot_be_is_refused(void **state)
{
    static const lade_enum empty = {"empty", 0, true, NULL};
    static const struct {
        lade_field field;
        const char *text;
    } cases[] = {
        {{.name = "", .kind = LADE_KIND_TEXT}, "its name"},
        {{.name = "x", .kind = LADE_KIND_VALUE}, "scalar"},
        {{.name = "x", .kind = LADE_KIND_ENUMERATION, .scalar = LADE_I32, .enumeration = &empty},
         "enumerators"},
        {{.name = "x", .kind = LADE_KIND_VECTOR, .offset = LADE_NO_OFFSET}, "element type"},
        {{.name = "x", .kind = 40, .offset = LADE_NO_OFFSET}, "unknown kind"},
        {{.name = "x", .kind = LADE_KIND_TEXT, .offset = 1 << 20}, "inside its struct"},
        {{.name = "x", .kind = LADE_KIND_FIXED_TEXT, .offset = LADE_NO_OFFSET}, "capacity"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lade_error error = {0};
        lade_context ctx = {.error = &error};
        lade_schema *schema;
        const lade_type *type;
        assert_ok(lade_schema_create(&schema, &ctx), &error);
        assert_ok(lade_schema_add(schema, &(lade_type){.name = "t", .size = 8, .align = 8}, &type),
                  &error);
        lade_status status = lade_schema_add_field(schema, type, &cases[i].field);
        if (status == LADE_OK)
            status = lade_schema_finish(schema, type, false);
        assert_status(status, LADE_ERR_DESCRIPTION);
        assert_status(lade_schema_finish(schema, type, false), LADE_ERR_STATE);
        if (!strstr(error.message, cases[i].text) && !strstr(error.message, "finished"))
            fail_msg("'%s' is not in '%s'", cases[i].text, error.message);
        lade_schema_destroy(schema);
        lade_context_fini(&ctx);
    }
}

static void numbers_are_read_exactly(void **state)
{
    static const float half = 0.5F;
    static const double large = 1e30;
    static const uint64_t most = UINT64_MAX;
    static const int8_t negative = -3;
    static const double minus_zero = -0.0;
    static const struct {
        const lade_type *type;
        const void *data;
        bool i, u;
    } cases[] = {
        {&lade_scalar_f32, &half, false, false},       {&lade_scalar_f64, &large, false, false},
        {&lade_scalar_u64, &most, false, true},        {&lade_scalar_i8, &negative, true, false},
        {&lade_scalar_f64, &minus_zero, false, false},
    };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        lade_view v = lade_view_of(
            &(lade_value){.type = cases[k].type, .data = lade_priv_unconst(cases[k].data)});
        int64_t i;
        uint64_t u;
        double d;
        assert_int_equal(lade_view_i64(&v, &i), cases[k].i);
        assert_int_equal(lade_view_u64(&v, &u), cases[k].u);
        assert_true(lade_view_f64(&v, &d));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_type_is_walked_alike, setup, teardown),
        cmocka_unit_test_setup_teardown(units_and_sentences_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(an_unknown_type_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(schemas_of_entries_fail_cleanly, setup, teardown),
        cmocka_unit_test(types_are_made_field_by_field),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(numbers_are_read_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
