/* A file, of which every entry is read: the mode, the bytes. Sealed, its checksums are made right. */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../hostile/seals.h"

static int fd = -1; /* of a file in memory */

static void write_file(const uint8_t *bytes, size_t size)
{
    if (fd < 0)
        fd = memfd_create("lade-fuzz", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < FUZZ_FILE_HEAD)
        return 0;
    uint8_t mode = bytes[0];
    size -= FUZZ_FILE_HEAD;
    uint8_t *copy = malloc(size + (size == 0));
    if (!copy)
        abort();
    memcpy(copy, bytes + FUZZ_FILE_HEAD, size);
    if (mode & FUZZ_SEALED) {
        static seals found;
        seals_find(&found, copy, size);
        seals_close(&found, copy);
    }
    write_file(copy, size);
    free(copy);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    fuzz_check(trial_file(path, size, mode & FUZZ_INTERPRET, mode & FUZZ_RECOVER));
    return 0;
}
