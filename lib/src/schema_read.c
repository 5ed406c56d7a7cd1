/* Types from the bytes of a schema. The bytes may be hostile: what the writer of the resulting type does not
 * write again, byte for byte, is refused. */
#include <string.h>

#include <lade/schema.h>

#include "runtime.h"

typedef struct reader {
    lade_job *job;
    lade_schema *s;
    const uint8_t *p, *end;
    const lade_type **types; /* by index: a run-time type or a scalar */
    size_t count;
    lade_type
        *holders; /* stand for types in fields that come before them: the index in `version` */
    const char *what;
    char name[RUNTIME_NAME + 1];
    bool failed;
} reader;

static void fail(reader *r, const char *text)
{
    if (!r->failed)
        lade_job_error(r->job, LADE_ERR_FORMAT, 0, "the %s is not valid: %s", r->what, text);
    r->failed = true;
    r->p = r->end;
}

/* Something within the job has failed already. */
static void failed_inside(reader *r)
{
    r->failed = true;
    r->p = r->end;
}

static unsigned take_u8(reader *r)
{
    if (r->p < r->end)
        return *r->p++;
    fail(r, "it ends too early");
    return 0;
}

static uint64_t take_varint(reader *r)
{
    uint8_t padded[LADE_PRIV_VARINT_MAX + 8] = {0};
    uint64_t v = 0;
    size_t left = (size_t)(r->end - r->p);
    memcpy(padded, r->p, left < sizeof padded ? left : sizeof padded);
    const uint8_t *next = left ? lade_priv_get_varint(padded, &v) : NULL;
    if (!next || (size_t)(next - padded) > left) {
        fail(r, left ? "a number is not in its shortest form" : "it ends too early");
        return 0;
    }
    r->p += next - padded;
    return v;
}

static int64_t take_i64(reader *r)
{
    if (r->end - r->p < 8) {
        fail(r, "it ends too early");
        return 0;
    }
    r->p += 8;
    return (int64_t)lade_priv_load64(r->p - 8);
}

/* The next name, in r->name until the next one is taken; may be empty where `none`. */
static const char *take_name(reader *r, bool none)
{
    uint64_t n = take_varint(r);
    r->name[0] = 0;
    if (r->failed)
        return r->name;
    if (n > (uint64_t)(r->end - r->p) || n > RUNTIME_NAME || (n == 0 && !none) ||
        memchr(r->p, 0, (size_t)n)) {
        fail(r, "a name is empty, too long, or holds a NUL");
        return r->name;
    }
    memcpy(r->name, r->p, (size_t)n);
    r->name[n] = 0;
    r->p += n;
    if (!lade_is_utf8(r->name))
        fail(r, "a name is not UTF-8, or holds control characters");
    return r->name;
}

static char *keep(reader *r, const char *text)
{
    size_t n = strlen(text) + 1;
    char *kept = r->failed ? NULL : lade_schema_take(r->job, r->s, n);
    if (kept)
        memcpy(kept, text, n);
    else
        failed_inside(r);
    return kept;
}

static void take_extents(reader *r, lade_field *f)
{
    unsigned rank = take_u8(r);
    if (rank > LADE_MAX_EXTENTS) {
        fail(r, "the rank of a field is too high");
        return;
    }
    f->rank = (uint8_t)rank;
    for (unsigned i = 0; i < rank; i++) {
        uint64_t n = take_varint(r);
        if (n == 0 || n > UINT32_MAX)
            fail(r, "an extent is 0, or too large");
        f->extent[i] = (uint32_t)n;
    }
}

static void take_enum(reader *r, lade_field *f)
{
    enum { LEAST = 1 + 8 }; /* bytes of an enumerator, without its name */
    lade_enum *en = lade_schema_take(r->job, r->s, sizeof *en);
    if (!en) {
        failed_inside(r);
        return;
    }
    f->enumeration = en;
    en->name = keep(r, take_name(r, false));
    uint64_t n = take_varint(r);
    if (n == 0 || n > (uint64_t)(r->end - r->p) / LEAST || n > UINT32_MAX) {
        fail(r, "an enumeration has no enumerators, or more than there are");
        return;
    }
    lade_enumerator *list = lade_schema_take(r->job, r->s, (size_t)n * sizeof *list);
    if (!list) {
        failed_inside(r);
        return;
    }
    en->count = (uint32_t)n;
    en->list = list;
    for (uint64_t i = 0; i < n && !r->failed; i++) {
        list[i].name = keep(r, take_name(r, false));
        list[i].value = take_i64(r);
    }
}

