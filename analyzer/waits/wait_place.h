/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line of the program's own that waits in Python's library.
 */
#ifndef WAITS_WAIT_PLACE_H
#define WAITS_WAIT_PLACE_H

#include "base/status.h"
#include "base/text.h"

struct session;
struct session_wait;

/* Append the place of a wait in own code, "train.py:12 load", from the chain of the longest call,
 * if code that came with Python waits.  For a worker that waits outside own code, append its pool,
 * "worker of concurrent.futures"; else nothing. */
void wait_place_append_own(struct text *text, const struct session *session,
                           const struct session_wait *wait);

#endif
