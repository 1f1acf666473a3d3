/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeps the kernels of a thread within TPROF_OVERHEAD: when their records take a larger part of its
 * time, only a sample of the short calls is timed.
 */
#ifndef RECORD_LANE_BUDGET_H
#define RECORD_LANE_BUDGET_H

#include "record/lane.h"

/* Judge the lane's chunk, which is full at `now`.  If the chunk is over the budget, this lane
 * samples kernels that are too short for the budget from now on.  The chunk must still be mapped,
 * and the header of process->file must have the cost of recording. */
void lane_budget_judge(struct lane *lane, uint64_t now);

#endif
