/* Golden values of kinds that point: known types, fixed arrays and vectors of pointers, sequences,
 * externals. */
#include "golden.h"

#include "../unit/support.h"

/* known types */
typedef struct {
    int32_t species; /* tells beast from hound and band */
    char *name;
} beast;
typedef struct {
    beast base;
    double weight;
} hound;
typedef struct den den;
typedef struct {
    beast base;
    uint8_t nmembers;
    den *members; /* each holds a beast again */
} band;
struct den {
    void *pet;
    int16_t kind;
    beast *guest;
    beast *friends[3]; /* shared */
    beast *best;       /* shared, and always a beast itself */
};
typedef struct hub hub;
typedef struct {
    hub *centre;
    double length;
} spoke;
struct hub {
    int32_t id;
    uint8_t which;
    void *next; /* a hub or a spoke */
};
typedef struct {
    int64_t worth;
} coin;
typedef struct {
    beast *beasts; /* targets of refs */
    uint32_t nbeasts;
    beast *first, *last, *outside;
    void *thing; /* coin or spoke */
    uint8_t which;
} zoo;

/* arrays of pointers */
typedef struct knot knot;
struct knot {
    int16_t id;
    knot *child[2][2];
    knot *neighbour[3];
    char *label[2];
    double *row[2];
    uint8_t *some[2]; /* owned */
    uint16_t n;
    char tag[2][4];
    int32_t *first, *second; /* one count */
};
typedef struct {
    float *data;
    int32_t size, capacity;
} floats;
typedef struct {
    floats *data;
    size_t size, capacity;
} matrix;
typedef struct {
    knot **knots;
    uint16_t nknots;
    const char **names;
    size_t nnames;
    matrix rows;
    int64_t *from_one; /* elements 1 to n */
    uint8_t nfrom_one;
} bundle;

/* sequences */
typedef struct chapter chapter;
struct chapter {
    chapter *next;
    char *title;
    chapter *parts;
};
typedef struct chain_link chain_link;
struct chain_link {
    int32_t id;
    chain_link *before, *after;
};
typedef struct {
    char *key;
    double value;
} word;
typedef struct {
    word *entries;
    size_t count;
} lexicon;
typedef struct {
    chapter *chapters, *none;
    chain_link *first, *last;
    lexicon words, no_words;
    uint64_t *bits64;
    uint8_t *bits8, *no_bits;
    uint32_t *bits32;
    uint16_t n64, n8, n32, zero;
} book;

typedef struct {
    const void *metal, *nothing;
    const void *slots[3];
} outside_world;

/* clang-format off */
static unsigned beast_class(const beast *b) { return (unsigned)b->species; }
LADE_DECLARE(den)
LADE_DECLARE(spoke)
LADE_STRUCT(beast, (value, species), (text, name))
LADE_STRUCT(hound, (record, base, beast), (value, weight))
LADE_STRUCT(band, (record, base, beast), (vector, members, nmembers, den))
LADE_STRUCT(den, (any, pet, of(kind), void, beast, hound, band),
    (any, guest, by(beast_class), beast, beast, hound, band),
    (any_ref, friends, by(beast_class), beast, beast, hound, band), (ref, best, beast))
LADE_STRUCT(hub, (value, id), (any_ref, next, of(which), void, hub, spoke))
LADE_STRUCT(spoke, (ref, centre, hub), (value, length))
LADE_STRUCT(coin, (value, worth))
LADE_STRUCT(zoo, (pool, beasts, nbeasts, beast), (ref, first, beast),
    (any_ref, last, by(beast_class), beast, beast, hound, band),
    (any_ref, outside, by(beast_class), beast, beast, hound, band),
    (any, thing, of(which), void, coin, spoke))
LADE_STRUCT(knot, (value, id), (optional, child, knot), (ref, neighbour, knot), (text, label),
    (vector, row, n), (optional, some), (fixed_text, tag), (vector, first, n), (vector, second, n))
LADE_CONTAINER(floats, float)
LADE_CONTAINER(matrix, floats)
LADE_STRUCT(bundle, (vector, knots, nknots, ref(knot)), (vector, names, nnames, text()),
    (record, rows, matrix), (vector, from_one, nfrom_one, origin(1)))
