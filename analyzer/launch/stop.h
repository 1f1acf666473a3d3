/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is done before a signal ends tprof: SIGINT, SIGTERM or SIGHUP, unless it is ignored.
 */
#ifndef LAUNCH_STOP_H
#define LAUNCH_STOP_H

#include <stdbool.h>

/* To the end of the line: of the sequences of terminals all know this one but dumb ones. */
#define STOP_ERASE_LINE "\r\033[K"

/* Remove a file then, of which the name stays where it is; NULL: none any more. */
void stop_removes(const char *path);

/* Erase the line of the terminal of standard error then, or do not any more. */
void stop_erases(bool has_line);

#endif
