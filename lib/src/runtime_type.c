/* Types made at run time: the object that owns them, and making them field by field. */
#include "runtime.h"

#include <stdatomic.h>
#include <string.h>

#include "plan.h"

/* Tells the types of one schema from those of another that stood at the same place: plans are kept by address.
 * Never 0; 2^64 schemas are not made. */
static uint64_t next_stamp(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

void *lade_schema_take(lade_job *job, lade_schema *s, size_t size)
{
    void *memory = lade_arena_alloc(s->arena, size ? size : 1, _Alignof(max_align_t));
    if (!memory)
        lade_job_error(job, LADE_ERR_MEMORY, 0, "out of memory");
    else
        memset(memory, 0, size);
    return memory;
}

static void *copy(lade_job *job, lade_schema *s, const void *from, size_t size)
{
    void *to = lade_schema_take(job, s, size);
    if (to && size)
        memcpy(to, from, size);
    return to;
}

static bool copy_text(lade_job *job, lade_schema *s, const char **text)
{
    return !*text || (*text = copy(job, s, *text, strlen(*text) + 1)) != NULL;
}

lade_status lade_schema_make(lade_job *job, lade_context *ctx, lade_schema **out)
{
    lade_schema *s = lade_mem_get(job->ctx->allocator, sizeof *s);
    if (s)
        *s = (lade_schema){.allocator = job->ctx->allocator, .ctx = ctx, .stamp = next_stamp()};
    if (s)
        s->arena = lade_arena_create(s->allocator);
    if (s && s->arena) {
        *out = s;
        return LADE_OK;
    }
    lade_schema_destroy(s);
    return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
}

void lade_schema_destroy(lade_schema *s)
{
    if (!s)
        return;
    if (s->ctx && s->ctx->cache)
        lade_plans_drop(s->allocator, s->ctx->cache, s->stamp);
    lade_arena_destroy(s->arena);
    lade_mem_free(s->allocator, s, sizeof *s);
}

const lade_type *lade_schema_root(const lade_schema *schema)
{
    return schema ? schema->root : NULL;
}

bool lade_schema_is_array(const lade_schema *schema)
{
    return schema && schema->array;
}

const lade_type *lade_schema_find(const lade_schema *schema, const char *name)
{
    for (const lade_runtime_type *t = schema && name ? schema->first : NULL; t; t = t->next)
        if (strcmp(t->type.name, name) == 0)
            return &t->type;
    return NULL;
}

static bool valid_name(const char *name)
{
    return name && *name && strlen(name) <= RUNTIME_NAME;
}

lade_runtime_type *lade_runtime_add(lade_job *job, lade_schema *s, const lade_type *spec)
{
    bool union_or_custom = spec->form == LADE_FORM_UNION || spec->form == LADE_FORM_CUSTOM;
    if (!valid_name(spec->name) || spec->scalar != LADE_NONE ||
        (spec->form != LADE_FORM_RECORD && !union_or_custom) || spec->align > LADE_MAX_ALIGN ||
        (spec->size && (spec->align == 0 || (spec->align & (spec->align - 1))))) {
        lade_job_error(job, LADE_ERR_DESCRIPTION, 0,
                       "a type has a name of 1 to %d bytes, a form that is known, and an alignment "
                       "that is a power of two",
                       RUNTIME_NAME);
        return NULL;
    }
    if (s->count == RUNTIME_TYPES) {
        lade_job_error(job, LADE_ERR_LIMIT, 0, "a schema has at most %d types", RUNTIME_TYPES);
        return NULL;
    }
    lade_runtime_type *t = lade_schema_take(job, s, sizeof *t);
    if (!t)
        return NULL;
    t->type = *spec;
    t->type.fields = NULL;
    t->type.field_count = 0;
    t->type.cell = &t->cell;
    t->type.stamp = s->stamp;
    if (!copy_text(job, s, &t->type.name))
        return NULL;
    if (s->last)
        s->last->next = t;
    else
        s->first = t;
    s->last = t;
    s->count++;
    return t;
}

static bool copy_enum(lade_job *job, lade_schema *s, const lade_enum **from)
{
    lade_enum *en = copy(job, s, *from, sizeof *en);
    lade_enumerator *list = en ? copy(job, s, en->list, en->count * sizeof *list) : NULL;
    if (!list || !copy_text(job, s, &en->name))
        return false;
    en->list = list;
    en->linear = true;
    for (uint32_t i = 0; i < en->count; i++) {
        if (!copy_text(job, s, &list[i].name))
            return false;
        en->linear = en->linear && (uint64_t)list[i].value - (uint64_t)list[0].value == (uint64_t)i;
    }
    *from = en;
    return true;
}

static bool copy_options(lade_job *job, lade_schema *s, lade_field *f)
{
    static const lade_options none;
    lade_options *o = copy(job, s, f->options ? f->options : &none, sizeof *o);
    if (!o || !copy_text(job, s, &o->unit) || !copy_text(job, s, &o->doc) ||
        !copy_text(job, s, &o->alias))
        return false;
    o->generic = true;
    f->options = o;
    return true;
}

/* What stands behind a field's pointers. */
static bool copy_parts(lade_job *job, lade_schema *s, lade_field *f)
{
    lade_choice *choice;
    switch (f->kind) {
    case LADE_KIND_ENUMERATION:
        return !f->enumeration || copy_enum(job, s, &f->enumeration);
    case LADE_KIND_GRID:
        return !f->grid || (f->grid = copy(job, s, f->grid, sizeof *f->grid)) != NULL;
    case LADE_KIND_ANY:
    case LADE_KIND_ANY_REF:
        if (!f->choice)
            return true;
        choice = copy(job, s, f->choice, sizeof *choice);
        if (!choice)
            return false;
        f->choice = choice;
        choice->types = copy(job, s, choice->types, choice->count * sizeof(lade_type *));
        return choice->types != NULL;
    case LADE_KIND_EXTERNAL:
        return copy_text(job, s, &f->set);
    default:
        return true;
    }
}

static const char *field_fault(const lade_field *f)
{
    bool integer = f->scalar >= LADE_CHAR && f->scalar <= LADE_U64;
    if (!valid_name(f->name))
        return "its name is empty or too long";
    if (f->rank > LADE_MAX_EXTENTS)
        return "its rank is too high";
    if ((f->kind == LADE_KIND_VALUE || f->kind == LADE_KIND_CAPACITY) &&
        (f->scalar == LADE_NONE || f->scalar > LADE_F128))
        return "its scalar is not known";
    if (f->kind == LADE_KIND_ENUMERATION &&
        (!integer || !f->enumeration || f->enumeration->count == 0))
        return "its enumeration has no enumerators, or is no integer";
    if (f->kind == LADE_KIND_FIXED_TEXT && f->rank == 0)
        return "a fixed text has a capacity";
    return NULL;
}

lade_field *lade_runtime_field_add(lade_job *job, lade_schema *s, lade_runtime_type *t,
                                   const lade_field *spec)
{
    const char *fault = field_fault(spec);
    if (fault) {
        lade_job_error(job, LADE_ERR_DESCRIPTION, 0, "%s.%.100s: %s", t->type.name,
                       spec->name ? spec->name : "", fault);
        return NULL;
    }
    if (t->type.field_count == RUNTIME_FIELDS || s->field_count == RUNTIME_ALL_FIELDS) {
        lade_job_error(job, LADE_ERR_LIMIT, 0, "'%s' has more fields than a schema may have",
                       t->type.name);
        return NULL;
    }
    lade_runtime_field *f = lade_schema_take(job, s, sizeof *f);
    if (!f)
        return NULL;
    f->field = *spec;
    if (f->field.kind == LADE_KIND_BITS && f->field.scalar == LADE_NONE)
        f->field.scalar = LADE_U64;
    if (f->field.kind == LADE_KIND_MAP && !f->field.map)
        f->field.extent[0] = sizeof(void *);
    if (!copy_text(job, s, &f->field.name) || !copy_options(job, s, &f->field) ||
        !copy_parts(job, s, &f->field))
        return NULL;
    if (t->last)
        t->last->next = f;
    else
        t->first = f;
    t->last = f;
    t->type.field_count++;
    s->field_count++;
    return &f->field;
}

lade_status lade_runtime_finish(lade_job *job, lade_schema *s, const lade_type *root, bool array)
{
    const lade_plan *plan;
    s->root = root;
    s->array = array;
    s->finished = true;
    lade_status status = lade_runtime_layout(job, s);
    for (const lade_runtime_type *t = s->first; t && status == LADE_OK; t = t->next)
        status = lade_type_check(job, &t->type);
    return status == LADE_OK ? lade_plan_get(job, root, array, &plan) : status;
}

lade_status lade_schema_create(lade_schema **out, lade_context *ctx)
{
    lade_job job;
    lade_schema *s;
    if (!out)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "out must not be NULL");
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK)
        status = lade_schema_make(&job, ctx, &s);
    if (status == LADE_OK)
        *out = s;
    return lade_job_end(&job, status);
}

