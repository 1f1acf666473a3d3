/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a trace can go where TPROF_OUTPUT says, asked before the program runs.
 */
#ifndef LAUNCH_RUN_OUTPUT_H
#define LAUNCH_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Ask whether the folder is there and can be written to.
 * Returns: false, with errno. */
bool run_output_can_be_written(const char *program);

/* Ask whether the trace would take the place of a file.  The name of another process's trace
 * (%p) is never taken, and a program that is still recorded keeps its file: the shim finds
 * another name then. */
bool run_output_is_taken(const char *program);

#endif
