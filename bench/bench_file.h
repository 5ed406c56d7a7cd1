/**
 * \file
 * Files as the hand-written implementations use them. A save creates `NAME.tmp`, writes, closes and
 * renames it over NAME, with no fsync: the same system calls for all of them. A sink adds a buffer
 * for encoders, a source one for parsers.
 */
#ifndef BENCH_FILE_H
#define BENCH_FILE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* The buffer stays in a core's own cache; larger ones gain nothing. */
enum {
    BENCH_BLOCK = 256 * 1024,
    BENCH_SLACK = 4096 /* zeroed bytes after a source's block: no record is longer */
};

/** A file being written. All functions return 0, or -1 with errno set. */
typedef struct {
    int fd;
    const char *name; /* borrowed until commit or abandon */
    char temporary[PATH_MAX];
} bench_file;

int bench_file_create(bench_file *file, const char *name);
int bench_file_write(bench_file *file, const void *bytes, size_t size);
int bench_file_write_at(bench_file *file, const void *bytes, size_t size, off_t offset);
/** Writes all of it, in as few calls as IOV_MAX allows; `part` is used up. */
int bench_file_writev(bench_file *file, struct iovec *part, size_t count);
int bench_file_commit(bench_file *file);
/** Closes and removes the temporary file; keeps errno. */
void bench_file_abandon(bench_file *file);

/** Opens for reading; `size` is that of the file in bytes. Returns a descriptor, or -1 with errno
 * set. */
int bench_file_open(const char *name, uint64_t *size);
/** Reads exactly `size` bytes; an early end is EPROTO. */
int bench_file_read(int fd, void *bytes, size_t size);
int bench_file_readv(int fd, struct iovec *part, size_t count);

/** A buffered encoder: `room` makes sure of space, then the caller stores and moves `used`. */
typedef struct {
    bench_file file;
    uint8_t *base; /* owned, BENCH_BLOCK bytes */
    size_t used;
    uint64_t flushed; /* bytes written so far */
} bench_sink;

int bench_sink_init(bench_sink *sink);
void bench_sink_fini(bench_sink *sink);
int bench_sink_open(bench_sink *sink, const char *name);
int bench_sink_flush(bench_sink *sink);
/** Flushes and commits; `bytes` becomes the size of the file. The temporary is gone on failure. */
int bench_sink_commit(bench_sink *sink, uint64_t *bytes);
void bench_sink_abandon(bench_sink *sink);

/** `need` (at most BENCH_BLOCK) free bytes at the returned place, or NULL with errno set. */
static inline uint8_t *bench_sink_room(bench_sink *sink, size_t need)
{
    if (BENCH_BLOCK - sink->used < need && bench_sink_flush(sink))
        return NULL;
    return sink->base + sink->used;
}

/** A buffered parser. `at` to `end` are read and not yet parsed; zeroed slack follows `end`. */
typedef struct {
    int fd;
    uint8_t *base; /* owned, BENCH_BLOCK + BENCH_SLACK bytes */
    const uint8_t *at;
    const uint8_t *end;
    uint64_t unread; /* bytes of the file that are not in the block yet */
} bench_source;

int bench_source_init(bench_source *source);
void bench_source_fini(bench_source *source);
int bench_source_open(bench_source *source, const char *name);
void bench_source_close(bench_source *source);
int bench_source_refill(bench_source *source);

/** All bytes that remain, buffered or not. */
static inline uint64_t bench_source_left(const bench_source *source)
{
    return source->unread + (uint64_t)(source->end - source->at);
}

/**
 * Makes `need` (at most BENCH_SLACK) bytes readable at the returned place; past the end of the file
 * they are zeros, so the caller compares with `end` once per record. NULL with errno set if reading
 * failed.
 */
static inline const uint8_t *bench_source_need(bench_source *source, size_t need)
{
    if ((size_t)(source->end - source->at) < need && source->unread && bench_source_refill(source))
        return NULL;
    return source->at;
}

#endif
