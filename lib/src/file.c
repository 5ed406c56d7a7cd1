/* The life of files: create, open, commit, close; and the one-call functions. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"

lade_status lade_file_job(lade_job *job, lade_file *f, const char *entry)
{
    lade_status status = lade_job_begin(job, f->ctx);
    if (status != LADE_OK)
        return status;
    f->ctx->cache->entry = entry;
    lade_job_entry(job, entry);
    f->job = job;
    return LADE_OK;
}

lade_status lade_file_job_end(lade_job *job, lade_file *f, lade_status status)
{
    if (f->ctx->cache)
        f->ctx->cache->entry = NULL;
    f->job = NULL;
    /* what an inner call has reported already says more */
    if (status != LADE_OK && job->err.status == LADE_OK)
        return status;
    return lade_job_end(job, status);
}

static void file_free(lade_file *f)
{
    const lade_allocator copy = f->ctx->allocator ? *f->ctx->allocator : (lade_allocator){0};
    const lade_allocator *a = f->ctx->allocator ? &copy : NULL;
    lade_listed_free(a, f->listed, f->listed_count, f->listed_capacity);
    lade_listed_free(a, f->added, f->added_count, f->added_capacity);
    lade_conversions_free(f);
    lade_mem_free(a, f->slots, f->slots_capacity * sizeof *f->slots);
    lade_mem_free(a, f->schemas, f->schema_capacity * sizeof *f->schemas);
    lade_mem_free(a, f->path, f->path_size);
    lade_mem_free(a, f->temporary, f->temporary_size);
    lade_buffer_fini(&f->frame);
    if (f->ctx == &f->own)
        lade_context_fini(&f->own);
    lade_mem_free(a, f, sizeof *f);
}

/* A file object without a descriptor. The path is resolved, so that renaming over a symbolic link
 * replaces what it points to. */
static lade_status file_make(lade_job *job, const char *path, lade_context *ctx, lade_file **out)
{
    const lade_allocator *a = job->ctx->allocator;
    lade_file *f = lade_mem_get(a, sizeof *f);
    if (!f)
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    memset(f, 0, offsetof(lade_file, out));
    f->ctx = ctx ? ctx : &f->own;
    char *resolved = realpath(path, NULL);
    const char *name = resolved ? resolved : path;
    f->path_size = strlen(name) + 1;
    f->path = lade_mem_get(a, f->path_size);
    if (f->path)
        memcpy(f->path, name, f->path_size);
    free(resolved);
    if (!f->path) {
        file_free(f);
        return lade_job_fail(job, LADE_ERR_MEMORY, 0, "out of memory");
    }
    f->out.fd = -1;
    f->out.path = f->path;
    lade_output_seek(&f->out, 0);
    *out = f;
    return LADE_OK;
}

/* What stands at the path must be a regular file, or nothing; a new file takes over its mode. */
static lade_status check_old(lade_job *job, const lade_file *f)
{
    struct stat old;
    if (stat(f->path, &old) != 0)
        return errno == ENOENT ? LADE_OK : lade_io_fail(job, "look at", f->path);
    if (!S_ISREG(old.st_mode))
        return lade_job_fail(job, LADE_ERR_IO, S_ISDIR(old.st_mode) ? EISDIR : EINVAL,
                             "%s is not a regular file", f->path);
    if (fchmod(f->out.fd, old.st_mode & 07777) != 0)
        return lade_io_fail(job, "set the mode of a temporary file for", f->path);
    return LADE_OK;
}

lade_status lade_file_create(const char *path, lade_file **out, lade_context *ctx)
{
    lade_job job;
    lade_file *f = NULL;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && (!path || !*path || !out))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0,
                               "path (which must not be empty) and out must not be NULL");
    if (status == LADE_OK)
        status = file_make(&job, path, ctx, &f);
    if (status == LADE_OK) {
        f->mode = LADE_APPEND;
        status = lade_io_temporary(&job, f->path, &f->temporary, &f->temporary_size, &f->out.fd);
    }
    if (status == LADE_OK)
        status = check_old(&job, f);
    if (status == LADE_OK) {
        uint8_t block[RECORD_HEAD];
        lade_superblock_make(block);
        status = lade_output_copy(&job, &f->out, block, sizeof block);
    }
    if (status == LADE_OK)
        *out = f;
    else if (f)
        lade_file_discard(f);
    return lade_job_end(&job, status);
}

