/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample of a kernel's calls.
 */
#include "findings/thinned.h"

#include <stdlib.h>

#include "base/memory.h"

static void thin(struct thinned *thinned, const struct group *group)
{
    size_t stride = (size_t)group->sample_calls / THINNED_MOST + 1, next = 0, passed = 0;

    for (size_t i = 0; i < group->series.count; i++) {
        const struct group_series *series = array_at(&group->series, i);
        size_t count = series->count - series->warmup;

        for (; next < passed + count; next += stride)
            thinned->values[thinned->count++] =
                group_series_at(series, series->warmup + next - passed);
        passed += count;
    }
}

void thinned_init(struct thinned *thinned, const struct group *group, double confidence)
{
    *thinned =
        (struct thinned){.values = memory_get_zeros(THINNED_MOST + 1, sizeof *thinned->values)};
    if (thinned->values) {
        thin(thinned, group);
        summary_of(&thinned->summary,
                   &(struct summary_sample){.values = thinned->values, .count = thinned->count},
                   confidence);
    }
}

void thinned_fini(struct thinned *thinned)
{
    free(thinned->values);
}

double thinned_median(const struct thinned *thinned)
{
    return thinned->summary.percentiles[SUMMARY_P50].value;
}
