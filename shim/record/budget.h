/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The budget of TPROF_OVERHEAD: the part of a thread's time that recording may take.
 */
#ifndef RECORD_BUDGET_H
#define RECORD_BUDGET_H

#include "record/lane.h"

/* Judge the lane's chunk, which is full at `now`.  If it is over the budget, this lane samples
 * kernels that are too short for the budget from now on.  The chunk is still mapped, and the
 * header of process->file has the cost of recording. */
void budget_judge(struct lane *lane, uint64_t now);

#endif
