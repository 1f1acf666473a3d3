/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the time between drawn calls says of the calls that were not timed.
 *
 * A drawn call ends with an ordered read of the counter and so is waited for, while untimed
 * calls in a row overlap in the processor.  But untimed calls take no longer than the time that
 * passes between two drawn ones, a stretch.
 *
 * Decision: doc/decisions/stretches.
 */
#ifndef MODEL_STRETCHES_H
#define MODEL_STRETCHES_H

#include <stddef.h>

#include "model/session.h"

/* Which timed calls of a slot are drawn and usual. */
struct stretches_drawn {
    size_t first;   /* its first records are not drawn; SIZE_MAX: none is */
    double most_ns; /* one that took longer was interrupted */
};

/* What a drawn call of a slot takes beyond an untimed one: at least. */
struct stretches_excess {
    double ns;       /* 0 where nothing is known */
    double error_ns; /* standard error of it */
};

/* Find it for each slot.
 * Shape: `drawn` and `excess` have an entry a slot; those of `excess` are 0 before. */
void stretches_find(const struct session *session, const struct stretches_drawn *drawn,
                    struct stretches_excess *excess);

#endif
