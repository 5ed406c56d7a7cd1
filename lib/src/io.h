/**
 * \file
 * System calls on files, each until it is done or failed, with the error of the job filled.
 */
#ifndef LADE_IO_H
#define LADE_IO_H

#include <sys/types.h>
#include <sys/uio.h>

#include "internal.h"

/** The status that an errno value stands for. */
lade_status lade_io_status(int cause);
/** Fails the job with errno and the name of what was tried. */
lade_status lade_io_fail(lade_job *job, const char *what, const char *path);

/** Reads exactly all of the vector at an offset. The vector is changed. LADE_ERR_TRUNCATED at the
 * end of the file. */
lade_status lade_io_readv(lade_job *job, int fd, struct iovec *iov, int count, off_t at,
                          const char *path);
lade_status lade_io_read(lade_job *job, int fd, void *bytes, size_t size, off_t at,
                         const char *path);
/** Writes all of the vector at an offset. The vector is changed. */
lade_status lade_io_writev(lade_job *job, int fd, struct iovec *iov, int count, off_t at,
                           const char *path);
lade_status lade_io_sync(lade_job *job, int fd, const char *path);
/** open(2), again if interrupted. Returns the descriptor, or -1 with errno set. */
int lade_io_open(const char *path, int flags);
lade_status lade_io_set_size(lade_job *job, int fd, uint64_t size, const char *path);
/** Takes the lock of a writer, which goes with the descriptor. LADE_ERR_STATE if another writer has it; file
 * systems without locks are written without. */
lade_status lade_io_lock(lade_job *job, int fd, const char *path);
/** Opens the directory that holds path. Done before a rename, so that nothing but the sync itself
 * can fail after it. Returns the descriptor, or -1 with the job failed. */
int lade_io_open_directory(lade_job *job, const char *path);
/** Syncs a directory, so that a rename in it is durable. */
lade_status lade_io_sync_directory(lade_job *job, int directory, const char *path);

/** A temporary file beside path. \param name set to its name, owned by the caller (size bytes). */
lade_status lade_io_temporary(lade_job *job, const char *path, char **name, size_t *size, int *fd);

/** A queue of bytes to be written at growing offsets: small ones are copied, large ones referred
 * to. */
typedef struct lade_output {
    int fd;
    uint64_t position; /* in the file, of the next byte queued */
    const char *path;
    int count;
    size_t small_used;
    uint64_t start; /* in the file, of the first byte queued */
    struct iovec iov[128];
    uint8_t small[16 << 10];
} lade_output;

/** Queues bytes that the caller may change at once. size at most 4096. */
lade_status lade_output_copy(lade_job *job, lade_output *out, const void *bytes, size_t size);
/** Queues bytes that stay as they are until the next flush. */
lade_status lade_output_refer(lade_job *job, lade_output *out, const void *bytes, size_t size);
/** Queues zeros up to a multiple of 64. */
lade_status lade_output_pad(lade_job *job, lade_output *out);
lade_status lade_output_flush(lade_job *job, lade_output *out);
/** Forgets what is queued, and goes on at another position. */
void lade_output_seek(lade_output *out, uint64_t position);

#endif
