/* The list of golden files, and those that are about commits. */
#include "golden.h"

#include "../unit/support.h"

static lade_status write_nothing(lade_file *f)
{
    (void)f;
    return LADE_OK;
}

static void check_nothing(lade_file *f)
{
    assert_int_equal(lade_file_count(f), 0);
    assert_null(lade_file_name(f, 0));
}

static lade_status put_ints(lade_file *f, const char *name, int32_t first)
{
    int32_t ints[] = {first, first + 1, first + 2};
    return lade_file_put_array(f, name, &ints[0], 1, ((size_t[]){3}));
}

static lade_status first_commit(lade_file *f)
{
    lade_status s = put_ints(f, "b", 1);
    return s ? s : put_ints(f, "a", 10);
}

static lade_status second_commit(lade_file *f)
{
    lade_status s = put_ints(f, "c", 20);
    return s ? s : put_ints(f, "a", 30);
}

static lade_status third_commit(lade_file *f)
{
    return put_ints(f, "a", 40);
}

static void check_commits(lade_file *f)
{
    static const char *const names[] = {"a", "b", "c"};
    static const int32_t first[] = {40, 1, 20};
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_count(f), 3);
    for (size_t i = 0; i < 3; i++) {
        int32_t *ints;
        size_t n;
        assert_string_equal(lade_file_name(f, i), names[i]);
        assert_int_equal(lade_file_get_array(f, names[i], &ints, 1, &n, &owner), LADE_OK);
        assert_true(n == 3 && ints[0] == first[i] && ints[2] == first[i] + 2);
    }
    lade_arena_destroy(owner);
}

static lade_status write_unchecked(lade_file *f)
{
    lade_status s = golden_write_arrays(f);
    return s ? s : golden_write_texts(f);
}

static void check_unchecked(lade_file *f)
{
    golden_check_arrays(f);
    golden_check_texts(f);
}

const golden golden_files[] = {
    {"arrays", false, false, NULL, golden_write_arrays, {0}, golden_check_arrays},
    {"commits", false, false, NULL, first_commit, {second_commit, third_commit}, check_commits},
    {"customs", false, true, NULL, golden_write_customs, {0}, golden_check_customs},
    {"deferred", false, false, NULL, golden_write_deferred, {0}, golden_check_deferred},
    {"empty", false, false, NULL, write_nothing, {0}, check_nothing},
    {"externals",
     false,
     true,
     &golden_externals,
     golden_write_externals,
     {0},
     golden_check_externals},
    {"frames", false, false, NULL, golden_write_frames, {0}, golden_check_frames},
    {"grids", false, true, NULL, golden_write_grids, {0}, golden_check_grids},
    {"known", false, true, NULL, golden_write_known, {0}, golden_check_known},
    {"neighbours", false, false, NULL, golden_write_neighbours, {0}, golden_check_neighbours},
    {"no_crc", true, false, NULL, write_unchecked, {0}, check_unchecked},
    {"pointers", false, true, NULL, golden_write_pointers, {0}, golden_check_pointers},
    {"pools", false, false, NULL, golden_write_pools, {0}, golden_check_pools},
    {"reals128", false, true, NULL, golden_write_reals128, {0}, golden_check_reals128},
    {"records", false, false, NULL, golden_write_records, {0}, golden_check_records},
    {"roots", false, true, NULL, golden_write_roots, {0}, golden_check_roots},
    {"sequences", false, true, NULL, golden_write_sequences, {0}, golden_check_sequences},
    {"table", false, false, NULL, golden_write_table, {0}, golden_check_table},
    {"texts", false, false, NULL, golden_write_texts, {0}, golden_check_texts},
    {"values", false, false, NULL, golden_write_values, {0}, golden_check_values},
    {"variants", false, true, NULL, golden_write_variants, {0}, golden_check_variants},
    {"vectors", false, false, NULL, golden_write_vectors, {0}, golden_check_vectors},
    {"versions", false, true, NULL, golden_write_versions, {0}, golden_check_versions},
};
const size_t golden_count = sizeof golden_files / sizeof *golden_files;

lade_status golden_write(const golden *g, const char *path)
{
    lade_file *f;
    lade_context ctx = {.no_crc = g->no_crc, .externals = g->externals};
    lade_status status = lade_file_create(path, &f, &ctx);
    if (status != LADE_OK)
        return status;
    status = g->write(f);
    if (status == LADE_OK)
        status = lade_file_commit(f);
    for (size_t i = 0; i < 2 && g->append[i] && status == LADE_OK; i++) {
        status = g->append[i](f);
        if (status == LADE_OK)
            status = lade_file_commit(f);
    }
    lade_status closed = lade_file_close(f);
    lade_context_fini(&ctx);
    return status ? status : closed;
}
