/**
 * \file
 * Types in two versions: point_1 and point_2 are both 'point' to files. evolution_type takes the number off the
 * names of a type and of all that it reaches.
 */
#ifndef TEST_EVOLUTION_TYPES_H
#define TEST_EVOLUTION_TYPES_H

#include <lade/lade.h>

/** \returns a copy of a type and of all that it reaches, in the arena, without the "_1" or "_2" of their names
 * and of those of enumerators. */
const lade_type *evolution_type(lade_arena *arena, const lade_type *type);

#endif
