/**
 * \file
 * Ready adaptors for dictionaries, as (map, f, adaptor, E) wants them: sorted arrays, and uthash.
 *
 *     typedef struct { const char *word; int32_t count; } entry;
 *     typedef struct { entry *entries; size_t n; } words;
 *     static int by_word(const entry *a, const entry *b) { return strcmp(a->word, b->word); }
 *     LADE_STRUCT(entry, (text, word), (value, count))
 *     LADE_SORTED_ARRAY(words_map, words, entry, entries, n, by_word)
 *     LADE_STRUCT(text, (map, dictionary, words_map, entry))
 *
 * Keys and values are any fields of the entry. A file holds the entries in the order of the adaptor: equal maps
 * have equal bytes if their order is the same.
 */
#ifndef LADE_MAP_H
#define LADE_MAP_H
#pragma GCC system_header

#include <lade/type.h>

/**
 * Adaptor `name` of a struct M by value whose member `data` points to `count` entries E in the order of
 * compare, an int (const E *, const E *). A load refuses entries that are out of order or twice there.
 */
#define LADE_SORTED_ARRAY(name, M, E, data_, count_, compare)                    \
    static size_t lade_priv_count_##name(const void *map)                        \
    {                                                                            \
        return (size_t)((const M *)map)->count_;                                 \
    }                                                                            \
    static void *lade_priv_next_##name(const void *map, const void *entry)       \
    {                                                                            \
        E *first = ((const M *)map)->data_;                                      \
        size_t i = entry ? (size_t)((const E *)entry - first) + 1 : 0;           \
        return i < (size_t)((const M *)map)->count_ ? first + i : NULL;          \
    }                                                                            \
    static bool lade_priv_fill_##name(void *map, void *entries, size_t count)    \
    {                                                                            \
        M *m = (M *)map;                                                         \
        if (entries) {                                                           \
            m->data_ = (E *)entries;                                             \
            m->count_ = (__typeof__(m->count_))count;                            \
        }                                                                        \
        for (size_t i = 1; i < count; i++)                                       \
            if (compare(&m->data_[i - 1], &m->data_[i]) >= 0)                    \
                return false;                                                    \
        return (size_t)m->count_ == count;                                       \
    }                                                                            \
    static const lade_map name = {lade_priv_count_##name, lade_priv_next_##name, \
                                  lade_priv_fill_##name, NULL};

/**
 * Adaptor `name` of a hash table by uthash (<uthash.h>, included before with HASH_NONFATAL_OOM defined as 1): the
 * member is E *, the head; `handle` is the UT_hash_handle in E, and key and size are expressions of the entry
 * pointer `e`: (e->word, strlen(e->word)), or (&e->id, sizeof e->id).
 *
 * The entries of a loaded table belong to the load; the table itself, as uthash has it, to the program: call
 * HASH_CLEAR before the arena goes. Entries that are twice there are refused.
 */
#define LADE_UTHASH(name, E, handle, key, size)                                  \
    static size_t lade_priv_count_##name(const void *map)                        \
    {                                                                            \
        const E *head = *(E *const *)map;                                        \
        return HASH_CNT(handle, head);                                           \
    }                                                                            \
    static void *lade_priv_next_##name(const void *map, const void *entry)       \
    {                                                                            \
        return entry ? ((const E *)entry)->handle.next : *(E *const *)map;       \
    }                                                                            \
    static bool lade_priv_add_##name(E **head, E *e)                             \
    {                                                                            \
        E *there = NULL;                                                         \
        HASH_FIND(handle, *head, key, size, there);                              \
        if (there)                                                               \
            return false;                                                        \
        e->handle.tbl = NULL;                                                    \
        HASH_ADD_KEYPTR(handle, *head, key, size, e);                            \
        return e->handle.tbl != NULL; /* else it had no memory */                \
    }                                                                            \
    static void lade_priv_drop_##name(void *map)                                 \
    {                                                                            \
        E *head = *(E **)map;                                                    \
        HASH_CLEAR(handle, head);                                                \
        *(E **)map = NULL;                                                       \
    }                                                                            \
    static bool lade_priv_fill_##name(void *map, void *entries, size_t count)    \
    {                                                                            \
        E *head = NULL;                                                          \
        E *e = entries ? (E *)entries : *(E **)map;                              \
        bool ok = true;                                                          \
        if (!entries) { /* the keys have changed in place */                     \
            E *old = *(E **)map;                                                 \
            HASH_CLEAR(handle, old);                                             \
        }                                                                        \
        for (size_t i = 0; i < count && e; i++) {                                \
            E *next = entries ? e + 1 : (E *)e->handle.next;                     \
            ok = lade_priv_add_##name(&head, e) && ok;                           \
            e = next;                                                            \
        }                                                                        \
        *(E **)map = head;                                                       \
        if (!ok && entries)                                                      \
            lade_priv_drop_##name(map);                                          \
        return ok;                                                               \
    }                                                                            \
    static const lade_map name = {lade_priv_count_##name, lade_priv_next_##name, \
                                  lade_priv_fill_##name, lade_priv_drop_##name};

#endif
