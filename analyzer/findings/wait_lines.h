/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of one thread by lines of the program.
 */
#ifndef FINDINGS_WAIT_LINES_H
#define FINDINGS_WAIT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "places/places.h"

struct session;
struct session_wait;

struct wait_line {
    struct place place;
    double waiting_ns;
    uint64_t calls;
    uint64_t max_ns;                 /* the longest call */
    const struct session_wait *most; /* the wait with most of the time */
};

/* Whether a wait is wanted; its chain is known. */
typedef bool (*wait_lines_wanted)(struct places *places, const struct session_wait *wait);

/* Gather the wanted waits with a chain through a line of the program, outside of kernels, into an
 * array of struct wait_line.
 * Returns: the line with most of the time; NULL: there is none. */
const struct wait_line *wait_lines_gather(struct array *lines, const struct session *session,
                                          struct places *places, uint32_t thread,
                                          wait_lines_wanted is_wanted);

/* Ask whether a callback or a coroutine of an event loop made a call, and not the loop itself. */
bool wait_lines_is_in_loop(struct places *places, uint32_t call);

#endif
