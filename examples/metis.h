/**
 * \file
 * A reader for graphs in METIS format.
 *
 * It is strict: everything that the METIS manual does not allow is an error that names the file and
 * the line, self loops and edges that do not stand equally at both ends among them. Lines may end
 * in CR LF, and blank lines may follow the last vertex.
 */
#ifndef EXAMPLES_METIS_H
#define EXAMPLES_METIS_H

#include "graph.h"
#include "text.h"

/**
 * Reads a graph. Where the file has no vertex sizes or edge weights, they are 1; where it has no
 * vertex weights, there are none.
 * \param arena borrowed; it owns the graph, and after a failure what was made until then.
 * \param out set on success only. \param error filled on failure; borrows path.
 */
bool metis_read(const char *path, lade_arena *arena, graph **out, text_error *error);

#endif
