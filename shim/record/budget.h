/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two budgets of a process, TPROF_OVERHEAD and TPROF_DISK: the spending, and the records that
 * are reduced when it is too high.
 *
 * One thread looks (record/budget_look.h) each millisecond at first, each second later: when its
 * deadline passes, or sooner when a new chunk makes it worthwhile.  It adds up the records of all
 * threads (record/expense.h), at the price of each kind in this process, asks record/pace.h, and
 * starts the stages that pace.h chooses (record/stages_change.h).  Other threads wait for it at the
 * process lock alone.
 *
 *   operation                              lane of the caller   process lock
 *   budget_look_up                         BUSY                 taken inside
 *   budget_begin, budget_keep, budget_end  any                  held
 *   budget_note_claim, budget_bytes_left,
 *   budget_has_room_for_stacks             BUSY                 held
 *   budget_set_limits                      any                  held
 *   the others                             any                  not needed
 *
 * Budget: no part of it is on the common path.
 */
#ifndef RECORD_BUDGET_H
#define RECORD_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct lane;

/* The present length of the trace. */
uint64_t budget_run_ns(void);

/* The processor time of the process since recording began. */
uint64_t budget_cpu_ns(void);

/* Give the file its size limit.  The caller holds the process lock. */
void budget_set_limits(void);

/* A chunk of events was claimed, or refused. */
void budget_note_claim(struct lane *lane);

/* Note the cost of call chains, of a drawn block with its chain, or of a reading.  Units: ticks. */
void budget_note_walks(uint64_t ticks, uint64_t timed, uint64_t typical_ticks);
void budget_note_drawn(uint64_t ticks);
void budget_note_reading(uint64_t ticks);

/* Is the budget of time in force: was its credit spent once? */
bool budget_is_in_force(void);

/* Returns: the bytes that events may still use; UINT64_MAX: no limit. */
uint64_t budget_bytes_left(void);

bool budget_has_room_for_stacks(void);

/* The time between two readings, or between two readings at borders of regions, which is `first_ns`
 * at first.  Both times grow.
 * Returns: 0 when readings are off. */
uint64_t budget_interval_ns(void);
uint64_t budget_border_ns(uint64_t first_ns);

#endif
