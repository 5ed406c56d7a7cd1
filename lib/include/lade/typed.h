/**
 * \file
 * How the macros of memory.h, file.h and mpi.h check that a pointer is one to the described type, in C
 * and C++. A system header, so that what does not match is a short error at the caller's own line.
 */
#ifndef LADE_TYPED_H
#define LADE_TYPED_H
#pragma GCC system_header

#include <lade/type.h>

/* The descriptor of T. */
#define LADE_PRIV_TYPE(T) (&lade_type_##T)

#ifndef __cplusplus
/* A pointer to a T to read from, one to fill, and the address of a pointer to a T. */
#define LADE_PRIV_READS(T, p) _Generic((p), T * : (p), const T * : (p))
#define LADE_PRIV_FILLS(T, p) _Generic((p), T * : (p))
#define LADE_PRIV_SETS(T, p) _Generic((p), T * * : (p), const T ** : (p))
/* The descriptor of the arithmetic elements that p (or *p) points to. */
#define LADE_PRIV_ARITHMETIC(p) \
    _Generic((p), const _Bool * : &lade_scalar_bool, _Bool * : &lade_scalar_bool,                  \
             const char * : &lade_scalar_char, char * : &lade_scalar_char,                         \
             const signed char * : &lade_scalar_i8, signed char * : &lade_scalar_i8,               \
             const unsigned char * : &lade_scalar_u8, unsigned char * : &lade_scalar_u8,           \
             const short * : &lade_scalar_i16, short * : &lade_scalar_i16,                         \
             const unsigned short * : &lade_scalar_u16, unsigned short * : &lade_scalar_u16,       \
             const int * : &lade_scalar_i32, int * : &lade_scalar_i32,                             \
             const unsigned * : &lade_scalar_u32, unsigned * : &lade_scalar_u32,                   \
             const long * : LADE_PRIV_LONG_TYPE, long * : LADE_PRIV_LONG_TYPE,                     \
             const unsigned long * : LADE_PRIV_ULONG_TYPE, unsigned long * : LADE_PRIV_ULONG_TYPE, \
             const long long * : &lade_scalar_i64, long long * : &lade_scalar_i64,                 \
             const unsigned long long * : &lade_scalar_u64,                                        \
             unsigned long long * : &lade_scalar_u64, const float * : &lade_scalar_f32,            \
             float * : &lade_scalar_f32, const double * : &lade_scalar_f64,                        \
             double * : &lade_scalar_f64, const float _Complex * : &lade_scalar_c32,               \
             float _Complex * : &lade_scalar_c32, const double _Complex * : &lade_scalar_c64,      \
             double _Complex * : &lade_scalar_c64, const long double * : &lade_scalar_f128,         \
             long double * : &lade_scalar_f128)
#define LADE_PRIV_LONG_TYPE (sizeof(long) == 8 ? &lade_scalar_i64 : &lade_scalar_i32)
#define LADE_PRIV_ULONG_TYPE (sizeof(long) == 8 ? &lade_scalar_u64 : &lade_scalar_u32)
#else
extern "C++" {
template <class T> inline const T *lade_priv_reads(const T *p)
{
    return p;
}
template <class T> inline T *lade_priv_fills(T *p)
{
    return p;
}
template <class T> inline T **lade_priv_sets(T **p)
{
    return p;
}
#define LADE_PRIV_OVERLOAD(ctype, name)                         \
    inline const lade_type *lade_priv_arithmetic(const ctype *) \
    {                                                           \
        return &lade_scalar_##name;                             \
    }
LADE_PRIV_OVERLOAD(bool, bool)
LADE_PRIV_OVERLOAD(char, char)
LADE_PRIV_OVERLOAD(signed char, i8)
LADE_PRIV_OVERLOAD(unsigned char, u8)
LADE_PRIV_OVERLOAD(short, i16)
LADE_PRIV_OVERLOAD(unsigned short, u16)
LADE_PRIV_OVERLOAD(int, i32)
LADE_PRIV_OVERLOAD(unsigned, u32)
LADE_PRIV_OVERLOAD(long long, i64)
LADE_PRIV_OVERLOAD(unsigned long long, u64)
LADE_PRIV_OVERLOAD(float, f32)
LADE_PRIV_OVERLOAD(double, f64)
LADE_PRIV_OVERLOAD(long double, f128)
#undef LADE_PRIV_OVERLOAD
inline const lade_type *lade_priv_arithmetic(const long *)
{
    return sizeof(long) == 8 ? &lade_scalar_i64 : &lade_scalar_i32;
}
inline const lade_type *lade_priv_arithmetic(const unsigned long *)
{
    return sizeof(long) == 8 ? &lade_scalar_u64 : &lade_scalar_u32;
}
}
#define LADE_PRIV_READS(T, p) lade_priv_reads<T>(p)
#define LADE_PRIV_FILLS(T, p) lade_priv_fills<T>(p)
#define LADE_PRIV_SETS(T, p) lade_priv_sets<T>(p)
#define LADE_PRIV_ARITHMETIC(p) lade_priv_arithmetic(p)
#endif

#endif
