/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the shim will understand a value, before the program is started.
 */
#ifndef LAUNCH_RUN_VALUES_H
#define LAUNCH_RUN_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/* Check a value of a row of options.def.
 * Returns: false with what was expected instead. */
bool run_value_check(const char *variable, const char *text, char *expected, size_t size);

/* Append a folder to what TPROF_OUTPUT will be; a percent sign of its name is no code. */
void run_value_append_folder(struct text *output, const char *folder);

/* Let the paths that the environment names for the shim count from this folder: a script may
 * change its own before it starts the program.  Where this folder has no name, they stay. */
void run_values_pin_paths(void);

/* Whether the environment asks the shim for silence, as the shim reads it. */
bool run_value_is_quiet(void);

#endif
