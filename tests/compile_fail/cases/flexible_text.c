// first error: animal.*rest|rest.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    char rest[];
} animal;

LADE_STRUCT(animal,
    (text, name),
    (fixed_text, rest))
