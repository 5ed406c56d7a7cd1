#include "internal.h"

#define SCALAR(n, code, ctype)                                   \
    static lade_fingerprint_cell cell_##n;                       \
    const lade_type lade_scalar_##n = {.name = #n,               \
                                       .size = sizeof(ctype),    \
                                       .align = _Alignof(ctype), \
                                       .scalar = code,           \
                                       .cell = &cell_##n};
LADE_SCALAR_LIST(SCALAR)
#undef SCALAR

size_t lade_scalar_size(lade_scalar scalar)
{
    switch (scalar) {
#define SIZE(n, code, ctype) \
    case code:               \
        return sizeof(ctype);
        LADE_SCALAR_LIST(SIZE)
#undef SIZE
    case LADE_NONE:
        break;
    }
    return 0;
}

const char *lade_scalar_name(lade_scalar scalar)
{
    switch (scalar) {
#define NAME(n, code, ctype) \
    case code:               \
        return #n;
        LADE_SCALAR_LIST(NAME)
#undef NAME
    case LADE_NONE:
        break;
    }
    return "none";
}

const char *lade_kind_name(lade_kind kind)
{
    static const char *const names[] = {"none",   "value",  "enumeration", "text",     "fixed_text",
                                        "record", "vector", "pool",        "optional", "ref"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "none";
}
