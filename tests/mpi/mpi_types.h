/**
 * \file
 * Types for the MPI tests: a cargo of any size in its skeleton and its content, many of them, and
 * records with padding; described in mpi_types.c. Graphs and cities come from the unit tests.
 */
#ifndef MPI_TYPES_H
#define MPI_TYPES_H

#include <lade/mpi.h>

#include "unit/city_types.h"
#include "unit/graph_types.h"

typedef struct {
    char *text, *label;
    size_t n;
    uint8_t *bytes;
} cargo;

typedef struct {
    cargo *items;
    size_t n;
} fleet;

typedef struct {
    char tag; /* and 7 bytes of padding */
    double mass;
    int16_t charge;
    bool fixed; /* and 5 bytes of padding */
} grain;

typedef struct {
    char *name;
    uint32_t n;
    grain *grains;
    grain first;
} swarm;

LADE_DECLARE(cargo)
LADE_DECLARE(fleet)
LADE_DECLARE(grain)
LADE_DECLARE(swarm)

/** A cargo whose message has exactly these sizes in bytes; content at least 4096, or 0. The seed
 * tells it from others. Free it with cargo_free. */
cargo cargo_make(size_t skeleton, size_t content, unsigned seed);
void cargo_free(cargo *c);
/** Asserts that a cargo is the one which cargo_make makes from the same numbers. */
void cargo_check(const cargo *c, size_t skeleton, size_t content, unsigned seed);

/** A fleet of n cargoes that carry `bytes` bytes each; free it with fleet_free. */
fleet fleet_make(size_t n, size_t bytes, unsigned seed);
void fleet_free(fleet *f);

/** Grains whose padding is full of rubbish. */
void grains_fill(grain *grains, size_t n, int rubbish);

#endif
