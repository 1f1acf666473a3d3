/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The losses of a trace, the exactness of its heap, and the cost of recording.
 */
#ifndef MODEL_LOSSES_H
#define MODEL_LOSSES_H

#include <stdint.h>

#include "model/chains.h"
#include "model/events.h"
#include "model/facts.h"
#include "model/tallies.h"

struct session;

/* The parts of an open trace. */
struct losses_sources {
    const struct reader *reader;
    const struct facts *facts;
    const struct tallies *tallies;
    const struct chains *chains;
    const struct events *events;
};

/* Fill the session's losses, and add doubts about the affected figures. */
void losses_fill(struct session *session, const struct losses_sources *sources);

/* Count the records of a lane that were written but are neither present nor counted as lost. */
uint64_t losses_count_missing(const struct session *session, const struct tallies_lane *tallies,
                              const struct events *events);

/* Decide whether the replay of the heap is exact, and set its unknown results to UNKNOWN.  Losses
 * and heap must be filled in. */
void losses_judge_heap(struct session *session, const struct losses_sources *sources);

/* Fill the cost of recording one event of each kind; the clock must be known. */
void losses_fill_costs(struct session *session, const struct trace_header *header);

/* Fill the whole cost of recording; costs and threads must be known. */
void losses_fill_overhead(struct session *session);

#endif
