#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench_options.h"
#include "bench_report.h"
#include "harness.h"
#include "harness_internal.h"

/* A case runs if one of its impls was asked for by name; `raw` alone comes along for the ratios. */
static bool case_selected(const bench_options *o, const bench_case *c)
{
    if (!bench_names_select(&o->cases, c->name))
        return false;
    for (size_t i = 0; c->impls[i]; i++) {
        if (bench_names_select(&o->impls, c->impls[i]->name))
            return true;
    }
    return false;
}

static void list_case(const bench_case *c)
{
    printf("%s\t", c->name);
    for (size_t op = 0; op < BENCH_OPS && c->ops[op]; op++)
        printf("%s%s", op ? "," : "", c->ops[op]);
    printf("\t");
    for (size_t i = 0; c->impls[i]; i++)
        printf("%s%s", i ? "," : "", c->impls[i]->name);
    printf("\n");
}

static bool has_impl(const bench_case *c, const char *name)
{
    for (size_t i = 0; c->impls[i]; i++) {
        if (strcmp(c->impls[i]->name, name) == 0)
            return true;
    }
    return false;
}

/* Every name that was asked for must exist. */
static int check_names(const bench_options *o, const char *program, const bench_case *const *cases,
                       bool speak)
{
    bool found = true;

    for (size_t k = 0; found && k < o->cases.count; k++) {
        found = false;
        for (size_t i = 0; !found && cases[i]; i++)
            found = strcmp(cases[i]->name, o->cases.name[k]) == 0;
        if (!found && speak)
            fprintf(stderr, "%s: no case '%s'; see --list\n", program, o->cases.name[k]);
    }
    for (size_t k = 0; found && k < o->impls.count; k++) {
        found = false;
        for (size_t i = 0; !found && cases[i]; i++)
            found = has_impl(cases[i], o->impls.name[k]);
        if (!found && speak)
            fprintf(stderr, "%s: no impl '%s'; see --list\n", program, o->impls.name[k]);
    }
    return found ? 0 : -1;
}

static int run_selected(const bench_session *s, const bench_case *const *cases)
{
    if (s->peers->rank == 0) {
        bench_report_machine(stdout, s->options->dir, s->fs);
        printf("# run        %d ranks, transport %s, %u samples\n", s->peers->ranks,
               s->peers->transport, s->options->samples);
        bench_report_header(stdout);
        fflush(stdout);
    }
    for (size_t i = 0; cases[i]; i++) {
        if (case_selected(s->options, cases[i]) && bench_run_case(s, cases[i]))
            return -1;
    }
    return 0;
}

static int list_cases(const bench_options *o, const bench_case *const *cases)
{
    for (size_t i = 0; cases[i]; i++) {
        if (case_selected(o, cases[i]))
            list_case(cases[i]);
    }
    return 0;
}

int bench_main(int argc, char **argv, const char *program, const bench_case *const *cases,
               const bench_peers *peers)
{
    bench_options o;
    bench_session s = {.options = &o, .peers = peers};
    bool first = peers->rank == 0;
    int status;

    if (bench_options_parse(argc, argv, program, first, &o))
        return 2;
    if (o.help) {
        if (first)
            bench_options_help(program);
        return 0;
    }
    if (check_names(&o, program, cases, first))
        return 2;
    if (o.list)
        return first ? list_cases(&o, cases) : 0;
    s.fs = bench_fs_name(o.dir);
    s.progress = first && isatty(STDERR_FILENO);
    if (first && o.json)
        s.json = fopen(o.json, "a");
    if (first && o.json && !s.json)
        perror(o.json);
    if (first && access(o.dir, W_OK | X_OK))
        perror(o.dir);
    if (!peers->all(access(o.dir, W_OK | X_OK) == 0 && (!first || !o.json || s.json))) {
        if (s.json)
            fclose(s.json);
        return 2;
    }
    status = run_selected(&s, cases);
    if (s.json && fclose(s.json) && status == 0)
        status = -1;
    return status ? 1 : 0;
}
