/**
 * \file
 * Large blocks of memory, in huge pages where the system has them: tables that are reached at
 * random, and arenas. Sizes are in bytes.
 */
#ifndef LADE_PAGES_H
#define LADE_PAGES_H

#include "internal.h"

/** Blocks from this size on are mapped, unless the caller has an allocator of its own. */
enum { LADE_PAGES_MIN = 2 << 20 };

/** Where a block stands. What is mapped starts and ends at huge pages. */
typedef struct lade_pages {
    void *memory;
    size_t size;
    void *mapping; /* NULL: from the allocator */
    size_t mapping_size;
} lade_pages;

/** Gets a block of at least size bytes; one that is mapped is zero. False if out of memory, and
 * *pages untouched. */
bool lade_pages_get(const lade_allocator *allocator, size_t size, lade_pages *pages);
/** Asks for huge pages in memory from malloc that has not been touched yet, where it is large enough for some. */
void lade_pages_advise(void *memory, size_t size);
/** Gives up what stands in a part of a mapped block; it reads as zero then. */
void lade_pages_forget(void *memory, size_t size);
/** Gives it back; one of no memory is ignored. */
void lade_pages_free(const lade_allocator *allocator, const lade_pages *pages);

#endif
