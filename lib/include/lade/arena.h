/**
 * \file
 * Arenas: everything that a load creates belongs to one arena and is freed by one call.
 *
 * An arena hands out memory from large blocks, asks for huge pages where a block is large, and
 * keeps its blocks over lade_arena_reset, so that a loop which loads, works and resets allocates
 * nothing after its first turn. Thread safety: one thread at a time for each arena.
 *
 * Loads into one arena must not overlap in time: one that fails gives back all that was taken since it
 * began.
 */
#ifndef LADE_ARENA_H
#define LADE_ARENA_H

#include <stddef.h>

#include <lade/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lade_arena lade_arena;

/** \returns an arena that the caller owns, or NULL if out of memory. \param allocator borrowed;
 * NULL: malloc, and anonymous mappings for large blocks. */
LADE_API lade_arena *lade_arena_create(const lade_allocator *allocator);

/** Frees the arena and everything in it. NULL is ignored. */
LADE_API void lade_arena_destroy(lade_arena *arena);

/** Makes all memory of the arena free for reuse, and keeps its blocks. NULL is ignored. */
LADE_API void lade_arena_reset(lade_arena *arena);

/** \returns size bytes (not cleared) at a multiple of align (a power of two, at most 4096), owned
 * by the arena; NULL if out of memory, or arena is NULL. */
LADE_API void *lade_arena_alloc(lade_arena *arena, size_t size, size_t align);

/** \returns the bytes of all blocks, used or not; 0 for NULL. */
LADE_API size_t lade_arena_capacity(const lade_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
