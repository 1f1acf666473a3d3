/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the calls that wait for signals and those by syscall().
 */
#ifndef INTERPOSE_SIGNAL_WAITS_H
#define INTERPOSE_SIGNAL_WAITS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A call waits with these signals blocked, or with the present mask for NULL.  `sp`: of its caller.
 * Returns: the argument of signal_waits_end_unblocking(). */
bool signal_waits_begin_unblocking(const sigset_t *blocked, uintptr_t sp);
void signal_waits_end_unblocking(bool is_paused);

/* The program is about to read these signals from a descriptor. */
void signal_waits_note_descriptor(const sigset_t *signals);

#endif
