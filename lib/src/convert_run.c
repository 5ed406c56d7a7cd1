/* Converting one value, by a plan: a worklist of structs, and one of references, which wait until all structs that
 * are held are in place. */
#include <stdio.h>
#include <string.h>

#include "convert.h"
#include "grid.h"
#include "number_convert.h"

/* n structs of a pair. */
typedef struct struct_work {
    conv_pair *pair;
    const unsigned char *from;
    unsigned char *to;
    size_t n;
} struct_work;

/* A pointer to an object of a pair. */
typedef struct ref_work {
    conv_pair *pair;
    const lade_type *owner; /* of the field, for errors */
    const lade_field *field;
    const void *from;
    unsigned char *to; /* the pointer */
} ref_work;

/* Objects that stand in one array: those of a pool, or of the bare array. */
typedef struct span {
    const lade_type *type;
    const unsigned char *from;
    unsigned char *to; /* NULL: no longer a pool */
    size_t n, step;
} span;

typedef struct run {
    lade_job *job;
    lade_conversion *c;
    const lade_allocator *allocator;
    lade_arena *arena;
    struct_work *structs;
    size_t struct_count, struct_capacity;
    ref_work *refs;
    size_t ref_count, ref_capacity;
    span *spans;
    size_t span_count, span_capacity;
    const lade_type *owner; /* of the field at hand, for errors */
} run;

