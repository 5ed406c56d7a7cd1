/* Names that users take, and that the macros use themselves. */
#include <lade/lade.h>

typedef struct {
    int32_t cell;
} cell;
LADE_STRUCT(cell, (value, cell))
typedef struct {
    int32_t fingerprint;
} fingerprint;
LADE_STRUCT(fingerprint, (value, fingerprint))
typedef struct {
    int32_t run;
} run;
LADE_STRUCT(run, (value, run))
typedef struct {
    int32_t trace;
} trace;
LADE_STRUCT(trace, (value, trace))
typedef struct {
    int32_t fail;
} fail;
LADE_STRUCT(fail, (value, fail))
typedef struct {
    int32_t scalar;
} scalar;
LADE_STRUCT(scalar, (value, scalar))
typedef struct {
    int32_t node;
} node;
LADE_STRUCT(node, (value, node))
typedef struct {
    int32_t list;
} list;
LADE_STRUCT(list, (value, list))
typedef struct {
    int32_t view;
} view;
LADE_STRUCT(view, (value, view))
typedef struct {
    int32_t room;
} room;
LADE_STRUCT(room, (value, room))
typedef struct {
    int32_t need;
} need;
LADE_STRUCT(need, (value, need))
typedef struct {
    int32_t plan;
} plan;
LADE_STRUCT(plan, (value, plan))
typedef struct {
    int32_t enums;
} enums;
LADE_STRUCT(enums, (value, enums))
typedef struct {
    int32_t types;
} types;
LADE_STRUCT(types, (value, types))
typedef struct {
    int32_t field;
} field;
LADE_STRUCT(field, (value, field))
typedef struct {
    int32_t kind;
} kind;
LADE_STRUCT(kind, (value, kind))
typedef struct {
    int32_t status;
} status;
LADE_STRUCT(status, (value, status))
typedef struct {
    int32_t type;
} type;
LADE_STRUCT(type, (value, type))
typedef struct {
    int32_t value;
} value;
LADE_STRUCT(value, (value, value))
typedef struct {
    int32_t text;
} text;
LADE_STRUCT(text, (value, text))
typedef struct {
    int32_t record;
} record;
LADE_STRUCT(record, (value, record))
typedef struct {
    int32_t vector;
} vector;
LADE_STRUCT(vector, (value, vector))
typedef struct {
    int32_t pool;
} pool;
LADE_STRUCT(pool, (value, pool))
typedef struct {
    int32_t optional;
} optional;
LADE_STRUCT(optional, (value, optional))
typedef struct {
    int32_t ref;
} ref;
LADE_STRUCT(ref, (value, ref))
typedef struct {
    int32_t enumeration;
} enumeration;
LADE_STRUCT(enumeration, (value, enumeration))
typedef struct {
    int32_t e;
} e;
LADE_STRUCT(e, (value, e))
typedef struct {
    int32_t p;
} p;
LADE_STRUCT(p, (value, p))
typedef struct {
    int32_t i;
} i;
LADE_STRUCT(i, (value, i))
typedef struct {
    int32_t n;
} n;
LADE_STRUCT(n, (value, n))
typedef struct {
    int32_t g;
} g;
LADE_STRUCT(g, (value, g))
typedef struct {
    int32_t b;
} b;
LADE_STRUCT(b, (value, b))
typedef struct {
    int32_t m;
} m;
LADE_STRUCT(m, (value, m))
typedef struct {
    int32_t q;
} q;
LADE_STRUCT(q, (value, q))
typedef struct {
    int32_t T;
} T;
LADE_STRUCT(T, (value, T))
typedef struct {
    int32_t f;
} f;
LADE_STRUCT(f, (value, f))
typedef struct {
    int32_t F;
} F;
LADE_STRUCT(F, (value, F))
typedef struct {
    int32_t OP;
} OP;
LADE_STRUCT(OP, (value, OP))
typedef struct {
    int32_t x;
} x;
LADE_STRUCT(x, (value, x))
