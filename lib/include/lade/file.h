/**
 * \file
 * Files: named entries, each a described value or a bare array, with their schema and checksums.
 *
 *     lade_save_file("map.lade", hexmap, map, NULL);
 *     lade_load_file("map.lade", hexmap, &map, &owner, NULL);
 *
 * Saving is atomic: a new file is written under a temporary name in the same directory, synced, and
 * renamed over the old one; until then the old one is whole. Further commits are appended, and
 * count only once their last byte is in place. FORMAT.md specifies every byte.
 *
 * Besides what they name, all functions may return LADE_ERR_ARGUMENT, LADE_ERR_MEMORY,
 * LADE_ERR_DESCRIPTION, and for failing system calls LADE_ERR_IO, LADE_ERR_NO_SPACE,
 * LADE_ERR_PERMISSION or LADE_ERR_NO_FILE, with errno in lade_error.cause.
 */
#ifndef LADE_FILE_H
#define LADE_FILE_H

#include <lade/memory.h>
#include <lade/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lade_file lade_file;

typedef enum lade_open_mode {
    LADE_READ,  /**< entries of the last whole commit can be read */
    LADE_APPEND /**< entries can be added too; they count from the next commit on */
} lade_open_mode;

/** Name of the one entry of files written by lade_save_file and lade_save_array_file. */
#define LADE_ROOT_ENTRY "root"

/**
 * Starts a new file, which appears under its name at the first commit, in place of an older one.
 * \param ctx borrowed until lade_file_close, or NULL. \param out set on success, owned by the
 * caller.
 */
LADE_API LADE_NODISCARD lade_status lade_file_create(const char *path, lade_file **out,
                                                     lade_context *ctx);

/**
 * Opens a file at its last commit.
 * \returns LADE_OK; LADE_ERR_FORMAT (not a Lade file), LADE_ERR_VERSION, LADE_ERR_TRUNCATED (no
 * whole commit), LADE_ERR_TAIL (an unfinished tail after a whole commit; not if
 * lade_context.recover is set: then the tail is ignored, and LADE_APPEND cuts it off),
 * LADE_ERR_CHECKSUM, LADE_ERR_STATE (open for appending elsewhere: one
 * writer at a time, where the file system has locks).
 */
LADE_API LADE_NODISCARD lade_status lade_file_open(const char *path, lade_open_mode mode,
                                                   lade_file **out, lade_context *ctx);

/** Makes everything put since the last commit part of the file, durably (unless no_sync). */
LADE_API LADE_NODISCARD lade_status lade_file_commit(lade_file *file);

/** Closes a file; what was put since the last commit is dropped. The file is freed even on failure.
 */
LADE_API lade_status lade_file_close(lade_file *file);

/** \returns the number of entries that can be read (those of the last commit). */
LADE_API size_t lade_file_count(const lade_file *file);

/** \returns the name of entry i (in the order of names), borrowed until the next commit; NULL if
 * there is none. */
LADE_API const char *lade_file_name(const lade_file *file, size_t i);

/**
 * Writes a value as a new entry.
 * \param name 1 to 255 bytes of UTF-8. An entry of that name in an earlier commit is superseded.
 * \returns as lade_encode_as; LADE_ERR_EXISTS (put since the last commit already), LADE_ERR_STATE
 * (opened for reading, or an earlier put failed half-way).
 */
LADE_API LADE_NODISCARD lade_status lade_file_put_as(lade_file *file, const char *name,
                                                     const lade_type *type, const void *value);
LADE_API LADE_NODISCARD lade_status lade_file_put_array_as(lade_file *file, const char *name,
                                                           const lade_type *type, const void *array,
                                                           unsigned rank, const size_t *extents);

/** A root among several. */
typedef struct lade_named_root {
    const char *name;      /**< borrowed; unique among the roots of an entry */
    const lade_type *type; /**< borrowed */
    void *value;           /**< borrowed for a put, not written to; NULL is allowed. Set by a get */
} lade_named_root;