static void take_grid(reader *r, lade_field *f)
{
    lade_grid *grid = lade_schema_take(r->job, r->s, sizeof *grid);
    unsigned rank = take_u8(r);
    unsigned flags = take_u8(r);
    if (!grid) {
        failed_inside(r);
        return;
    }
    if (rank == 0 || rank > LADE_MAX_RANK ||
        (flags & ~(unsigned)(SCHEMA_GRID_FORTRAN | SCHEMA_GRID_WHOLE | SCHEMA_GRID_HALO)))
        fail(r, "a grid has a rank or flags that are not known");
    grid->rank = (uint8_t)rank;
    grid->fortran = flags & SCHEMA_GRID_FORTRAN;
    grid->whole = flags & SCHEMA_GRID_WHOLE;
    if (flags & SCHEMA_GRID_HALO) {
        grid->halo_count = grid->rank;
        grid->halo_scalar = LADE_U64;
        grid->halo_offset = LADE_NO_OFFSET;
    }
    f->grid = grid;
}

static bool has_target(unsigned kind)
{
    switch (kind) {
    case LADE_KIND_RECORD:
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_OPTIONAL:
    case LADE_KIND_REF:
    case LADE_KIND_GRID:
    case LADE_KIND_VARIANT:
    case LADE_KIND_LIST:
    case LADE_KIND_MAP:
        return true;
    default:
        return false;
    }
}

static const lade_type *take_index(reader *r)
{
    uint64_t i = take_varint(r);
    if (i < r->count)
        return &r->holders[i];
    fail(r, "a field leads to a type that is not there");
    return NULL;
}

static void take_field(reader *r, lade_runtime_type *t)
{
    static const lade_choice no_choice;
    lade_options options = {0};
    lade_field f = {.offset = LADE_NO_OFFSET, .options = &options};
    f.name = keep(r, take_name(r, false));
    unsigned kind = take_u8(r);
    bool array = kind & SCHEMA_ARRAY_OF;
    f.kind = (uint8_t)(kind & ~(unsigned)SCHEMA_ARRAY_OF);
    if (f.kind < LADE_KIND_VALUE || f.kind > LADE_KIND_EXTERNAL ||
        (array && (!lade_field_is_pointer(&f) || f.kind == LADE_KIND_POOL)))
        fail(r, "a field has a kind that is not known");
    if (f.kind == LADE_KIND_VALUE || f.kind == LADE_KIND_ENUMERATION)
        f.scalar = (uint8_t)take_u8(r);
    if (array || (f.kind <= LADE_KIND_RECORD && f.kind != LADE_KIND_TEXT))
        take_extents(r, &f);
    if (f.kind == LADE_KIND_ENUMERATION)
        take_enum(r, &f);
    if (f.kind == LADE_KIND_GRID)
        take_grid(r, &f);
    if (f.kind == LADE_KIND_EXTERNAL)
        f.set = keep(r, take_name(r, true));
    if (lade_field_choice(&(lade_field){.kind = f.kind, .choice = &no_choice}))
        f.choice = &no_choice;
    if (has_target(f.kind))
        f.type = take_index(r);
    if (t->type.form == LADE_FORM_UNION) {
        options.has_when = true;
        options.when = take_i64(r);
    }
    if (!r->failed && !lade_runtime_field_add(r->job, r->s, t, &f))
        failed_inside(r);
}

static const lade_type *scalar_type(unsigned code)
{
    switch (code) {
#define TYPE(n, number, ctype) \
    case number:               \
        return &lade_scalar_##n;
        LADE_SCALAR_LIST(TYPE)
#undef TYPE
    default:
        return NULL;
    }
}

