#include "random_types.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
typedef enum { ALPHA, BETA, GAMMA } linear_enum;
LADE_ENUM(linear_enum, ALPHA, BETA, GAMMA)
typedef enum { FAR = 100, NEAR = -3 } jumping_enum;
LADE_ENUM(jumping_enum, FAR, NEAR)
/* clang-format on */

static const lade_type *const scalars[] = {NULL,
#define ENTRY(name, code, ctype) &lade_scalar_##name,
                                           LADE_SCALAR_LIST(ENTRY)
#undef ENTRY
};

static unsigned below(random_types *t, unsigned n)
{
    return (unsigned)(test_random(&t->state) % n);
}

static const char *name_of(unsigned i)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    return names[i];
}

static const lade_type *any_scalar(random_types *t)
{
    return scalars[1 + below(t, LADE_C64)];
}

/* Places `size` bytes at the end of a struct; now and then behind a gap. */
static size_t place(random_types *t, lade_type *type, size_t size, size_t align)
{
    size_t at = type->size + (below(t, 8) == 0 ? below(t, 20) : 0);
    at = (at + align - 1) / align * align;
    type->size = at + size;
    if (align > type->align)
        type->align = align;
    return at;
}

static size_t random_extents(random_types *t, lade_field *f, unsigned max_rank)
{
    size_t n = 1;
    f->rank = (uint8_t)(below(t, 2) ? 0 : below(t, max_rank + 1));
    for (unsigned i = 0; i < f->rank; i++) {
        f->extent[i] = 1 + below(t, 4);
        n *= f->extent[i];
    }
    return n;
}

static void value_field(random_types *t, lade_type *type, lade_field *f)
{
    size_t n = random_extents(t, f, LADE_MAX_EXTENTS);
    if (f->rank && below(t, 6) == 0) {
        n = n / f->extent[0] * 300; /* often content */
        f->extent[0] = 300;
    }
    const lade_type *s = any_scalar(t);
    if (f->kind == LADE_KIND_ENUMERATION) {
        s = scalars[LADE_CHAR + below(t, LADE_U64 - LADE_CHAR + 1)];
        f->enumeration = below(t, 2) ? &lade_enum_linear_enum : &lade_enum_jumping_enum;
    }
    f->scalar = s->scalar;
    f->offset = place(t, type, n * s->size, s->align);
}

static void counted_field(random_types *t, lade_type *type, lade_field *f)
{
    const lade_type *count = scalars[LADE_CHAR + below(t, LADE_U64 - LADE_CHAR + 1)];
    bool before = below(t, 2);
    f->count_scalar = count->scalar;
    if (before)
        f->count_offset = place(t, type, count->size, count->align);
    f->offset = place(t, type, sizeof(void *), sizeof(void *));
    if (!before)
        f->count_offset = place(t, type, count->size, count->align);
}

/* The types that a pointer may lead to: records come later in the array, or anywhere. */
static const lade_type *any_target(random_types *t)
{
    unsigned first = t->pools ? 1 : 0;
    if (first == t->count || below(t, 3) == 0)
        return any_scalar(t);
    return &t->types[first + below(t, t->count - first)];
}

