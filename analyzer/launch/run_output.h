/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks before a run whether a trace can be written to TPROF_OUTPUT.
 */
#ifndef LAUNCH_RUN_OUTPUT_H
#define LAUNCH_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Ask whether the folder exists and is writable.  Returns: false, with errno. */
bool run_output_can_be_written(const char *program);

/* Ask whether the trace would replace a file.  If the file is the trace of another process (%p), or
 * of a program still being recorded, the shim chooses another name. */
bool run_output_is_taken(const char *program);

#endif
