#include "graph_types.h"

/* clang-format off */
LADE_STRUCT(node, (value, id), (ref, next, node), (ref, other, node), (text, name))
LADE_STRUCT(author, (text, name), (ref, first, book))
LADE_STRUCT(book, (value, year), (ref, by, author))
LADE_STRUCT(spot, (value, x), (value, y))
LADE_STRUCT(link_to, (ref, to, node), (value, cost))
LADE_STRUCT(mesh,
    (pool, nodes, nnodes, node), (pool, more, nmore, node), (pool, weights, nweights),
    (vector, links, nlinks, link_to), (ref, top, node), (ref, last, node), (ref, best, double),
    (ref, outside, spot))
LADE_STRUCT(holder, (ref, d, double), (ref, s, spot))
LADE_STRUCT(bag, (vector, h, n, holder))
LADE_STRUCT(item, (record, place, spot), (text, name))
LADE_STRUCT(album,
    (record, first, item), (record, by_value, spot), (vector, dense, ndense, spot),
    (vector, items, nitems, item), (optional, maybe, item), (optional, maybe_dense, spot),
    (record, in, item), (ref, to_spot, spot), (ref, to_item, item), (ref, to_double, double))
LADE_STRUCT(inner, (value, a), (ref, self, inner))
LADE_STRUCT(outer, (record, first, inner), (ref, self, outer), (ref, inside, inner))
/* clang-format on */
