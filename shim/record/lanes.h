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

/* May a chunk be asked for?  A refused one is not asked for again at once: a program that
 * allocates millions of times on a full disk must not try the disk as often.  And in a
 * sandbox that another thread entered for all of them nothing may be asked for. */
bool lanes_may_claim(const struct lane *lane, uint64_t now);

/* Note what became of it. */
void lanes_note_claim(struct lane *lane, bool is_claimed, uint64_t now);

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
