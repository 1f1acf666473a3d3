/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of one call, by the chains that its long calls came from.
 *
 * A library waits at one place for all lines of a program that use it.  Each long call has its own
 * chain, so the time splits by them; short calls go with the longest call.
 */
#ifndef WAITS_WAIT_PARTS_H
#define WAITS_WAIT_PARTS_H

#include <stddef.h>

#include "base/array.h"

struct session;

struct wait_parts {
    const struct session *session;
    struct array calls; /* const struct session_wait_call *, by wait and chain */
};

/* Sort the long calls of a session, in the pool in use. */
void wait_parts_init(struct wait_parts *parts, const struct session *session);

/* Find the parts of a wait: index in the session's waits.
 * Shape: struct session_wait, one a chain; the first has the longest call's chain, and all that is
 * left.  Calls, bytes and times sum to those of the wait. */
void wait_parts_of(const struct wait_parts *parts, size_t wait, struct array *of);

#endif
