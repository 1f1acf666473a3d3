/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds the time of untimed calls by the time between drawn calls.
 *
 * A drawn call ends with an ordered read of the counter, which waits for the call, while
 * consecutive untimed calls overlap in the processor.  But untimed calls take no longer than the
 * stretch between two drawn ones.
 *
 * Decision: doc/decisions/untimed-calls.
 */
#ifndef MODEL_UNTIMED_H
#define MODEL_UNTIMED_H

#include <stddef.h>

#include "model/session.h"

/* The timed calls of a slot that are drawn and usual. */
struct untimed_drawn {
    size_t first;   /* longer ones were interrupted */
    double most_ns; /* a call that took longer was interrupted */
};

/* The time of a drawn call beyond an untimed one: at least this. */
struct untimed_excess {
    double ns;       /* 0 when unknown */
    double error_ns; /* standard error of the excess */
};

/* Find the excess for each slot.
 * Shape: `drawn` and `excess` have one entry for each slot; `excess` must be 0 before. */
void untimed_find(const struct session *session, const struct untimed_drawn *drawn,
                  struct untimed_excess *excess);

#endif
