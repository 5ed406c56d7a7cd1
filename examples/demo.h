/**
 * \file
 * What the two demos share: their command line, their inputs, and a clock.
 */
#ifndef EXAMPLES_DEMO_H
#define EXAMPLES_DEMO_H

#include "field.h"
#include "graph.h"
#include "hextille.h"

enum { DEMO_SEED = 42, DEMO_RADIUS = 250 };

typedef struct {
    const char *program;
    const char *graph_path;
    uint32_t radius;
    const char *dir; /**< NULL: not given */
    bool takes_dir;
    bool help;
    const char *wrong; /**< the argument that is not understood, or NULL */
} demo_options;

/** Reads the command line into *o, whose `program` and `takes_dir` are set. True if the demo is to
 * run; else demo_usage is to be called, on one rank to print, and its result is the exit status. */
bool demo_options_parse(demo_options *o, int argc, char **argv);
int demo_usage(const demo_options *o, bool print);

/** All of it belongs to one arena. */
typedef struct {
    graph *graph;
    double *br, *bz; /**< FIELD_R x FIELD_Z */
    hexmap *map;
    lade_arena *arena;
} demo_inputs;

/** Reads or makes the inputs. False after a message on stderr; call demo_inputs_fini after both. */
bool demo_inputs_read(demo_inputs *in, const demo_options *o);
void demo_inputs_fini(demo_inputs *in);

/** Milliseconds since some fixed time. */
double demo_clock(void);

#endif
