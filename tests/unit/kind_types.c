#include "kind_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned animal_class(const animal *a)
{
    return (unsigned)a->species;
}

LADE_STRUCT(animal, (value, species), (value, age, unit("a"), doc("since birth")), (text, name))
LADE_STRUCT(dog, (record, base, animal), (value, weight, unit("kg")))
LADE_STRUCT(pack, (record, base, animal), (vector, members, nmembers, kennel))
LADE_STRUCT(kennel, (any, pet, of(kind), void, animal, dog, pack),
            (any, visitor, by(animal_class), animal, animal, dog, pack),
            (any_ref, friends, by(animal_class), animal, animal, dog, pack))

LADE_STRUCT(octant, (optional, child, octant), (ref, neighbour, octant), (text, label),
            (vector, field, n), (fixed_text, tags))

LADE_STRUCT(ints, (vector, data, size), (capacity, capacity, size))
LADE_CONTAINER(table, ints)
LADE_STRUCT(sack, (vector, refs, nrefs, ref(octant)), (vector, names, nnames, text()),
            (record, rows, table), (vector, from_one, nfrom_one, origin(1)))

LADE_STRUCT(fields, (grid, whole, (nx, ny)), (grid, fortran, (nx, ny, nz), order(fortran)),
            (grid, inner, (nx, ny), halo_of(halo)), (grid, all, (nx, ny), halo(1, 2), whole()),
            (grid, zoo, (nx), animal), (rows, rows, (nx, nz)),
            (grid, view, (ny, nz), strides(steps)))

LADE_UNION(shape_union, (value, radius, when(SHAPE_CIRCLE)), (value, side, when(SHAPE_BOX)),
           (text, label, when(SHAPE_TEXT)), (record, pet, animal, when(SHAPE_PET)))
LADE_STRUCT(shape, (variant, is, kind, shape_union), (value, after))

LADE_STRUCT(event, (value, time), (text, what))
LADE_STRUCT(stop, (value, id))
LADE_STRUCT(pair, (text, key), (value, value))

static size_t dictionary_count(const void *map)
{
    return ((const dictionary *)map)->count;
}

static void *dictionary_next(const void *map, const void *entry)
{
    const dictionary *d = map;
    const pair *next = entry ? (const pair *)entry + 1 : d->entries;
    return next && next < d->entries + d->count ? d->entries + (next - d->entries) : NULL;
}

static bool dictionary_fill(void *map, void *entries, size_t count)
{
    dictionary *d = map;
    if (entries) {
        d->entries = entries;
        d->count = count;
    }
    for (size_t i = 1; i < d->count; i++)
        if (!d->entries[i].key || !d->entries[i - 1].key ||
            strcmp(d->entries[i - 1].key, d->entries[i].key) >= 0)
            return false;
    return true;
}

const lade_map dictionary_adaptor = {dictionary_count, dictionary_next, dictionary_fill, NULL};

int kind_material;
void kind_callback(void)
{
}

static const char *external_key(void *user, const char *set, const void *pointer)
{
    (void)user;
    void (*callback)(void) = kind_callback;
    if (strcmp(set, "materials") == 0 && pointer == &kind_material)
        return "steel";
    return strcmp(set, "callbacks") == 0 && memcmp(&pointer, &callback, sizeof callback) == 0
               ? "on_tick"
               : NULL;
}

static bool external_resolve(void *user, const char *set, const char *key, void **pointer)
{
    void (*callback)(void) = kind_callback;
    (void)user;
    if (strcmp(set, "materials") == 0 && strcmp(key, "steel") == 0)
        *pointer = &kind_material;
    else if (strcmp(set, "callbacks") == 0 && strcmp(key, "on_tick") == 0)
        memcpy(pointer, &callback, sizeof callback);
    else
        return false;
    return true;
}

const lade_externals kind_externals = {external_key, external_resolve, NULL};

LADE_STRUCT(agenda, (list, events, event, next), (list, first, stop, next, prev(prev), tail(last)),
            (map, words, dictionary_adaptor, pair), (bits, mask, nbits),
            (external, material, materials), (external, callback, callbacks))

static lade_status colour_save(lade_out *out, const colour *c)
{
    char text[8];
    snprintf(text, sizeof text, "#%02x%02x%02x", c->r, c->g, c->b);
    lade_out_text(out, text);
    lade_out_array(out, LADE_U8, text, 3);
    return LADE_OK;
}

