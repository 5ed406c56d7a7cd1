#include "schema_twin.h"

/* clang-format off */
typedef struct { double x; int32_t y; } point;
typedef struct list list;
struct list { point *p; uint32_t n; char *name; list *next; };
/* clang-format on */

static const lade_field point_fields[] = {
    {.name = "x", .kind = LADE_KIND_VALUE, .scalar = LADE_F64, .offset = offsetof(point, x)},
    {.name = "y", .kind = LADE_KIND_VALUE, .scalar = LADE_I32, .offset = offsetof(point, y)}};
static const lade_type point_type = {.name = "point",
                                     .size = sizeof(point),
                                     .align = _Alignof(point),
                                     .field_count = 2,
                                     .fields = point_fields};

static const lade_field list_fields[] = {
    {.name = "p",
     .kind = LADE_KIND_VECTOR,
     .count_scalar = LADE_U32,
     .offset = offsetof(list, p),
     .count_offset = offsetof(list, n),
     .type = &point_type},
    {.name = "name", .kind = LADE_KIND_TEXT, .offset = offsetof(list, name)},
    {.name = "next", .kind = LADE_KIND_REF, .offset = offsetof(list, next), .type = &twin_list}};
const lade_type twin_list = {.name = "list",
                             .size = sizeof(list),
                             .align = _Alignof(list),
                             .field_count = 3,
                             .fields = list_fields};
