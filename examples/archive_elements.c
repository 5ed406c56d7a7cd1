/* An archive of one's own that takes one element at a time: numbers as text, one a line. It reads into a value of
 * the same shape. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lade/lade.h>
#include <lade/visit.h>

typedef struct {
    char name[16];
    double speed;
    uint32_t nsamples;
    double *samples;
    int32_t counts[2][3];
} probe;
LADE_STRUCT(probe, (fixed_text, name), (value, speed), (vector, samples, nsamples), (value, counts))

typedef struct {
    FILE *file;
    unsigned calls;
} lines;

static lade_status put(void *user, const lade_item *item)
{
    lines *l = user;
    int written = -1;
    l->calls++;
    if (item->kind == LADE_ITEM_FIXED_TEXT)
        written = fprintf(l->file, "%.*s\n", (int)item->count, (const char *)item->data);
    else if (item->scalar == LADE_F64)
        written = fprintf(l->file, "%.17g\n", *(const double *)item->data);
    else if (item->scalar == LADE_I32)
        written = fprintf(l->file, "%" PRId32 "\n", *(const int32_t *)item->data);
    return written < 0 ? LADE_ERR_IO : LADE_OK;
}

static lade_status get(void *user, const lade_item *item)
{
    lines *l = user;
    int taken = 0;
    l->calls++;
    if (item->kind == LADE_ITEM_FIXED_TEXT)
        taken = item->count == 16 ? fscanf(l->file, "%15s", (char *)item->data) : 0;
    else if (item->scalar == LADE_F64)
        taken = fscanf(l->file, "%lf", (double *)item->data);
    else if (item->scalar == LADE_I32)
        taken = fscanf(l->file, "%" SCNd32, (int32_t *)item->data);
    return taken == 1 ? LADE_OK : LADE_ERR_FORMAT;
}

static lade_status transfer(probe *p, FILE *file, bool save, unsigned *calls)
{
    lines l = {file, 0};
    lade_visitor visitor = {.user = &l, .value = save ? put : get};
    lade_root root = {.type = &lade_type_probe, .value = p};
    lade_status status =
        save ? lade_visit(&root, &visitor, NULL) : lade_visit_into(&root, p, &visitor, NULL);
    *calls = l.calls;
    return status;
}

int main(void)
{
    double samples[] = {0.1, 1.0 / 3, -2e300};
    double room[3] = {0};
    probe saved = {"north", 2.5, 3, samples, {{1, 2, 3}, {-4, 5, 6}}};
    probe loaded = {.nsamples = 3, .samples = room};
    unsigned puts = 0;
    unsigned gets = 0;
    FILE *file = tmpfile();
    if (!file || transfer(&saved, file, true, &puts) != LADE_OK)
        return 1;
    rewind(file);
    if (transfer(&loaded, file, false, &gets) != LADE_OK)
        return 1;
    fclose(file);
    bool same = strcmp(saved.name, loaded.name) == 0 && saved.speed == loaded.speed &&
                memcmp(samples, room, sizeof room) == 0 &&
                memcmp(saved.counts, loaded.counts, sizeof saved.counts) == 0;
    printf("element by element: %u calls to save, %u to load, %s\n", puts, gets,
           same ? "equal" : "DIFFERENT");
    return same && puts == 11 && gets == 11 ? 0 : 1;
}
