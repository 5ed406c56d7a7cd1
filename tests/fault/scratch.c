#include "scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/support.h"

static int count_names(const char *directory)
{
    DIR *d = opendir(directory);
    int n = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

int scratch_descriptors(void)
{
    return count_names("/proc/self/fd") - 1; /* without that of the count */
}

int scratch_count(const scratch *s)
{
    return count_names(s->directory);
}

int scratch_setup(void **state)
{
    const char *base = getenv("TMPDIR");
    scratch *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    snprintf(s->directory, sizeof s->directory, "%s/lade-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(s->directory))
        return -1;
    snprintf(s->path, sizeof s->path, "%s/file.lade", s->directory);
    s->descriptors = scratch_descriptors();
    *state = s;
    return 0;
}

void scratch_clear(const scratch *s)
{
    DIR *d = opendir(s->directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[SCRATCH_PATH + 256];
        snprintf(path, sizeof path, "%s/%s", s->directory, e->d_name);
        if (unlink(path) != 0)
            rmdir(path);
    }
    closedir(d);
}

int scratch_teardown(void **state)
{
    scratch *s = *state;
    int left = scratch_descriptors() - s->descriptors;
    scratch_clear(s);
    rmdir(s->directory);
    free(s);
    if (left)
        print_error("%d descriptors were leaked\n", left);
    return left ? -1 : 0;
}

scratch_bytes scratch_read(const char *path)
{
    scratch_bytes b = {0};
    struct stat info;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &info), 0);
    b.size = (size_t)info.st_size;
    b.data = malloc(b.size + 1);
    assert_non_null(b.data);
    assert_int_equal(fread(b.data, 1, b.size, f), b.size);
    fclose(f);
    return b;
}

void scratch_write(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}
