/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures from the sums of a row.
 */
#include "kernels/group.h"

#include <math.h>

void groups_steady_add(struct groups_steady *steady, const struct group *group)
{
    for (size_t i = 0; i < group->series.count; i++) {
        const struct group_series *series = array_at(&group->series, i);

        for (size_t j = series->warmup; j < series->count; j++)
            steady->ns += (long double)group_series_at(series, j);
        steady->calls += series->count - series->warmup;
    }
}

double groups_steady_mean_ns(const struct groups_steady *steady)
{
    return steady->calls > 0 ? (double)(steady->ns / (long double)steady->calls) : (double)NAN;
}

double group_mean_ns(const struct group *group)
{
    struct groups_steady steady = {0};

    groups_steady_add(&steady, group);
    return groups_steady_mean_ns(&steady);
}

double group_first_cost_ns(const struct group *group)
{
    double mean_ns = group_mean_ns(group), first_ns = 0;

    for (size_t i = 0; i < group->series.count; i++) {
        const struct group_series *series = array_at(&group->series, i);

        for (size_t j = 0; j < series->warmup; j++)
            first_ns += (double)group_series_at(series, j);
    }
    first_ns -= mean_ns * (double)group->warmup_calls;
    return first_ns < 0 ? 0 : first_ns;
}

bool group_is_inner(const struct group *group)
{
    return group->calls > 0 && group->inner_calls == group->calls && group->self_ns == 0;
}

const char *group_name(const struct group *group)
{
    if (group->label)
        return group->label;
    return group->name ? group->name : "(unnamed)";
}

/* An error of a quarter leaves a time known to a factor of two (two standard errors). */
bool group_is_estimate(const struct group *group)
{
    return group->timed_calls < group->calls;
}

static const double rough_error = 0.25;

bool group_is_rough(const struct group *group)
{
    return sqrt(group->most_variance) > rough_error * (double)group->total_ns;
}

uint64_t group_work_ns(const struct group_work *work)
{
    return work->known_ns + work->unknown_ns;
}

/* Calls without FLOPs, such as copies, do not count against the others. */
static bool has_flops(const struct group_work *work)
{
    return work->known_calls > 0 && (work->flops != 0 || work->unknown_ns == 0);
}

long double group_work_flops(const struct group_work *work)
{
    return has_flops(work) ? work->flops : (long double)NAN;
}

long double group_work_executed_flops(const struct group_work *work)
{
    return has_flops(work) ? work->executed_flops : (long double)NAN;
}

static long double rate_of(long double flops, uint64_t ns)
{
    return ns > 0 ? flops * 1e9L / ns : (long double)NAN;
}

long double group_work_rate(const struct group_work *work)
{
    return work->is_on_device ? (long double)NAN
                              : rate_of(group_work_executed_flops(work), work->known_ns);
}

/* A call inside another one owns no FLOPs, and computes as many as any of its shape. */
long double group_rate(const struct group *group)
{
    if (group->label)
        return group_work_rate(&group->work);
    return group->is_on_device ? (long double)NAN : rate_of(group->done_flops, group->total_ns);
}

const char *group_class_name(enum catalog_class class)
{
    static const char *const names[] = {[CATALOG_OTHER] = "other",
                                        [CATALOG_MATMUL] = "matmul",
                                        [CATALOG_ELEMENTWISE] = "elementwise",
                                        [CATALOG_MOVEMENT] = "movement"};

    return names[class];
}

bool group_is_product(const struct group *group)
{
    return group->kernel && group->kernel->class == CATALOG_MATMUL;
}

long double group_macs(const struct group *group)
{
    return group_is_product(group) ? group->flops / 2 : (long double)NAN;
}
