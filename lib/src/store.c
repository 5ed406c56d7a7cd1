#include "store.h"

#include <stdalign.h>
#include <stdlib.h>

/* A list beyond this many blocks is given up after use. */
enum { BLOCKS_KEPT = 4096 };

bool lade_blocks_add(const lade_allocator *a, lade_blocks *blocks, void *memory, size_t size)
{
    if (!lade_mem_grow(a, &blocks->list, &blocks->capacity, blocks->count + 1,
                       sizeof *blocks->list))
        return false;
    blocks->list[blocks->count++] = (lade_block){memory, size};
    return true;
}

void lade_blocks_free(const lade_allocator *a, lade_blocks *blocks)
{
    for (size_t i = blocks->count; i > 0; i--)
        lade_mem_free(a, blocks->list[i - 1].memory, blocks->list[i - 1].size);
    blocks->count = 0;
}

void lade_blocks_fini(const lade_allocator *a, lade_blocks *blocks)
{
    lade_mem_free(a, blocks->list, blocks->capacity * sizeof *blocks->list);
    *blocks = (lade_blocks){0};
}

bool lade_store_begin(lade_store *store, const lade_context *ctx, lade_arena **owner)
{
    store->allocator = ctx->allocator;
    store->separate = ctx->own_memory;
    store->blocks.count = 0;
    store->own_arena = !owner || !*owner;
    if (store->separate)
        return true;
    store->arena = store->own_arena ? lade_arena_create(ctx->allocator) : *owner;
    if (!store->arena)
        return false;
    store->mark = lade_arena_save(store->arena);
    return true;
}

/* free() and realloc() take what aligned_alloc gave; an allocator of the context may align or not. */
static void *separate_alloc(const lade_store *store, lade_job *job, size_t size, size_t align)
{
    if (align <= alignof(max_align_t))
        return lade_mem_get(store->allocator, size);
    if (!store->allocator)
        return size > SIZE_MAX - align ? NULL
                                       : aligned_alloc(align, (size + align - 1) & ~(align - 1));
    void *memory = lade_mem_get(store->allocator, size);
    if (!memory || (uintptr_t)memory % align == 0)
        return memory;
    lade_mem_free(store->allocator, memory, size);
    lade_job_error(
        job, LADE_ERR_ARGUMENT, 0,
        "own_memory: the allocator of the context gave memory that is not aligned to %zu "
        "bytes, as a type demands",
        align);
    return NULL;
}

void *lade_store_alloc(lade_store *store, lade_job *job, size_t size, size_t align)
{
    if (!store->separate)
        return lade_arena_alloc(store->arena, size, align);
    void *memory = separate_alloc(store, job, size, align);
    if (memory && !lade_blocks_add(store->allocator, &store->blocks, memory, size)) {
        lade_mem_free(store->allocator, memory, size);
        return NULL;
    }
    return memory;
}

void lade_store_free(lade_store *store, const void *memory)
{
    lade_blocks *blocks = &store->blocks;
    size_t i = store->separate && memory ? blocks->count : 0;
    while (i > 0 && blocks->list[i - 1].memory != memory)
        i--;
    if (i == 0)
        return;
    lade_mem_free(store->allocator, blocks->list[i - 1].memory, blocks->list[i - 1].size);
    blocks->list[i - 1] = blocks->list[--blocks->count];
}

void lade_store_publish(lade_store *store, lade_arena **owner)
{
    if (!store->separate)
        *owner = store->arena;
    store->arena = NULL;
    store->blocks.count = 0;
}

void lade_store_end(lade_store *store)
{
    if (store->arena && store->own_arena)
        lade_arena_destroy(store->arena);
    else if (store->arena)
        lade_arena_restore(store->arena, store->mark);
    store->arena = NULL;
    lade_blocks_free(store->allocator, &store->blocks);
    if (store->blocks.capacity > BLOCKS_KEPT)
        lade_blocks_fini(store->allocator, &store->blocks);
}

void lade_store_fini(lade_store *store, const lade_allocator *allocator)
{
    lade_blocks_fini(allocator, &store->blocks);
}
