/**
 * \file
 * Addresses to ids, for the objects of one type: 0, 1, 2, ... in the order of first mention.
 *
 * Two tables in one. A hash of pairs takes any address, at 21 to 43 bytes an object. Where many
 * objects stand in one part of the address space, as those of a heap do, a map replaces it for that
 * part: an id of 32 bits for each granule of 16 bytes, found without a search.
 *
 *     low            object      object                          low + 16 * span
 *      |  .  .  .  .  |#  .  .  . |#  .  .  .  .  .  .  .  .  .  .  |
 *      ids: 0 0 0 0 0  7  0 0 0 0  3  0 ...
 *
 * A map takes at most a quarter of the memory between the first and the last object in it, and there
 * is none before every 16 KiB of that memory have an object on average. The pages of ids that nobody
 * needs are never touched, and none is cleared between two walks: ids are stored above a base that
 * grows by the ids of each walk.
 */
#ifndef LADE_IDS_H
#define LADE_IDS_H

#include "pages.h"

/** Ids in a map, and its base, each stay below it: their sum fits into 32 bits, and what is below the
 * base, as a difference, does not look like an id. */
#define LADE_IDS_MAP_MAX (1ULL << 31)

/** An address and its id, side by side: a look-up costs one cache miss. */
typedef struct lade_id_pair {
    uintptr_t address; /* 0: empty */
    uint64_t id;
} lade_id_pair;

/** All zero: an empty table. */
typedef struct lade_ids {
    lade_priv_map map; /* its span is 0: none */
    uint64_t count;    /* ids given */
    lade_id_pair *pairs;
    size_t paired, capacity; /* the latter 0 or a power of two */
    lade_pages map_pages, pair_pages;
} lade_ids;

/** Empties the table, and gives up what is much larger than what it held. */
void lade_ids_reset(const lade_allocator *a, lade_ids *ids);
void lade_ids_free(const lade_allocator *a, lade_ids *ids);

/** Finds without adding; UINT64_MAX if it is not there. */
uint64_t lade_ids_find(const lade_ids *ids, const void *address);
/** What lade_ids_get does for an address that the map does not have. */
uint64_t lade_ids_get_slow(const lade_allocator *a, lade_ids *ids, const void *address,
                           bool *fresh);

/** For tables that hold something else than ids: finds the pair of an address, or makes one
 * (*fresh) that the caller fills. NULL if out of memory. Such a table never has a map. */
lade_id_pair *lade_ids_pair(const lade_allocator *a, lade_ids *ids, const void *address,
                            bool *fresh);

/** Multiplicative hashing by 2^64 over the golden ratio (Knuth, TAOCP 3, 6.4). */
static inline size_t lade_ids_hash(uintptr_t address, size_t capacity)
{
    unsigned bits = (unsigned)__builtin_ctzll(capacity);
    return (size_t)(((uint64_t)address * 0x9E3779B97F4A7C15ULL) >> (64 - bits));
}

/** Asks for the cache line where the search for an address will begin. */
static inline __attribute__((always_inline)) void lade_ids_prefetch(const lade_ids *ids,
                                                                    const void *address)
{
    uint64_t at = lade_priv_map_place(&ids->map, (uintptr_t)address);
    if (at < ids->map.span)
        __builtin_prefetch(&ids->map.ids[at]);
    else if (ids->capacity)
        __builtin_prefetch(&ids->pairs[lade_ids_hash((uintptr_t)address, ids->capacity)]);
}

/** Finds the id of an address, or gives it the next one (*fresh). UINT64_MAX if out of memory. */
static inline uint64_t lade_ids_get(const lade_allocator *a, lade_ids *ids, const void *address,
                                    bool *fresh)
{
    lade_priv_map *map = &ids->map;
    uint64_t at = lade_priv_map_place(map, (uintptr_t)address);
    *fresh = false;
    if (at >= map->span || ids->count >= LADE_IDS_MAP_MAX)
        return lade_ids_get_slow(a, ids, address, fresh);
    uint32_t id = map->ids[at] - map->base;
    if (id < map->count)
        return id;
    *fresh = true;
    map->ids[at] = map->base + (uint32_t)ids->count;
    map->count = (uint32_t)ids->count + 1;
    return ids->count++;
}

#endif