static const lade_type *take_type(reader *r)
{
    lade_type spec = {.name = keep(r, take_name(r, false))};
    unsigned code = take_u8(r);
    if (scalar_type(code))
        return scalar_type(code);
    if (code == SCHEMA_UNION)
        spec.form = LADE_FORM_UNION;
    else if (code == SCHEMA_CUSTOM)
        spec.form = LADE_FORM_CUSTOM;
    else if (code != LADE_NONE)
        fail(r, "a type has a form that is not known");
    uint64_t version = take_varint(r);
    spec.version = (uint32_t)version;
    if (version != spec.version)
        fail(r, "the version of a type is too large");
    lade_runtime_type *t = r->failed ? NULL : lade_runtime_add(r->job, r->s, &spec);
    if (!t) {
        failed_inside(r);
        return NULL;
    }
    uint64_t n = spec.form == LADE_FORM_CUSTOM ? 0 : take_varint(r);
    for (uint64_t i = 0; i < n && !r->failed; i++)
        take_field(r, t);
    return &t->type;
}

static void reserve(reader *r, size_t count)
{
    const lade_type **types = lade_schema_take(r->job, r->s, count * sizeof(lade_type *));
    lade_type *holders = lade_schema_take(r->job, r->s, count * sizeof *holders);
    if (!types || !holders) {
        failed_inside(r);
        return;
    }
    if (r->count) {
        memcpy(types, r->types, r->count * sizeof(lade_type *));
        memcpy(holders, r->holders, r->count * sizeof *holders);
    }
    for (size_t i = r->count; i < count; i++)
        holders[i].version = (uint32_t)i;
    r->types = types;
    r->holders = holders;
}

/* So many further types. */
static void take_types(reader *r, uint64_t n, size_t scalars)
{
    size_t first = r->count;
    if (r->failed)
        return;
    if (n > RUNTIME_TYPES + scalars - first) {
        lade_job_error(r->job, LADE_ERR_LIMIT, 0, "a schema has at most %d types", RUNTIME_TYPES);
        failed_inside(r);
        return;
    }
    reserve(r, first + (size_t)n);
    r->count = first + (size_t)n;
    for (size_t i = first; i < r->count && !r->failed; i++)
        r->types[i] = take_type(r);
}

/* Fields lead to the types themselves, now that these are there. */
static void link_types(reader *r)
{
    for (lade_runtime_type *t = r->s->first; t && !r->failed; t = t->next)
        for (lade_runtime_field *f = t->first; f; f = f->next)
            if (f->field.type && f->field.type->name == NULL)
                f->field.type = r->types[f->field.type->version];
}

static void take_choice(reader *r, lade_field *f)
{
    uint64_t n = take_varint(r);
    if (n > r->count) {
        fail(r, "a pointer has more known types than there are");
        return;
    }
    lade_choice *choice = lade_schema_take(r->job, r->s, sizeof *choice);
    const lade_type **types = lade_schema_take(r->job, r->s, (size_t)n * sizeof(lade_type *));
    if (!choice || !types) {
        failed_inside(r);
        return;
    }
    for (uint64_t k = 0; k < n && !r->failed; k++) {
        const lade_type *holder = take_index(r);
        types[k] = holder ? r->types[holder->version] : NULL;
    }
    choice->count = (uint32_t)n;
    choice->types = types;
    f->choice = choice;
}

static lade_field *field_at(const reader *r, uint64_t type, uint64_t place)
{
    if (type >= r->count || r->types[type]->stamp != r->s->stamp)
        return NULL;
    lade_runtime_type *t = lade_priv_unconst(r->types[type]);
    lade_runtime_field *f = t->first;
    for (; f && place > 0; place--)
        f = f->next;
    return f ? &f->field : NULL;
}

static void take_note(reader *r)
{
    uint64_t type = take_varint(r);
    lade_field *f = field_at(r, type, take_varint(r));
    const char *unit = keep(r, take_name(r, true));
    const char *doc = keep(r, take_name(r, true));
    if (!f && !r->failed)
        fail(r, "a unit or sentence is of no field");
    if (r->failed)
        return;
    lade_options *options = lade_priv_unconst(f->options);
    options->unit = *unit ? unit : NULL;
    options->doc = *doc ? doc : NULL;
}

static void take_attachment(reader *r, const lade_buffer *more)
{
    if (more->size == 0 || more->data[0] != ATTACHMENT_FORM)
        return;
    r->what = "attachment of a schema";
    r->p = more->data + 1;
    r->end = more->data + more->size;
    take_types(r, take_varint(r), LADE_F128);
    link_types(r);
    for (lade_runtime_type *t = r->s->first; t && !r->failed; t = t->next)
        for (lade_runtime_field *f = t->first; f && !r->failed; f = f->next)
            if (lade_field_choice(&f->field))
                take_choice(r, &f->field);
    uint64_t notes = take_varint(r);
    for (uint64_t i = 0; i < notes && !r->failed; i++)
        take_note(r);
    if (r->p < r->end)
        fail(r, "bytes are left over");
}

