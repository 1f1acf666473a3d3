/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts and changes stages.
 */
#ifndef RECORD_STAGES_CHANGE_H
#define RECORD_STAGES_CHANGE_H

#include <stdint.h>

#include "record/lane.h"
#include "spec/trace.h"

/* Start a stage: write its record, note the time in the header, and then change the recording.
 * Does nothing if it has started.  Other threads may still write some records in the old way.
 * Units: `from` and `to` as in the STAGE record of extended.def; those of CHAINS and BLOCKS are
 * distances of points. */
void stages_begin(struct lane *lane, uint64_t now, enum trace_stage stage,
                  enum trace_stage_cause cause, uint64_t from, uint64_t to);

/* Make a stage that has begun coarser or finer. */
void stages_change(struct lane *lane, uint64_t now, enum trace_stage stage,
                   enum trace_stage_cause cause, uint64_t to);

/* Throw points at another mean distance from now on, at most 4 GiB.  A lane follows after its next
 * point.  The change has a record once CHAINS or BLOCKS has begun. */
void stages_change_distance(struct lane *lane, uint64_t now, enum trace_stage_cause cause,
                            uint64_t to);

#endif
