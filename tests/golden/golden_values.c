/* Golden values without references: every kind of field that holds its data itself. */
#include "golden.h"

#include <complex.h>
#include <math.h>

#include "../unit/support.h"

typedef enum { COLD, WARM = 5, HOT = -7 } heat;
typedef struct {
    bool yes, no[3];
    char letter;
    int8_t a;
    uint8_t b;
    int16_t c;
    uint16_t d;
    int32_t e;
    uint32_t f;
    int64_t g;
    uint64_t h;
    float i;
    double j[2][3];
    float _Complex k;
    double _Complex l;
    int16_t large[50][41];
} numbers;
typedef struct {
    char *null, *empty, *text;
    char fixed[8], full[4], none[5];
    heat one, grid[2][2];
    int64_t other;
} words;
typedef struct {
    double x, y;
} point2;
typedef struct {
    point2 at;
    uint8_t tag;
    bool on;
} mark;
typedef struct {
    mark single, many[2], grid[2][2];
    double *reals;
    uint32_t nreals;
    point2 *points;
    uint16_t npoints;
    mark *marks;
    size_t nmarks;
    char **unused;
    int32_t *nothing;
    int32_t nnothing;
    mark *maybe, *never;
    int64_t *number;
    point2 *long_points;
    uint64_t nlong;
    bool *flags;
    uint8_t nflags;
    uint8_t *left, *right;
    int32_t shared;
} lists;
typedef struct {
    double all[600];
} block;
typedef struct {
    char **unused;
    char *long_text;
    int32_t last;
} scroll;

/* clang-format off */
LADE_ENUM(heat, COLD, WARM, HOT)
LADE_STRUCT(numbers,
    (value, yes), (value, no), (value, letter), (value, a), (value, b), (value, c), (value, d),
    (value, e), (value, f), (value, g), (value, h), (value, i), (value, j), (value, k), (value, l),
    (value, large))
LADE_STRUCT(words,
    (text, null), (text, empty), (text, text), (fixed_text, fixed), (fixed_text, full),
    (fixed_text, none), (enumeration, one, heat), (enumeration, grid, heat),
    (enumeration, other, heat))
LADE_STRUCT(point2, (value, x), (value, y))
LADE_STRUCT(mark, (record, at, point2), (value, tag), (value, on))
LADE_STRUCT(lists,
    (record, single, mark), (record, many, mark), (record, grid, mark), (vector, reals, nreals),
    (vector, points, npoints, point2), (vector, marks, nmarks, mark),
    (vector, nothing, nnothing), (optional, maybe, mark), (optional, never, mark),
    (optional, number), (vector, long_points, nlong, point2), (vector, flags, nflags),
    (vector, left, shared), (vector, right, shared))
LADE_STRUCT(block, (value, all))
LADE_STRUCT(scroll, (text, long_text), (value, last))
/* clang-format on */

static numbers *make_numbers(void)
{
    static numbers n;
    n = (numbers){.yes = true, .no = {false, true, false}, .letter = 'L'};
    n.a = -128;
    n.b = 255;
    n.c = -32768;
    n.d = 65535;
    n.e = INT32_MIN;
    n.f = UINT32_MAX;
    n.g = INT64_MIN;
    n.h = UINT64_MAX;
    n.i = -0.0f;
    n.j[0][0] = 0.1;
    n.j[0][1] = INFINITY;
    n.j[0][2] = -INFINITY;
    n.j[1][0] = 5e-324;
    n.j[1][2] = 1.7976931348623157e308;
    n.k = 1.5f - 2.5f * I;
    n.l = -3.5 + 4.5 * I;
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 41; x++)
            n.large[y][x] = (int16_t)(y * 100 - x);
    return &n;
}

lade_status golden_write_values(lade_file *f)
{
    block b;
    for (int i = 0; i < 600; i++)
        b.all[i] = i * 0.25;
    lade_status status = lade_file_put(f, "numbers", numbers, make_numbers());
    return status ? status : lade_file_put(f, "no skeleton", block, &b);
}

void golden_check_values(lade_file *f)
{
    numbers *n;
    block *b;
    lade_arena *owner = NULL;
    const numbers *is = make_numbers();
    assert_int_equal(lade_file_get(f, "numbers", numbers, &n, &owner), LADE_OK);
    assert_true(n->yes && !n->no[0] && n->no[1] && !n->no[2] && n->letter == 'L');
    assert_true(n->a == is->a && n->b == is->b && n->c == is->c && n->d == is->d);
    assert_true(n->e == is->e && n->f == is->f && n->g == is->g && n->h == is->h);
    assert_memory_equal(&n->i, &is->i, sizeof n->i);
    assert_memory_equal(n->j, is->j, sizeof n->j);
    assert_memory_equal(&n->k, &is->k, sizeof n->k);
    assert_memory_equal(&n->l, &is->l, sizeof n->l);
    assert_memory_equal(n->large, is->large, sizeof n->large);
    assert_int_equal(lade_file_get(f, "no skeleton", block, &b, &owner), LADE_OK);
    for (int i = 0; i < 600; i++)
        assert_true(b->all[i] == i * 0.25);
    lade_arena_destroy(owner);
}

