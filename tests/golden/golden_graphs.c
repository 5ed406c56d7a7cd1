/* Golden graphs: deferred bodies, references by table and by pools; and bare arrays. */
#include "golden.h"

#include "../unit/support.h"

typedef struct bough bough;
struct bough {
    int32_t id;
    bough *kids;
    uint32_t nkids;
    bough *next;
};
typedef struct person person;
typedef struct {
    person *to;
    float weight;
} tie;
struct person {
    char *name;
    person *friend;
    tie *ties;
    uint8_t nties;
    double *score; /* shared */
};
typedef struct {
    double x, y;
} corner;
typedef struct {
    person *people;
    uint32_t npeople;
    person *guests;
    uint32_t nguests;
    double *scores;
    int32_t nscores;
} house;
typedef struct {
    house main, annexes[2];
    person *owner;
    double *best;
    corner *corner;
} estate;
typedef struct ring ring;
struct ring {
    ring *next;
    int16_t id;
};
typedef struct {
    double part[300]; /* two neighbours pass the content limit, one does not */
} slab;
typedef struct {
    double *real;
    slab *slab;
} handle;
typedef struct {
    handle *all;
    uint32_t n;
} handles;

/* clang-format off */
LADE_STRUCT(bough, (value, id), (vector, kids, nkids, bough), (optional, next, bough))
LADE_STRUCT(tie, (ref, to, person), (value, weight))
LADE_STRUCT(person,
    (text, name), (ref, friend, person), (vector, ties, nties, tie), (ref, score, double))
LADE_STRUCT(corner, (value, x), (value, y))
LADE_STRUCT(house,
    (pool, people, npeople, person), (pool, guests, nguests, person), (pool, scores, nscores))
LADE_STRUCT(estate,
    (record, main, house), (record, annexes, house), (ref, owner, person), (ref, best, double),
    (ref, corner, corner))
LADE_STRUCT(ring, (ref, next, ring), (value, id))
LADE_STRUCT(slab, (value, part))
LADE_STRUCT(handle, (ref, real, double), (ref, slab, slab))
LADE_STRUCT(handles, (vector, all, n, handle))
/* clang-format on */

lade_status golden_write_deferred(lade_file *f)
{
    bough leaves[3] = {{.id = 10}, {.id = 11}, {.id = 12}};
    bough inner[2] = {{.id = 2, .kids = leaves, .nkids = 2}, {.id = 3, .kids = leaves + 2}};
    bough next = {.id = 4};
    bough root = {.id = 1, .kids = inner, .nkids = 2, .next = &next};
    inner[1].nkids = 1;
    inner[1].next = &(bough){.id = 5};
    return lade_file_put(f, "tree", bough, &root);
}

void golden_check_deferred(lade_file *f)
{
    bough *b;
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_get(f, "tree", bough, &b, &owner), LADE_OK);
    assert_true(b->id == 1 && b->nkids == 2 && b->next->id == 4 && !b->next->next);
    assert_true(b->kids[0].id == 2 && b->kids[0].nkids == 2 && !b->kids[0].next);
    assert_true(b->kids[0].kids[0].id == 10 && b->kids[0].kids[1].id == 11);
    assert_true(b->kids[1].kids[0].id == 12 && b->kids[1].next->id == 5 && b->next->nkids == 0);
    lade_arena_destroy(owner);
}

/* Three people in a ring, with ties, and two scores. */
static void make_people(person *people, tie *ties, double *scores)
{
    static char names[3][4] = {"Ada", "Bo", "Cy"};
    for (int i = 0; i < 3; i++) {
        ties[2 * i] = (tie){&people[i], 0.5f};
        ties[2 * i + 1] = (tie){i ? &people[(i + 1) % 3] : NULL, -1};
        people[i] = (person){names[i], &people[(i + 1) % 3], &ties[2 * i], 2, &scores[i % 2]};
    }
    scores[0] = 1.5;
    scores[1] = 2.5;
}

lade_status golden_write_table(lade_file *f)
{
    person people[3];
    tie ties[6];
    double scores[2];
    ring rings[3] = {{&rings[1], 1}, {&rings[2], 2}, {&rings[1], 3}};
    make_people(people, ties, scores);
    lade_status status = lade_file_put(f, "people", person, people);
    return status ? status : lade_file_put(f, "ring", ring, rings);
}

