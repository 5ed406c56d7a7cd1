/* A schema that a file might hold, as the types of a value that is loaded as a specimen's: the specimen's number,
 * the bytes. */
#include "fuzz.h"

#include <lade/schema.h>

#include "convert.h"

/* What is accepted is written again as it was. */
static void write_again(const lade_schema *schema, const uint8_t *bytes, size_t size)
{
    lade_buffer again = {0};
    lade_status status = lade_schema_bytes(lade_schema_root(schema), lade_schema_is_array(schema),
                                           &again, NULL, NULL);
    fuzz_check(status == LADE_OK && again.size == size && memcmp(again.data, bytes, size) == 0
                   ? NULL
                   : "a schema is accepted that is not written again as it was");
    lade_buffer_fini(&again);
}

/* The plan of a conversion is made, or refused; takes the schema. */
static void compile(lade_schema *from, const lade_type *type, bool array)
{
    lade_job job;
    lade_conversion *c = malloc(sizeof *c);
    if (!c || lade_job_begin(&job, NULL) != LADE_OK)
        abort();
    *c = (lade_conversion){.type = type, .array = array, .newer = true, .from = from};
    lade_status status = lade_schema_make(&job, NULL, &c->to);
    if (status == LADE_OK)
        status = lade_convert_adapt(&job, c);
    if (status == LADE_OK)
        status = lade_runtime_twin(&job, c->to, c->own.types[0], c->array);
    fuzz_check(status == LADE_OK ? NULL : "a specimen has no run-time type");
    status = lade_convert_compile(&job, c);
    fuzz_check(status == LADE_OK || status == LADE_ERR_TYPE || status == LADE_ERR_DESCRIPTION
                   ? NULL
                   : "a plan of a conversion fails for another reason than the types");
    lade_conversion_free(&job, c);
    lade_job_end(&job, LADE_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    lade_schema *schema = NULL;
    if (size < FUZZ_SCHEMA_HEAD)
        return 0;
    const specimen *s = &specimens[bytes[0] % specimen_count];
    size -= FUZZ_SCHEMA_HEAD;
    uint8_t *copy = malloc(size + (size == 0)); /* ends where it does */
    if (!copy)
        abort();
    memcpy(copy, bytes + FUZZ_SCHEMA_HEAD, size);
    if (lade_schema_parse(copy, size, NULL, 0, &schema, NULL) == LADE_OK) {
        write_again(schema, copy, size);
        compile(schema, s->type, s->rank > 0);
    }
    free(copy);
    return 0;
}
