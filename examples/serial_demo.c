/*
 * Saves a mesh from a METIS file, two field arrays and a generated map, loads each into new memory,
 * and proves that what was loaded is what was saved, to the last pointer.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serial_cases.h"

/* Makes a directory of our own, so that no file of anybody is in danger. */
static bool make_directory(demo *d)
{
    const char *parent = d->options.dir ? d->options.dir : getenv("TMPDIR");

    if (!parent || !*parent)
        parent = "/tmp";
    if (snprintf(d->dir, sizeof d->dir, "%s/lade-XXXXXX", parent) < (int)sizeof d->dir &&
        mkdtemp(d->dir)) {
        snprintf(d->file, sizeof d->file, "%s/demo.lade", d->dir);
        return true;
    }
    fprintf(stderr, "serial_demo: cannot make a directory in %s: %s\n", parent, strerror(errno));
    return false;
}

static bool remove_directory(const demo *d)
{
    if ((unlink(d->file) == 0 || errno == ENOENT) && rmdir(d->dir) == 0)
        return true;
    fprintf(stderr, "serial_demo: cannot remove %s: %s\n", d->dir, strerror(errno));
    return false;
}

static bool run(demo *d)
{
    bool good;

    if (!make_directory(d))
        return false;
    print_head();
    good = graph_case(d) && field_case(d) && map_case(d);
    lade_context_fini(&d->ctx);
    return remove_directory(d) && good;
}

int main(int argc, char **argv)
{
    demo d = {.options = {.program = "serial_demo", .takes_dir = true}};
    bool good;

    if (!demo_options_parse(&d.options, argc, argv))
        return demo_usage(&d.options, true);
    d.ctx.error = &d.error;
    good = demo_inputs_read(&d.in, &d.options) && run(&d);
    demo_inputs_fini(&d.in);
    if (fflush(stdout) != 0)
        good = false;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
