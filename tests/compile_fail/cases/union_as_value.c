// first error: animal.*u|u.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    union {
        int a;
    } u;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (value, u))
