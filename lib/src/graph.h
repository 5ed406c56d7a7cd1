/**
 * \file
 * Parts of graphs: the worklist of bodies to come, the ids of objects while encoding, and the
 * objects of ids while decoding.
 */
#ifndef LADE_GRAPH_H
#define LADE_GRAPH_H

#include "plan.h"

/** n consecutive values of a node, whose body follows later. */
typedef struct lade_work {
    void *body;
    uint32_t node;
    uint32_t count;
} lade_work;

/** First in, first out. */
typedef struct lade_worklist {
    lade_work *items;
    size_t head, tail, capacity;
} lade_worklist;

bool lade_worklist_push(const lade_allocator *a, lade_worklist *list, void *body,
                        const lade_node *node, size_t n);
bool lade_worklist_pop(lade_worklist *list, lade_work *work);

/** n values of a node in one memory, and their counterparts in another. */
typedef struct lade_pair {
    const unsigned char *from;
    unsigned char *to;
    const lade_node *node;
    size_t n;
} lade_pair;

/** Taken from either end. */
typedef struct lade_pairs {
    lade_pair *items;
    size_t head, tail, capacity;
} lade_pairs;

/** Appends; a pair that continues the last one in both memories is merged with it if `merge`. */
bool lade_pairs_push(const lade_allocator *a, lade_pairs *pairs, lade_pair pair, bool merge);
bool lade_pairs_first(lade_pairs *pairs, lade_pair *pair);
bool lade_pairs_last(lade_pairs *pairs, lade_pair *pair);
void lade_pairs_free(const lade_allocator *a, lade_pairs *pairs);

/** Watches the bodies of a worklist for what owns itself and would come again for ever. Begin with
 * power 1. */
typedef struct lade_watch {
    const void *body;
    const lade_node *node;
    uint32_t again;
    uint64_t steps, power;
} lade_watch;

/** True if a body came too often: records LADE_ERR_VALUE. */
bool lade_watch_ends(lade_job *job, lade_watch *w, const void *body, const lade_node *node);

/** An address and its id, side by side: a look-up costs one cache miss. */
typedef struct lade_id_slot {
    uintptr_t key; /* 0: empty */
    uint64_t id;
} lade_id_slot;

/** Addresses to ids, for one type: open addressing, at most half full. */
typedef struct lade_ids {
    lade_id_slot *slots;
    size_t count, capacity; /* a power of two */
} lade_ids;

/** Finds the id of an address, or gives it the next one (*fresh). UINT64_MAX if out of memory. */
uint64_t lade_ids_get(const lade_allocator *a, lade_ids *ids, const void *address, bool *fresh);
/** Finds the slot of an address, or makes one with the next id (*fresh), which the
 * caller may change. NULL if out of memory. */
lade_id_slot *lade_ids_slot(const lade_allocator *a, lade_ids *ids, const void *address,
                            bool *fresh);
/** Empties the table, and gives it up where it is much larger than what it held. */
void lade_ids_clear(const lade_allocator *a, lade_ids *ids);
void lade_ids_free(const lade_allocator *a, lade_ids *ids);
/** Finds without adding; UINT64_MAX if it is not there. */
uint64_t lade_ids_find(const lade_ids *ids, const void *address);

/** Objects of one type by id: slabs of 1, 2, 4, ... objects, so that an address never changes. */
typedef struct lade_slabs {
    unsigned char *slab[48];
    uint64_t count;
    /* of memory that is not in slabs: addresses; and (into existing memory) the ids of these */
    void **existing;
    size_t existing_capacity;
    lade_ids taken;
} lade_slabs;

/** Slab of an id, and the place in it. */
static inline void lade_slab_place(uint64_t id, unsigned *slab, uint64_t *at)
{
    unsigned k = 63 - (unsigned)__builtin_clzll(id + 1);
    *slab = k;
    *at = id - ((1ULL << k) - 1);
}

/** A view of one pool (lade_priv_view), with codes wide enough for `total` objects and an escape.
 */
lade_priv_view lade_view_make(const void *base, uint64_t count, size_t size, uint64_t total);

/** Something saved, as bytes in memory; for finding references into the inside of objects. */
typedef struct lade_range {
    uintptr_t start, end;
    const lade_node *node;
    bool target; /* reached by a ref */
} lade_range;

/** Sorts ranges and finds a target that overlaps another; NULL if there is none. */
const lade_range *lade_ranges_overlap(lade_range *ranges, size_t count);

#endif
