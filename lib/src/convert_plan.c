/* Which stored field becomes which field of the program. FORMAT.md, "Evolution", has the rules. */
#include <stdio.h>
#include <string.h>

#include "convert.h"

void lade_field_text(const lade_field *f, char text[CONV_TEXT_SIZE])
{
    const char *what = "";
    if (f->kind == LADE_KIND_VALUE)
        what = lade_scalar_name((lade_scalar)f->scalar);
    else if (f->kind == LADE_KIND_ENUMERATION)
        what = f->enumeration->name;
    else if (f->kind == LADE_KIND_EXTERNAL)
        what = f->set;
    else if (f->type)
        what = f->type->name;
    size_t n = (size_t)snprintf(text, CONV_TEXT_SIZE, "%s%s%.48s",
                                lade_kind_name((lade_kind)f->kind), *what ? " " : "", what);
    for (unsigned i = 0; i < f->rank && n < CONV_TEXT_SIZE - 1; i++)
        n += (size_t)snprintf(text + n, CONV_TEXT_SIZE - n, "[%u]", f->extent[i]);
}

static lade_status incompatible(lade_job *job, const conv_pair *pair, const lade_field *from,
                                const lade_field *to, const char *why)
{
    char a[CONV_TEXT_SIZE];
    char b[CONV_TEXT_SIZE];
    lade_field_text(from, a);
    lade_field_text(to, b);
    return lade_job_fail(job, LADE_ERR_TYPE, 0, "%s.%s: the file has (%s), the program (%s)%s%s",
                         pair->to->name, to->name, a, b, *why ? ": " : "", why);
}

static bool is_sole_field(const lade_type *type, lade_kind kind)
{
    return type->form == LADE_FORM_RECORD && type->field_count == 1 &&
           type->fields[0].kind == kind && type->fields[0].rank == 0;
}

/* Elements of a type. Pointers and texts as elements are records of one field (LADE_STRUCT, ref() and text()). */
static void side_of_type(conv_side *s, const lade_type *type)
{
    s->type = type;
    s->step = type->size;
    s->align = type->align;
    s->kind = type->form == LADE_FORM_CUSTOM ? CONV_CUSTOM : CONV_RECORD;
    if (type->scalar != LADE_NONE) {
        s->kind = CONV_NUMBER;
        s->scalar = (lade_scalar)type->scalar;
    } else if (strcmp(type->name, "text()") == 0 && is_sole_field(type, LADE_KIND_TEXT)) {
        s->kind = CONV_TEXT;
    } else if (strncmp(type->name, "ref(", 4) == 0 && is_sole_field(type, LADE_KIND_REF)) {
        s->kind = CONV_REF;
        s->type = type->fields[0].type;
    }
}

static void side_in_place(conv_side *s, conv_kind kind, size_t step)
{
    s->kind = kind;
    s->step = step;
    s->form = FORM_FIXED;
    s->count = lade_field_elements(s->field);
    s->outer = 1;
}

static conv_side side_of(const lade_field *f)
{
    conv_side s = {.field = f,
                   .outer = lade_field_elements(f),
                   .scalar = (lade_scalar)f->scalar,
                   .align = _Alignof(max_align_t),
                   .type = f->type};
    switch ((lade_kind)f->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
        side_in_place(&s, f->kind == LADE_KIND_VALUE ? CONV_NUMBER : CONV_ENUM,
                      lade_scalar_size(s.scalar));
        break;
    case LADE_KIND_TEXT:
        side_in_place(&s, CONV_TEXT, sizeof(char *));
        break;
    case LADE_KIND_FIXED_TEXT:
        side_in_place(&s, CONV_FIXED, lade_field_capacity(f));
        break;
    case LADE_KIND_RECORD:
        side_of_type(&s, f->type);
        side_in_place(&s, s.kind, s.step);
        break;
    case LADE_KIND_REF:
        side_in_place(&s, CONV_REF, sizeof(void *));
        break;
    case LADE_KIND_ANY:
        side_in_place(&s, CONV_ANY, sizeof(void *));
        break;
    case LADE_KIND_ANY_REF:
        side_in_place(&s, CONV_ANY_REF, sizeof(void *));
        break;
    case LADE_KIND_VARIANT:
        side_in_place(&s, CONV_VARIANT, f->type->size);
        break;
    case LADE_KIND_EXTERNAL:
        side_in_place(&s, CONV_EXTERNAL, sizeof(char *));
        break;
    case LADE_KIND_BITS:
        side_in_place(&s, CONV_BITS, sizeof(void *));
        break;
    case LADE_KIND_OPTIONAL:
        side_of_type(&s, f->type);
        s.form = FORM_OPTIONAL;
        break;
    case LADE_KIND_GRID:
        side_of_type(&s, f->type);
        s.form = FORM_GRID;
        s.outer = 1;
        break;
    default:
        side_of_type(&s, f->type);
        s.form = FORM_COUNTED;
        if (f->kind == LADE_KIND_MAP)
            s.outer = 1;
        break;
    }
    return s;
}

