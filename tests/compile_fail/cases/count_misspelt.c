// first error: animal.*(legs|nleg)|(legs|nleg).*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (vector, legs, nleg))
