#include "schema.h"

#include <string.h>

#include <lade/schema.h>
#include <xxhash.h>

void lade_buffer_fini(lade_buffer *buffer)
{
    if (!buffer)
        return;
    lade_mem_free(buffer->allocator, buffer->data, buffer->capacity);
    *buffer = (lade_buffer){0};
}

bool lade_buffer_reserve(lade_job *job, lade_buffer *buffer, size_t capacity)
{
    if (!buffer->data)
        buffer->allocator = job->ctx->allocator;
    return lade_mem_grow(buffer->allocator, &buffer->data, &buffer->capacity, capacity, 1);
}

bool lade_buffer_append(lade_job *job, lade_buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0)
        return true;
    if (!lade_buffer_reserve(job, buffer, buffer->size + size))
        return false;
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

/* Equal as far as the fields themselves go; what they refer to is compared by name. */
static bool same_field(const lade_field *a, const lade_field *b)
{
    bool target = !a->type == !b->type && (!a->type || strcmp(a->type->name, b->type->name) == 0);
    bool listed = a->kind != LADE_KIND_ENUMERATION || b->kind != LADE_KIND_ENUMERATION ||
                  !a->enumeration == !b->enumeration;
    if (listed && a->kind == LADE_KIND_ENUMERATION && a->enumeration)
        listed = strcmp(a->enumeration->name, b->enumeration->name) == 0;
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->scalar == b->scalar &&
           a->rank == b->rank && memcmp(a->extent, b->extent, sizeof a->extent) == 0 && target &&
           listed && a->offset == b->offset && a->count_offset == b->count_offset &&
           a->count_scalar == b->count_scalar;
}

static bool same_type(const lade_type *a, const lade_type *b)
{
    if (a->scalar != b->scalar || a->size != b->size || a->field_count != b->field_count ||
        a->version != b->version || a->form != b->form)
        return false;
    for (uint32_t i = 0; i < a->field_count; i++)
        if (!same_field(&a->fields[i], &b->fields[i]))
            return false;
    return true;
}

size_t lade_typeset_find(const lade_typeset *set, const lade_type *type)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->types[i] == type)
            return i;
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->types[i]->name, type->name) == 0)
            return i;
    return SIZE_MAX;
}

static lade_status typeset_add(lade_job *job, lade_typeset *set, const lade_type *type)
{
    size_t at = lade_typeset_find(set, type);
    if (at != SIZE_MAX) {
        if (set->types[at] == type || same_type(set->types[at], type))
            return LADE_OK;
        return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "two different types are named '%s'",
                             type->name);
    }
    if (!lade_mem_grow(job->ctx->allocator, &set->types, &set->capacity, set->count + 1,
                       sizeof(lade_type *)))
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    set->types[set->count++] = type;
    return LADE_OK;
}

void lade_typeset_fini(lade_job *job, lade_typeset *set)
{
    lade_mem_free(job->ctx->allocator, (void *)set->types, set->capacity * sizeof(lade_type *));
    *set = (lade_typeset){0};
}

/* Adds what the fields of types from `first` on lead to; with `known`, known types too. */
static lade_status collect(lade_job *job, lade_typeset *set, size_t first, bool known)
{
    lade_status status = LADE_OK;
    for (size_t t = first; status == LADE_OK && t < set->count; t++) {
        const lade_type *type = set->types[t];
        if (!known || t >= set->core)
            status = lade_type_check(job, type);
        for (uint32_t i = 0; status == LADE_OK && i < type->field_count; i++) {
            const lade_field *f = &type->fields[i];
            const lade_choice *c = lade_field_choice(f);
            if (f->type && f->kind < LADE_KIND_SKIP && (known || lade_field_stored(type, f)))
                status = typeset_add(job, set, f->type);
            for (uint32_t k = 0; known && c && k < c->count && status == LADE_OK; k++)
                status = typeset_add(job, set, c->types[k]);
        }
    }
    return status;
}

/* A type that is not stored in this version may still be led to by a field that is loaded: it is part of
 * the set behind the types of the schema. */
lade_status lade_typeset_collect(lade_job *job, const lade_type *root, lade_typeset *set)
{
    lade_status status = typeset_add(job, set, root);
    if (status == LADE_OK)
        status = collect(job, set, 0, false);
    set->core = set->count;
    return status == LADE_OK ? collect(job, set, 0, true) : status;
}

typedef struct writer {
    lade_job *job;
    lade_buffer *buffer;
    bool ok;
} writer;

static void put_u8(writer *w, unsigned v)
{
    uint8_t byte = (uint8_t)v;
    w->ok = w->ok && lade_buffer_append(w->job, w->buffer, &byte, 1);
}

static void put_varint(writer *w, uint64_t v)
{
    uint8_t bytes[LADE_PRIV_VARINT_MAX + 8];
    uint8_t *end = lade_priv_put_varint(bytes, v);
    w->ok = w->ok && lade_buffer_append(w->job, w->buffer, bytes, (size_t)(end - bytes));
}

