/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many threads are inside kernels at once, and how even their shares are.
 */
#ifndef WAITS_CONCURRENCY_H
#define WAITS_CONCURRENCY_H

#include "base/array.h"
#include "model/session_threads.h"

struct session;

/* Times are wall time, and exact as far as the courses are whole. */
struct concurrency {
    struct array inside_ns; /* double: time with exactly this many threads inside kernels; [0] is
                               outside the calls and between them */
    double wall_ns;
    double any_ns;     /* time with at least one inside */
    double one_ns;     /* exactly one */
    double several_ns; /* two and more */
    double over_ns;    /* time with more than the allowed processors; NAN: their number is
                          unknown */
    double mean;       /* threads inside, while any is; NAN: never */
    double known;      /* kernel time in the courses by that in the tallies; 1 without any */
    bool is_whole;     /* the missing part is too small to matter */
};

/* How the work is shared: time of threads in kernels, as far as they had a processor. */
struct concurrency_work {
    size_t workers;    /* threads that call kernels more than rarely */
    double most_ns;    /* time of the busiest thread */
    double mean_ns;    /* mean over all of them */
    double outside_ns; /* sum over all of them: processor time outside of kernels, for example for
                          spinning until others are done */
    double imbalance;  /* (most - mean) / most; NAN with fewer than two */
};

struct concurrency_work concurrency_weigh(const struct session *session);

void concurrency_init(struct concurrency *concurrency, const struct session *session);
/* Sum up the time in kernels over all threads. */
double concurrency_kernel_ns(const struct session *session);

/* How long a thread is known to have lived. */
double concurrency_lived_ns(const struct session_thread *thread);

#endif
