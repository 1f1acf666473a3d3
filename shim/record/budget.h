/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The budget of TPROF_OVERHEAD: what of a thread's time recording may take.
 */
#ifndef RECORD_BUDGET_H
#define RECORD_BUDGET_H

#include "record/lane.h"

/* Judge the lane's chunk, which is full at `now`.  Over the budget, kernels that
 * are too short for it are sampled, in this lane from now on.  The chunk is still
 * mapped, and process->file has what recording costs. */
void budget_judge(struct lane *lane, uint64_t now);

#endif
