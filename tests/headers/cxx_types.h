/**
 * \file
 * Types described in a C file and used from C++.
 */
#ifndef TEST_CXX_TYPES_H
#define TEST_CXX_TYPES_H

#include <lade/lade.h>

typedef struct ring ring;
struct ring {
    int32_t id;
    ring *next;
    char *name;
    double *data;
    uint32_t ndata;
};
LADE_DECLARE(ring)

#endif
