/**
 * \file
 * Arenas: everything that a load creates belongs to one arena and is freed by one call.
 *
 * An arena hands out memory from large blocks, asks for huge pages where a block is large, and
 * keeps its blocks over lade_arena_reset, so that a loop which loads, works and resets allocates
 * nothing after its first turn. Blocks of 2 MiB and more are mappings of their own, which start at
 * a huge page; an arena with an allocator takes all memory from that, and leaves the size of pages
 * to it. Thread safety: one thread at a time for each arena.
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

/** What an arena holds; sizes in bytes. */
typedef struct lade_arena_stats {
    lade_size used_bytes;     /**< Handed out since the last reset, with the gaps of alignment. */
    lade_size reserved_bytes; /**< Of all blocks, used or not. */
    lade_size largest_bytes;  /**< Of the largest block. */
    lade_size mapped_bytes;   /**< Of mappings that asked the system for huge pages. */
    lade_size blocks;
    lade_size resets; /**< Calls of lade_arena_reset. */
} lade_arena_stats;

/** Sets *out to what the arena holds now; all zero for NULL. Takes time with the number of blocks. */
LADE_API void lade_arena_statistics(const lade_arena *arena, lade_arena_stats *out);

/** \returns the bytes of all blocks, used or not; 0 for NULL. */
LADE_API size_t lade_arena_capacity(const lade_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
