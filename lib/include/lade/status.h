/**
 * \file
 * Statuses and error reports: every fallible function of Lade returns a lade_status, and fills the
 * caller's lade_error (if the context names one) with what went wrong and where.
 *
 * This header stands alone.
 */
#ifndef LADE_STATUS_H
#define LADE_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LADE_API __attribute__((visibility("default")))
#else
#define LADE_API
#endif

#if defined(__GNUC__)
#define LADE_NODISCARD __attribute__((warn_unused_result))
#define LADE_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define LADE_NODISCARD
#define LADE_PRINTF(fmt, args)
#endif

/** One line a status: enumerator, text. The numbers are stable: new ones go to the end. */
#define LADE_STATUS_LIST(X)                                                            \
    X(LADE_OK, "success")                                                              \
    X(LADE_ERR_ARGUMENT, "an argument is not valid")                                   \
    X(LADE_ERR_MEMORY, "out of memory")                                                \
    X(LADE_ERR_SPACE, "the caller's buffer is too small")                              \
    X(LADE_ERR_DESCRIPTION, "the description of a type is not valid")                  \
    X(LADE_ERR_TYPE, "the stored type is another than the expected one")               \
    X(LADE_ERR_NOT_FOUND, "no such entry")                                             \
    X(LADE_ERR_EXISTS, "an entry of this name exists")                                 \
    X(LADE_ERR_FORMAT, "these bytes are not in the Lade format")                       \
    X(LADE_ERR_VERSION, "written by a newer version of the format")                    \
    X(LADE_ERR_TRUNCATED, "the data ends too early")                                   \
    X(LADE_ERR_TAIL, "an unfinished tail follows the last commit")                     \
    X(LADE_ERR_CHECKSUM, "a checksum does not match: the data is damaged")             \
    X(LADE_ERR_VALUE, "a value is not one that its type can have")                     \
    X(LADE_ERR_RANGE, "a number does not fit")                                         \
    X(LADE_ERR_REFERENCE, "a reference names no object")                               \
    X(LADE_ERR_INTERIOR, "a reference points into the inside of another saved object") \
    X(LADE_ERR_SHAPE, "the stored value and the given memory differ in shape")         \
    X(LADE_ERR_LIMIT, "a limit of the context was reached")                            \
    X(LADE_ERR_IO, "an input or output operation failed")                              \
    X(LADE_ERR_NO_SPACE, "no space is left on the device")                             \
    X(LADE_ERR_PERMISSION, "permission denied")                                        \
    X(LADE_ERR_NO_FILE, "no such file or directory")                                   \
    X(LADE_ERR_MPI, "an MPI call failed")                                              \
    X(LADE_ERR_STATE, "the call does not fit the state of the object")

typedef enum lade_status {
#define LADE_PRIV_STATUS_ENUM(name, text) name,
    LADE_STATUS_LIST(LADE_PRIV_STATUS_ENUM)
#undef LADE_PRIV_STATUS_ENUM
        LADE_STATUS_COUNT
} lade_status;

/**
 * What went wrong. The caller owns it and names it in lade_context.error; a failing call fills it,
 * a succeeding one leaves it alone. All texts are NUL-terminated (and cut where too long).
 */
typedef struct lade_error {
    lade_status status;
    int cause;         /**< errno, an MPI error class, or 0. */
    int rank;          /**< The rank whose failure this is, or -1 outside MPI. */
    uint64_t offset;   /**< Byte offset in the message or file, or UINT64_MAX if it has none. */
    char entry[64];    /**< Entry of the file, or "". */
    char path[192];    /**< Path of the field, such as "map.cells[17].paths[2].cost", or "". */
    char message[320]; /**< One sentence: what, where, and both sides of a mismatch. */
} lade_error;

/** Returns the text of a status (a static string, also for numbers that are no status). */
LADE_API const char *lade_status_string(lade_status status);

/** Returns the name of a status as it stands in the source, such as "LADE_ERR_TYPE". */
LADE_API const char *lade_status_name(lade_status status);

#ifdef __cplusplus
}
#endif
#endif