static void *take(lade_job *job, lade_conversion *c, size_t size)
{
    return lade_schema_take(job, c->to, size);
}

static const lade_type *own_type(const lade_conversion *c, const char *name)
{
    for (size_t i = 0; i < c->own.count; i++)
        if (strcmp(c->own.types[i]->name, name) == 0)
            return c->own.types[i];
    return NULL;
}

/* Marks the types from which a known-type pointer can be reached: what it is a number of may differ between two
 * types that are equal otherwise. */
static void mark_any(const lade_schema *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (lade_runtime_type *t = s->first; t; t = t->next)
            for (uint32_t i = 0; i < t->type.field_count && !t->any; i++) {
                const lade_field *f = &t->type.fields[i];
                bool inner = f->type && f->type->stamp == s->stamp &&
                             ((const lade_runtime_type *)(const void *)f->type)->any;
                t->any = lade_field_choice(f) || inner;
                changed = changed || t->any;
            }
    }
}

static lade_status is_same(lade_job *job, const lade_conversion *c, conv_pair *pair)
{
    lade_fingerprint a;
    lade_fingerprint b;
    const lade_runtime_type *from = (const lade_runtime_type *)(const void *)pair->from;
    if (c->no_sharing || pair->partial || pair->from->form == LADE_FORM_UNION ||
        (pair->from->stamp == c->from->stamp && from->any))
        return LADE_OK;
    lade_status status = lade_fingerprint_compute(job, pair->from, false, &a);
    if (status == LADE_OK)
        status = lade_fingerprint_compute(job, pair->to, false, &b);
    if (status == LADE_OK)
        pair->same = a.low == b.low && a.high == b.high;
    return status;
}

/* Finds a pair, or adds it, to be compiled later; NULL and an error without memory. */
static conv_pair *pair_get(lade_job *job, lade_conversion *c, const lade_type *from,
                           const lade_type *to, bool partial)
{
    for (conv_pair *p = c->first; p; p = p->next)
        if (p->from == from && p->to == to && p->partial == partial)
            return p;
    conv_pair *pair = take(job, c, sizeof *pair);
    if (!pair)
        return NULL;
    *pair = (conv_pair){.from = from, .to = to, .partial = partial};
    pair->own = own_type(c, to->name);
    if (!pair->own)
        pair->own = to;
    if (from->form != LADE_FORM_UNION && is_same(job, c, pair) != LADE_OK)
        return NULL;
    if (c->last)
        c->last->next = pair;
    else
        c->first = pair;
    c->last = pair;
    return pair;
}

static const lade_field *find_field(const lade_type *type, const char *name)
{
    for (uint32_t i = 0; name && i < type->field_count; i++)
        if (lade_field_stored(type, &type->fields[i]) && strcmp(type->fields[i].name, name) == 0)
            return &type->fields[i];
    return NULL;
}

static const lade_options *own_options(const conv_pair *pair, const char *name)
{
    for (uint32_t i = 0; i < pair->own->field_count; i++)
        if (strcmp(pair->own->fields[i].name, name) == 0)
            return pair->own->fields[i].options;
    return NULL;
}

