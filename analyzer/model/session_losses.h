/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a session lacks, and what recording cost it.
 */
#ifndef MODEL_SESSION_LOSSES_H
#define MODEL_SESSION_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* A file that is shorter than its header says, as a copy that was broken off. */
struct session_cut {
    bool is_cut;
    uint64_t bytes; /* that are there */
    uint64_t whole_bytes;
    uint64_t until_ns; /* when the last record was made that is there; UNKNOWN: none is */
};

struct session_losses {
    uint64_t lost_records;        /* that could not be written */
    uint64_t overwritten_records; /* under a capacity; UNKNOWN of sampled blocks */
    uint64_t reused_chunks;
    uint64_t failed_chunks;
    int failed_errno;
    uint64_t torn_chunks; /* claimed but unreadable */
    bool lacks_totals;    /* tallies are among these: calls and allocations are not known */
    uint64_t unmatched;   /* region ends without a begin, kernels left by a jump */
    uint64_t lost_shapes; /* objects whose shape could not be remembered */
    uint64_t bad_records; /* that made no sense */
    uint64_t chains;      /* of the records of allocations, also those that ended early */
    uint64_t chain_ends[TRACE_CHAIN_ENDS]; /* of these by enum trace_chain_end; UNKNOWN where the
                                              trace tells no reasons */
};

struct session_overhead {
    double kernel_ns; /* for one event, as the shim measured on itself */
    double kernel_inner_ns;
    double entry_ns; /* the same two of kernels without a compiled wrapper */
    double entry_inner_ns;
    double counted_ns;  /* for a call that was counted and not timed */
    double left_out_ns; /* the same since recording is over its budget */
    double region_ns;
    double allocation_ns;
    double resolution_ns;    /* smallest step of the clock */
    double slow_ns;          /* in all: starting, opening chunks, readings, rescans */
    uint64_t left_out_calls; /* of these */
    double kernels_ns;       /* of all calls, in their place where samples tell that */
    double regions_ns;
    double blocks_ns;     /* of all records of allocations and frees */
    uint64_t block_ticks; /* the same in ticks, as the shim counted it; 0: it did not */
    double events;        /* that these three are of: calls, regions that ended, blocks */
    double event_ns;      /* of one of them whose chain is known already; NAN without any */
    uint64_t total_ns;    /* of these three and slow_ns, over all threads */
    double fraction;      /* of thread time */
    bool is_priced;       /* the shim measured itself; memory for that may be refused */
};

struct session;

/* Ask whether the process ended by itself, was seen to, and no record is missing. */
bool session_is_complete(const struct session *session);

#endif
