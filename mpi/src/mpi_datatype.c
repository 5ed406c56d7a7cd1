/* MPI datatypes of fixed-size types: one struct type a record, inner records first. */
#include <stdlib.h>

#include "mpi_internal.h"

enum { TYPES_MAX = 256, FIELDS_MAX = 256 };

static MPI_Datatype basic(lade_scalar scalar)
{
    switch (scalar) {
    case LADE_BOOL:
        return MPI_C_BOOL;
    case LADE_CHAR:
        return MPI_CHAR;
    case LADE_I8:
        return MPI_INT8_T;
    case LADE_U8:
        return MPI_UINT8_T;
    case LADE_I16:
        return MPI_INT16_T;
    case LADE_U16:
        return MPI_UINT16_T;
    case LADE_I32:
        return MPI_INT32_T;
    case LADE_U32:
        return MPI_UINT32_T;
    case LADE_I64:
        return MPI_INT64_T;
    case LADE_U64:
        return MPI_UINT64_T;
    case LADE_F32:
        return MPI_FLOAT;
    case LADE_F64:
        return MPI_DOUBLE;
    case LADE_C32:
        return MPI_C_FLOAT_COMPLEX;
    case LADE_C64:
        return MPI_C_DOUBLE_COMPLEX;
    case LADE_F128:
        return MPI_LONG_DOUBLE;
    case LADE_NONE:
        break;
    }
    return MPI_DATATYPE_NULL;
}

/* Elements of a field, or -1 if they are too many for an int. */
static int elements(const lade_field *f)
{
    size_t n = 1;
    for (unsigned i = 0; i < f->rank; i++)
        if (__builtin_mul_overflow(n, (size_t)f->extent[i], &n) || n > INT32_MAX)
            return -1;
    return (int)n;
}

/* The datatype of one field, whose record has one by now. */
static lade_status field_datatype(const lade_field *f, MPI_Datatype *out, lade_context *ctx)
{
    if (f->kind == LADE_KIND_RECORD)
        return lade_registry_datatype(f->type, out, ctx);
    *out = f->kind == LADE_KIND_FIXED_TEXT ? MPI_CHAR : basic((lade_scalar)f->scalar);
    return LADE_OK;
}

/* Whether a block continues the one before it: same datatype, right behind it. */
static bool continues(const int *lengths, const MPI_Aint *places, const MPI_Datatype *types,
                      int last, MPI_Datatype type, MPI_Aint place, size_t size)
{
    return last >= 0 && types[last] == type &&
           places[last] + (MPI_Aint)((size_t)lengths[last] * size) == place;
}

static size_t element_size(const lade_field *f)
{
    if (f->type) /* a record: other kinds with a type are refused */
        return f->type->size;
    return f->kind == LADE_KIND_FIXED_TEXT ? 1 : lade_scalar_size((lade_scalar)f->scalar);
}

static lade_status make(const lade_type *type, MPI_Datatype *out, lade_context *ctx)
{
    int lengths[FIELDS_MAX];
    MPI_Aint places[FIELDS_MAX];
    MPI_Datatype types[FIELDS_MAX];
    int count = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *f = &type->fields[i];
        MPI_Datatype datatype = MPI_DATATYPE_NULL;
        if (f->kind == LADE_KIND_SKIP)
            continue;
        int n = elements(f);
        lade_status found = field_datatype(f, &datatype, ctx);
        if (found != LADE_OK)
            return found;
        if (n < 0 || count == FIELDS_MAX)
            return lade_context_fail(ctx, LADE_ERR_LIMIT, 0, "%s.%s: too large for a datatype",
                                     type->name, f->name);
        MPI_Aint place = (MPI_Aint)f->offset;
        if (continues(lengths, places, types, count - 1, datatype, place, element_size(f)) &&
            lengths[count - 1] <= INT32_MAX - n) {
            lengths[count - 1] += n;
            continue;
        }
        lengths[count] = n;
        places[count] = place;
        types[count++] = datatype;
    }
    MPI_Datatype packed;
    lade_status status =
        lade_mpi_check(ctx, MPI_Type_create_struct(count, lengths, places, types, &packed),
                       "MPI_Type_create_struct");
    if (status != LADE_OK)
        return status;
    status = lade_mpi_check(ctx, MPI_Type_create_resized(packed, 0, (MPI_Aint)type->size, out),
                            "MPI_Type_create_resized");
    MPI_Type_free(&packed);
    if (status == LADE_OK)
        status = lade_mpi_check(ctx, MPI_Type_commit(out), "MPI_Type_commit");
    return status;
}

static lade_status add(const lade_type *type, lade_context *ctx)
{
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    lade_status status = make(type, &datatype, ctx);
    if (status != LADE_OK)
        return status;
    status = lade_registry_add_datatype(type, datatype, ctx);
    if (status != LADE_OK)
        MPI_Type_free(&datatype);
    return status;
}

/* The first record in a type that has no datatype yet, or NULL; refuses what is not of fixed size.
 */
static lade_status check_fields(const lade_type *type, const lade_type **missing, lade_context *ctx)
{
    *missing = NULL;
    if (type->form != LADE_FORM_RECORD)
        return lade_context_fail(
            ctx, LADE_ERR_TYPE, 0,
            "%s is saved by functions of its own, or is a union: only types of "
            "fixed size have a datatype",
            type->name);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *f = &type->fields[i];
        if (f->kind == LADE_KIND_SKIP)
            continue; /* not sent, like members that are not listed */
        if (f->kind != LADE_KIND_VALUE && f->kind != LADE_KIND_ENUMERATION &&
            f->kind != LADE_KIND_FIXED_TEXT && f->kind != LADE_KIND_RECORD)
            return lade_context_fail(ctx, LADE_ERR_TYPE, 0,
                                     "%s.%s is a %s: only types of fixed size have a datatype",
                                     type->name, f->name, lade_kind_name((lade_kind)f->kind));
        MPI_Datatype known = MPI_CHAR;
        if (f->kind == LADE_KIND_RECORD) {
            lade_status status = lade_registry_datatype(f->type, &known, ctx);
            if (status != LADE_OK)
                return status;
        }
        if (known == MPI_DATATYPE_NULL) {
            *missing = f->type;
            return LADE_OK;
        }
    }
    return LADE_OK;
}

lade_status lade_mpi_datatype_as(const lade_type *type, MPI_Datatype *out, lade_context *ctx)
{
    const lade_type *stack[TYPES_MAX]; /* records by value cannot nest in a circle */
    size_t top = 0;
    if (!type || !out)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "type and out must not be NULL");
    lade_status status = lade_mpi_ready(ctx);
    if (status != LADE_OK)
        return status;
    if (type->scalar != LADE_NONE) {
        *out = basic((lade_scalar)type->scalar);
        return LADE_OK;
    }
    MPI_Datatype known = MPI_DATATYPE_NULL;
    status = lade_registry_datatype(type, &known, ctx);
    if (status != LADE_OK)
        return status;
    if (known == MPI_DATATYPE_NULL)
        stack[top++] = type;
    while (top > 0) {
        const lade_type *missing;
        status = check_fields(stack[top - 1], &missing, ctx);
        if (status != LADE_OK)
            return status;
        if (!missing) {
            status = add(stack[--top], ctx);
            if (status != LADE_OK)
                return status;
        } else if (top == TYPES_MAX) {
            return lade_context_fail(ctx, LADE_ERR_LIMIT, 0, "'%s' nests too deeply", type->name);
        } else {
            stack[top++] = missing;
        }
    }
    status = lade_registry_datatype(type, &known, ctx);
    if (status == LADE_OK)
        *out = known;
    return status;
}
