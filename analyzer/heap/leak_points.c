/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How points of a heap's floor rise.
 */
#include "heap/leak_points.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "statistics/ranks.h"
#include "statistics/trend.h"

static const double late_share = 0.10; /* share of the steady growth expected in the last third */
static const double rise_share = 0.50; /* share of all rises of the floor that stays */

double leak_median(const double *values, size_t count)
{
    double sorted[SESSION_MOMENTS];

    memcpy(sorted, values, count * sizeof *sorted);
    return ranks_median(sorted, count);
}

/* Steady growth has a third of its amount in the last third of the points.  Medians of a sixth of
 * the points at both ends of that third decide, if there are enough. */
bool leak_has_stopped(const struct heap_course *course, double growth_bytes)
{
    size_t sixth = course->count / 6;
    double late;

    if (course->count < LEAK_POINTS / 2)
        return false;
    late = leak_median(&course->y[course->count - sixth], sixth) -
           leak_median(&course->y[course->count - 3 * sixth], sixth);
    return late < late_share * growth_bytes / 3;
}

double leak_find_end_of_rise(const struct heap_course *course)
{
    double low = course->y[0], high = course->y[course->count - 1];
    size_t i = 0;

    while (i + 1 < course->count && course->y[i] < high - late_share * (high - low) / 2)
        i++;
    return course->x[i];
}

static size_t find_largest_step(const struct heap_course *course)
{
    size_t largest = 1;

    for (size_t i = 2; i < course->count; i++)
        if (course->y[i] - course->y[i - 1] > course->y[largest] - course->y[largest - 1])
            largest = i;
    return largest;
}

/* Ask whether more than one step raised the heap.  It also rises before or after its largest step
 * if Kendall's scores of both sides, added up as Hirsch and Slack (Water Resources Research 20
 * (1984) 727) add those of seasons, are more than chance. */
void leak_is_one_step(bool *is_one, const struct heap_course *course, const struct trend *trend,
                      double confidence)
{
    size_t step = find_largest_step(course);
    struct trend_score before, after;

    trend_find_score(&before, course->y, step);
    trend_find_score(&after, course->y + step, course->count - step);
    *is_one = before.score + after.score <=
              gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) *
                  sqrt((before.variance + after.variance) * trend->dependence);
}

double leak_find_net_growth(const struct heap_course *course)
{
    size_t sixth = course->count / 6;
    double rises = 0, net;

    if (sixth == 0)
        return 0;
    for (size_t i = 1; i < course->count; i++)
        rises += fmax(0, course->y[i] - course->y[i - 1]);
    net = course->y[course->count - 1] - leak_median(course->y, sixth);
    return net >= rise_share * rises ? net : 0;
}

size_t leak_find_late_begin(const struct heap_course *course, double highest)
{
    size_t first = course->count, least = course->count - course->count / 3;

    while (first > least && course->y[first - 1] > highest)
        first--;
    return first;
}

void leak_is_rising(bool *is, const struct heap_course *course, double confidence)
{
    struct trend trend;
    bool is_one = false;

    trend_find(&trend, course->x, course->y, course->count, confidence);
    leak_is_one_step(&is_one, course, &trend, confidence);
    *is = trend.low > 0 && !is_one;
}
