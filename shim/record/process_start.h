/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Start of recording in a process.
 */
#ifndef RECORD_PROCESS_START_H
#define RECORD_PROCESS_START_H

#include <stdbool.h>

/* Prepare the process for its first record.  Called on every thread without a
 * lane.
 * Returns: false when this process records nothing.
 * Safety: any thread; allocates nothing; the caller keeps errno. */
bool process_start(void);

/* Defer recording in a child of a recorded process that has recorded nothing (record/deferral.h).
 * Returns: whether it is deferred from now on.
 * Safety: as above. */
bool process_defer(void);

/* Print, in the first process, that nothing is recorded, and why. */
void process_tell_obstacle(const char *obstacle);

#endif
