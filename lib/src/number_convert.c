/* Numbers of one scalar as those of another, exactly. */
#include "number_convert.h"

#include <math.h>
#include <string.h>

#include "plan.h"

static bool is_integer(lade_scalar scalar)
{
    return scalar >= LADE_BOOL && scalar <= LADE_U64;
}

static void read_integer(const void *member, lade_scalar scalar, lade_number *out)
{
    int64_t i = 0;
    if (scalar == LADE_BOOL)
        i = *(const unsigned char *)member != 0;
    else
        i = lade_integer_read(member, scalar);
    out->integer = true;
    out->negative = i < 0 && scalar != LADE_U64;
    out->magnitude = out->negative ? 0 - (uint64_t)i : (uint64_t)i;
}

bool lade_number_read(const void *member, lade_scalar scalar, lade_number *out)
{
    float f[2] = {0, 0};
    double d[2] = {0, 0};
    size_t size = lade_scalar_size(scalar);
    *out = (lade_number){0};
    switch ((int)scalar) {
    case LADE_NONE:
        return false;
    case LADE_F32:
    case LADE_C32:
        memcpy(f, member, size);
        out->real = (long double)f[0];
        out->imaginary = (long double)f[1];
        return true;
    case LADE_F64:
    case LADE_C64:
        memcpy(d, member, size);
        out->real = (long double)d[0];
        out->imaginary = (long double)d[1];
        return true;
    case LADE_F128:
        memcpy(&out->real, member, sizeof out->real);
        return true;
    default:
        if (!is_integer(scalar))
            return false;
        read_integer(member, scalar, out);
        return true;
    }
}

long double lade_number_real(const lade_number *n)
{
    if (!n->integer)
        return n->real;
    return n->negative ? -(long double)n->magnitude : (long double)n->magnitude;
}

/* A real number that is whole, as an integer. */
static bool to_integer(const lade_number *n, lade_number *out)
{
    *out = *n;
    if (n->integer)
        return true;
    long double size = n->real < 0 ? -n->real : n->real;
    bool minus_zero = n->real == 0 && signbit(n->real);
    if (n->imaginary != 0 || minus_zero || !(size < 18446744073709551616.0L) ||
        (long double)(uint64_t)size != size)
        return false;
    *out = (lade_number){.integer = true, .negative = n->real < 0, .magnitude = (uint64_t)size};
    return true;
}

static bool write_integer(const lade_number *n, lade_scalar scalar, void *member)
{
    lade_number is;
    if (!to_integer(n, &is))
        return false;
    if (scalar == LADE_BOOL) {
        unsigned char bit = is.magnitude != 0;
        if (is.magnitude > 1 || is.negative)
            return false;
        memcpy(member, &bit, 1);
        return true;
    }
    int64_t value = (int64_t)(is.negative ? 0 - is.magnitude : is.magnitude);
    unsigned char bytes[8];
    bool fits = is.negative ? is.magnitude <= (uint64_t)1 << 63 && scalar != LADE_U64
                            : is.magnitude <= INT64_MAX || scalar == LADE_U64;
    if (!fits || !lade_integer_write(bytes, scalar, value) ||
        (lade_integer_read(bytes, scalar) < 0) != (value < 0))
        return false;
    memcpy(member, bytes, lade_scalar_size(scalar));
    return true;
}

static bool same(long double a, long double b)
{
    return a == b ? !signbit(a) == !signbit(b) : isnan(a) && isnan(b);
}

/* An integer of 64 bits may have more digits than a long double. */
static bool real_part(const lade_number *n, long double *real)
{
    *real = lade_number_real(n);
    long double size = *real < 0 ? -*real : *real;
    return !n->integer || (size < 18446744073709551616.0L && (uint64_t)size == n->magnitude);
}

bool lade_number_write(const lade_number *n, lade_scalar scalar, void *member)
{
    long double real;
    if (is_integer(scalar))
        return write_integer(n, scalar, member);
    if (!real_part(n, &real))
        return false;
    float f[2] = {(float)real, (float)n->imaginary};
    double d[2] = {(double)real, (double)n->imaginary};
    bool complex_scalar = scalar == LADE_C32 || scalar == LADE_C64;
    if (!complex_scalar && n->imaginary != 0)
        return false;
    switch ((int)scalar) {
    case LADE_F32:
    case LADE_C32:
        if (!same((long double)f[0], real) || !same((long double)f[1], n->imaginary))
            return false;
        memcpy(member, f, lade_scalar_size(scalar));
        return true;
    case LADE_F64:
    case LADE_C64:
        if (!same((long double)d[0], real) || !same((long double)d[1], n->imaginary))
            return false;
        memcpy(member, d, lade_scalar_size(scalar));
        return true;
    case LADE_F128:
        memset(member, 0, sizeof real);
        memcpy(member, &real, sizeof real);
        return true;
    default:
        return false;
    }
}
