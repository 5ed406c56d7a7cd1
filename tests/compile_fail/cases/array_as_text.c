// first error: animal.*code|code.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    char code[4];
} animal;

LADE_STRUCT(animal,
    (text, name),
    (text, code))
