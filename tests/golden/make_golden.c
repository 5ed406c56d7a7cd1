/* make_golden DIR [--large]: writes the golden files into a directory; with --large one file more,
 * whose arrays have several content blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

static lade_status write_large(const char *path)
{
    enum { N = 330000 }; /* doubles: 2.5 content blocks */
    double *reals = malloc(N * sizeof *reals);
    if (!reals)
        return LADE_ERR_MEMORY;
    for (int i = 0; i < N; i++)
        reals[i] = i;
    lade_file *f;
    lade_status status = lade_file_create(path, &f, NULL);
    if (status == LADE_OK) {
        status = lade_file_put_array(f, "reals", reals, 2, ((size_t[]){2, N / 2}));
        status = status ? status : lade_file_commit(f);
        lade_status closed = lade_file_close(f);
        status = status ? status : closed;
    }
    free(reals);
    return status;
}

int main(int argc, char **argv)
{
    char path[4096];
    lade_status status = LADE_OK;
    if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "--large") != 0)) {
        fprintf(stderr, "usage: make_golden DIR [--large]\n");
        return 2;
    }
    for (size_t i = 0; i < golden_count && status == LADE_OK; i++) {
        snprintf(path, sizeof path, "%s/%s.lade", argv[1], golden_files[i].name);
        status = golden_write(&golden_files[i], path);
    }
    if (argc == 3 && status == LADE_OK) {
        snprintf(path, sizeof path, "%s/large.lade", argv[1]);
        status = write_large(path);
    }
    if (status != LADE_OK)
        fprintf(stderr, "%s: %s\n", path, lade_status_string(status));
    return status == LADE_OK ? 0 : 1;
}
