/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the parts of a program grow, as a page: for tprof html.
 */
#ifndef CMD_SCALING_H
#define CMD_SCALING_H

#include "cmd/cmd.h"

/* Write the table and the curves of the traces that the options name.  `x`: the argument of --x.
 * Errors: STATUS_USAGE where it names no size, those of reading and writing. */
enum status scaling_write_page(const char *x, const struct cmd_options *options,
                               struct diagnostic *diagnostic) MUST_CHECK;

#endif
