/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the shim will understand a value, before the program is started.
 */
#ifndef CMD_RUN_VALUES_H
#define CMD_RUN_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/* Check a value of a row of options.def.
 * Returns: false with what was expected instead. */
bool run_value_check(const char *variable, const char *text, char *expected, size_t size);

/* Whether the environment asks the shim for silence, as the shim reads it. */
bool run_value_is_quiet(void);

#endif
