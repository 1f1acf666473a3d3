/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting by bin.
 */
#include "statistics/histogram.h"

#include <math.h>

static uint64_t find_width(const struct summary *summary, double span,
                           const struct histogram_options *options)
{
    double distance = summary->upper_quartile - summary->lower_quartile;
    double width = 2 * distance / cbrt((double)summary->count);

    width = fmax(width, (span + 1) / (double)options->bins);
    return (uint64_t)ceil(fmax(width, (double)options->finest));
}

struct histogram histogram_of(const struct summary_sample *sample, const struct summary *summary,
                              const struct histogram_options *options)
{
    struct histogram histogram = {.bins = 0};
    double distance = summary->upper_quartile - summary->lower_quartile, low, high;

    if (sample->count == 0)
        return histogram;
    low = floor(fmax(summary->minimum, summary->lower_quartile - 3 * distance));
    high = ceil(fmin(summary->maximum, summary->upper_quartile + 3 * distance));
    histogram.low = (uint64_t)low;
    histogram.width = find_width(summary, high - low, options);
    histogram.bins = (size_t)((uint64_t)(high - low) / histogram.width + 1);
    for (size_t i = 0; i < sample->count; i++) {
        uint64_t value = sample->values[i];

        if (value < histogram.low)
            histogram.below++;
        else if ((value - histogram.low) / histogram.width >= histogram.bins)
            histogram.above++;
        else
            histogram.counts[(value - histogram.low) / histogram.width]++;
    }
    return histogram;
}
