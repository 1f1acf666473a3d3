/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the deepest valley of a histogram.  Medians and MADs are not enough:
 * the halves of a normal distribution are 3.4 pooled MADs apart.
 *
 * Decision: doc/decisions/two-modes-need-a-valley.
 */
#include "statistics/modes.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "statistics/histogram.h"
#include "statistics/selection.h"

static const double least_separation = 3, least_share = 0.1;
/* Standard deviations of a difference of counts.  With 3, 43 of 2,400 samples of one hill were
 * split into two; with 4, three were, all flat. */
static const double deepest_by_chance = 4;

static double highest(const size_t *counts, size_t from, size_t to)
{
    size_t most = 0;

    for (size_t i = from; i < to; i++)
        if (counts[i] > most)
            most = counts[i];
    return (double)most;
}

/* Values beyond the edges count as a hill if there are enough for a mode.  A histogram ends three
 * distances of the quartiles beyond the quartiles, and less than a quarter of the values moves no
 * quartile. */
static double beyond(size_t count, size_t of)
{
    return (double)count >= least_share * (double)of ? (double)count : 0;
}

/* How far the lower hill next to a bin rises above it; 0 if this may be chance, or the bin is no
 * valley. */
static double find_depth(const struct histogram *histogram, size_t of, size_t bin)
{
    double left = fmax(highest(histogram->counts, 0, bin - 1), beyond(histogram->below, of));
    double right =
        fmax(highest(histogram->counts, bin + 2, histogram->bins), beyond(histogram->above, of));
    double hill = fmin(left, right), valley = (double)histogram->counts[bin];

    if (valley > hill / 2 || hill - valley <= deepest_by_chance * sqrt(hill + valley))
        return 0;
    return hill - valley;
}

/* Make each bin as wide as two, without moving its start: a hill may lie on the border of two
 * bins. */
static void join_neighbours(struct histogram *histogram)
{
    for (size_t i = 0; i + 1 < histogram->bins; i++)
        histogram->counts[i] += histogram->counts[i + 1];
    if (histogram->bins > 0)
        histogram->bins--;
}

/* Returns: whether joined bins of this many values have a valley.  Among equally deep ones the
 * middle is the border. */
static bool find_valley(const struct histogram *histogram, size_t of, uint64_t *border)
{
    double deepest = 0;
    size_t first = 0, last = 0;

    for (size_t i = 2; i + 2 < histogram->bins; i++) {
        double depth = find_depth(histogram, of, i);

        if (depth > deepest) {
            deepest = depth;
            first = i;
        }
        if (depth > 0 && depth == deepest)
            last = i;
    }
    *border = (histogram->edges[first + 1] + histogram->edges[last + 1]) / 2;
    return deepest > 0;
}

/* Between two modes the quartiles lie far apart, and the resulting bins may be too wide for the
 * valley. */
static bool find_border(const struct summary_sample *sample, const struct summary *summary,
                        uint64_t finest, uint64_t *border)
{
    static const double scales[] = {0.5, 0.25, 0.125};
    size_t bins = 0;

    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        const struct histogram_options options = {HISTOGRAM_BINS, finest, scales[i]};
        struct histogram histogram = histogram_of(sample, summary, &options);

        if (histogram.bins == bins) /* no finer bins are possible */
            return false;
        bins = histogram.bins;
        join_neighbours(&histogram);
        if (find_valley(&histogram, sample->count, border))
            return true;
    }
    return false;
}

static double middle_of(const uint64_t found[2])
{
    return ((double)found[0] + (double)found[1]) / 2;
}

static void describe(struct mode *mode, const uint64_t *values, size_t count, size_t of)
{
    size_t ranks[2] = {(count + 1) / 2, count / 2 + 1};
    struct selection selection = {values, count, 1, 0};
    uint64_t found[2];

    selection_find(&selection, ranks, 2, found);
    mode->median = middle_of(found);
    mode->share = (double)count / (double)of;
    selection = (struct selection){values, count, 2, found[0] + found[1]};
    selection_find(&selection, ranks, 2, found);
    mode->mad = middle_of(found) / 2;
}

/* Moves lower values to the front of `parts`, the others behind them.
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

static void describe_parts(struct modes *modes, const uint64_t *parts, size_t low, size_t count)
{
    double pooled;

    if ((double)low < least_share * (double)count ||
        (double)(count - low) < least_share * (double)count)
        return;
    describe(&modes->mode[0], parts, low, count);
    describe(&modes->mode[1], parts + low, count - low, count);
    pooled = modes->mode[0].share * modes->mode[0].mad + modes->mode[1].share * modes->mode[1].mad;
    modes->separation = (modes->mode[1].median - modes->mode[0].median) / pooled;
    if (modes->separation > least_separation)
        modes->count = 2;
}

void modes_find(struct modes *modes, const struct summary_sample *sample,
                const struct summary *summary, uint64_t finest)
{
    uint64_t *parts;

    *modes = (struct modes){.count = sample->count >= MODES_LEAST_COUNT, .separation = NAN};
    if (modes->count == 0)
        return;
    if (!find_border(sample, summary, finest, &modes->border))
        return;
    parts = memory_get(sample->count * sizeof *parts);
    describe_parts(modes, parts, divide(parts, sample, modes->border), sample->count);
    free(parts);
}
