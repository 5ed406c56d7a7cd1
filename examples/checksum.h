/**
 * \file
 * Checksums of values, to compare what different processes hold.
 */
#ifndef EXAMPLES_CHECKSUM_H
#define EXAMPLES_CHECKSUM_H

#include "graph.h"
#include "hextille.h"

/**
 * 64-bit FNV-1a of structure and values: equal on every machine and at every address, as a pointer
 * counts as the index of its target. Each returns NULL and sets *sum; or what is wrong: a pointer
 * that does not lead to an element of the value's own pool.
 */
const char *graph_checksum(const graph *g, uint64_t *sum);
const char *hexmap_checksum(const hexmap *map, uint64_t *sum);
uint64_t array_checksum(const double *values, size_t count);

#endif