static lade_status open_existing(lade_job *job, lade_file *f, lade_open_mode mode)
{
    struct stat info;
    uint8_t block[RECORD_HEAD] = {0};
    f->mode = mode;
    f->out.fd = lade_io_open(f->path, (mode == LADE_READ ? O_RDONLY : O_RDWR) | O_NONBLOCK);
    if (f->out.fd < 0)
        return lade_io_fail(job, "open", f->path);
    if (fstat(f->out.fd, &info) != 0)
        return lade_io_fail(job, "look at", f->path);
    if (!S_ISREG(info.st_mode))
        return lade_job_fail(job, LADE_ERR_IO, S_ISDIR(info.st_mode) ? EISDIR : EINVAL,
                             "%s is not a regular file", f->path);
    lade_status status = mode == LADE_APPEND ? lade_io_lock(job, f->out.fd, f->path) : LADE_OK;
    if (status != LADE_OK)
        return status;
    if (fstat(f->out.fd, &info) != 0) /* as it is under the lock */
        return lade_io_fail(job, "look at", f->path);
    uint64_t size = (uint64_t)info.st_size;
    size_t first = size < RECORD_HEAD ? (size_t)size : RECORD_HEAD;
    status = lade_io_read(job, f->out.fd, block, first, 0, f->path);
    if (status == LADE_OK)
        status = lade_superblock_check(job, block, first, f->path);
    if (status == LADE_OK)
        status = lade_directory_read(job, f, size);
    if (status == LADE_OK)
        lade_output_seek(&f->out, f->committed);
    f->tail = status == LADE_OK && f->committed < size;
    return status;
}

lade_status lade_file_open(const char *path, lade_open_mode mode, lade_file **out,
                           lade_context *ctx)
{
    lade_job job;
    lade_file *f = NULL;
    lade_status status = lade_job_begin(&job, ctx);
    if (status == LADE_OK && (!path || !*path || !out))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0,
                               "path (which must not be empty) and out must not be NULL");
    if (status == LADE_OK && mode != LADE_READ && mode != LADE_APPEND)
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "%d is no mode of opening", (int)mode);
    if (status == LADE_OK)
        status = file_make(&job, path, ctx, &f);
    if (status == LADE_OK)
        status = open_existing(&job, f, mode);
    if (status == LADE_OK)
        *out = f;
    else if (f)
        lade_file_discard(f);
    return lade_job_end(&job, status);
}

/* Opens a new file again, after its first commit has closed it. It must still be that file, as it was. */
static lade_status reopen(lade_job *job, lade_file *f)
{
    struct stat is;
    int fd = lade_io_open(f->temporary ? f->temporary : f->path, O_RDWR);
    if (fd < 0 || fstat(fd, &is) != 0) {
        lade_status status = lade_io_fail(job, "open", f->path);
        if (fd >= 0)
            close(fd);
        return status;
    }
    lade_status status = lade_io_lock(job, fd, f->path);
    if (status == LADE_OK && (is.st_dev != f->device || is.st_ino != f->inode ||
                              (f->committed && (uint64_t)is.st_size != f->committed)))
        status = lade_job_fail(job, LADE_ERR_STATE, 0, "%s was changed by another writer", f->path);
    if (status == LADE_OK)
        f->out.fd = fd;
    else
        close(fd);
    return status;
}

lade_status lade_file_ready(lade_job *job, lade_file *f)
{
    if (f->broken)
        return lade_job_fail(job, LADE_ERR_STATE, 0, "%s: an earlier commit failed half-way",
                             f->path);
    return f->out.fd >= 0 ? LADE_OK : reopen(job, f);
}

/* Closes the temporary file (some file systems tell of a lost write only then) and gives it its
 * name. Whoever needs it next opens it again. */