/* The types of a schema that is not finished are changed through handles that are const for everyone else. */
static lade_runtime_type *own_type(const lade_schema *s, const lade_type *type)
{
    return type && type->stamp == s->stamp ? lade_priv_unconst(type) : NULL;
}

static lade_status builder_begin(lade_job *job, const lade_schema *s, bool arguments)
{
    lade_status status = lade_job_begin(job, s ? s->ctx : NULL);
    if (status == LADE_OK && (!s || !arguments))
        return lade_job_fail(job, LADE_ERR_ARGUMENT, 0,
                             "an argument is NULL, or not a type of this schema");
    if (status == LADE_OK && (s->finished || s->failed))
        return lade_job_fail(job, LADE_ERR_STATE, 0, "the schema is finished, or has failed");
    return status;
}

static lade_status builder_end(lade_job *job, lade_schema *s, lade_status status)
{
    if (s && status != LADE_OK && status != LADE_ERR_STATE)
        s->failed = true;
    return lade_job_end(job, status);
}

lade_status lade_schema_add(lade_schema *schema, const lade_type *type, const lade_type **out)
{
    lade_job job;
    lade_status status = builder_begin(&job, schema, type && out);
    lade_runtime_type *t = status == LADE_OK ? lade_runtime_add(&job, schema, type) : NULL;
    if (t)
        *out = &t->type;
    return builder_end(&job, schema, status == LADE_OK ? job.err.status : status);
}

lade_status lade_schema_add_field(lade_schema *schema, const lade_type *type,
                                  const lade_field *field)
{
    lade_job job;
    lade_runtime_type *t = schema ? own_type(schema, type) : NULL;
    lade_status status = builder_begin(&job, schema, t && field);
    if (status == LADE_OK && !lade_runtime_field_add(&job, schema, t, field))
        status = job.err.status;
    return builder_end(&job, schema, status);
}

lade_status lade_schema_finish(lade_schema *schema, const lade_type *root, bool array)
{
    lade_job job;
    lade_status status =
        builder_begin(&job, schema, root && (root->scalar || own_type(schema, root)));
    if (status == LADE_OK)
        status = lade_runtime_finish(&job, schema, root, array);
    return builder_end(&job, schema, status);
}
