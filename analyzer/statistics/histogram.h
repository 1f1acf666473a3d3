/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms.  All bins have the same width, that of Freedman and Diaconis.  They cover the
 * quartiles and three times their distance on both sides; values farther out are only counted.
 * Times of a kernel are concentrated in a narrow range, so bins by powers would put all of them
 * into one bin; bins of one width over the full range would, too, because of a few outliers.
 *
 * If the quartiles themselves differ by more than a factor of four, as for times of kernels of many
 * shapes, bins grow by a factor instead, and cover everything.
 */
#ifndef STATISTICS_HISTOGRAM_H
#define STATISTICS_HISTOGRAM_H

#include "statistics/summary.h"

enum { HISTOGRAM_BINS = 64 };

struct histogram {
    size_t bins;
    uint64_t edges[HISTOGRAM_BINS + 1]; /* where each bin starts, and where the last ends */
    uint64_t width;                     /* width of every bin; 0 if bins grow */
    size_t counts[HISTOGRAM_BINS];
    size_t below; /* outside all bins */
    size_t above;
};

struct histogram_options {
    size_t bins;     /* the most bins, up to HISTOGRAM_BINS */
    uint64_t finest; /* least width: the clock's steps must not show as hills; at least 1 */
    double scale;    /* factor of the width; 1: the rule's own width */
};

/* Count a sample; `summary` has its quartiles.  An empty sample has no bins.
 * Source: Freedman and Diaconis, Z. Wahrscheinlichkeitstheorie 57 (1981) 453. */
struct histogram histogram_of(const struct summary_sample *sample, const struct summary *summary,
                              const struct histogram_options *options);

#endif
