/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows what: calls that come one after another in a thread, and how long it
 * is between them.
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

/* Of one slot.  A run is calls of it with no other kernel between them; the gap of a
 * call is the time since the call before it in its thread ended, our own cost taken
 * out.  Where calls were only counted, a call that was timed stands for these: its gap is
 * divided among as many, less what they took. */
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
    double fused_ns;  /* of it: what goes when chains are fused */
};

struct successions {
    struct array slots; /* of struct succession, one a slot of the session */
    struct chains chains;
    bool is_known;       /* there is a course that any call is in */
    double close_ns;     /* gaps up to this length are close */
    const char *runtime; /* that stands between calls, or NULL: compiled code makes them */
};

void successions_init(struct successions *successions, const struct session *session);
void successions_fini(struct successions *successions);

#endif
