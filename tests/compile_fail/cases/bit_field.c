// first error: flags
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    unsigned flags : 3;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (value, flags))
