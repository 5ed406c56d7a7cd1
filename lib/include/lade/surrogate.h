/**
 * \file
 * What the generated surrogates are made of: inline puts and gets of the skeleton's small things,
 * and the slow paths behind them. Only code that LADE_STRUCT expands to uses it; nothing here is
 * for programs.
 *
 * Invariant of every put and get: at the cursor p at least `bound` bytes may be written (read),
 * where bound covers the fixed part of one value. Reads may pass the end of the input by that much
 * (the library pads its windows); the next lade_priv_need() then finds out.
 */
#ifndef LADE_SURROGATE_H
#define LADE_SURROGATE_H
#pragma GCC system_header

#include <string.h>

#include <lade/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array whose wire form has at least this many bytes is content: it is never copied into the
 * skeleton. A constant of the format (FORMAT.md), so that equal values give equal bytes. */
#define LADE_CONTENT_MIN 4096

/** Natural records nest at most this deep; a deeper one is not natural. A constant of the format.
 */
#define LADE_NATURAL_NEST 32

/** Longest varint. */
#define LADE_PRIV_VARINT_MAX 9

/** Fixed arrays up to this many bytes are written straight-line under the record's one check. */
#define LADE_PRIV_SMALL 64

/** Surrogates clear up to this many bytes at the end of a struct that its members do not cover. */
#define LADE_PRIV_WORD 8

/** Small vectors up to this many elements, whose type needs no more than this alignment, are made
 * inline. */
#define LADE_PRIV_BODY_MAX 256
#define LADE_PRIV_BODY_ALIGN 16

/** The case of a known-type pointer that is NULL. */
#define LADE_PRIV_NO_CASE UINT32_MAX

#define LADE_PRIV_UNLIKELY(x) __builtin_expect(!!(x), 0)

enum {
    LADE_EDGE_DEFERRED = 1, /**< the body goes to the worklist: its type can reach itself */
    LADE_EDGE_NATURAL = 2,  /**< the body is an array of fixed-size things: bulk, maybe content */
    LADE_EDGE_SHARED = 4,   /**< an earlier vector has set the count: it must agree */
    LADE_EDGE_CLEAR =
        8, /**< new memory must be aligned more than usual, or bounded (elements may take no
                             bytes) */
    LADE_EDGE_CASES = 16,  /**< `cases` is meant, and `index` is their number */
    LADE_EDGE_STORED = 32, /**< the field is part of the schema */
    LADE_EDGE_ZERO =
        64 /**< new memory must be cleared (it has padding, or members are not listed) */
};
/** An earlier field has set extent i of a grid: it must agree. */
#define LADE_EDGE_SHARED_EXTENT(i) (256U << (i))

typedef struct lade_edge {
    union {
        const lade_node
            *node; /**< of the record, elements or target; NULL where a field has none */
        const struct lade_edge *cases; /**< one for each known type */
    };
    uint32_t index; /**< of that node */
    uint32_t flags;
} lade_edge;

/** A type in a plan. */
struct lade_node {
    const lade_type *type;
    const lade_edge *edges; /**< one a field */
    uint32_t index;         /**< in the plan, and in the views of a job */
    uint32_t nest;          /**< levels of natural records inside */
    bool natural;           /**< fixed wire form without padding, see FORMAT.md */
    bool in_place;          /**< the struct in memory is that wire form */
    bool pooled;            /**< targets stand in pools of the root */
    bool target;            /**< refs point at it */
    bool pools;             /**< it holds pools, itself or in a record by value */
    bool any;               /**< it contains a known-type pointer that owns its object */
    bool hooked;            /**< it has hooks, itself or in a record by value */
    bool defaults;          /**< fields that are not stored have a default, the same */
    size_t wire_size;       /**< bytes of one value, if natural */
    size_t wire_min;        /**< fewest skeleton bytes of one value */
};

/** Ids by address, for a part of the address space (lib/src/ids.h draws it). */
typedef struct lade_priv_map {
    uintptr_t low;
    uint64_t span; /**< granules; 0: there is no map */
    uint32_t *ids; /**< by granule, above `base` */
    uint32_t base;
    uint32_t count; /**< ids of this walk; there is no map: 0 */
} lade_priv_map;

