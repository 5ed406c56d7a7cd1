/**
 * \file
 * A value with every kind of field, for tests of faults; described in city_types.c.
 */
#ifndef TEST_CITY_TYPES_H
#define TEST_CITY_TYPES_H

#include <lade/lade.h>

typedef enum { LAND, SEA, AIR } region;

typedef struct hex hex;
typedef struct {
    hex *to;
    double cost;
    bool open;
} path;

struct hex {
    int32_t q, r;
    region ground;
    uint32_t npaths;
    path *paths;
    char *label;
};

typedef struct district district;
struct district {
    char code[6];
    district *parts;
    uint16_t nparts;
    district *up;
    double *level;
};

typedef struct {
    int16_t version;
    char *title;
    hex *cells;
    uint32_t ncells;
    double *heights;
    size_t nheights;
    district centre;
    bool *flags;
    uint8_t nflags;
    float table[3][40];
    hex *capital;
    uint8_t *image;
    uint64_t nimage;
} city;

LADE_DECLARE(hex)
LADE_DECLARE(path)
LADE_DECLARE(city)
LADE_DECLARE(district)

/** A city in static memory, with all its parts; the same at every call. */
city *city_small(void);
/** Asserts that a city is city_small(). */
void city_check(const city *c);

#endif
