/* Hostile messages of every kind of field: cut, changed byte by byte, with hostile numbers, and with parts
 * missing, doubled or in another order. What a load promises is checked by trial.h. */
#include "support.h"

#include "../hostile/mutate.h"
#include "../hostile/trial.h"
#include "kind_types.h"
#include "random_types.h"

#include <lade/backend.h>

#include <stdlib.h>

/* Parts are changed at random so many times for each message; random types. */
enum {
    PART_ROUNDS = TEST_SANITIZED ? 300 : 3000,
    TYPE_ROUNDS = TEST_SANITIZED ? 20 : 150,
    BUDGET = 40
};

static uint64_t seed;

/* A message under attack. */
typedef struct victim {
    trial_place *place;
    lade_buffer message; /* bare, or with its header */
    size_t head, skeleton;
    uint8_t *hostile; /* room for what becomes of it */
    bool bare;
    size_t refused;
} victim;

static void victim_init(victim *v, trial_place *place, bool bare)
{
    lade_buffer message = {0};
    lade_context ctx = {.externals = &kind_externals};
    const specimen *s = place->s;
    assert_int_equal(
        s->rank ? lade_encode_array_as(s->type, place->value, s->rank, s->extents, &message, &ctx)
                : lade_encode_as(s->type, place->value, &message, &ctx),
        LADE_OK);
    *v = (victim){.place = place, .bare = bare, .head = bare ? 0 : LADE_MESSAGE_HEADER};
    v->skeleton = (size_t)lade_priv_load64(message.data + 24);
    if (bare) {
        message.size -= LADE_MESSAGE_HEADER;
        memmove(message.data, message.data + LADE_MESSAGE_HEADER, message.size);
    }
    v->message = message;
    v->hostile = malloc(message.size + MUTATE_ROOM + 64);
    assert_non_null(v->hostile);
    lade_context_fini(&ctx);
}

static void victim_fini(victim *v)
{
    lade_buffer_fini(&v->message);
    free(v->hostile);
}

/* Loads `size` bytes of v->hostile into new and existing memory, by surrogate and plan. */
static void attack(victim *v, size_t size, const char *what, size_t at, unsigned k)
{
    for (unsigned m = 0; m < 4; m++) {
        lade_status status;
        trial_mode mode = {.bare = v->bare, .interpret = m % 2, .into = m / 2};
        const char *wrong = trial_message(v->place, mode, v->hostile, size, &status);
        v->refused += status != LADE_OK;
        if (wrong)
            fail_msg("%s, %s%s%s: %s %zu, %u: %s (%s)", v->place->s->name,
                     mode.bare ? "bare, " : "", mode.interpret ? "plan, " : "surrogate, ",
                     mode.into ? "into" : "new", what, at, k, wrong, lade_status_name(status));
    }
}

/* The header says how long the skeleton has become. */
static void attack_resized(victim *v, size_t size, const char *what, size_t at, unsigned k)
{
    if (v->head)
        lade_priv_store64(v->hostile + 24, v->skeleton + size - v->message.size);
    attack(v, size, what, at, k);
}

static void cut_at_every_byte(victim *v)
{
    memcpy(v->hostile, v->message.data, v->message.size);
    size_t step = 1;
    for (size_t cut = 0; cut < v->message.size; cut += step) {
        lade_status status;
        attack(v, cut, "cut at", cut, 0);
        (void)trial_message(v->place, (trial_mode){.bare = v->bare}, v->hostile, cut, &status);
        assert_status(status, LADE_ERR_TRUNCATED);
        step = cut > v->head + v->skeleton + 70 ? 61 : 1; /* in content all bytes are alike */
    }
}

static void change_every_byte(victim *v)
{
    memcpy(v->hostile, v->message.data, v->message.size);
    for (size_t at = 0; at < v->message.size; at++) {
        bool content = at >= v->head + v->skeleton;
        uint8_t old = v->hostile[at];
        for (unsigned k = TEST_SANITIZED ? 4 : 0; k < MUTATE_BYTES; k++) {
            v->hostile[at] = mutate_byte(old, k);
            attack(v, v->message.size, "byte", at, k);
        }
        v->hostile[at] = old;
        at += content ? 96 : 0;
    }
}

