/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The losses of a session, and the cost of recording.
 */
#ifndef MODEL_SESSION_LOSSES_H
#define MODEL_SESSION_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* A file that is shorter than its header says, such as an interrupted copy. */
struct session_cut {
    bool is_cut;
    uint64_t bytes; /* bytes of the file */
    uint64_t whole_bytes;
    uint64_t until_ns; /* time of the last record in the file; UNKNOWN: none */
};

struct session_losses {
    uint64_t lost_records;        /* records that could not be written */
    uint64_t overwritten_records; /* under a capacity; UNKNOWN for sampled blocks */
    uint64_t reused_chunks;
    uint64_t failed_chunks;
    int failed_errno;
    uint64_t torn_chunks; /* claimed but unreadable */
    bool lacks_totals;    /* these include tallies: calls and allocations are unknown */
    uint64_t unmatched;   /* region ends without a start, kernels left by a jump */
    uint64_t lost_shapes; /* objects whose shape could not be remembered */
    uint64_t early_waits; /* waiting calls of threads that had recorded nothing before */
    double early_waits_ns;
    struct trace_untraced untraced;
    uint64_t bad_records; /* records that made no sense */
    uint64_t chains;      /* chains of allocation records, including those that ended early */
    uint64_t chain_ends[TRACE_CHAIN_ENDS]; /* number of chains by enum trace_chain_end; UNKNOWN if
                                              the trace has no reasons */
};

struct session_overhead {
    double kernel_ns; /* cost of one event, measured by the shim on itself */
    double kernel_inner_ns;
    double entry_ns; /* the same two of kernels without a compiled wrapper */
    double entry_inner_ns;
    double counted_ns;  /* cost of a call that was only counted */
    double left_out_ns; /* the same while over the budget */
    double region_ns;
    double allocation_ns;
    double resolution_ns;    /* smallest step of the clock */
    double slow_ns;          /* in all: starting, opening chunks, readings, rescans */
    uint64_t left_out_calls; /* calls of that kind */
    double kernels_ns;       /* cost of all calls, with the program's caches if samples show that */
    double regions_ns;
    double blocks_ns;     /* cost of all records of allocations and frees */
    uint64_t block_ticks; /* the same in ticks, by the shim's count; 0: not counted */
    double exact_ns;      /* cost of all blocks if each had its chain; NAN: unknown */
    double events;        /* in these three costs: calls, ended regions, blocks */
    double event_ns;      /* cost of one event with a known chain; NAN without any */
    uint64_t total_ns;    /* sum of these three and slow_ns, over all threads */
    double fraction;      /* share of thread time */
    bool is_priced;       /* the shim measured its own cost, which needs memory */
};

struct session;

/* Ask whether the process ended by itself, its end was recorded, and no record is missing. */
bool session_is_complete(const struct session *session);

#endif
