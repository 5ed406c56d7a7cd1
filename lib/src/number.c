/* Integers of any width in memory, and the packed wire form of natural records. */
#include <float.h>
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

/*
 * binary128 (IEEE 754): sign, 15 bits of exponent, 112 bits of fraction. The other long doubles are Intel's
 * (64 bits with the leading one, the same exponents) and double.
 */
static void words_put(uint8_t *wire, uint64_t low, uint64_t high)
{
    lade_priv_store64(wire, low);
    lade_priv_store64(wire + 8, high);
}

#if LDBL_MANT_DIG == 113
void lade_long_double_pack(uint8_t *wire, const void *value)
{
    lade_priv_copy(wire, value, 16, 1);
}

bool lade_long_double_unpack(void *value, const uint8_t *wire)
{
    lade_priv_copy(value, wire, 16, 1);
    return true;
}
#elif LDBL_MANT_DIG == 64
void lade_long_double_pack(uint8_t *wire, const void *value)
{
    uint64_t mantissa;
    uint16_t head; /* sign and exponent */
    memcpy(&mantissa, value, sizeof mantissa);
    memcpy(&head, (const unsigned char *)value + 8, sizeof head);
    uint64_t fraction = mantissa << 1;
    if ((head & 0x7fff) == 0 && mantissa >> 63) /* a pseudo-denormal has the value of exponent 1 */
        head |= 1;
    words_put(wire, fraction << 48, (uint64_t)head << 48 | fraction >> 16);
}

bool lade_long_double_unpack(void *value, const uint8_t *wire)
{
    uint64_t low = lade_priv_load64(wire);
    uint64_t high = lade_priv_load64(wire + 8);
    uint16_t head = (uint16_t)(high >> 48);
    uint64_t fraction = high << 16 | low >> 48;
    uint64_t mantissa = fraction >> 1 | (uint64_t)((head & 0x7fff) != 0) << 63;
    memset(value, 0, sizeof(long double));
    memcpy(value, &mantissa, sizeof mantissa);
    memcpy((unsigned char *)value + 8, &head, sizeof head);
    return (fraction & 1) == 0 && low << 16 == 0;
}
#else
void lade_long_double_pack(uint8_t *wire, const void *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    uint64_t sign = bits >> 63 << 63;
    uint64_t exponent = bits >> 52 & 0x7ff;
    uint64_t fraction = bits << 12 >> 12;
    if (exponent == 0x7ff) {
        exponent = 0x7fff;
    } else if (exponent != 0) {
        exponent += 16383 - 1023;
    } else if (fraction != 0) { /* a denormal is a normal number here */
        unsigned shift = (unsigned)__builtin_clzll(fraction) - 11;
        fraction = fraction << shift & 0xfffffffffffffULL;
        exponent = 16383 - 1022 - shift;
    }
    words_put(wire, fraction << 60, sign | exponent << 48 | fraction >> 4);
}

bool lade_long_double_unpack(void *value, const uint8_t *wire)
{
    uint64_t low = lade_priv_load64(wire);
    uint64_t high = lade_priv_load64(wire + 8);
    uint64_t sign = high >> 63 << 63;
    int exponent = (int)(high >> 48 & 0x7fff) - 16383 + 1023;
    uint64_t fraction = (high & 0xffffffffffffULL) << 4 | low >> 60;
    bool exact = low << 4 == 0;
    uint64_t bits = fraction;
    if ((high >> 48 & 0x7fff) == 0x7fff) {
        bits |= 0x7ffULL << 52;
    } else if ((high >> 48 & 0x7fff) == 0) {
        exact = exact && fraction == 0;
    } else if (exponent > 0) {
        exact = exact && exponent < 0x7ff;
        bits |= (uint64_t)exponent << 52;
    } else {
        unsigned shift = (unsigned)(1 - exponent);
        bits |= 1ULL << 52;
        exact = exact && shift <= 52 && bits << (64 - shift) == 0;
        bits = shift <= 52 ? bits >> shift : 0;
    }
    bits |= sign;
    memcpy(value, &bits, sizeof bits);
    return exact;
}
#endif

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
        if (!(l->node->edges[l->field].flags & LADE_EDGE_STORED)) {
            l->field++;
            continue;
        }
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
