/**
 * \file
 * Operations on described values in memory: deep copies. None of them makes bytes of the format on the way, and none recurses over data.
 *
 * Where a macro takes a type T, T is the name in LADE_STRUCT, and a pointer to anything else is a compile
 * error; the functions behind the macros, ..._as, take the descriptor. No other thread may write to a value
 * meanwhile.
 *
 * All functions may return LADE_ERR_ARGUMENT (a NULL or impossible argument), LADE_ERR_MEMORY,
 * LADE_ERR_DESCRIPTION (a description that contradicts itself), LADE_ERR_VALUE (negative count, NULL with a
 * count, or something that owns itself through vectors or optionals) and LADE_ERR_REFERENCE (a ref to a
 * second object that holds pools).
 */
#ifndef LADE_VALUE_H
#define LADE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lade/arena.h>
#include <lade/context.h>
#include <lade/type.h>
#include <lade/typed.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Copies a value and all that it reaches: the result is the same as after an encode and a decode, without
 * the bytes between. Objects stay shared, cycles closed, pools whole; members that are not listed, and what
 * follows the NUL of a fixed text, are zero. Unlisted values of enumerations are copied.
 * \param out address of a pointer to the copy, set on success only.
 * \param owner as in lade_decode_as (memory.h); with lade_context.own_memory untouched.
 * \returns LADE_OK; LADE_ERR_INTERIOR (see lade_context.check_interior). A failure frees all it made and
 * leaves *out and *owner untouched.
 */
LADE_API LADE_NODISCARD lade_status lade_copy_as(const lade_type *type, const void *value,
                                                 void *out, lade_arena **owner, lade_context *ctx);

/** The same for a bare array of elements of `type`: rank (1 to LADE_MAX_RANK) extents, slowest first.
 * \param out address of a pointer to the elements; set to NULL for an array without elements. */
LADE_API LADE_NODISCARD lade_status lade_copy_array_as(const lade_type *type, const void *array,
                                                       unsigned rank, const size_t *extents,
                                                       void *out, lade_arena **owner,
                                                       lade_context *ctx);

#ifdef __cplusplus
}
#endif

#define lade_copy(T, value, out, owner, ctx) \
    lade_copy_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), LADE_PRIV_SETS(T, out), owner, ctx)

/* Arrays of arithmetic elements: the type is that of the pointer. */
#define lade_copy_array(array, rank, extents, out, owner, ctx) \
    lade_copy_array_as(LADE_PRIV_ARITHMETIC(*(out)), array, rank, extents, out, owner, ctx)

/* Arrays of described records. */
#define lade_copy_records(T, array, rank, extents, out, owner, ctx)                 \
    lade_copy_array_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, array), rank, extents, \
                       LADE_PRIV_SETS(T, out), owner, ctx)

#endif
