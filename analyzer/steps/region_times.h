/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The durations of the recorded calls of each region.
 */
#ifndef STEPS_REGION_TIMES_H
#define STEPS_REGION_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "model/session.h"
#include "statistics/summary.h"

struct region_times {
    uint64_t laps; /* recorded calls, in the order of their ends */
    uint64_t first_ns;
    uint64_t *steady_ns; /* durations of the calls after the warm-up, as many as are asked for */
    size_t steady_count;
};

/* Gather them.
 * Returns: the times by region, of the pool in use. */
struct region_times *region_times_gather(const struct session *session,
                                         const struct analysis_options *options);

/* Describe the calls of a region after the warm-up. */
void region_times_summarize(struct summary *summary, const struct region_times *times,
                            double confidence);

#endif
