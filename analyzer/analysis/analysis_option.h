/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options that an analysis has of its own: rows of a table beside it, of which each names a
 * field of its struct.  The command line fills the struct; doc/manual.c prints the rows.
 */
#ifndef ANALYSIS_ANALYSIS_OPTION_H
#define ANALYSIS_ANALYSIS_OPTION_H

#include <stddef.h>

/* How the word behind an option is read, and the type of the field. */
enum analysis_option_kind {
    ANALYSIS_OPTION_YES,           /* bool; there is no word */
    ANALYSIS_OPTION_COUNT,         /* size_t */
    ANALYSIS_OPTION_ROWS,          /* size_t; at least one */
    ANALYSIS_OPTION_NUMBER,        /* double between 0 and `most`, neither of them */
    ANALYSIS_OPTION_PERCENT,       /* double; the word is of 100 */
    ANALYSIS_OPTION_DURATION,      /* uint64_t, ns */
    ANALYSIS_OPTION_DURATION_OR_0, /* the same; 0 needs no unit */
    ANALYSIS_OPTION_SIZE           /* uint64_t, bytes */
};

/* A row of FOLDER/NAME_options.def:
 * OPTION(field, kind, most or 0, "name", "ARGUMENT" or NULL, "commands that have it",
 *        "options that it excludes" or NULL, "what it does") */
struct analysis_option {
    enum analysis_option_kind kind;
    double most;
    size_t place; /* of the field in the struct */
    size_t size;  /* of the field */
    const char *name;
    const char *argument;
    const char *commands;
    const char *excludes;
    const char *help;
};

/* The row of a table, for a field of `type`. */
#define ANALYSIS_OPTION(type, field, kind, most, ...)                                              \
    {                                                                                              \
        ANALYSIS_OPTION_##kind, most, offsetof(type, field), sizeof((type){0}.field), __VA_ARGS__  \
    }

struct analysis_own {
    const struct analysis_option *options;
    size_t count;
    const void *defaults; /* the struct as it is when the user says nothing */
    size_t size;          /* of it */
};

#endif
