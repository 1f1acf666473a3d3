/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The highest value of a quantity since each of many past moments.
 *
 * It gives the peak heap of each open region, with one comparison for each change, for any number
 * of regions.
 */
#ifndef MODEL_PEAKS_H
#define MODEL_PEAKS_H

#include <stdint.h>

#include "base/array.h"

struct peaks {
    struct array steps; /* of struct peaks_step */
    uint64_t top;       /* the highest since the newest moment */
    uint64_t moments;   /* marked so far */
};

void peaks_init(struct peaks *peaks);
void peaks_fini(struct peaks *peaks);

/* Mark this moment, with the present value of the quantity.
 *
 * Returns: the moment's name in `moment`.
 */
void peaks_mark(struct peaks *peaks, uint64_t value, uint64_t *moment);

/* Forget a moment.
 *
 * Returns: the highest value since then.
 */
uint64_t peaks_forget(struct peaks *peaks, uint64_t moment);

/* Multiply all earlier values. */
void peaks_scale(struct peaks *peaks, double ratio);

/* The rest of peaks_raise. */
void peaks_raise_top(struct peaks *peaks, uint64_t value);

/* The quantity has this value now. */
static inline void peaks_raise(struct peaks *peaks, uint64_t value)
{
    if (value > peaks->top)
        peaks_raise_top(peaks, value);
}

#endif
