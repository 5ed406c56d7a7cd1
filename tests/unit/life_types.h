/**
 * \file
 * A type that the program and its plugins know by one name, and what a plugin offers.
 */
#ifndef TEST_LIFE_TYPES_H
#define TEST_LIFE_TYPES_H

#include <lade/lade.h>

typedef struct shared shared;
struct shared {
    int32_t id;
    char *name;
    shared *next;
};

/** What a plugin exports as `life_plugin`. */
typedef struct life_plugin {
    const lade_type *type; /**< its own type named "shared" */
    lade_status (*save)(lade_buffer *buffer, lade_context *ctx);
    lade_status (*load)(const lade_buffer *buffer, int64_t *sum, lade_context *ctx);
} life_plugin;

#endif
