/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * EXTENDED records: readings, snapshots, metrics, items, requests, samples.
 */
#ifndef RECORD_EXTENDED_H
#define RECORD_EXTENDED_H

#include "record/lane.h"

/* Write one record; the lane is BUSY.  A record without room is counted. */
void extended_write(struct lane *lane, uint64_t now, enum trace_extended_type type,
                    const uint64_t *words, unsigned count);

/* The same for a sample of processor time.  `periods`: below 2^TRACE_NOTE_BITS. */
void extended_write_sample(struct lane *lane, uint64_t now, unsigned periods, uint64_t word);

#endif
