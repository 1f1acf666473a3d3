/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the deepest valley of a histogram.  Medians and MADs alone do not tell:
 * the halves of a normal distribution are 3.4 pooled MADs apart.
 */
#include "statistics/modes.h"

#include <math.h>
#include <stdlib.h>

#include "statistics/histogram.h"
#include "statistics/selection.h"

static const double least_separation = 3, least_share = 0.1;
static const double deepest_by_chance = 3; /* standard deviations of a difference of counts */

static double highest(const size_t *counts, size_t from, size_t to)
{
    size_t most = 0;

    for (size_t i = from; i < to; i++)
        if (counts[i] > most)
            most = counts[i];
    return (double)most;
}

/* By how much the lower of the hills beside a bin rises above it; 0 when that may
 * be chance, or the bin is no valley. */
static double find_depth(const struct histogram *histogram, size_t bin)
{
    double left = highest(histogram->counts, 0, bin);
    double right = highest(histogram->counts, bin + 1, histogram->bins);
    double hill = fmin(left, right), valley = (double)histogram->counts[bin];

    if (valley > hill / 2 || hill - valley <= deepest_by_chance * sqrt(hill + valley))
        return 0;
    return hill - valley;
}

/* Returns: whether there is a valley; of equally deep bins the middle is the border. */
static bool find_border(const struct histogram *histogram, uint64_t *border)
{
    double deepest = 0;
    size_t first = 0, last = 0;

    for (size_t i = 1; i + 1 < histogram->bins; i++) {
        double depth = find_depth(histogram, i);

        if (depth > deepest) {
            deepest = depth;
            first = i;
        }
        if (depth > 0 && depth == deepest)
            last = i;
    }
    *border = histogram->low + (first + last + 1) * histogram->width / 2;
    return deepest > 0;
}

static double middle_of(const uint64_t found[2])
{
    return ((double)found[0] + (double)found[1]) / 2;
}

static enum status describe(struct mode *mode, const uint64_t *values, size_t count, size_t of)
{
    size_t ranks[2] = {(count + 1) / 2, count / 2 + 1};
    struct selection selection = {values, count, 1, 0};
    uint64_t found[2];
    enum status status = selection_find(&selection, ranks, 2, found);

    if (status)
        return status;
    mode->median = middle_of(found);
    mode->share = (double)count / (double)of;
    selection = (struct selection){values, count, 2, found[0] + found[1]};
    status = selection_find(&selection, ranks, 2, found);
    if (!status)
        mode->mad = middle_of(found) / 2;
    return status;
}

/* Lower values to the front of `parts`, the others behind them.
 * Returns: how many are lower. */
static size_t divide(uint64_t *parts, const struct summary_sample *sample, uint64_t border)
{
    size_t low = 0, high = sample->count;

    for (size_t i = 0; i < sample->count; i++)
        if (sample->values[i] < border)
            parts[low++] = sample->values[i];
        else
            parts[--high] = sample->values[i];
    return low;
}

static enum status describe_parts(struct modes *modes, const uint64_t *parts, size_t low,
                                  size_t count)
{
    enum status status = STATUS_OK;
    double pooled;

    if ((double)low < least_share * (double)count ||
        (double)(count - low) < least_share * (double)count)
        return STATUS_OK;
    status = describe(&modes->mode[0], parts, low, count);
    if (!status)
        status = describe(&modes->mode[1], parts + low, count - low, count);
    if (status)
        return status;
    pooled = modes->mode[0].share * modes->mode[0].mad + modes->mode[1].share * modes->mode[1].mad;
    modes->separation = (modes->mode[1].median - modes->mode[0].median) / pooled;
    if (modes->separation > least_separation)
        modes->count = 2;
    return STATUS_OK;
}

enum status modes_find(struct modes *modes, const struct summary_sample *sample,
                       const struct summary *summary, uint64_t finest)
{
    const struct histogram_options options = {HISTOGRAM_BINS, finest};
    struct histogram histogram;
    uint64_t *parts;
    enum status status;

    *modes = (struct modes){.count = sample->count >= MODES_LEAST_COUNT, .separation = NAN};
    if (modes->count == 0)
        return STATUS_OK;
    histogram = histogram_of(sample, summary, &options);
    if (!find_border(&histogram, &modes->border))
        return STATUS_OK;
    parts = malloc(sample->count * sizeof *parts);
    if (!parts)
        return STATUS_OUT_OF_MEMORY;
    status = describe_parts(modes, parts, divide(parts, sample, modes->border), sample->count);
    free(parts);
    return status;
}
