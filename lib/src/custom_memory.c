#include "custom_memory.h"

#include <string.h>

#include "decode.h"
#include "encode.h"

/* Encodes a value with encoder i: its skeleton is the encoder's own buffer. */
static const enc *encode(lade_customs *c, int i, const lade_node *node, const void *value)
{
    if (!node->type->save || !node->type->load) {
        lade_job_error(c->job, LADE_ERR_DESCRIPTION, 0, "the custom type '%s' has no functions",
                       node->type->name);
        return NULL;
    }
    if (!c->enc[i])
        c->enc[i] = lade_enc_acquire(c->job);
    return c->enc[i] && lade_enc_alone(c->enc[i], node, value) ? c->enc[i] : NULL;
}

bool lade_customs_copy(lade_customs *c, lade_store *store, const lade_node *node, const void *from,
                       void *to)
{
    const enc *e = encode(c, 0, node, from);
    if (!e)
        return false;
    if (!c->dec) {
        dec *d = lade_dec_acquire(c->job);
        if (!d || !lade_dec_begin_alone(d, c->plan)) {
            lade_dec_release(d);
            return false;
        }
        c->dec = d;
    }
    lade_store mine = c->dec->store;
    c->dec->store = *store;
    lade_input input = {.bytes = e->own.data, .size = e->own.size, .after = e->content_size};
    bool loaded = lade_dec_alone(c->dec, &input, e->content, node, to);
    *store = c->dec->store;
    c->dec->store = mine;
    return loaded;
}

bool lade_customs_equal(lade_customs *c, const lade_node *node, const void *a, const void *b,
                        bool *equal)
{
    const enc *x = encode(c, 0, node, a);
    const enc *y = x ? encode(c, 1, node, b) : NULL;
    if (!y)
        return false;
    *equal = x->own.size == y->own.size && x->content_count == y->content_count &&
             memcmp(x->own.data, y->own.data, x->own.size) == 0;
    for (size_t i = 0; *equal && i < x->content_count; i++)
        *equal = x->content[i].size == y->content[i].size &&
                 memcmp(x->content[i].data, y->content[i].data, x->content[i].size) == 0;
    return true;
}

void lade_customs_end(lade_customs *c)
{
    lade_enc_release(c->enc[0]);
    lade_enc_release(c->enc[1]);
    lade_dec_release(c->dec);
}
