#define _POSIX_C_SOURCE 200809L

#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool resize(text *t, size_t capacity)
{
    char *data = realloc(t->data, capacity);

    if (data)
        t->data = data;
    return data != NULL;
}

/* Reads to the end, whatever size the file had at first: it may grow, and files in /proc say 0. */
static bool read_all(text *t, int fd, size_t expected)
{
    size_t size = 0, capacity = expected + 2;

    if (!resize(t, capacity))
        return false;
    for (;;) {
        ssize_t got = read(fd, t->data + size, capacity - 1 - size);

        if (got < 0 && errno != EINTR)
            return false;
        if (got == 0)
            break;
        size += got > 0 ? (size_t)got : 0;
        if (size + 1 == capacity && !resize(t, capacity += capacity / 2 + 1))
            return false;
    }
    t->data[size] = '\0';
    t->stop = t->data + size;
    return true;
}

static bool read_regular(text *t, int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return false;
    errno = S_ISDIR(st.st_mode) ? EISDIR : 0;
    return S_ISREG(st.st_mode) && read_all(t, fd, (size_t)st.st_size);
}

bool text_open(text *t, const char *path, text_error *error)
{
    bool done = false;
    /* Without O_NONBLOCK, opening a FIFO would wait for its writer. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    *t = (text){.error = error};
    *error = (text_error){.file = path};
    if (fd >= 0)
        done = read_regular(t, fd);
    if (done)
        text_rewind(t);
    else
        snprintf(error->message, sizeof error->message, "%s",
                 errno ? strerror(errno) : "this is not a regular file");
    if (fd >= 0)
        close(fd);
    if (!done)
        text_close(t);
    return done;
}

void text_close(text *t)
{
    free(t->data);
    *t = (text){.error = t->error};
}

void text_rewind(text *t)
{
    t->at = t->end = t->next = t->data;
    t->line = 0;
}

bool text_next_line(text *t)
{
    const char *newline;

    if (t->next == t->stop)
        return false;
    newline = memchr(t->next, '\n', (size_t)(t->stop - t->next));
    t->at = t->next;
    t->end = newline ? newline : t->stop;
    t->next = newline ? newline + 1 : t->stop;
    if (t->end > t->at && t->end[-1] == '\r')
        t->end--;
    t->line++;
    return true;
}
