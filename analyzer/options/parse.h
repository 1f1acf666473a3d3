/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one parser of options: getopt_long over the rows of all tables that a command has.
 */
#ifndef OPTIONS_PARSE_H
#define OPTIONS_PARSE_H

#include "base/attributes.h"
#include "options/option.h"

enum { OPTIONS_MOST = 128 }; /* rows of all sets */

struct options_asked {
    const char *command;
    const struct option_set *sets;
    size_t count;
    bool ends_at_a_word; /* other words end the options, too, not just "--" */
};

/* Read the options among the arguments; the first argument is the command's name.  The other words
 * start at getopt's optind.  The sets also know the options of other commands: the diagnostic names
 * the commands that have such an option.
 * Errors: STATUS_USAGE, from a reader, or for an unknown option, a missing value, or two options
 * that exclude one another. */
enum status options_parse(const struct options_asked *asked, int argc, char **argv,
                          struct diagnostic *diagnostic) MUST_CHECK;

#endif
