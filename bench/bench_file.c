#include "bench_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef IOV_MAX
#define IOV_MAX 1024
#endif

int bench_file_create(bench_file *file, const char *name)
{
    int length = snprintf(file->temporary, sizeof file->temporary, "%s.tmp", name);

    if (length < 0 || (size_t)length >= sizeof file->temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file->name = name;
    file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return file->fd < 0 ? -1 : 0;
}

int bench_file_write(bench_file *file, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;

    while (size) {
        ssize_t done = write(file->fd, p, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        p += done;
        size -= (size_t)done;
    }
    return 0;
}

int bench_file_write_at(bench_file *file, const void *bytes, size_t size, off_t offset)
{
    ssize_t done = pwrite(file->fd, bytes, size, offset);

    if (done >= 0 && (size_t)done != size)
        errno = EIO;
    return done >= 0 && (size_t)done == size ? 0 : -1;
}

/* Drops `done` bytes from the front of the parts; returns the first part that has bytes left. */
static struct iovec *parts_advance(struct iovec *part, const struct iovec *end, size_t done)
{
    while (part < end && done >= part->iov_len) {
        done -= part->iov_len;
        part++;
    }
    if (part < end) {
        part->iov_base = (uint8_t *)part->iov_base + done;
        part->iov_len -= done;
    }
    return part;
}

static int parts_count(const struct iovec *part, const struct iovec *end)
{
    return end - part < IOV_MAX ? (int)(end - part) : IOV_MAX;
}

int bench_file_writev(bench_file *file, struct iovec *part, size_t count)
{
    const struct iovec *end = part + count;

    while (part < end) {
        ssize_t done = writev(file->fd, part, parts_count(part, end));

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        part = parts_advance(part, end, (size_t)done);
    }
    return 0;
}

int bench_file_commit(bench_file *file)
{
    int status = close(file->fd);

    file->fd = -1;
    if (status == 0)
        status = rename(file->temporary, file->name);
    if (status)
        bench_file_abandon(file);
    return status;
}

void bench_file_abandon(bench_file *file)
{
    int kept = errno;

    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
    unlink(file->temporary);
    errno = kept;
}

int bench_file_open(const char *name, uint64_t *size)
{
    struct stat info;
    int fd = open(name, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (fstat(fd, &info)) {
        int kept = errno;

        close(fd);
        errno = kept;
        return -1;
    }
    *size = (uint64_t)info.st_size;
    return fd;
}

int bench_file_read(int fd, void *bytes, size_t size)
{
    struct iovec part = {.iov_base = bytes, .iov_len = size};

    return bench_file_readv(fd, &part, 1);
}

int bench_file_readv(int fd, struct iovec *part, size_t count)
{
    const struct iovec *end = part + count;

    part = parts_advance(part, end, 0);
    while (part < end) {
        ssize_t done = readv(fd, part, parts_count(part, end));

        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = EPROTO;
        if (done <= 0)
            return -1;
        part = parts_advance(part, end, (size_t)done);
    }
    return 0;
}

int bench_sink_init(bench_sink *sink)
{
    sink->base = malloc(BENCH_BLOCK);
    return sink->base ? 0 : -1;
}

void bench_sink_fini(bench_sink *sink)
{
    free(sink->base);
    sink->base = NULL;
}

int bench_sink_open(bench_sink *sink, const char *name)
{
    sink->used = 0;
    sink->flushed = 0;
    return bench_file_create(&sink->file, name);
}

int bench_sink_flush(bench_sink *sink)
{
    if (bench_file_write(&sink->file, sink->base, sink->used))
        return -1;
    sink->flushed += sink->used;
    sink->used = 0;
    return 0;
}

int bench_sink_commit(bench_sink *sink, uint64_t *bytes)
{
    if (bench_sink_flush(sink)) {
        bench_sink_abandon(sink);
        return -1;
    }
    if (bench_file_commit(&sink->file))
        return -1;
    *bytes = sink->flushed;
    return 0;
}

void bench_sink_abandon(bench_sink *sink)
{
    bench_file_abandon(&sink->file);
}

int bench_source_init(bench_source *source)
{
    source->base = calloc(1, BENCH_BLOCK + BENCH_SLACK);
    return source->base ? 0 : -1;
}

void bench_source_fini(bench_source *source)
{
    free(source->base);
    source->base = NULL;
}

int bench_source_open(bench_source *source, const char *name)
{
    source->at = source->end = source->base;
    source->fd = bench_file_open(name, &source->unread);
    return source->fd < 0 ? -1 : 0;
}

void bench_source_close(bench_source *source)
{
    close(source->fd);
}

int bench_source_refill(bench_source *source)
{
    size_t kept = (size_t)(source->end - source->at);
    size_t size = BENCH_BLOCK - kept;

    memmove(source->base, source->at, kept);
    if (size > source->unread)
        size = (size_t)source->unread;
    if (bench_file_read(source->fd, source->base + kept, size))
        return -1;
    source->unread -= size;
    source->at = source->base;
    source->end = source->base + kept + size;
    memset(source->base + kept + size, 0, BENCH_SLACK);
    return 0;
}
