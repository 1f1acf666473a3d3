/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warnings about single points, then about the machine.  Limits are those of pyperf
 * (variation), hyperfine (short and first runs) and Iglewicz and Hoaglin, How to Detect
 * and Handle Outliers, 1993 (modified z).
 */
#include "bench/noise.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static const double most_variation = 0.1; /* sd by mean */
static const double shortest_ns = 5e6;
static const double outlying_z = 3.5;
static const double most_outliers = 0.1;   /* of the runs */
static const double most_recording = 0.05; /* of thread time */
static const double most_load = 0.5;       /* of the processors */
enum { LEAST_RUNS = 6 };                   /* fewer give the median no interval of 95 % */

/* ---- one point ------------------------------------------------------------------- */

static enum status warn_of_ends(const struct result *result, struct text_list *warnings)
{
    enum status status = STATUS_OK;

    if (result->failures > 0)
        status = text_list_addf(warnings, "%s: %u of %zu runs failed, and count all the same.",
                                result->point->label, result->failures, result->time.count);
    if (!status && result->timeouts > 0)
        status = text_list_addf(warnings,
                                "%s: %u runs did not end in time and do not count: what is told "
                                "is of those that did.",
                                result->point->label, result->timeouts);
    return status;
}

static enum status warn_of_variation(const struct result *result, struct text_list *warnings)
{
    double variation = result->time.sd / result->time.mean;
    char percent[UNITS_SIZE];

    if (!(variation >= most_variation))
        return STATUS_OK;
    return text_list_addf(warnings,
                          "%s: times vary by %s (standard deviation by mean): end other programs, "
                          "pin it with taskset, or take more runs.",
                          result->point->label, units_format_percent(percent, variation));
}

static enum status warn_of_brevity(const struct result *result, struct text_list *warnings)
{
    char median[UNITS_SIZE];

    if (!(result->wall_ns < shortest_ns))
        return STATUS_OK;
    return text_list_addf(warnings,
                          "%s: a run takes %s, of which starting a process is a large part: let it "
                          "do more in a run.",
                          result->point->label, units_format_time(median, result->wall_ns));
}

static enum status warn_of_few(const struct result *result, struct text_list *warnings)
{
    if (result->time.count >= LEAST_RUNS || result->time.count == 0)
        return STATUS_OK;
    return text_list_addf(
        warnings, "%s: n=%zu, and the median has no interval below n=%d: --runs %d or more.",
        result->point->label, result->time.count, (int)LEAST_RUNS, (int)LEAST_RUNS);
}

/* Median of the distances to the median, as a standard deviation. */
static double robust_sd(const struct result *result)
{
    const double *times = result->times_ns.items;
    size_t count = result->times_ns.count;
    double *distances = calloc(count + 1, sizeof *distances);
    double mad;

    if (!distances)
        return (double)NAN;
    for (size_t i = 0; i < count; i++)
        distances[i] = fabs(times[i] - result->time.median);
    gsl_sort(distances, 1, count);
    mad = gsl_stats_median_from_sorted_data(distances, 1, count);
    free(distances);
    return 1.4826 * mad;
}

/* The first run, if it is the slowest and lies apart. */
static enum status warn_of_first(const struct result *result, double sd, struct text_list *warnings)
{
    const double *times = result->times_ns.items;
    char first[UNITS_SIZE], median[UNITS_SIZE];

    if (times[0] < result->time.maximum || times[0] <= result->time.median + outlying_z * sd)
        return STATUS_OK;
    return text_list_addf(warnings,
                          "%s: the first run that counts is the slowest, %s (median %s): caches "
                          "may have been cold; more --warmup, or --prepare to make each run alike.",
                          result->point->label, units_format_time(first, times[0]),
                          units_format_time(median, result->time.median));
}

static enum status warn_of_outliers(const struct result *result, struct text_list *warnings)
{
    const double *times = result->times_ns.items;
    size_t slow = 0, fast = 0, count = result->times_ns.count;
    double sd = count >= LEAST_RUNS ? robust_sd(result) : 0;
    enum status status;

    if (!(sd > 0))
        return STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        slow += times[i] > result->time.median + outlying_z * sd;
        fast += times[i] < result->time.median - outlying_z * sd;
    }
    status = warn_of_first(result, sd, warnings);
    if (status || (double)(slow + fast) <= most_outliers * (double)count)
        return status;
    return text_list_addf(warnings,
                          "%s: %zu of %zu runs lie far from the others, %zu slower and %zu faster; "
                          "they count, and the median does not follow them.",
                          result->point->label, slow + fast, count, slow, fast);
}

static enum status warn_of_recording(const struct result *result, struct text_list *warnings)
{
    char percent[UNITS_SIZE];
    enum status status = STATUS_OK;

    if (result->overhead > most_recording)
        status = text_list_addf(
            warnings, "%s: recording took %s of thread time: --plain times it without.",
            result->point->label, units_format_percent(percent, result->overhead));
    if (!status && result->flops_differ)
        status = text_list_addf(warnings,
                                "%s: FLOPs differ from run to run, so none are told: does it "
                                "depend on chance, on time or on threads?",
                                result->point->label);
    if (!status && result->traces > 1)
        status = text_list_addf(warnings,
                                "%s: %u processes called kernels; FLOPs and kernels are those of "
                                "the one that spent most time in them.",
                                result->point->label, result->traces);
    return status;
}

static enum status warn_of_point(const struct result *result, struct text_list *warnings)
{
    static enum status (*const checks[])(const struct result *, struct text_list *) = {
        warn_of_ends,      warn_of_few,      warn_of_brevity,
        warn_of_variation, warn_of_outliers, warn_of_recording};
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sizeof checks / sizeof *checks && !status; i++)
        status = checks[i](result, warnings);
    return status;
}

/* ---- the machine ------------------------------------------------------------------- */

static enum status warn_of_machine(const struct noise_machine *machine, struct text_list *warnings)
{
    enum status status = STATUS_OK;

    if (machine->load > most_load * machine->processors)
        status = text_list_addf(warnings,
                                "Before the first run %.1f processes wanted to run on %.0f "
                                "processors: end other programs.",
                                machine->load, machine->processors);
    if (!status && machine->governor && strcmp(machine->governor, "performance") != 0)
        status = text_list_addf(warnings,
                                "The frequency governor is %.40s: cpupower frequency-set -g "
                                "performance holds the clock.",
                                machine->governor);
    if (!status && machine->turbo && strcmp(machine->turbo, "on") == 0)
        status = text_list_add(warnings, "Turbo is on: the clock depends on what else runs and on "
                                         "the temperature.");
    return status;
}

enum status noise_find(const struct results *results, const struct noise_machine *machine,
                       struct text_list *warnings)
{
    const struct result *result = results->points.items;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < results->points.count && !status; i++)
        status = warn_of_point(&result[i], warnings);
    return status ? status : warn_of_machine(machine, warnings);
}
