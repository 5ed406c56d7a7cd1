// first error: thing.*the hook 'hook'|thing.*the hook
// lines with gcc: 20
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
static lade_status hook(int *value, void *user)
{
    (void)user;
    return *value ? LADE_OK : LADE_ERR_VALUE;
}

LADE_STRUCT(thing,
    (before_save, hook),
    (value, id))