static const words some_words = {.empty = (char[]){""},
                                 .text = (char[]){"Stra\xc3\x9f"
                                                  "e\n"},
                                 .fixed = "half",
                                 .full = {'f', 'u', 'l', 'l'},
                                 .one = HOT,
                                 .grid = {{COLD, WARM}, {(heat)3, (heat)-1}},
                                 .other = INT64_MIN};

lade_status golden_write_texts(lade_file *f)
{
    return lade_file_put(f, "words \xe2\x88\x9e", words, &some_words);
}

void golden_check_texts(lade_file *f)
{
    words *w;
    lade_arena *owner = NULL;
    assert_int_equal(lade_file_get(f, "words \xe2\x88\x9e", words, &w, &owner), LADE_OK);
    assert_null(w->null);
    assert_string_equal(w->empty, "");
    assert_string_equal(w->text, some_words.text);
    assert_memory_equal(w->fixed, some_words.fixed, sizeof w->fixed);
    assert_memory_equal(w->full, some_words.full, sizeof w->full);
    assert_memory_equal(w->none, some_words.none, sizeof w->none);
    assert_true(w->one == HOT && w->other == INT64_MIN);
    assert_memory_equal(w->grid, some_words.grid, sizeof w->grid);
    lade_arena_destroy(owner);
}

static lists *make_lists(void)
{
    static lists l;
    static double reals[] = {1.5, -2.5, 1e100};
    static point2 points[] = {{1, 2}, {3, 4}}, many[300];
    static mark marks[] = {{{1, -1}, 7, true}, {{2, -2}, 8, false}, {{3, -3}, 9, true}}, maybe;
    static int64_t number = -5;
    static bool flags[] = {true, false};
    static uint8_t left[] = {1, 2, 3}, right[] = {4, 5, 6};
    for (int i = 0; i < 300; i++)
        many[i] = (point2){i, -i};
    maybe = (mark){{9, 9}, 1, true};
    l = (lists){.single = marks[1], .many = {marks[0], marks[2]}, .grid = {{maybe}, {marks[0]}}};
    l.reals = reals;
    l.nreals = 3;
    l.points = points;
    l.npoints = 2;
    l.marks = marks;
    l.nmarks = 3;
    l.maybe = &maybe;
    l.number = &number;
    l.long_points = many;
    l.nlong = 300;
    l.flags = flags;
    l.nflags = 2;
    l.left = left;
    l.right = right;
    l.shared = 3;
    return &l;
}

lade_status golden_write_vectors(lade_file *f)
{
    lists empty = {0};
    lade_status status = lade_file_put(f, "lists", lists, make_lists());
    return status ? status : lade_file_put(f, "empty", lists, &empty);
}

static void check_mark(const mark *m, const mark *is)
{
    assert_true(m->at.x == is->at.x && m->at.y == is->at.y && m->tag == is->tag && m->on == is->on);
}

void golden_check_vectors(lade_file *f)
{
    lists *l;
    lade_arena *owner = NULL;
    const lists *is = make_lists();
    assert_int_equal(lade_file_get(f, "lists", lists, &l, &owner), LADE_OK);
    check_mark(&l->single, &is->single);
    check_mark(&l->many[1], &is->many[1]);
    check_mark(&l->grid[1][0], &is->grid[1][0]);
    check_mark(&l->grid[1][1], &is->grid[1][1]);
    assert_true(l->nreals == 3 && l->npoints == 2 && l->nmarks == 3 && l->nlong == 300);
    assert_memory_equal(l->reals, is->reals, 3 * sizeof *l->reals);
    assert_memory_equal(l->points, is->points, 2 * sizeof *l->points);
    assert_memory_equal(l->long_points, is->long_points, 300 * sizeof *l->points);
    for (int i = 0; i < 3; i++)
        check_mark(&l->marks[i], &is->marks[i]);
    assert_true(!l->nothing && l->nnothing == 0 && !l->never && *l->number == -5);
    check_mark(l->maybe, is->maybe);
    assert_true(l->nflags == 2 && l->flags[0] && !l->flags[1] && l->shared == 3);
    assert_memory_equal(l->left, is->left, 3);
    assert_memory_equal(l->right, is->right, 3);
    assert_int_equal(lade_file_get(f, "empty", lists, &l, &owner), LADE_OK);
    assert_true(!l->reals && !l->marks && !l->maybe && !l->number && l->shared == 0);
    lade_arena_destroy(owner);
}

enum { LONG_TEXT = 140000 };

static void make_long_text(char *text)
{
    for (int i = 0; i < LONG_TEXT; i++)
        text[i] = (char)('a' + i % 26);
    text[LONG_TEXT] = 0;
}

/* Three frames. */
lade_status golden_write_frames(lade_file *f)
{
    static char text[LONG_TEXT + 1];
    make_long_text(text);
    scroll s = {.long_text = text, .last = 77};
    return lade_file_put(f, "scroll", scroll, &s);
}

void golden_check_frames(lade_file *f)
{
    static char text[LONG_TEXT + 1];
    scroll *s;
    lade_arena *owner = NULL;
    make_long_text(text);
    assert_int_equal(lade_file_get(f, "scroll", scroll, &s, &owner), LADE_OK);
    assert_string_equal(s->long_text, text);
    assert_int_equal(s->last, 77);
    lade_arena_destroy(owner);
}
