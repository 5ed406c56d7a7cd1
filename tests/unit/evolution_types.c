#include "evolution_types.h"

#include <stdlib.h>
#include <string.h>

#include "schema.h"

static void *take(lade_arena *arena, size_t n, size_t size)
{
    void *memory = lade_arena_alloc(arena, n * size + 1, 16);
    if (!memory)
        abort();
    memset(memory, 0, n * size + 1);
    return memory;
}

static const char *plain_name(lade_arena *arena, const char *name)
{
    char *copy = take(arena, strlen(name) + 1, 1);
    char *to = copy;
    for (const char *c = name; *c; c++)
        if (*c == '_' && (c[1] == '1' || c[1] == '2') && (c[2] == 0 || c[2] == ')'))
            c++;
        else
            *to++ = *c;
    return copy;
}

static const lade_type *plain(const lade_typeset *set, const lade_type *copies, const lade_type *t)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->types[i] == t || (t && strcmp(set->types[i]->name, t->name) == 0))
            return t->scalar ? t : &copies[i];
    return t;
}

static lade_field *plain_fields(lade_arena *arena, const lade_typeset *set, const lade_type *copies,
                                const lade_type *type)
{
    lade_field *fields = take(arena, type->field_count, sizeof *fields);
    for (uint32_t i = 0; i < type->field_count; i++) {
        lade_field *f = &fields[i];
        *f = type->fields[i];
        f->type = plain(set, copies, f->type);
        if (f->kind == LADE_KIND_ENUMERATION) {
            lade_enum *en = take(arena, 1, sizeof *en);
            *en = *f->enumeration;
            en->name = plain_name(arena, en->name);
            lade_enumerator *list = take(arena, en->count, sizeof *list);
            for (uint32_t k = 0; k < en->count; k++)
                list[k] = (lade_enumerator){plain_name(arena, en->list[k].name), en->list[k].value};
            en->list = list;
            f->enumeration = en;
        }
        if (!lade_field_choice(f))
            continue;
        lade_choice *choice = take(arena, 1, sizeof *choice);
        const lade_type **types = take(arena, f->choice->count, sizeof(lade_type *));
        *choice = *f->choice;
        choice->types = types;
        for (uint32_t k = 0; k < choice->count; k++)
            types[k] = plain(set, copies, f->choice->types[k]);
        f->choice = choice;
    }
    return fields;
}

const lade_type *evolution_type(lade_arena *arena, const lade_type *type)
{
    lade_job job;
    lade_typeset set = {0};
    if (type->scalar)
        return type;
    if (lade_job_begin(&job, NULL) != LADE_OK || lade_typeset_collect(&job, type, &set) != LADE_OK)
        abort();
    lade_type *copies = take(arena, set.count, sizeof *copies);
    for (size_t i = 0; i < set.count; i++) {
        copies[i] = *set.types[i];
        copies[i].name = plain_name(arena, copies[i].name);
        copies[i].cell = NULL;
        if (copies[i].form != LADE_FORM_CUSTOM)
            copies[i].save = NULL;
        if (copies[i].form != LADE_FORM_CUSTOM)
            copies[i].load = NULL;
        copies[i].fields = plain_fields(arena, &set, copies, set.types[i]);
    }
    lade_typeset_fini(&job, &set);
    lade_job_end(&job, LADE_OK);
    return &copies[0];
}
