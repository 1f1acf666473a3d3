/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines for the user on standard error, never anywhere else.
 */
#ifndef PLATFORM_NOTICE_H
#define PLATFORM_NOTICE_H

#include <stdbool.h>

/* Remember which file standard error is. */
void notice_init(void);

/* Print "tprof: ...\n" in one write, unless standard error is no longer the file that it was at the
 * start: programs close descriptor 2 and get the number back for another file.  A line is left out
 * if it would wait, as in a full pipe, or if nobody would read it.  Errno is kept.
 * Returns: whether standard error was still the same. */
bool notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