LADE_STRUCT(chapter, (text, title), (list, parts, chapter, next))
LADE_STRUCT(chain_link, (value, id))
LADE_STRUCT(word, (text, key), (value, value))
static const lade_map lexicon_adaptor;
LADE_STRUCT(book, (list, chapters, chapter, next), (list, none, chapter, next),
    (list, first, chain_link, after, prev(before), tail(last)), (map, words, lexicon_adaptor, word),
    (map, no_words, lexicon_adaptor, word), (bits, bits64, n64), (bits, bits8, n8),
    (bits, bits32, n32), (bits, no_bits, zero))
LADE_STRUCT(outside_world, (external, metal, metals), (external, nothing, metals),
    (external, slots, callbacks))
/* clang-format on */

static size_t lexicon_count(const void *map)
{
    return ((const lexicon *)map)->count;
}

static void *lexicon_next(const void *map, const void *entry)
{
    const lexicon *l = map;
    const word *next = entry ? (const word *)entry + 1 : l->entries;
    return next && next < l->entries + l->count ? l->entries + (next - l->entries) : NULL;
}

static bool lexicon_fill(void *map, void *entries, size_t count)
{
    if (entries)
        *(lexicon *)map = (lexicon){entries, count};
    return true;
}

static const lade_map lexicon_adaptor = {
    .count = lexicon_count, .next = lexicon_next, .fill = lexicon_fill};

static int metal;
static int slots[2];

static const char *key_of(void *user, const char *set, const void *pointer)
{
    (void)user;
    if (strcmp(set, "metals") == 0)
        return pointer == &metal ? "iron" : NULL;
    return pointer == &slots[0] ? "" : pointer == &slots[1] ? "on\xc3\xa9" : NULL;
}

static bool resolve(void *user, const char *set, const char *key, void **pointer)
{
    (void)user;
    if (strcmp(set, "metals") == 0)
        *pointer = strcmp(key, "iron") == 0 ? &metal : NULL;
    else
        *pointer = *key ? &slots[1] : &slots[0];
    return *pointer != NULL;
}

const lade_externals golden_externals = {key_of, resolve, NULL};

/* Every known type stands as an entry too: a reader finds their schemas by the fingerprints. */
static beast lone = {0, (char[]){"lone"}}, other = {0, NULL};
static hound hunter = {{1, (char[]){"hunter"}}, 31.5};
static den dens[2] = {{&other, 0, NULL, {&lone}, NULL}, {0}};
static band wolves = {{2, (char[]){""}}, 2, dens};
static den full_den = {&wolves, 2, &hunter.base, {&lone, NULL, &lone}, &lone};
static den empty_den = {NULL, -1, NULL, {NULL}, NULL};
static hub inner_hub, root_hub;
static spoke to_root = {&root_hub, 2.5}, to_inner = {&inner_hub, -1};
static hub inner_hub = {2, 1, &to_root};
static hub root_hub = {1, 1, &to_inner}, self_hub = {3, 0, &self_hub};
static beast pool[2] = {{0, (char[]){"a"}}, {0, (char[]){"b"}}};
static coin penny = {-77};
static zoo small_zoo = {pool, 2, &pool[1], &pool[0], &lone, &penny, 0};

static const golden_entry known[] = {{"full", &lade_type_den, &full_den},
                                     {"empty", &lade_type_den, &empty_den},
                                     {"hub", &lade_type_hub, &root_hub},
                                     {"self", &lade_type_hub, &self_hub},
                                     {"zoo", &lade_type_zoo, &small_zoo},
                                     {"type beast", &lade_type_beast, &other},
                                     {"type hound", &lade_type_hound, &hunter},
                                     {"type band", &lade_type_band, &wolves},
                                     {"type spoke", &lade_type_spoke, &(spoke){NULL, 0}},
                                     {"type coin", &lade_type_coin, &penny},
                                     {0}};

/* Elements of a bare array are pool objects, whichever field leads to them. */
static hub hubs[3] = {{1, 0, &hubs[2]}, {2, 1, &(spoke){&hubs[0], 4}}, {3, 0, &self_hub}};

