/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wall time of a program without our own cost, and how the time that its threads are in
 * kernels is taken to it.  This is the only such place: findings, amdahl and whatif give a trace
 * the same shares.
 */
#ifndef WAITS_WALL_H
#define WAITS_WALL_H

#include <stddef.h>

struct session;
struct table;

/* Thread time is not wall time: while four threads are inside kernels, a second
 * passes for four of theirs.  The time of kernels is taken to wall time by the
 * number of threads that are inside kernels at once, on average over the time when any is.  With
 * one calling thread this is 1 and nothing is assumed; with several it assumes that each kernel has
 * the average company.  If calls are missing from the courses of threads, the other threads are
 * assumed to be inside with the busiest one. */
struct wall {
    double ns;             /* without our own cost */
    double at_once;        /* threads in kernels, while any is; at least 1 */
    double processor;      /* share of their time that threads calling kernels
                              had one: above 0, at most 1 */
    size_t kernel_threads; /* that called any */
};

/* Find it: one pass over all calls where several threads call kernels. */
void wall_init(struct wall *wall, const struct session *session);

/* Time of kernels, over threads, as a part of the wall time. */
double wall_of_threads(const struct wall *wall, double thread_ns);

/* Say in a table's notes that its shares are of the wall time. */
void wall_say_whole(struct table *table, const struct session *session);

#endif