static lade_status rename_new(lade_job *job, lade_file *f)
{
    struct stat is;
    int fd = f->out.fd;
    if (fstat(fd, &is) != 0)
        return lade_io_fail(job, "look at", f->path);
    f->device = is.st_dev;
    f->inode = is.st_ino;
    f->out.fd = -1;
    if (close(fd) != 0 && errno != EINTR) {
        f->broken = f->ctx->no_sync; /* else all of it was on disk before */
        return lade_io_fail(job, "close", f->path);
    }
    if (rename(f->temporary, f->path) != 0)
        return lade_io_fail(job, "rename a temporary file to", f->path);
    lade_mem_free(f->ctx->allocator, f->temporary, f->temporary_size);
    f->temporary = NULL;
    return LADE_OK;
}

/* A new file: everything is on disk before it gets its name. *counts tells whether it has it. */
static lade_status commit_new(lade_job *job, lade_file *f, const uint8_t *footer, bool *counts)
{
    bool sync = !f->ctx->no_sync;
    int directory = -1;
    lade_status status = lade_output_copy(job, &f->out, footer, RECORD_HEAD);
    if (status == LADE_OK)
        status = lade_output_flush(job, &f->out);
    if (status == LADE_OK)
        status = lade_io_set_size(job, f->out.fd, f->out.position, f->path);
    if (status == LADE_OK && sync)
        status = lade_io_sync(job, f->out.fd, f->path);
    if (status == LADE_OK && sync && (directory = lade_io_open_directory(job, f->path)) < 0)
        status = job->err.status;
    if (status == LADE_OK)
        status = rename_new(job, f);
    *counts = status == LADE_OK;
    if (status == LADE_OK && sync)
        status = lade_io_sync_directory(job, directory, f->path);
    if (directory >= 0)
        close(directory);
    return status;
}

/* A further commit: its footer, which makes it count, is written when all before it is on disk. If
 * it cannot be made sure of, it is taken back: no footer may stay while what it names is written
 * over. */
static lade_status commit_more(lade_job *job, lade_file *f, const uint8_t *footer, uint64_t start)
{
    bool sync = !f->ctx->no_sync;
    lade_status status = lade_io_set_size(job, f->out.fd, f->out.position, f->path);
    if (status == LADE_OK && sync)
        status = lade_io_sync(job, f->out.fd, f->path);
    if (status == LADE_OK)
        status = lade_output_copy(job, &f->out, footer, RECORD_HEAD);
    if (status == LADE_OK)
        status = lade_output_flush(job, &f->out);
    if (status == LADE_OK && sync)
        status = lade_io_sync(job, f->out.fd, f->path);
    if (status != LADE_OK && lade_io_set_size(job, f->out.fd, start, f->path) != LADE_OK)
        f->broken = true;
    return status;
}

static lade_status commit_check(lade_job *job, lade_file *f)
{
    if (f->mode == LADE_READ)
        return lade_job_fail(job, LADE_ERR_STATE, 0, "%s is open for reading only", f->path);
    return lade_file_ready(job, f);
}

lade_status lade_file_commit(lade_file *file)
{
    lade_job job;
    uint8_t footer[RECORD_HEAD] = {0};
    if (!file)
        return LADE_ERR_ARGUMENT;
    lade_status status = lade_file_job(&job, file, NULL);
    if (status == LADE_OK)
        status = commit_check(&job, file);
    if (status != LADE_OK || (file->added_count == 0 && file->committed))
        return lade_file_job_end(&job, file, status);
    uint64_t start = file->out.position;
    bool counts = false;
    file->tail = true;
    status = lade_directory_reserve(&job, file);
    if (status == LADE_OK)
        status = lade_directory_write(&job, file, footer);
    if (status == LADE_OK && file->temporary) {
        status = commit_new(&job, file, footer, &counts);
    } else if (status == LADE_OK) {
        status = commit_more(&job, file, footer, start);
        counts = status == LADE_OK;
    }
    if (counts) {
        file->committed = file->out.position;
        file->tail = false;
        file->last_commit = get64(footer + FOOTER_COMMIT);
        file->sequence++;
        lade_directory_merge(file);
    } else {
        lade_output_seek(&file->out, start); /* may be tried again */
    }
    return lade_file_job_end(&job, file, status);
}

