// first error: animal.*call|call.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    void (*call)(void);
} animal;

LADE_STRUCT(animal,
    (text, name),
    (value, call))
