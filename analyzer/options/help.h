/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options and words of help, in lines of the terminal's width.
 */
#ifndef OPTIONS_HELP_H
#define OPTIONS_HELP_H

#include <stdio.h>

#include "options/option.h"

enum { HELP_COLUMN = 29 }; /* column of an option's meaning */

/* Print a word and its meaning; the meaning starts at column `indent`. */
void help_print_row(FILE *out, const char *head, size_t indent, const char *meaning);

/* Print "Usage: tprof NAME ARGUMENTS" and a sentence on the command. */
void help_print_usage(const char *name, const char *arguments, const char *sentence);

/* Print the line of an option, with its help or with another meaning. */
void help_print_option(const struct option_row *row, const char *meaning);

/* Print the options of a set that a command has. */
void help_print_options(const struct option_set *set, const char *command);

#endif
