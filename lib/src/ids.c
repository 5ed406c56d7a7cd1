#include "ids.h"

#include <string.h>

enum {
    PAIRS_FIRST = 64,
    MAP_MIN = 3072, /* objects: fewer are in the cache anyway */
    /* Bytes of addresses for one object: a page of ids covers so many. */
    MAP_SPARSE = 16 << 10,
    MAP_BITS_MAX = 44 /* of a distance from the middle of a map, in bytes */
};

static lade_id_pair *probe(lade_id_pair *pairs, size_t capacity, uintptr_t address)
{
    size_t at = lade_ids_hash(address, capacity);
    while (pairs[at].address != 0 && pairs[at].address != address)
        at = (at + 1) & (capacity - 1);
    return &pairs[at];
}

static void pairs_free(const lade_allocator *a, lade_ids *ids)
{
    lade_pages_free(a, &ids->pair_pages);
    ids->pair_pages = (lade_pages){0};
    ids->pairs = NULL;
    ids->paired = ids->capacity = 0;
}

static void map_free(const lade_allocator *a, lade_ids *ids)
{
    lade_pages_free(a, &ids->map_pages);
    ids->map_pages = (lade_pages){0};
    ids->map = (lade_priv_map){0};
}

void lade_ids_free(const lade_allocator *a, lade_ids *ids)
{
    pairs_free(a, ids);
    map_free(a, ids);
    ids->count = 0;
}

static bool pairs_full(const lade_ids *ids)
{
    return ids->paired * 4 >= ids->capacity * 3;
}

static bool pairs_grow(const lade_allocator *a, lade_ids *ids)
{
    size_t capacity = ids->capacity ? ids->capacity * 2 : PAIRS_FIRST;
    lade_pages pages;
    size_t size;
    if (!lade_mul(capacity, sizeof *ids->pairs, &size) || !lade_pages_get(a, size, &pages))
        return false;
    if (!pages.mapping)
        memset(pages.memory, 0, size);
    lade_id_pair *wider = pages.memory;
    for (size_t i = 0; i < ids->capacity; i++)
        if (ids->pairs[i].address != 0)
            *probe(wider, capacity, ids->pairs[i].address) = ids->pairs[i];
    lade_pages_free(a, &ids->pair_pages);
    ids->pair_pages = pages;
    ids->pairs = wider;
    ids->capacity = capacity;
    return true;
}

/* log2 of half the extent of a map around an address that is dense enough and has most of the
 * objects; 0 if there is none. */
static unsigned map_extent(const lade_ids *ids, uintptr_t middle)
{
    size_t near[65] = {0}; /* objects by the bits of their distance */
    size_t inside = 0;
    for (size_t i = 0; i < ids->capacity; i++) {
        uintptr_t address = ids->pairs[i].address;
        uint64_t distance = address > middle ? address - middle : middle - address;
        if (address != 0 && address % LADE_PRIV_GRANULE == 0)
            near[distance ? 64 - __builtin_clzll(distance) : 0]++;
    }
    unsigned best = 0;
    for (unsigned bits = 0; bits <= MAP_BITS_MAX; bits++) {
        inside += near[bits];
        if (inside >= ids->paired / 16 * 15 && (2ULL << bits) / MAP_SPARSE <= inside)
            best = bits;
    }
    return best;
}

/* Moves what is in the hash to the map, where it belongs there. */
static bool pairs_to_map(const lade_allocator *a, lade_ids *ids)
{
    lade_ids rest = {0};
    for (size_t i = 0; i < ids->capacity; i++) {
        const lade_id_pair *pair = &ids->pairs[i];
        uint64_t at = lade_priv_map_place(&ids->map, pair->address);
        if (pair->address == 0)
            continue;
        if (at < ids->map.span) {
            ids->map.ids[at] = ids->map.base + (uint32_t)pair->id;
            continue;
        }
        if (pairs_full(&rest) && !pairs_grow(a, &rest)) {
            pairs_free(a, &rest);
            return false;
        }
        *probe(rest.pairs, rest.capacity, pair->address) = *pair;
        rest.paired++;
    }
    pairs_free(a, ids);
    ids->pairs = rest.pairs;
    ids->pair_pages = rest.pair_pages;
    ids->capacity = rest.capacity;
    ids->paired = rest.paired;
    return true;
}

/* A map around an address, and around the map that is there, if the objects stand dense enough. */
static bool map_bounds(const lade_ids *ids, uintptr_t middle, lade_priv_map *map)
{
    unsigned bits = map_extent(ids, middle);
    uintptr_t half = (uintptr_t)1 << bits;
    uintptr_t low = middle > half ? middle - half : 0;
    uintptr_t high = middle < UINTPTR_MAX - half ? middle + half : UINTPTR_MAX;
    if (ids->map.span) {
        uintptr_t end = ids->map.low + ids->map.span * LADE_PRIV_GRANULE;
        low = low < ids->map.low ? low : ids->map.low;
        high = high > end ? high : end;
    }
    map->low = low & ~(uintptr_t)(LADE_PRIV_GRANULE - 1);
    map->span = (high - map->low) / LADE_PRIV_GRANULE;
    return bits > 0 && (high - low) / MAP_SPARSE <= ids->count;
}

