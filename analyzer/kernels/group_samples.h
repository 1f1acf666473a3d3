/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The durations of a group's calls for statistics: without tprof's own cost and the warm-up, series
 * after series.
 */
#ifndef KERNELS_GROUP_SAMPLES_H
#define KERNELS_GROUP_SAMPLES_H

#include "kernels/groups.h"
#include "statistics/steadiness.h"
#include "statistics/summary.h"

struct group_samples {
    struct summary_sample sample; /* sample of the next two */
    uint64_t *values;
    size_t *starts;
};

/* Gather them. */
void group_samples_init(struct group_samples *samples, const struct group *group);
void group_samples_fini(struct group_samples *samples);

/* Add the durations to an array of double, for comparisons. */
void group_samples_add(struct array *numbers, const struct group *group);

/* Describe them. */
void group_samples_summarize(struct summary *summary, const struct group *group, double confidence);

/* When the group's calls were steady: the latest of its known series, warm-up included.  UNKNOWN
 * when none is known. */
struct steadiness group_samples_steadiness(const struct group *group);

#endif
