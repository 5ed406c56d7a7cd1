/**
 * \file
 * What techniques.c saves, and what it measures.
 */
#ifndef EXAMPLES_TECHNIQUES_H
#define EXAMPLES_TECHNIQUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <lade/lade.h>

typedef enum { CAT, DOG, BIRD, FISH } kind;

typedef struct {
    const char *name, *owner; /* owner: or NULL */
    int32_t age;
    double weight;
    bool alive;
    kind kind;
} animal;

typedef struct {
    size_t n;
    animal *all;
} zoo;

enum { TECHNIQUE_SAVE, TECHNIQUE_LOAD, TECHNIQUE_OPS };

/** A way to save a zoo, and what it took: milliseconds, and bytes of the message. */
typedef struct {
    const char *name;
    const lade_type *type;
    bool interpret; /**< as in lade_context */
    double ms[TECHNIQUE_OPS];
    size_t bytes;
} technique;

/** Prints a table of the techniques and a histogram of their times. */
void techniques_print(FILE *to, const technique *all, size_t count, size_t animals);

#endif
