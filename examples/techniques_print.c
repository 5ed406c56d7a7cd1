#include "techniques.h"

enum { BAR = 48 };

static double longest(const technique *all, size_t count)
{
    double most = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t op = 0; op < TECHNIQUE_OPS; op++)
            most = all[i].ms[op] > most ? all[i].ms[op] : most;
    return most > 0 ? most : 1;
}

static void bar(FILE *to, const char *name, char mark, double ms, double scale)
{
    fprintf(to, "%-18s ", name);
    for (int i = 0; i < (int)(ms * scale + 0.5); i++)
        fputc(mark, to);
    fprintf(to, " %.1f\n", ms);
}

void techniques_print(FILE *to, const technique *all, size_t count, size_t animals)
{
    double scale = BAR / longest(all, count);

    fprintf(to, "%zu animals, to memory and back\n\n%-18s %9s %9s %9s %10s\n", animals, "technique",
            "save ms", "load ms", "MB", "bytes each");
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%-18s %9.2f %9.2f %9.2f %10.1f\n", all[i].name, all[i].ms[TECHNIQUE_SAVE],
                all[i].ms[TECHNIQUE_LOAD], (double)all[i].bytes * 1e-6,
                animals ? (double)all[i].bytes / (double)animals : 0);
    fprintf(to, "\ntimes in ms: s save, l load\n");
    for (size_t i = 0; i < count; i++) {
        bar(to, all[i].name, 's', all[i].ms[TECHNIQUE_SAVE], scale);
        bar(to, "", 'l', all[i].ms[TECHNIQUE_LOAD], scale);
    }
}
