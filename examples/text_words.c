#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *at; /* NULL: there is none */
    size_t size;
} word;

/* A word as errors show it: cut where long, and without bytes that a terminal would act upon. */
typedef struct {
    char text[28];
} shown;

static shown show(word w)
{
    enum { KEPT = 24 };
    shown s = {""};

    for (size_t i = 0; i < w.size && i < KEPT; i++)
        s.text[i] = w.at[i] > ' ' && w.at[i] <= '~' ? w.at[i] : '?';
    if (w.size > KEPT)
        memcpy(s.text + KEPT, "...", 3);
    return s;
}

bool text_fail(text *t, const char *format, ...)
{
    va_list args;

    t->error->line = t->line ? t->line : 1;
    va_start(args, format);
    vsnprintf(t->error->message, sizeof t->error->message, format, args);
    va_end(args);
    return false;
}

void text_error_print(FILE *out, const char *program, const text_error *error)
{
    if (error->line)
        fprintf(out, "%s: %s:%llu: %s\n", program, error->file, (unsigned long long)error->line,
                error->message);
    else
        fprintf(out, "%s: %s: %s\n", program, error->file, error->message);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool text_more(text *t)
{
    while (t->at < t->end && is_blank(*t->at))
        t->at++;
    return t->at < t->end;
}

/* Takes the next word of the line. */
static word take_word(text *t, const char *what)
{
    word w = {NULL, 0};

    if (!text_more(t)) {
        text_fail(t, "the %s is missing", what);
        return w;
    }
    w.at = t->at;
    while (t->at < t->end && !is_blank(*t->at))
        t->at++;
    w.size = (size_t)(t->at - w.at);
    return w;
}

bool text_integer(text *t, const char *what, uint64_t min, uint64_t max, uint64_t *out)
{
    word w = take_word(t, what);
    uint64_t value = 0;
    bool fits = true;

    if (!w.at)
        return false;
    for (size_t i = w.size > 1 && *w.at == '-'; i < w.size; i++) {
        unsigned digit = (unsigned)(unsigned char)w.at[i] - '0';

        if (digit > 9)
            return text_fail(t, "the %s '%s' is not an integer", what, show(w).text);
        fits = fits && value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (!fits || value < min || value > max || *w.at == '-')
        return text_fail(t, "the %s %s is not in the range %llu to %llu", what, show(w).text,
                         (unsigned long long)min, (unsigned long long)max);
    *out = value;
    return true;
}

bool text_real(text *t, const char *what, double *out)
{
    word w = take_word(t, what);
    char *end;
    double value;

    if (!w.at)
        return false;
    /* strtod would also take "inf", "nan" and hexadecimal digits. */
    value = strtod(w.at, &end);
    if (strspn(w.at, "0123456789+-.eE") < w.size || end != w.at + w.size)
        return text_fail(t, "the %s '%s' is not a number", what, show(w).text);
    if (!isfinite(value))
        return text_fail(t, "the %s %s is too large for a double", what, show(w).text);
    *out = value;
    return true;
}
