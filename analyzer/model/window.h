/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes a session to a window of the run.
 *
 * Called by session_open.c, in this order, if a window was requested.
 */
#ifndef MODEL_WINDOW_H
#define MODEL_WINDOW_H

#include "model/clock.h"
#include "model/events.h"
#include "model/session.h"

/* Let the clock count from the window's start. */
void window_shift_clock(struct clock *clock, const struct session_window *window);

/* Find the borders, and the process's figures between them, after all events are read. */
void window_settle(struct session *session, const struct events *events,
                   const struct trace_header *header);

/* Cut the lives of threads to the window. */
void window_cut_threads(struct session *session);

/* Reduce the cost of recording to that of the window. */
void window_cut_costs(struct session *session);

/* Set the totals of blocks to unknown, except those counted one by one; and sum them up from the
 * sites, once these are filled in. */
void window_count_blocks(struct session *session, const struct heap *heap);
void window_sum_blocks(struct session *session);

/* Add a doubt that it is a window. */
void window_doubt(struct session *session, const struct trace_header *header);

#endif
