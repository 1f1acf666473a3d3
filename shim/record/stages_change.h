/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beginning stages, and changing them.
 */
#ifndef RECORD_STAGES_CHANGE_H
#define RECORD_STAGES_CHANGE_H

#include <stdint.h>

#include "record/lane.h"
#include "spec/trace.h"

/* Begin a stage: write its record, note the time in the header, and then change what is recorded.
 * Does nothing when it has begun.  Records of other threads in the old manner may still follow.
 * Units: `from` and `to` as in the STAGE record of extended.def; those of CHAINS and BLOCKS are
 * distances of points. */
void stages_begin(struct lane *lane, uint64_t now, enum trace_stage stage,
                  enum trace_stage_cause cause, uint64_t from, uint64_t to);

/* Go on coarser or finer in a stage that has begun. */
void stages_change(struct lane *lane, uint64_t now, enum trace_stage stage,
                   enum trace_stage_cause cause, uint64_t to);

/* Throw points at another mean distance from now on, at most 4 GiB.  A lane does after its next
 * point.  There is a record of it once CHAINS or BLOCKS has begun. */
void stages_change_distance(struct lane *lane, uint64_t now, enum trace_stage_cause cause,
                            uint64_t to);

#endif
