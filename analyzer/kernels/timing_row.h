/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics of one row of tprof timing.
 */
#ifndef KERNELS_TIMING_ROW_H
#define KERNELS_TIMING_ROW_H

#include "document/table.h"
#include "kernels/group_samples.h"
#include "statistics/histogram.h"
#include "statistics/modes.h"

/* The statistics of a group. */
struct timing_row {
    const struct group *group;
    struct group_samples samples;
    struct summary summary;
    struct modes modes;
    struct steadiness steadiness;
};

void timing_row_init(struct timing_row *row, const struct group *group,
                     const struct session *session, const struct analysis_options *options);
void timing_row_fini(struct timing_row *row);

/* Set an interval of times. */
void timing_set_interval(struct value *value, const struct statistics_interval *interval);

/* Bins of times that the clock's steps do not show in. */
struct histogram timing_histogram(const struct summary_sample *sample,
                                  const struct summary *summary, const struct session *session,
                                  size_t bins);

/* Set the table of these bins. */
void timing_set_histogram(struct value *value, const struct summary_sample *sample,
                          const struct summary *summary, const struct session *session);

/* Fill a table with the bins, and with the calls below and above them. */
void timing_fill_histogram(struct table *table, const struct histogram *histogram,
                           const struct summary *summary);
extern const struct table_schema timing_histogram_schema;

/* "evenness", "change", "no change", "never"; NULL when unknown. */
const char *timing_steadiness_name(enum steadiness_from from);

/* The percentile with the method in the options. */
double timing_percentile(const struct summary_percentile *percentile,
                         const struct analysis_options *options);

#endif
