/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of a region's call is its length less the time off the processor.  That time
 * is either zero or longer than the errors of the clocks.  So a call that only computes has exactly
 * its length, and the cost of reading does not accumulate over many short calls.
 *
 * Decision: doc/decisions/region-clocks.
 */
#include "model/region_cpu.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/texts.h"
#include "reader/reader_chunks.h"
#include "statistics/partial.h"

/* A thread cannot lose its processor for less: the kernel switches twice. */
static const double least_off_ns = 1000;

/* The borders of a call are known to two readings of the clock, but not so badly. */
static const double border_readings = 2, border_most = 0.05;

enum { LEAST_READINGS = 30 };

/* Half of each of the two readings is inside the measured time. */
static double part_of(double wall_ns, double passed_ns, double reading_ns)
{
    double cpu_ns = fmax(0, passed_ns - reading_ns);
    double unsure_ns = fmax(least_off_ns, 2 * reading_ns);

    return cpu_ns + unsure_ns >= wall_ns ? wall_ns : cpu_ns;
}

struct partial_reading region_cpu_read(const struct session_clock *clock, double wall_ns,
                                       double reading_ns)
{
    double most_ns = part_of(wall_ns, clock->passed_ns, reading_ns);
    double least_ns = part_of(wall_ns, clock->passed_ns - clock->before_ns, reading_ns);

    return (struct partial_reading){wall_ns, least_ns, most_ns, clock->drawn_of};
}

/* The readings of one region. */
struct gathered {
    struct partial_all all;
    struct array readings; /* of struct partial_reading */
    uint64_t laps;
};

static double length_ns(const struct session_lap *lap)
{
    return (double)(lap->end_ns - lap->start_ns);
}

static void gather(struct gathered *regions, const struct session *session, double reading_ns)
{
    for (size_t i = 0; i < session->laps.count; i++) {
        const struct session_lap *lap = session_lap_at(session, i);

        regions[lap->region].laps++;
        partial_add(&regions[lap->region].all, length_ns(lap));
    }
    for (size_t i = 0; i < session->clocks.count; i++) {
        const struct session_clock *clock = array_at(&session->clocks, i);
        const struct session_lap *lap = session_lap_at(session, clock->lap);
        struct partial_reading *reading = array_add(&regions[lap->region].readings);

        *reading = region_cpu_read(clock, length_ns(lap), reading_ns);
    }
}

static const char *find_obstacle(const struct session_region *region,
                                 const struct gathered *gathered, const struct partial *partial,
                                 const struct reader *reader)
{
    if (reader->header.version < TRACE_VERSION_9)
        return region_clock_old_text.words;
    if (region->calls == 0)
        return region_unended_text.words;
    if (gathered->laps < region->calls)
        return region_laps_missing_text.words;
    if (gathered->readings.count == 0)
        return region_clock_unread_text.words;
    if (partial->read < LEAST_READINGS && partial->read < partial->count)
        return region_few_readings_text.words;
    return NULL;
}

/* The time of a reading may fall on either side of a border. */
double region_cpu_border_ns(const struct partial *partial, double reading_ns)
{
    return fmin(border_readings * reading_ns * partial->count, border_most * partial->sum);
}

/* The cost of recording a call is measured with warm caches; after other work it is several times
 * as high: 100 ns instead of 24 were measured. */
static const double cold_times = 4;

/* The thread's own clock goes on while a call is recorded. */
static void set_borders(struct session_region_cpu *cpu, const struct partial *partial,
                        const struct reader *reader, double ns_per_tick)
{
    double pair_ns = (double)reader->header.overhead.region * ns_per_tick / TRACE_OVERHEAD_SCALE;

    cpu->border_ns = region_cpu_border_ns(partial, (double)reader->header.reading_ns);
    cpu->own_ns += cold_times * pair_ns * partial->count;
}

static void fill_region(struct session *session, struct session_region *region,
                        const struct gathered *gathered, const struct reader *reader)
{
    struct session_region_cpu *cpu = &region->cpu;
    struct partial partial =
        partial_estimate(&gathered->all, gathered->readings.items, gathered->readings.count);

    cpu->unknown = find_obstacle(region, gathered, &partial, reader);
    cpu->partial = partial;
    region->cpu_ns = cpu->unknown ? SESSION_UNKNOWN : (uint64_t)llround(partial.sum);
    if (!cpu->unknown)
        set_borders(cpu, &partial, reader, session->ns_per_tick);
}

void region_cpu_fill(struct session *session, const struct reader *reader)
{
    size_t count = session->regions.count;
    struct gathered *regions = memory_get_zeros(count, sizeof *regions);

    for (size_t i = 0; i < count; i++)
        array_init(&regions[i].readings, sizeof(struct partial_reading));
    gather(regions, session, (double)reader->header.reading_ns);
    for (size_t i = 1; i < count; i++)
        fill_region(session, array_at(&session->regions, i), &regions[i], reader);
    for (size_t i = 0; i < count; i++)
        array_fini(&regions[i].readings);
    free(regions);
}

struct statistics_interval region_cpu_interval(const struct session_region_cpu *cpu,
                                               double confidence)
{
    struct statistics_interval interval = partial_interval(&cpu->partial, confidence);

    interval.low = fmax(0, interval.low - cpu->border_ns);
    interval.high += cpu->border_ns + cpu->own_ns;
    return interval;
}
