/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of a command that makes no report, and so shares none with those that do.
 */
#ifndef CMD_PLAIN_OPTIONS_H
#define CMD_PLAIN_OPTIONS_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"

struct plain_option {
    int letter;           /* the short form, or 0 */
    const char *name;     /* without its dashes */
    const char *argument; /* for the help; NULL: it takes none */
    const char *help;
};

enum { PLAIN_OPTIONS_MOST = 16 };

struct plain_options {
    const struct plain_option *rows;
    size_t count; /* PLAIN_OPTIONS_MOST at most */
    /* Take the value of a row; NULL where it takes none. */
    enum status (*read)(void *of, size_t row, const char *text, struct diagnostic *diagnostic);
    void *of;
};

/* Read the options among the arguments, of which the first is the command's name.
 * What is left begins at getopt's optind.
 * Errors: STATUS_USAGE of `read`, or where there is no such option or a value is missing. */
enum status plain_options_read(const struct plain_options *plain, int argc, char **argv,
                               struct diagnostic *diagnostic) MUST_CHECK;

/* Print a line of help for each. */
void plain_options_print(const struct plain_option *rows, size_t count);

#endif
