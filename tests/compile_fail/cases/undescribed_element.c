// first error: animal.*at|at.*animal
#include <lade/lade.h>

typedef struct {
    int a;
} place;
typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    place *at;
    int n;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (vector, at, n, place))
