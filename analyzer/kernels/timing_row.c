/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics of one row of tprof timing.
 */
#include "kernels/timing_row.h"

#include <math.h>

#include "kernels/timing_options.h"
#include "model/session.h"

/* A bin is four steps of the clock: the number of steps then differs by a quarter between bins, too
 * little for a valley. */
static uint64_t finest_of(const struct session *session)
{
    double step = session->overhead.resolution_ns;

    return step > 0.25 ? (uint64_t)ceil(4 * step) : 1;
}

void timing_row_init(struct timing_row *row, const struct group *group,
                     const struct session *session, const struct analysis_options *options)
{
    group_samples_init(&row->samples, group);

    row->group = group;
    row->steadiness = group_samples_steadiness(group);
    summary_of(&row->summary, &row->samples.sample, options->confidence);
    modes_find(&row->modes, &row->samples.sample, &row->summary, finest_of(session));
}

void timing_row_fini(struct timing_row *row)
{
    group_samples_fini(&row->samples);
}

/* Half as wide as the rule, which assumes one hill: with two hills, the quartiles are far apart. */
struct histogram timing_histogram(const struct summary_sample *sample,
                                  const struct summary *summary, const struct session *session,
                                  size_t bins)
{
    const struct histogram_options options = {bins, finest_of(session), 0.5};

    return histogram_of(sample, summary, &options);
}

void timing_set_histogram(struct value *value, const struct summary_sample *sample,
                          const struct summary *summary, const struct session *session)
{
    struct histogram histogram = timing_histogram(sample, summary, session, HISTOGRAM_BINS);
    struct table *table = value_set_table(value, &timing_histogram_schema);

    timing_fill_histogram(table, &histogram, summary);
}

void timing_set_interval(struct value *value, const struct statistics_interval *interval)
{
    value_set_interval(value, interval->low, interval->high);
}

const char *timing_steadiness_name(enum steadiness_from from)
{
    switch (from) {
    case STEADINESS_UNKNOWN: return NULL;
    case STEADINESS_NEVER: return "never";
    case STEADINESS_NO_CHANGE: return "no change";
    case STEADINESS_BY_EVENNESS: return "evenness";
    case STEADINESS_BY_CHANGE: return "change";
    }
    return NULL;
}

double timing_percentile(const struct summary_percentile *percentile,
                         const struct analysis_options *options)
{
    return options->timing->nearest_rank ? percentile->nearest : percentile->value;
}

enum histogram_column { FROM, TO, CALLS, SHARE };

static const struct column histogram_columns[] = {
    [FROM] = {"from_ns", "from", "where the bin begins", UNIT_NS, 0},
    [TO] = {"to_ns", "to", "where the next one begins", UNIT_NS, 0},
    [CALLS] = {"calls", "calls", "samples in it", UNIT_COUNT, 0},
    [SHARE] = {"share", "share", "of the samples", UNIT_FRACTION, 0},
};

const struct table_schema timing_histogram_schema = {
    "histogram", "Histogram", histogram_columns,
    sizeof histogram_columns / sizeof *histogram_columns, "share"};

struct bin {
    double from;
    double to;
    size_t calls;
};

static void add_bin(struct table *table, const struct bin *bin, size_t all)
{
    struct value *row = table_add_row(table);

    value_set_real(&row[FROM], bin->from);
    value_set_real(&row[TO], bin->to);
    value_set_unsigned(&row[CALLS], bin->calls);
    value_set_real(&row[SHARE], (double)bin->calls / (double)all);
}

void timing_fill_histogram(struct table *table, const struct histogram *histogram,
                           const struct summary *summary)
{
    const uint64_t *edges = histogram->edges;
    const struct bin below = {summary->minimum, (double)edges[0], histogram->below};
    const struct bin above = {(double)edges[histogram->bins], summary->maximum, histogram->above};

    if (below.calls > 0)
        add_bin(table, &below, summary->count);
    for (size_t i = 0; i < histogram->bins; i++)
        add_bin(table, &(struct bin){(double)edges[i], (double)edges[i + 1], histogram->counts[i]},
                summary->count);
    if (above.calls > 0)
        add_bin(table, &above, summary->count);
}
