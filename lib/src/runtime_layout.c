/* The layout of types made at run time: as a compiler would do it, or as the caller did. */
#include <string.h>

#include "runtime.h"

static lade_status too_large(lade_job *job, const lade_type *type)
{
    return lade_job_fail(job, LADE_ERR_LIMIT, 0, "'%s' is too large for a type made at run time",
                         type->name);
}

static size_t scalar_align(lade_scalar scalar)
{
    switch (scalar) {
#define ALIGN(n, code, ctype) \
    case code:                \
        return lade_scalar_##n.align;
        LADE_SCALAR_LIST(ALIGN)
#undef ALIGN
    case LADE_NONE:
        break;
    }
    return 1;
}

static bool by_value(const lade_field *f)
{
    return f->kind == LADE_KIND_RECORD || f->kind == LADE_KIND_VARIANT;
}

/* The run-time type behind a descriptor, if it is one of this schema. */
static const lade_runtime_type *own_type(const lade_schema *s, const lade_type *type)
{
    return type && type->stamp == s->stamp ? (const lade_runtime_type *)(const void *)type : NULL;
}

/* Elements of a fixed array; false if the extents are not valid or too large. */
static bool elements(const lade_field *f, size_t *n)
{
    *n = 1;
    for (unsigned i = 0; i < f->rank; i++)
        if (f->extent[i] == 0 || !lade_mul(*n, f->extent[i], n))
            return false;
    return true;
}

static bool member_size(const lade_field *f, size_t *size, size_t *align)
{
    size_t n;
    if (f->rank > LADE_MAX_EXTENTS || !elements(f, &n))
        return false;
    switch (f->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
    case LADE_KIND_CAPACITY:
        *size = lade_scalar_size((lade_scalar)f->scalar);
        *align = scalar_align((lade_scalar)f->scalar);
        return lade_mul(n, *size, size);
    case LADE_KIND_FIXED_TEXT:
        *align = 1;
        *size = n;
        return true;
    case LADE_KIND_RECORD:
    case LADE_KIND_VARIANT:
        *align = f->type ? f->type->align : 1;
        return lade_mul(n, f->type ? f->type->size : 0, size);
    case LADE_KIND_SKIP:
        *align = 1;
        *size = f->extent[0];
        return true;
    default:
        *align = _Alignof(void *);
        return lade_mul(n, sizeof(void *), size);
    }
}

/* Fewest bytes that the input has for a field. */
static size_t backed_size(const lade_schema *s, const lade_field *f)
{
    size_t n = lade_field_elements(f);
    const lade_runtime_type *t = own_type(s, f->type);
    switch (f->kind) {
    case LADE_KIND_VALUE:
        return n * lade_scalar_wire((lade_scalar)f->scalar);
    case LADE_KIND_RECORD:
        return n * (t ? t->backed : 1);
    case LADE_KIND_POOL:
        return 0;
    default:
        return n;
    }
}

/* Where the next member stands: behind what is there. */
typedef struct placer {
    size_t end, align;
    bool ok;
} placer;

static size_t place(placer *at, size_t size, size_t align)
{
    size_t start = (at->end + align - 1) & ~(align - 1);
    at->ok = at->ok && size <= INT32_MAX && start <= INT32_MAX - size;
    if (!at->ok)
        return 0;
    at->end = start + size;
    if (align > at->align)
        at->align = align;
    return start;
}

static void place_scalars(placer *at, lade_scalar scalar, size_t n, size_t *offset)
{
    size_t bytes = 0;
    at->ok = at->ok && lade_mul(n, lade_scalar_size(scalar), &bytes);
    *offset = place(at, bytes, scalar_align(scalar));
}

static void place_grid(placer *at, lade_grid *grid)
{
    for (unsigned i = 0; i < grid->rank && i < LADE_MAX_RANK; i++) {
        if (grid->extent_scalar[i] != LADE_NONE)
            continue;
        grid->extent_scalar[i] = LADE_U64;
        place_scalars(at, LADE_U64, 1, &grid->extent_offset[i]);
    }
    if (grid->halo_scalar != LADE_NONE && grid->halo_offset == LADE_NO_OFFSET)
        place_scalars(at, (lade_scalar)grid->halo_scalar, grid->halo_count, &grid->halo_offset);
}

/* Counts, discriminants and extents that have no place yet. */
static void place_companions(placer *at, lade_field *f)
{
    if (f->kind == LADE_KIND_GRID && f->grid)
        place_grid(at, lade_priv_unconst(f->grid));
    if (f->count_scalar != LADE_NONE)
        return;
    size_t n = 1;
    switch (f->kind) {
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_LIST:
    case LADE_KIND_MAP:
    case LADE_KIND_BITS:
        f->count_scalar = LADE_U64;
        break;
    case LADE_KIND_VARIANT:
        f->count_scalar = LADE_I64;
        break;
    case LADE_KIND_ANY:
    case LADE_KIND_ANY_REF:
        if (f->choice && f->choice->which)
            return;
        f->count_scalar = LADE_U32;
        n = lade_field_elements(f);
        break;
    default:
        return;
    }
    place_scalars(at, (lade_scalar)f->count_scalar, n, &f->count_offset);
}

