/* A plugin with a type named "shared" of its own: the program's, or (OTHER) a different one. */
#ifdef OTHER
#include <lade/lade.h>
typedef struct {
    double id;
    int64_t more;
} shared;
typedef struct life_plugin {
    const lade_type *type;
    lade_status (*save)(lade_buffer *buffer, lade_context *ctx);
    lade_status (*load)(const lade_buffer *buffer, int64_t *sum, lade_context *ctx);
} life_plugin;
#else
#include "life_types.h"
#endif

/* clang-format off */
#ifdef OTHER
LADE_STRUCT(shared, (value, id), (value, more))
#else
LADE_STRUCT(shared, (value, id), (text, name), (ref, next, shared))
#endif
/* clang-format on */

static lade_status save(lade_buffer *buffer, lade_context *ctx)
{
    shared value = {0};
    value.id = 41;
#ifdef OTHER
    value.more = 1;
#else
    value.next = &value;
#endif
    return lade_encode(shared, &value, buffer, ctx);
}

static lade_status load(const lade_buffer *buffer, int64_t *sum, lade_context *ctx)
{
    shared *value = NULL;
    lade_arena *owner = NULL;
    lade_status status = lade_decode(shared, buffer->data, buffer->size, &value, &owner, ctx);
    if (status == LADE_OK)
        *sum = (int64_t)value->id + (sizeof *value > 0);
    lade_arena_destroy(owner);
    return status;
}

extern const life_plugin life_plugin_table;
__attribute__((visibility("default")))
const life_plugin life_plugin_table = {&lade_type_shared, save, load};
