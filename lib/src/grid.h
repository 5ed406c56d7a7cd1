/**
 * \file
 * Grids: where their elements stand in memory.
 */
#ifndef LADE_GRID_H
#define LADE_GRID_H

#include "plan.h"

/** A grid in memory. Dimensions are in storage order: the slowest first. */
typedef struct lade_grid_shape {
    unsigned rank;
    size_t extent[LADE_MAX_RANK];  /* of the interior, in elements */
    size_t halo[LADE_MAX_RANK];    /* on each side */
    size_t stored[LADE_MAX_RANK];  /* extents of what is stored: the interior, or all */
    int64_t stride[LADE_MAX_RANK]; /* in elements */
    int64_t start;                 /* elements from the pointer to the first one stored */
    size_t count;                  /* elements stored */
    size_t allocated;              /* elements of dense memory, with the halo */
    bool dense;                    /* what is stored stands without gaps */
} lade_grid_shape;

/** Extent i (in the order of the description) as dimension of the shape. */
static inline unsigned lade_grid_dimension(const lade_grid *grid, unsigned i)
{
    return grid->fortran ? grid->rank - 1U - i : i;
}

/** Reads the extents from a struct; false if one is negative. */
bool lade_grid_extents(const lade_grid *grid, const unsigned char *value, size_t *extent);

/** Finds the widths of the halo, in storage order; false if one is negative or absurd. */
bool lade_grid_halo(const lade_grid *grid, const unsigned char *value, size_t *halo);

/** Fills a shape from its interior extents; halo and, if `strides`, strides come from the struct. False:
 * overflow, or a negative width. */
bool lade_grid_shape_make(const lade_grid *grid, const unsigned char *value, const size_t *extent,
                          bool strides, lade_grid_shape *shape);

/** Writes a shape's strides to the struct, if it has a member for them. */
void lade_grid_strides_write(const lade_grid *grid, const lade_grid_shape *shape,
                             unsigned char *value);

/** Whether each row that is stored has a pointer. */
bool lade_grid_rows_there(const lade_grid_shape *shape, const void *base);

/** Where the element at an offset (in elements from the pointer) stands; for rows, NULL if its row is. */
const unsigned char *lade_grid_piece(const lade_grid *grid, const lade_grid_shape *shape,
                                     const void *base, int64_t offset, size_t size);

/** Elements without gaps from each multiple of this many on: all, a row, or one. */
size_t lade_grid_run(const lade_grid_shape *shape);
/** Offset of stored element k, in elements from the pointer. */
int64_t lade_grid_offset(const lade_grid_shape *shape, size_t k);

/** Pieces of a grid: runs of elements without gaps, in the order in which they are stored. */
typedef struct lade_grid_walk {
    const lade_grid_shape *shape;
    size_t at[LADE_MAX_RANK];
    size_t run;  /* elements of a piece */
    size_t left; /* elements still to come */
} lade_grid_walk;
void lade_grid_walk_begin(lade_grid_walk *walk, const lade_grid_shape *shape);
/** \returns false at the end. \param offset of the piece, in elements from the pointer. */
bool lade_grid_walk_next(lade_grid_walk *walk, int64_t *offset);

#endif
