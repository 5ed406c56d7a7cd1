// first error: int32_t_
// lines with gcc: 25
#include <lade/lade.h>

typedef struct {
    int32_t kind;
} animal;
typedef struct {
    int32_t kind;
} other;
LADE_STRUCT(animal, (value, kind))
LADE_STRUCT(other, (value, kind))

int run(const animal *a, other *o, void *any, lade_buffer *b, lade_arena **owner);
int run(const animal *a, other *o, void *any, lade_buffer *b, lade_arena **owner)
{
    (void)a, (void)o, (void)any, (void)b, (void)owner;
    return lade_encode(int32_t_, (int32_t *)any, b, NULL);
}
