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

/* A gap up to this length is the way from one call to the next, not other work.  The first is for
 * runtimes that take microseconds (runtimes.def), the second for compiled code: a loop took 5 ns,
 * one with virtual functions and temporaries on the heap 60. */
enum { SUCCESSION_CLOSE_NS = 10000, SUCCESSION_DIRECT_NS = 500 };

/* The calls of one slot.  A run is consecutive calls without another kernel between them.  The gap
 * of a call is the time since the last call of its thread ended, less our own cost.  A timed call
 * also stands for calls that were only counted: their time is subtracted from its gap, and the rest
 * is divided among them. */
struct succession {
    uint64_t calls; /* that are in the course of a thread */
    uint64_t runs;
    double close_gaps;   /* with those of calls that were only counted */
    double close_gap_ns; /* below 0 where calls that were counted stand before other slots' */
    double far_gaps;     /* the others */
    double far_gap_ns;
    double repeats; /* of the close gaps, those behind a call of the same slot; below 0 where calls
                       that were counted stand in such gaps of other slots */
};

/* A chain is calls one close after another, for their length, that only pass over data:
 * elementwise kernels and movement.  Fused into one pass, it would take as long as the longest;
 * close behind a product of oneDNN, which takes passes over as post-ops, no time at all. */
struct chains {
    uint64_t count;
    uint64_t calls;
    double thread_ns; /* of the calls */
    double fused_ns;  /* of it: the saving by fused chains */
};

struct successions {
    struct array slots; /* of struct succession, one a slot of the session */
    struct chains chains;
    bool is_known;       /* there is a course that any call is in */
    double close_ns;     /* gaps up to this length are close */
    const char *runtime; /* that stands between calls, or NULL: compiled code makes them */
};

void successions_init(struct successions *successions, const struct session *session);
#endif
