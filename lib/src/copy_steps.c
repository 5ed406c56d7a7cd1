/*
 * The walk of a copy. A run of values is copied as bytes, block by block, while its block is in the nearest cache;
 * then each step of its node walks the block once more and gives the pointers new targets. What these lead
 * to becomes a run of its own: on a stack where types nest (it stays short), in a queue where they recur.
 */
#include <string.h>

#include "copy.h"
#include "decode.h"

/* Bytes of a block: a few in a first-level cache (bench: copy_hextille). */
enum { BLOCK = 4 << 10 };
/* Small bodies and texts share rooms that double up to this size. */
enum { ROOM_MAX = 1 << 20, ROOM_SMALL = 4096, ROOM_ALIGN = 16 };

bool lade_copier_no_memory(copier *c)
{
    lade_job_error(c->job, LADE_ERR_MEMORY, 0, "out of memory while copying");
    return false;
}

void *lade_copier_memory(copier *c, size_t size, size_t align)
{
    void *memory = lade_store_alloc(&c->store, c->job, size, align);
    if (!memory)
        lade_copier_no_memory(c);
    return memory;
}

/* A fresh room of which `size` bytes are taken. */
static void *next_room(copier *c, room *r, size_t size)
{
    while (r->next < 4 * size)
        r->next *= 2;
    unsigned char *fresh = lade_copier_memory(c, r->next, ROOM_ALIGN);
    if (!fresh)
        return NULL;
    *r = (room){fresh + size, fresh + r->next, r->next < ROOM_MAX ? r->next * 2 : r->next};
    return fresh;
}

static inline void *from_room(copier *c, room *r, size_t size, size_t align)
{
    size_t skip = (size_t)(-(uintptr_t)r->at & (align - 1));
    if (LADE_PRIV_UNLIKELY((size_t)(r->end - r->at) < size + skip))
        return next_room(c, r, size);
    void *memory = r->at + skip;
    r->at += skip + size;
    return memory;
}

void *lade_copier_values(copier *c, const lade_node *node, size_t n, bool apart)
{
    enum { CACHE_LINE = 64 };
    size_t align = node->type->align;
    size_t size;
    if (!lade_mul(n, node->type->size, &size)) {
        lade_job_error(c->job, LADE_ERR_MEMORY, 0, "the value is larger than memory");
        return NULL;
    }
    if (c->store.separate)
        return lade_copier_memory(c, size, align);
    if (size <= ROOM_SMALL && align <= ROOM_ALIGN && !apart)
        return from_room(c, &c->bodies, size, align);
    align = lade_dec_align(node, size);
    return lade_copier_memory(c, size, apart && align < CACHE_LINE ? CACHE_LINE : align);
}

bool lade_copier_note(copier *c, const lade_node *node, const void *body, size_t n, bool target)
{
    uintptr_t start = (uintptr_t)body;
    if (!c->ranging)
        return true;
    if (!lade_mem_grow(c->allocator, &c->ranges, &c->range_capacity, c->range_count + 1,
                       sizeof *c->ranges))
        return lade_copier_no_memory(c);
    c->ranges[c->range_count++] = (lade_range){start, start + n * node->type->size, node, target};
    return true;
}

bool lade_copier_start(copier *c, lade_pairs *list, const lade_node *node, const void *from,
                       void *to, size_t n)
{
    if (c->steps->nodes[node->index].bytes) {
        memcpy(to, from, n * node->type->size);
        return true;
    }
    return lade_pairs_push(c->allocator, list, (lade_pair){from, to, node, n}, true) ||
           lade_copier_no_memory(c);
}
static bool each_member(copier *c, const lade_step *s, const block *b, member_fn *one)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t r = 0; r < s->repeats; r++)
            if (!one(c, s, b, i, r))
                return false;
    return true;
}

static bool copy_plain(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    (void)c;
    size_t at = lade_member_offset(s, b, i, repeat);
    memcpy(b->to + at, b->from + at, s->size);
    return true;
}

static bool copy_fixed_text(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    (void)c;
    size_t at = lade_member_offset(s, b, i, repeat);
    const unsigned char *nul = memchr(b->from + at, 0, s->size);
    size_t n = nul ? (size_t)(nul - (b->from + at)) : s->size;
    memcpy(b->to + at, b->from + at, n);
    memset(b->to + at + n, 0, s->size - n);
    return true;
}

static bool copy_text(copier *c, const lade_step *s, const block *b, size_t i, size_t repeat)
{
    size_t at = lade_member_offset(s, b, i, repeat);
    const char *text = lade_member_pointer(b->from + at);
    char *copy = NULL;
    if (text) {
        size_t size = strlen(text) + 1;
        bool small = !c->store.separate && size <= ROOM_SMALL;
        copy = small ? from_room(c, &c->texts, size, 1) : lade_copier_memory(c, size, 1);
        if (!copy)
            return false;
        memcpy(copy, text, size);
    }
    lade_member_set(b->to + at, copy);
    return true;
}

