/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines for the user on standard error, never anywhere else.
 */
#ifndef PLATFORM_NOTICE_H
#define PLATFORM_NOTICE_H

#include <stdbool.h>

/* Remember which file standard error is. */
void notice_init(void);

/* Print "tprof: ...\n" in one write, unless standard error is no longer the
 * file it was at start: programs close descriptor 2 and get the number back
 * for a file of their own.  A line that would wait, as in a pipe that is full, or
 * that nobody would read, is left out.  Errno is kept.
 * Returns: whether standard error was still there. */
bool notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
