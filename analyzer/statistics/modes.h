/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds out whether values have two modes, such as fast and slow calls of one
 * kernel.
 */
#ifndef STATISTICS_MODES_H
#define STATISTICS_MODES_H

#include "statistics/summary.h"

struct mode {
    double median;
    double mad;
    double share; /* share of the values */
};

struct modes {
    unsigned count; /* 0: too few values; 1: `mode` is unused; 2 */
    struct mode mode[2];
    uint64_t border;   /* values of the second are at least this */
    double separation; /* distance of the medians, in pooled MADs */
};

enum { MODES_LEAST_COUNT = 30 };

/* Look for two modes: hills on both sides of a valley.  The valley must be deeper than chance makes
 * it and at most half as high as the lower hill.  Each side must have a tenth of the values, with
 * medians more than three pooled MADs apart.
 * `finest`: as in histogram_options. */
void modes_find(struct modes *modes, const struct summary_sample *sample,
                const struct summary *summary, uint64_t finest);

#endif
