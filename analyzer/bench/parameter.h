/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of a benchmark: a name and its values, and their substitution for
 * {name} in a text.
 */
#ifndef BENCH_PARAMETER_H
#define BENCH_PARAMETER_H

#include <stdbool.h>

#include "base/array.h"
#include "base/text.h"
#include "base/text_list.h"

enum { PARAMETER_MAX_VALUES = 1000 };

struct parameter {
    char *name;
    struct text_list values;
    struct text_list shown; /* each value in tables; mostly unchanged */
    bool is_numeric;        /* each value is a number */
};

/* One value of a parameter, to be substituted. */
struct parameter_value {
    const char *name;
    const char *text;
    const char *shown;
};

/* Read "seq=128,256,512": a comma in a value is written \,; 1..8 counts up by 1,
 * 1..8+2 by 2, 1..64x2 doubles.
 * Errors: STATUS_USAGE with a diagnostic; the parameter is then finished. */
enum status parameter_read(struct parameter *parameter, const char *text,
                           struct diagnostic *diagnostic) MUST_CHECK;

/* Start a parameter without values.  Errors: STATUS_USAGE: the name is not allowed in braces. */
enum status parameter_init(struct parameter *parameter, const char *name, size_t length,
                           struct diagnostic *diagnostic) MUST_CHECK;

/* Add a plain value, or the values of a range.
 * Errors: STATUS_USAGE: a value twice, too many values, an endless range. */
enum status parameter_add(struct parameter *parameter, const char *value,
                          struct diagnostic *diagnostic) MUST_CHECK;

/* Add values and ranges between commas, as "64,128,256" or "1..8,a\\,b".  Errors: as above. */
enum status parameter_add_list(struct parameter *parameter, const char *text,
                               struct diagnostic *diagnostic) MUST_CHECK;

/* Add a plain value, and its name in tables.  Errors: as above. */
enum status parameter_add_shown(struct parameter *parameter, const char *value, const char *shown,
                                struct diagnostic *diagnostic) MUST_CHECK;

void parameter_fini(struct parameter *parameter);

/* Give a value as a number.  Returns: NAN when it is no number. */
double parameter_number(const char *value);

/* Append a text with each {name} replaced by its value; other braces remain.
 * Shape: `values` of struct parameter_value. */
void parameter_substitute(struct text *out, const char *text, const struct array *values);

/* Ask whether a text contains {name}; NULL does not. */
bool parameter_is_used(const char *text, const char *name);

#endif