static const char *alias_of(const conv_pair *pair, const char *name)
{
    const lade_options *o = own_options(pair, name);
    return o ? o->alias : NULL;
}

/* By name, else by the older name. */
static const lade_field *match(const conv_pair *pair, const lade_type *from, const char *name)
{
    const lade_field *f = find_field(from, name);
    return f ? f : find_field(from, alias_of(pair, name));
}

static bool is_text(conv_kind kind)
{
    return kind == CONV_TEXT || kind == CONV_FIXED;
}

static bool is_number(conv_kind kind)
{
    return kind == CONV_NUMBER || kind == CONV_ENUM;
}

static lade_status check_grids(lade_job *job, const conv_pair *pair, const conv_field *f)
{
    const lade_field *from = f->from.field;
    const lade_field *to = f->to.field;
    if (f->from.form != f->to.form)
        return incompatible(job, pair, from, to, "");
    if (from->grid->rank != to->grid->rank || from->grid->fortran != to->grid->fortran ||
        from->grid->whole != to->grid->whole ||
        lade_grid_stores_halo(from->grid) != lade_grid_stores_halo(to->grid))
        return incompatible(job, pair, from, to, "their rank, order or halo differ");
    return LADE_OK;
}

/* Whether so many can become so many, as far as that is known without a value. */
static lade_status check_forms(lade_job *job, const conv_pair *pair, const conv_field *f)
{
    const lade_field *from = f->from.field;
    const lade_field *to = f->to.field;
    if (f->from.form == FORM_GRID || f->to.form == FORM_GRID)
        return check_grids(job, pair, f);
    if (f->from.outer != f->to.outer)
        return incompatible(job, pair, from, to, "");
    if (f->to.outer > 1 && f->from.form != f->to.form)
        return incompatible(job, pair, from, to, "");
    if (f->from.form == FORM_FIXED && f->to.form == FORM_FIXED) {
        unsigned a = from->rank - (f->from.kind == CONV_FIXED ? 1U : 0U);
        unsigned b = to->rank - (f->to.kind == CONV_FIXED ? 1U : 0U);
        if (f->from.count != f->to.count ||
            (a > 1 && b > 1 &&
             (a != b || memcmp(from->extent, to->extent, a * sizeof *to->extent) != 0)))
            return incompatible(job, pair, from, to, "they have different extents");
    }
    return LADE_OK;
}

/* Known types are found by name. */
static lade_status compile_choice(lade_job *job, lade_conversion *c, conv_field *f)
{
    const lade_choice *from = f->from.field->choice;
    const lade_choice *to = f->to.field->choice;
    f->cases = take(job, c, from->count * sizeof(conv_pair *));
    f->which = take(job, c, from->count * sizeof *f->which);
    if (!f->cases || !f->which)
        return LADE_ERR_MEMORY;
    for (uint32_t i = 0; i < from->count; i++) {
        f->which[i] = UINT32_MAX;
        for (uint32_t k = 0; k < to->count && f->which[i] == UINT32_MAX; k++) {
            if (strcmp(from->types[i]->name, to->types[k]->name) != 0)
                continue;
            f->which[i] = k;
            f->cases[i] = pair_get(job, c, from->types[i], to->types[k], false);
            if (!f->cases[i])
                return job->err.status;
        }
    }
    return LADE_OK;
}

static lade_status compile_elements(lade_job *job, lade_conversion *c, const conv_pair *pair,
                                    conv_field *f)
{
    const lade_field *from = f->from.field;
    const lade_field *to = f->to.field;
    conv_kind kind = f->to.kind;
    if ((is_text(f->from.kind) && is_text(kind)) || (is_number(f->from.kind) && is_number(kind)))
        return LADE_OK;
    if (f->from.kind != kind)
        return incompatible(job, pair, from, to, "");
    switch (kind) {
    case CONV_RECORD:
    case CONV_CUSTOM:
    case CONV_REF:
    case CONV_VARIANT:
        if (strcmp(f->from.type->name, f->to.type->name) != 0)
            return incompatible(job, pair, from, to, "");
        if (kind == CONV_REF && (f->from.type->scalar || f->to.type->scalar) &&
            f->from.type->scalar != f->to.type->scalar)
            return incompatible(job, pair, from, to, "");
        f->pair = pair_get(job, c, f->from.type, f->to.type, false);
        return f->pair ? LADE_OK : job->err.status;
    case CONV_ANY:
    case CONV_ANY_REF:
        return compile_choice(job, c, f);
    case CONV_EXTERNAL:
        return strcmp(from->set, to->set) == 0 ? LADE_OK : incompatible(job, pair, from, to, "");
    default:
        return LADE_OK;
    }
}

