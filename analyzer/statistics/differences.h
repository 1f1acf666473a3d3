/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The differences of all pairs of two samples, in sorted order, without storing them: samples of a
 * million values have 10^12.
 */
#ifndef STATISTICS_DIFFERENCES_H
#define STATISTICS_DIFFERENCES_H

#include <stddef.h>
#include <stdint.h>

/* Two sorted, non-empty samples. */
struct differences {
    const double *base;
    size_t base_count;
    const double *changed;
    size_t changed_count;
};

/* Find the changed - base of a rank, counted from 1. */
void differences_find(const struct differences *of, uint64_t rank, double *value);

/* Find the median: between the two middle ones when their count is even. */
void differences_find_median(const struct differences *of, double *median);

#endif
