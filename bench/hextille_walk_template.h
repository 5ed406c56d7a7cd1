/*
 * The walk of a scattered hextille, breadth first from the centre, which writes each cell as it
 * gets its turn and gives ids in the order of discovery. Include it with WALK_NAME and WALK_TABLE
 * defined, the latter as the prefix of the functions of a table in hextille_table.h; the table is
 * `s->WALK_MEMBER`.
 *
 * A cell that is found waits for a whole ring of cells, long enough to leave the caches; what its
 * turn needs is therefore fetched a few cells ahead, in three stages: the cell, its paths, the
 * table entries of their targets.
 */
#define WALK_JOIN_(a, b) a##b
#define WALK_JOIN(a, b) WALK_JOIN_(a, b)
#define WALK_CALL(verb) WALK_JOIN(WALK_TABLE, verb)

static int WALK_NAME(scattered_state *s, const hex *centre, hexflat_header *h)
{
    uint32_t count = 1;

    WALK_CALL(_start)(&s->WALK_MEMBER);
    WALK_CALL(_find)(&s->WALK_MEMBER, centre, 0);
    s->queue[0] = centre;
    for (uint32_t i = 0; i < count; i++) {
        const hex *c = s->queue[i];
        const path *e = c->paths, *end = e + c->npaths;
        uint8_t *p;

        if (i + AHEAD_CELL < count)
            __builtin_prefetch(s->queue[i + AHEAD_CELL]);
        if (i + AHEAD_PATHS < count)
            prefetch_paths(s->queue[i + AHEAD_PATHS]);
        if (i + AHEAD_TARGETS < count) {
            const hex *later = s->queue[i + AHEAD_TARGETS];

            for (uint32_t k = 0; k < later->npaths; k++)
                WALK_CALL(_prefetch)(&s->WALK_MEMBER, later->paths[k].to);
        }
        p = walk_room(s, c, count);
        if (!p || WALK_RESERVE(&s->WALK_MEMBER, count + c->npaths))
            return -1;
        p = hexflat_put_cell(p, c);
        h->npaths += c->npaths;
        for (; e < end; e++) {
            uint32_t id = HEXFLAT_NULL;

            if (e->to) {
                id = WALK_CALL(_find)(&s->WALK_MEMBER, e->to, count);
                if (id == HEXFLAT_NULL)
                    return -1;
                if (id == count)
                    s->queue[count++] = e->to;
            }
            p = hexflat_put_path(p, id, e);
        }
        s->sink.used = (size_t)(p - s->sink.base);
    }
    h->ncells = count;
    return 0;
}

#undef WALK_CALL
#undef WALK_JOIN
#undef WALK_JOIN_
#undef WALK_RESERVE
#undef WALK_MEMBER
#undef WALK_TABLE
#undef WALK_NAME
