/* Views of values by their descriptors. */
#include <lade/view.h>

#include <string.h>

#include "grid.h"
#include "number_convert.h"
#include "runtime.h"

static const void *pointer_at(const unsigned char *member)
{
    const void *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static uint32_t stored_count(const lade_type *type)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < type->field_count; i++)
        n += lade_field_stored(type, &type->fields[i]);
    return n;
}

/* One value of a type. */
static void set_value(lade_view *v, const lade_type *type, const void *data)
{
    v->type = type;
    v->data = data;
    v->single = true;
    if (!data) {
        v->is = LADE_IS_NULL;
    } else if (type->scalar != LADE_NONE) {
        v->is = LADE_IS_NUMBER;
        v->scalar = (lade_scalar)type->scalar;
    } else if (type->form == LADE_FORM_CUSTOM) {
        v->is = type->load == lade_raw_load ? LADE_IS_RAW : LADE_IS_OPAQUE;
    } else {
        v->is = LADE_IS_RECORD;
        v->count = stored_count(type);
    }
}

static void set_extents(lade_view *v, unsigned rank, const size_t *extents)
{
    v->is = LADE_IS_ARRAY;
    v->rank = rank;
    v->count = 1;
    for (unsigned i = 0; i < rank; i++) {
        v->extents[i] = extents[i];
        v->count *= extents[i];
    }
}

static void set_text(lade_view *v, const char *text)
{
    v->is = text ? LADE_IS_TEXT : LADE_IS_NULL;
    v->data = text;
    v->count = text ? strlen(text) : 0;
}

static void set_known(lade_view *v, const lade_field *f, const unsigned char *owner, size_t i,
                      const void *object)
{
    uint64_t which = UINT64_MAX;
    size_t step = lade_field_generic(f) ? lade_scalar_size((lade_scalar)f->count_scalar) : 0;
    if (object && f->choice->which)
        which = f->choice->which(object);
    else if (object)
        lade_count_read(owner + f->count_offset + i * step, (lade_scalar)f->count_scalar, &which);
    v->tracked = f->kind == LADE_KIND_ANY_REF;
    if (which < f->choice->count)
        set_value(v, f->choice->types[which], object);
    else
        v->is = object ? LADE_IS_OPAQUE : LADE_IS_NULL;
}

static void set_case(lade_view *v, const lade_field *f, const unsigned char *owner)
{
    v->is = LADE_IS_CASE;
    v->type = f->type;
    v->data = owner + f->offset;
    v->discriminant = lade_integer_read(owner + f->count_offset, (lade_scalar)f->count_scalar);
    for (uint32_t i = 0; i < f->type->field_count; i++)
        if (lade_field_stored(f->type, &f->type->fields[i]) &&
            lade_field_when(f->type, i) == v->discriminant)
            v->count = 1;
}

static void set_grid(lade_view *v, const lade_field *f, const unsigned char *owner)
{
    size_t extent[LADE_MAX_RANK];
    lade_grid_shape shape;
    v->is = LADE_IS_NULL;
    v->data = pointer_at(owner + f->offset);
    v->type = f->type;
    if (v->data && lade_grid_extents(f->grid, owner, extent) &&
        lade_grid_shape_make(f->grid, owner, extent, true, &shape))
        set_extents(v, shape.rank, shape.stored);
}

/* A list or dictionary in C: elements are counted by walking. */
static uint64_t linked_count(const lade_field *f, const unsigned char *owner)
{
    uint64_t n = 0;
    if (f->kind == LADE_KIND_MAP)
        return f->map->count(owner + f->offset);
    for (const unsigned char *at = pointer_at(owner + f->offset); at; n++)
        at = pointer_at(at + f->links->next);
    return n;
}

static bool is_linked(const lade_field *f)
{
    return (f->kind == LADE_KIND_LIST && f->links) || (f->kind == LADE_KIND_MAP && f->map);
}