/* The bytes must be those that a writer makes of these types. */
static lade_status check_canonical(lade_job *job, const lade_schema *s, const lade_buffer *bytes)
{
    lade_typeset set = {0};
    lade_buffer again = {0};
    lade_status status = lade_typeset_collect(job, s->root, &set);
    if (status == LADE_OK)
        status = lade_schema_write(job, &set, s->array, &again);
    if (status == LADE_OK &&
        (again.size != bytes->size || memcmp(again.data, bytes->data, again.size) != 0))
        status = lade_job_fail(job, LADE_ERR_FORMAT, 0,
                               "the schema is not valid: it is not written as it must be");
    lade_buffer_fini(&again);
    lade_typeset_fini(job, &set);
    return status;
}

lade_status lade_runtime_parse(lade_job *job, lade_schema *s, const lade_buffer *bytes,
                               const lade_buffer *more)
{
    reader r = {
        .job = job, .s = s, .p = bytes->data, .end = bytes->data + bytes->size, .what = "schema"};
    unsigned head = take_u8(&r);
    if (head >> 1 > SCHEMA_LEVEL) {
        lade_job_error(job, LADE_ERR_VERSION, 0,
                       "the schema has level %u, newer than %d, which this library reads",
                       head >> 1, SCHEMA_LEVEL);
        failed_inside(&r);
    }
    uint64_t count = take_varint(&r);
    if (count == 0)
        fail(&r, "it has no types");
    take_types(&r, count, LADE_F128);
    if (r.p < r.end)
        fail(&r, "bytes are left over");
    link_types(&r);
    if (!r.failed && more)
        take_attachment(&r, more);
    const lade_type *root = r.failed || !r.types ? NULL : r.types[0];
    lade_status status = root ? lade_runtime_finish(job, s, root, head & 1)
                              : lade_job_status(job, LADE_ERR_FORMAT, "the schema is not valid");
    if (status == LADE_OK)
        status = check_canonical(job, s, bytes);
    if (status == LADE_ERR_DESCRIPTION) /* of foreign bytes, not of the program */
        status = job->err.status = LADE_ERR_FORMAT;
    return status;
}

lade_status lade_runtime_twin(lade_job *job, lade_schema *s, const lade_type *type, bool array)
{
    lade_typeset set = {0};
    lade_buffer bytes = {0};
    lade_buffer more = {0};
    lade_status status = lade_typeset_collect(job, type, &set);
    if (status == LADE_OK)
        status = lade_schema_write(job, &set, array, &bytes);
    if (status == LADE_OK)
        status = lade_attachment_write(job, &set, &more);
    if (status == LADE_OK)
        status = lade_runtime_parse(job, s, &bytes, &more);
    lade_buffer_fini(&bytes);
    lade_buffer_fini(&more);
    lade_typeset_fini(job, &set);
    return status;
}

static lade_status schema_end(lade_job *job, lade_schema *s, lade_status status, lade_schema **out)
{
    if (status == LADE_OK)
        *out = s;
    else
        lade_schema_destroy(s);
    return lade_job_end(job, status);
}

lade_status lade_schema_parse(const void *bytes, size_t size, const void *more, size_t more_size,
                              lade_schema **out, lade_context *ctx)
{
    lade_job job;
    lade_schema *s = NULL;
    if (!bytes || !out || (more_size && !more))
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "bytes and out must not be NULL");
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK)
        status = lade_schema_make(&job, ctx, &s);
    lade_buffer first = {.data = lade_priv_unconst(bytes), .size = size};
    lade_buffer second = {.data = lade_priv_unconst(more), .size = more_size};
    if (status == LADE_OK)
        status = lade_runtime_parse(&job, s, &first, &second);
    return schema_end(&job, s, status, out);
}

lade_status lade_schema_describe(const lade_type *type, bool array, lade_schema **out,
                                 lade_context *ctx)
{
    lade_job job;
    lade_schema *s = NULL;
    if (!type || !out)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "type and out must not be NULL");
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK)
        status = lade_schema_make(&job, ctx, &s);
    if (status == LADE_OK)
        status = lade_runtime_twin(&job, s, type, array);
    return schema_end(&job, s, status, out);
}