/**
 * Writes several values as one entry, as one graph: an object that two of them lead to by refs is stored once, and
 * is one object again after lade_file_get_roots. What the roots lead to must not hold pools.
 * \returns as lade_file_put_as.
 */
LADE_API LADE_NODISCARD lade_status lade_file_put_roots(lade_file *file, const char *name,
                                                        const lade_named_root *roots, size_t count);
/** Loads all or some of the roots of such an entry, by name: what is reached from the others only is not part of the
 * result. \param roots their values are set on success only. \returns as lade_file_get_as; LADE_ERR_TYPE if there
 * is none of these names. */
LADE_API LADE_NODISCARD lade_status lade_file_get_roots(lade_file *file, const char *name,
                                                        lade_named_root *roots, size_t count,
                                                        lade_arena **owner);

/**
 * Loads an entry into new memory. An entry whose type is an older or newer version of the program's is converted
 * (FORMAT.md, "Evolution").
 * \returns as lade_decode_as; LADE_ERR_NOT_FOUND, LADE_ERR_CHECKSUM; LADE_ERR_TYPE, LADE_ERR_VERSION (the types
 * do not match), LADE_ERR_RANGE, LADE_ERR_SHAPE, LADE_ERR_VALUE, LADE_ERR_REFERENCE (a value cannot be converted).
 */
LADE_API LADE_NODISCARD lade_status lade_file_get_as(lade_file *file, const char *name,
                                                     const lade_type *type, void *out,
                                                     lade_arena **owner);
/** Loads an entry into an existing value of the same shape; see lade_decode_into_as. */
LADE_API LADE_NODISCARD lade_status lade_file_get_into_as(lade_file *file, const char *name,
                                                          const lade_type *type, void *value);
LADE_API LADE_NODISCARD lade_status lade_file_get_array_as(lade_file *file, const char *name,
                                                           const lade_type *type, void *out,
                                                           unsigned rank, size_t *extents,
                                                           lade_arena **owner);
LADE_API LADE_NODISCARD lade_status lade_file_get_array_into_as(lade_file *file, const char *name,
                                                                const lade_type *type, void *array,
                                                                unsigned rank,
                                                                const size_t *extents);

/**
 * Makes the types of an entry from its schema, with the types that its known-type pointers may lead to.
 * \param out owned by the caller, who destroys it; it may outlive the file, but not the file's context.
 * \returns as lade_schema_parse; LADE_ERR_NOT_FOUND, LADE_ERR_CHECKSUM.
 */
LADE_API LADE_NODISCARD lade_status lade_file_schema(lade_file *file, const char *name,
                                                     lade_schema **out);
/**
 * Loads an entry as a value of its own schema: no C type is needed. view.h walks over it;
 * lade_file_put_as (lade_file_put_array_as) writes it again, unchanged.
 * \param schema of this entry, or of another one of the same type; used as long as the value is.
 * \returns as lade_file_get_as.
 */
LADE_API LADE_NODISCARD lade_status lade_file_get_any(lade_file *file, const char *name,
                                                      const lade_schema *schema, lade_value *out,
                                                      lade_arena **owner);

/** One value in a file of its own: create, put, commit and close; or open, get and close. */
LADE_API LADE_NODISCARD lade_status lade_save_file_as(const char *path, const lade_type *type,
                                                      const void *value, lade_context *ctx);
LADE_API LADE_NODISCARD lade_status lade_load_file_as(const char *path, const lade_type *type,
                                                      void *out, lade_arena **owner,
                                                      lade_context *ctx);
LADE_API LADE_NODISCARD lade_status lade_load_file_into_as(const char *path, const lade_type *type,
                                                           void *value, lade_context *ctx);
