/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof html of all processes of a run.
 */
#ifndef CMD_HTML_JOB_H
#define CMD_HTML_JOB_H

#include <stdbool.h>

#include "cmd/cmd.h"

/* Returns: whether --job is set, or the only argument is a directory with several traces. */
bool html_job_is_asked(const struct cmd_options *options);

/* Write the page.  Errors: those of reading and writing; with a diagnostic. */
enum status html_job(const struct cmd_options *options, struct diagnostic *diagnostic) MUST_CHECK;

#endif
