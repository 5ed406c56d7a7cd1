// first error: animal.*hits|hits.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    _Atomic int hits;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (value, hits))
