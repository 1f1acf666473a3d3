/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the time of steps is spent on.
 */
#ifndef STEPS_STEP_PARTS_H
#define STEPS_STEP_PARTS_H

#include "kernels/roles.h"
#include "steps/steps.h"
#include "waits/waiting.h"

/* Sums over the steps whose whole time is known, from one on.  The parts of the whole are the
 * kernels by role, what tprof takes between them, waiting, and the rest; they sum to it.  While
 * several threads are inside kernels each has its part of that time.  Calls that were counted and
 * not timed are where the timed ones of their slot are, with the time that is estimated for
 * them. */
struct step_parts {
    size_t first; /* the step they begin with */
    size_t steps;
    double whole_ns;
    double kernel_ns[ROLES];
    double counted_ns[ROLES];   /* of it, at most: calls that were counted and not timed */
    double kernel_calls[ROLES]; /* of all threads, that begin in a step */
    double gap_ns;              /* no thread is inside a kernel */
    double own_ns;              /* of the gap: what recording kernels takes, estimated */
    /* Of the gap: the thread of the steps was not on a processor; reading,
     * receiving, asleep.  NAN: unknown, and `no_waiting` says why. */
    double waiting_ns;
    double aside_ns;      /* of the gap: it was put aside for others; NAN as above */
    bool waiting_is_most; /* for how long it was put aside is not known, and is in waiting */
    const char *no_waiting;
    double rest_ns;         /* of the gap: what is neither */
    struct waiting watched; /* what waiting rests on */
};

/* Fill in all but `first`, which the caller has set. */
void step_parts_find(struct step_parts *parts, const struct steps *steps,
                     const struct session *session, const struct roles *roles);

#endif
