/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of live.h: the threads, the requests and the alerts of a frame.
 */
#ifndef LIVE_LIVE_PARTS_H
#define LIVE_LIVE_PARTS_H

#include "live/live.h"
#include "model/session_kernels.h"

/* Find what each thread is in, in the shown frame. */
void live_find_threads(struct live *live);

/* Go on with the alerts, if the process has taken another reading. */
void live_feed_alerts(struct live *live);

/* Add sums to a row of the frame that is being read. */
void live_add(struct live *live, enum live_kind kind, const char *name, struct live_sums sums);

/* Add the requests as of that frame. */
void live_sum_requests(struct live *live);

/* Seconds from the start of the process to a number of its counter; NAN: unknown. */
double live_ticks_to_s(const struct live *live, uint64_t ticks);

#endif
