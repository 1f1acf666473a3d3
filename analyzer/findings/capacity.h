/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processors of a program: how much processor time it needs, and how many processors remain for
 * it.  This limits the speed-up of each repair that saves no processor time.
 */
#ifndef FINDINGS_CAPACITY_H
#define FINDINGS_CAPACITY_H

#include "kernels/judge.h"
#include "waits/wall.h"

/* NAN: unknown. */
struct capacity {
    double needed_ns;  /* processor time without our own, and without the spinning of a library's
                          threads outside of its calls */
    double spun_ns;    /* processor time of spinning, not in needed_ns */
    double left;       /* processors available to the program: the allowed ones, or fewer if other
                          programs use some */
    double in_kernels; /* processors in kernel calls, while any call runs */
};

struct capacity capacity_find(const struct session *session, const struct wall *wall,
                              const struct judge *judge);

/* Subtract spinning that samples show from the needed processor time. */
void capacity_note_spinning(struct capacity *capacity, double spun_ns);

/* Returns: the least wall time of the program with `saved_ns` less processor time; 0 when
 * unknown. */
double capacity_least_ns(const struct capacity *capacity, double saved_ns);

/* Estimate the number of threads that one call of a library uses, from the processor time of
 * threads that call no kernel.  If these threads take turns, there are more than processors.  The
 * result is at least 1. */
double capacity_threads_of_call(const struct session *session, const struct judge *judge);

#endif
