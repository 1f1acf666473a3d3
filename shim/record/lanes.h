/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes of the process: given to threads, taken back, closed.
 */
#ifndef RECORD_LANES_H
#define RECORD_LANES_H

#include <stdbool.h>

/* Begin to notice the end of threads.  Called from the constructor, and before a second thread
 * starts; does nothing the second time. */
void lanes_watch_threads(void);

/* Stop recording, once process_is_recording() says no: in this thread at once, in others after
 * their present record, which may be awaited.  Each goes on when it says yes again.
 * Returns: whether no other thread is in a record. */
bool lanes_stop(bool awaits_others);

/* Let no thread read its lane again.  Called once recording has stopped for good, since the lanes'
 * memory goes. */
void lanes_leave(void);

/* This thread is to forbid itself the counter, and each that it starts inherits that: choose
 * another clock, for all threads.  Returns: false where nothing is recorded. */
bool lanes_forbid_counter(void);

/* The kernel refused to forbid it: undo the above. */
void lanes_allow_counter(void);

/* Note the end and the processor time of every thread that still runs.
 * The caller holds the process lock. */
void lanes_end(void);

/* Take that back: the threads go on.  The caller holds the process lock. */
void lanes_resume(void);

#endif
