#include "internal.h"

/* long double goes through functions: its form in memory differs between machines */
#define lade_save_of(code) ((code) == LADE_F128 ? lade_priv_put_long_doubles : NULL)
#define lade_load_of(code) ((code) == LADE_F128 ? lade_priv_get_long_doubles : NULL)
#define SCALAR(n, code, ctype)                                     \
    static lade_fingerprint_cell cell_##n;                         \
    const lade_type lade_scalar_##n = {.name = #n,                 \
                                       .size = sizeof(ctype),      \
                                       .align = _Alignof(ctype),   \
                                       .scalar = code,             \
                                       .save = lade_save_of(code), \
                                       .load = lade_load_of(code), \
                                       .cell = &cell_##n};
LADE_SCALAR_LIST(SCALAR)
#undef SCALAR

static const lade_field text_field[] = {{.name = "text", .kind = LADE_KIND_TEXT}};
const lade_type lade_priv_text_element = {.name = "text()",
                                          .size = sizeof(char *),
                                          .align = _Alignof(char *),
                                          .field_count = 1,
                                          .fields = text_field};

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

size_t lade_scalar_wire(lade_scalar scalar)
{
    return scalar == LADE_F128 ? 16 : lade_scalar_size(scalar);
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
    switch (kind) {
#define NAME(code, name) \
    case code:           \
        return name;
        NAME(LADE_KIND_VALUE, "value")
        NAME(LADE_KIND_ENUMERATION, "enumeration")
        NAME(LADE_KIND_TEXT, "text")
        NAME(LADE_KIND_FIXED_TEXT, "fixed_text")
        NAME(LADE_KIND_RECORD, "record")
        NAME(LADE_KIND_VECTOR, "vector")
        NAME(LADE_KIND_POOL, "pool")
        NAME(LADE_KIND_OPTIONAL, "optional")
        NAME(LADE_KIND_REF, "ref")
        NAME(LADE_KIND_GRID, "grid")
        NAME(LADE_KIND_ANY, "any")
        NAME(LADE_KIND_ANY_REF, "any_ref")
        NAME(LADE_KIND_VARIANT, "variant")
        NAME(LADE_KIND_LIST, "list")
        NAME(LADE_KIND_MAP, "map")
        NAME(LADE_KIND_BITS, "bits")
        NAME(LADE_KIND_EXTERNAL, "external")
        NAME(LADE_KIND_SKIP, "skip")
        NAME(LADE_KIND_CAPACITY, "capacity")
#undef NAME
    }
    return "none";
}
