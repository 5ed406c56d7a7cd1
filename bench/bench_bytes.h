/**
 * \file
 * Little-endian stores and loads, short copies and a seeded generator of numbers, for the
 * hand-written implementations and the makers of test values. Header only; uses nothing but the C
 * library. Each put and get is one move on little-endian machines (gcc 12 does not make one of
 * byte-wise stores).
 */
#ifndef BENCH_BYTES_H
#define BENCH_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** To little-endian and back. */
static inline uint32_t bench_le32(uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return v;
#else
    return __builtin_bswap32(v);
#endif
}

static inline uint64_t bench_le64(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return v;
#else
    return __builtin_bswap64(v);
#endif
}

/** Stores 4 bytes; returns the byte after them. */
static inline uint8_t *bench_put_u32(uint8_t *p, uint32_t v)
{
    v = bench_le32(v);
    memcpy(p, &v, sizeof v);
    return p + sizeof v;
}

/** Stores 8 bytes; returns the byte after them. */
static inline uint8_t *bench_put_u64(uint8_t *p, uint64_t v)
{
    v = bench_le64(v);
    memcpy(p, &v, sizeof v);
    return p + sizeof v;
}

/** Stores the 8 bytes of a double; returns the byte after them. */
static inline uint8_t *bench_put_f64(uint8_t *p, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    return bench_put_u64(p, bits);
}

static inline uint32_t bench_get_u32(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
    return bench_le32(v);
}

static inline uint64_t bench_get_u64(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return bench_le64(v);
}

static inline double bench_get_f64(const uint8_t *p)
{
    uint64_t bits = bench_get_u64(p);
    double v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

/** Copies `len` bytes, without a call when they are fewer than 17: two moves that may overlap. */
static inline void bench_copy_short(void *to, const void *from, size_t len)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    if (len > 16) {
        memcpy(t, f, len);
    } else if (len >= 8) {
        uint64_t head, tail;

        memcpy(&head, f, 8);
        memcpy(&tail, f + len - 8, 8);
        memcpy(t, &head, 8);
        memcpy(t + len - 8, &tail, 8);
    } else if (len >= 4) {
        uint32_t head, tail;

        memcpy(&head, f, 4);
        memcpy(&tail, f + len - 4, 4);
        memcpy(t, &head, 4);
        memcpy(t + len - 4, &tail, 4);
    } else {
        for (size_t i = 0; i < len; i++)
            t[i] = f[i];
    }
}

/** The finaliser of splitmix64: spreads every input bit over the result. */
static inline uint64_t bench_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/** The next number of a splitmix64 sequence. */
static inline uint64_t bench_random(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    return bench_mix(*seed);
}

/** A uniform double in [0, 1) from 64 random bits. */
static inline double bench_unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

#endif
