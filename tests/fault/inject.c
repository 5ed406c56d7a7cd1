#include "inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

inject injected;

void inject_start(int n, int cause, int only)
{
    injected = (inject){.on = true, .fail_at = n, .cause = cause, .only = only};
}

void inject_stop(void)
{
    injected.on = false;
}

const char *inject_name(inject_call call)
{
    static const char *const names[] = {"open",  "close",     "preadv", "pwritev",
                                        "fsync", "ftruncate", "rename", "fchmod"};
    return names[call];
}

/* True if this call is to fail (errno is set), or to be short (errno is 0). */
static bool fails(inject_call call)
{
    if (!injected.on || (injected.only >= 0 && injected.only != (int)call))
        return false;
    injected.counted++;
    bool now = injected.counted == injected.fail_at ||
               (injected.stay && injected.failed && injected.hit == call);
    if (!now)
        return false;
    injected.failed++;
    injected.hit = call;
    errno = injected.cause;
    return true;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(args, int) : 0;
    va_end(args);
    return fails(INJECT_OPEN) && errno ? -1 : __real_open(path, flags, mode);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    bool bad = fails(INJECT_CLOSE);
    int cause = errno;
    int result = __real_close(fd); /* Linux closes it in any case */
    if (bad && cause) {
        errno = cause;
        return -1;
    }
    return result;
}

ssize_t __real_preadv(int fd, const struct iovec *iov, int count, off_t at);
ssize_t __wrap_preadv(int fd, const struct iovec *iov, int count, off_t at);
ssize_t __wrap_preadv(int fd, const struct iovec *iov, int count, off_t at)
{
    if (!fails(INJECT_PREADV))
        return __real_preadv(fd, iov, count, at);
    return errno ? -1 : __real_preadv(fd, &(struct iovec){iov->iov_base, 1}, 1, at);
}

ssize_t __real_pwritev(int fd, const struct iovec *iov, int count, off_t at);
ssize_t __wrap_pwritev(int fd, const struct iovec *iov, int count, off_t at);
ssize_t __wrap_pwritev(int fd, const struct iovec *iov, int count, off_t at)
{
    if (!fails(INJECT_PWRITEV))
        return __real_pwritev(fd, iov, count, at);
    return errno ? -1 : __real_pwritev(fd, &(struct iovec){iov->iov_base, 1}, 1, at);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    return fails(INJECT_FSYNC) && errno ? -1 : __real_fsync(fd);
}

int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size)
{
    return fails(INJECT_FTRUNCATE) && errno ? -1 : __real_ftruncate(fd, size);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    return fails(INJECT_RENAME) && errno ? -1 : __real_rename(from, to);
}

int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode)
{
    return fails(INJECT_FCHMOD) && errno ? -1 : __real_fchmod(fd, mode);
}
