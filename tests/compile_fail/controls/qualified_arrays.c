/* Members that are arrays of qualified elements. */
#include <lade/lade.h>

typedef struct {
    const int a[2];
    volatile double b[2][3];
    const char c[4];
    const uint8_t d;
} qualified;
LADE_STRUCT(qualified, (value, a), (value, b), (fixed_text, c), (value, d))
