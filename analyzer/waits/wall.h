/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wall time of a program without tprof's own cost, and the conversion of the threads' kernel
 * time to wall time.  Only this file converts it: findings, amdahl and whatif give a trace the same
 * shares.
 */
#ifndef WAITS_WALL_H
#define WAITS_WALL_H

#include <stddef.h>

struct session;
struct table;

/* Thread time is not wall time: while four threads are inside kernels, one second of wall time is
 * four seconds of thread time.  The time of kernels is converted to wall time by the average number
 * of threads inside kernels while any is.  With one calling thread this number is 1 and nothing is
 * assumed; with several, each kernel is assumed to have the average number of simultaneous threads.
 * If calls are missing from the courses of threads, the other threads are assumed to be inside with
 * the busiest one. */
struct wall {
    double ns;             /* without tprof's own cost */
    double at_once;        /* threads in kernels, while any is; at least 1 */
    double processor;      /* share of their time that threads calling kernels
                              had one: above 0, at most 1 */
    size_t kernel_threads; /* threads that called any kernel */
};

/* Find the wall time: one pass over all calls if several threads call kernels. */
void wall_init(struct wall *wall, const struct session *session);

/* Time of kernels, over threads, as a part of the wall time. */
double wall_of_threads(const struct wall *wall, double thread_ns);

/* Say in a table's notes that its shares are of the wall time. */
void wall_say_whole(struct table *table, const struct session *session);

#endif
