/**
 * \file
 * Small honest values, one for every kind of field and every shape. Hostile bytes are made from their
 * archives by the tests and by the fuzz targets: a new kind of field needs one more line in the table
 * of specimens.c.
 */
#ifndef TEST_SPECIMENS_H
#define TEST_SPECIMENS_H

#include <lade/lade.h>

/** Memory in which a specimen and all that it points to stand. */
typedef struct area {
    unsigned char *bytes; /**< zero at first */
    size_t used;
} area;

enum { AREA_SIZE = 16 << 10 };

/** Members are those of a call that saves it. */
typedef struct specimen {
    const char *name;
    const lade_type *type;
    void *(*make)(
        area *a);  /**< returns the value, which stands in the area with all its parts; two pointers
                             lead to one place only where the kind shares (ref) */
    unsigned rank; /**< 0: one value; else a bare array */
    size_t extents[LADE_MAX_RANK];
    bool loose; /**< its hooks write members that are not stored */
} specimen;

/** The table. New ones go to its end: the corpus of the fuzz targets names specimens by number. */
extern const specimen specimens[];
extern const size_t specimen_count;

/** \returns the specimen of that name, or NULL. */
const specimen *specimen_find(const char *name);

/** An area that the caller frees with area_fini; aborts if out of memory. */
area area_make(void);
void area_fini(area *a);
/** Zeroed memory in an area, at a multiple of 64; aborts if it is full. */
void *area_get(area *a, size_t size);
/** A copy in the area. */
void *area_copy(area *a, const void *from, size_t size);

/** The message of a specimen, in memory that the caller frees with lade_buffer_fini; aborts on failure. */
lade_buffer specimen_message(const specimen *s, bool bare);
/** The schema of a specimen, as specimen_message. */
lade_buffer specimen_schema(const specimen *s);
/** Puts a specimen into a file as an entry of its name. */
lade_status specimen_put(const specimen *s, lade_file *f);

/** Most bytes of memory that an honest message of so many bytes could take. */
size_t specimen_most_memory(const specimen *s, size_t bytes);

#endif