lade_status golden_write_known(lade_file *f)
{
    lade_status status = golden_put(f, known);
    return status ? status : lade_file_put_records(f, "hubs", hub, hubs, 1, ((size_t[]){3}));
}

void golden_check_known(lade_file *f)
{
    den *d;
    zoo *z;
    hub *h;
    size_t n;
    lade_arena *owner = NULL;
    golden_compare(f, known);
    assert_int_equal(lade_file_get(f, "full", den, &d, &owner), LADE_OK);
    assert_int_equal(d->kind, 2);
    assert_true(d->friends[0] == d->best && d->friends[2] == d->best && !d->friends[1]);
    assert_int_equal(lade_file_get(f, "zoo", zoo, &z, &owner), LADE_OK);
    assert_true(z->first == &z->beasts[1] && z->last == &z->beasts[0] &&
                ((coin *)z->thing)->worth == -77);
    assert_string_equal(z->outside->name, "lone");
    assert_int_equal(lade_file_get_records(f, "hubs", hub, &h, 1, &n, &owner), LADE_OK);
    assert_true(n == 3 && h[0].next == &h[2] && ((spoke *)h[1].next)->centre == &h[0]);
    assert_true(((hub *)h[2].next)->next == h[2].next);
    lade_arena_destroy(owner);
}

static double row0[] = {1, 2}, row1[] = {3, 4};
static uint8_t owned = 200;
static int32_t firsts[] = {-1, -2}, seconds[] = {1, 2};
static knot lost = {.id = 9}, stem;
static knot tip = {.id = 3}, twig = {.id = 2, .child = {{&tip}}, .neighbour = {&stem}};
static knot stem = {.id = 1,
                    .child = {{NULL, &twig}, {NULL, NULL}},
                    .neighbour = {&stem, NULL, &lost},
                    .label = {NULL, (char[]){"stem"}},
                    .row = {row0, row1},
                    .some = {NULL, &owned},
                    .n = 2,
                    .tag = {{'f', 'u', 'l', 'l'}, {'a'}},
                    .first = firsts,
                    .second = seconds};
static knot *knot_refs[] = {&lost, NULL, &lost};
static const char *names[] = {"one", NULL, ""};
static float some_floats[] = {0.5F, -0.25F};
static floats float_rows[] = {{NULL, 0, 0}, {some_floats, 2, 2}};
static int64_t counted[] = {INT64_MAX, INT64_MAX, 10, 20};

static const bundle *make_bundle(void)
{
    static bundle b;
    b = (bundle){knot_refs, 3, names, 3, {float_rows, 2, 2}, counted + 1, 2};
    return &b;
}

static const golden_entry pointers[] = {{"stem", &lade_type_knot, &stem},
                                        {"lost", &lade_type_knot, &lost},
                                        {"empty bundle", &lade_type_bundle, &(bundle){0}},
                                        {0}};

lade_status golden_write_pointers(lade_file *f)
{
    lade_status status = golden_put(f, pointers);
    return status ? status : lade_file_put(f, "bundle", bundle, make_bundle());
}

void golden_check_pointers(lade_file *f)
{
    knot *k;
    bundle *b;
    lade_arena *owner = NULL;
    golden_compare(f, pointers);
    golden_compare(f, (golden_entry[]){{"bundle", &lade_type_bundle, make_bundle()}, {0}});
    assert_int_equal(lade_file_get(f, "stem", knot, &k, &owner), LADE_OK);
    assert_true(k->neighbour[0] == k && k->row[1][1] == 4 && k->second[1] == 2);
    assert_memory_equal(k->tag, stem.tag, sizeof stem.tag);
    assert_int_equal(lade_file_get(f, "bundle", bundle, &b, &owner), LADE_OK);
    assert_true(b->knots[0] == b->knots[2] && !b->knots[1] && b->from_one[2] == 20);
    assert_true(b->rows.capacity == 2 && b->rows.data[1].capacity == 2);
    lade_arena_destroy(owner);
}

