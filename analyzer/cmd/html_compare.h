/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof html of several traces: two sides or more on one page.
 */
#ifndef CMD_HTML_COMPARE_H
#define CMD_HTML_COMPARE_H

#include "cmd/cmd.h"

/* Write the page of the traces that the options have, which sides_separator may part.
 * Errors: STATUS_USAGE, no two sides; those of reading and writing; with a diagnostic. */
enum status html_compare(const struct cmd_options *options,
                         struct diagnostic *diagnostic) MUST_CHECK;

#endif
