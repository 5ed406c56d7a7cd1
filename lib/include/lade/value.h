/**
 * \file
 * Operations on described values in memory: deep copies, comparison, hashes, and freeing values whose parts
 * have memory of their own. Copies and comparisons make no bytes of the format on the way, but for custom types;
 * nothing recurses over data.
 *
 * Where a macro takes a type T, T is the name in LADE_STRUCT, and a pointer to anything else is a compile
 * error; the functions behind the macros, ..._as, take the descriptor. No other thread may write to a value
 * meanwhile.
 *
 * All functions may return LADE_ERR_ARGUMENT (a NULL or impossible argument), LADE_ERR_MEMORY,
 * LADE_ERR_DESCRIPTION (a description that contradicts itself, or a custom type without functions),
 * LADE_ERR_VALUE (negative count, NULL with a count, an object of no known type, a list that is a cycle, a map
 * that refuses its entries, or something that owns itself through vectors or optionals) and LADE_ERR_REFERENCE
 * (a ref to a second object that holds pools).
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
 * follows the NUL of a fixed text, are zero; what is not stored is zero or has its default. Unlisted values of
 * enumerations are copied. Grids become dense, with zeros in a halo that is not stored; the elements of a list
 * are linked anew, and a map takes an array of its entries. External pointers are copied as they are: they need
 * no key.
 *
 * A custom type is copied by its functions: what one saves, the other loads. before_save does not run; after_load
 * does, once everything is copied, on inner values before those that hold them (the order is otherwise not that
 * of a load).
 * \param out address of a pointer to the copy, set on success only.
 * \param owner as in lade_decode_as (memory.h); with lade_context.own_memory untouched.
 * \returns LADE_OK; LADE_ERR_INTERIOR (see lade_context.check_interior); what after_load and the functions of
 * custom types return. A failure frees all it made and leaves *out and *owner untouched.
 */
LADE_API LADE_NODISCARD lade_status lade_copy_as(const lade_type *type, const void *value,
                                                 void *out, lade_arena **owner, lade_context *ctx);

/** The same for a bare array of elements of `type`: rank (1 to LADE_MAX_RANK) extents, slowest first.
 * \param out address of a pointer to the elements; set to NULL for an array without elements. */
LADE_API LADE_NODISCARD lade_status lade_copy_array_as(const lade_type *type, const void *array,
                                                       unsigned rank, const size_t *extents,
                                                       void *out, lade_arena **owner,
                                                       lade_context *ctx);

/** What lade_equal found. */
typedef struct lade_comparison {
    bool equal;
    char
        path[192]; /**< Of the first difference, such as "map.cells[17].paths[2].cost"; "" if equal.
                       "..." stands for steps in the middle of a long way through refs. */
} lade_comparison;

/**
 * Compares two values of a type and all that they reach.
 *
 * Equal are: values bit by bit, floating-point numbers too (a NaN equals the same NaN; 0.0 and -0.0
 * differ); texts by their characters (NULL and "" differ); fixed texts up to their NUL; vectors and pools by
 * number and elements (an empty one may be NULL or not); optionals by what they own; refs if the graphs have
 * the same shape: each object of one corresponds to one object of the other, and the same refs lead to both.
 * An object in a pool corresponds to the one at the same place there, or to one outside all pools of its
 * type. Pointers to known types: by the type, then the object; variants by the discriminant, then the case that
 * it selects; grids by extents, stored halo widths and the elements that are stored, wherever they stand; maps by
 * the entries in the order of the adaptor; bits up to the count; external pointers by their value; custom types
 * by what they save. Members that are not listed or not stored do not count, nor does the padding of a long
 * double. "First" is the order in which a save meets the fields. before_save does not run.
 * \param out set on success only.
 */
LADE_API LADE_NODISCARD lade_status lade_equal_as(const lade_type *type, const void *a,
                                                  const void *b, lade_comparison *out,
                                                  lade_context *ctx);

/** The same for two bare arrays of equal extents. */
LADE_API LADE_NODISCARD lade_status lade_equal_array_as(const lade_type *type, const void *a,
                                                        const void *b, unsigned rank,
                                                        const size_t *extents, lade_comparison *out,
                                                        lade_context *ctx);

