/* An envelope of an MPI message: what is read from it is what it would be written as. */
#include "fuzz.h"

#include "mpi_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_envelope envelope;
    uint8_t *copy = malloc(size + (size == 0));
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    if (lade_envelope_get(&envelope, copy, size, &ctx) == LADE_OK) {
        uint8_t again[ENVELOPE_HEAD];
        lade_envelope reread;
        lade_target target = {.type = &lade_scalar_f64, .rank = envelope.array};
        lade_envelope_put(&envelope, again);
        if (lade_envelope_get(&reread, again, sizeof again, &ctx) != LADE_OK ||
            reread.skeleton_size != envelope.skeleton_size ||
            reread.content_size != envelope.content_size || reread.chunk != envelope.chunk ||
            reread.sequence != envelope.sequence || reread.status != envelope.status)
            fuzz_check("an envelope is read otherwise than it is written");
        (void)lade_skeleton_inline(&envelope, size - ENVELOPE_HEAD);
        if (lade_envelope_check(&envelope, &target, &ctx) != LADE_OK && error.message[0] == 0)
            fuzz_check("the error report says nothing");
    }
    free(copy);
    lade_context_fini(&ctx);
    return 0;
}
