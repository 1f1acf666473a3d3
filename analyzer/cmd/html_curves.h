/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof html of the results of a benchmark: its tables and curves as one page.
 */
#ifndef CMD_HTML_CURVES_H
#define CMD_HTML_CURVES_H

#include "cmd/cmd.h"

/* Find the results that a word of the command line means: a file of JSON; or of a folder the
 * bench.json of tprof bench --keep, or where no traces are, the one file of results.
 * Returns: false where it means none. */
bool html_curves_find(const struct cmd_options *options, char path[PATH_MAX]);

/* Write their page.
 * Errors: STATUS_CORRUPT where the file has no results, STATUS_IO. */
enum status html_curves(const char *path, const struct cmd_options *options,
                        struct diagnostic *diagnostic) MUST_CHECK;

#endif
