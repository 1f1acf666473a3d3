/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of calls that were counted and not timed.
 *
 * For level-1 BLAS, and for short kernels beyond the budget, the shim times the first call of each
 * slot and then the drawn ones, at random gaps.  The first call is not drawn, and a library may
 * have started its threads in it: it represents only itself.  For level 1 the next calls are all
 * timed, too, until one takes at most TRACE_LONG_TICKS; these represent only themselves.
 */
#ifndef MODEL_ESTIMATES_H
#define MODEL_ESTIMATES_H

#include "model/clock.h"

struct session;

/* Complete the times of all slots, and add them up by thread and region.  Before this function,
 * total and self are those of the timed calls, durations are those of the events, and the ends of
 * the threads are known. */
void estimates_fill(struct session *session, const struct clock *clock);

#endif
