/**
 * \file
 * Archives of a program's own: a walk over a described value that calls a visitor with names, types and
 * addresses.
 *
 * A visitor says for each type of element whether it takes arrays of it whole: then an array is one call,
 * with the address and the number of elements; if not, every element is one. That is asked once for each
 * array, so a visitor that says no to all keeps working whatever it learns later.
 *
 * The same walk serves saving and loading: addresses lead into the value itself, so that a visitor which reads
 * may fill a value of the same shape in place (lade_visit_into), in the same order in which it was saved.
 *
 * Order: the root, field by field; then the objects that refs have led to, in the order in which they were met,
 * and so on. Bodies of vectors, optionals and the like stand where their field does, also where they are
 * recursive.
 */
#ifndef LADE_VISIT_H
#define LADE_VISIT_H

#include <lade/backend.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an item is. */
typedef enum lade_item_kind {
    LADE_ITEM_SCALAR,      /**< one number, bool or char at `data`; `scalar` says which */
    LADE_ITEM_ENUMERATION, /**< one integer that holds an enumerator */
    LADE_ITEM_TEXT,        /**< `data` is the text, NUL-terminated; NULL is LADE_ITEM_NULL */
    LADE_ITEM_FIXED_TEXT,  /**< char[count], terminated or full */
    LADE_ITEM_ARRAY,       /**< `count` elements: begin, elements, end; or whole, in one call */
    LADE_ITEM_RECORD,      /**< a record: begin, fields, end */
    LADE_ITEM_OBJECT,      /**< a record that refs lead to: as a record, with its `id` */
    LADE_ITEM_REF,         /**< a ref to the object `id` of `type` */
    LADE_ITEM_NULL,        /**< a text, optional, ref, grid or known-type pointer that is NULL */
    LADE_ITEM_KEY          /**< the key of something that is not saved: a text */
} lade_item_kind;

/** One thing that a visitor sees. Everything is borrowed for the call. */
typedef struct lade_item {
    lade_item_kind kind;
    const char *name;        /**< of the field; NULL for elements, for objects and for the root */
    const lade_field *field; /**< or NULL */
    const lade_type *type;   /**< of the record, the elements or the target; NULL for texts */
    lade_scalar scalar;      /**< of a number, an enumeration or their array; else LADE_NONE */
    void *data;              /**< where it stands; not to be written while saving */
    lade_size count;         /**< elements of an array, bytes of a fixed text; else 1 */
    lade_size id;            /**< of an object, for each type from 0 */
    unsigned rank;           /**< of a grid or a fixed array; 1 for a vector */
    const size_t *extents;   /**< of an array, slowest first; NULL for rank 1 */
} lade_item;

/** Functions of an archive; those that are NULL do nothing. Another status than LADE_OK ends the walk. */
typedef struct lade_visitor {
    void *user; /**< borrowed, passed to all */
    /** Whether arrays of this type of element come in one call: arithmetic types, and records without pointers
     * and padding. NULL: no. */
    bool (*takes_whole)(void *user, const lade_type *element);
    lade_status (*array)(void *user, const lade_item *item); /**< a whole array, without gaps */
    lade_status (*value)(void *user, const lade_item *item); /**< anything that has no parts */
    lade_status (*begin)(void *user, const lade_item *item); /**< an array or record */
    lade_status (*end)(void *user, const lade_item *item);
} lade_visitor;

/** Whether every archive of this library (memory, file, MPI) takes arrays of this type whole: an arithmetic type,
 * or records without pointers and padding. False for NULL and on errors. */
LADE_API bool lade_takes_whole(const lade_type *element, lade_context *ctx);

/**
 * Walks over a value. \returns LADE_OK, what the visitor returned, LADE_ERR_ARGUMENT (NULL; custom types have no
 * parts to show), LADE_ERR_DESCRIPTION, LADE_ERR_MEMORY, LADE_ERR_VALUE (as for saving).
 */
LADE_API LADE_NODISCARD lade_status lade_visit(const lade_root *root, const lade_visitor *visitor,
                                               lade_context *ctx);

/** The same over a value that the visitor fills in place; its shape (pointers, counts, lengths, discriminants)
 * is what it was. */
LADE_API LADE_NODISCARD lade_status lade_visit_into(const lade_root *root, void *value,
                                                    const lade_visitor *visitor, lade_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
