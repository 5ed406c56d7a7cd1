/**
 * \file
 * Two tables that give the cells of a walk their ids: an open-addressing hash and a map of pages.
 * Both keep their memory from one walk to the next. `find` returns the id of a cell, or gives it
 * `next`.
 */
#ifndef BENCH_HEXTILLE_TABLE_H
#define BENCH_HEXTILLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "hextille.h"
#include "hextille_flat.h"

/** A slot counts only if its turn is that of the walk, so that nothing is cleared between walks. */
typedef struct {
    const hex *key;
    uint32_t id;
    uint32_t turn;
} hextable_slot;

typedef struct {
    hextable_slot *slots; /* owned, 2^bits */
    unsigned bits;
    uint32_t turn;
} hextable_hash;

int hextable_hash_init(hextable_hash *table);
void hextable_hash_fini(hextable_hash *table);
void hextable_hash_start(hextable_hash *table);
int hextable_hash_grow(hextable_hash *table);

static inline size_t hextable_hash_home(const hextable_hash *table, const hex *cell)
{
    /* malloc'ed blocks are 16 bytes apart at least */
    uint64_t key = (uint64_t)(uintptr_t)cell >> 4;

    return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - table->bits));
}

/** Room for ids below `count` at a load of one half at most. 0, or -1 without memory. */
static inline int hextable_hash_reserve(hextable_hash *table, uint32_t count)
{
    return count > (size_t)1 << (table->bits - 1) ? hextable_hash_grow(table) : 0;
}

static inline uint32_t hextable_hash_find(hextable_hash *table, const hex *cell, uint32_t next)
{
    size_t mask = ((size_t)1 << table->bits) - 1;

    for (size_t i = hextable_hash_home(table, cell);; i = (i + 1) & mask) {
        hextable_slot *slot = &table->slots[i];

        if (slot->turn != table->turn) {
            *slot = (hextable_slot){.key = cell, .id = next, .turn = table->turn};
            return next;
        }
        if (slot->key == cell)
            return slot->id;
    }
}

static inline void hextable_hash_prefetch(const hextable_hash *table, const hex *cell)
{
    __builtin_prefetch(&table->slots[hextable_hash_home(table, cell)], 1);
}

/** A page of addresses is 64 MiB here; cells begin at multiples of 16 in it. */
enum {
    HEXTABLE_PAGE_BITS = 26,
    HEXTABLE_GRAIN_BITS = 4,
    HEXTABLE_ADDRESS_BITS = 48,
    HEXTABLE_IDS = 1 << (HEXTABLE_PAGE_BITS - HEXTABLE_GRAIN_BITS),
    HEXTABLE_PAGES = 1 << (HEXTABLE_ADDRESS_BITS - HEXTABLE_PAGE_BITS)
};

/**
 * Page of the address -> ids by offset in the page. An id is stored above `base`, which grows past
 * the ids of each walk, so that nothing is cleared between walks; untouched parts of a page take no
 * memory.
 */
typedef struct {
    uint32_t **pages; /* owned, HEXTABLE_PAGES; each NULL or HEXTABLE_IDS ids */
    uint32_t base;    /* at most UINT32_MAX / 2, the limit of ids in a walk */
    uint32_t used;    /* ids given in this walk */
} hextable_pages;

int hextable_pages_init(hextable_pages *table);
void hextable_pages_fini(hextable_pages *table);
void hextable_pages_start(hextable_pages *table);
/** A page of zeros for `address`, or NULL without memory. */
uint32_t *hextable_pages_add(hextable_pages *table, uint64_t address);

static inline uint32_t hextable_pages_find(hextable_pages *table, const hex *cell, uint32_t next)
{
    uint64_t address = (uint64_t)(uintptr_t)cell;
    uint32_t *page = table->pages[address >> HEXTABLE_PAGE_BITS];
    uint32_t *id;

    if (!page) {
        page = hextable_pages_add(table, address);
        if (!page)
            return HEXFLAT_NULL;
    }
    id = &page[address >> HEXTABLE_GRAIN_BITS & (HEXTABLE_IDS - 1)];
    if (*id < table->base) {
        *id = table->base + next;
        table->used = next + 1;
    }
    return *id - table->base;
}

static inline void hextable_pages_prefetch(const hextable_pages *table, const hex *cell)
{
    uint64_t address = (uint64_t)(uintptr_t)cell;
    const uint32_t *page = table->pages[address >> HEXTABLE_PAGE_BITS];

    if (page)
        __builtin_prefetch(&page[address >> HEXTABLE_GRAIN_BITS & (HEXTABLE_IDS - 1)], 1);
}

#endif