static void change_every_number(victim *v, size_t step)
{
    for (size_t at = v->head; at < v->head + v->skeleton && at < v->head + 4096; at += step)
        for (unsigned k = 0; k < MUTATE_NUMBERS; k++) {
            size_t size = mutate_varint(v->hostile, v->message.data, v->message.size, at, k);
            if (size)
                attack_resized(v, size, "number at", at, k);
        }
    for (size_t at = v->head; at < v->head + v->skeleton && at < v->head + 4096; at += step)
        for (unsigned k = 0; k < MUTATE_ELEMENTS; k++) {
            size_t size = mutate_element(v->hostile, v->message.data, v->message.size, at, k);
            if (size)
                attack_resized(v, size, "element behind", at, k);
        }
    for (size_t at = 0; at + 8 <= v->head; at += 8) /* of the header */
        for (unsigned k = 0; k < MUTATE_NUMBERS; k++) {
            memcpy(v->hostile, v->message.data, v->message.size);
            lade_priv_store64(v->hostile + at, mutate_number(lade_priv_load64(v->hostile + at), k));
            attack(v, v->message.size, "number of the header at", at, k);
        }
}

static void change_parts(victim *v, unsigned rounds)
{
    uint64_t random = seed;
    memcpy(v->hostile, v->message.data, v->head);
    for (unsigned k = 0; k < rounds && v->skeleton; k++) {
        size_t size =
            mutate_parts(v->hostile + v->head, v->message.data + v->head, v->skeleton, &random);
        size_t content = v->message.size - v->head - v->skeleton;
        memcpy(v->hostile + v->head + size, v->message.data + v->head + v->skeleton, content);
        attack_resized(v, v->head + size + content, "parts, round", k, 0);
    }
}

static void each_victim(void (*run)(victim *v))
{
    for (size_t i = 0; i < 2 * specimen_count; i++) {
        trial_place place;
        victim v;
        trial_place_init(&place, &specimens[i / 2]);
        victim_init(&v, &place, i % 2);
        run(&v);
        victim_fini(&v);
        trial_place_fini(&place);
    }
}

static void honest(victim *v)
{
    memcpy(v->hostile, v->message.data, v->message.size);
    attack(v, v->message.size, "honest", 0, 0);
    assert_int_equal(v->refused, 0);
}

static void honest_messages(void **state)
{
    (void)state;
    each_victim(honest);
}

static void every_cut(void **state)
{
    (void)state;
    each_victim(cut_at_every_byte);
}

static void every_byte(void **state)
{
    (void)state;
    each_victim(change_every_byte);
}

static void every_number_of(victim *v)
{
    change_every_number(v, TEST_SANITIZED ? 3 : 1);
}

static void every_number(void **state)
{
    (void)state;
    each_victim(every_number_of);
}

static void parts_of(victim *v)
{
    change_parts(v, PART_ROUNDS / 10);
}

static void parts_missing_doubled_swapped(void **state)
{
    (void)state;
    each_victim(parts_of);
}

static void random_types_under_attack(void **state)
{
    (void)state;
    uint64_t random = seed;
    for (int round = 0; round < TYPE_ROUNDS; round++) {
        random_types types;
        random_values values;
        random_types_make(&types, test_random(&random));
        void *value = random_values_make(&values, &types, BUDGET);
        specimen s = {.name = "random type", .type = &types.types[0]};
        lade_context ctx = {.bare = true};
        trial_place place = {.s = &s, .value = value};
        victim v;
        assert_int_equal(lade_encode_as(s.type, value, &place.honest, &ctx), LADE_OK);
        victim_init(&v, &place, round % 2);
        honest(&v);
        change_every_number(&v, 1 + v.skeleton / 40);
        change_parts(&v, 60);
        victim_fini(&v);
        lade_buffer_fini(&place.honest);
        lade_context_fini(&ctx);
        random_values_free(&values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_messages),
        cmocka_unit_test(every_cut),
        cmocka_unit_test(every_byte),
        cmocka_unit_test(every_number),
        cmocka_unit_test(parts_missing_doubled_swapped),
        cmocka_unit_test(random_types_under_attack),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
