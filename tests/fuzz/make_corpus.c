/* Writes the honest part of the corpus, "seed-...": make_corpus FOLDER, which holds one folder for each
 * target. What fuzzing finds ("crash-...") is added by hand. */
#include "fuzz.h"

#include "../unit/kind_types.h"

#include <stdio.h>
#include <unistd.h>

static const char *corpus;

static void put(const char *target, const char *name, const uint8_t *head, size_t head_size,
                const uint8_t *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/seed-%s", corpus, target, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(head, 1, head_size, f) != head_size || fwrite(bytes, 1, size, f) != size ||
        fclose(f) != 0) {
        print_error("%s cannot be written\n", path);
        exit(1);
    }
}

static void put_message(uint8_t number, uint8_t mode, const char *suffix)
{
    const uint8_t head[FUZZ_MESSAGE_HEAD] = {number, mode};
    char name[64];
    lade_buffer message = specimen_message(&specimens[number], mode & FUZZ_BARE);
    snprintf(name, sizeof name, "%s%s", specimens[number].name, suffix);
    put("message", name, head, sizeof head, message.data, message.size);
    lade_buffer_fini(&message);
}

static void put_schema(uint8_t number)
{
    lade_buffer schema = specimen_schema(&specimens[number]);
    put("schema", specimens[number].name, &number, 1, schema.data, schema.size);
    lade_buffer_fini(&schema);
}

/* Two commits, of which the second supersedes entries of the first. */
static void put_file(size_t first, size_t count, const char *name)
{
    char path[4096];
    uint8_t bytes[32 << 10];
    const uint8_t mode = FUZZ_SEALED;
    lade_file *f = NULL;
    lade_context ctx = {.no_sync = true, .externals = &kind_externals};
    snprintf(path, sizeof path, "%s/file.tmp", corpus);
    lade_status status = lade_file_create(path, &f, &ctx);
    for (size_t i = 0; i < 2 * count && status == LADE_OK; i++) {
        status = specimen_put(&specimens[first + i % count], f);
        if (status == LADE_OK && i % count == count - 1)
            status = lade_file_commit(f);
    }
    (void)lade_file_close(f);
    lade_context_fini(&ctx);
    FILE *file = status == LADE_OK ? fopen(path, "rb") : NULL;
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file || size == sizeof bytes)
        abort();
    fclose(file);
    unlink(path);
    put("file", name, &mode, sizeof mode, bytes, size);
}

static bool small(const specimen *s)
{
    lade_buffer message = specimen_message(s, true);
    bool is = message.size < LADE_CONTENT_MIN;
    lade_buffer_fini(&message);
    return is;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        print_error("usage: %s FOLDER\n", argv[0]);
        return 1;
    }
    corpus = argv[1];
    for (size_t i = 0; i < specimen_count; i++) {
        put_message((uint8_t)i, FUZZ_BARE, "");
        put_schema((uint8_t)i);
        if (!small(&specimens[i]))
            continue;
        put_message((uint8_t)i, FUZZ_BARE | FUZZ_INTERPRET | FUZZ_INTO, "-into");
        put_message((uint8_t)i, 0, "-header");
        put_file(i, 1, specimens[i].name);
    }
    put_file(2, 6, "several");
    return 0;
}