/** A hash of 128 bits. */
typedef struct lade_digest {
    uint64_t low, high;
} lade_digest;

/**
 * Hashes a value: XXH3 with 128 bits (seed 0) of the bytes of its bare message (lade_context.bare), which
 * are not kept. Equal values have equal hashes on every machine, provided that their objects stand in equal
 * pools, and that no member has a type whose width is the machine's (long, size_t). As in a save, before_save
 * runs, and external pointers need keys. The hash is not cryptographic: whoever chooses values can make two
 * hashes equal.
 * \param out set on success only. \returns as lade_encode_as (memory.h).
 */
LADE_API LADE_NODISCARD lade_status lade_hash_as(const lade_type *type, const void *value,
                                                 lade_digest *out, lade_context *ctx);

/** The same for a bare array; its extents count. */
LADE_API LADE_NODISCARD lade_status lade_hash_array_as(const lade_type *type, const void *array,
                                                       unsigned rank, const size_t *extents,
                                                       lade_digest *out, lade_context *ctx);

/**
 * Frees a value that was loaded or copied with lade_context.own_memory, and all that it reaches: shared
 * objects once, through cycles too. Parts may have been replaced meanwhile by memory of the same allocator
 * (without one: of malloc), if counts were kept in step, texts not cut short in place, and refs lead to
 * blocks of their own or into pools.
 *
 * A block is: each object, vector, text and element of a list; a grid with its halo, from its pointer on, and for
 * rows one more of pointers, which must follow each other; the words of a bit set; all entries of a map as one
 * array, in whatever order. A map is read by its adaptor; what the adaptor has allocated besides is the program's
 * to free, afterwards, and so is what a custom type keeps (beforehand). What external and unlisted members, and
 * members that are not stored, point to is left alone.
 * \param value NULL is ignored. \param ctx its allocator must be that of the load.
 * \returns LADE_OK. Nothing has been freed after a failure. The status may be ignored.
 */
LADE_API lade_status lade_free_graph_as(const lade_type *type, void *value, lade_context *ctx);

/** The same for a bare array. */
LADE_API lade_status lade_free_array_as(const lade_type *type, void *array, unsigned rank,
                                        const size_t *extents, lade_context *ctx);

#ifdef __cplusplus
}
#endif

#define lade_copy(T, value, out, owner, ctx) \
    lade_copy_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), LADE_PRIV_SETS(T, out), owner, ctx)
#define lade_equal(T, a, b, out, ctx) \
    lade_equal_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, a), LADE_PRIV_READS(T, b), out, ctx)
#define lade_hash(T, value, out, ctx) \
    lade_hash_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), out, ctx)
#define lade_free_graph(T, value, ctx) \
    lade_free_graph_as(LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, value), ctx)

/* Arrays of arithmetic elements: the type is that of the pointer. */
#define lade_copy_array(array, rank, extents, out, owner, ctx) \
    lade_copy_array_as(LADE_PRIV_ARITHMETIC(*(out)), array, rank, extents, out, owner, ctx)
#define lade_equal_array(a, b, rank, extents, out, ctx) \
    lade_equal_array_as(LADE_PRIV_ARITHMETIC(a), a, b, rank, extents, out, ctx)
#define lade_hash_array(array, rank, extents, out, ctx) \
    lade_hash_array_as(LADE_PRIV_ARITHMETIC(array), array, rank, extents, out, ctx)

/* Arrays of described records. */
#define lade_copy_records(T, array, rank, extents, out, owner, ctx)                 \
    lade_copy_array_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, array), rank, extents, \
                       LADE_PRIV_SETS(T, out), owner, ctx)
#define lade_equal_records(T, a, b, rank, extents, out, ctx)                                   \
    lade_equal_array_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, a), LADE_PRIV_READS(T, b), rank, \
                        extents, out, ctx)
#define lade_hash_records(T, array, rank, extents, out, ctx) \
    lade_hash_array_as(LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, array), rank, extents, out, ctx)
#define lade_free_records(T, array, rank, extents, ctx) \
    lade_free_array_as(LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, array), rank, extents, ctx)

#endif