static lade_status compile_match(lade_job *job, lade_conversion *c, const conv_pair *pair,
                                 conv_field *f, const lade_field *from)
{
    f->from = side_of(from);
    lade_status status = check_forms(job, pair, f);
    if (status == LADE_OK)
        status = compile_elements(job, c, pair, f);
    if (from->kind == LADE_KIND_POOL && f->to.field->kind != LADE_KIND_POOL)
        c->pool_lost = true;
    return status;
}

/* A record by value that the file does not have, but fields of its names around it, which the program has no more. */
static bool is_split(const conv_pair *pair, const lade_field *to)
{
    if (to->kind != LADE_KIND_RECORD || to->rank || to->type->form != LADE_FORM_RECORD)
        return false;
    for (uint32_t i = 0; i < to->type->field_count; i++) {
        const lade_field *inner = &to->type->fields[i];
        if (lade_field_stored(to->type, inner) && find_field(pair->from, inner->name) &&
            !find_field(pair->to, inner->name))
            return true;
    }
    return false;
}

/* A field that the file has in a record by value, which the program has no more. */
static lade_status find_joined(lade_job *job, const conv_pair *pair, const lade_field *to,
                               const lade_field **owner, const lade_field **out)
{
    *out = NULL;
    for (uint32_t i = 0; i < pair->from->field_count; i++) {
        const lade_field *r = &pair->from->fields[i];
        if (r->kind != LADE_KIND_RECORD || r->rank || r->type->form != LADE_FORM_RECORD ||
            r->type->scalar || find_field(pair->to, r->name))
            continue;
        const lade_field *f = match(pair, r->type, to->name);
        if (f && *out)
            return lade_job_fail(job, LADE_ERR_TYPE, 0,
                                 "%s.%s: the file has one in '%s' and one in '%s'", pair->to->name,
                                 to->name, (*owner)->name, r->name);
        if (f) {
            *owner = r;
            *out = f;
        }
    }
    return LADE_OK;
}

static lade_status compile_added(lade_job *job, const conv_pair *pair, conv_field *f)
{
    const lade_field *to = f->to.field;
    const lade_options *o = own_options(pair, to->name);
    f->added = true;
    if (o && o->since && !pair->partial && pair->from->version >= o->since)
        return lade_job_fail(job, LADE_ERR_TYPE, 0,
                             "%s.%s: it is there from version %u on, and the file, which has "
                             "version %u, has none",
                             pair->to->name, to->name, o->since, pair->from->version);
    return LADE_OK;
}

static lade_status compile_field(lade_job *job, lade_conversion *c, conv_pair *pair,
                                 const lade_field *to, size_t *matched)
{
    conv_field *f = &pair->fields[pair->count++];
    const lade_field *owner = NULL;
    const lade_field *from = match(pair, pair->from, to->name);
    *f = (conv_field){.to = side_of(to)};
    if (from) {
        ++*matched;
        return compile_match(job, c, pair, f, from);
    }
    if (is_split(pair, to)) {
        ++*matched;
        f->around = true;
        f->pair = pair_get(job, c, pair->from, to->type, true);
        return f->pair ? LADE_OK : job->err.status;
    }
    lade_status status = find_joined(job, pair, to, &owner, &from);
    if (status != LADE_OK || !from)
        return status == LADE_OK ? compile_added(job, pair, f) : status;
    ++*matched;
    f->base = owner->offset;
    return compile_match(job, c, pair, f, from);
}

