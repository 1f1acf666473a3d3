/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots on request from outside, by a signal (TPROF_SNAPSHOT_SIGNAL).
 *
 *   thread that the signal came to                    what its handler does
 *   has a lane, writes no record, the process lock    writes the snapshot
 *   is free, the chunk has room
 *   anything else                                     leaves a note: the next record of
 *                                                     any lane takes the snapshot
 *   is in a child of vfork                            nothing: the memory is its parent's
 *
 * Signals that arrive before the snapshot is taken yield one snapshot.
 */
#ifndef SAMPLER_SNAPSHOT_H
#define SAMPLER_SNAPSHOT_H

#include "record/lane.h"

/* Install the handler, unless the program uses the signal already.  Called
 * once, from the constructor. */
void snapshot_listen(void);

/* Rows of room.h. Take a requested snapshot. */
uint64_t snapshot_look_up(struct lane *lane, uint64_t now);

/* The label of the signal is the first string of the trace. */
void snapshot_keep(void);

/* Write why requested snapshots are missing. */
bool snapshot_write_facts(unsigned *written);

/* Take a snapshot that is still pending, and check whether the handler is still the shim's.  The
 * caller holds the process lock. */
void snapshot_end(void);

#endif
