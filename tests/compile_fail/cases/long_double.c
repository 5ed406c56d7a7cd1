// first error: animal.*big|big.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    long double big;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (value, big))
