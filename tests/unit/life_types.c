#include "life_types.h"

/* clang-format off */
LADE_STRUCT(shared, (value, id), (text, name), (ref, next, shared))
/* clang-format on */
