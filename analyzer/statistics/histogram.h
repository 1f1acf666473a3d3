/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often which values occur.  Bins are of one width, that of Freedman and
 * Diaconis, and lie within the quartiles and three times their distance: the times
 * of a kernel crowd in a narrow place, so that bins by powers would hold all of them
 * in one, and a few outliers would stretch bins of one width until they do too.
 * What lies farther out is counted on both sides.
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
    size_t bins;     /* at most so many, up to HISTOGRAM_BINS */
    uint64_t finest; /* least width: the clock's steps must not show as hills; at least 1 */
    double scale;    /* of the width; 1: as the rule has it */
};

/* Count a sample of which the summary tells the quartiles; without values there
 * are no bins.
 * Source: Freedman and Diaconis, Z. Wahrscheinlichkeitstheorie 57 (1981) 453. */
struct histogram histogram_of(const struct summary_sample *sample, const struct summary *summary,
                              const struct histogram_options *options);

#endif
