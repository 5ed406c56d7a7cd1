/* A message of a specimen's type: its number, the mode, the bytes. */
#include "fuzz.h"

static trial_place *places; /* of all specimens, made at their first use */

static trial_place *place_of(uint8_t number)
{
    size_t at = number % specimen_count;
    if (!places)
        places = calloc(specimen_count, sizeof *places);
    if (!places)
        abort();
    if (!places[at].s)
        trial_place_init(&places[at], &specimens[at]);
    return &places[at];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < FUZZ_MESSAGE_HEAD)
        return 0;
    trial_mode mode = {.bare = bytes[1] & FUZZ_BARE,
                       .interpret = bytes[1] & FUZZ_INTERPRET,
                       .into = bytes[1] & FUZZ_INTO};
    lade_status status;
    fuzz_check(trial_message(place_of(bytes[0]), mode, bytes + FUZZ_MESSAGE_HEAD,
                             size - FUZZ_MESSAGE_HEAD, &status));
    return 0;
}
