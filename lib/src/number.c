/* Integers of any width in memory, and the packed wire form of natural records. */
#include <string.h>

#include "plan.h"
#include "schema.h"

#define INTEGERS(X)       \
    X(LADE_CHAR, char)    \
    X(LADE_I8, int8_t)    \
    X(LADE_U8, uint8_t)   \
    X(LADE_I16, int16_t)  \
    X(LADE_U16, uint16_t) \
    X(LADE_I32, int32_t)  \
    X(LADE_U32, uint32_t) \
    X(LADE_I64, int64_t)  \
    X(LADE_U64, uint64_t)

int64_t lade_integer_read(const void *member, lade_scalar scalar)
{
    switch ((int)scalar) {
#define READ(code, ctype)             \
    case code: {                      \
        ctype x;                      \
        memcpy(&x, member, sizeof x); \
        return (int64_t)x;            \
    }
        INTEGERS(READ)
#undef READ
    default:
        return 0;
    }
}

bool lade_integer_write(void *member, lade_scalar scalar, int64_t value)
{
    switch ((int)scalar) {
#define WRITE(code, ctype)            \
    case code: {                      \
        ctype x = (ctype)value;       \
        memcpy(member, &x, sizeof x); \
        return (int64_t)x == value;   \
    }
        INTEGERS(WRITE)
#undef WRITE
    default:
        return false;
    }
}

bool lade_count_read(const void *member, lade_scalar scalar, uint64_t *value)
{
    int64_t x = lade_integer_read(member, scalar);
    *value = (uint64_t)x;
    return x >= 0 || scalar == LADE_U64;
}

bool lade_count_write(void *member, lade_scalar scalar, uint64_t value)
{
    if (value > INT64_MAX && scalar != LADE_U64)
        return false;
    return lade_integer_write(member, scalar, (int64_t)value);
}

/* A natural record is a sequence of scalars whose wire form has no gaps; inner records are walked
 * with a stack of places. */
enum { NEST = LADE_NATURAL_NEST + 1 };

typedef struct level {
    const lade_node *node;
    size_t base; /* of the struct, from the start of the element */
    uint32_t field;
    size_t element;
} level;

typedef void step_fn(unsigned char *memory, uint8_t *wire, lade_scalar scalar, size_t count);

static void step_pack(unsigned char *memory, uint8_t *wire, lade_scalar scalar, size_t count)
{
    size_t unit = lade_scalar_unit(scalar);
    lade_priv_copy(wire, memory, unit, count * lade_scalar_size(scalar) / unit);
}

static void step_unpack(unsigned char *memory, uint8_t *wire, lade_scalar scalar, size_t count)
{
    size_t unit = lade_scalar_unit(scalar);
    lade_priv_copy(memory, wire, unit, count * lade_scalar_size(scalar) / unit);
}

static void walk_one(const lade_node *node, unsigned char *memory, uint8_t *wire, step_fn *step)
{
    level stack[NEST];
    size_t top = 0;
    stack[top++] = (level){node, 0, 0, 0};
    while (top) {
        level *l = &stack[top - 1];
        if (l->field == l->node->type->field_count) {
            top--;
            continue;
        }
        const lade_field *f = &l->node->type->fields[l->field];
        size_t n = lade_field_elements(f);
        if (f->kind == LADE_KIND_RECORD && l->element < n) {
            const lade_node *to = l->node->edges[l->field].node;
            stack[top++] = (level){to, l->base + f->offset + l->element++ * to->type->size, 0, 0};
            continue;
        }
        if (f->kind == LADE_KIND_VALUE) {
            step(memory + l->base + f->offset, wire, (lade_scalar)f->scalar, n);
            wire += n * lade_scalar_size((lade_scalar)f->scalar);
        }
        l->field++;
        l->element = 0;
    }
}

static void walk(const lade_node *node, unsigned char *memory, uint8_t *wire, size_t n,
                 step_fn *step)
{
    if (node->type->scalar != LADE_NONE) {
        step(memory, wire, (lade_scalar)node->type->scalar, n);
        return;
    }
    for (size_t i = 0; i < n; i++, memory += node->type->size, wire += node->wire_size)
        walk_one(node, memory, wire, step);
}

void lade_node_pack(const lade_node *node, uint8_t *wire, const void *value, size_t n)
{
    /* step_pack only reads the memory */
    walk(node, lade_priv_unconst(value), wire, n, step_pack);
}

void lade_node_unpack(const lade_node *node, void *value, const uint8_t *wire, size_t n)
{
    walk(node, value, lade_priv_unconst(wire), n, step_unpack);
}
