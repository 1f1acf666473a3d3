/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replays the events of a trace, for data that its tallies lack: the live heap,
 * mapped memory, the duration of each call, readings, metrics and requests.
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
    uint64_t ended_ticks;  /* end of the last outermost op; 0: none */
    uint64_t sequence;     /* the highest number of gradients so far, from 1 on */
    uint32_t open;         /* the open elementwise op; 0: none */
    double last_elements;  /* elements of the last elementwise op; 0: another op came after it */
    uint32_t chain[16];    /* successive elementwise ops */
    unsigned chain_count;
};

/* A lane and its present state. */
struct events_lane {
    const struct tallies_lane *tallies; /* NULL when they are missing */
    struct chains_lane *chains;
    struct heap_lane heap;
    uint64_t next_ticks;           /* start of the lane's next thread */
    uint32_t served;               /* the lane's present thread, counted from 0 */
    uint64_t others;               /* records other than of blocks */
    size_t resident;               /* number of its last moment in residents, from 1; 0: none */
    size_t resident_reading;       /* the reading of that moment */
    struct mappings_moving moving; /* memory that mremap is moving */
    bool is_moving;
    uint32_t outer_region;      /* outermost region that started last; 0: none since the last end */
    uint64_t outer_begin_bytes; /* live heap then */
    uint64_t ended_begin_bytes; /* the same for the region that ended last; UNKNOWN: not recorded */
    uint64_t clock_words[3];    /* from a clock record, which belongs to the next end of its
                                   region */
    bool has_clock;
    size_t reading; /* the last one, counted from 1; 0: no further records belong to it */
    uint64_t last_ticks;
    struct array begins; /* uint64_t ticks, by depth: of the open regions; in a window */
    struct array ops;                /* the open ones: events_ops.c */
    struct events_partner *partners; /* by sequence number; NULL: none yet */
    uint32_t op;                     /* the innermost open one; 0: none */
    struct events_op_order order;
    struct beats_lane beats;
    unsigned char *cells_seen; /* by cell: the node has calls in the window; NULL: none yet */
};

/* A region's state over all threads. */
struct events_region {
    uint64_t moment; /* its opening, as the name in peaks */
    uint32_t open;   /* times */
    uint64_t ticks;  /* in a window */
};

struct events_request;
struct events_connection;
struct events_context;
struct events_metric;

/* The progress of the replay relative to a window. */
enum events_place { EVENTS_BEFORE, EVENTS_INSIDE, EVENTS_BEHIND };

/* The kernel calls that are kept if there are too many: events_draws.c. */
struct events_draws {
    uint64_t kept;      /* at most this many calls: inner calls go with their outer call */
    uint64_t state;     /* random state of the draws; not 0 */
    unsigned doublings; /* one call in 2^doublings is kept */
};

/* A slot in a window, besides its counts. */
struct events_slot {
    double calls; /* calls represented by the recorded ones */
    double scale; /* ratio of all calls to timed ones */
    uint64_t ticks;
    uint64_t inner_ns; /* part of these in kernels directly inside */
};

/* The part of the run that the session is about. */
struct events_window {
    bool is_cut; /* false: all of it, and the rest is not used */
    enum events_place place;
    uint64_t from_ticks;
    uint64_t to_ticks;  /* UINT64_MAX: to the end */
    struct array slots; /* of struct events_slot, as session->slots */
};

/* The sources that events refer to, and the options. */
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
    struct events_request *requests; /* the open ones */
    struct events_connection *connections; /* the last request of each */
    struct events_context *contexts;       /* the last one of each connection, and of each call */
    struct events_metric *metrics;
    void *joinable; /* a tree of threads: events_threads.c */
    struct events_window window;
    struct events_draws draws;
    struct id_map commands; /* numbers of commands, and of blocks of devices */
    struct id_map device_blocks;
    uint64_t bad_records;
    uint64_t torn_chunks;
};

void events_init(struct events *events, const struct events_sources *sources);
void events_fini(struct events *events);

/* Read all events of a trace, once, in the order of time.
 */
void events_read(struct events *events, const struct reader *reader);

/* Complete the counts of a window after all events.
 *
 * Returns: nanoseconds in regions directly inside the root.
 */
uint64_t events_settle_window(struct events *events);

#endif