static void put_name(writer *w, const char *name)
{
    size_t n = strlen(name);
    put_varint(w, n);
    w->ok = w->ok && lade_buffer_append(w->job, w->buffer, name, n);
}

static void put_extents(writer *w, const lade_field *field)
{
    put_u8(w, field->rank);
    for (unsigned i = 0; i < field->rank; i++)
        put_varint(w, field->extent[i]);
}

static void put_enum(writer *w, const lade_enum *en)
{
    put_name(w, en->name);
    put_varint(w, en->count);
    for (uint32_t i = 0; i < en->count; i++) {
        uint8_t value[8];
        lade_priv_store64(value, (uint64_t)en->list[i].value);
        put_name(w, en->list[i].name);
        w->ok = w->ok && lade_buffer_append(w->job, w->buffer, value, sizeof value);
    }
}

static void put_grid(writer *w, const lade_grid *grid)
{
    put_u8(w, grid->rank);
    put_u8(w, (grid->fortran ? SCHEMA_GRID_FORTRAN : 0) |
                  (grid->whole && grid->halo_count ? SCHEMA_GRID_WHOLE : 0) |
                  (lade_grid_stores_halo(grid) ? SCHEMA_GRID_HALO : 0));
}

static void put_i64(writer *w, int64_t v)
{
    uint8_t bytes[8];
    lade_priv_store64(bytes, (uint64_t)v);
    w->ok = w->ok && lade_buffer_append(w->job, w->buffer, bytes, sizeof bytes);
}

static void put_field(writer *w, const lade_typeset *set, const lade_field *field)
{
    bool array = field->rank > 0 && lade_field_is_pointer(field);
    put_name(w, field->name);
    put_u8(w, field->kind | (array ? SCHEMA_ARRAY_OF : 0U));
    if (field->kind == LADE_KIND_VALUE || field->kind == LADE_KIND_ENUMERATION)
        put_u8(w, field->scalar);
    if (array || (field->kind <= LADE_KIND_RECORD && field->kind != LADE_KIND_TEXT))
        put_extents(w, field);
    if (field->kind == LADE_KIND_ENUMERATION)
        put_enum(w, field->enumeration);
    if (field->kind == LADE_KIND_GRID)
        put_grid(w, field->grid);
    if (field->kind == LADE_KIND_EXTERNAL)
        put_name(w, field->set);
    if (field->type)
        put_varint(w, lade_typeset_find(set, field->type));
}

/* Level 1: anything that the first readers did not know. */
static bool is_level_1(const lade_type *type)
{
    uint32_t stored = 0;
    if (type->form != LADE_FORM_RECORD || type->scalar == LADE_F128)
        return true;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *f = &type->fields[i];
        if (!lade_field_stored(type, f))
            continue;
        stored++;
        if (f->kind > LADE_KIND_REF || (f->rank && lade_field_is_pointer(f)) ||
            (f->kind == LADE_KIND_FIXED_TEXT && f->rank > 1) ||
            (f->kind <= LADE_KIND_ENUMERATION && f->scalar == LADE_F128))
            return true;
    }
    return type->scalar == LADE_NONE && stored == 0;
}

static void put_type(writer *w, const lade_typeset *set, const lade_type *type)
{
    static const uint8_t forms[] = {LADE_NONE, SCHEMA_UNION, SCHEMA_CUSTOM};
    uint32_t stored = 0;
    put_name(w, type->name);
    put_u8(w, type->scalar != LADE_NONE ? type->scalar : forms[type->form]);
    if (type->scalar != LADE_NONE)
        return;
    put_varint(w, type->version);
    if (type->form == LADE_FORM_CUSTOM)
        return;
    for (uint32_t i = 0; i < type->field_count; i++)
        stored += lade_field_stored(type, &type->fields[i]);
    put_varint(w, stored);
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!lade_field_stored(type, &type->fields[i]))
            continue;
        put_field(w, set, &type->fields[i]);
        if (type->form == LADE_FORM_UNION)
            put_i64(w, lade_field_when(type, i));
    }
}

lade_status lade_schema_write(lade_job *job, const lade_typeset *set, bool array,
                              lade_buffer *buffer)
{
    writer w = {job, buffer, true};
    unsigned level = 0;
    buffer->size = 0;
    for (size_t t = 0; t < set->core; t++)
        level |= is_level_1(set->types[t]);
    put_u8(&w, (array ? 1U : 0U) | level << 1);
    put_varint(&w, set->core);
    for (size_t t = 0; t < set->core; t++)
        put_type(&w, set, set->types[t]);
    return w.ok ? LADE_OK : lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
}

static void put_choices(writer *w, const lade_typeset *set, const lade_type *type)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_choice *c = lade_field_choice(&type->fields[i]);
        if (!c || !lade_field_stored(type, &type->fields[i]))
            continue;
        put_varint(w, c->count);
        for (uint32_t k = 0; k < c->count; k++)
            put_varint(w, lade_typeset_find(set, c->types[k]));
    }
}

