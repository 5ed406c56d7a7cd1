#include "mutate.h"

#include <string.h>

#include "../unit/support.h"

uint8_t mutate_byte(uint8_t old, unsigned k)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    return (uint8_t)(k < COUNT_OF(values) ? values[k] : old ^ 1u << (k - COUNT_OF(values)));
}

uint64_t mutate_number(uint64_t n, unsigned k)
{
    const uint64_t values[MUTATE_NUMBERS] = {0,          1,          n - 1,      n + 1,
                                             2 * n,      1ull << 31, 1ull << 32, UINT32_MAX,
                                             1ull << 60, 1ull << 63, UINT64_MAX};
    return values[k];
}

/* The varint at `at`; its length is 1 where there is none. */
static uint64_t varint_at(const uint8_t *from, size_t size, size_t at, size_t *length)
{
    uint8_t padded[2 * LADE_PRIV_VARINT_MAX] = {0};
    uint64_t n = 0;
    size_t left = size - at;
    memcpy(padded, from + at, left < sizeof padded ? left : sizeof padded);
    const uint8_t *end = lade_priv_get_varint(padded, &n);
    *length = end ? (size_t)(end - padded) : 1;
    return end ? n : padded[0];
}

/* Puts a varint in the place of `length` bytes; `skip` bytes behind them are left out, or `twice` are doubled. */
static size_t replace(uint8_t *to, const uint8_t *from, size_t size, size_t at, size_t length,
                      uint64_t value, size_t skip, size_t twice)
{
    uint8_t wide[LADE_PRIV_VARINT_MAX + 8];
    size_t new_length = (size_t)(lade_priv_put_varint(wide, value) - wide);
    size_t behind = at + length;
    uint8_t *p = to + at;
    if (behind + skip > size || behind + twice > size)
        return 0;
    memcpy(to, from, at);
    memcpy(p, wide, new_length);
    p += new_length;
    memcpy(p, from + behind, twice);
    p += twice;
    memcpy(p, from + behind + skip, size - behind - skip);
    return size - length + new_length + twice - skip;
}

size_t mutate_varint(uint8_t *to, const uint8_t *from, size_t size, size_t at, unsigned k)
{
    size_t length;
    uint64_t n = varint_at(from, size, at, &length);
    return replace(to, from, size, at, length, mutate_number(n, k), 0, 0);
}

size_t mutate_element(uint8_t *to, const uint8_t *from, size_t size, size_t at, unsigned k)
{
    static const size_t elements[MUTATE_ELEMENTS / 2] = {1, 2, 4, 8, 16, 19};
    size_t length;
    uint64_t n = varint_at(from, size, at, &length);
    size_t element = elements[k / 2];
    return k % 2 ? replace(to, from, size, at, length, n - 1, element, 0)
                 : replace(to, from, size, at, length, n + 1, 0, element);
}

size_t mutate_parts(uint8_t *to, const uint8_t *from, size_t size, uint64_t *random)
{
    if (size == 0)
        return 0;
    size_t a = (size_t)(test_random(random) % size);
    size_t most = size - a < MUTATE_ROOM ? size - a : MUTATE_ROOM;
    size_t n = 1 + (size_t)(test_random(random) % most);
    if (test_random(random) % 4)
        n = n % 24 + 1 < most ? n % 24 + 1 : most;
    size_t b = a + n;
    size_t rest = size - b;
    memcpy(to, from, size);
    switch (test_random(random) % 3) {
    case 0: /* deleted */
        memcpy(to + a, from + b, rest);
        return size - n;
    case 1: /* doubled */
        memcpy(to + b, from + a, n);
        memcpy(to + b + n, from + b, rest);
        return size + n;
    default: /* swapped with what follows */
        n = rest < n ? rest : n;
        memcpy(to + a, from + b, n);
        memcpy(to + a + n, from + a, b - a);
        return size;
    }
}
