/* One type saved in four ways: by generated code, by its description at run time, by generated code with
 * hooks, and by functions of its own. Usage: techniques [NUMBER OF ANIMALS] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <lade/lade.h>

#include "techniques.h"

/* 1. automatic: the list of members is all there is to write; 2. the plan uses the same list */
LADE_ENUM(kind, CAT, DOG, BIRD, FISH)
LADE_STRUCT(animal, (text, name), (text, owner), (value, age), (value, weight), (value, alive),
            (enumeration, kind, kind))
LADE_STRUCT(zoo, (vector, all, n, animal))

/* 3. automatic, with functions that run before a save and once all is loaded */
typedef animal hooked;
typedef zoo hooked_zoo;

static lade_status tidy(hooked *a, void *user)
{
    (void)user;
    a->weight = a->weight < 0 ? 0 : a->weight;
    return LADE_OK;
}

static lade_status check(hooked *a, void *user)
{
    (void)user;
    return a->age < 0 ? LADE_ERR_VALUE : LADE_OK; /* fails the load */
}

LADE_STRUCT(hooked, (before_save, tidy), (after_load, check), (text, name), (text, owner),
            (value, age), (value, weight), (value, alive), (enumeration, kind, kind))
LADE_STRUCT(hooked_zoo, (vector, all, n, hooked))

/* 4. custom: two functions decide on every byte; the version is stored with the type */
typedef animal custom;
typedef zoo custom_zoo;

static lade_status custom_save(lade_out *out, const custom *a)
{
    lade_out_text(out, a->name);
    lade_out_text(out, a->owner);
    lade_out_u8(out, (uint8_t)a->age);
    lade_out_f32(out, (float)a->weight); /* kept to 7 digits from version 2 on */
    lade_out_u8(out, (uint8_t)((unsigned)a->kind << 1 | (unsigned)a->alive));
    return LADE_OK;
}

static lade_status custom_load(lade_in *in, custom *a, uint32_t version)
{
    lade_in_text(in, &a->name);
    lade_in_text(in, &a->owner);
    a->age = lade_in_u8(in);
    a->weight = version < 2 ? lade_in_f64(in) : (double)lade_in_f32(in);
    uint8_t flags = lade_in_u8(in);
    a->alive = flags & 1;
    a->kind = (kind)(flags >> 1);
    return flags >> 1 <= FISH ? LADE_OK : LADE_ERR_VALUE;
}

LADE_CUSTOM(custom, 2, custom_save, custom_load)
LADE_STRUCT(custom_zoo, (vector, all, n, custom))

static zoo make_zoo(size_t n)
{
    static const char *const names[] = {"Rusty", "Minka", "Kolumbus", "Blub", "Methuselah"};
    static const char *const owners[] = {"Ada", NULL, "Grace", NULL, NULL, "Emmy", NULL};
    zoo z = {n, calloc(n ? n : 1, sizeof(animal))};

    for (size_t i = 0; z.all && i < n; i++)
        z.all[i] = (animal){names[i % 5], owners[i % 7], (int32_t)(i % 20), 0.25 * (double)(i % 99),
                            i % 8 != 0,   (kind)(i % 4)};
    return z;
}

static double clock_ms(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void keep_shortest(double *ms, double took)
{
    if (*ms == 0 || took < *ms)
        *ms = took;
}

/* Saves to memory, loads, compares. The shortest times count: the first round meets cold memory. */
static lade_status run(technique *t, const zoo *z, lade_context *ctx)
{
    lade_buffer buffer = {0};
    lade_arena *owner = NULL;
    void *loaded = NULL;
    lade_comparison found;
    lade_status status = LADE_OK;

    ctx->interpret = t->interpret;
    for (int round = 0; round < 3 && status == LADE_OK; round++) {
        double start = clock_ms(), saved;

        lade_arena_reset(owner);
        status = lade_encode_as(t->type, z, &buffer, ctx);
        saved = clock_ms();
        if (status == LADE_OK)
            status = lade_decode_as(t->type, buffer.data, buffer.size, &loaded, &owner, ctx);
        keep_shortest(&t->ms[TECHNIQUE_SAVE], saved - start);
        keep_shortest(&t->ms[TECHNIQUE_LOAD], clock_ms() - saved);
    }
    t->bytes = buffer.size;
    if (status == LADE_OK)
        status = lade_equal_as(&lade_type_zoo, z, loaded, &found, ctx);
    if (status == LADE_OK && !found.equal)
        status = LADE_ERR_VALUE;
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
    return status;
}

int main(int argc, char **argv)
{
    technique all[] = {{.name = "automatic", .type = &lade_type_zoo},
                       {.name = "plan at run time", .type = &lade_type_zoo, .interpret = true},
                       {.name = "automatic + hooks", .type = &lade_type_hooked_zoo},
                       {.name = "custom", .type = &lade_type_custom_zoo}};
    enum { COUNT = sizeof all / sizeof *all };
    zoo z = make_zoo(argc > 1 ? strtoul(argv[1], NULL, 10) : 300000);
    lade_error error = {.message = "out of memory"};
    lade_context ctx = {.error = &error};
    lade_status status = z.all ? LADE_OK : LADE_ERR_MEMORY;

    for (size_t i = 0; i < COUNT && status == LADE_OK; i++)
        status = run(&all[i], &z, &ctx);
    if (status == LADE_OK)
        techniques_print(stdout, all, COUNT, z.n);
    else
        fprintf(stderr, "techniques: %s\n", error.message);
    lade_context_fini(&ctx);
    free(z.all);
    return status != LADE_OK;
}
