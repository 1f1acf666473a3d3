/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Life and death of a sample.
 */
#include "bench/sample.h"

#include <math.h>

bool sample_counts(const struct sample *sample)
{
    return !sample->is_warmup && sample->end != SAMPLE_TIMED_OUT &&
           sample->end != SAMPLE_INTERRUPTED;
}

void sample_init(struct sample *sample, size_t point)
{
    const double unknown = (double)NAN;

    *sample = (struct sample){.point = point,
                              .wall_ns = unknown,
                              .user_ns = unknown,
                              .system_ns = unknown,
                              .peak_rss_bytes = unknown,
                              .overhead = unknown};
}

void sample_fini(struct sample *sample)
{
    run_fini(&sample->run);
}