/* The cases of a union, from the stored ones; what the program does not have is an error where it occurs. */
static lade_status compile_union(lade_job *job, lade_conversion *c, conv_pair *pair)
{
    lade_status status = LADE_OK;
    for (uint32_t i = 0; i < pair->to->field_count && status == LADE_OK; i++) {
        const lade_field *to = &pair->to->fields[i];
        const lade_field *from =
            lade_field_stored(pair->to, to) ? match(pair, pair->from, to->name) : NULL;
        if (!from)
            continue;
        conv_field *f = &pair->fields[pair->count++];
        *f = (conv_field){.to = side_of(to)};
        status = compile_match(job, c, pair, f, from);
    }
    return status;
}

static lade_status check_version(lade_job *job, const lade_conversion *c, const conv_pair *pair)
{
    if (pair->partial || c->newer || pair->from->version <= pair->own->version ||
        pair->from->form == LADE_FORM_UNION)
        return LADE_OK;
    return lade_job_fail(job, LADE_ERR_VERSION, 0,
                         "'%s' has version %u in the file, newer than %u, which the program has",
                         pair->to->name, pair->from->version, pair->own->version);
}

static lade_status compile_pair(lade_job *job, lade_conversion *c, conv_pair *pair)
{
    size_t matched = 0;
    pair->compiled = true;
    pair->count = 0;
    lade_status status = check_version(job, c, pair);
    if (status != LADE_OK)
        return status;
    if (pair->from->form != pair->to->form || pair->from->scalar != pair->to->scalar)
        return lade_job_fail(job, LADE_ERR_TYPE, 0, "'%s' is no longer what it is in the file",
                             pair->to->name);
    if (pair->from->form == LADE_FORM_CUSTOM || pair->from->scalar != LADE_NONE)
        return LADE_OK; /* kept as it is; its load function is told the version */
    pair->fields = take(job, c, pair->to->field_count * sizeof *pair->fields);
    if (!pair->fields)
        return LADE_ERR_MEMORY;
    if (pair->from->form == LADE_FORM_UNION)
        return compile_union(job, c, pair);
    for (uint32_t i = 0; i < pair->to->field_count && status == LADE_OK; i++)
        if (lade_field_stored(pair->to, &pair->to->fields[i]))
            status = compile_field(job, c, pair, &pair->to->fields[i], &matched);
    bool any = find_field(pair->from, pair->from->fields[0].name) != NULL;
    if (status == LADE_OK && matched == 0 && pair->count && any)
        status =
            lade_job_fail(job, LADE_ERR_TYPE, 0,
                          "'%s' has no field in common with the one in the file", pair->to->name);
    return status;
}

lade_status lade_convert_compile(lade_job *job, lade_conversion *c)
{
    const lade_type *from = c->from->root;
    const lade_type *to = c->to->root;
    mark_any(c->from);
    if (c->from->array != c->array)
        return lade_job_fail(job, LADE_ERR_TYPE, 0, "the file has %s '%s', the program wants %s",
                             c->from->array ? "an array of" : "one", from->name,
                             c->array ? "an array" : "one value");
    bool scalars = from->scalar != LADE_NONE && to->scalar != LADE_NONE;
    if (strcmp(from->name, to->name) != 0 && !scalars)
        return lade_job_fail(job, LADE_ERR_TYPE, 0, "the file has '%s', the program wants '%s'",
                             from->name, to->name);
    if (scalars)
        return LADE_OK;
    c->root = pair_get(job, c, from, to, false);
    if (!c->root)
        return job->err.status;
    for (conv_pair *p = c->first; p; p = p->next) {
        lade_status status = p->same || p->compiled ? LADE_OK : compile_pair(job, c, p);
        if (status != LADE_OK)
            return status;
        if (p->next || !c->pool_lost || c->no_sharing)
            continue;
        /* references must be seen, to find those that lead into what was a pool */
        c->no_sharing = true;
        for (conv_pair *q = c->first; q; q = q->next)
            q->same = false;
        status = c->first->compiled ? LADE_OK : compile_pair(job, c, c->first);
        if (status != LADE_OK)
            return status;
        p = c->first;
    }
    return LADE_OK;
}
