/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the trace a file.
 */
#ifndef RECORD_PROCESS_KEEP_H
#define RECORD_PROCESS_KEEP_H

#include <stdbool.h>

/* From now on there is something worth keeping: a kernel, a region, a second
 * thread, a full first chunk.  Returns: whether the trace is a file.
 * The caller holds the process lock. */
bool process_keep(void);

/* The same, taking the lock; does nothing where it is done, has failed, or is forbidden. */
void process_keep_now(void);

#endif
