/**
 * \file
 * Evolution: a value of the type that a file has, as one of the type that the program has.
 *
 *     file ─► value of the stored type ─► convert ─► value of the wanted type ─► encode, decode ─► the program's struct
 *             (made at run time)                     (made at run time)
 *
 * Both types in the middle are made at run time, so that there is one layout to convert, and the program's own
 * type (its lists, dictionaries, hooks, externals) is filled by the decoder, as always. What did not change is not
 * copied on the way. A plan of one pair of types is made once for a file.
 */
#ifndef LADE_CONVERT_H
#define LADE_CONVERT_H

#include "graph.h"
#include "runtime.h"

/** What the elements of a field are. */
typedef enum conv_kind {
    CONV_NUMBER, /* value */
    CONV_ENUM,
    CONV_TEXT,
    CONV_FIXED, /* text of limited length */
    CONV_RECORD,
    CONV_CUSTOM,
    CONV_REF,
    CONV_ANY,
    CONV_ANY_REF,
    CONV_VARIANT,
    CONV_EXTERNAL,
    CONV_BITS
} conv_kind;

/** How many there are, and where. */
typedef enum conv_form {
    FORM_FIXED,    /* in the struct: one, or a fixed array */
    FORM_OPTIONAL, /* behind a pointer: none or one */
    FORM_COUNTED,  /* behind a pointer, with a count */
    FORM_GRID
} conv_form;

/** One side of a field. */
typedef struct conv_side {
    const lade_field *field;
    conv_kind kind;
    conv_form form;
    size_t outer;          /* pointers of a fixed array, each with elements of its own; else 1 */
    size_t count;          /* elements of FORM_FIXED */
    size_t step;           /* bytes of an element */
    size_t align;          /* of an element */
    lade_scalar scalar;    /* of numbers */
    const lade_type *type; /* of records, targets, unions */
} conv_side;

struct conv_pair;

/** One field of the wanted type. */
typedef struct conv_field {
    conv_side from, to;
    size_t base;              /* bytes from the stored struct to the one that has the field */
    bool added;               /* the file has none: default or zero */
    bool around;              /* a record made from fields of the stored struct itself */
    struct conv_pair *pair;   /* of records, targets, unions; or NULL */
    struct conv_pair **cases; /* of known types: one for each stored one */
    uint32_t *which;          /* and its place among the wanted ones, or UINT32_MAX */
} conv_field;

/** Two types. */
typedef struct conv_pair {
    struct conv_pair *next;
    const lade_type *from, *to;
    const lade_type *own; /* the program's type, with the options of its fields */
    bool same;            /* nothing to do: shared as it is */
    bool partial;         /* `to` is a record by value that takes fields from around it */
    bool compiled;
    conv_field *fields;
    size_t count;
    /* while a value is converted */
    lade_ids ids; /* of objects that refs lead to */
    void **objects;
    size_t objects_capacity;
} conv_pair;

/** A plan to convert, kept by a file. */
typedef struct lade_conversion {
    struct lade_conversion *next;
    const lade_allocator *allocator;
    lade_fingerprint stored;
    const lade_type *type; /* of the program */
    uint64_t stamp;        /* of that type */
    bool array, newer;
    lade_schema *from; /* the types of the file */
    lade_schema *to;   /* the wanted types, and all memory of the plan */
    lade_typeset
        own; /* the program's types, as they take part: with fields that only the file has */
    conv_pair *first, *last;
    conv_pair *root;
    bool pool_lost; /* objects of a pool become those of something else */
    bool no_sharing;
} lade_conversion;

/** Adapts the program's types to what the file has: fields that are no longer stored are loaded from it, and custom
 * types are told the version that it has. */
lade_status lade_convert_adapt(lade_job *job, lade_conversion *c);
/** Makes the plan. LADE_ERR_TYPE and LADE_ERR_VERSION name the field and both types. */
lade_status lade_convert_compile(lade_job *job, lade_conversion *c);
/** Converts a value (or array) of the stored type; new memory comes from the arena. */
lade_status lade_convert_run(lade_job *job, lade_conversion *c, const lade_value *from,
                             lade_value *to, lade_arena *arena);
void lade_conversion_free(lade_job *job, lade_conversion *c);

/** A field as text, such as "vector of spot". */
enum { CONV_TEXT_SIZE = 96 };
void lade_field_text(const lade_field *field, char text[CONV_TEXT_SIZE]);

/** The enumerator of a value; NULL if it is not listed. */
const char *lade_enumerator_name(const lade_enum *en, int64_t value);

#endif
