/**
 * \file
 * The golden files of format version 1: how each is written, and what each must hold. Their bytes
 * never change; a new version of the format gets new files beside these.
 */
#ifndef TEST_GOLDEN_H
#define TEST_GOLDEN_H

#include <lade/lade.h>

typedef struct golden {
    const char *name; /**< of the file, without ".lade" */
    bool no_crc;
    lade_status (*write)(lade_file *f);
    lade_status (*append[2])(lade_file *f); /**< further commits, or NULL */
    void (*check)(lade_file *f);            /**< fails the cmocka test that runs */
} golden;

extern const golden golden_files[];
extern const size_t golden_count;

/** Writes one file at a path. */
lade_status golden_write(const golden *g, const char *path);

/* Parts of golden_files. */
lade_status golden_write_values(lade_file *f);
lade_status golden_write_texts(lade_file *f);
lade_status golden_write_vectors(lade_file *f);
lade_status golden_write_deferred(lade_file *f);
lade_status golden_write_table(lade_file *f);
lade_status golden_write_pools(lade_file *f);
lade_status golden_write_arrays(lade_file *f);
lade_status golden_write_records(lade_file *f);
lade_status golden_write_frames(lade_file *f);
lade_status golden_write_neighbours(lade_file *f);
void golden_check_values(lade_file *f);
void golden_check_texts(lade_file *f);
void golden_check_vectors(lade_file *f);
void golden_check_deferred(lade_file *f);
void golden_check_table(lade_file *f);
void golden_check_pools(lade_file *f);
void golden_check_arrays(lade_file *f);
void golden_check_records(lade_file *f);
void golden_check_frames(lade_file *f);
void golden_check_neighbours(lade_file *f);

#endif