static void random_field(random_types *t, unsigned at, lade_field *f)
{
    lade_type *type = &t->types[at];
    static const uint8_t kinds[] = {LADE_KIND_VALUE,    LADE_KIND_VALUE,      LADE_KIND_ENUMERATION,
                                    LADE_KIND_TEXT,     LADE_KIND_FIXED_TEXT, LADE_KIND_RECORD,
                                    LADE_KIND_VECTOR,   LADE_KIND_VECTOR,     LADE_KIND_POOL,
                                    LADE_KIND_OPTIONAL, LADE_KIND_REF,        LADE_KIND_REF};
    f->kind = kinds[below(t, COUNT_OF(kinds))];
    if (f->kind == LADE_KIND_POOL && (at > 0 || !t->pools))
        f->kind = LADE_KIND_VECTOR;
    if (f->kind == LADE_KIND_RECORD && at + 1 == t->count)
        f->kind = LADE_KIND_VALUE;
    switch (f->kind) {
    case LADE_KIND_VALUE:
    case LADE_KIND_ENUMERATION:
        value_field(t, type, f);
        break;
    case LADE_KIND_FIXED_TEXT:
        f->rank = 1;
        f->extent[0] = 1 + below(t, 30);
        f->offset = place(t, type, f->extent[0], 1);
        break;
    case LADE_KIND_RECORD:
        /* the later types are made first: their size is known, and none holds itself */
        f->type = &t->types[at + 1 + below(t, t->count - at - 1)];
        f->offset = place(t, type, random_extents(t, f, 2) * f->type->size, f->type->align);
        break;
    case LADE_KIND_VECTOR:
    case LADE_KIND_POOL:
        f->type = any_target(t);
        counted_field(t, type, f);
        break;
    case LADE_KIND_REF:
        f->type = below(t, 4) ? any_target(t) : &lade_scalar_f64;
        if (f->type->scalar)
            f->type = &lade_scalar_f64;
        f->offset = place(t, type, sizeof(void *), sizeof(void *));
        break;
    case LADE_KIND_OPTIONAL:
        f->type = any_target(t);
        /* fall through */
    default:
        f->offset = place(t, type, sizeof(void *), sizeof(void *));
    }
}

void random_types_make(random_types *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->state = seed;
    t->count = 1 + below(t, MAX_TYPES);
    t->pools = below(t, 2);
    for (unsigned at = t->count; at-- > 0;) {
        lade_type *type = &t->types[at];
        *type = (lade_type){.name = name_of(at), .align = 1, .fields = t->fields[at]};
        type->field_count = 1 + below(t, MAX_FIELDS);
        for (unsigned i = 0; i < type->field_count; i++) {
            t->fields[at][i].name = name_of(i);
            random_field(t, at, &t->fields[at][i]);
        }
        if (below(t, 4) == 0)
            place(t, type, 1 + below(t, 9), 1);
        type->size = (type->size + type->align - 1) / type->align * type->align;
    }
}

static void *block(random_values *v, size_t size)
{
    void *memory = malloc(size);
    v->blocks = realloc(v->blocks, (v->block_count + 1) * sizeof *v->blocks);
    assert_true(memory && v->blocks);
    v->blocks[v->block_count++] = memory;
    memset(memory, 0x5A, size); /* padding and members that are not listed */
    return memory;
}

static unsigned type_index(const random_values *v, const lade_type *type)
{
    return type->scalar ? MAX_TYPES : (unsigned)(type - v->types->types);
}

static void fill_scalars(random_values *v, const lade_type *scalar, unsigned char *at, size_t n)
{
    for (size_t i = 0; i < n * scalar->size; i++)
        at[i] = (unsigned char)(test_random(&v->types->state) >> 32 &
                                (scalar->scalar == LADE_BOOL ? 1 : 0xff));
}

static void *bodies(random_values *v, const lade_type *type, size_t n, unsigned depth)
{
    unsigned char *body = block(v, n * type->size);
    for (size_t i = 0; i < n; i++)
        random_value_fill(v, type, body + i * type->size, depth + 1);
    return body;
}

static char *random_text(random_values *v)
{
    random_types *t = v->types;
    if (below(t, 4) == 0)
        return NULL;
    size_t n = below(t, 20) ? below(t, 40) : below(t, 6000);
    char *text = block(v, n + 1);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)(1 + below(t, 255));
    text[n] = 0;
    return text;
}

static size_t random_count(random_values *v, const lade_type *type, unsigned depth)
{
    random_types *t = v->types;
    if (depth > 6 || v->budget == 0)
        return 0;
    size_t n = below(t, 5);
    if (type->scalar && below(t, 6) == 0)
        n = below(t, 128);
    if (!type->scalar && n > v->budget)
        n = v->budget;
    if (!type->scalar)
        v->budget -= (unsigned)n;
    return n;
}

