// first error: animal.*weight|weight.*animal
#include <lade/lade.h>

typedef enum { CAT, DOG } species;
LADE_ENUM(species, CAT, DOG)
typedef struct {
    char *name;
    int32_t kind;
    double *legs;
    uint32_t nlegs;
    float weight;
} animal;

LADE_STRUCT(animal,
    (text, name),
    (enumeration, weight, species))
