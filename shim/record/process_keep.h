/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the trace a file.
 */
#ifndef RECORD_PROCESS_KEEP_H
#define RECORD_PROCESS_KEEP_H

#include <stdbool.h>

/* The trace is worth a file now: it has a kernel, a region, a second thread, a
 * heap that grew, or a full first chunk.  The caller holds the process lock.
 * Returns: whether the trace is a file. */
bool process_keep(void);

/* The same, taking the lock; does nothing if it is done, has failed, or is forbidden. */
void process_keep_now(void);

/* The process is about to change its user, its root or what it may open: make the trace a file that
 * can grow without being opened again.  In the child of a vfork it does nothing. */
void process_keep_for_good(void);

/* The memory of the parent's trace is gone: a child that gets no trace does not tell it there. */
void process_forget_parent(void);

#endif
