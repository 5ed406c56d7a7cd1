/* Several roots in one entry: a record of refs, whose type is made for the call. */
#include <string.h>

#include "container.h"
#include "plan.h"
#include "schema.h"

/* The type, and the record of pointers. */
typedef struct group {
    lade_type type;
    lade_field *fields;
    void **values;
    size_t count;
} group;

static void group_fini(group *g, lade_file *file)
{
    lade_context *ctx = file->ctx;
    lade_conversions_forget(file, &g->type);
    lade_plan_forget(ctx, &g->type);
    lade_mem_free(ctx->allocator, g->fields, g->count * sizeof *g->fields);
    lade_mem_free(ctx->allocator, (void *)g->values, g->count * sizeof *g->values);
}

static lade_status group_make(group *g, const lade_named_root *roots, size_t count, lade_file *file)
{
    lade_context *ctx = file->ctx;
    *g = (group){.count = count};
    if (!roots || count == 0 || count > UINT32_MAX)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "there must be at least one root");
    for (size_t i = 0; i < count; i++)
        if (!roots[i].name || !roots[i].type)
            return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0,
                                     "the names and types of roots must not be NULL");
    g->fields = lade_mem_get(ctx->allocator, count * sizeof *g->fields);
    g->values = (void **)lade_mem_get(ctx->allocator, count * sizeof *g->values);
    if (!g->fields || !g->values) {
        group_fini(g, file);
        return lade_context_fail(ctx, LADE_ERR_MEMORY, 0, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        g->fields[i] = (lade_field){.name = roots[i].name,
                                    .kind = LADE_KIND_REF,
                                    .offset = i * sizeof(void *),
                                    .type = roots[i].type};
        g->values[i] = roots[i].value;
    }
    g->type = (lade_type){.name = "roots",
                          .size = count * sizeof(void *),
                          .align = _Alignof(void *),
                          .field_count = (uint32_t)count,
                          .fields = g->fields};
    return LADE_OK;
}

lade_status lade_file_put_roots(lade_file *file, const char *name, const lade_named_root *roots,
                                size_t count)
{
    group g;
    if (!file)
        return LADE_ERR_ARGUMENT;
    lade_status status = group_make(&g, roots, count, file);
    if (status != LADE_OK)
        return status;
    status = lade_file_put_as(file, name, &g.type, (const void *)g.values);
    group_fini(&g, file);
    return status;
}

lade_status lade_file_get_roots(lade_file *file, const char *name, lade_named_root *roots,
                                size_t count, lade_arena **owner)
{
    group g;
    void **loaded = NULL;
    if (!file)
        return LADE_ERR_ARGUMENT;
    lade_status status = group_make(&g, roots, count, file);
    if (status != LADE_OK)
        return status;
    status = lade_file_get_as(file, name, &g.type, (void *)&loaded, owner);
    for (size_t i = 0; i < count && status == LADE_OK; i++)
        roots[i].value = loaded[i];
    group_fini(&g, file);
    return status;
}
