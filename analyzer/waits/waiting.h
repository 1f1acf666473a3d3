/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a thread was on no processor, and the process's activity meanwhile, from the thread's
 * own readings.
 */
#ifndef WAITS_WAITING_H
#define WAITS_WAITING_H

#include <stdint.h>

struct session;

/* Sums over the time between successive readings of the thread.  NAN: unknown. */
struct waiting {
    double watched_ns;  /* time between the readings; 0: there are fewer than two */
    double off_ns;      /* the thread was on no processor */
    double aside_ns;    /* part of it: others had the processor that it wanted, by the kernel's
                           count */
    double voluntary;   /* times it gave its processor up */
    double involuntary; /* times it was preempted */
    double called_bytes; /* the rest is of the whole process */
    double disk_bytes;
    double written_bytes; /* written to disks at least, without the trace */
    double system_ns;
    double faults;
};

/* Watch a thread: index in the session's threads. */
struct waiting waiting_find(const struct session *session, uint32_t thread, uint64_t from_ns,
                            uint64_t to_ns);

/* Shares of the watched time: the thread's own waiting, and time when others had its processor.
 * Both are NAN if off_ns is NAN; if only the second is NAN, the first is an upper bound. */
struct waiting_shares {
    double waited;
    double aside;
};

struct waiting_shares waiting_split(const struct waiting *waiting);

#endif
