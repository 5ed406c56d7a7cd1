/**
 * \file
 * Views: a walk over a value by its descriptors alone, for tools and bindings.
 *
 *     lade_view v = lade_view_of(&value), x;
 *     for (uint64_t i = 0; i < v.count && lade_view_field(&v, i, &x); i++)
 *         if (x.is == LADE_IS_TEXT)
 *             printf("%s: %s\n", x.name, (const char *)x.data);
 *
 * A view is a small struct that borrows the value; nothing is allocated. Pointers are followed: the view of a ref
 * is that of its object, with `tracked` set, because it may be met again. The value itself must be sound, as one
 * that was loaded is.
 */
#ifndef LADE_VIEW_H
#define LADE_VIEW_H

#include <lade/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lade_view_is {
    LADE_IS_NULL,   /**< a pointer that is NULL */
    LADE_IS_NUMBER, /**< of `scalar`, perhaps one of an `enumeration` */
    LADE_IS_TEXT,   /**< `count` bytes at `data`; a fixed text may have no NUL behind them */
    LADE_IS_RECORD, /**< `count` fields of `type` */
    LADE_IS_CASE, /**< a variant: its one field is the case that its discriminant selects; count 0: none */
    LADE_IS_ARRAY, /**< `count` elements */
    LADE_IS_RAW,   /**< a custom value as a lade_raw */
    LADE_IS_OPAQUE /**< what only functions of the program understand */
} lade_view_is;

typedef struct lade_view {
    lade_view_is is;
    bool tracked;                 /**< reached through a ref: (data, type) is its identity */
    const char *name;             /**< of the field, or NULL for elements and for the whole value */
    const lade_type *type;        /**< of a record, an object, the elements; else NULL */
    const lade_enum *enumeration; /**< of a number, or NULL */
    lade_scalar scalar;           /**< of a number */
    const void *data; /**< where it stands; the first element of an array that is dense */
    uint64_t count;   /**< fields, elements or bytes, as above */
    unsigned rank;    /**< of an array */
    size_t extents[LADE_MAX_RANK]; /**< of an array, slowest first */
    int64_t discriminant;          /**< of LADE_IS_CASE */
    const lade_field *field;       /**< private, with the next one: what leads here */
    const unsigned char *owner;
    bool single;
} lade_view;

/** \returns the view of a whole value, or of a bare array. */
LADE_API lade_view lade_view_of(const lade_value *value);

/** Gives field i (of `count`) of a record, or field 0 of a case. \returns false if there is none. */
LADE_API bool lade_view_field(const lade_view *view, uint64_t i, lade_view *out);
/** The same by name. */
LADE_API bool lade_view_find(const lade_view *view, const char *name, lade_view *out);
/** Gives element i of an array, in C order; lists and dictionaries of C structs are walked from their start. */
LADE_API bool lade_view_at(const lade_view *view, uint64_t i, lade_view *out);

/** Gives a number as an integer. \returns false if it is none, or does not fit exactly. */
LADE_API bool lade_view_i64(const lade_view *view, int64_t *out);
LADE_API bool lade_view_u64(const lade_view *view, uint64_t *out);
/** Gives a number as a double, rounded where it must be; of a complex number the real part. */
LADE_API bool lade_view_f64(const lade_view *view, double *out);
/** Gives the imaginary part; 0 for numbers that are not complex. */
LADE_API bool lade_view_imaginary(const lade_view *view, double *out);
/** \returns the name of an enumerator, or NULL where the value is not listed. */
LADE_API const char *lade_view_enumerator(const lade_view *view);
/** \returns the unit or the sentence of the field that leads here, or NULL. */
LADE_API const char *lade_view_unit(const lade_view *view);
LADE_API const char *lade_view_doc(const lade_view *view);

#ifdef __cplusplus
}
#endif
#endif
