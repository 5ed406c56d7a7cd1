#include "mpi_types.h"

#include <stdlib.h>

#include <lade/backend.h>

#include "unit/support.h"

/* clang-format off */
LADE_STRUCT(cargo, (text, text), (text, label), (vector, bytes, n))
LADE_STRUCT(fleet, (vector, items, n, cargo))
LADE_STRUCT(grain, (value, tag), (value, mass), (value, charge), (value, fixed))
LADE_STRUCT(swarm, (text, name), (vector, grains, n, grain), (record, first, grain))
/* clang-format on */

enum { LABEL_MAX = 4 };

static void sizes(const cargo *c, size_t *skeleton, size_t *content)
{
    lade_root root = {.type = &lade_type_cargo, .value = c};
    lade_encoding *encoding;
    assert_ok(lade_encoding_begin(&root, NULL, NULL, 0, &encoding, NULL), NULL);
    const lade_manifest *m = lade_encoding_manifest(encoding);
    *skeleton = (size_t)m->skeleton_size;
    *content = (size_t)m->content_size;
    lade_encoding_end(encoding);
}

static void *get(size_t size)
{
    void *memory = malloc(size);
    assert_non_null(memory);
    return memory;
}

cargo cargo_make(size_t skeleton, size_t content, unsigned seed)
{
    size_t has;
    size_t carries;
    size_t length = skeleton;
    cargo c = {get(skeleton + 1), get(LABEL_MAX + 1), content, content ? get(content) : NULL};
    for (size_t i = 0; i < skeleton; i++)
        c.text[i] = (char)('a' + (i * 7 + seed) % 26);
    for (size_t i = 0; i < content; i++)
        c.bytes[i] = (uint8_t)(i * 5 + i / 256 + seed);
    memset(c.label, 0, LABEL_MAX + 1);
    c.text[length] = 0;
    for (sizes(&c, &has, &carries); has > skeleton; sizes(&c, &has, &carries))
        c.text[--length] = 0; /* as long as it may be */
    assert_true(skeleton - has <= LABEL_MAX);
    memset(c.label, 'l', skeleton - has);
    sizes(&c, &has, &carries);
    assert_int_equal(has, skeleton);
    assert_int_equal(carries, content);
    return c;
}

void cargo_free(cargo *c)
{
    free(c->text);
    free(c->label);
    free(c->bytes);
}

void cargo_check(const cargo *c, size_t skeleton, size_t content, unsigned seed)
{
    cargo is = cargo_make(skeleton, content, seed);
    assert_string_equal(c->text, is.text);
    assert_string_equal(c->label, is.label);
    assert_int_equal(c->n, is.n);
    if (content)
        assert_memory_equal(c->bytes, is.bytes, content);
    cargo_free(&is);
}

fleet fleet_make(size_t n, size_t bytes, unsigned seed)
{
    fleet f = {get(n * sizeof(cargo)), n};
    uint8_t *all = get(n * (bytes + 1)); /* not one block behind the other */
    for (size_t i = 0; i < n * (bytes + 1); i++)
        all[i] = (uint8_t)(i * 3 + i / 251 + seed);
    for (size_t i = 0; i < n; i++)
        f.items[i] = (cargo){.n = bytes, .bytes = all + i * (bytes + 1)};
    return f;
}

void fleet_free(fleet *f)
{
    free(f->items[0].bytes);
    free(f->items);
}

void grains_fill(grain *grains, size_t n, int rubbish)
{
    memset(grains, rubbish, n * sizeof *grains);
    for (size_t i = 0; i < n; i++) {
        grains[i].tag = (char)('a' + i % 26);
        grains[i].mass = 0.5 * (double)i;
        grains[i].charge = (int16_t)(100 - (int)i);
        grains[i].fixed = i % 3 == 1;
    }
}
