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
} animal;

LADE_STRUCT(animal,
    (text, name),
    (optional, at, place))
