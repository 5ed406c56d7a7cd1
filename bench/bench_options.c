#include "bench_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES_FULL = 11, SAMPLES_QUICK = 7, SAMPLES_MAX = 1000 };

enum {
    OPT_QUICK = 1,
    OPT_CASE,
    OPT_IMPL,
    OPT_JSON,
    OPT_SAMPLES,
    OPT_DIR,
    OPT_SIZE,
    OPT_LIST,
    OPT_HELP
};

static const struct option options[] = {
    {"quick", no_argument, NULL, OPT_QUICK},
    {"case", required_argument, NULL, OPT_CASE},
    {"impl", required_argument, NULL, OPT_IMPL},
    {"json", required_argument, NULL, OPT_JSON},
    {"samples", required_argument, NULL, OPT_SAMPLES},
    {"dir", required_argument, NULL, OPT_DIR},
    {"size", required_argument, NULL, OPT_SIZE},
    {"list", no_argument, NULL, OPT_LIST},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

void bench_options_help(const char *program)
{
    printf(
        "Usage: %s [options]\n"
        "Measures every case with all its implementations, interleaved, and prints one table.\n"
        "\n"
        "  --quick        the sizes and samples of a short run\n"
        "  --case NAME    only this case; repeatable\n"
        "  --impl NAME    only this implementation, and raw, to which all ratios refer; repeatable\n"
        "  --samples N    timed samples of each figure (default %d, with --quick %d)\n"
        "  --size N       this array length, radius or object count in place of a case's own\n"
        "  --dir DIR      where files are written (default: /dev/shm, else $TMPDIR, else /tmp)\n"
        "  --json FILE    append one JSON object a result to FILE\n"
        "  --list         print the selected cases, their ops and implementations\n"
        "  --help         print this text\n"
        "\n"
        "Exit status: 0; 1 if a step failed or a loaded value was wrong; 2 for wrong options.\n",
        program, SAMPLES_FULL, SAMPLES_QUICK);
}

bool bench_names_select(const bench_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->name[i], name) == 0)
            return true;
    }
    return names->count == 0;
}

static int names_add(bench_names *names, const char *name)
{
    if (names->count == BENCH_NAMES_MAX)
        return -1;
    names->name[names->count++] = name;
    return 0;
}

static int parse_number(const char *text, uint64_t max, uint64_t *out)
{
    char *end = NULL;
    unsigned long long v;

    if (text[0] < '0' || text[0] > '9')
        return -1;
    errno = 0;
    v = strtoull(text, &end, 10);
    if (errno || *end != '\0' || v < 1 || v > max)
        return -1;
    *out = v;
    return 0;
}

static const char *default_dir(void)
{
    const char *dir = getenv("TMPDIR");

    if (access("/dev/shm", W_OK | X_OK) == 0)
        return "/dev/shm";
    return dir && dir[0] ? dir : "/tmp";
}

static int take(bench_options *o, int option, const char *argument)
{
    uint64_t number = 0;

    switch (option) {
    case OPT_QUICK:
        o->quick = true;
        return 0;
    case OPT_CASE:
        return names_add(&o->cases, argument);
    case OPT_IMPL:
        return names_add(&o->impls, argument);
    case OPT_JSON:
        o->json = argument;
        return 0;
    case OPT_DIR:
        o->dir = argument;
        return 0;
    case OPT_SIZE:
        return parse_number(argument, UINT32_MAX, &o->size);
    case OPT_SAMPLES:
        if (parse_number(argument, SAMPLES_MAX, &number))
            return -1;
        o->samples = (unsigned)number;
        return 0;
    case OPT_LIST:
        o->list = true;
        return 0;
    default:
        o->help = true;
        return 0;
    }
}

int bench_options_parse(int argc, char **argv, const char *program, bool speak, bench_options *out)
{
    bench_options o = {0};
    int option, index = 0;

    opterr = speak;
    while ((option = getopt_long(argc, argv, "", options, &index)) != -1) {
        if (option == '?')
            goto err_usage;
        if (take(&o, option, optarg)) {
            if (speak)
                fprintf(stderr, "%s: bad value '%s' for --%s\n", program, optarg,
                        options[index].name);
            goto err_usage;
        }
    }
    if (optind < argc) {
        if (speak)
            fprintf(stderr, "%s: unexpected argument '%s'\n", program, argv[optind]);
        goto err_usage;
    }
    if (o.samples == 0)
        o.samples = o.quick ? SAMPLES_QUICK : SAMPLES_FULL;
    if (!o.dir)
        o.dir = default_dir();
    *out = o;
    return 0;

err_usage:
    if (speak)
        fprintf(stderr, "Try '%s --help'.\n", program);
    return -1;
}
