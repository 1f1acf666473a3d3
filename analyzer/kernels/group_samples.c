/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Durations of groups.
 */
#include "kernels/group_samples.h"

#include <stdlib.h>

#include "base/memory.h"

static void copy_series(uint64_t *to, const struct group_series *series)
{
    for (size_t i = series->warmup; i < series->count; i++)
        *to++ = group_series_at(series, i);
}

void group_samples_init(struct group_samples *samples, const struct group *group)
{
    size_t count = 0;

    *samples = (struct group_samples){
        .values = memory_get((size_t)group->sample_calls * sizeof *samples->values + 1),
        .starts = memory_get((group->series.count + 1) * sizeof *samples->starts)};
    for (size_t i = 0; i < group->series.count; i++) {
        const struct group_series *series = array_at(&group->series, i);

        samples->starts[i] = count;
        copy_series(samples->values + count, series);
        count += series->count - series->warmup;
    }
    samples->sample.values = samples->values;
    samples->sample.count = count;
    if (group->series.count > 1) {
        samples->sample.starts = samples->starts + 1;
        samples->sample.start_count = group->series.count - 1;
    }
}

void group_samples_fini(struct group_samples *samples)
{
    free(samples->values);
    free(samples->starts);
}

void group_samples_add(struct array *numbers, const struct group *group)
{
    array_reserve(numbers, numbers->count + (size_t)group->sample_calls);
    for (size_t i = 0; i < group->series.count; i++) {
        const struct group_series *series = array_at(&group->series, i);

        for (size_t j = series->warmup; j < series->count; j++) {
            double *number = array_add(numbers);

            *number = (double)group_series_at(series, j);
        }
    }
}

void group_samples_summarize(struct summary *summary, const struct group *group, double confidence)
{
    struct group_samples samples;

    group_samples_init(&samples, group);
    summary_of(summary, &samples.sample, confidence);
    group_samples_fini(&samples);
}

/* A series that never was steady counts more than an unknown one. */
static bool is_worse(const struct steadiness *left, const struct steadiness *right)
{
    static const int badness[] = {[STEADINESS_UNKNOWN] = 0,
                                  [STEADINESS_NO_CHANGE] = 1,
                                  [STEADINESS_BY_EVENNESS] = 1,
                                  [STEADINESS_BY_CHANGE] = 1,
                                  [STEADINESS_NEVER] = 2};

    if (badness[left->from] != badness[right->from])
        return badness[left->from] > badness[right->from];
    return left->before > right->before;
}

struct steadiness group_samples_steadiness(const struct group *group)
{
    struct steadiness worst = {STEADINESS_UNKNOWN, 0};

    for (size_t i = 0; i < group->series.count; i++) {
        const struct group_series *series = array_at(&group->series, i);
        struct steadiness of;

        if (!series->is_whole)
            continue;
        of = steadiness_of(series->durations_ns, series->count);
        if (is_worse(&of, &worst))
            worst = of;
    }
    return worst;
}
