/**
 * \file
 * What a struct in memory says of its fields: the case of a variant, the type of an object, the length of a
 * list, the size of a bit set. For all that walks over values.
 */
#ifndef LADE_KINDS_H
#define LADE_KINDS_H

#include "plan.h"

/** Place of the field of the union `to` that a discriminant selects; UINT32_MAX if none that is stored. */
uint32_t lade_variant_case(const lade_field *f, const lade_node *to, const void *discriminant);

/**
 * The edge to an object (not NULL) of a known type; NULL if it is of none.
 * \param member that tells the type, where no function does. \param which the number that was told.
 */
const lade_edge *lade_choice_edge(const lade_field *f, const lade_edge *edge, const void *member,
                                  const void *object, uint64_t *which);
/** Records that an object is of no known type. */
void lade_choice_failed(lade_job *job, const lade_edge *edge, uint64_t which);

/** Counts the elements of a linked list; false if it is a cycle. */
bool lade_list_count(const void *head, size_t next, uint64_t *count);

/** Bytes of the words that hold n bits. */
static inline size_t lade_bits_size(uint64_t n, size_t word)
{
    return ((size_t)(n / 8) + (n % 8 != 0) + word - 1) / word * word;
}

#endif
