/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of commands: rows of tables, which parse.h reads, and help and manual print.
 *
 * A row of FOLDER/NAME_options.def:
 * OPTION(field, reader, most or 0, letter or 0, "name", "ARGUMENT" or NULL,
 *        "commands that have it" or NULL, "options that it excludes" or NULL, "what it does")
 */
#ifndef OPTIONS_OPTION_H
#define OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct option_row;

/* An option that was given. */
struct option_value {
    const struct option_row *row;
    const char *text; /* its argument; NULL: none */
    void *field;      /* the field that the row names */
    void *fields;     /* the struct with this field */
};

/* Read an argument into the field.
 * Errors: STATUS_USAGE; a diagnostic that starts with "expected" gets the option's name. */
typedef enum status (*option_reader)(const struct option_value *value,
                                     struct diagnostic *diagnostic);

struct option_row {
    size_t place; /* offset of the field */
    option_reader read;
    double most; /* the highest value that the reader accepts */
    int letter;  /* the short form, or 0 */
    const char *name;
    const char *argument; /* NULL: none; "[=DIR]": an optional one */
    const char *commands; /* NULL: all that read the table; "but diff": all except these */
    const char *excludes; /* names of conflicting options; NULL: none */
    const char *help;
};

/* The row of a table, for a field of `type`. */
#define OPTION_ROW(type, field, ...) {offsetof(type, field), __VA_ARGS__}

/* Rows, and the struct that they fill in. */
struct option_set {
    const struct option_row *rows;
    size_t count;
    void *fields;
};

/* Ask whether a command has an option of its tables. */
bool option_is_of(const struct option_row *row, const char *command);

/* Ask whether a row names the commands that lack the option, instead of those that have it. */
bool option_is_common(const struct option_row *row);

/* Ask whether an option's argument may be left out. */
bool option_may_stand_alone(const struct option_row *row);

/* Ask whether a word is in a list of words with a space between them. */
bool option_list_has(const char *list, const char *word);

#endif
