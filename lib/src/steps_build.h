/**
 * \file
 * The step table in the making; only steps.c and steps_field.c use it.
 */
#ifndef LADE_STEPS_BUILD_H
#define LADE_STEPS_BUILD_H

#include "steps.h"

/* Bytes of a struct that a field or count takes. */
typedef struct region {
    size_t offset, size;
} region;

typedef struct builder {
    const lade_allocator *allocator;
    const lade_plan *plan;
    lade_steps *steps;
    size_t *inner; /* by node of the plan: place of its first inner node, if it has any */
    region *regions;
    size_t region_count, region_capacity;
} builder;

/* False if out of memory. */
bool lade_builder_step(builder *b, lade_step step);
bool lade_builder_region(builder *b, size_t offset, size_t size);
bool lade_builder_plain(builder *b, size_t offset, size_t size);
/* n long doubles without what pads them. */
bool lade_builder_long_doubles(builder *b, size_t offset, size_t n);
/* The node of the elements of a list, which is field i of a node. */
lade_node *lade_builder_elements(const builder *b, const lade_node *owner, uint32_t i);
/* The steps of field i of a node. */
bool lade_builder_field(builder *b, const lade_node *node, uint32_t i);

#endif