static const unsigned char *pointer_at(const unsigned char *member)
{
    const unsigned char *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static void set_pointer(unsigned char *member, const void *pointer)
{
    memcpy(member, &pointer, sizeof pointer);
}

static bool no_memory(run *r)
{
    lade_job_error(r->job, LADE_ERR_MEMORY, 0, "out of memory");
    return false;
}

static bool refuse(run *r, const conv_field *f, lade_status status, const char *text)
{
    char a[CONV_TEXT_SIZE];
    char b[CONV_TEXT_SIZE];
    lade_field_text(f->from.field, a);
    lade_field_text(f->to.field, b);
    lade_job_error(r->job, status, 0, "%s.%s: %s, and from (%s) it must become (%s)",
                   r->owner->name, f->to.field->name, text, a, b);
    return false;
}

static unsigned char *take(run *r, size_t n, size_t step, size_t align)
{
    size_t size;
    unsigned char *memory = NULL;
    if (lade_mul(n, step, &size))
        memory = lade_arena_alloc(r->arena, size ? size : 1, align);
    if (memory)
        memset(memory, 0, size);
    else
        no_memory(r);
    return memory;
}

static bool push_struct(run *r, conv_pair *pair, const unsigned char *from, unsigned char *to,
                        size_t n)
{
    if (!lade_mem_grow(r->allocator, &r->structs, &r->struct_capacity, r->struct_count + 1,
                       sizeof *r->structs))
        return no_memory(r);
    r->structs[r->struct_count++] = (struct_work){pair, from, to, n};
    return true;
}

static bool push_ref(run *r, conv_pair *pair, const conv_field *f, const unsigned char *from,
                     unsigned char *to)
{
    const void *object = pointer_at(from);
    if (!object)
        return true;
    if (!lade_mem_grow(r->allocator, &r->refs, &r->ref_capacity, r->ref_count + 1, sizeof *r->refs))
        return no_memory(r);
    r->refs[r->ref_count++] = (ref_work){pair, r->owner, f->to.field, object, to};
    return true;
}

static bool push_span(run *r, span s)
{
    if (s.n == 0)
        return true;
    if (!lade_mem_grow(r->allocator, &r->spans, &r->span_capacity, r->span_count + 1,
                       sizeof *r->spans))
        return no_memory(r);
    r->spans[r->span_count++] = s;
    return true;
}

const char *lade_enumerator_name(const lade_enum *en, int64_t value)
{
    for (uint32_t i = 0; i < en->count; i++)
        if (en->list[i].value == value)
            return en->list[i].name;
    return NULL;
}

/* By name; a value that the file does not list stays a number, unless the program lists it. */
static bool convert_enum(run *r, const conv_field *f, const unsigned char *from, unsigned char *to)
{
    char text[160];
    const lade_enum *a = f->from.field->enumeration;
    const lade_enum *b = f->to.field->enumeration;
    int64_t value = lade_integer_read(from, f->from.scalar);
    const char *name = lade_enumerator_name(a, value);
    for (uint32_t i = 0; name && i < b->count; i++)
        if (strcmp(b->list[i].name, name) == 0)
            return lade_integer_write(to, f->to.scalar, b->list[i].value) ||
                   refuse(r, f, LADE_ERR_RANGE, "an enumerator does not fit");
    const char *taken = lade_enumerator_name(b, value);
    if (taken || (name && r->job->ctx->strict_enums)) {
        snprintf(text, sizeof text, "'%.60s' is no enumerator of the program%s%.60s",
                 name ? name : "a number", taken ? ", where its value is that of " : "",
                 taken ? taken : "");
        return refuse(r, f, LADE_ERR_VALUE, text);
    }
    return lade_integer_write(to, f->to.scalar, value) ||
           refuse(r, f, LADE_ERR_RANGE, "a number does not fit");
}

static bool convert_number(run *r, const conv_field *f, const unsigned char *from,
                           unsigned char *to)
{
    char text[64];
    lade_number n;
    if (lade_number_read(from, f->from.scalar, &n) && lade_number_write(&n, f->to.scalar, to))
        return true;
    snprintf(text, sizeof text, "%.17Lg is not a value of %s", lade_number_real(&n),
             lade_scalar_name(f->to.scalar));
    return refuse(r, f, LADE_ERR_RANGE, text);
}

static bool convert_text(run *r, const conv_field *f, const unsigned char *from, unsigned char *to)
{
    const char *text = (const char *)(f->from.kind == CONV_TEXT ? pointer_at(from) : from);
    if (f->from.kind == CONV_TEXT && f->to.kind == CONV_TEXT) {
        set_pointer(to, text);
        return true;
    }
    size_t n = text ? strnlen(text, f->from.kind == CONV_FIXED ? f->from.step : SIZE_MAX) : 0;
    if (f->to.kind == CONV_FIXED) {
        if (n > f->to.step)
            return refuse(r, f, LADE_ERR_RANGE, "the text is too long");
        if (n)
            memcpy(to, text, n);
        return true;
    }
    unsigned char *copy = take(r, n + 1, 1, 1);
    if (!copy)
        return false;
    if (n)
        memcpy(copy, text, n);
    set_pointer(to, copy);
    return true;
}

static bool convert_known(run *r, const conv_field *f, const unsigned char *from_owner,
                          unsigned char *to_owner, size_t i)
{
    const lade_field *a = f->from.field;
    const lade_field *b = f->to.field;
    const unsigned char *from = from_owner + a->offset + i * sizeof(void *);
    unsigned char *to = to_owner + b->offset + i * sizeof(void *);
    uint32_t is;
    memcpy(&is, from_owner + a->count_offset + i * sizeof is, sizeof is);
    if (!pointer_at(from))
        return true;
    if (is >= a->choice->count || f->which[is] == UINT32_MAX) {
        char text[160];
        snprintf(text, sizeof text,
                 "its object is a '%.60s', which the program does not know there",
                 is < a->choice->count ? a->choice->types[is]->name : "?");
        return refuse(r, f, LADE_ERR_TYPE, text);
    }
    memcpy(to_owner + b->count_offset + i * sizeof is, &f->which[is], sizeof is);
    conv_pair *pair = f->cases[is];
    if (f->to.kind == CONV_ANY_REF)
        return push_ref(r, pair, f, from, to);
    unsigned char *object = take(r, 1, pair->to->size, pair->to->align);
    if (!object)
        return false;
    set_pointer(to, object);
    return push_struct(r, pair, pointer_at(from), object, 1);
}

static bool convert_bits(const conv_field *f, const unsigned char *from_owner,
                         unsigned char *to_owner)
{
    set_pointer(to_owner + f->to.field->offset, pointer_at(from_owner + f->from.field->offset));
    memcpy(to_owner + f->to.field->count_offset, from_owner + f->from.field->count_offset,
           sizeof(uint64_t));
    return true;
}

/* n elements that stand one after the other on both sides. */
static bool convert_elements(run *r, const conv_field *f, const unsigned char *from,
                             unsigned char *to, size_t n)
{
    bool ok = true;
    bool plain =
        f->from.kind == CONV_NUMBER && f->to.kind == CONV_NUMBER && f->from.scalar == f->to.scalar;
    bool shared = f->pair && f->pair->same && f->to.kind != CONV_REF;
    if (n == 0)
        return true;
    if (plain || shared || f->to.kind == CONV_EXTERNAL || f->to.kind == CONV_CUSTOM) {
        memcpy(to, from, n * f->to.step);
        return true;
    }
    if (f->to.kind == CONV_RECORD)
        return push_struct(r, f->pair, from, to, n);
    for (size_t i = 0; i < n && ok; i++, from += f->from.step, to += f->to.step) {
        if (f->to.kind == CONV_REF)
            ok = push_ref(r, f->pair, f, from, to);
        else if (f->from.kind == CONV_ENUM && f->to.kind == CONV_ENUM)
            ok = convert_enum(r, f, from, to);
        else if (f->to.kind == CONV_NUMBER || f->to.kind == CONV_ENUM)
            ok = convert_number(r, f, from, to);
        else
            ok = convert_text(r, f, from, to);
    }
    return ok;
}

/* What stands behind the pointers needs no change. */
static bool may_share(const run *r, const conv_field *f)
{
    if (f->from.form == FORM_FIXED || f->to.form == FORM_FIXED || r->c->no_sharing)
        return false;
    if (f->from.kind == CONV_NUMBER && f->to.kind == CONV_NUMBER)
        return f->from.scalar == f->to.scalar;
    return f->pair && f->pair->same && f->to.kind != CONV_REF;
}

/* Elements behind the pointer, or in the struct, of one side. */
static bool read_side(run *r, const conv_field *f, const unsigned char *owner, size_t outer,
                      const unsigned char **first, size_t *n)
{
    const lade_field *from = f->from.field;
    const unsigned char *member = owner + from->offset + outer * sizeof(void *);
    uint64_t count = f->from.count;
    *first = member;
    if (f->from.form != FORM_FIXED)
        *first = pointer_at(member);
    if (f->from.form == FORM_OPTIONAL)
        count = *first != NULL;
    if (f->from.form == FORM_COUNTED)
        memcpy(&count, owner + from->count_offset, sizeof count);
    if (count != f->to.count && f->to.form == FORM_FIXED) {
        char text[64];
        snprintf(text, sizeof text, "it has %llu elements", (unsigned long long)count);
        return refuse(r, f, f->from.form == FORM_OPTIONAL ? LADE_ERR_VALUE : LADE_ERR_SHAPE,
                      f->from.form == FORM_OPTIONAL ? "it is NULL" : text);
    }
    if (count > 1 && f->to.form == FORM_OPTIONAL)
        return refuse(r, f, LADE_ERR_SHAPE, "it has more than one element");
    *n = (size_t)count;
    return true;
}

static bool note_pool(run *r, const conv_field *f, const unsigned char *from, unsigned char *to,
                      size_t n)
{
    if (f->from.field->kind != LADE_KIND_POOL)
        return true;
    bool still = f->to.field->kind == LADE_KIND_POOL;
    return push_span(r, (span){f->from.field->type, from, still ? to : NULL, n, f->to.step});
}

static bool convert_sequence(run *r, const conv_field *f, const unsigned char *from_owner,
                             unsigned char *to_owner, size_t outer)
{
    const lade_field *to = f->to.field;
    unsigned char *member = to_owner + to->offset + outer * sizeof(void *);
    const unsigned char *from;
    size_t n;
    if (!read_side(r, f, from_owner, outer, &from, &n))
        return false;
    unsigned char *first = member;
    if (f->to.form == FORM_COUNTED)
        memcpy(to_owner + to->count_offset, &(uint64_t){n}, sizeof(uint64_t));
    if (f->to.form != FORM_FIXED) {
        if (n == 0 || may_share(r, f)) {
            set_pointer(member, n ? from : NULL);
            return true;
        }
        first = take(r, n, f->to.step, f->to.align);
        set_pointer(member, first);
    }
    return first && note_pool(r, f, from, first, n) && convert_elements(r, f, from, first, n);
}

/* The extents and the widths of the halo, which have the same order on both sides. */
static void convert_shape(const conv_field *f, const unsigned char *from_owner,
                          unsigned char *to_owner)
{
    const lade_grid *a = f->from.field->grid;
    const lade_grid *b = f->to.field->grid;
    for (unsigned i = 0; i < a->rank; i++)
        memcpy(to_owner + b->extent_offset[i], from_owner + a->extent_offset[i], sizeof(uint64_t));
    if (lade_grid_stores_halo(a))
        memcpy(to_owner + b->halo_offset, from_owner + a->halo_offset, a->rank * sizeof(uint64_t));
}

static bool convert_grid(run *r, const conv_field *f, const unsigned char *from_owner,
                         unsigned char *to_owner)
{
    const unsigned char *from = pointer_at(from_owner + f->from.field->offset);
    unsigned char *to = NULL;
    size_t extent[LADE_MAX_RANK];
    lade_grid_shape shape;
    lade_grid_walk w;
    int64_t at;
    bool ok = true;
    convert_shape(f, from_owner, to_owner);
    if (!from || may_share(r, f)) {
        set_pointer(to_owner + f->to.field->offset, from);
        return true;
    }
    if (!lade_grid_extents(f->to.field->grid, to_owner, extent) ||
        !lade_grid_shape_make(f->to.field->grid, to_owner, extent, false, &shape))
        return refuse(r, f, LADE_ERR_MEMORY, "it is too large");
    to = take(r, shape.allocated, f->to.step, f->to.align);
    set_pointer(to_owner + f->to.field->offset, to);
    for (lade_grid_walk_begin(&w, &shape); to && ok && lade_grid_walk_next(&w, &at);)
        ok = convert_elements(r, f, from + at * (int64_t)f->from.step,
                              to + at * (int64_t)f->to.step, w.run);
    return to && ok;
}

/* A discriminant: the case of the same name, or a number that selects none on either side. The case's own field
 * is converted by the caller: *selected. */
static bool convert_case(run *r, const conv_field *f, const unsigned char *from_owner,
                         unsigned char *to_owner, const conv_field **selected)
{
    const lade_type *a = f->from.type;
    const lade_type *b = f->to.type;
    int64_t is;
    const lade_field *stored = NULL;
    memcpy(&is, from_owner + f->from.field->count_offset, sizeof is);
    *selected = NULL;
    for (uint32_t i = 0; i < a->field_count; i++)
        if (lade_field_stored(a, &a->fields[i]) && lade_field_when(a, i) == is)
            stored = &a->fields[i];
    for (size_t k = 0; stored && k < f->pair->count; k++)
        if (f->pair->fields[k].from.field == stored)
            *selected = &f->pair->fields[k];
    if (stored && !*selected) {
        char text[160];
        snprintf(text, sizeof text, "its case is '%.60s', which the program does not have",
                 stored->name);
        return refuse(r, f, LADE_ERR_TYPE, text);
    }
    for (uint32_t i = 0; i < b->field_count; i++) {
        bool has = lade_field_stored(b, &b->fields[i]);
        if (*selected && &b->fields[i] == (*selected)->to.field)
            is = lade_field_when(b, i);
        else if (!stored && has && lade_field_when(b, i) == is)
            return refuse(r, f, LADE_ERR_TYPE, "its discriminant selects a case that is not there");
    }
    memcpy(to_owner + f->to.field->count_offset, &is, sizeof is);
    return true;
}

/* A field that is no variant. */
static bool convert_plain(run *r, const conv_field *f, const unsigned char *from_owner,
                          unsigned char *to_owner)
{
    bool ok = true;
    switch (f->to.kind) {
    case CONV_ANY:
    case CONV_ANY_REF:
        for (size_t i = 0; i < f->to.count && ok; i++)
            ok = convert_known(r, f, from_owner, to_owner, i);
        return ok;
    case CONV_BITS:
        return convert_bits(f, from_owner, to_owner);
    default:
        break;
    }
    if (f->to.form == FORM_GRID)
        return convert_grid(r, f, from_owner, to_owner);
    for (size_t i = 0; i < f->to.outer && ok; i++)
        ok = convert_sequence(r, f, from_owner, to_owner, i);
    return ok;
}

/* Variants nest by value: a loop over the cases that they select. */
static bool convert_field(run *r, const conv_field *f, const unsigned char *from_owner,
                          unsigned char *to_owner)
{
    while (f->to.kind == CONV_VARIANT) {
        const conv_field *inner;
        if (!convert_case(r, f, from_owner, to_owner, &inner))
            return false;
        if (!inner)
            return true;
        from_owner += f->from.field->offset;
        to_owner += f->to.field->offset;
        f = inner;
    }
    return convert_plain(r, f, from_owner, to_owner);
}

static void set_default(const conv_pair *pair, const lade_field *to, unsigned char *struct_to)
{
    for (uint32_t i = 0; i < pair->own->field_count; i++) {
        const lade_field *own = &pair->own->fields[i];
        bool plain = own->kind == to->kind && own->scalar == to->scalar &&
                     (own->kind == LADE_KIND_VALUE || own->kind == LADE_KIND_ENUMERATION);
        if (plain && strcmp(own->name, to->name) == 0 && own->options && own->options->fallback)
            memcpy(struct_to + to->offset, own->options->fallback, lade_field_bytes(to));
    }
}

static bool convert_struct(run *r, conv_pair *pair, const unsigned char *from, unsigned char *to)
{
    if (pair->same || pair->to->form == LADE_FORM_CUSTOM || pair->to->scalar != LADE_NONE) {
        memcpy(to, from, pair->to->size);
        return true;
    }
    bool ok = true;
    for (size_t i = 0; i < pair->count && ok; i++) {
        const conv_field *f = &pair->fields[i];
        r->owner = pair->to;
        if (f->added)
            set_default(pair, f->to.field, to);
        else if (f->around)
            ok = push_struct(r, f->pair, from, to + f->to.field->offset, 1);
        else
            ok = convert_field(r, f, from + f->base, to);
    }
    return ok;
}

static bool structs_run(run *r)
{
    bool ok = true;
    while (r->struct_count && ok) {
        struct_work w = r->structs[--r->struct_count];
        for (size_t i = 0; i < w.n && ok; i++) {
            ok = convert_struct(r, w.pair, w.from, w.to);
            w.from += w.pair->from->size;
            w.to += w.pair->to->size;
        }
    }
    return ok;
}

/* An object in one of the arrays; *found if it is. */
static bool ref_in_span(run *r, const ref_work *w, bool *found)
{
    for (size_t i = 0; i < r->span_count; i++) {
        const span *s = &r->spans[i];
        uintptr_t at = (uintptr_t)w->from - (uintptr_t)s->from;
        if (s->type != w->pair->from || at / s->type->size >= s->n)
            continue;
        *found = true;
        if (s->to) {
            set_pointer(w->to, s->to + at / s->type->size * s->step);
            return true;
        }
        lade_job_error(
            r->job, LADE_ERR_REFERENCE, 0,
            "%s.%s: it refers to an element of what is a pool in the file, and none in the "
            "program",
            w->owner->name, w->field->name);
        return false;
    }
    return true;
}

static bool object_add(run *r, conv_pair *pair, const void *from, void *to)
{
    bool fresh;
    uint64_t id = lade_ids_get(r->allocator, &pair->ids, from, &fresh);
    if (id == UINT64_MAX || !lade_mem_grow(r->allocator, &pair->objects, &pair->objects_capacity,
                                           (size_t)id + 1, sizeof(void *)))
        return no_memory(r);
    pair->objects[id] = to;
    return true;
}

static bool ref_run(run *r, const ref_work *w)
{
    bool found = false;
    if (!ref_in_span(r, w, &found))
        return false;
    if (found)
        return true;
    if (w->pair->same) {
        set_pointer(w->to, w->from);
        return true;
    }
    uint64_t id = lade_ids_find(&w->pair->ids, w->from);
    if (id != UINT64_MAX) {
        set_pointer(w->to, w->pair->objects[id]);
        return true;
    }
    unsigned char *object = take(r, 1, w->pair->to->size, w->pair->to->align);
    if (!object || !object_add(r, w->pair, w->from, object))
        return false;
    set_pointer(w->to, object);
    return push_struct(r, w->pair, w->from, object, 1);
}

static bool run_all(run *r)
{
    bool ok = structs_run(r);
    while (r->ref_count && ok) {
        ref_work w = r->refs[--r->ref_count];
        ok = ref_run(r, &w) && structs_run(r);
    }
    return ok;
}

static bool convert_scalars(run *r, const lade_value *from, unsigned char *to, size_t n)
{
    lade_field a = {.name = "elements", .kind = LADE_KIND_VALUE, .scalar = from->type->scalar};
    lade_field b = {.name = "elements", .kind = LADE_KIND_VALUE, .scalar = r->c->to->root->scalar};
    conv_field f = {
        .from = {.field = &a, .scalar = (lade_scalar)a.scalar, .step = from->type->size},
        .to = {.field = &b, .scalar = (lade_scalar)b.scalar, .step = r->c->to->root->size}};
    r->owner = r->c->to->root;
    return convert_elements(r, &f, from->data, to, n);
}

static bool convert_root(run *r, const lade_value *from, unsigned char *to, size_t n)
{
    conv_pair *root = r->c->root;
    if (!root)
        return convert_scalars(r, from, to, n);
    bool ok = from->rank ? push_span(r, (span){root->from, from->data, to, n, root->to->size})
                         : object_add(r, root, from->data, to);
    return ok && push_struct(r, root, from->data, to, n) && run_all(r);
}

lade_status lade_convert_run(lade_job *job, lade_conversion *c, const lade_value *from,
                             lade_value *to, lade_arena *arena)
{
    run r = {.job = job, .c = c, .allocator = c->allocator, .arena = arena};
    size_t n = 1;
    for (conv_pair *p = c->first; p; p = p->next)
        lade_ids_reset(c->allocator, &p->ids);
    for (unsigned i = 0; i < from->rank; i++)
        n *= from->extents[i];
    const lade_type *type = c->to->root;
    unsigned char *memory = take(&r, n, type->size, type->align);
    bool ok = memory && (n == 0 || convert_root(&r, from, memory, n));
    lade_mem_free(r.allocator, r.structs, r.struct_capacity * sizeof *r.structs);
    lade_mem_free(r.allocator, r.refs, r.ref_capacity * sizeof *r.refs);
    lade_mem_free(r.allocator, r.spans, r.span_capacity * sizeof *r.spans);
    if (!ok)
        return lade_job_status(job, LADE_ERR_TYPE, "the value cannot be converted");
    *to = *from;
    to->type = type;
    to->data = memory;
    return LADE_OK;
}
