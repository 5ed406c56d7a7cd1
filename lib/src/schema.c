#include "schema.h"

#include <string.h>

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

size_t lade_field_elements(const lade_field *field)
{
    size_t n = 1;
    for (unsigned i = 0; i < field->rank && i < LADE_MAX_EXTENTS; i++)
        n *= field->extent[i];
    return n;
}

/* Equal as far as the fields themselves go; what they refer to is compared by name. */
static bool same_field(const lade_field *a, const lade_field *b)
{
    bool target = !a->type == !b->type && (!a->type || strcmp(a->type->name, b->type->name) == 0);
    bool listed = !a->enumeration == !b->enumeration &&
                  (!a->enumeration || strcmp(a->enumeration->name, b->enumeration->name) == 0);
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->scalar == b->scalar &&
           a->rank == b->rank && memcmp(a->extent, b->extent, sizeof a->extent) == 0 && target &&
           listed && a->offset == b->offset && a->count_offset == b->count_offset &&
           a->count_scalar == b->count_scalar;
}

static bool same_type(const lade_type *a, const lade_type *b)
{
    if (a->scalar != b->scalar || a->size != b->size || a->field_count != b->field_count ||
        a->version != b->version)
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

static lade_status field_fail(lade_job *job, const lade_type *type, const lade_field *field,
                              const char *text)
{
    return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s.%s: %s", type->name, field->name, text);
}

/* Bytes of the member in the struct, or 0 if the description is not sound. */
static size_t field_size(const lade_field *field)
{
    size_t n = lade_field_elements(field);
    switch (field->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
        return n * lade_scalar_size((lade_scalar)field->scalar);
    case LADE_KIND_FIXED_TEXT:
        return n;
    case LADE_KIND_RECORD:
        return field->type ? n * field->type->size : 0;
    default:
        return sizeof(void *);
    }
}

static bool counted(const lade_field *field)
{
    return field->kind == LADE_KIND_VECTOR || field->kind == LADE_KIND_POOL;
}

/* Loading one of two members that share bytes must not make up a pointer of the other. */
static bool holds_pointer(const lade_field *field)
{
    return field->kind == LADE_KIND_TEXT || field->kind >= LADE_KIND_RECORD;
}

static lade_status field_check(lade_job *job, const lade_type *type, const lade_field *field)
{
    if (field->rank > LADE_MAX_EXTENTS)
        return field_fail(job, type, field, "its rank is too high");
    for (const lade_field *other = type->fields; other < field; other++)
        if (strcmp(other->name, field->name) == 0)
            return field_fail(job, type, field, "is listed twice");
    size_t size = field_size(field);
    for (const lade_field *other = type->fields; other < field; other++)
        if (other->offset < field->offset + size &&
            field->offset < other->offset + field_size(other) &&
            (holds_pointer(field) || holds_pointer(other)))
            return field_fail(job, type, field,
                              "shares bytes with another member, and one is a pointer");
    if (field->kind < LADE_KIND_VALUE || field->kind > LADE_KIND_REF)
        return field_fail(job, type, field, "unknown kind of field");
    if (size == 0 || field->offset > type->size || size > type->size - field->offset)
        return field_fail(job, type, field, "does not lie inside its struct");
    if (field->kind >= LADE_KIND_RECORD && !field->type)
        return field_fail(job, type, field, "its element type is not described");
    if (field->kind == LADE_KIND_ENUMERATION && !field->enumeration)
        return field_fail(job, type, field, "its enumeration is not described");
    if (!counted(field))
        return LADE_OK;
    size_t count_size = lade_scalar_size((lade_scalar)field->count_scalar);
    if (field->count_scalar < LADE_CHAR || field->count_scalar > LADE_U64)
        return field_fail(job, type, field, "its count is not an integer");
    if (field->count_offset > type->size || count_size > type->size - field->count_offset)
        return field_fail(job, type, field, "its count does not lie inside its struct");
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *other = &type->fields[i];
        if (other->offset < field->count_offset + count_size &&
            field->count_offset < other->offset + field_size(other))
            return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0,
                                 "%s.%s is the count of '%s': it is stored with it and must not be "
                                 "listed",
                                 type->name, other->name, field->name);
    }
    return LADE_OK;
}

lade_status lade_typeset_collect(lade_job *job, const lade_type *root, lade_typeset *set)
{
    lade_status status = typeset_add(job, set, root);
    for (size_t t = 0; status == LADE_OK && t < set->count; t++) {
        const lade_type *type = set->types[t];
        if (type->align > LADE_MAX_ALIGN)
            status =
                lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s is aligned to more than %d bytes",
                              type->name, LADE_MAX_ALIGN);
        if (type->scalar == LADE_NONE && type->field_count == 0)
            status = lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s has no fields", type->name);
        for (uint32_t i = 0; status == LADE_OK && i < type->field_count; i++) {
            status = field_check(job, type, &type->fields[i]);
            if (status == LADE_OK && type->fields[i].type)
                status = typeset_add(job, set, type->fields[i].type);
        }
    }
    return status;
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

static void put_field(writer *w, const lade_typeset *set, const lade_field *field)
{
    put_name(w, field->name);
    put_u8(w, field->kind);
    if (field->kind == LADE_KIND_VALUE || field->kind == LADE_KIND_ENUMERATION)
        put_u8(w, field->scalar);
    if (field->kind <= LADE_KIND_RECORD && field->kind != LADE_KIND_TEXT)
        put_extents(w, field);
    if (field->kind == LADE_KIND_ENUMERATION)
        put_enum(w, field->enumeration);
    if (field->type)
        put_varint(w, lade_typeset_find(set, field->type));
}

lade_status lade_schema_write(lade_job *job, const lade_typeset *set, bool array,
                              lade_buffer *buffer)
{
    writer w = {job, buffer, true};
    buffer->size = 0;
    put_u8(&w, array);
    put_varint(&w, set->count);
    for (size_t t = 0; t < set->count; t++) {
        const lade_type *type = set->types[t];
        put_name(&w, type->name);
        put_u8(&w, type->scalar);
        if (type->scalar != LADE_NONE)
            continue;
        put_varint(&w, type->version);
        put_varint(&w, type->field_count);
        for (uint32_t i = 0; i < type->field_count; i++)
            put_field(&w, set, &type->fields[i]);
    }
    return w.ok ? LADE_OK : lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
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
