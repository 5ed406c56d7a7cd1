#define _POSIX_C_SOURCE 200809L

#include "demo.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "metis.h"

/* The value of option `name` at argv[*i]: in the same argument after '=', or the next argument. */
static const char *option_value(const char *name, int argc, char **argv, int *i)
{
    size_t size = strlen(name);

    if (strncmp(argv[*i], name, size) != 0)
        return NULL;
    if (argv[*i][size] == '=')
        return argv[*i] + size + 1;
    return argv[*i][size] == '\0' && *i + 1 < argc ? argv[++*i] : NULL;
}

static bool parse_radius(const char *word, uint32_t *out)
{
    char *end;
    unsigned long radius;

    if (*word < '0' || *word > '9')
        return false;
    radius = strtoul(word, &end, 10);
    if (*end || radius > HEXTILLE_RADIUS_MAX)
        return false;
    *out = (uint32_t)radius;
    return true;
}

bool demo_options_parse(demo_options *o, int argc, char **argv)
{
    bool has_graph = false;

    o->graph_path = DEMO_DATA "/4elt.graph";
    o->radius = DEMO_RADIUS;
    for (int i = 1; i < argc && !o->help && !o->wrong; i++) {
        const char *argument = argv[i], *value;

        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            o->help = true;
        } else if ((value = option_value("--radius", argc, argv, &i)) != NULL) {
            if (!parse_radius(value, &o->radius))
                o->wrong = value;
        } else if (o->takes_dir && (value = option_value("--dir", argc, argv, &i)) != NULL) {
            o->dir = value;
        } else if (*argument == '-' || has_graph) {
            o->wrong = argument;
        } else {
            o->graph_path = argument;
            has_graph = true;
        }
    }
    return !o->help && !o->wrong;
}

int demo_usage(const demo_options *o, bool print)
{
    FILE *out = o->wrong ? stderr : stdout;

    if (print && o->wrong)
        fprintf(out, "%s: '%s' is not understood\n", o->program, o->wrong);
    if (print)
        fprintf(out,
                "usage: %s [--radius R]%s [FILE.graph]\n\n"
                "  --radius R   radius of the Hextille map, 0 to %d (default %d)\n%s"
                "  FILE.graph   a graph in METIS format (default %s)\n",
                o->program, o->takes_dir ? " [--dir DIR]" : "", HEXTILLE_RADIUS_MAX, DEMO_RADIUS,
                o->takes_dir ? "  --dir DIR    where to write (default $TMPDIR or /tmp)\n" : "",
                DEMO_DATA "/4elt.graph");
    return o->wrong ? 2 : 0;
}

static bool failed(const demo_options *o, const char *why)
{
    fprintf(stderr, "%s: %s\n", o->program, why);
    return false;
}

bool demo_inputs_read(demo_inputs *in, const demo_options *o)
{
    text_error error;

    *in = (demo_inputs){.arena = lade_arena_create(NULL)};
    if (!in->arena)
        return failed(o, "out of memory");
    if (!metis_read(o->graph_path, in->arena, &in->graph, &error) ||
        !field_read(DEMO_DATA "/Br_rz.txt", in->arena, &in->br, &error) ||
        !field_read(DEMO_DATA "/Bz_rz.txt", in->arena, &in->bz, &error)) {
        text_error_print(stderr, o->program, &error);
        return false;
    }
    in->map = hexmap_create(o->radius, DEMO_SEED, in->arena);
    return in->map || failed(o, "out of memory for the Hextille map");
}

void demo_inputs_fini(demo_inputs *in)
{
    lade_arena_destroy(in->arena);
    *in = (demo_inputs){.arena = NULL};
}

double demo_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}
