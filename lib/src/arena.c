#include "pages.h"

#include <string.h>

/* Blocks double in size up to a bound; a larger request gets a block of its own size. From
 * LADE_PAGES_MIN on they are mapped and ask for huge pages. */
enum { BLOCK_FIRST = 4096, BLOCK_MAX = 64 << 20 };

typedef struct block {
    struct block *next;
    size_t size; /* bytes after this header */
    size_t used;
    lade_pages pages;   /* where the block itself stands */
    size_t reserved[1]; /* the header is 64 bytes: memory after it is aligned to cache lines */
} block;

_Static_assert(sizeof(block) == 64 || sizeof(void *) != 8, "block header is one cache line");

struct lade_arena {
    const lade_allocator *allocator;
    block *first, *current; /* all blocks, and the one in use: those after it are free */
    size_t next_size;
    lade_size resets;
};

lade_arena *lade_arena_create(const lade_allocator *allocator)
{
    lade_arena *arena = lade_mem_get(allocator, sizeof *arena);
    if (!arena)
        return NULL;
    *arena = (lade_arena){.allocator = allocator, .next_size = BLOCK_FIRST};
    return arena;
}

static void block_free(const lade_arena *arena, block *b)
{
    lade_pages pages = b->pages;
    lade_pages_free(arena->allocator, &pages);
}

void lade_arena_destroy(lade_arena *arena)
{
    if (!arena)
        return;
    for (block *b = arena->first, *next; b; b = next) {
        next = b->next;
        block_free(arena, b);
    }
    lade_mem_free(arena->allocator, arena, sizeof *arena);
}

void lade_arena_reset(lade_arena *arena)
{
    if (!arena)
        return;
    for (block *b = arena->first; b; b = b->next)
        b->used = 0;
    arena->current = arena->first;
    arena->resets++;
}

void lade_arena_statistics(const lade_arena *arena, lade_arena_stats *out)
{
    lade_arena_stats stats = {0};
    bool after = false; /* the current block */
    for (const block *b = arena ? arena->first : NULL; b; b = b->next) {
        stats.blocks++;
        stats.reserved_bytes += b->size;
        stats.used_bytes += after || !arena->current ? 0 : b->used;
        if (b->size > stats.largest_bytes)
            stats.largest_bytes = b->size;
        if (b->pages.mapping)
            stats.mapped_bytes += b->pages.size;
        after = after || b == arena->current;
    }
    stats.resets = arena ? arena->resets : 0;
    *out = stats;
}

size_t lade_arena_capacity(const lade_arena *arena)
{
    lade_arena_stats stats;
    lade_arena_statistics(arena, &stats);
    return (size_t)stats.reserved_bytes;
}

static block *block_get(lade_arena *arena, size_t need)
{
    size_t size = arena->next_size > need ? arena->next_size : need;
    size_t bytes;
    lade_pages pages;
    if (__builtin_add_overflow(size, sizeof(block), &bytes) ||
        !lade_pages_get(arena->allocator, bytes, &pages))
        return NULL;
    block *b = pages.memory;
    *b = (block){.size = pages.size - sizeof *b, .pages = pages};
    if (arena->next_size < BLOCK_MAX)
        arena->next_size *= 2;
    return b;
}

/* Offset in b of size bytes at a multiple of align; SIZE_MAX if they do not fit. */
static size_t block_place(const block *b, size_t size, size_t align)
{
    uintptr_t base = (uintptr_t)b + sizeof *b;
    size_t at = (size_t)(((base + b->used + align - 1) & ~(uintptr_t)(align - 1)) - base);
    return at <= b->size && size <= b->size - at ? at : SIZE_MAX;
}

/* Makes a block current that has room: a free one (moved up behind the current), or a new one. */
static bool block_next(lade_arena *arena, size_t need)
{
    block **link = arena->current ? &arena->current->next : &arena->first;
    block **at = link;
    while (*at && (*at)->size < need)
        at = &(*at)->next;
    block *b = *at;
    if (b)
        *at = b->next;
    else
        b = block_get(arena, need);
    if (!b)
        return false;
    b->used = 0;
    b->next = *link;
    *link = b;
    arena->current = b;
    return true;
}

void *lade_arena_alloc(lade_arena *arena, size_t size, size_t align)
{
    if (!arena || size > SIZE_MAX / 2 || align == 0 || (align & (align - 1)) || align > 4096)
        return NULL;
    size_t at = arena->current ? block_place(arena->current, size, align) : SIZE_MAX;
    if (at == SIZE_MAX) {
        if (!block_next(arena, size + align))
            return NULL;
        at = block_place(arena->current, size, align);
    }
    arena->current->used = at + size;
    return (unsigned char *)arena->current + sizeof(block) + at;
}

lade_arena_mark lade_arena_save(const lade_arena *arena)
{
    return (lade_arena_mark){arena->current, arena->current ? arena->current->used : 0};
}

void lade_arena_restore(lade_arena *arena, lade_arena_mark mark)
{
    arena->current = mark.block;
    if (arena->current)
        arena->current->used = mark.used;
}
