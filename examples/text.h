/**
 * \file
 * Text files, read whole and then word by word, with errors that name the file and the line. For
 * the readers of the examples.
 */
#ifndef EXAMPLES_TEXT_H
#define EXAMPLES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** What is wrong with a file. */
typedef struct {
    const char *file; /**< borrowed: the path that was given */
    uint64_t line;    /**< from 1; 0: the file as a whole */
    char message[200];
} text_error;

/** A file in memory, and the line at which its reader stands. */
typedef struct {
    char *data;              /**< owned; a NUL follows the last byte */
    const char *at, *end;    /**< what is left of the line, without its line end (LF or CR LF) */
    const char *next, *stop; /**< what is left of the file after the line */
    uint64_t line;           /**< from 1 */
    text_error *error;       /**< borrowed */
} text;

/** Reads a regular file. False after filling *error; there is nothing to close then. */
bool text_open(text *t, const char *path, text_error *error);
void text_close(text *t);

/** Goes to the first line again, in front of it. */
void text_rewind(text *t);

/** Goes to the next line; false if there is none. */
bool text_next_line(text *t);

/** Skips blanks; true if a word follows in this line. */
bool text_more(text *t);

/** Reads the next word of the line: a decimal integer, min to max. `what` names it in errors. */
bool text_integer(text *t, const char *what, uint64_t min, uint64_t max, uint64_t *out);

/** Reads the next word of the line: a finite decimal number. */
bool text_real(text *t, const char *what, double *out);

/** Fills the error with the current line. Always false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool text_fail(text *t, const char *format, ...);

/** Prints "program: FILE:LINE: message". */
void text_error_print(FILE *out, const char *program, const text_error *error);

#endif
