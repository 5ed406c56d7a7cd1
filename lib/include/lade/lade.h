/**
 * \file
 * Lade: saves, reloads and sends scientific data from one description of a C type.
 *
 * This header includes all of the core; <lade/mpi.h> adds messages and broadcasts. The README has a
 * first program; describe.h has the list of what can be described.
 */
#ifndef LADE_LADE_H
#define LADE_LADE_H

#include <lade/arena.h>
#include <lade/context.h>
#include <lade/custom.h>
#include <lade/describe.h>
#include <lade/file.h>
#include <lade/memory.h>
#include <lade/schema.h>
#include <lade/status.h>
#include <lade/type.h>
#include <lade/value.h>
#include <lade/view.h>

#endif
