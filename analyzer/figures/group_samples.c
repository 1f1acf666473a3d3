/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Durations of groups.
 */
#include "figures/group_samples.h"

#include <stdlib.h>

static void copy_series(uint64_t *to, const struct group_series *series)
{
    for (size_t i = series->warmup; i < series->count; i++)
        *to++ = group_series_at(series, i);
}

enum status group_samples_init(struct group_samples *samples, const struct group *group)
{
    size_t count = 0;

    *samples = (struct group_samples){
        .values = malloc((size_t)group->sample_calls * sizeof *samples->values + 1),
        .starts = malloc((group->series.count + 1) * sizeof *samples->starts)};
    if (!samples->values || !samples->starts) {
        group_samples_fini(samples);
        return STATUS_OUT_OF_MEMORY;
    }
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
    return STATUS_OK;
}

void group_samples_fini(struct group_samples *samples)
{
    free(samples->values);
    free(samples->starts);
}

enum status group_samples_add(struct array *numbers, const struct group *group)
{
    if (array_reserve(numbers, numbers->count + (size_t)group->sample_calls))
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < group->series.count; i++) {
        const struct group_series *series = array_at(&group->series, i);

        for (size_t j = series->warmup; j < series->count; j++) {
            double *number = array_add(numbers);

            if (!number)
                return STATUS_OUT_OF_MEMORY;
            *number = (double)group_series_at(series, j);
        }
    }
    return STATUS_OK;
}

enum status group_samples_summarize(struct summary *summary, const struct group *group,
                                    double confidence)
{
    struct group_samples samples;
    enum status status = group_samples_init(&samples, group);

    if (status)
        return status;
    status = summary_of(summary, &samples.sample, confidence);
    group_samples_fini(&samples);
    return status;
}

/* A series that never was steady says more than one that tells nothing. */
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
