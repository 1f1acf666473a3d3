/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How points of a heap's floor rise: steadily, by one step, at first, at last, or not to stay.
 */
#ifndef HEAP_LEAK_POINTS_H
#define HEAP_LEAK_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "heap/heap_course.h"

struct trend;

enum { LEAK_POINTS = 64 /* of a trend: each rests on several moments */ };

double leak_median(const double *values, size_t count);

/* Ask whether growth has ended: the last third of the points has hardly any. */
bool leak_has_stopped(const struct heap_course *course, double growth_bytes);

/* Returns: when the points were up by nearly all that they rose by. */
double leak_find_end_of_rise(const struct heap_course *course);

/* Returns: how much higher the points are at the end than at the start, if most of the rise stayed;
 * else 0, as for noise, which falls as often as it rises.  The end is a single point, the last, as
 * it may be the only one after the last jump. */
double leak_find_net_growth(const struct heap_course *course);

/* Returns: the start of the longest final series of points in the last third that are all above
 * `highest`; the number of points when there is none. */
size_t leak_find_late_begin(const struct heap_course *course, double highest);

/* Ask whether all growth is one step. */
void leak_is_one_step(bool *is_one, const struct heap_course *course, const struct trend *trend,
                      double confidence);

/* Ask whether the points rise, and by more than one step. */
void leak_is_rising(bool *is, const struct heap_course *course, double confidence);

#endif