static chapter part2 = {NULL, (char[]){"1.2"}, NULL}, part1 = {&part2, (char[]){"1.1"}, NULL};
static chapter chapter2 = {NULL, NULL, NULL}, chapter1 = {&chapter2, (char[]){"1"}, &part1};
static chain_link links[3] = {
    {10, NULL, &links[1]}, {20, &links[0], &links[2]}, {30, &links[1], NULL}};
static word words[] = {{(char[]){"alpha"}, 1.5}, {(char[]){"beta"}, -1}};
static uint64_t bits64[] = {0x8000000000000001U, 1};
static uint8_t bits8[] = {0xa5};
static uint32_t bits32[33000 / 32 + 1];

static const book *make_book(void)
{
    static book b;
    for (uint32_t i = 0; i < 33000 / 32 + 1; i++)
        bits32[i] = i * 2654435761U;
    bits32[33000 / 32] &= (1U << 33000 % 32) - 1;
    b = (book){.chapters = &chapter1, .first = &links[0], .last = &links[2], .words = {words, 2}};
    b.bits64 = bits64;
    b.n64 = 65;
    b.bits8 = bits8;
    b.n8 = 8;
    b.bits32 = bits32;
    b.n32 = 33000;
    return &b;
}

static const uint8_t one_bit = 1;
static const golden_entry sequences[] = {
    {"empty", &lade_type_book, &(book){0}},
    {"one bit", &lade_type_book, &(book){.bits8 = (uint8_t *)&one_bit, .n8 = 1}},
    {"nested", &lade_type_chapter, &chapter1},
    {0}};

lade_status golden_write_sequences(lade_file *f)
{
    lade_status status = golden_put(f, sequences);
    return status ? status : lade_file_put(f, "book", book, make_book());
}

void golden_check_sequences(lade_file *f)
{
    book *b;
    lade_arena *owner = NULL;
    golden_compare(f, sequences);
    golden_compare(f, (golden_entry[]){{"book", &lade_type_book, make_book()}, {0}});
    assert_int_equal(lade_file_get(f, "book", book, &b, &owner), LADE_OK);
    assert_true(b->last->id == 30 && b->last->before->before == b->first && !b->last->after);
    assert_string_equal(b->chapters->parts->next->title, "1.2");
    assert_memory_equal(b->bits64, bits64, sizeof bits64);
    lade_arena_destroy(owner);
}

static const outside_world world = {&metal, NULL, {&slots[1], NULL, &slots[0]}};

lade_status golden_write_externals(lade_file *f)
{
    return lade_file_put(f, "world", outside_world, &world);
}

void golden_check_externals(lade_file *f)
{
    outside_world *w;
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_get(f, "world", outside_world, &w, &owner), LADE_OK);
    assert_true(w->metal == &metal && !w->nothing);
    assert_true(w->slots[0] == &slots[1] && !w->slots[1] && w->slots[2] == &slots[0]);
    lade_arena_destroy(owner);
}

/* An object that two roots lead to is one. */
lade_status golden_write_roots(lade_file *f)
{
    spoke from_hub = {&self_hub, 3};
    const lade_named_root roots[] = {{"hub", &lade_type_hub, &self_hub},
                                     {"spoke", &lade_type_spoke, &from_hub},
                                     {"hub again", &lade_type_hub, &self_hub},
                                     {"none", &lade_type_coin, NULL}};
    lade_status status = lade_file_put_roots(f, "roots", roots, 4);
    return status ? status : lade_file_put(f, "type hub", hub, &self_hub);
}

void golden_check_roots(lade_file *f)
{
    lade_arena *owner = NULL;
    lade_named_root roots[] = {{"none", &lade_type_coin, &penny},
                               {"spoke", &lade_type_spoke, NULL},
                               {"hub again", &lade_type_hub, NULL},
                               {"hub", &lade_type_hub, NULL}};
    assert_int_equal(lade_file_get_roots(f, "roots", roots, 4, &owner), LADE_OK);
    const spoke *s = roots[1].value;
    assert_true(!roots[0].value && s->length == 3 && s->centre == roots[2].value);
    assert_true(roots[3].value == roots[2].value && s->centre->next == s->centre);
    lade_arena_destroy(owner);
}