static lade_status colour_load(lade_in *in, colour *c, uint32_t version)
{
    char buffer[8] = "#000000";
    char *text = buffer;
    uint8_t *again = (uint8_t[3]){0};
    size_t n = 3;
    lade_in_text(in, &text);
    lade_in_array(in, LADE_U8, &again, &n);
    unsigned rgb = 0;
    if (version != 1 || !text || sscanf(text, "#%6x", &rgb) != 1)
        return LADE_ERR_VALUE;
    *c = (colour){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
    char same[8];
    snprintf(same, sizeof same, "#%02x%02x%02x", c->r, c->g, c->b);
    bool ok = strcmp(same, text) == 0 && n == 3 && memcmp(again, same, 3) == 0;
    lade_in_free(in, text);
    lade_in_free(in, again);
    return ok ? LADE_OK : LADE_ERR_VALUE;
}

LADE_CUSTOM(colour, 1, colour_save, colour_load)

static lade_status before(record_v3 *r, void *user)
{
    (void)user;
    return ++r->saves == 0 ? LADE_ERR_VALUE : LADE_OK;
}

static lade_status after(record_v3 *r, void *user)
{
    (void)user;
    r->sum = (uint64_t)r->kept + r->paint[0].r;
    return r->kept == INT32_MAX ? LADE_ERR_VALUE : LADE_OK;
}

LADE_STRUCT(record_v3, (version, 3), (before_save, before), (after_load, after), (value, kept),
            (skip, cache, default(-1)), (value, removed, until(2), default(0.5)), (value, exact),
            (record, paint, colour), (skip, sum))
LADE_STRUCT(skipped, (skip, only))
LADE_STRUCT(everything, (vector, records, ncells, record_v3), (record, nothing, skipped),
            (record, agenda, agenda), (record, shapes, shape))

static void *take(lade_arena *arena, size_t n, size_t size)
{
    void *memory = lade_arena_alloc(arena, n ? n * size : 1, 16);
    if (!memory)
        abort();
    memset(memory, 0, n ? n * size : 1);
    return memory;
}

static char *text_of(lade_arena *arena, const char *format, size_t i)
{
    char *text = take(arena, 32, 1);
    snprintf(text, 32, format, i);
    return text;
}

static void *pet_of(lade_arena *arena, size_t i, size_t depth)
{
    if (i % 3 == 0) {
        animal *a = take(arena, 1, sizeof *a);
        *a = (animal){0, (int32_t)i, text_of(arena, "animal %zu", i)};
        return a;
    }
    if (i % 3 == 1) {
        dog *d = take(arena, 1, sizeof *d);
        *d = (dog){{1, (int32_t)i, NULL}, 0.5 * (double)i};
        return d;
    }
    pack *p = take(arena, 1, sizeof *p);
    *p = (pack){.base = {2, (int32_t)i, text_of(arena, "", i)}};
    if (depth) {
        p->nmembers = 2;
        p->members = take(arena, 2, sizeof *p->members);
        p->members[0] =
            (kennel){pet_of(arena, i + 1, depth - 1), (uint8_t)((i + 1) % 3), NULL, {0}};
    }
    return p;
}

kennel *kind_kennel(lade_arena *arena, size_t size)
{
    kennel *k = take(arena, 1, sizeof *k);
    k->pet = pet_of(arena, 2, 1 + size);
    k->kind = 2;
    k->visitor = pet_of(arena, 1, 0);
    k->friends[0] = pet_of(arena, 3 + size, 1);
    k->friends[1] = size % 2 ? k->friends[0] : NULL;
    return k;
}

octant *kind_octant(lade_arena *arena, size_t size)
{
    octant *o = take(arena, 1, sizeof *o);
    octant *inner = take(arena, 1, sizeof *inner);
    octant *other = take(arena, 1, sizeof *other);
    o->child[1][0][1] = inner;
    o->n = (uint16_t)(size * 3);
    for (size_t i = 0; i < 3; i++) {
        o->field[i] = o->n ? take(arena, o->n, sizeof(double)) : NULL;
        for (size_t k = 0; k < o->n; k++)
            o->field[i][k] = (double)(i * 10 + k);
    }
    o->label[1] = text_of(arena, "octant %zu", size);
    memcpy(o->tags[0], "full", 4);
    memcpy(o->tags[1], "a\0\0", 4);
    o->neighbour[0] = other;
    o->neighbour[5] = other;
    other->neighbour[2] = other;
    inner->neighbour[3] = o;
    return o;
}

sack *kind_sack(lade_arena *arena, size_t size)
{
    sack *b = take(arena, 1, sizeof *b);
    b->nrefs = size + 2;
    b->refs = take(arena, b->nrefs, sizeof *b->refs);
    b->refs[0] = kind_octant(arena, 0);
    b->refs[b->nrefs - 1] = b->refs[0];
    b->nnames = 3;
    b->names = take(arena, 3, sizeof *b->names);
    b->names[0] = text_of(arena, "first", 0);
    b->names[2] = text_of(arena, "", 0);
    b->rows.size = b->rows.capacity = 2;
    b->rows.data = take(arena, 2, sizeof *b->rows.data);
    b->rows.data[1].size = b->rows.data[1].capacity = size + 1;
    b->rows.data[1].data = take(arena, size + 1, sizeof(int32_t));
    b->rows.data[1].data[size] = -5;
    b->nfrom_one = (uint32_t)size + 1;
    double *elements = take(arena, b->nfrom_one, sizeof *elements);
    for (size_t i = 0; i < b->nfrom_one; i++)
        elements[i] = (double)i + 1;
    b->from_one = elements - 1;
    return b;
}

fields *kind_fields(lade_arena *arena, size_t size)
{
    fields *f = take(arena, 1, sizeof *f);
    *f = (fields){.nx = (uint32_t)size + 1, .ny = (uint32_t)size + 2, .nz = 3, .halo = 2};
    size_t nx = f->nx;
    size_t ny = f->ny;
    f->whole = take(arena, nx * ny, sizeof *f->whole);
    f->fortran = take(arena, nx * ny * 3, sizeof *f->fortran);
    f->inner = take(arena, (nx + 4) * (ny + 4), sizeof *f->inner);
    f->all = take(arena, (nx + 2) * (ny + 4), sizeof *f->all);
    f->zoo = take(arena, nx, sizeof *f->zoo);
    f->rows = take(arena, nx, sizeof *f->rows);
    for (size_t i = 0; i < nx; i++) {
        f->zoo[i] = (animal){0, (int32_t)i, text_of(arena, "zoo %zu", i)};
        f->rows[i] = take(arena, 3, sizeof **f->rows);
        f->rows[i][1] = (double)i;
        for (size_t k = 0; k < ny; k++) {
            f->whole[i * ny + k] = (double)(i * 100 + k);
            f->inner[(i + 2) * (ny + 4) + k + 2] = (double)(i * 100 + k);
        }
    }
    for (size_t i = 0; i < nx * ny * 3; i++)
        f->fortran[i] = (float)i;
    for (size_t i = 0; i < (nx + 2) * (ny + 4); i++)
        f->all[i] = (int16_t)i;
    /* every second column of a transposed array */
    f->steps[0] = 1;
    f->steps[1] = 2 * (int64_t)ny;
    f->view = take(arena, ny * 6, 1);
    for (size_t i = 0; i < ny * 6; i++)
        f->view[i] = (uint8_t)i;
    return f;
}

static void fill_agenda(lade_arena *arena, agenda *a, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        event *e = take(arena, 1, sizeof *e);
        *e = (event){a->events, (double)i, text_of(arena, "event %zu", i)};
        a->events = e;
        stop *s = take(arena, 1, sizeof *s);
        *s = (stop){(int32_t)i, a->last, NULL};
        if (a->last)
            a->last->next = s;
        else
            a->first = s;
        a->last = s;
    }
    a->words.count = size;
    a->words.entries = size ? take(arena, size, sizeof(pair)) : NULL;
    for (size_t i = 0; i < size; i++)
        a->words.entries[i] = (pair){text_of(arena, "word %08zu", i), (int32_t)(i * i)};
    a->nbits = size * 13;
    a->mask = size ? take(arena, size * 13 / 32 + 1, sizeof *a->mask) : NULL;
    for (size_t i = 0; i < a->nbits; i += 3)
        a->mask[i / 32] |= 1U << i % 32;
    a->material = &kind_material;
    a->callback = kind_callback;
}

everything *kind_everything(lade_arena *arena, size_t size)
{
    everything *e = take(arena, 1, sizeof *e);
    e->ncells = size;
    e->records = size ? take(arena, size, sizeof *e->records) : NULL;
    for (size_t i = 0; i < size; i++)
        e->records[i] = (record_v3){.kept = (int32_t)i,
                                    .cache = 77,
                                    .removed = 0.5,
                                    .exact = {(long double)i / 3, -1},
                                    .paint = {{1, 2, 3}, {(uint8_t)i, 0, 255}}};
    fill_agenda(arena, &e->agenda, size);
    e->shapes[0] = (shape){.kind = SHAPE_TEXT, .is = {.label = text_of(arena, "shape", 0)}};
    e->shapes[1] = (shape){.kind = SHAPE_BOX, .is = {.side = {3, 4}}, .after = 9};
    return e;
}
