/* The hash of a value: XXH3 with 128 bits over its bare message, which is never put together. */
#define XXH_STATIC_LINKING_ONLY /* the state on the stack */
#include <xxhash.h>

#include "internal.h"

static lade_status take(void *user, const uint8_t *bytes, size_t size)
{
    XXH3_128bits_update(user, bytes, size);
    return LADE_OK;
}

static lade_status hash_root(const lade_root *root, lade_digest *out, lade_context *ctx)
{
    XXH3_state_t state;
    lade_encoding *encoding;
    if (!out)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "out must not be NULL");
    XXH3_128bits_reset(&state);
    lade_status status = lade_encoding_begin(root, take, &state, 0, &encoding, ctx);
    if (status != LADE_OK)
        return status;
    const lade_manifest *m = lade_encoding_manifest(encoding);
    for (size_t i = 0; i < m->content_count; i++)
        XXH3_128bits_update(&state, m->content[i].data, m->content[i].size);
    lade_encoding_end(encoding);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    *out = (lade_digest){hash.low64, hash.high64};
    return LADE_OK;
}

lade_status lade_hash_as(const lade_type *type, const void *value, lade_digest *out,
                         lade_context *ctx)
{
    lade_root root = {.type = type, .value = value};
    return hash_root(&root, out, ctx);
}

lade_status lade_hash_array_as(const lade_type *type, const void *array, unsigned rank,
                               const size_t *extents, lade_digest *out, lade_context *ctx)
{
    lade_root root = {type, array, rank, extents};
    if (rank == 0)
        return lade_context_fail(ctx, LADE_ERR_ARGUMENT, 0, "an array has 1 to %d extents",
                                 LADE_MAX_RANK);
    return hash_root(&root, out, ctx);
}
