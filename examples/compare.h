/**
 * \file
 * Deep comparisons: structure, values, and where every pointer leads.
 */
#ifndef EXAMPLES_COMPARE_H
#define EXAMPLES_COMPARE_H

#include "graph.h"
#include "hextille.h"

/** Each returns NULL if the two are equal and all pointers lead into their own pools, or what is
 * different. */
const char *graph_difference(const graph *a, const graph *b);
const char *hexmap_difference(const hexmap *a, const hexmap *b);

#endif