/** Bytes. What malloc returns starts a granule. */
#define LADE_PRIV_GRANULE 16

/** Slabs of 1, 2, 4, ... objects. */
#define LADE_PRIV_SLABS 48

/** Objects of one type while decoding, by code: that is the id plus one (lib/src/graph.h). */
typedef struct lade_priv_objects {
    uint64_t count;                  /**< codes that are known */
    uint64_t limit;                  /**< up to this code, a new object only needs to be counted */
    uintptr_t slab[LADE_PRIV_SLABS]; /**< of codes from 2^k on: where code 0 would stand */
} lade_priv_objects;

/** How refs to one type become ids: the first pool of that type, or its table. */
typedef struct lade_priv_view {
    uintptr_t base;
    uint64_t count;
    uint64_t inverse; /**< of the odd part of size, modulo 2^64 */
    uint64_t mask;    /**< of a code's bytes */
    size_t size;
    uint8_t shift;              /**< log2 of the even part of size */
    uint8_t width;              /**< bytes of a code */
    const lade_priv_map *map;   /**< of a type without pools; else NULL */
    lade_priv_objects *objects; /**< the same, for new memory in slabs */
} lade_priv_view;

/** The part of an encoder that surrogates see. */
struct lade_encoder {
    uint8_t *end; /**< of the skeleton's buffer */
    bool ranging; /**< note where bodies stand, to find references into them */
    const lade_priv_view *views;
    uint8_t *hold;        /**< from here on the skeleton must not be passed on yet; or NULL */
    const uint32_t *tags; /**< by node: place in the list of known types, from 1; 0: not listed */
};

/** The part of a decoder that surrogates see. */
struct lade_decoder {
    const uint8_t *end; /**< of the bytes at hand */
    const lade_priv_view *views;
    const uint32_t *tags; /**< nodes of the known types that the input has listed */
    uint32_t tag_count;
    uint8_t *text, *text_end; /**< room for texts */
    uint8_t *body, *body_end; /**< room for small vectors, aligned to LADE_PRIV_BODY_ALIGN */
    uint32_t into;            /**< 1: fill existing memory */
};

/** Elements of vectors of texts: a record with the text. */
LADE_API extern const lade_type lade_priv_text_element;

LADE_API uint8_t *lade_priv_room(lade_encoder *e, uint8_t *p, size_t bound);
LADE_API uint8_t *lade_priv_put_bytes(lade_encoder *e, uint8_t *p, const void *bytes, size_t n,
                                      size_t bound);
LADE_API uint8_t *lade_priv_put_array(lade_encoder *e, uint8_t *p, const void *array,
                                      lade_scalar scalar, size_t count, size_t bound);
LADE_API uint8_t *lade_priv_put_enums(lade_encoder *e, uint8_t *p, const lade_enum *en,
                                      const void *array, lade_scalar scalar, size_t count,
                                      size_t bound);
LADE_API uint8_t *lade_priv_put_body(lade_encoder *e, uint8_t *p, const lade_edge *edge,
                                     const void *body, size_t n, size_t bound);
LADE_API bool lade_priv_note_body(lade_encoder *e, const lade_node *node, const void *body,
                                  size_t n);
LADE_API uint8_t *lade_priv_put_ref_slow(lade_encoder *e, uint8_t *p, const lade_node *target,
                                         const void *pointer);
LADE_API uint8_t *lade_priv_put_enum_slow(lade_encoder *e, uint8_t *p, const lade_enum *en,
                                          int64_t value);
LADE_API uint8_t *lade_priv_put_run(lade_encoder *e, uint8_t *p, const lade_node *node,
                                    const void *value, size_t n);
LADE_API uint8_t *lade_priv_put_long_doubles(lade_encoder *e, uint8_t *p, const lade_node *node,
                                             const void *value, size_t n);
LADE_API uint8_t *lade_priv_put_tag_slow(lade_encoder *e, uint8_t *p, const lade_node *node,
                                         size_t bound);
LADE_API bool lade_priv_before_save(lade_encoder *e, const lade_node *node, const void *value);
LADE_API uint8_t *lade_priv_put_field(lade_encoder *e, uint8_t *p, const lade_node *node,
                                      unsigned field, const void *value, size_t bound);
