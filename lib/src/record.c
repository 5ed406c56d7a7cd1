/* Natural values and the records that they hold by value: hooks and defaults, where a bulk copy has passed
 * by what surrogates do. */
#include <string.h>

#include "plan.h"
#include "schema.h"

enum { NEST = LADE_NATURAL_NEST + 1 };

typedef struct level {
    const lade_node *node;
    unsigned char *value;
    uint32_t field;
    size_t element;
} level;

/* The next record that level l holds by value, or NULL. */
static const lade_node *next_inner(level *l, unsigned char **inner)
{
    for (; l->field < l->node->type->field_count; l->field++, l->element = 0) {
        const lade_field *f = &l->node->type->fields[l->field];
        const lade_node *to = f->kind == LADE_KIND_RECORD ? l->node->edges[l->field].node : NULL;
        bool stored = l->node->edges[l->field].flags & LADE_EDGE_STORED;
        if (!to || !stored || !(to->hooked || to->defaults) || l->element == lade_field_elements(f))
            continue;
        *inner = l->value + f->offset + l->element++ * to->type->size;
        return to;
    }
    return NULL;
}

static bool visit(const lade_node *node, unsigned char *value, bool inner_first, lade_hook_fn *hook,
                  void *user)
{
    level stack[NEST];
    size_t top = 0;
    bool ok = inner_first || hook(user, node, value);
    stack[top++] = (level){node, value, 0, 0};
    while (top && ok) {
        unsigned char *inner;
        const lade_node *to = next_inner(&stack[top - 1], &inner);
        if (to) {
            ok = inner_first || hook(user, to, inner);
            stack[top++] = (level){to, inner, 0, 0};
            continue;
        }
        top--;
        ok = !inner_first || hook(user, stack[top].node, stack[top].value);
    }
    return ok;
}

bool lade_node_hooks(const lade_node *node, void *value, size_t n, bool inner_first,
                     lade_hook_fn *hook, void *user)
{
    unsigned char *at = value;
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++, at += node->type->size)
        ok = visit(node, at, inner_first, hook, user);
    return ok;
}

void lade_field_default(const lade_field *f, unsigned char *value)
{
    if (f->options && f->options->fallback)
        memcpy(value + f->offset, f->options->fallback, lade_field_bytes(f));
}

static bool set_defaults(void *user, const lade_node *node, void *value)
{
    (void)user;
    for (uint32_t i = 0; i < node->type->field_count; i++)
        if (!(node->edges[i].flags & LADE_EDGE_STORED))
            lade_field_default(&node->type->fields[i], value);
    return true;
}

void lade_node_defaults(const lade_node *node, void *value, size_t n)
{
    lade_node_hooks(node, value, n, false, set_defaults, NULL);
}
