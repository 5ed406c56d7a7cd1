#include "graph.h"

#include <stdlib.h>
#include <string.h>

bool lade_worklist_push(const lade_allocator *a, lade_worklist *list, void *body,
                        const lade_node *node, size_t n)
{
    /* a natural run is content or not by its size: each is a run of its own, on every machine */
    if (list->tail > list->head && !node->natural) {
        lade_work *last = &list->items[list->tail - 1];
        uintptr_t end = (uintptr_t)last->body + last->count * node->type->size;
        if (last->node == node->index && end == (uintptr_t)body && n < list->join &&
            last->count < list->join - n) {
            last->count += (uint32_t)n;
            return true;
        }
    }
    while (n > 0) {
        uint32_t part = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
        if (list->tail == list->capacity && list->head > list->capacity / 2) {
            memmove(list->items, list->items + list->head,
                    (list->tail - list->head) * sizeof *list->items);
            list->tail -= list->head;
            list->head = 0;
        }
        if (!lade_mem_grow(a, &list->items, &list->capacity, list->tail + 1, sizeof *list->items))
            return false;
        list->items[list->tail++] = (lade_work){body, node->index, part};
        body = (unsigned char *)body + part * node->type->size;
        n -= part;
    }
    return true;
}

bool lade_worklist_pop(lade_worklist *list, lade_work *work)
{
    if (list->head == list->tail) {
        list->head = list->tail = 0;
        return false;
    }
    *work = list->items[list->head++];
    return true;
}

bool lade_pairs_push(const lade_allocator *a, lade_pairs *pairs, lade_pair pair, bool merge)
{
    if (merge && pairs->tail > pairs->head) {
        lade_pair *last = &pairs->items[pairs->tail - 1];
        size_t bytes = last->n * pair.node->type->size;
        if (last->node == pair.node && last->from + bytes == pair.from &&
            last->to + bytes == pair.to) {
            last->n += pair.n;
            return true;
        }
    }
    if (pairs->tail == pairs->capacity && pairs->head > pairs->capacity / 2) {
        memmove(pairs->items, pairs->items + pairs->head,
                (pairs->tail - pairs->head) * sizeof *pairs->items);
        pairs->tail -= pairs->head;
        pairs->head = 0;
    }
    if (!lade_mem_grow(a, &pairs->items, &pairs->capacity, pairs->tail + 1, sizeof *pairs->items))
        return false;
    pairs->items[pairs->tail++] = pair;
    return true;
}

bool lade_pairs_first(lade_pairs *pairs, lade_pair *pair)
{
    if (pairs->head == pairs->tail) {
        pairs->head = pairs->tail = 0;
        return false;
    }
    *pair = pairs->items[pairs->head++];
    return true;
}

bool lade_pairs_last(lade_pairs *pairs, lade_pair *pair)
{
    if (pairs->head == pairs->tail)
        return false;
    *pair = pairs->items[--pairs->tail];
    return true;
}

void lade_pairs_free(const lade_allocator *a, lade_pairs *pairs)
{
    lade_mem_free(a, pairs->items, pairs->capacity * sizeof *pairs->items);
    *pairs = (lade_pairs){0};
}

/* Brent's cycle finding ("An improved Monte Carlo factorization algorithm", 1980) over the bodies of the
 * worklist. What has several owners comes again a few times; what owns itself comes again for ever. */
enum { AGAIN_MAX = 1000 };

bool lade_watch_ends(lade_job *job, lade_watch *w, const void *body, const lade_node *node)
{
    if (w->body != body || w->node != node) {
        if (w->steps++ == w->power)
            *w = (lade_watch){body, node, 0, 0, w->power * 2};
        return false;
    }
    if (++w->again < AGAIN_MAX)
        return false;
    lade_job_error(job, LADE_ERR_VALUE, 0,
                   "a '%s' is reached again and again through a vector or optional, which own "
                   "what they point to (shared and cyclic things are refs)",
                   node->type->name);
    return true;
}

void lade_worklist_reset(const lade_allocator *a, lade_worklist *list)
{
    enum { KEEP = 64 << 10 };
    list->head = list->tail = 0;
    if (list->capacity > KEEP) {
        lade_mem_free(a, list->items, list->capacity * sizeof *list->items);
        list->items = NULL;
        list->capacity = 0;
    }
}

/* Inverse of an odd number modulo 2^64 by Newton's iteration: each step doubles the valid bits
 * (Warren, Hacker's Delight, 10-16). */
static uint64_t odd_inverse(uint64_t odd)
{
    uint64_t x = odd; /* 3 bits */
    for (int i = 0; i < 5; i++)
        x *= 2 - odd * x;
    return x;
}

lade_priv_view lade_view_make(const void *base, uint64_t count, size_t size, uint64_t total)
{
    lade_priv_view view = {.base = (uintptr_t)base, .count = count, .size = size};
    view.shift = (uint8_t)__builtin_ctzll(size);
    view.inverse = odd_inverse((uint64_t)size >> view.shift);
    /* codes: 0 null, 1 to total, total + 1 for an object outside the pools */
    unsigned bits = 64 - (unsigned)__builtin_clzll(total + 1);
    view.width = (uint8_t)((bits + 7) / 8);
    view.mask = view.width == 8 ? UINT64_MAX : (1ULL << (8 * view.width)) - 1;
    return view;
}

static int by_start(const void *a, const void *b)
{
    const lade_range *x = a;
    const lade_range *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

const lade_range *lade_ranges_overlap(lade_range *ranges, size_t count)
{
    if (count > 0)
        qsort(ranges, count, sizeof *ranges, by_start);
    uintptr_t end_all = 0;    /* of what came before */
    uintptr_t end_target = 0; /* of the targets that came before */
    const lade_range *last_target = NULL;
    for (size_t i = 0; i < count; i++) {
        const lade_range *r = &ranges[i];
        if (r->target && r->start < end_all)
            return r;
        if (!r->target && r->start < end_target)
            return last_target;
        if (r->end > end_all)
            end_all = r->end;
        if (r->target && r->end > end_target) {
            end_target = r->end;
            last_target = r;
        }
    }
    return NULL;
}
