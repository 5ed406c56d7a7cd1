/**
 * \file
 * Parts of graphs: the worklist of bodies to come, and the objects of ids while decoding.
 */
#ifndef LADE_GRAPH_H
#define LADE_GRAPH_H

#include "ids.h"
#include "plan.h"

/** n consecutive values of a node, whose body follows later. */
typedef struct lade_work {
    void *body;
    uint32_t node;
    uint32_t count;
} lade_work;

/** First in, first out. Neighbours in memory are joined into items of up to `join` values. */
typedef struct lade_worklist {
    lade_work *items;
    size_t head, tail, capacity;
    uint32_t join;
} lade_worklist;

bool lade_worklist_push(const lade_allocator *a, lade_worklist *list, void *body,
                        const lade_node *node, size_t n);
/** The same for one value. */
static inline bool lade_worklist_add(const lade_allocator *a, lade_worklist *list, void *body,
                                     const lade_node *node)
{
    const lade_work *last = list->tail > list->head ? &list->items[list->tail - 1] : NULL;
    if (!last || list->tail == list->capacity ||
        (uintptr_t)last->body + last->count * node->type->size == (uintptr_t)body)
        return lade_worklist_push(a, list, body, node, 1);
    list->items[list->tail++] = (lade_work){body, node->index, 1};
    return true;
}
bool lade_worklist_pop(lade_worklist *list, lade_work *work);
/** Empties the list, and gives it up where it is large: a graph that fans out less needs none. */
void lade_worklist_reset(const lade_allocator *a, lade_worklist *list);

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

/** Objects of one type by id: slabs of 1, 2, 4, ... objects, so that an address never changes. */
typedef struct lade_slabs {
    lade_priv_objects objects;
    uint64_t listed; /* objects that are on the worklist, or have been */
    /* of memory that is not in slabs: addresses; and (into existing memory) the ids of these */
    void **existing;
    size_t existing_capacity;
    lade_ids taken;
} lade_slabs;

/** Slab of a code. */
static inline unsigned lade_slab_of(uint64_t code)
{
    return 63 - (unsigned)__builtin_clzll(code);
}

/** The object of a code, in slabs. */
static inline void *lade_slab_object(const lade_slabs *s, uint64_t code, size_t size)
{
    uintptr_t address = s->objects.slab[lade_slab_of(code)] + (uintptr_t)code * size;
    void *object;
    memcpy(&object, &address, sizeof object);
    return object;
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
