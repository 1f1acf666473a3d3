/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processors of a program: how much of their time it needs, and how many are left to it.
 * No repair that saves none of the processor time makes a program faster than this allows: the
 * one place that tells, for all findings.
 */
#ifndef FINDINGS_ROOM_H
#define FINDINGS_ROOM_H

#include "kernels/judge.h"
#include "waits/wall.h"

/* NAN what is not known. */
struct room {
    double needed_ns;  /* processor time: without our own, and without what threads of a library
                         spun away outside of its calls */
    double spun_ns;    /* what these spun away, not in needed_ns */
    double left;       /* processors that the program can have: those allowed, or as many as others
                         leave to it */
    double in_kernels; /* that calls of kernels take, while any is made */
};

struct room room_find(const struct session *session, const struct wall *wall,
                      const struct judge *judge);

/* Take out of what is needed the processor time that samples show to be spinning. */
void room_note_spinning(struct room *room, double spun_ns);

/* Returns: the least wall time of the program when so much of its processor time is saved; 0
 * when nothing is known. */
double room_least_ns(const struct room *room, double saved_ns);

/* How many threads one call takes of those that were set for a library, by the processor time of
 * threads that call no kernel: more than there are processors, where they take turns.  At least
 * 1. */
double room_threads_of_call(const struct session *session, const struct judge *judge);

#endif
