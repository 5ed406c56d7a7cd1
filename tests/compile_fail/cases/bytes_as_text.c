// first error: animal.*bytes|bytes.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    unsigned char *bytes;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (text, bytes))
