/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Successive calls of kernels in a thread, and the gaps between them.
 */
#ifndef FINDINGS_SUCCESSION_H
#define FINDINGS_SUCCESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

struct session;

/* A gap up to this length is the way from one call to the next, not other work.  The first limit is
 * for runtimes that take microseconds (runtimes.def), the second for compiled code: a loop took 5
 * ns, and one with virtual functions and temporaries on the heap 60. */
enum { SUCCESSION_CLOSE_NS = 10000, SUCCESSION_DIRECT_NS = 500 };

/* The calls of one slot.  A run is consecutive calls without another kernel between them.  The gap
 * of a call is the time since the end of its thread's previous call, less tprof's own cost.  A
 * timed call also represents calls that were only counted: their time is subtracted from its gap,
 * and the rest is divided among them. */
struct succession {
    uint64_t calls; /* calls in the course of a thread */
    uint64_t runs;
    double close_gaps;   /* including the gaps of calls that were only counted */
    double close_gap_ns; /* below 0 if counted calls come before other slots' calls */
    double far_gaps;     /* the others */
    double far_gap_ns;
    double repeats; /* close gaps behind a call of the same slot; below 0 if counted calls lie in
                       such gaps of other slots */
};

/* A chain is a series of calls that only pass over data (elementwise kernels and movement), each
 * close after the one before, for their length.  Fused into one pass, a chain would take as long as
 * its longest call.  Close behind a product of oneDNN, which absorbs passes as post-ops, it would
 * take no time. */
struct chains {
    uint64_t count;
    uint64_t calls;
    double thread_ns; /* thread time of the calls */
    double fused_ns;  /* the part saved by fused chains */
};

struct successions {
    struct array slots; /* of struct succession, one a slot of the session */
    struct chains chains;
    bool is_known;       /* there is a course that any call is in */
    double close_ns;     /* gaps up to this length are close */
    const char *runtime; /* the runtime between calls; NULL: compiled code makes the calls */
};

void successions_init(struct successions *successions, const struct session *session);
#endif
