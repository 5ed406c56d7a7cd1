/**
 * \file
 * One load of hostile bytes, held to everything that the library promises of them: it ends with a status; a
 * failure leaves the caller's variables as they were; nothing is leaked; memory stays within a small
 * multiple of the input; what loads can be saved.
 *
 * Without cmocka, so that fuzz targets use it too.
 */
#ifndef TEST_TRIAL_H
#define TEST_TRIAL_H

#include "../unit/support.h"
#include "specimens.h"

typedef struct trial_mode {
    bool bare, interpret;
    bool into; /**< into existing memory that holds the honest value */
} trial_mode;

/** A specimen in memory, to load into again and again. */
typedef struct trial_place {
    const specimen *s;
    area memory, before; /**< as it is, and as it was */
    void *value;
    lade_buffer honest; /**< its bare message */
} trial_place;

void trial_place_init(trial_place *place, const specimen *s);
void trial_place_fini(trial_place *place);

/** \returns NULL, or what promise was broken. \param status set to that of the load. */
const char *trial_message(trial_place *place, trial_mode mode, const uint8_t *bytes, size_t size,
                          lade_status *status);

/** Opens a file at path (at its last whole commit if recover), of `size` bytes, and gets every entry:
 * as the specimen of its name, into new memory and into existing one, and as another type. */
const char *trial_file(const char *path, size_t size, bool interpret, bool recover);

/** Memory that a load of a message, and of a file, may take whatever the input. */
enum { TRIAL_MESSAGE_MEMORY = 1 << 20, TRIAL_FILE_MEMORY = 3 << 20 };

#endif