/* Drops what is not committed, and frees the file; returns 0, or the errno of what failed. */
static int file_end(lade_file *f)
{
    lade_job job = {.ctx = f->ctx};
    lade_status cut = LADE_OK;
    if (f->temporary)
        unlink(f->temporary);
    else if (f->out.fd >= 0 && f->mode == LADE_APPEND && f->tail && f->committed)
        cut = lade_io_set_size(&job, f->out.fd, f->committed, f->path);
    int cause = cut == LADE_OK ? 0 : job.err.cause;
    if (f->out.fd >= 0 && close(f->out.fd) != 0 && errno != EINTR)
        cause = errno;
    file_free(f);
    return cause;
}

void lade_file_discard(lade_file *f)
{
    file_end(f);
}

lade_status lade_file_close(lade_file *file)
{
    if (!file)
        return LADE_OK;
    lade_context *ctx = file->ctx == &file->own ? NULL : file->ctx;
    int cause = file_end(file);
    if (cause == 0)
        return LADE_OK;
    return lade_context_fail(ctx, lade_io_status(cause), cause, "cannot close the file: errno %d",
                             cause);
}

size_t lade_file_count(const lade_file *file)
{
    return file ? file->listed_count : 0;
}

const char *lade_file_name(const lade_file *file, size_t i)
{
    return file && i < file->listed_count ? file->listed[i].name : NULL;
}

static lade_status save_file(const char *path, const lade_root *root, lade_context *ctx)
{
    lade_file *f = NULL;
    lade_status status = lade_file_create(path, &f, ctx);
    if (status != LADE_OK)
        return status;
    assert(f);
    status = root->rank ? lade_file_put_array_as(f, LADE_ROOT_ENTRY, root->type, root->value,
                                                 root->rank, root->extents)
                        : lade_file_put_as(f, LADE_ROOT_ENTRY, root->type, root->value);
    lade_stats stats = f->ctx->stats;
    if (status == LADE_OK)
        status = lade_file_commit(f);
    lade_status closed = lade_file_close(f);
    if (ctx)
        ctx->stats = stats;
    return status != LADE_OK ? status : closed;
}

lade_status lade_save_file_as(const char *path, const lade_type *type, const void *value,
                              lade_context *ctx)
{
    return save_file(path, &(lade_root){.type = type, .value = value}, ctx);
}

lade_status lade_save_array_file_as(const char *path, const lade_type *type, const void *array,
                                    unsigned rank, const size_t *extents, lade_context *ctx)
{
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return save_file(path, &(lade_root){type, array, rank, extents}, ctx);
}

lade_status lade_load_file_as(const char *path, const lade_type *type, void *out,
                              lade_arena **owner, lade_context *ctx)
{
    lade_file *f = NULL;
    lade_status status = lade_file_open(path, LADE_READ, &f, ctx);
    if (status != LADE_OK)
        return status;
    status = lade_file_get_as(f, LADE_ROOT_ENTRY, type, out, owner);
    lade_file_close(f);
    return status;
}

lade_status lade_load_file_into_as(const char *path, const lade_type *type, void *value,
                                   lade_context *ctx)
{
    lade_file *f = NULL;
    lade_status status = lade_file_open(path, LADE_READ, &f, ctx);
    if (status != LADE_OK)
        return status;
    status = lade_file_get_into_as(f, LADE_ROOT_ENTRY, type, value);
    lade_file_close(f);
    return status;
}

lade_status lade_load_array_file_as(const char *path, const lade_type *type, void *out,
                                    unsigned rank, size_t *extents, lade_arena **owner,
                                    lade_context *ctx)
{
    lade_file *f = NULL;
    lade_status status = lade_file_open(path, LADE_READ, &f, ctx);
    if (status != LADE_OK)
        return status;
    status = lade_file_get_array_as(f, LADE_ROOT_ENTRY, type, out, rank, extents, owner);
    lade_file_close(f);
    return status;
}

lade_status lade_load_array_file_into_as(const char *path, const lade_type *type, void *array,
                                         unsigned rank, const size_t *extents, lade_context *ctx)
{
    lade_file *f = NULL;
    lade_status status = lade_file_open(path, LADE_READ, &f, ctx);
    if (status != LADE_OK)
        return status;
    status = lade_file_get_array_into_as(f, LADE_ROOT_ENTRY, type, array, rank, extents);
    lade_file_close(f);
    return status;
}
