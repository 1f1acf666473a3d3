/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the events of a trace tell beyond its tallies: the live heap,
 * mapped memory, how long each call took, readings, metrics and requests.
 */
#ifndef MODEL_EVENTS_H
#define MODEL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/beats.h"
#include "model/chains.h"
#include "model/clock.h"
#include "model/cpu_samples.h"
#include "model/facts.h"
#include "model/heap.h"
#include "model/mappings.h"
#include "model/op_growth.h"
#include "model/op_memory.h"
#include "model/peaks.h"
#include "model/session.h"
#include "model/tallies.h"

struct events_partner;

/* The order of a lane's ops: events_op_order.c. */
struct events_op_order {
    uint64_t ended_ticks;  /* end of the last outermost op; 0: there was none */
    uint64_t sequence;     /* the highest number of gradients so far, from 1 on */
    uint32_t open;         /* the elementwise op that is open; 0: none */
    double last_elements;  /* of the elementwise op that ended last; 0: something was between */
    uint32_t chain[16];    /* elementwise ops that followed one another */
    unsigned chain_count;
};

/* A lane, as its events have told it so far. */
struct events_lane {
    const struct tallies_lane *tallies; /* NULL when they are missing */
    struct chains_lane *chains;
    struct heap_lane heap;
    uint64_t next_ticks;           /* when the lane's next thread begins */
    uint32_t served;               /* which of the lane's threads, counted from 0 */
    uint64_t others;               /* records of no block */
    struct mappings_moving moving; /* by mremap */
    bool is_moving;
    uint32_t outer_region;      /* outermost region that began last; 0: none since the last end */
    uint64_t outer_begin_bytes; /* live heap then */
    uint64_t ended_begin_bytes; /* the same of the one that ended last; UNKNOWN: unseen */
    uint64_t clock_words[3];    /* of a clock record: the next end of its region is its own */
    bool has_clock;
    size_t reading; /* the last, counted from 1; 0: none whose turns may follow */
    uint64_t last_ticks;
    struct array begins; /* uint64_t ticks, by depth: of the regions that are open; in a window */
    struct array ops;                /* that are open: events_ops.c */
    struct events_partner *partners; /* by sequence number; NULL: none yet */
    uint32_t op;                     /* the innermost that is open; 0: none */
    struct events_op_order order;
    struct beats_lane beats;
    unsigned char *cells_seen; /* by cell: a node with calls in the window; NULL: none yet */
};

/* A region's state over all threads. */
struct events_region {
    uint64_t moment; /* when it was opened, as peaks names it */
    uint32_t open;   /* times */
    uint64_t ticks;  /* in a window */
};

struct events_request;
struct events_metric;

/* Where the replay is. */
enum events_place { EVENTS_BEFORE, EVENTS_INSIDE, EVENTS_BEHIND };

/* Which calls of kernels are kept, of too many: events_draws.c. */
struct events_draws {
    uint64_t kept;      /* calls, at most: some of them went with one around them */
    uint64_t state;     /* of the draws; not 0 */
    unsigned doublings; /* one call in 2^this is kept */
};

/* Of a slot in a window, beside its counts. */
struct events_slot {
    double calls; /* that the recorded ones stand for */
    double scale; /* of all calls to timed ones */
    uint64_t ticks;
    uint64_t inner_ns; /* of these, in kernels right inside */
};

/* The part of the run that is told. */
struct events_window {
    bool is_cut; /* false: all of it, and the rest is not used */
    enum events_place place;
    uint64_t from_ticks;
    uint64_t to_ticks;  /* UINT64_MAX: to the end */
    struct array slots; /* of struct events_slot, as session->slots */
};

/* What events refer to, and how they are to be read. */
struct events_sources {
    const struct facts *facts;
    const struct tallies *tallies;
    const struct clock *clock;
    struct chains *chains;
    const struct session_options *options;
};

struct events {
    struct session *session;
    struct events_sources from;
    struct heap heap;
    struct op_memory op_memory;
    struct beats beats;
    struct op_growth growth;
    struct mappings mappings;
    struct peaks peaks;
    struct cpu_samples samples;
    struct array lanes;              /* of struct events_lane */
    struct array regions;            /* of struct events_region, as session->regions */
    struct events_request *requests; /* that are open */
    struct events_metric *metrics;
    struct events_window window;
    struct events_draws draws;
    uint64_t bad_records;
    uint64_t torn_chunks;
};

void events_init(struct events *events, const struct events_sources *sources);
void events_fini(struct events *events);

/* Read all events of a trace, once, in the order of time.
 */
void events_read(struct events *events, const struct reader *reader);

/* Make the counts of a window whole, once all is read.
 *
 * Returns: nanoseconds in regions that are right inside the root.
 */
uint64_t events_settle_window(struct events *events);

#endif
