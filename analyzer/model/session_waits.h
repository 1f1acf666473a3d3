/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waiting calls of a session's threads.
 */
#ifndef MODEL_SESSION_WAITS_H
#define MODEL_SESSION_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* The calls of one function from one place, thread and region for one object.  The time of a call
 * is from its start to its end: a part of it may be processor time, for example for copying read
 * data. */
struct session_wait {
    enum trace_wait_call call;
    enum trace_wait_class class;
    const char *function; /* its name */
    const char *name;     /* name of the file, pipe or socket; NULL: none, or unknown */
    enum trace_waited_kind kind; /* kind of the name */
    uint64_t inode;       /* inode of a pipe, shared by both of its ends; 0: unknown */
    uint32_t thread;
    uint32_t region;
    uint32_t op; /* index in ops */
    bool is_in_kernel;
    bool is_input; /* the call reads data, or waits for data */
    bool has_bytes; /* the function reads or writes a known number of bytes */
    uint64_t site;
    uint64_t address; /* address of a lock, a semaphore or a condition variable; else 0 */
    uint32_t owner;   /* thread that held the lock, by its kernel id; 0: unknown */
    uint32_t chain;   /* index in calls, of its longest call with a chain; SESSION_NONE */
    uint64_t chained_ns; /* the duration of that call */
    uint64_t calls;
    uint64_t timed_calls; /* fewer if some calls were only counted */
    uint64_t total_ns;    /* time of all calls; untimed ones count as the mean of short ones */
    uint64_t waiting_ns;  /* without processor time */
    uint64_t min_ns;
    uint64_t max_ns;
    uint64_t bytes;
};

static inline bool session_wait_is_files(const struct session_wait *wait)
{
    return wait->class == TRACE_WAIT_CLASS_IO;
}

static inline bool session_wait_is_network(const struct session_wait *wait)
{
    return wait->class == TRACE_WAIT_CLASS_NETWORK;
}

/* A call of TRACE_LONG_WAIT_NS or more. */
struct session_wait_call {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t wait;  /* index in waits */
    uint32_t chain; /* SESSION_NONE: none was taken */
    uint64_t bytes;
    bool is_in_vain; /* it waited for work and ended without any, for example by a time-out */
};

/* A call that woke threads waiting for an address. */
struct session_wake {
    uint64_t time_ns; /* its start */
    uint64_t address;
    uint32_t thread; /* index in threads; SESSION_NONE */
    uint32_t chain;  /* SESSION_NONE: none was taken */
    bool is_for_all; /* the call woke all waiters; otherwise one */
};

#endif
