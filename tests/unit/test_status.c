#include "support.h"

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    for (int s = 0; s < LADE_STATUS_COUNT; s++) {
        const char *name = lade_status_name((lade_status)s);
        assert_int_equal(strncmp(name, "LADE_", 5), 0);
        assert_true(strlen(lade_status_string((lade_status)s)) > 5);
        for (int other = 0; other < s; other++) {
            assert_string_not_equal(name, lade_status_name((lade_status)other));
            assert_string_not_equal(lade_status_string((lade_status)s),
                                    lade_status_string((lade_status)other));
        }
    }
    assert_string_equal(lade_status_name(LADE_OK), "LADE_OK");
    assert_string_equal(lade_status_name(LADE_ERR_TYPE), "LADE_ERR_TYPE");
    assert_string_equal(lade_status_string(LADE_OK), "success");
}

static void the_numbers_never_change(void **state)
{
    (void)state;
    static const lade_status in_order[] = {LADE_OK,
                                           LADE_ERR_ARGUMENT,
                                           LADE_ERR_MEMORY,
                                           LADE_ERR_SPACE,
                                           LADE_ERR_DESCRIPTION,
                                           LADE_ERR_TYPE,
                                           LADE_ERR_NOT_FOUND,
                                           LADE_ERR_EXISTS,
                                           LADE_ERR_FORMAT,
                                           LADE_ERR_VERSION,
                                           LADE_ERR_TRUNCATED,
                                           LADE_ERR_TAIL,
                                           LADE_ERR_CHECKSUM,
                                           LADE_ERR_VALUE,
                                           LADE_ERR_RANGE,
                                           LADE_ERR_REFERENCE,
                                           LADE_ERR_INTERIOR,
                                           LADE_ERR_SHAPE,
                                           LADE_ERR_LIMIT,
                                           LADE_ERR_IO,
                                           LADE_ERR_NO_SPACE,
                                           LADE_ERR_PERMISSION,
                                           LADE_ERR_NO_FILE,
                                           LADE_ERR_MPI,
                                           LADE_ERR_STATE};
    for (size_t i = 0; i < COUNT_OF(in_order); i++)
        assert_int_equal(in_order[i], i);
    assert_true(LADE_STATUS_COUNT >= (int)COUNT_OF(in_order));
}

static void numbers_that_are_no_status(void **state)
{
    (void)state;
    static const int numbers[] = {-1, LADE_STATUS_COUNT, LADE_STATUS_COUNT + 1, 1000000};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        assert_string_equal(lade_status_string((lade_status)numbers[i]), "unknown status");
        assert_string_equal(lade_status_name((lade_status)numbers[i]), "LADE_ERR_?");
    }
}

/* A success leaves the report alone, a failure fills all of it. */
static void reports(void **state)
{
    (void)state;
    lade_error error;
    memset(&error, 0x33, sizeof error);
    const lade_error before = error;
    lade_context ctx = {.error = &error};
    lade_fingerprint f;
    assert_int_equal(lade_fingerprint_of(&lade_scalar_f64, &f, &ctx), LADE_OK);
    assert_memory_equal(&error, &before, sizeof error);
    assert_int_equal(lade_fingerprint_of(NULL, &f, &ctx), LADE_ERR_ARGUMENT);
    assert_int_equal(error.status, LADE_ERR_ARGUMENT);
    assert_int_equal(error.cause, 0);
    assert_int_equal(error.rank, -1);
    assert_true(error.offset == UINT64_MAX);
    assert_string_equal(error.entry, "");
    assert_string_equal(error.path, "");
    assert_non_null(strstr(error.message, "NULL"));
    lade_context_fini(&ctx);
    lade_context_fini(&ctx);
    lade_context_fini(NULL);
    assert_true(strlen(lade_version_string()) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_text),
        cmocka_unit_test(the_numbers_never_change),
        cmocka_unit_test(numbers_that_are_no_status),
        cmocka_unit_test(reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
