/* Dictionaries by the ready adaptors. */
#include <stdio.h>
#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include <lade/map.h>

#include "support.h"

typedef struct {
    int32_t key[2];
    double *samples;
    uint32_t n;
} place;
typedef struct {
    place *data;
    uint16_t count;
} places;

static int by_key(const place *a, const place *b)
{
    return memcmp(a->key, b->key, sizeof a->key);
}

typedef struct word word;
struct word {
    char *text;
    word *opposite; /* a ref: entries may be in a graph */
    int64_t uses;
    UT_hash_handle hh;
};
typedef struct number {
    uint64_t id;
    char name[8];
    UT_hash_handle by_id;
} number;
typedef struct {
    places map;
    word *words;
    number *numbers;
    word *best;
    int32_t refuse; /* after_load fails with it */
} atlas;

static lade_status refuse(atlas *a, void *user)
{
    (void)user;
    return a->refuse ? LADE_ERR_STATE : LADE_OK;
}

LADE_STRUCT(place, (value, key), (vector, samples, n))
LADE_STRUCT(word, (text, text), (value, uses))
LADE_STRUCT(number, (value, id), (fixed_text, name))
LADE_SORTED_ARRAY(places_map, places, place, data, count, by_key)
LADE_UTHASH(words_map, word, hh, e->text, strlen(e->text))
LADE_UTHASH(numbers_map, number, by_id, &e->id, sizeof e->id)
LADE_STRUCT(atlas, (after_load, refuse), (map, map, places_map, place),
            (map, words, words_map, word), (map, numbers, numbers_map, number), (value, refuse))

static atlas *atlas_make(size_t size)
{
    atlas *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->map.count = (uint16_t)size;
    a->map.data = size ? calloc(size, sizeof *a->map.data) : NULL;
    for (size_t i = 0; i < size; i++) {
        char text[32];
        a->map.data[i] = (place){{0, (int32_t)(i << 24)}, NULL, 0};
        word *w = calloc(1, sizeof *w);
        number *n = calloc(1, sizeof *n);
        assert_true(w && n);
        snprintf(text, sizeof text, "word %zu", i * 7919);
        w->text = strdup(text);
        w->uses = (int64_t)i;
        HASH_ADD_KEYPTR(hh, a->words, w->text, strlen(w->text), w);
        n->id = i * i;
        HASH_ADD(by_id, a->numbers, id, sizeof n->id, n);
    }
    return a;
}

static void atlas_free(atlas *a)
{
    word *w;
    word *next_word;
    number *n;
    number *next_number;
    HASH_ITER(hh, a->words, w, next_word)
    {
        HASH_DEL(a->words, w);
        free(w->text);
        free(w);
    }
    HASH_ITER(by_id, a->numbers, n, next_number)
    {
        HASH_DELETE(by_id, a->numbers, n);
        free(n);
    }
    free(a->map.data);
    free(a);
}

static void check(const atlas *a, size_t size)
{
    char text[32];
    assert_int_equal(a->map.count, size);
    assert_int_equal(HASH_COUNT(a->words), size);
    assert_int_equal(HASH_CNT(by_id, a->numbers), size);
    for (size_t i = 0; i < size; i++) {
        word *w;
        number *n;
        uint64_t id = i * i;
        snprintf(text, sizeof text, "word %zu", i * 7919);
        HASH_FIND(hh, a->words, text, strlen(text), w);
        HASH_FIND(by_id, a->numbers, &id, sizeof id, n);
        assert_true(w && n && w->uses == (int64_t)i && n->id == id);
    }
}

static void sorted_arrays_and_hash_tables(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 15, 100};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (int interpret = 0; interpret < 2; interpret++) {
            lade_error error;
            lade_context ctx = {.error = &error, .interpret = interpret};
            lade_buffer first = {0};
            lade_buffer second = {0};
            lade_arena *owner = test_dirty_arena();
            atlas *made = atlas_make(sizes[i]);
            atlas *loaded;
            assert_ok(lade_encode(atlas, made, &first, &ctx), &error);
            assert_ok(lade_decode(atlas, first.data, first.size, &loaded, &owner, &ctx), &error);
            check(loaded, sizes[i]);
            assert_ok(lade_encode(atlas, loaded, &second, &ctx), &error);
            assert_int_equal(first.size, second.size);
            assert_memory_equal(first.data, second.data, first.size);
            /* in place, with other keys of the same length */
            for (size_t k = 0; k < second.size && sizes[i] > 1; k++)
                if (memcmp(second.data + k, "word 7919", 9) == 0)
                    memcpy(second.data + k, "worm 7919", 9);
            assert_ok(lade_decode_into(atlas, first.data, first.size, loaded, &ctx), &error);
            check(loaded, sizes[i]);
            assert_ok(lade_decode_into(atlas, second.data, second.size, loaded, &ctx), &error);
            word *w;
            HASH_FIND(hh, loaded->words, "worm 7919", 9, w);
            assert_true((w != NULL) == (sizes[i] > 1));
            HASH_CLEAR(hh, loaded->words);
            HASH_CLEAR(by_id, loaded->numbers);
            lade_buffer_fini(&first);
            lade_buffer_fini(&second);
            lade_arena_destroy(owner);
            lade_context_fini(&ctx);
            atlas_free(made);
        }
}

static void refused(atlas *a, lade_status status)
{
    lade_error error;
    lade_context ctx = {.error = &error};
    lade_buffer buffer = {0};
    lade_arena *owner = NULL;
    atlas *loaded = NULL;
    assert_ok(lade_encode(atlas, a, &buffer, &ctx), &error);
    assert_status(lade_decode(atlas, buffer.data, buffer.size, &loaded, &owner, &ctx), status);
    assert_null(loaded);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
}

/* A sanitizer sees the tables that a failing load would leave. */
static void failing_loads_leave_no_tables(void **state)
{
    (void)state;
    atlas *a = atlas_make(5);
    a->refuse = 1;
    refused(a, LADE_ERR_STATE);
    a->refuse = 0;
    a->numbers->id = 16; /* as another one */
    refused(a, LADE_ERR_VALUE);
    atlas_free(a);
}

static void entries_out_of_order_are_refused(void **state)
{
    (void)state;
    atlas *a = atlas_make(3);
    a->map.data[2].key[1] = a->map.data[1].key[1];
    refused(a, LADE_ERR_VALUE);
    atlas_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_arrays_and_hash_tables),
        cmocka_unit_test(failing_loads_leave_no_tables),
        cmocka_unit_test(entries_out_of_order_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
