/**
 * \file
 * Types with every kind of field that stands beyond plain values, texts, vectors and refs; shared by the tests
 * of kinds, of broken bytes and of copies.
 */
#ifndef TEST_KIND_TYPES_H
#define TEST_KIND_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lade/lade.h>

/* known types */
typedef struct {
    int32_t species; /* tells animal from dog and pack */
    int32_t age;
    char *name;
} animal;
typedef struct {
    animal base;
    double weight;
} dog;
typedef struct kennel kennel;
typedef struct {
    animal base;
    size_t nmembers;
    kennel *members; /* each holds an animal again */
} pack;
struct kennel {
    void *pet;
    uint8_t kind; /* of the pet: 0 animal, 1 dog, 2 pack */
    animal *visitor;
    animal *friends[2]; /* shared */
};
unsigned animal_class(const animal *a);
LADE_DECLARE(animal)
LADE_DECLARE(dog)
LADE_DECLARE(pack)
LADE_DECLARE(kennel)

/* fixed arrays of pointers, vectors of pointers, containers */
typedef struct octant octant;
struct octant {
    octant *child[2][2][2];
    octant *neighbour[6];
    char *label[2];
    double *field[3]; /* n elements each */
    uint16_t n;
    char tags[2][4];
};
LADE_DECLARE(octant)
typedef struct {
    int32_t *data;
    size_t size, capacity;
} ints;
typedef struct {
    ints *data;
    uint32_t size, capacity;
} table;
typedef struct {
    size_t nrefs, nnames;
    octant **refs;
    const char **names;
    table rows;
    double *from_one; /* elements 1 to n */
    uint32_t nfrom_one;
} sack;
LADE_DECLARE(sack)

/* grids */
typedef struct {
    uint32_t nx, ny, nz;
    int32_t halo;
    double *whole;  /* nx x ny, C order */
    float *fortran; /* nx x ny x nz */
    double *inner;  /* nx x ny with the halo around, interior stored */
    int16_t *all;   /* the same, all stored */
    animal *zoo;    /* nx */
    double **rows;  /* nx rows of nz */
    int64_t steps[2];
    uint8_t *view; /* ny x nz with strides */
} fields;
LADE_DECLARE(fields)

/* variants */
typedef union {
    double radius;
    int32_t side[2];
    char *label;
    animal pet;
} shape_union;
typedef enum { SHAPE_NONE, SHAPE_CIRCLE = 3, SHAPE_BOX, SHAPE_TEXT = -7, SHAPE_PET } shape_kind;
typedef struct {
    shape_kind kind;
    shape_union is;
    int32_t after;
} shape;
LADE_DECLARE(shape)

/* sequences */
typedef struct event event;
struct event {
    event *next;
    double time;
    char *what;
};
typedef struct stop stop;
struct stop {
    int32_t id;
    stop *prev, *next;
};
typedef struct {
    char *key;
    int32_t value;
} pair;
typedef struct {
    pair *entries;
    size_t count;
} dictionary; /* sorted by key */
typedef struct {
    event *events;
    stop *first, *last;
    dictionary words;
    uint32_t *mask;
    size_t nbits;
    void *material;
    void (*callback)(void);
} agenda;
LADE_DECLARE(agenda)
extern const lade_map dictionary_adaptor;
extern const lade_externals kind_externals;
extern int kind_material;
void kind_callback(void);

/* what is not stored, versions, hooks, custom */
typedef struct {
    uint8_t r, g, b;
} colour; /* as "#rrggbb" */
typedef struct {
    int32_t kept;
    int32_t cache;  /* not stored: -1 after a load */
    double removed; /* until version 2 */
    long double exact[2];
    colour paint[3];
    uint64_t sum;   /* made by after_load */
    uint64_t saves; /* counted by before_save */
} record_v3;
LADE_DECLARE(colour)
LADE_DECLARE(record_v3)
typedef struct {
    void *only;
} skipped;
LADE_DECLARE(skipped)
typedef struct {
    size_t ncells;
    record_v3 *records;
    skipped nothing;
    agenda agenda;
    shape shapes[2];
} everything;
LADE_DECLARE(everything)

/** A value of each; memory of the arena. `size` scales counts. */
kennel *kind_kennel(lade_arena *arena, size_t size);
octant *kind_octant(lade_arena *arena, size_t size);
sack *kind_sack(lade_arena *arena, size_t size);
fields *kind_fields(lade_arena *arena, size_t size);
everything *kind_everything(lade_arena *arena, size_t size);

#endif
