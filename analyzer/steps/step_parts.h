/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the steps' time.
 */
#ifndef STEPS_STEP_PARTS_H
#define STEPS_STEP_PARTS_H

#include "kernels/roles.h"
#include "steps/steps.h"
#include "waits/waiting.h"

/* Sums over the steps with a known end, from `first` on.  The whole is the sum of its parts: the
 * kernels by role, tprof's time between kernels, waiting, and the rest.  While several threads are
 * inside kernels, they share that time.  Untimed calls are placed where the timed ones of their
 * slot are, with their estimated time. */
struct step_parts {
    size_t first; /* the first of these steps */
    size_t steps;
    double whole_ns;
    double kernel_ns[ROLES];
    double counted_ns[ROLES];   /* upper bound of the part in calls that were only counted */
    double kernel_calls[ROLES]; /* calls of all threads that start in a step */
    double gap_ns;              /* time when no thread is inside a kernel */
    double own_ns;              /* part of the gap: recording of kernels, estimated */
    /* Part of the gap: the steps' thread had no processor because it read, received or slept.  NAN:
     * unknown, and `no_waiting` says why. */
    double waiting_ns;
    double aside_ns;      /* part of the gap: it was preempted; NAN as above */
    bool waiting_is_most; /* preemption is unknown, and part of waiting */
    const char *no_waiting;
    double rest_ns;         /* part of the gap: everything else */
    struct waiting watched; /* the source of waiting */
};

/* Fill in all but `first`, which the caller has set. */
void step_parts_find(struct step_parts *parts, const struct steps *steps,
                     const struct session *session, const struct roles *roles);

#endif
