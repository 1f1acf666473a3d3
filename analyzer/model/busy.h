/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a device had a command running, and when it had none.
 */
#ifndef MODEL_BUSY_H
#define MODEL_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "spec/trace.h"

struct session;

/* A stretch of time with a command running, or without one. */
struct busy_span {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t next; /* of a gap: the command that ended it, index in commands; SESSION_NONE */
};

struct busy {
    uint64_t from_ns; /* the stretch of the run that is judged */
    uint64_t to_ns;
    bool is_steady;    /* it is the steps; otherwise from the first command to the last */
    double busy_ns;    /* some command ran: the union of their times */
    double kernel_ns;  /* some kernel ran */
    double copy_ns;    /* a copy ran, and no kernel */
    double both_ns;    /* a kernel and a copy ran at once */
    bool is_timed;     /* commands of the device have times, in this stretch or outside of it */
    uint64_t commands; /* with times, in this stretch */
    uint64_t untimed;  /* commands without times: the share may be larger */
    struct array gaps; /* of struct busy_span, by time */
};

/* Ask whether a command of this kind keeps a device busy; markers and functions of the host do
 * not. */
bool busy_is_work(enum trace_command_kind kind);

/* Take all of the run. */
void busy_take_all(struct busy *busy);

/* Fill in the rest for a device, in the pool in use.  SESSION_NONE: for all devices as one. */
void busy_measure(struct busy *busy, const struct session *session, uint32_t device);

/* Divide the busy time of a stretch among the devices: those that run at once have equal parts.
 * Shape: `parts_ns` has a number for each device. */
void busy_divide(double *parts_ns, const struct busy *stretch, const struct session *session);

/* Returns: nanoseconds from a start to an end that lie in the stretch. */
uint64_t busy_clip(const struct busy *busy, uint64_t start_ns, uint64_t end_ns);

#endif
