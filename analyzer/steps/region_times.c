/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The durations of the recorded calls of each region.  First calls are separate, like those of
 * kernels.
 */
#include "steps/region_times.h"

#include "base/pool.h"
#include "model/session_threads.h"

static void count_laps(struct region_times *times, const struct session *session)
{
    for (size_t i = 0; i < session->laps.count; i++)
        times[session_lap_at(session, i)->region].laps++;
}

/* Returns: how many of a region's calls count. */
static uint64_t count_steady(uint64_t laps, const struct analysis_options *options)
{
    uint64_t steady = laps > options->warmup ? laps - options->warmup : 0;

    return options->runs > 0 && options->runs < steady ? options->runs : steady;
}

/* One block holds the durations of all regions, region after region. */
static void divide(struct region_times *times, const struct session *session,
                   const struct analysis_options *options)
{
    uint64_t *next = pool_get((session->laps.count + 1) * sizeof *next);

    for (size_t i = 0; i < session->regions.count; i++) {
        times[i].steady_ns = next;
        next += count_steady(times[i].laps, options);
        times[i].laps = 0;
    }
}

static void add_lap(struct region_times *times, uint64_t duration_ns,
                    const struct analysis_options *options)
{
    if (times->laps++ == 0)
        times->first_ns = duration_ns;
    if (count_steady(times->laps, options) > times->steady_count)
        times->steady_ns[times->steady_count++] = duration_ns;
}

struct region_times *region_times_gather(const struct session *session,
                                         const struct analysis_options *options)
{
    struct region_times *times = pool_get_zeros(session->regions.count, sizeof *times);

    count_laps(times, session);
    divide(times, session, options);
    for (size_t i = 0; i < session->laps.count; i++) {
        const struct session_lap *lap = session_lap_at(session, i);

        add_lap(&times[lap->region], lap->end_ns - lap->start_ns, options);
    }
    return times;
}

void region_times_summarize(struct summary *summary, const struct region_times *times,
                            double confidence)
{
    const struct summary_sample sample = {times->steady_ns, times->steady_count, NULL, 0};

    summary_of(summary, &sample, confidence);
}