LADE_API uint8_t *lade_priv_put_trace(lade_encoder *e, const lade_node *node, unsigned field,
                                      size_t i, size_t n);
LADE_API uint8_t *lade_priv_put_fail(lade_encoder *e, lade_status status);

LADE_API const uint8_t *lade_priv_need(lade_decoder *d, const uint8_t *p, size_t bound);
LADE_API const uint8_t *lade_priv_get_array(lade_decoder *d, const uint8_t *p, void *array,
                                            lade_scalar scalar, size_t count, size_t bound);
LADE_API const uint8_t *lade_priv_get_enums(lade_decoder *d, const uint8_t *p, const lade_enum *en,
                                            void *array, lade_scalar scalar, size_t count,
                                            size_t bound);
LADE_API const uint8_t *lade_priv_get_text_slow(lade_decoder *d, const uint8_t *p, void *field,
                                                size_t bound);
LADE_API const uint8_t *lade_priv_get_fixed_text(lade_decoder *d, const uint8_t *p, char *text,
                                                 size_t size, size_t bound);
LADE_API const uint8_t *lade_priv_get_vector(lade_decoder *d, const uint8_t *p,
                                             const lade_edge *edge, void *field, uint64_t n,
                                             size_t bound, void **body);
LADE_API const uint8_t *lade_priv_get_pool(lade_decoder *d, const uint8_t *p, const lade_edge *edge,
                                           void *field, size_t bound, uint64_t *n, void **body);
LADE_API const uint8_t *lade_priv_get_optional(lade_decoder *d, const uint8_t *p,
                                               const lade_edge *edge, void *field, size_t bound,
                                               void **body);
LADE_API const uint8_t *lade_priv_get_ref_slow(lade_decoder *d, const uint8_t *p,
                                               const lade_node *target, void *field);
LADE_API const uint8_t *lade_priv_get_enum_slow(lade_decoder *d, const uint8_t *p,
                                                const lade_enum *en, int64_t *value);
LADE_API const uint8_t *lade_priv_get_run(lade_decoder *d, const uint8_t *p, const lade_node *node,
                                          void *value, size_t n);
LADE_API const uint8_t *lade_priv_get_long_doubles(lade_decoder *d, const uint8_t *p,
                                                   const lade_node *node, void *value, size_t n);
LADE_API const uint8_t *lade_priv_get_object(lade_decoder *d, const uint8_t *p,
                                             const lade_edge *edge, void *field, size_t bound,
                                             void **body);
LADE_API const uint8_t *lade_priv_get_case_slow(lade_decoder *d, const uint8_t *p,
                                                const lade_edge *edge, uint32_t *which);
LADE_API bool lade_priv_check_case(lade_decoder *d, const lade_node *node, unsigned field,
                                   void *object, uint32_t which);
LADE_API bool lade_priv_after_load(lade_decoder *d, const lade_node *node, void *value);
LADE_API const uint8_t *lade_priv_get_field(lade_decoder *d, const uint8_t *p,
                                            const lade_node *node, unsigned field, void *value,
                                            size_t bound);
LADE_API const uint8_t *lade_priv_get_trace(lade_decoder *d, const lade_node *node, unsigned field,
                                            size_t i, size_t n);
LADE_API const uint8_t *lade_priv_get_fail(lade_decoder *d, const uint8_t *p, lade_status status);

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LADE_PRIV_BIG 1
#else
#define LADE_PRIV_BIG 0
#endif

/** Values of at most `bound` bytes each that fit into the room; 0 at the end of the input, where
 * padding makes room for one. */
static inline size_t lade_priv_batch(ptrdiff_t room, size_t bound, size_t n)
{
    if (room < (ptrdiff_t)bound)
        return 0;
    if (n <= LADE_PRIV_BODY_MAX && room >= (ptrdiff_t)(n * bound))
        return n;
    size_t fit = (size_t)room / bound;
    return fit < n ? fit : n;
}

/** True if n bytes are all 0 or 1. */
static inline bool lade_priv_bools(const uint8_t *bytes, size_t n)
{
    unsigned any = 0;
    for (size_t i = 0; i < n; i++)
        any |= bytes[i];
    return any <= 1;
}

