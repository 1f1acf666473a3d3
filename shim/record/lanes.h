/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes of the process: assigned to threads, reclaimed, closed.
 */
#ifndef RECORD_LANES_H
#define RECORD_LANES_H

#include <stdbool.h>

struct lane;

/* Start to notice the end of threads.  Called from the constructor, and before a second thread
 * starts; does nothing the second time. */
void lanes_watch_threads(void);

/* Stop recording once process_is_recording() says no: in this thread at once, in others after their
 * present record, which the caller may wait for.  Each thread resumes when the answer is yes again.
 * Returns: whether no other thread is in a record. */
bool lanes_stop(bool awaits_others);

/* Let no thread read its lane again, because the lanes' memory is unmapped.  Called once recording
 * has stopped for good. */
void lanes_leave(void);

/* This thread is about to forbid itself the counter, and the threads that it starts inherit that:
 * choose another clock for all threads.
 * Returns: false when nothing is recorded. */
bool lanes_forbid_counter(void);

/* The kernel refused this: undo lanes_forbid_counter. */
void lanes_allow_counter(void);

/* Note the end and the processor time of every thread that still runs.
 * The caller holds the process lock. */
void lanes_end(void);

/* Record nothing of this thread: its next calls are the shim's own.
 * Returns: its lane, for lanes_show. */
struct lane *lanes_hide(void);
void lanes_show(struct lane *lane);

/* Undo lanes_end: the threads go on.  The caller holds the process lock. */
void lanes_resume(void);

#endif
