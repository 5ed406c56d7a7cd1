/* Fields: what they take of their struct, and whether a description is sound. */
#include <string.h>

#include "schema.h"

size_t lade_field_elements(const lade_field *field)
{
    size_t n = 1;
    unsigned rank = field->rank;
    if (field->kind == LADE_KIND_FIXED_TEXT && rank > 0)
        rank--; /* the last extent is the text's capacity */
    for (unsigned i = 0; i < rank && i < LADE_MAX_EXTENTS; i++)
        n *= field->extent[i];
    return n;
}

size_t lade_field_capacity(const lade_field *field)
{
    return field->rank > 0 && field->rank <= LADE_MAX_EXTENTS ? field->extent[field->rank - 1] : 0;
}

size_t lade_field_bytes(const lade_field *field)
{
    size_t n = lade_field_elements(field);
    switch (field->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
    case LADE_KIND_CAPACITY:
        return n * lade_scalar_size((lade_scalar)field->scalar);
    case LADE_KIND_FIXED_TEXT:
        return n * lade_field_capacity(field);
    case LADE_KIND_RECORD:
    case LADE_KIND_VARIANT:
        return field->type ? n * field->type->size : 0;
    case LADE_KIND_SKIP:
    case LADE_KIND_MAP:
        return field->extent[0];
    default:
        return n * sizeof(void *);
    }
}

bool lade_field_stored(const lade_type *type, const lade_field *field)
{
    const lade_options *o = field->options;
    if (field->kind >= LADE_KIND_SKIP)
        return false;
    return !o || ((o->until == 0 || type->version < o->until) && type->version >= o->since);
}

bool lade_field_is_pointer(const lade_field *field)
{
    switch (field->kind) {
    case LADE_KIND_TEXT:
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_OPTIONAL:
    case LADE_KIND_REF:
    case LADE_KIND_ANY:
    case LADE_KIND_ANY_REF:
    case LADE_KIND_EXTERNAL:
        return true;
    default:
        return false;
    }
}

unsigned lade_field_companions(const lade_field *field, lade_companion *list)
{
    unsigned n = 0;
    if (field->kind == LADE_KIND_GRID && field->grid) {
        const lade_grid *g = field->grid;
        for (unsigned i = 0; i < g->rank && i < LADE_MAX_RANK; i++)
            list[n++] = (lade_companion){g->extent_offset[i], g->extent_scalar[i], 1};
        if (g->halo_scalar)
            list[n++] = (lade_companion){g->halo_offset, g->halo_scalar, g->halo_count};
        if (g->step_scalar)
            list[n++] = (lade_companion){g->step_offset, g->step_scalar, g->rank};
    } else if (field->count_scalar && field->kind != LADE_KIND_CAPACITY) {
        bool each = lade_field_choice(field) && lade_field_generic(field);
        list[n++] = (lade_companion){field->count_offset, field->count_scalar,
                                     each ? lade_field_elements(field) : 1};
    }
    return n;
}

static lade_status field_fail(lade_job *job, const lade_type *type, const lade_field *field,
                              const char *text)
{
    return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s.%s: %s", type->name, field->name, text);
}

/* Loading one of two members that share bytes must not make up a pointer of the other. */
static bool holds_pointer(const lade_field *field)
{
    return field->kind == LADE_KIND_TEXT || field->kind >= LADE_KIND_RECORD;
}

static bool overlap(size_t a, size_t a_size, size_t b, size_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

static lade_status check_others(lade_job *job, const lade_type *type, const lade_field *field)
{
    size_t size = lade_field_bytes(field);
    for (const lade_field *other = type->fields; other < field; other++) {
        if (strcmp(other->name, field->name) == 0)
            return field_fail(job, type, field, "is listed twice");
        if (type->form != LADE_FORM_UNION &&
            overlap(other->offset, lade_field_bytes(other), field->offset, size) &&
            (holds_pointer(field) || holds_pointer(other)))
            return field_fail(job, type, field,
                              "shares bytes with another member, and one is a pointer");
    }
    return LADE_OK;
}

/* A count, an extent or a discriminant: an integer of the struct that no field lists. */
static lade_status check_companion(lade_job *job, const lade_type *type, const lade_field *field,
                                   const lade_companion *c)
{
    size_t size = lade_scalar_size((lade_scalar)c->scalar) * c->count;
    if (c->scalar < LADE_CHAR || c->scalar > LADE_U64)
        return field_fail(job, type, field, "its count is not an integer");
    if (c->offset > type->size || size > type->size - c->offset)
        return field_fail(job, type, field, "its count does not lie inside its struct");
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *other = &type->fields[i];
        if (overlap(other->offset, lade_field_bytes(other), c->offset, size))
            return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0,
                                 "%s.%s is the count of '%s': it is stored with it and must not be "
                                 "listed",
                                 type->name, other->name, field->name);
    }
    return LADE_OK;
}

static lade_status check_grid(lade_job *job, const lade_type *type, const lade_field *field)
{
    const lade_grid *g = field->grid;
    if (!g || g->rank < 1 || g->rank > LADE_MAX_RANK || (g->rows && g->rank != 2) ||
        (g->halo_count > 1 && g->halo_count != g->rank))
        return field_fail(job, type, field, "the layout of the grid is not valid");
    if (g->rows && (g->halo_count || g->step_scalar || g->fortran))
        return field_fail(job, type, field, "rows have no halo, no strides and the C order");
    return LADE_OK;
}