/* An object that is there, or a new one. */
static void *random_target(random_values *v, const lade_type *type)
{
    random_types *t = v->types;
    unsigned at = type_index(v, type);
    unsigned there = v->object_count[at];
    if (below(t, 4) == 0 || (there == 0 && v->budget == 0))
        return NULL;
    if (there == MAX_OBJECTS || v->budget == 0 || (there && below(t, 2)))
        return v->objects[at][below(t, there)];
    void *object = block(v, type->size);
    v->objects[at][v->object_count[at]++] = object;
    v->budget--;
    random_value_fill(v, type, object, 2);
    return object;
}

static void put_count(unsigned char *at, lade_scalar scalar, uint64_t n)
{
    memcpy(at, &n, lade_scalar_size(scalar)); /* counts are below 128; little-endian machines */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    memset(at, 0, lade_scalar_size(scalar));
    at[lade_scalar_size(scalar) - 1] = (unsigned char)n;
#endif
}

static void fill_pointer(random_values *v, const lade_field *f, unsigned char *value,
                         unsigned depth)
{
    void *pointer = NULL;
    size_t n;
    switch (f->kind) {
    case LADE_KIND_TEXT:
        pointer = random_text(v);
        break;
    case LADE_KIND_OPTIONAL:
        if (random_count(v, f->type, depth) % 2)
            pointer = bodies(v, f->type, 1, depth);
        break;
    case LADE_KIND_REF:
        pointer = random_target(v, f->type);
        break;
    default:
        n = random_count(v, f->type, depth);
        pointer = n ? bodies(v, f->type, n, depth) : NULL;
        put_count(value + f->count_offset, (lade_scalar)f->count_scalar, n);
        if (f->kind == LADE_KIND_POOL && (f->type->scalar == 0 || f->type->scalar == LADE_F64))
            for (size_t i = 0; i < n; i++) {
                unsigned at = type_index(v, f->type);
                if (v->object_count[at] < MAX_OBJECTS)
                    v->objects[at][v->object_count[at]++] =
                        (unsigned char *)pointer + i * f->type->size;
            }
    }
    memcpy(value + f->offset, &pointer, sizeof pointer);
}

void random_value_fill(random_values *v, const lade_type *type, void *value, unsigned depth)
{
    random_types *t = v->types;
    unsigned char *bytes = value;
    if (type->scalar) {
        fill_scalars(v, type, bytes, 1);
        return;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const lade_field *f = &type->fields[i];
        unsigned char *member = bytes + f->offset;
        size_t n = 1;
        for (unsigned k = 0; k < f->rank; k++)
            n *= f->extent[k];
        if (f->kind == LADE_KIND_VALUE || f->kind == LADE_KIND_ENUMERATION) {
            fill_scalars(v, scalars[f->scalar], member, n);
            if (f->kind == LADE_KIND_ENUMERATION && below(t, 2)) {
                memset(member, 0, n * lade_scalar_size((lade_scalar)f->scalar));
                put_count(member, (lade_scalar)f->scalar, below(t, 4));
            }
        } else if (f->kind == LADE_KIND_FIXED_TEXT) {
            for (size_t k = 0; k < n; k++)
                member[k] = (unsigned char)below(t, 40);
        } else if (f->kind == LADE_KIND_RECORD) {
            for (size_t k = 0; k < n; k++)
                random_value_fill(v, f->type, member + k * f->type->size, depth);
        } else {
            fill_pointer(v, f, bytes, depth);
        }
    }
}

void *random_values_make(random_values *v, random_types *t, unsigned budget)
{
    *v = (random_values){.types = t, .budget = budget};
    void *root = block(v, t->types[0].size);
    if (!t->pools) {
        v->objects[0][0] = root;
        v->object_count[0] = 1;
    }
    random_value_fill(v, &t->types[0], root, 0);
    return root;
}

void random_values_free(random_values *v)
{
    for (size_t i = 0; i < v->block_count; i++)
        free(v->blocks[i]);
    free(v->blocks);
    *v = (random_values){0};
}
