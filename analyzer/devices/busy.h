/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a device had a command running, and when it had none.
 */
#ifndef DEVICES_BUSY_H
#define DEVICES_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "places/places.h"

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

/* Find the stretch that a session's devices are judged in.  Returns: false when no command has
 * times. */
bool busy_find_stretch(struct busy *busy, const struct session *session, places_finder find);

/* Take all of the run. */
void busy_take_all(struct busy *busy);

/* Fill in the rest for a device, in the pool in use. */
void busy_measure(struct busy *busy, const struct session *session, uint32_t device);

#endif
