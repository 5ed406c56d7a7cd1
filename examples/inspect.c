/* Prints any Lade file, without the C types that wrote it: inspect FILE [ENTRY]. Objects that are shared are printed
 * once. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lade/lade.h>
#include <lade/view.h>

enum { DEPTH_MAX = 24, ELEMENTS_MAX = 8, SEEN_MAX = 1024 };

/* Objects that were printed; when the list is full, further ones are only named. */
static const void *seen[SEEN_MAX];
static size_t seen_count;

static size_t seen_before(const void *object)
{
    size_t i = 0;
    while (i < seen_count && seen[i] != object)
        i++;
    if (i == seen_count && seen_count < SEEN_MAX)
        seen[seen_count++] = object;
    else if (i < seen_count)
        return i + 1;
    return 0;
}

static void print_number(const lade_view *v)
{
    int64_t i;
    uint64_t u;
    double d;
    const char *name = lade_view_enumerator(v);
    if (name)
        printf("%s", name);
    else if (lade_view_i64(v, &i))
        printf("%" PRId64, i);
    else if (lade_view_u64(v, &u))
        printf("%" PRIu64, u);
    else if (lade_view_f64(v, &d))
        printf("%g", d);
    const char *unit = lade_view_unit(v);
    if (unit)
        printf(" %s", unit);
}

/* One line for what has no parts; \returns false for what has. */
static bool print_plain(const lade_view *v)
{
    size_t id = v->tracked ? seen_before(v->data) : 0;
    if (v->is == LADE_IS_NULL)
        printf("null");
    else if (v->is == LADE_IS_NUMBER)
        print_number(v);
    else if (v->is == LADE_IS_TEXT)
        printf("\"%.*s\"", (int)v->count, (const char *)v->data);
    else if (v->is == LADE_IS_RAW || v->is == LADE_IS_OPAQUE)
        printf("(a custom value)");
    else if (id)
        printf("(%s at %zu again)", v->type->name, id);
    else if (v->count == 0)
        printf("(empty)");
    else
        return false;
    return true;
}

/* A step of the walk: a value with parts, and the next of them. */
typedef struct {
    lade_view view;
    uint64_t next;
} level;

static bool part_of(level *l, lade_view *part)
{
    if (l->view.is != LADE_IS_ARRAY)
        return lade_view_field(&l->view, l->next++, part);
    return l->next < ELEMENTS_MAX && lade_view_at(&l->view, l->next++, part);
}

static void print_value(const lade_value *value)
{
    level levels[DEPTH_MAX] = {{lade_view_of(value), 0}};
    for (size_t depth = 1; depth > 0;) {
        level *l = &levels[depth - 1];
        lade_view part;
        if (!part_of(l, &part)) {
            if (l->view.is == LADE_IS_ARRAY && l->view.count > ELEMENTS_MAX)
                printf("%*s... %" PRIu64 " in all\n", (int)(4 * depth), "", l->view.count);
            depth--;
            continue;
        }
        printf("%*s", (int)(4 * depth), "");
        if (part.name)
            printf("%s: ", part.name);
        bool plain = print_plain(&part);
        if (!plain && depth == DEPTH_MAX)
            printf("(too deep)");
        if (!plain && depth < DEPTH_MAX) {
            printf("%s", part.is == LADE_IS_ARRAY ? "array" : part.type ? part.type->name : "");
            levels[depth++] = (level){part, 0};
        }
        printf("\n");
    }
}

static lade_status print_entry(lade_file *file, const char *name)
{
    lade_schema *schema = NULL;
    lade_value value;
    lade_arena *owner = NULL;
    lade_status status = lade_file_schema(file, name, &schema);
    if (status == LADE_OK)
        status = lade_file_get_any(file, name, schema, &value, &owner);
    if (status == LADE_OK) {
        printf("%s: %s%s\n", name, value.rank ? "array of " : "", value.type->name);
        seen_count = 0;
        seen_before(value.data); /* refs may lead back to it */
        print_value(&value);
    }
    lade_arena_destroy(owner);
    lade_schema_destroy(schema);
    return status;
}

int main(int argc, char **argv)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_file *file = NULL;
    if (argc < 2 || argc > 3 || argv[1][0] == '-') {
        fprintf(stderr, "usage: inspect FILE [ENTRY]\n");
        return 2;
    }
    lade_status status = lade_file_open(argv[1], LADE_READ, &file, &ctx);
    for (size_t i = 0; status == LADE_OK && i < lade_file_count(file); i++)
        if (argc == 2 || strcmp(argv[2], lade_file_name(file, i)) == 0)
            status = print_entry(file, lade_file_name(file, i));
    if (status != LADE_OK)
        fprintf(stderr, "inspect: %s\n", error.message);
    if (file)
        (void)lade_file_close(file);
    lade_context_fini(&ctx);
    return status == LADE_OK ? 0 : 1;
}
