/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of a session is told otherwise where it is of a window of the run alone.
 *
 * Called by session_open.c, in this order, where a window was asked for.
 */
#ifndef MODEL_WINDOW_H
#define MODEL_WINDOW_H

#include "model/clock.h"
#include "model/events.h"
#include "model/session.h"

/* Let the clock count from the window's begin. */
void window_shift_clock(struct clock *clock, const struct session_window *window);

/* Find the borders, and what the process was between them; all events are read. */
void window_settle(struct session *session, const struct events *events,
                   const struct trace_header *header);

/* Cut the lives of threads to it. */
void window_cut_threads(struct session *session);

/* Leave of the cost of recording what is of it. */
void window_cut_costs(struct session *session);

/* Forget the totals of blocks, but for those that were counted one by one; and find them by the
 * sites, once these are filled. */
void window_count_blocks(struct session *session, const struct heap *heap);
void window_sum_blocks(struct session *session);

/* Say that it is a window. */
void window_doubt(struct session *session, const struct trace_header *header);

#endif
