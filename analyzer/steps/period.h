/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a sequence of symbols repeats itself: the steps of a training, in the sequence of its
 * kernel calls.  This module does not know kernels.
 */
#ifndef STEPS_PERIOD_H
#define STEPS_PERIOD_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

/* In longer sequences, repeats are searched in this many symbols in the middle. */
enum { PERIOD_WINDOW = 1 << 18 };

struct period_sequence {
    const uint32_t *symbols;
    size_t count;
    size_t enough; /* this many repeats are proof, and win over fewer; at least 2 */
};

struct period {
    size_t length;       /* symbols of a repeat; 0: nothing repeats */
    struct array starts; /* size_t: starts of repeats, in order and without overlaps */
};

/* Find the longest repeating stretch.  Other symbols may come before, between and after its
 * repeats.  A sequence of steps that consist of equal layers gives the steps; a second call with
 * the symbols of one step gives the layers. */
void period_find(struct period *period, const struct period_sequence *sequence);

#endif
