/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks before a run whether the shim will accept the values of its variables.
 */
#ifndef LAUNCH_RUN_VALUES_H
#define LAUNCH_RUN_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/* Check a value for a row of options.def.  Returns: false, with the expected form. */
bool run_value_check(const char *variable, const char *text, char *expected, size_t size);

/* Append a folder to the coming TPROF_OUTPUT; a percent sign in its name is no code. */
void run_value_append_folder(struct text *output, const char *folder);

/* Make the shim's paths in the environment absolute: a script may change its folder before it
 * starts the program.  They stay unchanged if the current folder has no name. */
void run_values_pin_paths(void);

/* Ask whether the environment makes the shim quiet, as the shim reads it. */
bool run_value_is_quiet(void);

#endif
