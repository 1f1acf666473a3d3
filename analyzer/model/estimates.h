/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of calls that were counted and not timed.
 *
 * Of level-1 BLAS, and of short kernels beyond the budget, the shim times the
 * first call of each slot and then those that its gaps fall on: the drawn ones.
 * The first is not drawn, and a library may have started its threads in it: it
 * stands for itself alone.  So do, of level 1, the next ones until one was no longer
 * than TRACE_LONG_TICKS, which are all timed.
 */
#ifndef MODEL_ESTIMATES_H
#define MODEL_ESTIMATES_H

#include "model/clock.h"

struct session;

/* Complete the times of all slots, and add them up by thread and region.  Before,
 * total and self are those of the timed calls; durations are those of the events,
 * and the ends of the threads are known. */
void estimates_fill(struct session *session, const struct clock *clock);

#endif
