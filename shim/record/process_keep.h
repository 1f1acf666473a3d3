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

#endif
