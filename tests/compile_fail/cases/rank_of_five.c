// first error: animal.*deep|deep.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    int deep[2][2][2][2][2];
} animal;

LADE_STRUCT(animal,
    (text, name),
    (value, deep))
