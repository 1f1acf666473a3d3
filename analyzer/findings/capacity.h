/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processors of a program: how much of their time it needs, and how many are left to it.
 * This limits the speed-up of each repair that saves no processor time.
 */
#ifndef FINDINGS_CAPACITY_H
#define FINDINGS_CAPACITY_H

#include "kernels/judge.h"
#include "waits/wall.h"

/* NAN: unknown. */
struct capacity {
    double needed_ns;  /* processor time without our own, and without the spinning of a library's
                          threads outside of its calls */
    double spun_ns;    /* that spinning, not in needed_ns */
    double left;       /* processors that the program can have: those allowed, or as many as others
                         leave to it */
    double in_kernels; /* of the calls of kernels, while any is made */
};

struct capacity capacity_find(const struct session *session, const struct wall *wall,
                              const struct judge *judge);

/* Subtract spinning that samples show from the needed processor time. */
void capacity_note_spinning(struct capacity *capacity, double spun_ns);

/* Returns: the least wall time of the program after `saved_ns` of its processor time are saved; 0
 * when unknown. */
double capacity_least_ns(const struct capacity *capacity, double saved_ns);

/* Estimate the threads that one call of a library uses, by the processor time of threads that call
 * no kernel.  If they take turns, these are more than the processors.  At least 1. */
double capacity_threads_of_call(const struct session *session, const struct judge *judge);

#endif
