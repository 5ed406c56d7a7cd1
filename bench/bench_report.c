#include "bench_report.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 256 };

static const struct {
    uint32_t magic; /* f_type of statfs(2) */
    const char *name;
} filesystems[] = {
    {0x01021994, "tmpfs"},     {0x0000EF53, "ext4"},   {0x58465342, "xfs"},  {0x9123683E, "btrfs"},
    {0x794C7630, "overlayfs"}, {0x00006969, "nfs"},    {0x2FC12FC1, "zfs"},  {0x0BD00BD0, "lustre"},
    {0x47504653, "gpfs"},      {0x19830326, "beegfs"}, {0xF2F52010, "f2fs"}, {0x01021997, "9p"},
    {0x65735546, "fuse"},      {0x858458F6, "ramfs"},
};

const char *bench_fs_name(const char *dir)
{
    struct statfs info;

    if (statfs(dir, &info))
        return "unknown";
    for (size_t i = 0; i < sizeof filesystems / sizeof filesystems[0]; i++) {
        if ((uint32_t)info.f_type == filesystems[i].magic)
            return filesystems[i].name;
    }
    return "unknown";
}

/* The text after the first ": " of the first line of `file` that begins with `key`. */
static void find_line(const char *file, const char *key, char *out, size_t size)
{
    char line[LINE_MAX_BYTES];
    FILE *from = fopen(file, "r");

    snprintf(out, size, "unknown");
    if (!from)
        return;
    while (fgets(line, sizeof line, from)) {
        const char *text = strstr(line, ": ");

        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        text = text ? text + 2 : line;
        snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
        break;
    }
    fclose(from);
}

/* The chosen word of a line such as "always [madvise] never". */
static void find_thp(char *out, size_t size)
{
    char line[LINE_MAX_BYTES];
    const char *word;

    find_line("/sys/kernel/mm/transparent_hugepage/enabled", "", line, sizeof line);
    word = strchr(line, '[');
    word = word ? word + 1 : line;
    snprintf(out, size, "%.*s", (int)strcspn(word, "]"), word);
}

void bench_report_machine(FILE *to, const char *dir, const char *fs)
{
    char cpu[LINE_MAX_BYTES], thp[LINE_MAX_BYTES];
    struct utsname name;
    double gib = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * 0x1p-30;
#if defined(__clang__)
    const char *compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    const char *compiler = "gcc " __VERSION__;
#else
    const char *compiler = "unknown";
#endif

    find_line("/proc/cpuinfo", "model name", cpu, sizeof cpu);
    find_thp(thp, sizeof thp);
    fprintf(to, "# processor  %s, %ld cores, %.1f GiB of memory\n", cpu,
            sysconf(_SC_NPROCESSORS_ONLN), gib);
    if (uname(&name) == 0)
        fprintf(to, "# system     %s %s %s; compiler %s\n", name.sysname, name.release,
                name.machine, compiler);
    fprintf(to, "# files      %s on %s; transparent huge pages: %s\n", dir, fs, thp);
}

void bench_report_header(FILE *to)
{
    fprintf(to, "%-20s %-14s %-8s %9s %9s %10s %10s %7s %7s\n", "case", "impl", "op", "n", "MB",
            "median ms", "min ms", "GB/s", "ratio");
}

/* Digits behind the point: small things are bytes and nanoseconds. */
static int digits_of(double x)
{
    return x < 0.01 ? 6 : 3;
}

void bench_report_row(FILE *to, const bench_result *r)
{
    double megabytes = (double)r->bytes * 1e-6;
    double ms = r->seconds_median * 1e3;
    int digits = digits_of(ms);

    fprintf(to, "%-20s %-14s %-8s %9" PRIu64 " %9.*f %10.*f %10.*f %7.2f ", r->case_name, r->impl,
            r->op, r->n, digits_of(megabytes), megabytes, digits, ms, digits, r->seconds_min * 1e3,
            (double)r->bytes * 1e-9 / r->seconds_median);
    if (isnan(r->ratio))
        fprintf(to, "%7s\n", "-");
    else
        fprintf(to, "%7.3f\n", r->ratio);
}

int bench_report_json(FILE *to, const bench_result *r)
{
    char ratio[32] = "null";

    if (!isnan(r->ratio))
        snprintf(ratio, sizeof ratio, "%.4f", r->ratio);
    fprintf(to,
            "{\"case\":\"%s\",\"impl\":\"%s\",\"op\":\"%s\",\"ranks\":%d,\"n\":%" PRIu64
            ",\"bytes\":%" PRIu64 ",\"seconds_median\":%.9g,\"seconds_min\":%.9g"
            ",\"ratio_to_raw\":%s,\"transport\":\"%s\",\"fs\":\"%s\"}\n",
            r->case_name, r->impl, r->op, r->ranks, r->n, r->bytes, r->seconds_median,
            r->seconds_min, ratio, r->transport, r->fs);
    return fflush(to) || ferror(to) ? -1 : 0;
}
