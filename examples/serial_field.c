#include "serial_cases.h"

#include <string.h>

static const size_t field_extents[] = {FIELD_R, FIELD_Z};

/* Two bare arrays, as two entries of one file. */
static bool field_save(demo *d)
{
    lade_file *file;
    bool good;

    if (lade_file_create(d->file, &file, &d->ctx) != LADE_OK)
        return false;
    good = lade_file_put_array(file, "Br", d->in.br, 2, field_extents) == LADE_OK &&
           lade_file_put_array(file, "Bz", d->in.bz, 2, field_extents) == LADE_OK &&
           lade_file_commit(file) == LADE_OK;
    return lade_file_close(file) == LADE_OK && good;
}

static bool field_load(demo *d, double *field[2], size_t extents[2][2], lade_arena **owner)
{
    lade_file *file;
    bool good;

    if (lade_file_open(d->file, LADE_READ, &file, &d->ctx) != LADE_OK)
        return false;
    good = lade_file_get_array(file, "Br", &field[0], 2, extents[0], owner) == LADE_OK &&
           lade_file_get_array(file, "Bz", &field[1], 2, extents[1], owner) == LADE_OK;
    return lade_file_close(file) == LADE_OK && good;
}

static const char *field_difference(const double *a, const double *b, const size_t extents[2])
{
    if (memcmp(extents, field_extents, sizeof field_extents) != 0)
        return "the extents differ";
    return memcmp(a, b, FIELD_R * FIELD_Z * sizeof *a) != 0 ? "a value differs" : NULL;
}

bool field_case(demo *d)
{
    row r = {"field, Br and Bz", 0, 0, 2 * FIELD_R * FIELD_Z, demo_clock(), 0, 0};
    double *field[2];
    size_t extents[2][2];
    lade_arena *owner = NULL; /* of both arrays */
    const char *wrong;
    bool good;

    if (!field_save(d))
        return failed(d, "saving the field");
    r.saved = demo_clock();
    good = field_load(d, field, extents, &owner) || failed(d, "loading the field");
    r.loaded = demo_clock();
    if (good) {
        wrong = field_difference(d->in.br, field[0], extents[0]);
        good = report(d, &r, wrong ? wrong : field_difference(d->in.bz, field[1], extents[1]));
    }
    lade_arena_destroy(owner);
    return good;
}
