#include "prefetch.h"

#include <string.h>

#include "encode.h"
#include "schema.h"

enum {
    /* items ahead */
    AHEAD_OBJECTS = 2 * LADE_PREFETCH_BATCH,
    AHEAD_LINKS = LADE_PREFETCH_BATCH,
    AHEAD_REFS = 0,
    LINE = 64,
    BYTES_MAX = 256, /* of one body; the rest of a longer one comes in order */
    LINKS_MAX = 16,  /* of one type */
    NEST_MAX = 8     /* of records in records */
};

/* What a text leads to. */
static const uint32_t no_node = UINT32_MAX;

/* Fields of a record inside the type whose links are looked for. */
typedef struct frame {
    const lade_node *node;
    size_t base; /* of the record in the struct */
    size_t left; /* records of a fixed array still to come */
    uint32_t field;
} frame;

static bool link_of(const lade_field *f, const lade_edge *edge, size_t base,
                    struct lade_prefetch_link *link)
{
    *link = (struct lade_prefetch_link){.offset = base + f->offset,
                                        .count_offset = base + f->count_offset,
                                        .size = LINE,
                                        .node = no_node};
    if (!(edge->flags & LADE_EDGE_STORED))
        return false;
    if (f->kind == LADE_KIND_TEXT)
        return true;
    if (f->kind != LADE_KIND_REF && f->kind != LADE_KIND_VECTOR && f->kind != LADE_KIND_OPTIONAL)
        return false;
    link->size = edge->node->type->size;
    link->node = edge->index;
    link->ref = f->kind == LADE_KIND_REF;
    if (f->kind == LADE_KIND_VECTOR)
        link->count_size = (uint8_t)lade_scalar_size((lade_scalar)f->count_scalar);
    /* a deferred body is an item of the worklist itself */
    return link->ref ? !edge->node->pooled : !(edge->flags & LADE_EDGE_DEFERRED);
}

/* The links of one node, as they stand in the struct. */
static uint32_t links_find(const lade_node *node, struct lade_prefetch_link *links)
{
    frame frames[NEST_MAX] = {{.node = node}};
    size_t depth = 1;
    uint32_t count = 0;
    while (depth > 0 && count < LINKS_MAX) {
        frame *top = &frames[depth - 1];
        const lade_type *type = top->node->type;
        if (top->field == type->field_count) {
            top->field = 0;
            top->base += type->size;
            if (top->left-- == 0)
                depth--;
            continue;
        }
        const lade_field *f = &type->fields[top->field];
        const lade_edge *edge = &top->node->edges[top->field++];
        if (f->kind != LADE_KIND_RECORD)
            count += link_of(f, edge, top->base, &links[count]);
        else if (depth < NEST_MAX && !edge->node->natural && (edge->flags & LADE_EDGE_STORED))
            frames[depth++] =
                (frame){edge->node, top->base + f->offset, lade_field_elements(f) - 1, 0};
    }
    return count;
}

/* Refs first. */
static uint32_t links_part(struct lade_prefetch_link *links, uint32_t count)
{
    uint32_t refs = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!links[i].ref)
            continue;
        struct lade_prefetch_link link = links[i];
        links[i] = links[refs];
        links[refs++] = link;
    }
    return refs;
}

/* Hooks may make pointers that nothing may follow before. */
static bool has_hooks(const lade_plan *plan)
{
    for (uint32_t t = 0; t < plan->node_count; t++)
        if (plan->nodes[t].hooked)
            return true;
    return false;
}

bool lade_prefetch_plan(const lade_allocator *a, lade_plan *plan)
{
    plan->prefetch = lade_mem_get(a, plan->node_count * sizeof *plan->prefetch);
    if (!plan->prefetch)
        return false;
    bool hooks = has_hooks(plan);
    uint32_t count = 0;
    for (uint32_t t = 0; t < plan->node_count; t++) {
        const lade_node *node = &plan->nodes[t];
        struct lade_prefetch_link found[LINKS_MAX];
        bool plain = node->type->form == LADE_FORM_RECORD && !node->natural && !hooks;
        uint32_t n = plain ? links_find(node, found) : 0;
        uint32_t refs = links_part(found, n);
        if (!lade_mem_grow(a, &plan->links, &plan->link_capacity, (size_t)count + n,
                           sizeof *plan->links))
            return false;
        if (n)
            memcpy(plan->links + count, found, n * sizeof *found);
        size_t values = BYTES_MAX / node->type->size;
        plan->prefetch[t] = (struct lade_prefetch){count, count + refs, count + n,
                                                   values ? (uint32_t)values : 1, node->type->size};
        count += n;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct lade_prefetch_link *link = &plan->links[i];
        if (link->ref || link->node == no_node)
            continue;
        link->deep = plan->prefetch[link->node].refs > plan->prefetch[link->node].first;
    }
    return true;
}

