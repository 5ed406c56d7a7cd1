// first error: animal.*next|next.*animal
#include <lade/lade.h>

typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    int *_Atomic next;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (optional, next))
