/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a sequence of symbols repeats itself: the steps of a training in the
 * kernels that it calls.  Knows nothing of kernels.
 */
#ifndef TIME_PERIOD_H
#define TIME_PERIOD_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"

/* Repeats are looked for in the middle of longer sequences: so many symbols. */
enum { PERIOD_WINDOW = 1 << 18 };

struct period_sequence {
    const uint32_t *symbols;
    size_t count;
    size_t enough; /* repeats that are proof: what has fewer counts less than what has these; at
                      least 2 */
};

struct period {
    size_t length;       /* symbols of a repeat; 0: nothing repeats */
    struct array starts; /* size_t: where the repeats begin, in order; they do not overlap */
};

/* Find the longest stretch that repeats.  Others may stand before, between and
 * behind the repeats; a stretch that repeats within another one is part of it,
 * and is found by looking into one repeat.  So of a sequence of steps of equal
 * layers the steps are found, and within a step the layers.
 *
 * Errors: STATUS_OUT_OF_MEMORY; the period is to be finished all the same. */
enum status period_find(struct period *period, const struct period_sequence *sequence) MUST_CHECK;

void period_fini(struct period *period);

#endif
