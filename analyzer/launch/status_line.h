/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The progress of a command: one line on the terminal of standard error, overwritten each time, and
 * erased before other output.  The progress is no message: only main prints messages.
 */
#ifndef LAUNCH_STATUS_LINE_H
#define LAUNCH_STATUS_LINE_H

#include <stdbool.h>

#include "base/text.h"

/* Ask whether standard error is a terminal that can erase a line. */
bool status_line_is_possible(void);

/* Replace the status line.  The line is made safe, and truncated at the width of the terminal.
 * Without a terminal nothing happens. */
void status_line_show(const struct text *line);

/* Erase the status line. */
void status_line_erase(void);

#endif
