#include "pitfalls_twin.h"

/* clang-format off */
static const lade_type type;
static const lade_field fields[] = {
    {.name = "id", .kind = LADE_KIND_VALUE, .scalar = LADE_I32, .offset = offsetof(twin, id)},
    {.name = "name", .kind = LADE_KIND_TEXT, .offset = offsetof(twin, name)},
    {.name = "next", .kind = LADE_KIND_REF, .offset = offsetof(twin, next), .type = &type}};
static const lade_type type = {
    .name = "twin", .size = sizeof(twin), .align = _Alignof(twin), .field_count = 3, .fields = fields};
/* clang-format on */

lade_status pitfalls_twin_save(int32_t id, lade_buffer *message, lade_context *ctx)
{
    twin t = {.id = id, .next = &t};
    return lade_encode_as(&type, &t, message, ctx);
}

const lade_type *pitfalls_twin_type(void)
{
    return &type;
}
