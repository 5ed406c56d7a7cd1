/**
 * \file
 * The first line of a graph file in METIS format: vertices edges [format [vertex weights]].
 */
#ifndef EXAMPLES_METIS_HEADER_H
#define EXAMPLES_METIS_HEADER_H

#include "text.h"

typedef struct {
    uint32_t nvertices;
    uint64_t nedges;
    bool has_sizes;        /**< format 1xx */
    uint32_t nweights;     /**< of a vertex: 0, or for format x1x the fourth number (default 1) */
    bool has_edge_weights; /**< format xx1 */
    uint64_t line;
} metis_header;

/** Goes to the next line that is no comment; false if there is none. */
bool metis_next_row(text *t);

/** Reads the header. True only if the rest of the file is large enough for what it announces, so
 * that memory for it may be allocated. */
bool metis_header_read(text *t, metis_header *out);

#endif
