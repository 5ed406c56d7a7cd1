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
    bool kinds; /**< about kinds of fields: its container is like those of others */
    const lade_externals *externals; /**< of the contexts that write and read it, or NULL */
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
lade_status golden_write_known(lade_file *f);
lade_status golden_write_pointers(lade_file *f);
lade_status golden_write_grids(lade_file *f);
lade_status golden_write_variants(lade_file *f);
lade_status golden_write_sequences(lade_file *f);
lade_status golden_write_customs(lade_file *f);
lade_status golden_write_reals128(lade_file *f);
lade_status golden_write_versions(lade_file *f);
lade_status golden_write_externals(lade_file *f);
lade_status golden_write_roots(lade_file *f);
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
void golden_check_known(lade_file *f);
void golden_check_pointers(lade_file *f);
void golden_check_grids(lade_file *f);
void golden_check_variants(lade_file *f);
void golden_check_sequences(lade_file *f);
void golden_check_customs(lade_file *f);
void golden_check_reals128(lade_file *f);
void golden_check_versions(lade_file *f);
void golden_check_externals(lade_file *f);
void golden_check_roots(lade_file *f);
extern const lade_externals golden_externals;

/** An entry of a golden file that is compared as a whole. */
typedef struct golden_entry {
    const char *name;
    const lade_type *type;
    const void *value;
} golden_entry;

/** Saves all entries, up to one without a name. */
lade_status golden_put(lade_file *f, const golden_entry *entries);
/** Loads them into new memory and compares their messages with those of the values. */
void golden_compare(lade_file *f, const golden_entry *entries);

#endif
