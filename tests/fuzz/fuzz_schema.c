/* A schema that a file might hold, compared with that of a specimen for an error message: the specimen's
 * number, the bytes. */
#include "fuzz.h"

#include "schema.h"

static void compare(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    static const size_t sizes[] = {1, 20, 200};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        char *text = malloc(sizes[i]); /* ends where it does */
        if (!text)
            abort();
        memset(text, 'x', sizes[i]);
        lade_schema_difference(a, a_size, b, b_size, text, sizes[i]);
        fuzz_check(memchr(text, 0, sizes[i]) ? NULL : "a difference of schemas does not end");
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < FUZZ_SCHEMA_HEAD)
        return 0;
    lade_buffer schema = specimen_schema(&specimens[bytes[0] % specimen_count]);
    size -= FUZZ_SCHEMA_HEAD;
    uint8_t *copy = malloc(size + (size == 0));
    if (!copy)
        abort();
    memcpy(copy, bytes + FUZZ_SCHEMA_HEAD, size);
    compare(copy, size, schema.data, schema.size);
    compare(schema.data, schema.size, copy, size);
    lade_buffer_fini(&schema);
    free(copy);
    return 0;
}
