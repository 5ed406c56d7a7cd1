#include <stdbool.h>

#include <lade/lade.h>
#include <lade/map.h>

typedef struct {
    int32_t class;
    char *name;
} beast;
typedef struct {
    beast base;
    double weight;
} ox;
typedef union {
    double length;
    beast owner;
    int32_t unit[3];
} detail;
typedef struct item item;
struct item {
    item *next, *prev;
    float price;
};
typedef struct {
    item *data;
    uint16_t count;
} shelf;
typedef struct {
    int32_t *data;
    uint32_t size;
    size_t capacity;
} ints;
typedef struct {
    unsigned char opaque[12];
} token;
typedef struct {
    int nx, ny, halo, steps[2], whole, unit;
    double *field, *inner;
    float complex_not;
    double **rows;
    void *beast_any;
    beast *by_class, *shared[4];
    uint8_t what;
    int64_t kind;
    detail of;
    item *first, *last;
    shelf sorted;
    uint64_t *mask;
    size_t bits;
    const void *table;
    void (*callback)(int);
    ints numbers;
    beast **beasts;
    const char **names, *labels[2][2];
    token id, ids[3];
    long double exact, more[2];
    int cache;
    double old;
} stock;

static inline unsigned beast_class(const beast *b)
{
    return (unsigned)b->class;
}
static int by_price(const item *a, const item *b)
{
    return (a->price > b->price) - (a->price < b->price);
}
static lade_status token_save(lade_out *out, const token *t)
{
    lade_out_array(out, LADE_U8, t->opaque, sizeof t->opaque);
    return LADE_OK;
}
static lade_status token_load(lade_in *in, token *t, uint32_t version)
{
    (void)version;
    for (size_t i = 0; i < sizeof t->opaque; i++)
        t->opaque[i] = lade_in_u8(in);
    return LADE_OK;
}
static lade_status before(stock *s, void *user)
{
    (void)user;
    s->cache = 0;
    return LADE_OK;
}

LADE_STRUCT(beast, (value, class), (text, name, doc("as it is called")))
LADE_STRUCT(ox, (record, base, beast), (value, weight, unit("kg"), since(1)))
LADE_UNION(detail, (value, length, when(7)), (record, owner, beast), (value, unit, when(-1)))
LADE_STRUCT(item, (value, price))
LADE_SORTED_ARRAY(shelf_map, shelf, item, data, count, by_price)
LADE_CONTAINER(ints, int32_t)
LADE_CUSTOM(token, 2, token_save, token_load)
LADE_STRUCT(stock, (version, 4), (before_save, before), (grid, field, (nx, ny), order(fortran)),
            (grid, inner, (nx, ny), halo_of(halo), whole(), alias("core")), (value, whole),
            (value, unit, default(3)), (value, complex_not), (rows, rows, (nx, ny)),
            (any, beast_any, of(what), void, beast, ox), (any, by_class, by(beast_class), beast, beast, ox),
            (any_ref, shared, by(beast_class), beast, beast, ox), (variant, of, kind, detail),
            (list, first, item, next, prev(prev), tail(last)), (map, sorted, shelf_map, item),
            (bits, mask, bits), (external, table, tables), (external, callback, callbacks),
            (record, numbers, ints), (vector, beasts, bits, ref(beast)), (vector, names, bits, text()),
            (text, labels), (record, id, token), (record, ids, token), (value, exact), (value, more),
            (skip, cache, default(-1)), (value, old, until(4), default(0.5)))

int save(stock *s, lade_buffer *b);
int save(stock *s, lade_buffer *b)
{
    return lade_encode(stock, s, b, NULL);
}
