/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cleans up before SIGINT, SIGTERM or SIGHUP ends tprof, unless the signal is ignored.
 */
#ifndef LAUNCH_STOP_H
#define LAUNCH_STOP_H

#include <stdbool.h>

/* Erases to the end of the line; all terminals but dumb ones know this sequence. */
#define STOP_ERASE_LINE "\r\033[K"

/* Let a signal remove this file; NULL: no file any more.  The text must stay valid. */
void stop_removes(const char *path);

/* Let a signal erase the status line on standard error, or no longer. */
void stop_erases(bool has_line);

#endif