static lade_status place_members(lade_job *job, lade_runtime_type *t, lade_field *fields)
{
    bool whole = t->type.form == LADE_FORM_UNION;
    placer at = {0, 1, true};
    size_t size;
    size_t align;
    for (uint32_t i = 0; i < t->type.field_count; i++) {
        lade_field *f = &fields[i];
        if (!member_size(f, &size, &align))
            return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0,
                                 "%s.%s: its extents or its type are not valid", t->type.name,
                                 f->name);
        if (f->offset == LADE_NO_OFFSET) {
            placer alone = {0, at.align, at.ok};
            f->offset = place(whole ? &alone : &at, size, align);
            if (whole && alone.end > at.end)
                at.end = alone.end;
            if (whole)
                at = (placer){at.end, alone.align, alone.ok};
        }
        if (!whole)
            place_companions(&at, f);
    }
    for (uint32_t i = 0; whole && i < t->type.field_count; i++)
        place_companions(&at, &fields[i]);
    if (!at.ok)
        return too_large(job, &t->type);
    if (t->type.size == 0) {
        t->type.align = at.align;
        t->type.size = (at.end + at.align - 1) & ~(at.align - 1);
    }
    return LADE_OK;
}

static lade_status lay_out(lade_job *job, lade_schema *s, lade_runtime_type *t)
{
    uint32_t n = t->type.field_count;
    lade_field *fields = lade_schema_take(job, s, (n ? n : 1) * sizeof *fields);
    if (!fields)
        return LADE_ERR_MEMORY;
    lade_field *at = fields;
    for (const lade_runtime_field *f = t->first; f; f = f->next)
        *at++ = f->field;
    if (n == 0) { /* a struct has a size */
        static const lade_field nothing = {
            .name = "", .kind = LADE_KIND_SKIP, .extent = {1}, .offset = LADE_NO_OFFSET};
        *at = nothing;
        t->type.field_count = 1;
    }
    lade_status status = place_members(job, t, fields);
    t->type.fields = fields;
    for (uint32_t i = 0; i < t->type.field_count && status == LADE_OK; i++) {
        const lade_runtime_type *inner = own_type(s, fields[i].type);
        size_t backed = backed_size(s, &fields[i]);
        if (by_value(&fields[i]) && inner && inner->level >= t->level)
            t->level = inner->level + 1;
        if (t->type.form != LADE_FORM_UNION &&
            lade_field_stored(&t->type, &fields[i])) /* sizes are bounded, the sum too */
            t->backed += backed;
    }
    if (status == LADE_OK && t->level > RUNTIME_NEST)
        status = lade_job_fail(job, LADE_ERR_LIMIT, 0, "'%s': records by value nest too deep",
                               t->type.name);
    if (status == LADE_OK && t->type.size > RUNTIME_FREE &&
        (t->type.size - RUNTIME_FREE) / RUNTIME_RATIO > t->backed)
        status = too_large(job, &t->type);
    return status;
}

/* Custom types keep what they do not understand. */
static void lay_out_custom(lade_runtime_type *t)
{
    t->backed = 1;
    if (t->type.save && t->type.load && t->type.size)
        return;
    t->type.save = lade_raw_save;
    t->type.load = lade_raw_load;
    t->type.size = sizeof(lade_raw);
    t->type.align = _Alignof(lade_raw);
}

static bool is_ready(const lade_schema *s, const lade_runtime_type *t)
{
    for (const lade_runtime_field *f = t->first; f; f = f->next) {
        const lade_runtime_type *inner = own_type(s, f->field.type);
        if (by_value(&f->field) && inner && !inner->done)
            return false;
    }
    return true;
}

lade_status lade_runtime_layout(lade_job *job, lade_schema *s)
{
    lade_status status = LADE_OK;
    size_t left = s->count;
    while (left && status == LADE_OK) {
        const lade_runtime_type *stuck = NULL;
        size_t before = left;
        for (lade_runtime_type *t = s->first; t && status == LADE_OK; t = t->next) {
            if (t->done)
                continue;
            if (!is_ready(s, t)) {
                stuck = t;
                continue;
            }
            if (t->type.form == LADE_FORM_CUSTOM)
                lay_out_custom(t);
            else
                status = lay_out(job, s, t);
            t->done = true;
            left--;
        }
        if (stuck && left == before)
            status = lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s: a record holds itself",
                                   stuck->type.name);
    }
    return status;
}
