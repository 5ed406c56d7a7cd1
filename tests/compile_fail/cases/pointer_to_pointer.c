// first error: animal.*rows|rows.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    double **rows;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (vector, rows, nlegs))
