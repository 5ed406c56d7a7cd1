// first error: thing.*numbers.*words
#include <lade/lade.h>

typedef struct thing thing;
struct thing {
    int32_t id;
    uint32_t n, m;
    float real;
    double *numbers;
    double **rows;
    thing *next, *other;
    uint32_t *words;
    char *name;
    int kind;
    union {
        int i;
        float f;
    } plain;
};

LADE_STRUCT(thing,
    (bits, numbers, n))
