#include "grid.h"

#include <string.h>

bool lade_grid_extents(const lade_grid *grid, const unsigned char *value, size_t *extent)
{
    for (unsigned i = 0; i < grid->rank; i++) {
        uint64_t n;
        if (!lade_count_read(value + grid->extent_offset[i], (lade_scalar)grid->extent_scalar[i],
                             &n) ||
            n > SIZE_MAX)
            return false;
        extent[lade_grid_dimension(grid, i)] = (size_t)n;
    }
    return true;
}

bool lade_grid_halo(const lade_grid *grid, const unsigned char *value, size_t *halo)
{
    size_t size = lade_scalar_size((lade_scalar)grid->halo_scalar);
    for (unsigned i = 0; i < grid->rank; i++) {
        unsigned k = grid->halo_count > 1 ? i : 0;
        uint64_t width = grid->halo_count ? grid->halo[k] : 0;
        if (grid->halo_count && grid->halo_scalar &&
            !lade_count_read(value + grid->halo_offset + k * size, (lade_scalar)grid->halo_scalar,
                             &width))
            return false;
        if (width > SIZE_MAX / 4)
            return false;
        halo[lade_grid_dimension(grid, i)] = (size_t)width;
    }
    return true;
}

static void read_strides(const lade_grid *grid, const unsigned char *value, int64_t *stride)
{
    size_t size = lade_scalar_size((lade_scalar)grid->step_scalar);
    for (unsigned i = 0; i < grid->rank; i++)
        stride[lade_grid_dimension(grid, i)] =
            lade_integer_read(value + grid->step_offset + i * size, (lade_scalar)grid->step_scalar);
}

bool lade_grid_shape_make(const lade_grid *grid, const unsigned char *value, const size_t *extent,
                          bool strides, lade_grid_shape *s)
{
    *s = (lade_grid_shape){.rank = grid->rank};
    memcpy(s->extent, extent, grid->rank * sizeof *extent);
    if (!lade_grid_halo(grid, value, s->halo))
        return false;
    size_t full[LADE_MAX_RANK];
    for (unsigned d = 0; d < s->rank; d++) {
        if (__builtin_add_overflow(s->extent[d], 2 * s->halo[d], &full[d]))
            return false;
        s->stored[d] = grid->whole ? full[d] : s->extent[d];
    }
    if (!lade_extents_product(s->rank, s->stored, &s->count) ||
        !lade_extents_product(s->rank, full, &s->allocated) || s->allocated > INT64_MAX)
        return false;
    int64_t step = 1;
    for (unsigned d = s->rank; d-- > 0; step *= (int64_t)full[d])
        s->stride[d] = step; /* cannot overflow: extents of 0 aside, it divides `allocated` */
    if (strides && grid->step_scalar)
        read_strides(grid, value, s->stride);
    s->dense = true;
    step = 1;
    for (unsigned d = s->rank; d-- > 0; step *= (int64_t)s->stored[d]) {
        s->dense = s->dense && (s->stored[d] == 1 || s->stride[d] == step);
        if (!grid->whole && s->count)
            s->start += (int64_t)s->halo[d] * s->stride[d];
    }
    return true;
}

void lade_grid_strides_write(const lade_grid *grid, const lade_grid_shape *shape,
                             unsigned char *value)
{
    size_t size = lade_scalar_size((lade_scalar)grid->step_scalar);
    for (unsigned i = 0; i < grid->rank && grid->step_scalar; i++)
        lade_integer_write(value + grid->step_offset + i * size, (lade_scalar)grid->step_scalar,
                           shape->stride[lade_grid_dimension(grid, i)]);
}

static const unsigned char *row_at(const void *base, size_t i)
{
    const unsigned char *row;
    memcpy(&row, (const unsigned char *)base + i * sizeof row, sizeof row);
    return row;
}

bool lade_grid_rows_there(const lade_grid_shape *s, const void *base)
{
    for (size_t i = 0; i < s->stored[0] && s->count; i++)
        if (!row_at(base, i))
            return false;
    return true;
}

const unsigned char *lade_grid_piece(const lade_grid *grid, const lade_grid_shape *s,
                                     const void *base, int64_t offset, size_t size)
{
    if (!grid->rows)
        return (const unsigned char *)base + offset * (int64_t)size;
    size_t width = s->stored[1];
    const unsigned char *row = row_at(base, (size_t)offset / width);
    return row ? row + (size_t)offset % width * size : NULL;
}

size_t lade_grid_run(const lade_grid_shape *s)
{
    unsigned last = s->rank - 1;
    if (s->dense)
        return s->count;
    return s->stride[last] == 1 ? s->stored[last] : 1;
}

int64_t lade_grid_offset(const lade_grid_shape *s, size_t k)
{
    int64_t offset = s->start;
    for (unsigned d = s->rank; d-- > 0; k /= s->stored[d])
        offset += (int64_t)(k % s->stored[d]) * s->stride[d];
    return offset;
}

void lade_grid_walk_begin(lade_grid_walk *w, const lade_grid_shape *shape)
{
    *w = (lade_grid_walk){.shape = shape, .run = lade_grid_run(shape), .left = shape->count};
}

bool lade_grid_walk_next(lade_grid_walk *w, int64_t *offset)
{
    const lade_grid_shape *s = w->shape;
    if (w->left == 0)
        return false;
    *offset = s->start;
    for (unsigned d = 0; d < s->rank; d++)
        *offset += (int64_t)w->at[d] * s->stride[d];
    w->left -= w->run;
    if (s->dense)
        return true;
    unsigned d = s->rank - 1;
    w->at[d] += w->run;
    while (d > 0 && w->at[d] == s->stored[d]) {
        w->at[d--] = 0;
        w->at[d]++;
    }
    return true;
}
