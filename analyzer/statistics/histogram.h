/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms.  All bins have one width, that of Freedman and Diaconis.  They cover the quartiles
 * and three times their distance on both sides; values farther out are only counted.  Times of a
 * kernel crowd in a narrow range, so bins by powers would put all of them into one bin, and a few
 * outliers would do the same to bins of one width over everything.
 *
 * Where the quartiles themselves differ by more than a factor of four, as the times
 * of kernels of many shapes do, bins grow by a factor instead, and hold everything.
 */
#ifndef STATISTICS_HISTOGRAM_H
#define STATISTICS_HISTOGRAM_H

#include "statistics/summary.h"

enum { HISTOGRAM_BINS = 64 };

struct histogram {
    size_t bins;
    uint64_t edges[HISTOGRAM_BINS + 1]; /* where each begins, and where the last ends */
    uint64_t width;                     /* of every bin; 0 where they grow */
    size_t counts[HISTOGRAM_BINS];
    size_t below; /* outside all bins */
    size_t above;
};

struct histogram_options {
    size_t bins;     /* the most bins, up to HISTOGRAM_BINS */
    uint64_t finest; /* least width: the clock's steps must not show as hills; at least 1 */
    double scale;    /* of the width; 1: the rule's own */
};

/* Count a sample; `summary` has its quartiles.  An empty sample has no bins.
 * Source: Freedman and Diaconis, Z. Wahrscheinlichkeitstheorie 57 (1981) 453. */
struct histogram histogram_of(const struct summary_sample *sample, const struct summary *summary,
                              const struct histogram_options *options);

#endif
