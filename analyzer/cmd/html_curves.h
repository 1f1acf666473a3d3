/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof html of the results of a benchmark: its tables and curves as one page.
 */
#ifndef CMD_HTML_CURVES_H
#define CMD_HTML_CURVES_H

#include "cmd/cmd.h"

/* Find the results that a word of the command line means: a JSON file; the bench.json of a folder
 * of tprof bench --keep; or, in a folder without traces, the single file of results.
 * Returns: false if the word means no results. */
bool html_curves_find(const struct cmd_options *options, char path[PATH_MAX]);

/* Write their page.
 * Errors: STATUS_CORRUPT where the file has no results, STATUS_IO. */
enum status html_curves(const char *path, const struct cmd_options *options,
                        struct diagnostic *diagnostic) MUST_CHECK;

#endif
