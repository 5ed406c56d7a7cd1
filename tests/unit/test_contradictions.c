/* Descriptions whose fields fit their struct, and yet contradict themselves. */
#include "support.h"

#include <stdlib.h>

/* clang-format off */
typedef struct { double x; int32_t y; } point;
LADE_STRUCT(point, (value, x), (value, y))
typedef struct { double *v; uint32_t n; } listed;
LADE_STRUCT(listed, (vector, v, n), (value, n))
typedef struct { point *p; uint32_t n; point *best; } pooled;
LADE_STRUCT(pooled, (pool, p, n, point), (ref, best, point))
typedef struct { pooled in; } by_value;
LADE_STRUCT(by_value, (record, in, pooled))
typedef struct { pooled *v; uint32_t n; } in_vector;
LADE_STRUCT(in_vector, (vector, v, n, pooled))
typedef struct { pooled *v; } in_optional;
LADE_STRUCT(in_optional, (optional, v, pooled))
typedef struct { by_value *v; } in_ref;
LADE_STRUCT(in_ref, (ref, v, by_value))
/* clang-format on */

/* clang-format on */

static void counts_are_not_listed(void **state)
{
    (void)state;
    support_refused(&lade_type_listed, "listed.n");
    assert_int_equal(support_accepted, 0);
}

static void pools_stand_in_the_root(void **state)
{
    (void)state;
    support_refused(&lade_type_in_vector, "in_vector.v");
    support_refused(&lade_type_in_optional, "in_optional.v");
    support_refused(&lade_type_in_ref, "in_ref.v");
    point p[3] = {{1, 1}, {2, 2}, {3, 3}};
    const by_value in = {{p, 3, &p[2]}};
    lade_arena *owner = NULL;
    const by_value *out = ROUND_TRIP(by_value, &in, &owner);
    assert_ptr_equal(out->in.best, &out->in.p[2]);
    lade_arena_destroy(owner);
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_buffer buffer = {0};
    pooled array[2] = {{0}};
    size_t n = 2;
    assert_status(lade_encode_records(pooled, array, 1, &n, &buffer, &ctx), LADE_ERR_DESCRIPTION);
    assert_non_null(strstr(error.message, "pooled"));
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    assert_int_equal(support_accepted, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(counts_are_not_listed, support_nothing_accepted),
        cmocka_unit_test_setup(pools_stand_in_the_root, support_nothing_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
