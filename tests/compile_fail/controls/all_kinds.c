#include <complex.h>

#include <lade/lade.h>

typedef enum { CAT, DOG } species;
LADE_ENUM(species, CAT, DOG)
typedef struct {
    double x;
    const int y;
} place;
LADE_STRUCT(place, (value, x), (value, y))

typedef struct animal animal;
struct animal {
    bool a;
    char b;
    volatile int c;
    double d[2][2][2][2];
    float complex e;
    species f;
    uint8_t g[3];
    char *h;
    const char *i;
    const char *const j;
    char k[4];
    place l, m[2], n[2][3];
    double *o;
    const double *p;
    size_t count;
    place *q;
    const place *r;
    int *s;
    animal *t;
    const animal *u;
    volatile short w;
    animal *kids;
    uint16_t nkids;
    long *numbers;
    bool *flags;
};
LADE_STRUCT(animal, (value, a), (value, b), (value, c), (value, d), (value, e),
            (enumeration, f, species), (enumeration, g, species), (text, h), (text, i), (text, j),
            (fixed_text, k), (record, l, place), (record, m, place), (record, n, place),
            (vector, o, count), (vector, p, count, double), (vector, q, count, place),
            (optional, r, place), (optional, s), (ref, t, animal), (ref, u, animal), (value, w),
            (vector, kids, nkids, animal), (pool, numbers, count), (pool, flags, count, bool))

int save(const animal *a, lade_buffer *b);
int save(const animal *a, lade_buffer *b)
{
    return lade_encode(animal, a, b, NULL);
}