static bool has_note(const lade_type *type, const lade_field *field)
{
    return field->options && lade_field_stored(type, field) &&
           (field->options->unit || field->options->doc);
}

/* \returns their number; writes them too, if there is a writer. */
static size_t put_notes(writer *w, const lade_typeset *set)
{
    size_t count = 0;
    for (size_t t = 0; t < set->count; t++)
        for (uint32_t i = 0; i < set->types[t]->field_count; i++) {
            const lade_field *f = &set->types[t]->fields[i];
            if (!has_note(set->types[t], f))
                continue;
            count++;
            if (!w)
                continue;
            put_varint(w, t);
            put_varint(w, lade_field_place(set->types[t], i));
            put_name(w, f->options->unit ? f->options->unit : "");
            put_name(w, f->options->doc ? f->options->doc : "");
        }
    return count;
}

static bool has_choices(const lade_typeset *set)
{
    for (size_t t = 0; t < set->count; t++)
        for (uint32_t i = 0; i < set->types[t]->field_count; i++)
            if (lade_field_choice(&set->types[t]->fields[i]))
                return true;
    return false;
}

lade_status lade_attachment_write(lade_job *job, const lade_typeset *set, lade_buffer *buffer)
{
    writer w = {job, buffer, true};
    size_t notes = put_notes(NULL, set);
    bool choices = has_choices(set);
    size_t count = choices ? set->count : set->core;
    buffer->size = 0;
    if (!choices && notes == 0)
        return LADE_OK;
    put_u8(&w, ATTACHMENT_FORM);
    put_varint(&w, count - set->core);
    for (size_t t = set->core; t < count; t++)
        put_type(&w, set, set->types[t]);
    for (size_t t = 0; t < count; t++)
        put_choices(&w, set, set->types[t]);
    lade_typeset part = {.types = set->types, .core = set->core, .count = count};
    put_varint(&w, put_notes(NULL, &part));
    put_notes(&w, &part);
    return w.ok ? LADE_OK : lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
}

lade_status lade_schema_bytes(const lade_type *type, bool array, lade_buffer *bytes,
                              lade_buffer *more, lade_context *ctx)
{
    lade_job job;
    lade_typeset set = {0};
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && (!type || !bytes))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "type and bytes must not be NULL");
    if (status == LADE_OK)
        status = lade_typeset_collect(&job, type, &set);
    if (status == LADE_OK)
        status = lade_schema_write(&job, &set, array, bytes);
    if (status == LADE_OK && more)
        status = lade_attachment_write(&job, &set, more);
    if (status != LADE_OK && bytes)
        bytes->size = 0;
    if (status != LADE_OK && more)
        more->size = 0;
    lade_typeset_fini(&job, &set);
    return lade_job_end(&job, status);
}

lade_fingerprint lade_schema_fingerprint(const uint8_t *bytes, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    return (lade_fingerprint){hash.low64, hash.high64};
}

/* The cell holds the fingerprint of a single value; several threads may write it, all the same. */
static bool cell_get(const lade_type *type, lade_fingerprint *out)
{
    if (!type->cell || atomic_load_explicit(&type->cell->state, memory_order_acquire) != 1)
        return false;
    out->low = atomic_load_explicit(&type->cell->low, memory_order_relaxed);
    out->high = atomic_load_explicit(&type->cell->high, memory_order_relaxed);
    return true;
}

static void cell_set(const lade_type *type, lade_fingerprint value)
{
    if (!type->cell)
        return;
    atomic_store_explicit(&type->cell->low, value.low, memory_order_relaxed);
    atomic_store_explicit(&type->cell->high, value.high, memory_order_relaxed);
    atomic_store_explicit(&type->cell->state, 1, memory_order_release);
}

lade_status lade_fingerprint_compute(lade_job *job, const lade_type *type, bool array,
                                     lade_fingerprint *out)
{
    if (!array && cell_get(type, out))
        return LADE_OK;
    lade_typeset set = {0};
    lade_buffer schema = {0};
    lade_status status = lade_typeset_collect(job, type, &set);
    if (status == LADE_OK)
        status = lade_schema_write(job, &set, array, &schema);
    if (status == LADE_OK) {
        *out = lade_schema_fingerprint(schema.data, schema.size);
        if (!array)
            cell_set(type, *out);
    }
    lade_buffer_fini(&schema);
    lade_typeset_fini(job, &set);
    return status;
}

lade_status lade_fingerprint_of(const lade_type *type, lade_fingerprint *out, lade_context *ctx)
{
    lade_job job;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && (!type || !out))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "type and out must not be NULL");
    if (status == LADE_OK)
        status = lade_fingerprint_compute(&job, type, false, out);
    return lade_job_end(&job, status);
}