static inline void lade_priv_store64(uint8_t *p, uint64_t v)
{
    if (LADE_PRIV_BIG)
        v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
}

static inline uint64_t lade_priv_load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return LADE_PRIV_BIG ? __builtin_bswap64(v) : v;
}

/** A pointer without const, for structs that serve reading and writing. */
static inline void *lade_priv_unconst(const void *pointer)
{
    void *plain;
    memcpy(&plain, &pointer, sizeof plain);
    return plain;
}

/** Copies count little-endian units of `unit` bytes between memory and wire (either way). */
static inline void lade_priv_copy(void *to, const void *from, size_t unit, size_t count)
{
    if (!LADE_PRIV_BIG || unit == 1) {
        memcpy(to, from, unit * count);
        return;
    }
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    for (size_t i = 0; i < count; i++, t += unit, f += unit)
        for (size_t b = 0; b < unit; b++)
            t[b] = f[unit - 1 - b];
}

/**
 * Varints: the number of trailing zero bits of the first byte, plus one, is the length; the bits
 * above hold the value, little-endian; a first byte of zero is followed by all 8 bytes. Shortest
 * form only.
 */
static inline uint8_t *lade_priv_put_varint(uint8_t *p, uint64_t v)
{
    if (v < 128) {
        *p = (uint8_t)(v << 1 | 1);
        return p + 1;
    }
    if (v >> 56) {
        *p = 0;
        lade_priv_store64(p + 1, v);
        return p + 9;
    }
    unsigned n = (70 - (unsigned)__builtin_clzll(v)) / 7;
    lade_priv_store64(p, (v << 1 | 1) << (n - 1));
    return p + n;
}

/** \returns the position after the varint, or NULL if it is not in shortest form. */
static inline const uint8_t *lade_priv_get_varint(const uint8_t *p, uint64_t *v)
{
    if (*p & 1) {
        *v = *p >> 1;
        return p + 1;
    }
    if (*p == 0) {
        *v = lade_priv_load64(p + 1);
        return *v >> 56 ? p + 9 : NULL;
    }
    unsigned n = (unsigned)__builtin_ctz(*p) + 1;
    *v = lade_priv_load64(p) << (64 - 8 * n) >> (64 - 7 * n);
    return *v >> (7 * (n - 1)) ? p + n : NULL;
}

/** The tag of a known type; at its first use its fingerprint follows. */
static inline uint8_t *lade_priv_put_tag(lade_encoder *e, uint8_t *p, const lade_node *node,
                                         size_t bound)
{
    uint32_t tag = e->tags[node->index];
    return tag ? lade_priv_put_varint(p, tag) : lade_priv_put_tag_slow(e, p, node, bound);
}

/** Copies n bytes, up to 16 of them without a call: as two moves that may overlap. */
static inline void lade_priv_copy_short(uint8_t *to, const void *bytes, size_t n)
{
    const uint8_t *from = (const uint8_t *)bytes;
    if (n > 16) {
        memcpy(to, from, n);
    } else if (n >= 8) {
        uint64_t head, tail;
        memcpy(&head, from, 8);
        memcpy(&tail, from + n - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to + n - 8, &tail, 8);
    } else if (n >= 4) {
        uint32_t head, tail;
        memcpy(&head, from, 4);
        memcpy(&tail, from + n - 4, 4);
        memcpy(to, &head, 4);
        memcpy(to + n - 4, &tail, 4);
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    }
}

static inline uint8_t *lade_priv_put_text(lade_encoder *e, uint8_t *p, const char *s, size_t bound)
{
    if (!s) {
        *p = 1;
        return p + 1;
    }
    size_t n = strlen(s);
    p = lade_priv_put_varint(p, (uint64_t)n + 1);
    if (LADE_PRIV_UNLIKELY((size_t)(e->end - p) < n + bound))
        return lade_priv_put_bytes(e, p, s, n, bound);
    lade_priv_copy_short(p, s, n);
    return p + n;
}

static inline uint8_t *lade_priv_put_fixed_text(lade_encoder *e, uint8_t *p, const char *s,
                                                size_t size, size_t bound)
{
    size_t n = 0;
    while (n < size && s[n] != 0)
        n++;
    p = lade_priv_put_varint(p, n);
    if (LADE_PRIV_UNLIKELY((size_t)(e->end - p) < n + bound))
        return lade_priv_put_bytes(e, p, s, n, bound);
    memcpy(p, s, n);
    return p + n;
}

