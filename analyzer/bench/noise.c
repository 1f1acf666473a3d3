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

#include "base/memory.h"
#include "base/units.h"
#include "bench/texts.h"

static const double most_variation = 0.1; /* sd by mean */
static const double shortest_ns = 5e6;
static const double outlying_z = 3.5;
static const double least_distance = 0.01; /* as a part of the median: nearer values are no
                                              outliers */
static const double most_outliers = 0.1;   /* as a part of the runs */
static const double most_recording = 0.05; /* as a part of thread time */
static const double most_load = 0.5;       /* as a part of the processors */
enum { LEAST_RUNS = 6 };                   /* fewer give the median no interval of 95 % */

/* Append the doubt about a point, as "seq=32 (34.5 %)"; nothing when there is none. */
typedef void (*noise_check)(const struct result *result, struct text *of);

static void check_failures(const struct result *result, struct text *of)
{
    if (result->failures > 0)
        text_appendf(of, "%u of %zu", result->failures, result->time.count);
}

static void check_timeouts(const struct result *result, struct text *of)
{
    if (result->timeouts > 0)
        text_appendf(of, "%u", result->timeouts);
}

static void check_time(const struct result *result, struct text *of)
{
    if (result->time.count == 0 && result->wall_ns > 0)
        text_append(of, "none");
}

static void check_count(const struct result *result, struct text *of)
{
    if (result->time.count > 0 && result->time.count < LEAST_RUNS)
        text_appendf(of, "n=%zu", result->time.count);
}

static void check_length(const struct result *result, struct text *of)
{
    char time[UNITS_SIZE];

    if (result->wall_ns < shortest_ns)
        text_append(of, units_format_time(time, result->wall_ns));
}

static void check_variation(const struct result *result, struct text *of)
{
    double variation = result->time.sd / result->time.mean;
    char percent[UNITS_SIZE];

    if (variation >= most_variation)
        text_append(of, units_format_percent(percent, variation));
}

/* The distance from the median at which a run is an outlier; 0 if there are too few runs. */
static double far_ns(const struct result *result)
{
    const double *times = result->times_ns.items;
    size_t count = result->times_ns.count;
    double *distances = count >= LEAST_RUNS ? memory_get_zeros(count, sizeof *distances) : NULL;
    double mad;

    if (!distances)
        return 0;
    for (size_t i = 0; i < count; i++)
        distances[i] = fabs(times[i] - result->time.median);
    gsl_sort(distances, 1, count);
    mad = gsl_stats_median_from_sorted_data(distances, 1, count);
    free(distances);
    return fmax(outlying_z * 1.4826 * mad, least_distance * result->time.median);
}

static void check_first(const struct result *result, struct text *of)
{
    const double *times = result->times_ns.items;
    double far = far_ns(result);
    char first[UNITS_SIZE], median[UNITS_SIZE];

    if (far > 0 && times[0] >= result->time.maximum && times[0] > result->time.median + far)
        text_appendf(of, "%s, median %s", units_format_time(first, times[0]),
                     units_format_time(median, result->time.median));
}

static void check_outliers(const struct result *result, struct text *of)
{
    const double *times = result->times_ns.items;
    double far = far_ns(result);
    size_t slow = 0, fast = 0;

    for (size_t i = 0; far > 0 && i < result->times_ns.count; i++) {
        slow += times[i] > result->time.median + far;
        fast += times[i] < result->time.median - far;
    }
    if ((double)(slow + fast) > most_outliers * (double)result->times_ns.count)
        say_part(of, noise_outliers_of_text, said_count(slow), said_count(fast),
                 said_count(result->times_ns.count));
}

static void check_recording(const struct result *result, struct text *of)
{
    char percent[UNITS_SIZE];

    if (result->overhead > most_recording)
        text_append(of, units_format_percent(percent, result->overhead));
}

static void check_flops(const struct result *result, struct text *of)
{
    if (result->flops_differ)
        text_appendf(of, "n=%zu", result->time.count);
}

static void check_processes(const struct result *result, struct text *of)
{
    if (result->traces > 1)
        text_appendf(of, "%u", result->traces);
}

static const struct {
    noise_check check;
    const struct said *sentence; /* for the points that have this doubt */
} checks[] = {
    {check_failures, &noise_failures_text},   {check_timeouts, &noise_timeouts_text},
    {check_time, &noise_no_time_text},        {check_count, &noise_few_runs_text},
    {check_length, &noise_short_text},        {check_variation, &noise_varies_text},
    {check_first, &noise_first_slow_text},    {check_outliers, &noise_outliers_text},
    {check_recording, &noise_recording_text}, {check_flops, &noise_flops_text},
    {check_processes, &noise_processes_text},
};

static void append_point(struct text *points, const struct result *result, const struct text *of)
{
    if (of->size > 0)
        text_appendf(points, "%s%s (%s)", points->size > 0 ? ", " : "", result->point->label,
                     of->bytes);
}

static void run_check(const struct results *results, size_t index, struct text_list *warnings)
{
    const struct result *result = results->points.items;
    struct text points, of;

    text_init(&points);
    text_init(&of);
    for (size_t i = 0; i < results->points.count; i++) {
        text_clear(&of);
        if (result[i].wall_ns > 0 || result[i].timeouts > 0)
            checks[index].check(&result[i], &of);
        append_point(&points, &result[i], &of);
    }
    if (points.size > 0)
        text_list_say(warnings, *checks[index].sentence, said_words(points.bytes));
    text_fini(&points);
    text_fini(&of);
}

static void warn_of_machine(const struct noise_machine *machine, struct text_list *warnings)
{
    if (machine->load > most_load * machine->processors)
        text_list_say(warnings, noise_load_text, said_real(machine->load),
                      said_count((uint64_t)machine->processors));
    if (machine->governor && strcmp(machine->governor, "performance") != 0)
        text_list_say(warnings, noise_clock_governor_text, said_words(machine->governor));
    if (machine->turbo && strcmp(machine->turbo, "on") == 0)
        text_list_say(warnings, noise_turbo_text);
}

void noise_find(const struct results *results, const struct noise_machine *machine,
                struct text_list *warnings)
{
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        run_check(results, i, warnings);
    warn_of_machine(machine, warnings);
}