static void set_counted(lade_view *v, const lade_field *f, const unsigned char *owner,
                        const unsigned char *member)
{
    uint64_t n = 0;
    const unsigned char *first = is_linked(f) ? NULL : pointer_at(member);
    if (is_linked(f))
        n = linked_count(f, owner);
    else
        lade_count_read(owner + f->count_offset, (lade_scalar)f->count_scalar, &n);
    if (first && f->options)
        first += f->options->origin * (int64_t)(f->type ? f->type->size : 0);
    v->type = f->kind == LADE_KIND_BITS ? NULL : f->type;
    v->data = first;
    set_extents(v, 1, &(size_t){(size_t)n});
}

/* One thing of a field: element i of its fixed array. */
static void set_single(lade_view *v, const lade_field *f, const unsigned char *owner, size_t i,
                       const unsigned char *member)
{
    v->field = f;
    v->owner = owner;
    v->single = true;
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
        v->is = LADE_IS_NUMBER;
        v->scalar = (lade_scalar)f->scalar;
        v->enumeration = f->kind == LADE_KIND_ENUMERATION ? f->enumeration : NULL;
        v->data = member;
        break;
    case LADE_KIND_TEXT:
        set_text(v, pointer_at(member));
        break;
    case LADE_KIND_FIXED_TEXT:
        v->is = LADE_IS_TEXT;
        v->data = member;
        v->count = strnlen((const char *)member, lade_field_capacity(f));
        break;
    case LADE_KIND_RECORD:
        set_value(v, f->type, member);
        break;
    case LADE_KIND_OPTIONAL:
    case LADE_KIND_REF:
        set_value(v, f->type, pointer_at(member));
        v->tracked = f->kind == LADE_KIND_REF;
        break;
    case LADE_KIND_ANY:
    case LADE_KIND_ANY_REF:
        set_known(v, f, owner, i, pointer_at(member));
        break;
    case LADE_KIND_EXTERNAL:
        if (lade_field_generic(f))
            set_text(v, pointer_at(member));
        else
            v->is = pointer_at(member) ? LADE_IS_OPAQUE : LADE_IS_NULL;
        break;
    case LADE_KIND_VARIANT:
        set_case(v, f, owner);
        break;
    case LADE_KIND_GRID:
        set_grid(v, f, owner);
        break;
    default:
        v->single = false;
        set_counted(v, f, owner, member);
        break;
    }
    if (f->kind == LADE_KIND_GRID)
        v->single = false;
}

/* Bytes from one element of a field's fixed array to the next. */
static size_t step_of(const lade_field *f)
{
    return lade_field_bytes(f) / lade_field_elements(f);
}

static void set_field(lade_view *v, const lade_field *f, const unsigned char *owner)
{
    const unsigned char *member = owner + f->offset;
    unsigned rank = f->rank;
    *v = (lade_view){.name = f->name, .field = f, .owner = owner};
    if (f->kind == LADE_KIND_FIXED_TEXT)
        rank--;
    if (rank == 0 || f->kind == LADE_KIND_MAP) {
        set_single(v, f, owner, 0, member);
        return;
    }
    size_t extents[LADE_MAX_EXTENTS];
    for (unsigned i = 0; i < rank; i++)
        extents[i] = f->extent[i];
    set_extents(v, rank, extents);
    v->type = f->kind == LADE_KIND_RECORD ? f->type : NULL;
    v->data = member;
    v->single = true; /* its elements are */
}

lade_view lade_view_of(const lade_value *value)
{
    lade_view v = {0};
    set_value(&v, value->type, value->data);
    if (value->rank) {
        v = (lade_view){.type = value->type, .data = value->data};
        set_extents(&v, value->rank, value->extents);
    }
    return v;
}

bool lade_view_field(const lade_view *view, uint64_t i, lade_view *out)
{
    if ((view->is != LADE_IS_RECORD && view->is != LADE_IS_CASE) || i >= view->count)
        return false;
    const lade_type *type = view->type;
    for (uint32_t k = 0; k < type->field_count; k++) {
        if (!lade_field_stored(type, &type->fields[k]))
            continue;
        if (view->is == LADE_IS_CASE ? lade_field_when(type, k) != view->discriminant : i-- > 0)
            continue;
        set_field(out, &type->fields[k], view->data);
        return true;
    }
    return false;
}

