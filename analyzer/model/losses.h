/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a trace lacks, whether its heap is exact all the same, and
 * what recording cost.
 */
#ifndef MODEL_LOSSES_H
#define MODEL_LOSSES_H

#include <stdint.h>

#include "model/chains.h"
#include "model/events.h"
#include "model/facts.h"
#include "model/tallies.h"

struct session;

/* What was read, and by whom. */
struct losses_sources {
    const struct reader *reader;
    const struct facts *facts;
    const struct tallies *tallies;
    const struct chains *chains;
    const struct events *events;
};

/* Fill the session's losses, and doubt what they make doubtful.
 */
void losses_fill(struct session *session, const struct losses_sources *sources);

/* Count the records of a lane that were written and are neither there nor counted as lost. */
uint64_t losses_count_missing(const struct session *session, const struct tallies_lane *tallies,
                              const struct events *events);

/* Decide whether the replay of the heap is exact, and forget of its results
 * what is not known then; losses and heap must have been filled in. */
void losses_judge_heap(struct session *session, const struct losses_sources *sources);

/* Tell what recording one of each costs; the clock must be known. */
void losses_fill_costs(struct session *session, const struct trace_header *header);

/* Tell what recording cost in all; costs and threads must be known. */
void losses_fill_overhead(struct session *session);

#endif