LADE_API LADE_NODISCARD lade_status lade_save_array_file_as(const char *path, const lade_type *type,
                                                            const void *array, unsigned rank,
                                                            const size_t *extents,
                                                            lade_context *ctx);
LADE_API LADE_NODISCARD lade_status lade_load_array_file_as(const char *path, const lade_type *type,
                                                            void *out, unsigned rank,
                                                            size_t *extents, lade_arena **owner,
                                                            lade_context *ctx);
LADE_API LADE_NODISCARD lade_status lade_load_array_file_into_as(const char *path,
                                                                 const lade_type *type, void *array,
                                                                 unsigned rank,
                                                                 const size_t *extents,
                                                                 lade_context *ctx);

#ifdef __cplusplus
}
#endif

#define lade_file_put(file, name, T, value) \
    lade_file_put_as(file, name, LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value))
#define lade_file_get(file, name, T, out, owner) \
    lade_file_get_as(file, name, LADE_PRIV_TYPE(T), LADE_PRIV_SETS(T, out), owner)
#define lade_file_get_into(file, name, T, value) \
    lade_file_get_into_as(file, name, LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, value))
#define lade_file_put_array(file, name, array, rank, extents) \
    lade_file_put_array_as(file, name, LADE_PRIV_ARITHMETIC(array), array, rank, extents)
#define lade_file_get_array(file, name, out, rank, extents, owner) \
    lade_file_get_array_as(file, name, LADE_PRIV_ARITHMETIC(*(out)), out, rank, extents, owner)
#define lade_file_get_array_into(file, name, array, rank, extents) \
    lade_file_get_array_into_as(file, name, LADE_PRIV_ARITHMETIC(array), array, rank, extents)
#define lade_file_put_records(file, name, T, array, rank, extents) \
    lade_file_put_array_as(file, name, LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, array), rank, extents)
#define lade_file_get_records(file, name, T, out, rank, extents, owner)                          \
    lade_file_get_array_as(file, name, LADE_PRIV_TYPE(T), LADE_PRIV_SETS(T, out), rank, extents, \
                           owner)
#define lade_file_get_records_into(file, name, T, array, rank, extents)                         \
    lade_file_get_array_into_as(file, name, LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, array), rank, \
                                extents)

#define lade_save_file(path, T, value, ctx) \
    lade_save_file_as(path, LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, value), ctx)
#define lade_load_file(path, T, out, owner, ctx) \
    lade_load_file_as(path, LADE_PRIV_TYPE(T), LADE_PRIV_SETS(T, out), owner, ctx)
#define lade_load_file_into(path, T, value, ctx) \
    lade_load_file_into_as(path, LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, value), ctx)
#define lade_save_array_file(path, array, rank, extents, ctx) \
    lade_save_array_file_as(path, LADE_PRIV_ARITHMETIC(array), array, rank, extents, ctx)
#define lade_load_array_file(path, out, rank, extents, owner, ctx) \
    lade_load_array_file_as(path, LADE_PRIV_ARITHMETIC(*(out)), out, rank, extents, owner, ctx)
#define lade_load_array_file_into(path, array, rank, extents, ctx) \
    lade_load_array_file_into_as(path, LADE_PRIV_ARITHMETIC(array), array, rank, extents, ctx)
#define lade_save_records_file(path, T, array, rank, extents, ctx) \
    lade_save_array_file_as(path, LADE_PRIV_TYPE(T), LADE_PRIV_READS(T, array), rank, extents, ctx)
#define lade_load_records_file(path, T, out, rank, extents, owner, ctx)                            \
    lade_load_array_file_as(path, LADE_PRIV_TYPE(T), LADE_PRIV_SETS(T, out), rank, extents, owner, \
                            ctx)
#define lade_load_records_file_into(path, T, array, rank, extents, ctx)                    \
    lade_load_array_file_into_as(path, LADE_PRIV_TYPE(T), LADE_PRIV_FILLS(T, array), rank, \
                                 extents, ctx)

#endif
