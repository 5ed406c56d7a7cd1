#include "cxx_types.h"

/* clang-format off */
LADE_STRUCT(ring, (value, id), (ref, next, ring), (text, name), (vector, data, ndata))
/* clang-format on */
