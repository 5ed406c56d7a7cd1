/**
 * \file
 * A descriptor written by hand in another translation unit, equal to a macro's in test_schema.c.
 */
#ifndef TEST_SCHEMA_TWIN_H
#define TEST_SCHEMA_TWIN_H

#include <lade/lade.h>

extern const lade_type twin_list;

#endif
