/* References to scalars and dense records outside pools: each object is a run of its own
 * (FORMAT.md, 4.4), wherever the objects stand in memory. */
#include "support.h"

#include <stdlib.h>

/* clang-format off */
typedef struct { double x, y; } dense;
typedef struct { double *real; dense *record; } both;
typedef struct { both *all; size_t n; } many_refs;
typedef struct { double part[300]; } heavy_part; /* two neighbours pass the content limit */
typedef struct { heavy_part *a, *b, *c; } three_parts;
LADE_STRUCT(dense, (value, x), (value, y))
LADE_STRUCT(both, (ref, real, double), (ref, record, dense))
LADE_STRUCT(many_refs, (vector, all, n, both))
LADE_STRUCT(heavy_part, (value, part))
LADE_STRUCT(three_parts, (ref, a, heavy_part), (ref, b, heavy_part), (ref, c, heavy_part))
/* clang-format on */

enum { MOST = 3000 };
static double reals[2 * MOST];
static dense records[2 * MOST];
static both pairs[MOST];

/* n pairs of references to objects `stride` elements apart. */
static many_refs make(size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i++) {
        reals[i * stride] = (double)i;
        records[i * stride] = (dense){(double)i, -(double)i};
        pairs[i] = (both){&reals[i * stride], &records[i * stride]};
    }
    return (many_refs){pairs, n};
}

static void neighbours_reload(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 100, 255, 256, 511, 512, 513, 1024, MOST};
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (size_t stride = 1; stride <= 2; stride++) {
            many_refs m = make(counts[i], stride);
            lade_arena *owner = NULL;
            many_refs *is = ROUND_TRIP(many_refs, &m, &owner);
            for (size_t k = 0; k < counts[i]; k++)
                assert_true(*is->all[k].real == (double)k && is->all[k].record->y == -(double)k);
            lade_arena_destroy(owner);
        }
}

static void bytes_do_not_depend_on_where_objects_stand(void **state)
{
    (void)state;
    lade_buffer near = {0};
    lade_buffer far = {0};
    many_refs m = make(MOST, 1);
    assert_int_equal(lade_encode(many_refs, &m, &near, NULL), LADE_OK);
    m = make(MOST, 2);
    assert_int_equal(lade_encode(many_refs, &m, &far, NULL), LADE_OK);
    assert_int_equal(near.size, far.size);
    assert_memory_equal(near.data, far.data, near.size);
    lade_buffer_fini(&near);
    lade_buffer_fini(&far);
}

static void heavy_neighbours_reload(void **state)
{
    (void)state;
    static heavy_part parts[3];
    for (int i = 0; i < 3; i++)
        parts[i].part[299] = i;
    lade_arena *owner = NULL;
    three_parts t = {&parts[0], &parts[1], &parts[2]};
    three_parts *is = ROUND_TRIP(three_parts, &t, &owner);
    assert_true(is->a->part[299] == 0 && is->b->part[299] == 1 && is->c->part[299] == 2);
    lade_arena_destroy(owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_reload),
        cmocka_unit_test(bytes_do_not_depend_on_where_objects_stand),
        cmocka_unit_test(heavy_neighbours_reload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
