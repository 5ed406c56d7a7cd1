#include <lade/lade.h>

typedef struct other other;
LADE_DECLARE(other)
typedef struct {
    int32_t cell;
    int32_t fingerprint;
    int32_t run;
    int32_t trace;
    int32_t fail;
    int32_t scalar;
    int32_t node;
    int32_t list;
    int32_t view;
    int32_t room;
    int32_t need;
    int32_t plan;
    int32_t enums;
    int32_t types;
    int32_t field;
    int32_t kind;
    int32_t status;
    int32_t type;
    int32_t value;
    int32_t text;
    int32_t record;
    int32_t vector;
    int32_t pool;
    int32_t optional;
    int32_t ref;
    int32_t enumeration;
    int32_t e;
    int32_t p;
    int32_t i;
    int32_t n;
    int32_t g;
    int32_t b;
    int32_t m;
    int32_t q;
    int32_t T;
    int32_t f;
    int32_t F;
    int32_t OP;
    int32_t x;
    other *to;
    double *data;
} all;
LADE_STRUCT(all, (value, cell), (value, fingerprint), (value, run), (value, trace), (value, fail),
            (value, scalar), (value, node), (value, list), (value, view), (value, room),
            (value, need), (value, plan), (value, enums), (value, types), (value, field),
            (value, kind), (value, status), (value, type), (value, value), (value, text),
            (value, record), (value, vector), (value, pool), (value, optional), (value, ref),
            (value, enumeration), (value, e), (value, p), (value, i), (value, n), (value, g),
            (value, b), (value, m), (value, q), (value, T), (value, f), (value, F), (value, OP),
            (value, x), (ref, to, other), (optional, data))