static void check_people(const person *const people[3])
{
    static const char *const names[] = {"Ada", "Bo", "Cy"};
    for (int i = 0; i < 3; i++) {
        const person *p = people[i];
        assert_string_equal(p->name, names[i]);
        assert_ptr_equal(p->friend, people[(i + 1) % 3]);
        assert_true(p->nties == 2 && p->ties[0].to == p && p->ties[1].weight == -1);
        assert_ptr_equal(p->ties[1].to, i ? people[(i + 1) % 3] : NULL);
        assert_true(*p->score == 1.5 + i % 2);
    }
    assert_ptr_equal(people[0]->score, people[2]->score);
}

void golden_check_table(lade_file *f)
{
    person *p;
    ring *r;
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_get(f, "people", person, &p, &owner), LADE_OK);
    check_people((const person *const[]){p, p->friend, p->friend->friend});
    assert_int_equal(lade_file_get(f, "ring", ring, &r, &owner), LADE_OK);
    assert_true(r->id == 1 && r->next->id == 2 && r->next->next->id == 3);
    assert_ptr_equal(r->next->next->next, r->next);
    lade_arena_destroy(owner);
}

lade_status golden_write_pools(lade_file *f)
{
    static person many[260];
    person people[3], alone = {.name = (char[]){"Di"}};
    tie ties[6];
    double scores[2], lonely = -8;
    corner c = {3, 4};
    make_people(people, ties, scores);
    for (int i = 0; i < 260; i++)
        many[i] = (person){.friend = i ? &many[i - 1] : &alone, .score = i == 9 ? &lonely : NULL};
    alone.friend = &many[255];
    estate e = {.main = {people, 3, NULL, 0, scores, 2}, .owner = &people[1], .corner = &c};
    e.annexes[1] = (house){.guests = many, .nguests = 260};
    e.best = &scores[1];
    estate small = {.main = {.people = people, .npeople = 3, .scores = scores, .nscores = 2}};
    lade_status status = lade_file_put(f, "large", estate, &e);
    return status ? status : lade_file_put(f, "small", estate, &small);
}

void golden_check_pools(lade_file *f)
{
    estate *e;
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_get(f, "large", estate, &e, &owner), LADE_OK);
    const person *p = e->main.people;
    check_people((const person *const[]){p, p + 1, p + 2});
    assert_true(e->main.npeople == 3 && e->main.nguests == 0 && e->main.nscores == 2);
    assert_true(e->owner == p + 1 && e->best == &e->main.scores[1] && e->corner->y == 4);
    assert_ptr_equal(p[0].score, &e->main.scores[0]);
    const person *many = e->annexes[1].guests;
    assert_true(e->annexes[1].nguests == 260 && e->annexes[0].npeople == 0);
    for (int i = 1; i < 260; i++)
        assert_ptr_equal(many[i].friend, &many[i - 1]);
    assert_string_equal(many[0].friend->name, "Di");
    assert_ptr_equal(many[0].friend->friend, &many[255]);
    assert_true(*many[9].score == -8);
    assert_int_equal(lade_file_get(f, "small", estate, &e, &owner), LADE_OK);
    p = e->main.people;
    check_people((const person *const[]){p, p + 1, p + 2});
    assert_true(!e->owner && !e->best && !e->corner);
    lade_arena_destroy(owner);
}

static double cube[5][12][11];
static bool flags[4100];

lade_status golden_write_arrays(lade_file *f)
{
    float few[2][3] = {{1, 2, 3}, {4, 5, 6}};
    uint16_t eight[2] = {7, 9};
    for (int i = 0; i < 5 * 12 * 11; i++)
        cube[i / 132][i / 11 % 12][i % 11] = i / 8.0;
    for (int i = 0; i < 4100; i++)
        flags[i] = i % 3 == 0;
    lade_status s = lade_file_put_array(f, "cube", &cube[0][0][0], 3, ((size_t[]){5, 12, 11}));
    s = s ? s : lade_file_put_array(f, "few", &few[0][0], 2, ((size_t[]){2, 3}));
    s = s ? s : lade_file_put_array(f, "none", &few[0][0], 3, ((size_t[]){4, 0, 2}));
    s = s ? s
          : lade_file_put_array(f, "rank 8", &eight[0], 8, ((size_t[]){1, 1, 1, 2, 1, 1, 1, 1}));
    return s ? s : lade_file_put_array(f, "flags", &flags[0], 1, ((size_t[]){4100}));
}

