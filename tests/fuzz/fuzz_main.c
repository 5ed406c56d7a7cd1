/* Runs a fuzz target over the files of folders: fuzz_... FOLDER... */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>

static void run_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f) {
        print_error("%s cannot be read\n", path);
        exit(1);
    }
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    uint8_t *bytes = malloc((size_t)size + 1);
    if (!bytes || fread(bytes, 1, (size_t)size, f) != (size_t)size)
        abort();
    fclose(f);
    print_message("%s\n", path);
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
}

int main(int argc, char **argv)
{
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            print_error("%s cannot be opened\n", argv[i]);
            return 1;
        }
        for (const struct dirent *e; (e = readdir(folder)) != NULL;)
            if (e->d_name[0] != '.') {
                run_file(argv[i], e->d_name);
                count++;
            }
        closedir(folder);
    }
    if (count == 0)
        print_error("usage: %s FOLDER...: folders that hold inputs\n", argv[0]);
    return count == 0;
}
