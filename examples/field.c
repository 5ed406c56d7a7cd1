#include "field.h"

#include "array.h"

static bool read_values(text *t, double *values)
{
    for (int i = 0; i < FIELD_R * FIELD_Z; i++) {
        if (!text_next_line(t))
            return text_fail(t, "the file ends after %d of %d values", i, FIELD_R * FIELD_Z);
        if (!text_real(t, "value", &values[i]))
            return false;
        if (text_more(t))
            return text_fail(t, "there is more than one value in this line");
    }
    while (text_next_line(t)) {
        if (text_more(t))
            return text_fail(t, "a line follows the last of %d values", FIELD_R * FIELD_Z);
    }
    return true;
}

bool field_read(const char *path, lade_arena *arena, double **out, text_error *error)
{
    text t;
    bool good;
    double *values;

    if (!text_open(&t, path, error))
        return false;
    values = array_create(arena, FIELD_R * FIELD_Z, sizeof *values);
    good = values ? read_values(&t, values) : text_fail(&t, "out of memory");
    text_close(&t);
    if (good)
        *out = values;
    return good;
}
