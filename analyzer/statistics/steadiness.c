/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking for the end of the warm-up.
 */
#include "statistics/steadiness.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "statistics/ranks.h"

static const double even = 0.02, by_chance = 0.001;

/* Uses the quartiles, because single interruptions are no measure of the noise.  In a normal
 * distribution, their distance is 1.349 standard deviations. */
static double find_noise(const double *values, size_t count)
{
    double sorted[STEADINESS_LOOKED];

    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i];
    gsl_sort(sorted, 1, count);
    return (gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.75) -
            gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.25)) /
           1.349 / gsl_stats_median_from_sorted_data(sorted, 1, count);
}

static struct steadiness find_evenness(const double *values, size_t count)
{
    for (size_t i = 0; i + STEADINESS_WINDOW <= count; i++)
        if (gsl_stats_sd(values + i, 1, STEADINESS_WINDOW) <
            even * gsl_stats_mean(values + i, 1, STEADINESS_WINDOW))
            return (struct steadiness){STEADINESS_BY_EVENNESS, i};
    return (struct steadiness){STEADINESS_NEVER, 0};
}

/* Finds the place that splits the series with the most ranks above the mean before it.  The part
 * before it must be the smaller one; otherwise it was no warm-up. */
static struct steadiness find_change(const double *values, size_t count)
{
    double ranks[STEADINESS_LOOKED], n = (double)count, sum = 0, most = 0;
    size_t order[STEADINESS_LOOKED], place = 0;

    ranks_of(ranks, values, count, order);
    for (size_t i = 0; i < count; i++) {
        sum += 2 * ranks[i] - (n - 1);
        if (sum > most) {
            most = sum;
            place = i + 1;
        }
    }
    if (exp(-6 * most * most / (n * n * n + n * n)) >= by_chance)
        return (struct steadiness){STEADINESS_NO_CHANGE, 0};
    if (place > count / 2)
        return (struct steadiness){STEADINESS_NEVER, 0};
    return (struct steadiness){STEADINESS_BY_CHANGE, place};
}

struct steadiness steadiness_of(const uint64_t *values, size_t count)
{
    double looked[STEADINESS_LOOKED];
    size_t size = count < STEADINESS_LOOKED ? count : STEADINESS_LOOKED;

    if (count < STEADINESS_LEAST)
        return (struct steadiness){STEADINESS_UNKNOWN, 0};
    for (size_t i = 0; i < size; i++)
        looked[i] = (double)values[i];
    if (find_noise(looked + size / 2, size - size / 2) < even)
        return find_evenness(looked, size);
    return find_change(looked, size);
}
