// first error: animal.*row|row.*animal
#include <lade/lade.h>

typedef struct {
    int a;
} animal_;
LADE_STRUCT(animal_, (value, a))
typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
    animal_ row[4];
} animal;

LADE_STRUCT(animal,
    (text, name),
    (ref, row, animal_))