void lade_prefetch_free(const lade_allocator *a, lade_plan *plan)
{
    if (plan->prefetch)
        lade_mem_free(a, plan->prefetch, plan->node_count * sizeof *plan->prefetch);
    lade_mem_free(a, plan->links, plan->link_capacity * sizeof *plan->links);
}

/* gcc takes a function that does nothing but prefetch for one without effect and drops its calls;
 * what is inlined early enough stays. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE const unsigned char *pointer_at(const unsigned char *member)
{
    const unsigned char *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

ALWAYS_INLINE void fetch(const unsigned char *memory, size_t size)
{
    size = size < BYTES_MAX ? size : BYTES_MAX;
    for (size_t at = 0; at < size; at += LINE)
        __builtin_prefetch(memory + at);
    if (size > 0)
        __builtin_prefetch(memory + size - 1); /* a small object often lies across two lines */
}

/* Elements of a body. What may be a negative count, which the walk refuses, is none. */
ALWAYS_INLINE size_t elements(const struct lade_prefetch_link *link, const unsigned char *value)
{
    uint8_t n8;
    uint16_t n16;
    uint32_t n32;
    uint64_t n64;
    switch (link->count_size) {
    case 0:
        return 1;
    case sizeof n8:
        memcpy(&n8, value + link->count_offset, sizeof n8);
        return n8 >> 7 ? 0 : n8;
    case sizeof n16:
        memcpy(&n16, value + link->count_offset, sizeof n16);
        return n16 >> 15 ? 0 : n16;
    case sizeof n32:
        memcpy(&n32, value + link->count_offset, sizeof n32);
        return n32 >> 31 ? 0 : n32;
    default:
        memcpy(&n64, value + link->count_offset, sizeof n64);
        return n64 > BYTES_MAX && n64 >> 63 ? 0 : (size_t)n64;
    }
}

/* The words of the id tables for the refs of n values. */
ALWAYS_INLINE void fetch_ids(const enc *e, const struct lade_prefetch *pre,
                             const unsigned char *value, size_t n)
{
    const struct lade_prefetch_link *links = e->plan->links;
    n = n < pre->values ? n : pre->values;
    for (uint32_t k = pre->first; k < pre->refs; k++) {
        const lade_ids *ids = &e->nodes[links[k].node].ids;
        const unsigned char *member = value + links[k].offset;
        for (size_t i = 0; i < n; i++, member += pre->size)
            lade_ids_prefetch(ids, pointer_at(member));
    }
}

ALWAYS_INLINE void fetch_bodies(const enc *e, const struct lade_prefetch *pre,
                                const unsigned char *value, size_t n)
{
    const struct lade_prefetch_link *links = e->plan->links;
    for (n = n < pre->values ? n : pre->values; n > 0; n--, value += pre->size)
        for (uint32_t k = pre->refs; k < pre->end; k++) {
            size_t count = elements(&links[k], value);
            fetch(pointer_at(value + links[k].offset),
                  count < BYTES_MAX ? count * links[k].size : BYTES_MAX);
        }
}

ALWAYS_INLINE void fetch_deep(const enc *e, const struct lade_prefetch *pre,
                              const unsigned char *value, size_t n)
{
    const struct lade_prefetch_link *links = e->plan->links;
    for (n = n < pre->values ? n : pre->values; n > 0; n--, value += pre->size)
        for (uint32_t k = pre->refs; k < pre->end; k++) {
            const unsigned char *body = pointer_at(value + links[k].offset);
            if (body && links[k].deep)
                fetch_ids(e, &e->plan->prefetch[links[k].node], body, elements(&links[k], value));
        }
}

void lade_prefetch_next(const enc *e)
{
    const struct lade_prefetch *list = e->plan->prefetch;
    const lade_work *items = e->work.items + e->work.head;
    size_t count = e->work.tail - e->work.head;
    for (size_t i = AHEAD_OBJECTS; i < AHEAD_OBJECTS + LADE_PREFETCH_BATCH && i < count; i++)
        fetch(items[i].body, items[i].count * list[items[i].node].size);
    for (size_t i = AHEAD_LINKS; i < AHEAD_LINKS + LADE_PREFETCH_BATCH && i < count; i++) {
        const struct lade_prefetch *pre = &list[items[i].node];
        fetch_ids(e, pre, items[i].body, items[i].count);
        fetch_bodies(e, pre, items[i].body, items[i].count);
    }
    for (size_t i = AHEAD_REFS; i < AHEAD_REFS + LADE_PREFETCH_BATCH && i < count; i++)
        fetch_deep(e, &list[items[i].node], items[i].body, items[i].count);
}