/** Code 0 + 8 bytes for a value that is not listed, else its place in the list plus one. */
static inline uint8_t *lade_priv_put_enum(lade_encoder *e, uint8_t *p, const lade_enum *en,
                                          int64_t value)
{
    uint64_t i = (uint64_t)value - (uint64_t)en->list[0].value;
    if (en->linear && i < en->count)
        return lade_priv_put_varint(p, i + 1);
    return lade_priv_put_enum_slow(e, p, en, value);
}

static inline const uint8_t *lade_priv_get_enum(lade_decoder *d, const uint8_t *p,
                                                const lade_enum *en, int64_t *value)
{
    uint64_t i = (uint64_t)(*p >> 1) - 1;
    if ((*p & 1) && i < en->count && en->linear) {
        *value = en->list[i].value;
        return p + 1;
    }
    return lade_priv_get_enum_slow(d, p, en, value);
}

/** Place of an object in the first pool of its type: exact division by the size is a product with
 * the inverse of its odd part and a rotation; any other pointer gives a place beyond count. */
static inline uint64_t lade_priv_pool_index(const lade_priv_view *v, const void *pointer)
{
    uint64_t q = (uint64_t)((uintptr_t)pointer - v->base) * v->inverse;
    return q >> v->shift | q << ((64 - v->shift) & 63);
}

static inline void lade_priv_set_ref(const lade_priv_view *v, uint64_t i, void *field)
{
    uintptr_t pointer = v->base + (uintptr_t)i * v->size;
    memcpy(field, &pointer, sizeof pointer);
}

/** Granule of an address; any address that starts none is put beyond the span by a rotation. */
static inline uint64_t lade_priv_map_place(const lade_priv_map *map, uintptr_t address)
{
    uint64_t offset = (uint64_t)(address - map->low);
    return offset / LADE_PRIV_GRANULE | offset << (64 - 4);
}

/** The id of an address; one that is not in the map gets a number that is not below count. */
static inline uint32_t lade_priv_map_find(const lade_priv_map *map, const void *address)
{
    uint64_t at = lade_priv_map_place(map, (uintptr_t)address);
    return at < map->span ? map->ids[at] - map->base : UINT32_MAX;
}

static inline uint8_t *lade_priv_put_ref(lade_encoder *e, uint8_t *p, const lade_node *target,
                                         const void *pointer)
{
    const lade_priv_view *v = &e->views[target->index];
    uint64_t i = lade_priv_pool_index(v, pointer);
    if (i >= v->count)
        return lade_priv_put_ref_slow(e, p, target, pointer);
    lade_priv_store64(p, i + 1);
    return p + v->width;
}

/** A ref to an object outside pools, which is NULL, known, or the next one; NULL: anything else. */
static inline const uint8_t *lade_priv_get_coded(lade_priv_objects *objects, size_t size,
                                                 const uint8_t *p, void *field)
{
    uint64_t code;
    uintptr_t pointer = 0;
    p = lade_priv_get_varint(p, &code);
    if (LADE_PRIV_UNLIKELY(!p))
        return NULL;
    if (code > objects->count) {
        if (LADE_PRIV_UNLIKELY(code - objects->count != 1 || code > objects->limit))
            return NULL;
        objects->count = code;
    }
    if (code)
        pointer = objects->slab[63 - __builtin_clzll(code)] + (uintptr_t)code * size;
    memcpy(field, &pointer, sizeof pointer);
    return p;
}

static inline const uint8_t *lade_priv_get_ref(lade_decoder *d, const uint8_t *p,
                                               const lade_node *target, void *field)
{
    const lade_priv_view *v = &d->views[target->index];
    uint64_t i = (lade_priv_load64(p) & v->mask) - 1;
    if (i >= v->count)
        return lade_priv_get_ref_slow(d, p, target, field);
    lade_priv_set_ref(v, i, field);
    return p + v->width;
}