/* Fills a wider map, and gives up the pages of the old one on the way: they are never there twice. */
static void map_move(const lade_ids *ids, lade_priv_map *wider)
{
    const uint64_t part = LADE_PAGES_MIN / sizeof *wider->ids;
    uint32_t *to = wider->ids + (ids->map.low - wider->low) / LADE_PRIV_GRANULE;
    for (uint64_t at = 0; at < ids->map.span; at++) {
        uint32_t id = ids->map.ids[at] - ids->map.base;
        if (id < ids->map.count)
            to[at] = wider->base + id;
        if ((at + 1) % part == 0)
            lade_pages_forget(&ids->map.ids[at + 1 - part], LADE_PAGES_MIN);
    }
}

/* A map in place of the hash, or a wider one. One that cannot be had is not missed. Only the system's
 * memory is there without being touched. */
static void map_make(const lade_allocator *a, lade_ids *ids, uintptr_t middle)
{
    lade_priv_map map = {.base = 1, .count = (uint32_t)ids->count};
    lade_ids wider = *ids;
    if (a || sizeof(void *) < 8 || ids->count >= LADE_IDS_MAP_MAX || !map_bounds(ids, middle, &map))
        return;
    size_t size = map.span * sizeof *map.ids;
    if (!lade_pages_get(a, size < LADE_PAGES_MIN ? LADE_PAGES_MIN : size, &wider.map_pages))
        return;
    map.ids = wider.map_pages.memory;
    wider.map = map;
    if (!pairs_to_map(a, &wider)) {
        lade_pages_free(a, &wider.map_pages);
        return;
    }
    map_move(ids, &wider.map);
    lade_pages_free(a, &ids->map_pages);
    *ids = wider;
}

/* More objects than a map can number: all go into the hash. */
static bool map_to_pairs(const lade_allocator *a, lade_ids *ids)
{
    for (uint64_t at = 0; at < ids->map.span; at++) {
        uint32_t id = ids->map.ids[at] - ids->map.base;
        if (id >= ids->map.count)
            continue;
        if (pairs_full(ids) && !pairs_grow(a, ids))
            return false;
        uintptr_t address = ids->map.low + at * LADE_PRIV_GRANULE;
        *probe(ids->pairs, ids->capacity, address) = (lade_id_pair){address, id};
        ids->paired++;
    }
    map_free(a, ids);
    return true;
}

static uint64_t next_id(lade_ids *ids, bool *fresh)
{
    *fresh = true;
    if (ids->map.span)
        ids->map.count = (uint32_t)ids->count + 1;
    return ids->count++;
}

static bool in_map(const lade_ids *ids, uintptr_t address)
{
    return lade_priv_map_place(&ids->map, address) < ids->map.span;
}

/* Room for one more object where this one belongs. */
static bool make_room(const lade_allocator *a, lade_ids *ids, uintptr_t address)
{
    if (ids->map.span && ids->count >= LADE_IDS_MAP_MAX && !map_to_pairs(a, ids))
        return false;
    if (in_map(ids, address) || !pairs_full(ids))
        return true;
    if (ids->paired >= MAP_MIN)
        map_make(a, ids, address);
    return in_map(ids, address) || !pairs_full(ids) || pairs_grow(a, ids);
}

uint64_t lade_ids_get_slow(const lade_allocator *a, lade_ids *ids, const void *address, bool *fresh)
{
    if (!make_room(a, ids, (uintptr_t)address))
        return UINT64_MAX;
    if (in_map(ids, (uintptr_t)address)) {
        uint32_t id = lade_priv_map_find(&ids->map, address);
        if (id < ids->map.count)
            return id;
        ids->map.ids[lade_priv_map_place(&ids->map, (uintptr_t)address)] =
            ids->map.base + (uint32_t)ids->count;
        return next_id(ids, fresh);
    }
    lade_id_pair *pair = probe(ids->pairs, ids->capacity, (uintptr_t)address);
    if (pair->address == 0) {
        *pair = (lade_id_pair){(uintptr_t)address, next_id(ids, fresh)};
        ids->paired++;
    }
    return pair->id;
}

lade_id_pair *lade_ids_pair(const lade_allocator *a, lade_ids *ids, const void *address,
                            bool *fresh)
{
    if (pairs_full(ids) && !pairs_grow(a, ids))
        return NULL;
    lade_id_pair *pair = probe(ids->pairs, ids->capacity, (uintptr_t)address);
    *fresh = pair->address == 0;
    if (*fresh) {
        *pair = (lade_id_pair){(uintptr_t)address, ids->count++};
        ids->paired++;
    }
    return pair;
}

uint64_t lade_ids_find(const lade_ids *ids, const void *address)
{
    uint32_t id = lade_priv_map_find(&ids->map, address);
    if (id < ids->map.count)
        return id;
    if (ids->capacity == 0)
        return UINT64_MAX;
    const lade_id_pair *pair = probe(ids->pairs, ids->capacity, (uintptr_t)address);
    return pair->address ? pair->id : UINT64_MAX;
}

void lade_ids_reset(const lade_allocator *a, lade_ids *ids)
{
    enum { SMALL = 4096, MUCH = 16 };
    lade_priv_map *map = &ids->map;
    if (map->span &&
        (ids->count - ids->paired < map->span * LADE_PRIV_GRANULE / MAP_SPARSE / MUCH ||
         map->base + ids->count > LADE_IDS_MAP_MAX))
        map_free(a, ids);
    map->base += map->count;
    map->count = 0;
    if (ids->capacity > SMALL && ids->paired < ids->capacity / MUCH)
        pairs_free(a, ids);
    else if (ids->paired)
        memset(ids->pairs, 0, ids->capacity * sizeof *ids->pairs);
    ids->paired = 0;
    ids->count = 0;
}
