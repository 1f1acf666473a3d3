/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The queues of devices on a timeline: how busy each was in the slices of the run.
 */
#ifndef SCREEN_TIMELINE_QUEUES_H
#define SCREEN_TIMELINE_QUEUES_H

#include "document/document.h"

struct session;

enum { TIMELINE_SLICES = 200 }; /* of equal length, from the start of the run to its end */

struct timeline_queue {
    double busy_ns[TIMELINE_SLICES];   /* some command ran */
    uint64_t started[TIMELINE_SLICES]; /* commands that started then */
    double sum_ns;
};

/* Returns: the times of each queue, in the pool in use; `untimed`: the commands without times. */
struct timeline_queue *timeline_queues_find(const struct session *session, double slice_ns,
                                            uint64_t *untimed);

/* Add their table, for programs alone. */
void timeline_queues_add(struct document *document, const struct session *session,
                         const struct timeline_queue *queues, double slice_ns);

/* Add a strip for each queue with commands. */
void timeline_queues_draw(struct plot *plot, const struct session *session,
                          const struct timeline_queue *queues, double slice_ns);

#endif