/** The case of a known-type pointer; LADE_PRIV_NO_CASE: NULL. */
static inline const uint8_t *lade_priv_get_case(lade_decoder *d, const uint8_t *p,
                                                const lade_edge *edge, uint32_t *which)
{
    uint32_t tag = *p >> 1;
    if ((*p & 1) && tag - 1 < d->tag_count) {
        uint32_t node = d->tags[tag - 1];
        for (uint32_t k = 0; k < edge->index; k++)
            if (edge->cases[k].index == node) {
                *which = k;
                return p + 1;
            }
    }
    return lade_priv_get_case_slow(d, p, edge, which);
}

/** Texts up to this many bytes are copied as so many, if there is room. */
#define LADE_PRIV_TEXT_SPAN 16

#if defined(__SSE2__) && defined(__GNUC__)
typedef char lade_priv_bytes16 __attribute__((vector_size(16)));
#endif

/** True if one of the first n bytes is zero; 16 may be read. */
static inline bool lade_priv_has_zero(const uint8_t *from, size_t n)
{
#if defined(__SSE2__) && defined(__GNUC__)
    lade_priv_bytes16 bytes;
    memcpy(&bytes, from, sizeof bytes);
    uint32_t zeros = (uint32_t)__builtin_ia32_pmovmskb128((lade_priv_bytes16)(bytes == 0));
    return zeros & ((UINT32_C(1) << n) - 1);
#else
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t beyond = ~UINT64_C(0) << (8 * n & 63);
    uint64_t low = lade_priv_load64(from) | (n < 8 ? beyond : 0);
    uint64_t high = lade_priv_load64(from + 8) | (n < 8 ? ~UINT64_C(0) : n < 16 ? beyond : 0);
    return (((low - ones) & ~low) | ((high - ones) & ~high)) & ones << 7;
#endif
}

/** Copies n bytes (fewer than 128), none of which may be zero; false if one is. `span` says that
 * LADE_PRIV_TEXT_SPAN bytes may be read and written. */
static inline bool lade_priv_copy_text(uint8_t *to, const uint8_t *from, size_t n, bool span)
{
    if (span && n <= LADE_PRIV_TEXT_SPAN) {
        memcpy(to, from, LADE_PRIV_TEXT_SPAN);
        return !lade_priv_has_zero(from, n);
    }
    if (n == 0)
        return true;
    memcpy(to, from, n);
    return memchr(from, 0, n) == NULL;
}

static inline const uint8_t *lade_priv_get_text(lade_decoder *d, const uint8_t *p, void *field,
                                                size_t bound)
{
    size_t n = (size_t)(*p >> 1);
    if (!(*p & 1) || n == 0 || d->into || (size_t)(d->text_end - d->text) < n ||
        d->end - p < (ptrdiff_t)(n + bound))
        return lade_priv_get_text_slow(d, p, field, bound);
    uint8_t *text = d->text;
    bool span = d->end - p > LADE_PRIV_TEXT_SPAN && d->text_end - text >= LADE_PRIV_TEXT_SPAN;
    if (!lade_priv_copy_text(text, p + 1, n - 1, span))
        return lade_priv_get_text_slow(d, p, field, bound);
    text[n - 1] = 0;
    d->text = text + n;
    memcpy(field, &text, sizeof text);
    return p + n;
}

/** A vector of n elements of `size` bytes each. *body is set if the caller must load its elements.
 * `slow` says that the edge or the decoder wants more than memory. A small vector is not checked
 * against the rest of the input: its first missing element ends the load. */
static inline const uint8_t *lade_priv_new_vector(lade_decoder *d, const uint8_t *p,
                                                  const lade_edge *edge, void *field, uint64_t n,
                                                  size_t size, size_t bound, bool slow, void **body)
{
    uint8_t *at = d->body;
    size_t bytes =
        ((size_t)n * size + LADE_PRIV_BODY_ALIGN - 1) & ~(size_t)(LADE_PRIV_BODY_ALIGN - 1);
    if (slow || n - 1 >= LADE_PRIV_BODY_MAX || bytes > (size_t)(d->body_end - at))
        return lade_priv_get_vector(d, p, edge, field, n, bound, body);
    *body = at;
    d->body = at + bytes;
    memcpy(field, &at, sizeof at);
    return p;
}

#ifdef __cplusplus
}
#endif
#endif