bool lade_view_find(const lade_view *view, const char *name, lade_view *out)
{
    for (uint64_t i = 0; i < view->count && lade_view_field(view, i, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

static const void *grid_element(const lade_view *v, uint64_t i)
{
    const lade_field *f = v->field;
    size_t extent[LADE_MAX_RANK];
    lade_grid_shape s;
    if (!lade_grid_extents(f->grid, v->owner, extent) ||
        !lade_grid_shape_make(f->grid, v->owner, extent, true, &s))
        return NULL;
    if (f->grid->rows) {
        const unsigned char *rows = v->data;
        const unsigned char *row = pointer_at(rows + i / s.stored[1] * sizeof(void *));
        return row + i % s.stored[1] * f->type->size;
    }
    int64_t at = s.start;
    for (unsigned d = s.rank; d-- > 0; i /= s.stored[d])
        at += (int64_t)(i % s.stored[d]) * s.stride[d];
    return (const unsigned char *)v->data + at * (int64_t)f->type->size;
}

static const void *linked_element(const lade_view *v, uint64_t i)
{
    const lade_field *f = v->field;
    const unsigned char *at = NULL;
    if (f->kind == LADE_KIND_MAP) {
        do
            at = f->map->next(v->owner + f->offset, at);
        while (at && i-- > 0);
        return at;
    }
    at = pointer_at(v->owner + f->offset);
    while (at && i-- > 0)
        at = pointer_at(at + f->links->next);
    return at;
}

static void set_bit(const lade_view *v, uint64_t i, lade_view *out)
{
    static const uint8_t values[2] = {0, 1};
    size_t word = lade_scalar_size((lade_scalar)v->field->scalar);
    const unsigned char *words = v->data;
    out->is = LADE_IS_NUMBER;
    out->scalar = LADE_BOOL;
    out->data = &values[words[lade_bits_byte(word, (size_t)(i / 8))] >> i % 8 & 1];
}

bool lade_view_at(const lade_view *view, uint64_t i, lade_view *out)
{
    const lade_field *f = view->field;
    if (view->is != LADE_IS_ARRAY || i >= view->count)
        return false;
    const lade_view v = *view; /* which may be *out */
    *out = (lade_view){.field = f, .owner = v.owner};
    if (f && v.single)
        set_single(out, f, v.owner, (size_t)i, v.owner + f->offset + (size_t)i * step_of(f));
    else if (f && f->kind == LADE_KIND_BITS)
        set_bit(&v, i, out);
    else if (f && f->kind == LADE_KIND_GRID)
        set_value(out, v.type, grid_element(&v, i));
    else if (f && is_linked(f))
        set_value(out, v.type, linked_element(&v, i));
    else
        set_value(out, v.type, (const unsigned char *)v.data + (size_t)i * v.type->size);
    return true;
}

const char *lade_view_enumerator(const lade_view *view)
{
    if (view->is != LADE_IS_NUMBER || !view->enumeration)
        return NULL;
    int64_t value = lade_integer_read(view->data, view->scalar);
    for (uint32_t i = 0; i < view->enumeration->count; i++)
        if (view->enumeration->list[i].value == value)
            return view->enumeration->list[i].name;
    return NULL;
}

static bool number(const lade_view *view, lade_number *out)
{
    return view->is == LADE_IS_NUMBER && lade_number_read(view->data, view->scalar, out);
}

bool lade_view_i64(const lade_view *view, int64_t *out)
{
    lade_number n;
    return number(view, &n) && lade_number_write(&n, LADE_I64, out);
}

bool lade_view_u64(const lade_view *view, uint64_t *out)
{
    lade_number n;
    return number(view, &n) && lade_number_write(&n, LADE_U64, out);
}

bool lade_view_f64(const lade_view *view, double *out)
{
    lade_number n;
    if (!number(view, &n))
        return false;
    *out = (double)lade_number_real(&n);
    return true;
}

bool lade_view_imaginary(const lade_view *view, double *out)
{
    lade_number n;
    if (!number(view, &n))
        return false;
    *out = (double)n.imaginary;
    return true;
}

const char *lade_view_unit(const lade_view *view)
{
    return view->field && view->field->options ? view->field->options->unit : NULL;
}

const char *lade_view_doc(const lade_view *view)
{
    return view->field && view->field->options ? view->field->options->doc : NULL;
}