/* The copy of a pool has its place already. */
static unsigned char *pool_place(const copier *c, const block *b, size_t at)
{
    size_t offset = (size_t)(b->from + at - c->root);
    for (uint32_t k = 0; k < c->plan->pool_count; k++)
        if (c->plan->pools[k].offset == offset)
            return c->pools[k].to;
    return NULL;
}

/* A body's memory, and that it is there. */
static unsigned char *body_begin(copier *c, const lade_step *s, const block *b, size_t at,
                                 const void *body, size_t n)
{
    if (s->pool)
        return pool_place(c, b, at);
    size_t size = s->node->type->size;
    bool small = n <= ROOM_SMALL / size && s->node->type->align <= ROOM_ALIGN;
    if (small && !c->store.separate && !c->ranging)
        return from_room(c, &c->bodies, n * size, s->node->type->align);
    return lade_copier_note(c, s->node, body, n, false) ? lade_copier_values(c, s->node, n, false)
                                                        : NULL;
}

/* Bodies that follow each other in both memories are one run. */
static __attribute__((noinline)) bool copy_bodies(copier *c, const lade_step *s, const block *b)
{
    const lade_step step = *s; /* stores through bytes might change what pointers lead to */
    const block all = *b;
    const size_t size = step.node->type->size;
    lade_pairs *list = step.deferred ? &c->recurring : &c->nested;
    lade_pair run = {0};
    for (size_t i = 0; i < all.n; i++)
        for (size_t r = 0; r < step.repeats; r++) {
            size_t at = lade_member_offset(&step, &all, i, r);
            const unsigned char *body = lade_member_pointer(all.from + at);
            unsigned char *copy = NULL;
            size_t n;
            if (!lade_step_count(&step, all.from + i * all.size, r, body, &n))
                return lade_count_failed(c->job, all.node, step.field->name);
            if (n > 0 && !(copy = body_begin(c, s, &all, at, body, n)))
                return false;
            lade_member_set(all.to + at, copy);
            if (n > 0 && body == run.from && copy == run.to) {
                run.n += n; /* run.from and run.to are its ends */
            } else if (n > 0) {
                if (run.n && !lade_copier_start(c, list, step.node, run.from - run.n * size,
                                                run.to - run.n * size, run.n))
                    return false;
                run = (lade_pair){body, copy, step.node, n};
            } else {
                continue;
            }
            run.from = body + n * size;
            run.to = copy + n * size;
        }
    return run.n == 0 || lade_copier_start(c, list, step.node, run.from - run.n * size,
                                           run.to - run.n * size, run.n);
}

void *lade_copier_target(copier *c, const lade_node *node, const void *target)
{
    for (uint32_t k = 0; node->pooled && k < c->plan->pool_count; k++) {
        const move *pool = &c->pools[k];
        size_t offset = (size_t)((uintptr_t)target - (uintptr_t)pool->from);
        if (pool->node == node && offset < pool->bytes)
            return pool->to + offset;
    }
    bool fresh;
    lade_id_pair *slot = lade_ids_pair(c->allocator, &c->nodes[node->index].ids, target, &fresh);
    if (!slot) {
        lade_copier_no_memory(c);
        return NULL;
    }
    void *copy;
    if (!fresh) {
        uintptr_t address = (uintptr_t)slot->id;
        memcpy(&copy, &address, sizeof copy);
        return copy;
    }
    if (node->pools) {
        lade_job_error(c->job, LADE_ERR_REFERENCE, 0,
                       "a reference to a '%s', which holds pools, that is not the copied value",
                       node->type->name);
        return NULL;
    }
    copy = lade_copier_values(c, node, 1, false);
    if (!copy || !lade_copier_note(c, node, target, 1, true) ||
        !lade_copier_start(c, &c->recurring, node, target, copy, 1))
        return NULL;
    slot->id = (uintptr_t)copy;
    c->job->ctx->stats.objects++;
    return copy;
}

/* Moves references into a pool, up to the first that leads elsewhere; returns how many. A function of its
 * own, so that all that its loop needs stays in registers. */
static __attribute__((noinline)) size_t move_refs(const unsigned char *from, unsigned char *to,
                                                  size_t n, size_t size, const move *pool)
{
    const uintptr_t base = (uintptr_t)pool->from;
    const uintptr_t bytes = pool->bytes;
    unsigned char *const moved = pool->to;
    size_t i = 0;
    for (; i < n; i++, from += size, to += size) {
        uintptr_t offset = (uintptr_t)lade_member_pointer(from) - base;
        if (LADE_PRIV_UNLIKELY(offset >= bytes))
            break;
        lade_member_set(to, moved + offset);
    }
    return i;
}

