/**
 * \file
 * The context: options, limits, allocator and error report of a series of calls, and the plans and
 * buffers that are kept from one call to the next.
 *
 * Every function takes a context or NULL. NULL means the defaults, and keeps nothing between calls.
 * A context is a plain struct of the caller, all of whose options have zero as their default:
 *
 *     lade_error err;
 *     lade_context ctx = {.error = &err};
 *     if (lade_save_file("map.lade", hexmap, map, &ctx) != LADE_OK)
 *         fprintf(stderr, "%s\n", err.message);
 *     lade_context_fini(&ctx);
 *
 * Thread safety: one thread at a time for each context.
 */
#ifndef LADE_CONTEXT_H
#define LADE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lade/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes, counts and offsets of every format: 64 bits on every machine. */
typedef uint64_t lade_size;

/** Memory comes from one function: new_size 0 frees; NULL means that it failed (old stays valid).
 */
typedef struct lade_allocator {
    void *(*resize)(void *user, void *memory, size_t old_size, size_t new_size);
    void *user; /**< borrowed */
} lade_allocator;

/** Bounds on what a load may do; 0 means the default, which follows from the size of the input. */
typedef struct lade_limits {
    lade_size max_bytes; /**< Bytes of memory that one load may allocate. */
    lade_size
        max_objects; /**< Elements that take no bytes in the input (records of empty pools only): nothing
                                else bounds their number. */
} lade_limits;

/**
 * Keys of what `external` fields point to: things that are not saved, such as tables and callbacks.
 * The library borrows everything and calls from the thread that saves or loads.
 */
typedef struct lade_externals {
    /** \returns the key of a pointer (not NULL), valid until the next call; NULL: it has none. */
    const char *(*key)(void *user, const char *set, const void *pointer);
    /** Finds the pointer of a key. False: there is none. */
    bool (*resolve)(void *user, const char *set, const char *key, void **pointer);
    void *user;
} lade_externals;

typedef struct lade_cache lade_cache;

/** What the last call with this context did; sizes in bytes. */
typedef struct lade_stats {
    lade_size skeleton_bytes; /**< Small things, written into buffers of the library. */
    lade_size content_bytes;  /**< Arrays that a transport moved from or to where they live. */
    lade_size staged_bytes; /**< Arrays that had to be repacked (big-endian machine, odd layout). */
    lade_size segments;     /**< Arrays counted in content_bytes. */
    lade_size objects;      /**< Objects found through references. */
} lade_stats;

/** Zero-initialise it, set what is wanted, and call lade_context_fini at the end. */
typedef struct lade_context {
    lade_error *error;               /**< borrowed, or NULL */
    const lade_allocator *allocator; /**< borrowed; NULL: malloc, realloc, free */
    lade_limits limits;
    bool bare;         /**< Messages without their header: both sides must be known to be equal. */
    bool interpret;    /**< Use the run-time plan where a generated surrogate exists. */
    bool strict_enums; /**< Refuse values that the enumeration does not list. */
    bool
        check_interior; /**< Refuse refs into the inside of other objects (LADE_ERR_INTERIOR); costs a sort of
                              all that is saved. Always on where the library was built without NDEBUG. */
    bool no_crc;  /**< Write files without checksums, and do not check them on load. */
    bool no_sync; /**< Do not fsync: a crash of the machine may lose or tear the file. */
    bool
        read_newer; /**< Load entries whose types have a higher version than the program's, as far as they
                        match. */
    bool recover; /**< Open a file whose tail is unfinished at its last whole commit. */
    bool
        own_memory; /**< Loads and copies give every object, vector, text, grid and element of a list
                          memory of its own, from the allocator, in place of one arena: parts may be
                          freed and reallocated by the program, and all by lade_free_graph (value.h).
                          The owner is not touched and may be NULL. */
    const lade_externals
        *externals;    /**< borrowed; NULL: values with `external` fields are refused */
    void *user;        /**< passed to hooks */
    lade_stats stats;  /**< Set by each call. */
    lade_cache *cache; /**< private */
} lade_context;

/** Releases what the context kept between calls; files, encodings and decodings that use it must be
 * closed before. The struct may be used again after it. */
LADE_API void lade_context_fini(lade_context *ctx);

/** Returns the version of the library, such as "0.1.0". */
LADE_API const char *lade_version_string(void);

#ifdef __cplusplus
}
#endif
#endif
