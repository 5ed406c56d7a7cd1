#include <string.h>
#include <sys/mman.h>

#include "internal.h"

/* Blocks double in size up to a bound; a larger request gets a block of its own size. */
enum { BLOCK_FIRST = 4096, BLOCK_MAX = 64 << 20 };
/* Blocks from here on are mapped, aligned to huge pages, and ask for them: a fresh mapping with 4
 * KiB pages costs 8 times a warm copy (bench: vectortime load, raw_fresh against lade_arena). */
enum { HUGE_PAGE = 2 << 20 };

typedef struct block {
    struct block *next;
    size_t size; /* bytes after this header */
    size_t used;
    void *mapping; /* NULL: from the allocator */
    size_t mapping_size;
    size_t reserved[3]; /* the header is 64 bytes: memory after it is aligned to cache lines */
} block;

_Static_assert(sizeof(block) == 64 || sizeof(void *) != 8, "block header is one cache line");

struct lade_arena {
    const lade_allocator *allocator;
    block *first, *current; /* all blocks, and the one in use: those after it are free */
    size_t next_size;
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
    if (b->mapping)
        munmap(b->mapping, b->mapping_size);
    else
        lade_mem_free(arena->allocator, b, sizeof *b + b->size);
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
}

size_t lade_arena_capacity(const lade_arena *arena)
{
    size_t bytes = 0;
    for (const block *b = arena ? arena->first : NULL; b; b = b->next)
        bytes += b->size;
    return bytes;
}

/* A mapping of whole huge pages, its block at the first huge-page border. */
static block *block_map(size_t size)
{
    size_t need;
    if (__builtin_add_overflow(size, sizeof(block) + 2 * (size_t)HUGE_PAGE, &need))
        return NULL;
    need &= ~((size_t)HUGE_PAGE - 1);
    void *mapping = mmap(NULL, need, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    size_t skip = (size_t)(-(uintptr_t)mapping & (HUGE_PAGE - 1));
    unsigned char *start = (unsigned char *)mapping + skip;
    size_t usable = need - skip;
    madvise(start, usable, MADV_HUGEPAGE); /* advice: its failure changes nothing */
    block *b = (block *)(void *)start;
    *b = (block){.size = usable - sizeof *b, .mapping = mapping, .mapping_size = need};
    return b;
}

static block *block_get(lade_arena *arena, size_t need)
{
    size_t size = arena->next_size > need ? arena->next_size : need;
    block *b;
    if (!arena->allocator && size >= HUGE_PAGE) {
        b = block_map(size);
    } else {
        size_t bytes;
        if (__builtin_add_overflow(size, sizeof *b, &bytes))
            return NULL;
        b = lade_mem_get(arena->allocator, bytes);
        if (b)
            *b = (block){.size = size};
    }
    if (b && arena->next_size < BLOCK_MAX)
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
