/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at all threads of a process, one after the other.
 */
#ifndef WHERE_LOOK_H
#define WHERE_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "spec/trace.h"
#include "where/task.h"

struct stack;
struct stacks;
struct subject;

/* Which threads are stopped. */
enum look_stop {
    LOOK_STOP_NEVER,  /* none: only the calls of waiting threads are known */
    LOOK_STOP_UNSEEN, /* threads whose calls would be unknown, if the program does not notice */
    LOOK_STOP_ALWAYS  /* all, though a system call may return EINTR */
};

struct look_options {
    unsigned count;
    uint64_t interval_ns;
    enum look_stop stop;
    const char *thread; /* a number, or a pattern of names; NULL: all */
};

/* A thread in one look. */
struct look_row {
    unsigned look; /* number of the look, from 1 on */
    struct task task;
    const struct stack *stack;
    bool is_stopped;
    uint64_t stopped_ns; /* upper bound */
    uint64_t copied;     /* bytes of its stack */
};

struct looks {
    struct stacks *stacks;
    struct array rows; /* of struct look_row */
    unsigned taken;
    uint64_t taken_ns; /* from the start of the first look to the end of the last */
    uint64_t gone;     /* threads that ended when they were looked at */
    uint64_t busy;     /* threads that did not stop in time */
    uint64_t running;  /* threads that ran, and were not to be stopped */
    uint64_t left_out; /* threads left out by the option, in the last look */
    enum trace_python_off python_off; /* why frames of Python code are not shown */
    bool has_ended;    /* the process, before the last look */
};

/* Take looks.  The process may end meanwhile.
 *
 * Errors: STATUS_IO: Linux does not allow it, or the process ended before the first look;
 * STATUS_NOT_FOUND: no thread has the name. */
enum status looks_take(struct looks *looks, const struct subject *subject,
                       const struct look_options *options,
                       struct diagnostic *diagnostic) MUST_CHECK;

void looks_fini(struct looks *looks);

#endif
