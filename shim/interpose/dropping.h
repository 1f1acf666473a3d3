/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls after which a process may no longer reach its trace by its path.
 */
#ifndef INTERPOSE_DROPPING_H
#define INTERPOSE_DROPPING_H

#include <sys/syscall.h>

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446 /* since Linux 5.13, on all machines */
#endif

/* By the number of a system call, with its first two arguments: note that it is about to be made.
 * Other numbers are ignored.  Keeps errno. */
void dropping_note(long number, unsigned long first, unsigned long second);

#endif
