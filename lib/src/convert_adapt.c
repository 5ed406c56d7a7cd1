/* The program's types as they take part in a conversion: the same structs, with what only the file has. */
#include <string.h>

#include "convert.h"

static const lade_type *stored_type(const lade_conversion *c, const lade_type *own)
{
    const lade_type *t = own->scalar ? NULL : lade_schema_find(c->from, own->name);
    return t && t->form == own->form ? t : NULL;
}

static bool file_has(const lade_type *stored, const lade_field *f)
{
    const char *alias = f->options ? f->options->alias : NULL;
    for (uint32_t i = 0; stored && i < stored->field_count; i++)
        if (strcmp(stored->fields[i].name, f->name) == 0 ||
            (alias && strcmp(stored->fields[i].name, alias) == 0))
            return true;
    return false;
}

/* A member that is no longer stored is loaded from a file that has it. */
static bool revive(lade_job *job, lade_conversion *c, const lade_type *type,
                   const lade_type *stored, lade_field *f)
{
    if (f->kind >= LADE_KIND_SKIP || lade_field_stored(type, f) || !file_has(stored, f))
        return true;
    lade_options *o = lade_schema_take(job, c->to, sizeof *o);
    if (!o)
        return false;
    *o = *f->options;
    o->since = o->until = 0;
    f->options = o;
    return true;
}

static const lade_type *adapted(const lade_conversion *c, const lade_type *const *copies,
                                const lade_type *type)
{
    size_t at = lade_typeset_find(&c->own, type);
    return at == SIZE_MAX ? type : copies[at];
}

static bool adapt_choice(lade_job *job, lade_conversion *c, const lade_type *const *copies,
                         lade_field *f)
{
    const lade_choice *from = lade_field_choice(f);
    if (!from)
        return true;
    lade_choice *choice = lade_schema_take(job, c->to, sizeof *choice);
    const lade_type **types = lade_schema_take(job, c->to, from->count * sizeof(lade_type *));
    if (!choice || !types)
        return false;
    *choice = *from;
    choice->types = types;
    for (uint32_t k = 0; k < from->count; k++)
        types[k] = adapted(c, copies, from->types[k]);
    f->choice = choice;
    return true;
}

static bool adapt_type(lade_job *job, lade_conversion *c, const lade_type *const *copies,
                       const lade_type *own, lade_type *copy)
{
    const lade_type *stored = stored_type(c, own);
    lade_field *fields = lade_schema_take(job, c->to, own->field_count * sizeof *fields);
    if (!fields)
        return false;
    *copy = *own;
    copy->cell = NULL;
    copy->stamp = c->to->stamp;
    if (own->form == LADE_FORM_CUSTOM && stored && (stored->version <= own->version || c->newer))
        copy->version = stored->version;
    if (own->form != LADE_FORM_CUSTOM) {
        copy->save = NULL;
        copy->load = NULL;
    }
    if (own->field_count)
        memcpy(fields, own->fields, own->field_count * sizeof *fields);
    copy->fields = fields;
    for (uint32_t i = 0; i < own->field_count; i++) {
        if (fields[i].type)
            fields[i].type = adapted(c, copies, fields[i].type);
        if (!revive(job, c, own, stored, &fields[i]) || !adapt_choice(job, c, copies, &fields[i]))
            return false;
    }
    return true;
}

lade_status lade_convert_adapt(lade_job *job, lade_conversion *c)
{
    lade_status status = lade_typeset_collect(job, c->type, &c->own);
    size_t n = c->own.count;
    lade_type *memory = status == LADE_OK ? lade_schema_take(job, c->to, n * sizeof *memory) : NULL;
    const lade_type **copies =
        status == LADE_OK ? lade_schema_take(job, c->to, n * sizeof(lade_type *)) : NULL;
    if (!memory || !copies)
        return job->err.status;
    for (size_t i = 0; i < n; i++)
        copies[i] = c->own.types[i]->scalar ? c->own.types[i] : &memory[i];
    for (size_t i = 0; i < n; i++)
        if (!c->own.types[i]->scalar && !adapt_type(job, c, copies, c->own.types[i], &memory[i]))
            return job->err.status;
    memcpy(c->own.types, copies, n * sizeof(lade_type *));
    return LADE_OK;
}

void lade_conversion_free(lade_job *job, lade_conversion *c)
{
    if (!c)
        return;
    for (conv_pair *p = c->first; p; p = p->next) {
        lade_ids_free(c->allocator, &p->ids);
        lade_mem_free(c->allocator, p->objects, p->objects_capacity * sizeof *p->objects);
    }
    if (c->own.types)
        lade_typeset_fini(job, &c->own);
    lade_schema_destroy(c->from);
    lade_schema_destroy(c->to);
    lade_mem_free(c->allocator, c, sizeof *c);
}
