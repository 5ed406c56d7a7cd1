#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ALIGN = 64, TRIES = 100 };

lade_status lade_io_status(int cause)
{
    switch (cause) {
    case ENOSPC:
    case EDQUOT:
        return LADE_ERR_NO_SPACE;
    case EACCES:
    case EPERM:
    case EROFS:
        return LADE_ERR_PERMISSION;
    case ENOENT:
    case ENOTDIR:
        return LADE_ERR_NO_FILE;
    case ENOMEM:
        return LADE_ERR_MEMORY;
    default:
        return LADE_ERR_IO;
    }
}

lade_status lade_io_fail(lade_job *job, const char *what, const char *path)
{
    int cause = errno;
    char text[128];
    /* the GNU form: returns the text, which may or may not stand in the buffer */
    const char *reason = strerror_r(cause, text, sizeof text);
    return lade_job_fail(job, lade_io_status(cause), cause, "%s: cannot %s: %s", path, what,
                         reason);
}

/* Steps over n bytes that are done. */
static void advance(struct iovec **iov, int *count, size_t n)
{
    while (*count > 0 && n >= (*iov)->iov_len) {
        n -= (*iov)->iov_len;
        (*iov)++;
        (*count)--;
    }
    if (*count > 0) {
        (*iov)->iov_base = (char *)(*iov)->iov_base + n;
        (*iov)->iov_len -= n;
    }
}

lade_status lade_io_readv(lade_job *job, int fd, struct iovec *iov, int count, off_t at,
                          const char *path)
{
    advance(&iov, &count, 0);
    while (count > 0) {
        ssize_t n = preadv(fd, iov, count < IOV_MAX ? count : IOV_MAX, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return lade_io_fail(job, "read", path);
        if (n == 0)
            return lade_job_fail(job, LADE_ERR_TRUNCATED, 0, "%s: the file ends too early", path);
        at += n;
        advance(&iov, &count, (size_t)n);
    }
    return LADE_OK;
}

lade_status lade_io_read(lade_job *job, int fd, void *bytes, size_t size, off_t at,
                         const char *path)
{
    struct iovec iov = {bytes, size};
    return lade_io_readv(job, fd, &iov, 1, at, path);
}

lade_status lade_io_writev(lade_job *job, int fd, struct iovec *iov, int count, off_t at,
                           const char *path)
{
    advance(&iov, &count, 0);
    while (count > 0) {
        ssize_t n = pwritev(fd, iov, count < IOV_MAX ? count : IOV_MAX, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO;
        if (n <= 0)
            return lade_io_fail(job, "write", path);
        at += n;
        advance(&iov, &count, (size_t)n);
    }
    return LADE_OK;
}

lade_status lade_io_sync(lade_job *job, int fd, const char *path)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return lade_io_fail(job, "sync", path);
    return LADE_OK;
}

int lade_io_open(const char *path, int flags)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    return fd;
}

lade_status lade_io_set_size(lade_job *job, int fd, uint64_t size, const char *path)
{
    while (ftruncate(fd, (off_t)size) != 0)
        if (errno != EINTR)
            return lade_io_fail(job, "set the size of", path);
    return LADE_OK;
}

lade_status lade_io_lock(lade_job *job, int fd, const char *path)
{
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return lade_job_fail(job, LADE_ERR_STATE, 0, "%s is open for appending elsewhere",
                                 path);
        if (errno != EINTR)
            break;
    }
    return LADE_OK;
}

int lade_io_open_directory(lade_job *job, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    char *directory = lade_mem_get(job->ctx->allocator, n + 2);
    if (!directory) {
        lade_job_error(job, LADE_ERR_MEMORY, 0, "out of memory");
        return -1;
    }
    memcpy(directory, path, n);
    memcpy(directory + n, n ? "" : ".", n ? 1 : 2);
    int fd = lade_io_open(directory, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        lade_job_error(job, lade_io_status(errno), errno, "%s: cannot open the directory",
                       directory);
    lade_mem_free(job->ctx->allocator, directory, n + 2);
    return fd;
}

lade_status lade_io_sync_directory(lade_job *job, int directory, const char *path)
{
    while (fsync(directory) != 0) {
        if (errno == EINVAL) /* not every file system can */
            return LADE_OK;
        if (errno != EINTR)
            return lade_io_fail(job, "sync the directory of", path);
    }
    return LADE_OK;
}

lade_status lade_io_temporary(lade_job *job, const char *path, char **name, size_t *size, int *fd)
{
    *size = strlen(path) + 32;
    *name = lade_mem_get(job->ctx->allocator, *size);
    if (!*name)
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t seed = (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec ^ (uintptr_t)*name;
    *fd = -1;
    for (int i = 0; i < TRIES && *fd < 0; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX generator */
        snprintf(*name, *size, "%s.%08x.tmp", path, (unsigned)(seed >> 32));
        *fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (*fd >= 0)
        return LADE_OK;
    lade_status status = lade_io_fail(job, "create a temporary file for", path);
    lade_mem_free(job->ctx->allocator, *name, *size);
    *name = NULL;
    return status;
}

void lade_output_seek(lade_output *out, uint64_t position)
{
    out->position = out->start = position;
    out->count = 0;
    out->small_used = 0;
}

lade_status lade_output_flush(lade_job *job, lade_output *out)
{
    lade_status status =
        lade_io_writev(job, out->fd, out->iov, out->count, (off_t)out->start, out->path);
    lade_output_seek(out, out->position);
    return status;
}

static lade_status reserve(lade_job *job, lade_output *out, size_t small)
{
    bool full = out->count == (int)(sizeof out->iov / sizeof *out->iov) ||
                small > sizeof out->small - out->small_used;
    return full ? lade_output_flush(job, out) : LADE_OK;
}

lade_status lade_output_refer(lade_job *job, lade_output *out, const void *bytes, size_t size)
{
    if (size == 0)
        return LADE_OK;
    lade_status status = reserve(job, out, 0);
    if (status != LADE_OK)
        return status;
    out->iov[out->count++] = (struct iovec){lade_priv_unconst(bytes), size};
    out->position += size;
    return LADE_OK;
}

lade_status lade_output_copy(lade_job *job, lade_output *out, const void *bytes, size_t size)
{
    if (size == 0)
        return LADE_OK;
    lade_status status = reserve(job, out, size);
    if (status != LADE_OK)
        return status;
    uint8_t *to = out->small + out->small_used;
    struct iovec *last = out->count ? &out->iov[out->count - 1] : NULL;
    memcpy(to, bytes, size);
    out->small_used += size;
    if (last && (uint8_t *)last->iov_base + last->iov_len == to)
        last->iov_len += size;
    else
        out->iov[out->count++] = (struct iovec){to, size};
    out->position += size;
    return LADE_OK;
}

lade_status lade_output_pad(lade_job *job, lade_output *out)
{
    static const uint8_t zeros[ALIGN];
    return lade_output_copy(job, out, zeros, (size_t)(-out->position % ALIGN));
}
