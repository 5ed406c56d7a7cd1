// first error: animal.*row|row.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    double row[4];
} animal;

LADE_STRUCT(animal,
    (text, name),
    (vector, row, nlegs))
