#include "metis_header.h"

bool metis_next_row(text *t)
{
    while (text_next_line(t)) {
        if (t->at == t->end || *t->at != '%')
            return true;
    }
    return false;
}

/* The last two numbers, which may be missing. */
static bool read_format(text *t, metis_header *h)
{
    uint64_t format = 0, nweights = 0;

    if (text_more(t) && !text_integer(t, "format", 0, 111, &format))
        return false;
    if (text_more(t) && !text_integer(t, "number of vertex weights", 0, INT32_MAX, &nweights))
        return false;
    if (text_more(t))
        return text_fail(t, "the header has more than four numbers");
    if (format / 10 % 10 > 1 || format % 10 > 1)
        return text_fail(t, "the format %u has a digit other than 0 and 1", (unsigned)format);
    h->has_sizes = format >= 100;
    h->nweights = (uint32_t)nweights;
    h->has_edge_weights = format % 10 == 1;
    if (format / 10 % 10 == 0 && nweights > 0)
        return text_fail(t, "there is a number of vertex weights, but the format has none");
    if (format / 10 % 10 == 1 && nweights == 0)
        h->nweights = 1;
    return true;
}

/* A line takes a byte at least, and a number two. What is too much by a little costs no memory to
 * speak of, and is reported better where the missing number or line should be. */
static bool fits(const metis_header *h, uint64_t bytes)
{
    enum { A_LITTLE = 4096 };
    uint64_t numbers;

    bytes += A_LITTLE;
    if (h->nvertices > bytes || h->nedges > bytes)
        return false;
    numbers = h->nvertices * ((uint64_t)h->has_sizes + h->nweights) +
              h->nedges * 2 * (1 + (uint64_t)h->has_edge_weights);
    return numbers <= bytes / 2;
}

bool metis_header_read(text *t, metis_header *out)
{
    uint64_t nvertices = 0, left;

    if (!metis_next_row(t))
        return text_fail(t, "the file ends before its header");
    if (!text_integer(t, "number of vertices", 0, UINT32_MAX, &nvertices) ||
        !text_integer(t, "number of edges", 0, INT64_MAX, &out->nedges) || !read_format(t, out))
        return false;
    out->nvertices = (uint32_t)nvertices;
    out->line = t->line;
    left = (uint64_t)(t->stop - t->next);
    if (!fits(out, left))
        return text_fail(t, "%llu vertices and %llu edges cannot be in the %llu bytes that follow",
                         (unsigned long long)nvertices, (unsigned long long)out->nedges,
                         (unsigned long long)left);
    return true;
}
