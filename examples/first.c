/* The first program: describe a struct, save a value, load it, use it, free it. */
#include <stdio.h>

#include <lade/lade.h>

typedef struct {
    const char *station;
    size_t ndays;
    double *rain; /* mm a day */
} rainfall;

LADE_STRUCT(rainfall, (text, station), (vector, rain, ndays))

int main(void)
{
    double rain[] = {0.0, 12.5, 3.25};
    rainfall saved = {"Helgoland", 3, rain}, *loaded;
    lade_arena *owner = NULL;
    lade_error error;
    lade_context ctx = {.error = &error};

    if (lade_save_file("first.lade", rainfall, &saved, &ctx) != LADE_OK ||
        lade_load_file("first.lade", rainfall, &loaded, &owner, &ctx) != LADE_OK) {
        fprintf(stderr, "first: %s\n", error.message);
        return 1;
    }
    printf("%s, %zu days:", loaded->station, loaded->ndays);
    for (size_t i = 0; i < loaded->ndays; i++)
        printf(" %g", loaded->rain[i]);
    printf("\n");
    lade_arena_destroy(owner); /* frees all that was loaded */
    lade_context_fini(&ctx);
    return 0;
}
