/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a thread was on no processor, and what the process did meanwhile, by
 * the readings that the thread took itself.
 */
#ifndef WAITS_WAITING_H
#define WAITS_WAITING_H

#include <stdint.h>

struct session;

/* Sums over the time between readings of the thread that follow one another.  NAN what was not
 * read. */
struct waiting {
    double watched_ns;  /* between the readings; 0: there are no two */
    double off_ns;      /* the thread was on no processor */
    double aside_ns;    /* of it: it wanted a processor that others had, as the kernel counted */
    double voluntary;   /* times it gave its processor up */
    double involuntary; /* times it was put aside */
    double called_bytes; /* this and what follows is of the whole process */
    double disk_bytes;
    double written_bytes; /* to disks, at least: less what is the trace */
    double system_ns;
    double faults;
};

/* Watch a thread: index in the session's threads. */
struct waiting waiting_find(const struct session *session, uint32_t thread, uint64_t from_ns,
                            uint64_t to_ns);

/* Shares of the watched time: waiting of the thread's own, and time in which others had its
 * processor.  NAN when off_ns is; where only the second is, the first is at most. */
struct waiting_shares {
    double waited;
    double aside;
};

struct waiting_shares waiting_split(const struct waiting *waiting);

#endif