void golden_check_arrays(lade_file *f)
{
    lade_arena *owner = NULL;
    size_t n[8];
    double *d;
    float *x;
    bool *b;
    uint16_t *u;
    assert_int_equal(lade_file_get_array(f, "cube", &d, 3, n, &owner), LADE_OK);
    assert_true(n[0] == 5 && n[1] == 12 && n[2] == 11);
    for (int i = 0; i < 660; i++)
        assert_true(d[i] == i / 8.0);
    assert_int_equal(lade_file_get_array(f, "few", &x, 2, n, &owner), LADE_OK);
    assert_true(n[0] == 2 && n[1] == 3 && x[0] == 1 && x[5] == 6);
    assert_int_equal(lade_file_get_array(f, "none", &x, 3, n, &owner), LADE_OK);
    assert_true(n[0] == 4 && n[1] == 0 && n[2] == 2);
    assert_int_equal(lade_file_get_array(f, "rank 8", &u, 8, n, &owner), LADE_OK);
    assert_true(n[3] == 2 && n[7] == 1 && u[0] == 7 && u[1] == 9);
    assert_int_equal(lade_file_get_array(f, "flags", &b, 1, n, &owner), LADE_OK);
    for (int i = 0; i < 4100; i++)
        assert_true(b[i] == (i % 3 == 0));
    lade_arena_destroy(owner);
}

lade_status golden_write_records(lade_file *f)
{
    static corner corners[2][150];
    ring rings[3] = {{&rings[2], 1}, {NULL, 2}, {&rings[1], 3}}, outside = {&rings[0], 4};
    rings[1].next = &outside;
    for (int i = 0; i < 300; i++)
        corners[i / 150][i % 150] = (corner){i, i + 0.5};
    lade_status s =
        lade_file_put_records(f, "corners", corner, &corners[0][0], 2, ((size_t[]){2, 150}));
    return s ? s : lade_file_put_records(f, "rings", ring, rings, 1, ((size_t[]){3}));
}

void golden_check_records(lade_file *f)
{
    lade_arena *owner = NULL;
    size_t n[2];
    corner *c;
    ring *r;
    assert_int_equal(lade_file_get_records(f, "corners", corner, &c, 2, n, &owner), LADE_OK);
    assert_true(n[0] == 2 && n[1] == 150);
    for (int i = 0; i < 300; i++)
        assert_true(c[i].x == i && c[i].y == i + 0.5);
    assert_int_equal(lade_file_get_records(f, "rings", ring, &r, 1, n, &owner), LADE_OK);
    assert_true(n[0] == 3 && r[0].next == &r[2] && r[2].next == &r[1] && r[1].id == 2);
    assert_true(r[1].next->id == 4 && r[1].next->next == &r[0]);
    lade_arena_destroy(owner);
}

enum { HANDLES = 600 };

/* Neighbours in memory: each object is a run of its own, so that nothing is content. */
lade_status golden_write_neighbours(lade_file *f)
{
    static double reals[HANDLES];
    static slab slabs[2];
    static handle all[HANDLES];
    for (int i = 0; i < HANDLES; i++) {
        reals[i] = i * 0.5;
        all[i] = (handle){&reals[i], i < 2 ? &slabs[i] : NULL};
    }
    slabs[0].part[299] = 1;
    slabs[1].part[0] = 2;
    handles h = {all, HANDLES};
    return lade_file_put(f, "handles", handles, &h);
}

void golden_check_neighbours(lade_file *f)
{
    handles *h;
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_get(f, "handles", handles, &h, &owner), LADE_OK);
    assert_true(h->n == HANDLES && h->all[0].slab->part[299] == 1 && !h->all[2].slab);
    assert_true(h->all[1].slab->part[0] == 2);
    for (int i = 0; i < HANDLES; i++)
        assert_true(*h->all[i].real == i * 0.5);
    lade_arena_destroy(owner);
}
