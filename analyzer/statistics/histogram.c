/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting by bin.
 */
#include "statistics/histogram.h"

#include <math.h>

static const double widest_quartiles = 4;

/* Freedman and Diaconis' width: by the distance of the quartiles, and the number of values. */
static double find_width(const struct summary *summary, double distance, double scale)
{
    return 2 * distance / cbrt((double)summary->count) * scale;
}

static void set_even_edges(struct histogram *histogram, const struct summary *summary,
                           const struct histogram_options *options)
{
    double distance = summary->upper_quartile - summary->lower_quartile;
    double low = floor(fmax(summary->minimum, summary->lower_quartile - 3 * distance));
    double high = ceil(fmin(summary->maximum, summary->upper_quartile + 3 * distance));
    double width = fmax(find_width(summary, distance, options->scale),
                        (high - low + 1) / (double)options->bins);
    uint64_t step = (uint64_t)ceil(fmax(width, (double)options->finest));

    histogram->width = step;
    histogram->bins = (size_t)((uint64_t)(high - low) / step + 1);
    for (size_t i = 0; i <= histogram->bins; i++)
        histogram->edges[i] = (uint64_t)low + i * step;
}

/* The last edge is beyond the highest value. */
static void set_growing_edges(struct histogram *histogram, const struct summary *summary,
                              const struct histogram_options *options)
{
    double low = fmax(summary->minimum, 1), span = log((summary->maximum + 1) / low);
    double distance = log(summary->upper_quartile / fmax(summary->lower_quartile, 1));
    double width =
        fmax(find_width(summary, distance, options->scale), span / (double)options->bins);
    uint64_t edge = (uint64_t)summary->minimum;

    for (size_t i = 0; i < options->bins && edge <= (uint64_t)summary->maximum; i++) {
        uint64_t next = (uint64_t)ceil(low * exp(width * (double)(i + 1)));

        histogram->edges[i] = edge;
        edge = next < edge + options->finest ? edge + options->finest : next;
        histogram->edges[i + 1] = edge;
        histogram->bins = i + 1;
    }
}

/* Multiplies by the inverse of the width, which may land on the wrong side of an edge: a division
 * takes four times as long. */
static size_t find_even_bin(const struct histogram *histogram, uint64_t value, double inverse)
{
    size_t bin = (size_t)((double)(int64_t)(value - histogram->edges[0]) * inverse);

    if (value < histogram->edges[bin])
        return bin - 1;
    return value >= histogram->edges[bin + 1] ? bin + 1 : bin;
}

static size_t find_growing_bin(const struct histogram *histogram, uint64_t value)
{
    size_t low = 0, high = histogram->bins;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (value < histogram->edges[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

static void count_values(struct histogram *histogram, const struct summary_sample *sample)
{
    double inverse = histogram->width > 0 ? 1 / (double)histogram->width : NAN;

    for (size_t i = 0; i < sample->count; i++) {
        uint64_t value = sample->values[i];

        if (value < histogram->edges[0])
            histogram->below++;
        else if (value >= histogram->edges[histogram->bins])
            histogram->above++;
        else if (histogram->width > 0)
            histogram->counts[find_even_bin(histogram, value, inverse)]++;
        else
            histogram->counts[find_growing_bin(histogram, value)]++;
    }
}

struct histogram histogram_of(const struct summary_sample *sample, const struct summary *summary,
                              const struct histogram_options *options)
{
    struct histogram histogram = {.bins = 0};

    if (sample->count == 0)
        return histogram;
    if (summary->upper_quartile > widest_quartiles * summary->lower_quartile)
        set_growing_edges(&histogram, summary, options);
    else
        set_even_edges(&histogram, summary, options);
    count_values(&histogram, sample);
    return histogram;
}