static bool copy_refs(copier *c, const lade_step *s, const block *b)
{
    const move *pool = &c->nodes[s->node->index].first;
    for (size_t r = 0; r < s->repeats; r++) {
        size_t at = s->offset + r * s->stride;
        for (size_t i = 0; i < b->n; i++) {
            size_t done = i * b->size + at;
            i += move_refs(b->from + done, b->to + done, b->n - i, b->size, pool);
            if (i == b->n)
                break;
            const void *target = lade_member_pointer(b->from + i * b->size + at);
            void *copy = target ? lade_copier_target(c, s->node, target) : NULL;
            if (target && !copy)
                return false;
            lade_member_set(b->to + i * b->size + at, copy);
        }
    }
    return true;
}

/* A gap smaller than a word is cleared with the word that ends where it does. */
static void clear_gaps(const lade_step *s, const block *b)
{
    size_t end = s->offset + s->size;
    if (s->size >= LADE_PRIV_WORD || end < LADE_PRIV_WORD) {
        for (size_t i = 0; i < b->n; i++)
            for (size_t r = 0; r < s->repeats; r++)
                memset(b->to + lade_member_offset(s, b, i, r), 0, s->size);
        return;
    }
    const size_t n = b->n;
    const size_t size = b->size;
    uint64_t mask = 0;
    memset(&mask, 0xFF, LADE_PRIV_WORD - s->size);
    for (size_t r = 0; r < s->repeats; r++) {
        unsigned char *at = b->to + end - LADE_PRIV_WORD + r * s->stride;
        for (size_t i = 0; i < n; i++, at += size) {
            uint64_t word;
            memcpy(&word, at, sizeof word);
            word &= mask;
            memcpy(at, &word, sizeof word);
        }
    }
}

static bool copy_step(copier *c, const lade_step *s, const block *b)
{
    switch (s->kind) {
    case STEP_PLAIN:
        return each_member(c, s, b, copy_plain);
    case STEP_CLEAR:
        clear_gaps(s, b);
        return true;
    case STEP_FIXED_TEXT:
        return each_member(c, s, b, copy_fixed_text);
    case STEP_TEXT:
        return each_member(c, s, b, copy_text);
    case STEP_BODY:
        return copy_bodies(c, s, b);
    case STEP_REF:
        return copy_refs(c, s, b);
    case STEP_SHIFTED:
        return each_member(c, s, b, lade_copier_shifted);
    case STEP_ANY:
    case STEP_ANY_REF:
        return each_member(c, s, b, lade_copier_any);
    case STEP_VARIANT:
        return each_member(c, s, b, lade_copier_variant);
    case STEP_GRID:
        return each_member(c, s, b, lade_copier_grid);
    case STEP_LIST:
        return each_member(c, s, b, lade_copier_list);
    case STEP_MAP:
        return each_member(c, s, b, lade_copier_map);
    case STEP_BITS:
        return each_member(c, s, b, lade_copier_bits);
    case STEP_CUSTOM:
        return each_member(c, s, b, lade_copier_custom);
    case STEP_DEFAULT:
        return each_member(c, s, b, lade_copier_default);
    case STEP_CAPACITY:
        return each_member(c, s, b, lade_copier_capacity);
    case STEP_HOOK:
        return true;
    }
    return false;
}

/* The first block of a run. */
static bool copy_block(copier *c, const lade_pair *run, size_t n)
{
    const lade_node_steps *steps = &c->steps->nodes[run->node->index];
    const lade_step *s = lade_steps_begin(c->steps, steps);
    const block b = {run->node, run->from, run->to, n, run->node->type->size};
    if (steps->hooked && !lade_copier_hooks(c, run->node, run->to, n))
        return false;
    if (steps->whole)
        memcpy(b.to, b.from, n * b.size);
    for (size_t k = steps->whole ? steps->plain : 0; k < steps->count; k++)
        if (!copy_step(c, &s[k], &b))
            return false;
    return true;
}

/* Copies runs to the end. What a block leads to comes before the rest of its run. */
bool lade_copier_runs(copier *c)
{
    lade_watch watch = {.power = 1};
    lade_pair run;
    for (;;) {
        if (!lade_pairs_last(&c->nested, &run)) {
            if (!lade_pairs_first(&c->recurring, &run))
                return true;
            if (lade_watch_ends(c->job, &watch, run.from, run.node))
                return false;
        }
        size_t size = run.node->type->size;
        size_t n = size < BLOCK ? BLOCK / size : 1;
        if (n > run.n)
            n = run.n;
        lade_pair rest = {run.from + n * size, run.to + n * size, run.node, run.n - n};
        if (rest.n && !lade_pairs_push(c->allocator, &c->nested, rest, false))
            return lade_copier_no_memory(c);
        if (!copy_block(c, &run, n))
            return false;
    }
}
