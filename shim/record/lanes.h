/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes of the process: given to threads, taken back, closed.
 */
#ifndef RECORD_LANES_H
#define RECORD_LANES_H

#include <stdbool.h>

#include "record/lane.h"

/* Have the end of threads noticed, if it is not.  Called from the constructor, and before
 * a second thread is there. */
void lanes_watch_threads(void);

/* Can so many words be written without another chunk, at any time? */
bool lanes_have_room(const struct lane *lane, unsigned words);

/* Let every thread look up at its next record, as if its deadline had passed.  Without
 * the lock: a signal handler may call it. */
void lanes_wake(void);

/* Once process_is_recording() says no: end recording in this thread at once, in others
 * after the record that they are in, which may be awaited.  When it says yes again
 * each goes on. */
void lanes_stop(bool awaits_others);

/* Note the end and the processor time of every thread that still runs.
 * The caller holds the process lock. */
void lanes_end(void);

/* Take that back: the threads go on.  The caller holds the process lock. */
void lanes_resume(void);

#endif
