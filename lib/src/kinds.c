#include "kinds.h"

#include <string.h>

#include "schema.h"

uint32_t lade_variant_case(const lade_field *f, const lade_node *to, const void *discriminant)
{
    int64_t is = lade_integer_read(discriminant, (lade_scalar)f->count_scalar);
    for (uint32_t i = 0; i < to->type->field_count; i++)
        if ((to->edges[i].flags & LADE_EDGE_STORED) && lade_field_when(to->type, i) == is)
            return i;
    return UINT32_MAX;
}

const lade_edge *lade_choice_edge(const lade_field *f, const lade_edge *edge, const void *member,
                                  const void *object, uint64_t *which)
{
    *which = UINT64_MAX;
    if (f->choice->which)
        *which = f->choice->which(object);
    else if (!lade_count_read(member, (lade_scalar)f->count_scalar, which))
        *which = UINT64_MAX;
    return *which < edge->index ? &edge->cases[*which] : NULL;
}

void lade_choice_failed(lade_job *job, const lade_edge *edge, uint64_t which)
{
    lade_job_error(job, LADE_ERR_VALUE, 0,
                   "the type of its object is none of the %u known ones (number %lld)", edge->index,
                   (long long)which);
}

/* Brent, as in graph.c. */
bool lade_list_count(const void *head, size_t next, uint64_t *count)
{
    const void *at = head;
    const void *mark = NULL;
    uint64_t power = 1;
    uint64_t steps = 0;
    for (*count = 0; at; ++*count) {
        if (at == mark)
            return false;
        if (steps++ == power) {
            mark = at;
            power *= 2;
            steps = 0;
        }
        memcpy(&at, (const unsigned char *)at + next, sizeof at);
    }
    return true;
}
