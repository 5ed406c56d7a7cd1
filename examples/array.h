/**
 * \file
 * Arrays in arenas, and the places of their elements.
 */
#ifndef EXAMPLES_ARRAY_H
#define EXAMPLES_ARRAY_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include <lade/arena.h>

/** \returns memory for count elements of size bytes, owned by the arena; NULL: out of memory. */
static inline void *array_create(lade_arena *arena, uint64_t count, size_t size)
{
    if (count > SIZE_MAX / size)
        return NULL;
    return lade_arena_alloc(arena, count ? (size_t)count * size : 1, alignof(max_align_t));
}

#define NOT_IN_ARRAY UINT32_MAX

/** \returns the index of the element of size bytes that p points to, or NOT_IN_ARRAY. Addresses are
 * compared as integers, since pointers into two arrays may not be subtracted. */
static inline uint32_t array_index(const void *array, uint32_t count, size_t size, const void *p)
{
    uintptr_t distance = (uintptr_t)p - (uintptr_t)array;

    if (distance % size || distance / size >= count)
        return NOT_IN_ARRAY;
    return (uint32_t)(distance / size);
}

#endif
