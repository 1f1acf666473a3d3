/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What surrounds the process: its control group, its network, the processors.  Some of the readings
 * are followed by a record of them.
 *
 * Each file costs a few microseconds, so the files that cannot be read at the start are not tried
 * again, and all of them take at most a thousandth of the time.
 *
 * Decision: doc/decisions/surroundings.
 */
#ifndef RECORD_SURROUNDINGS_H
#define RECORD_SURROUNDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/lane.h"
#include "spec/trace.h"

/* The first record is due in 100 ms; it looks for the groups, and for the files that can be read.
 * A member of a row of room.h. */
void surroundings_keep(void);

/* Write a record behind a reading that the thread has just written, if it is time.  The lane is
 * BUSY.
 * Safety: takes the process lock for a moment; the caller keeps errno. */
void surroundings_write(struct lane *lane);

/* Publish a reading for those who watch the process, with the last surroundings. */
void surroundings_publish(uint64_t ticks, const struct trace_reading *reading);

/* Write why files were not read.  A writer of facts. */
bool surroundings_write_facts(unsigned *written);

#endif
