/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wall time of a thread in its three parts: on a processor, ready without one, waiting.
 */
#ifndef WAITS_WAIT_SPLIT_H
#define WAITS_WAIT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

struct session;

/* NAN: unknown.  The first three sum to the wall time. */
struct wait_split {
    double wall_ns;
    double cpu_ns;
    double delay_ns;    /* it wanted a processor and had none; 0 if the kernel does not count */
    double waiting_ns;  /* the rest */
    double hooked_ns;   /* part of it in calls that tprof hooked */
    double unhooked_ns; /* part of it elsewhere */
    bool has_delay;     /* otherwise the delay is a part of the waiting */
};

/* Split the life of a thread: index in the session's threads. */
struct wait_split wait_split_of(const struct session *session, uint32_t thread);

/* Returns: the index of the program's first thread, which represents the main path. */
uint32_t wait_main_thread(const struct session *session);

/* Did the thread wait for most of its life, and was it a worker that a library started? */
bool wait_is_idle_worker(const struct session *session, uint32_t thread);

#endif
