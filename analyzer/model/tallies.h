/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact totals of a trace: threads, regions and slots.
 *
 * They stay whole when events are overwritten or lost.
 */
#ifndef MODEL_TALLIES_H
#define MODEL_TALLIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "model/clock.h"
#include "model/facts.h"

struct session;
struct session_slot;
struct session_wait;
struct tallies_op;
struct tallies_region;
struct tallies_span;

/* A cell of spans or of moments, of the session's span_rows. */
enum { TALLIES_SPAN = 1 << 8 };

/* The meaning of a lane's cell number in the session. */
struct tallies_cell {
    uint32_t kind;   /* enum trace_cell_kind, or TALLIES_SPAN */
    uint32_t index;  /* for a node: its region; for a slot, a wait or spans: its own index */
    uint32_t thread; /* index in the session's threads */
    uint32_t op;     /* for a node: its op, or the op around it; 0: none */
    uint32_t site;   /* id of the SITE fact of the op's outermost one; 0: none */
    bool is_op;      /* the node is an op */
};

struct tallies_lane {
    uint32_t number;
    struct array cells;    /* of struct tallies_cell, by number */
    uint32_t first_thread; /* the lane's threads follow one another */
    uint32_t thread_count;
    int64_t source;  /* index of its events among the merged ones, or -1 */
    uint64_t blocks; /* allocations and frees */
    uint64_t others; /* other records */
    uint64_t lost;
};

struct tallies {
    struct session *session;
    struct facts *facts;
    const struct clock *clock;
    struct array lanes;        /* of struct tallies_lane, by number */
    struct array thread_ticks; /* uint64_t, by thread of the session: its first */
    struct tallies_region *regions;
    struct tallies_op *ops;
    struct tallies_span *spans;
    bool has_delays;        /* threads have the time they were runnable without a processor */
    uint64_t events_each;   /* most timed calls of a slot that were recorded */
    uint64_t root_inner_ns; /* in regions directly inside the root */
    uint64_t bad_cells;
};

void tallies_init(struct tallies *tallies, struct facts *facts, const struct clock *clock);
void tallies_fini(struct tallies *tallies);

/* Read all tallies of a trace into its session.
 */
void tallies_read(struct tallies *tallies, const struct reader *reader);

/* Describe a call of a kernel, or a wait, that may not have ended yet: what it is, without times.
 * The memory of the slot's arrays is not set. */
void tallies_describe_slot(struct tallies *tallies, const struct trace_slot *raw,
                           struct session_slot *slot);
void tallies_describe_wait(struct tallies *tallies, const struct trace_wait *raw,
                           struct session_wait *wait);

/* Returns: the lane of this number, or NULL. */
struct tallies_lane *tallies_find_lane(const struct tallies *tallies, uint32_t number);

/* Returns: the cell of this number if it is of this kind, or NULL. */
static inline const struct tallies_cell *tallies_find_cell(const struct tallies_lane *lane,
                                                           uint32_t number,
                                                           enum trace_cell_kind kind)
{
    const struct tallies_cell *cells = lane ? lane->cells.items : NULL;

    if (!cells || number >= lane->cells.count || cells[number].kind != (uint32_t)kind)
        return NULL;
    return &cells[number];
}

#endif
