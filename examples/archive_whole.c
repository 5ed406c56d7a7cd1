/* An archive of one's own that takes arrays whole: one call an array, here one fwrite or fread. It reads into a
 * value of the same shape. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lade/lade.h>
#include <lade/visit.h>

typedef struct {
    double x, y, z;
} point;
typedef struct {
    lade_size npoints; /* 64 bits on every machine */
    point *points;
    uint32_t nx, ny;
    float *height; /* nx x ny */
} terrain_map;
LADE_STRUCT(point, (value, x), (value, y), (value, z))
LADE_STRUCT(terrain_map, (vector, points, npoints, point), (grid, height, (nx, ny)))

typedef struct {
    FILE *file;
    unsigned arrays;
} blocks;

static bool takes_whole(void *user, const lade_type *element)
{
    (void)user;
    return element != NULL; /* every type that can be whole */
}

static lade_status put_array(void *user, const lade_item *item)
{
    blocks *b = user;
    b->arrays++;
    size_t n = (size_t)item->count;
    return fwrite(item->data, item->type->size, n, b->file) == n ? LADE_OK : LADE_ERR_IO;
}

static lade_status get_array(void *user, const lade_item *item)
{
    blocks *b = user;
    b->arrays++;
    size_t n = (size_t)item->count;
    return fread(item->data, item->type->size, n, b->file) == n ? LADE_OK : LADE_ERR_TRUNCATED;
}

static terrain_map *map_make(void)
{
    terrain_map *m = calloc(1, sizeof *m);
    if (!m)
        exit(1);
    *m = (terrain_map){.npoints = 100000, .nx = 300, .ny = 200};
    m->points = calloc((size_t)m->npoints, sizeof *m->points);
    m->height = calloc(60000, sizeof *m->height);
    if (!m->points || !m->height)
        exit(1);
    return m;
}

static void map_free(terrain_map *m)
{
    free(m->points);
    free(m->height);
    free(m);
}

int main(void)
{
    terrain_map *saved = map_make();
    terrain_map *loaded = map_make();
    FILE *file = tmpfile();
    blocks b = {file, 0};
    lade_visitor out = {.user = &b, .takes_whole = takes_whole, .array = put_array};
    lade_visitor in = {.user = &b, .takes_whole = takes_whole, .array = get_array};
    lade_root root = {.type = &lade_type_terrain_map, .value = saved};
    for (size_t i = 0; i < 100000; i++)
        saved->points[i] = (point){(double)i, 0.5 * (double)i, -1};
    for (size_t i = 0; i < 60000; i++)
        saved->height[i] = (float)(i % 977);
    bool ok = file && lade_visit(&root, &out, NULL) == LADE_OK;
    if (file)
        rewind(file);
    ok = ok && lade_visit_into(&root, loaded, &in, NULL) == LADE_OK &&
         memcmp(saved->points, loaded->points, 100000 * sizeof(point)) == 0 &&
         memcmp(saved->height, loaded->height, 60000 * sizeof(float)) == 0;
    printf("arrays whole: %u calls to save and load 2 arrays of 160000 elements, %s\n", b.arrays,
           ok ? "equal" : "DIFFERENT");
    if (file)
        fclose(file);
    map_free(saved);
    map_free(loaded);
    return ok && b.arrays == 4 ? 0 : 1;
}
