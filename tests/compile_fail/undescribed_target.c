/* A ref whose target nobody describes: the linker says so by name. */
#include <lade/lade.h>

typedef struct nobody nobody;
typedef struct {
    nobody *who;
} animal;
LADE_STRUCT(animal, (ref, who, nobody))

int main(void)
{
    animal a = {0};
    lade_buffer b = {0};
    return lade_encode(animal, &a, &b, NULL);
}
