/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options that one command alone has, beside those that all reporting commands
 * share: they are taken out of the arguments, and cmd_parse reads the rest.
 */
#ifndef CMD_OWN_OPTIONS_H
#define CMD_OWN_OPTIONS_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"

struct own_option {
    const char *name;     /* without its dashes */
    const char *argument; /* for the help; NULL: it takes none; "[=DIR]": it may have one */
    const char *help;
};

struct own_options {
    const char *command;
    const struct own_option *rows;
    size_t count;
    /* Take the value of a row; NULL where it takes none. */
    enum status (*read)(void *of, size_t row, const char *text, struct diagnostic *diagnostic);
    void *of;
};

/* What is left, the command's name first. */
struct own_rest {
    int count;
    char **words; /* terminated by NULL */
};

/* Split the arguments; up to a word "--", which stays with what follows it.
 * Errors: STATUS_USAGE of `read` or where a value is missing;
 * the rest is to be freed all the same. */
enum status own_options_take(const struct own_options *own, int argc, char **argv,
                             struct own_rest *rest, struct diagnostic *diagnostic) MUST_CHECK;

void own_rest_free(struct own_rest *rest);

/* Print a line of help for each. */
void own_options_print(const struct own_options *own);

/* Read a number above 0 that is finite.  Errors: STATUS_USAGE, naming the option. */
enum status own_options_number(const struct own_option *option, const char *text, double *number,
                               struct diagnostic *diagnostic) MUST_CHECK;

#endif
