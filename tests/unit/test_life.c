/* Life in other programs: fork, threads, plugins. */
#include "support.h"

#include "city_types.h"
#include "life_types.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

LADE_DECLARE(shared)

enum { THREADS = 8, TURNS = TEST_SANITIZED ? 40 : 200 };

/* The child decodes what the parent encoded, with the parent's context, and goes on encoding. */
static void fork_between_encode_and_decode(void **state)
{
    (void)state;
    lade_context ctx = {0};
    lade_buffer buffer = {0};
    lade_arena *owner = NULL;
    assert_int_equal(lade_encode(city, city_small(), &buffer, &ctx), LADE_OK);
    pid_t child = fork();
    assert_true(child >= 0);
    city *out = NULL;
    lade_status status = lade_decode(city, buffer.data, buffer.size, &out, &owner, &ctx);
    bool good =
        status == LADE_OK && out->ncells == 20 && out->cells[3].paths[1].to == &out->cells[4];
    lade_buffer again = {0};
    good = good && lade_encode(city, out, &again, &ctx) == LADE_OK && again.size == buffer.size &&
           memcmp(again.data, buffer.data, again.size) == 0;
    lade_buffer_fini(&again);
    lade_buffer_fini(&buffer);
    lade_arena_destroy(owner);
    lade_context_fini(&ctx);
    if (child == 0)
        _exit(good ? 0 : 1);
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    assert_true(good);
}

typedef struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    const city *value;
    unsigned number;
    size_t failures;
} worker;

static void *work(void *user)
{
    worker *w = user;
    lade_context ctx = {.interpret = w->number % 2};
    lade_buffer buffer = {0};
    lade_arena *owner = NULL;
    pthread_barrier_wait(w->start);
    for (int turn = 0; turn < TURNS; turn++) {
        city *out = NULL;
        lade_fingerprint f;
        lade_context *mine = w->number % 3 ? &ctx : NULL;
        if (lade_encode(city, w->value, &buffer, mine) != LADE_OK ||
            lade_decode(city, buffer.data, buffer.size, &out, &owner, mine) != LADE_OK ||
            lade_fingerprint_of(&lade_type_city, &f, mine) != LADE_OK || out->cells[5].q != 5 ||
            out->capital != &out->cells[7])
            w->failures++;
        lade_arena_reset(owner);
    }
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    return NULL;
}

/* The same types and the same value at once, from the first use of the types on. */
static void threads_with_contexts_of_their_own(void **state)
{
    (void)state;
    pthread_barrier_t start;
    worker workers[THREADS];
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){.start = &start, .value = city_small(), .number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].failures, 0);
    }
    pthread_barrier_destroy(&start);
}

static const life_plugin *open_plugin(const char *file, void **handle)
{
    *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        fail_msg("%s", dlerror());
    const life_plugin *plugin;
    void *symbol = dlsym(*handle, "life_plugin_table");
    assert_non_null(symbol);
    memcpy(&plugin, &symbol, sizeof plugin);
    return plugin;
}

static void a_plugin_with_an_equal_type(void **state)
{
    (void)state;
    void *handle;
    const life_plugin *plugin = open_plugin(LIFE_PLUGIN_SAME, &handle);
    lade_fingerprint ours;
    lade_fingerprint its;
    assert_true(plugin->type != &lade_type_shared);
    assert_int_equal(lade_fingerprint_of(&lade_type_shared, &ours, NULL), LADE_OK);
    assert_int_equal(lade_fingerprint_of(plugin->type, &its, NULL), LADE_OK);
    assert_true(ours.low == its.low && ours.high == its.high);
    lade_buffer buffer = {0};
    shared *out = NULL;
    lade_arena *owner = NULL;
    int64_t sum = 0;
    assert_int_equal(plugin->save(&buffer, NULL), LADE_OK);
    assert_int_equal(lade_decode(shared, buffer.data, buffer.size, &out, &owner, NULL), LADE_OK);
    assert_true(out->id == 41 && out->next == out && !out->name);
    out->id = 7;
    assert_int_equal(lade_encode(shared, out, &buffer, NULL), LADE_OK);
    assert_int_equal(plugin->load(&buffer, &sum, NULL), LADE_OK);
    assert_int_equal(sum, 8);
    dlclose(handle); /* what was loaded belongs to the arena, not to the plugin */
    assert_true(out->id == 7 && out->next == out);
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
}

static void a_plugin_with_another_type_of_the_same_name(void **state)
{
    (void)state;
    void *handle;
    const life_plugin *plugin = open_plugin(LIFE_PLUGIN_OTHER, &handle);
    lade_error error = {0};
    lade_context ctx = {.error = &error};
    lade_buffer buffer = {0};
    shared *out = NULL;
    lade_arena *owner = NULL;
    int64_t sum = 0;
    assert_int_equal(plugin->save(&buffer, &ctx), LADE_OK);
    assert_int_equal(plugin->load(&buffer, &sum, &ctx), LADE_OK);
    assert_int_equal(sum, 42);
    assert_status(lade_decode(shared, buffer.data, buffer.size, &out, &owner, &ctx), LADE_ERR_TYPE);
    assert_true(!out && !owner);
    assert_non_null(strstr(error.message, "shared"));
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    dlclose(handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fork_between_encode_and_decode),
        cmocka_unit_test(threads_with_contexts_of_their_own),
        cmocka_unit_test(a_plugin_with_an_equal_type),
        cmocka_unit_test(a_plugin_with_another_type_of_the_same_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
