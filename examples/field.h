/**
 * \file
 * A magnetic field on a grid, from text files with one value a line, r slowest.
 */
#ifndef EXAMPLES_FIELD_H
#define EXAMPLES_FIELD_H

#include <lade/lade.h>

#include "text.h"

enum { FIELD_R = 47, FIELD_Z = 47 };

/**
 * Reads FIELD_R x FIELD_Z values; blank lines may follow the last.
 * \param arena borrowed; owns the array. \param out set on success only.
 * \param error filled on failure; borrows path.
 */
bool field_read(const char *path, lade_arena *arena, double **out, text_error *error);

#endif
