/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a command is: one line on the terminal of standard error, written over and over,
 * and gone when the command has something to say.  It is no message: main alone prints those.
 */
#ifndef LAUNCH_STATUS_LINE_H
#define LAUNCH_STATUS_LINE_H

#include <stdbool.h>

#include "base/text.h"

/* Whether there is a terminal, and one that can erase a line. */
bool status_line_is_possible(void);

/* Show a line instead of the one before.  It is made safe, and its end is cut where the
 * terminal ends.  Nothing happens where it is not possible. */
void status_line_show(const struct text *line);

/* Erase it. */
void status_line_erase(void);

#endif
