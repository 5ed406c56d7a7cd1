/**
 * \file
 * Where new memory of a load or copy comes from: one arena, or (lade_context.own_memory) the context's
 * allocator block by block. All of it can be taken back until it is published.
 */
#ifndef LADE_STORE_H
#define LADE_STORE_H

#include "internal.h"

typedef struct lade_block {
    void *memory;
    size_t size;
} lade_block;

/** Blocks of memory, each of its own. */
typedef struct lade_blocks {
    lade_block *list;
    size_t count, capacity;
} lade_blocks;

bool lade_blocks_add(const lade_allocator *a, lade_blocks *blocks, void *memory, size_t size);
/** Frees the memory of all blocks, and empties the list. */
void lade_blocks_free(const lade_allocator *a, lade_blocks *blocks);
/** Gives the list itself back. */
void lade_blocks_fini(const lade_allocator *a, lade_blocks *blocks);

/** Zero-initialise it; a store may be begun again after its end. */
typedef struct lade_store {
    const lade_allocator *allocator;
    bool separate;     /* every block on its own: no arena */
    lade_arena *arena; /* NULL: nothing to take back */
    lade_arena_mark mark;
    bool own_arena;
    lade_blocks blocks; /* made so far, if separate */
} lade_store;

/** Begins with the arena of `owner`, a new one where that holds NULL, or none. False if out of memory. */
bool lade_store_begin(lade_store *store, const lade_context *ctx, lade_arena **owner);

/** New memory, or NULL: records an error only where memory cannot be aligned. */
void *lade_store_alloc(lade_store *store, lade_job *job, size_t size, size_t align);

/** Frees a separate block of this store; ignores other memory. */
void lade_store_free(lade_store *store, const void *memory);

/** Hands the arena to its owner; separate blocks belong to the value. */
void lade_store_publish(lade_store *store, lade_arena **owner);

/** Takes back what was not published. */
void lade_store_end(lade_store *store);

/** Gives up what a store keeps for its next use. */
void lade_store_fini(lade_store *store, const lade_allocator *allocator);

#endif