static lade_status check_list(lade_job *job, const lade_type *type, const lade_field *field)
{
    const lade_links *l = field->links;
    if (!l)
        return field->count_scalar ? LADE_OK
                                   : field_fail(job, type, field, "a list has links or a count");
    const lade_type *e = field->type;
    const size_t links[2] = {l->next, l->prev};
    for (unsigned i = 0; i < 2; i++) {
        if (links[i] == LADE_NO_OFFSET)
            continue;
        if (links[i] > e->size || sizeof(void *) > e->size - links[i])
            return field_fail(job, type, field, "its link does not lie inside its element");
        for (uint32_t k = 0; k < e->field_count; k++)
            if (overlap(e->fields[k].offset, lade_field_bytes(&e->fields[k]), links[i],
                        sizeof(void *)))
                return field_fail(job, type, field,
                                  "the links of a list must not be fields of its elements");
    }
    if (l->next == LADE_NO_OFFSET || e->form != LADE_FORM_RECORD || e->scalar != LADE_NONE)
        return field_fail(job, type, field, "the elements of a list are records with a link");
    return LADE_OK;
}

static lade_status check_choice(lade_job *job, const lade_type *type, const lade_field *field)
{
    const lade_choice *c = field->choice;
    if (!c || (c->count && !c->types))
        return field_fail(job, type, field, "its known types are not described");
    if (!c->which && !field->count_scalar)
        return field_fail(job, type, field, "nothing tells the type of its object");
    if (field->rank && field->count_scalar && !lade_field_generic(field))
        return field_fail(job, type, field, "one member cannot tell the types of an array");
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->types[i])
            return field_fail(job, type, field, "its known types are not described");
    return LADE_OK;
}

/* Kinds that lead to another type, and which forms it may have. */
static lade_status check_target(lade_job *job, const lade_type *type, const lade_field *field)
{
    switch (field->kind) {
    case LADE_KIND_RECORD:
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_OPTIONAL:
    case LADE_KIND_REF:
    case LADE_KIND_GRID:
    case LADE_KIND_LIST:
    case LADE_KIND_MAP:
        if (!field->type)
            return field_fail(job, type, field, "its element type is not described");
        return field->type->form == LADE_FORM_UNION
                   ? field_fail(job, type, field, "a union is the type of a variant only")
                   : LADE_OK;
    case LADE_KIND_VARIANT:
        if (!field->type)
            return field_fail(job, type, field, "its union is not described");
        return field->type->form == LADE_FORM_UNION
                   ? LADE_OK
                   : field_fail(job, type, field, "the type of a variant is a union");
    default:
        return LADE_OK;
    }
}

static lade_status check_kind(lade_job *job, const lade_type *type, const lade_field *field)
{
    switch (field->kind) {
    case LADE_KIND_ENUMERATION:
        if (!field->enumeration)
            return field_fail(job, type, field, "its enumeration is not described");
        break;
    case LADE_KIND_GRID:
        return check_grid(job, type, field);
    case LADE_KIND_LIST:
        return check_list(job, type, field);
    case LADE_KIND_ANY:
    case LADE_KIND_ANY_REF:
        return check_choice(job, type, field);
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
    case LADE_KIND_BITS:
    case LADE_KIND_VARIANT:
    case LADE_KIND_CAPACITY:
        if (!field->count_scalar)
            return field_fail(job, type, field, "its count is not an integer");
        break;
    case LADE_KIND_MAP:
        if (!field->map && !field->count_scalar)
            return field_fail(job, type, field, "a map has an adaptor or a count");
        break;
    case LADE_KIND_EXTERNAL:
        if (!field->set)
            return field_fail(job, type, field, "its set of keys has no name");
        break;
    default:
        break;
    }
    return LADE_OK;
}

static bool known_kind(unsigned kind)
{
    return (kind >= LADE_KIND_VALUE && kind <= LADE_KIND_EXTERNAL) || kind == LADE_KIND_SKIP ||
           kind == LADE_KIND_CAPACITY;
}

static bool may_be_array(const lade_field *field)
{
    switch (field->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
    case LADE_KIND_FIXED_TEXT:
    case LADE_KIND_RECORD:
        return true;
    case LADE_KIND_POOL:
        return false;
    default:
        return lade_field_is_pointer(field);
    }
}

static lade_status field_check(lade_job *job, const lade_type *type, const lade_field *field)
{
    if (field->rank > LADE_MAX_EXTENTS)
        return field_fail(job, type, field, "its rank is too high");
    lade_status status = check_others(job, type, field);
    if (status != LADE_OK)
        return status;
    size_t size = lade_field_bytes(field);
    if (!known_kind(field->kind))
        return field_fail(job, type, field, "unknown kind of field");
    if (field->rank && !may_be_array(field))
        return field_fail(job, type, field, "a field of this kind is no fixed array");
    if (size == 0 || field->offset > type->size || size > type->size - field->offset)
        return field_fail(job, type, field, "does not lie inside its struct");
    status = check_target(job, type, field);
    if (status == LADE_OK)
        status = check_kind(job, type, field);
    lade_companion list[LADE_COMPANIONS_MAX];
    unsigned n = status == LADE_OK ? lade_field_companions(field, list) : 0;
    for (unsigned i = 0; i < n && status == LADE_OK; i++)
        status = check_companion(job, type, field, &list[i]);
    return status;
}

lade_status lade_type_check(lade_job *job, const lade_type *type)
{
    if (type->align > LADE_MAX_ALIGN)
        return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s is aligned to more than %d bytes",
                             type->name, LADE_MAX_ALIGN);
    if (type->scalar != LADE_NONE || type->form == LADE_FORM_CUSTOM)
        return LADE_OK;
    if (type->field_count == 0)
        return lade_job_fail(job, LADE_ERR_DESCRIPTION, 0, "%s has no fields", type->name);
    lade_status status = LADE_OK;
    for (uint32_t i = 0; i < type->field_count && status == LADE_OK; i++)
        status = field_check(job, type, &type->fields[i]);
    return status;
}
