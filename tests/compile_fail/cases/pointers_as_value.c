// first error: animal.*many|many.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    int *many[3];
} animal;

LADE_STRUCT(animal,
    (text, name),
    (value, many))
