/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof timeline: the work of each thread and of each queue of a device, and the course of memory,
 * over the time of the run.
 *
 * The run is cut into slices of equal length.  A sample represents the processor time just before
 * it.  Kernels have the time of their own clocks.  Waits are 50 us or longer.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/pool.h"
#include "base/units.h"
#include "document/document.h"
#include "heap/memory_facts.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "screen/texts.h"
#include "screen/timeline_gaps.h"
#include "screen/timeline_queues.h"

enum { SLICES = TIMELINE_SLICES, THREADS_USUAL = 8 };

enum quantity { CPU_TIME, KERNEL_TIME, WAIT_TIME, QUANTITIES };

/* Nanoseconds of a thread in each slice. */
struct thread_times {
    uint32_t thread;
    double ns[QUANTITIES][SLICES];
    double sums[QUANTITIES];
};

struct timeline_times {
    const struct session *session;
    struct thread_times *threads; /* by index; later sorted by activity */
    struct timeline_queue *queues;
    uint64_t untimed; /* commands of devices without times */
    double slice_ns;
};

enum { THREAD, FROM, CPU, KERNELS, WAITING };

static const struct column columns[] = {
    [THREAD] = {"thread", "thread", "its number in the operating system", UNIT_NUMBER, 0},
    [FROM] = {"from_ns", "from", "when the slice begins, since the start", UNIT_NS, 0},
    [CPU] = {"cpu_ns", "cpu", "processor time in it, by samples; null: none were taken", UNIT_NS,
             0},
    [KERNELS] = {"kernel_ns", "in kernels", "time inside recorded kernel calls", UNIT_NS, 0},
    [WAITING] = {"wait_ns", "waiting", "time in recorded calls that wait, without processor time",
                 UNIT_NS, 0},
};

static const struct table_schema schema = {"timeline", "Timeline", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* ---- times ---------------------------------------------------------------------------- */

/* Adds a stretch of time to the slices that it touches. */
static void add_stretch(const struct timeline_times *times, uint32_t thread, enum quantity quantity,
                        double from_ns, double to_ns)
{
    struct thread_times *of = &times->threads[thread];
    double from = fmax(from_ns, 0), end = times->slice_ns * SLICES;

    to_ns = fmin(to_ns, end);
    if (!(to_ns > from))
        return;
    of->sums[quantity] += to_ns - from;
    for (size_t i = (size_t)(from / times->slice_ns); i < SLICES && from < to_ns; i++) {
        double border = fmin(to_ns, times->slice_ns * (double)(i + 1));

        of->ns[quantity][i] += fmax(border - from, 0);
        from = fmax(border, from);
    }
}

static void add_samples(const struct timeline_times *times)
{
    const struct session *session = times->session;
    const struct session_tick *tick = session->ticks.items;

    for (size_t i = 0; i < session->ticks.count; i++) {
        uint32_t thread = session_sample_at(session, tick[i].sample)->thread;
        double length_ns = (double)tick[i].periods * (double)session->sampling.period_ns;

        if (thread < session->threads.count)
            add_stretch(times, thread, CPU_TIME, (double)tick[i].time_ns - length_ns,
                        (double)tick[i].time_ns);
    }
}

static void add_kernels(const struct timeline_times *times, uint32_t thread)
{
    const struct session_course *course = course_of(times->session, thread);
    const struct course_call *call = course->calls.items;

    for (size_t i = 0; i < course->calls.count; i++)
        add_stretch(times, thread, KERNEL_TIME, (double)call[i].start_ns,
                    (double)course_end_ns(&call[i]));
}

static void add_waits(const struct timeline_times *times)
{
    const struct session *session = times->session;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        uint32_t thread = session_wait_at(session, call->wait)->thread;

        if (thread < session->threads.count)
            add_stretch(times, thread, WAIT_TIME, (double)call->start_ns, (double)call->end_ns);
    }
}

/* A waiting call may also compute, like dlopen, so processor time is subtracted from the waiting of
 * a slice. */
static void settle_waits(const struct timeline_times *times, struct thread_times *of)
{
    of->sums[WAIT_TIME] = 0;
    for (size_t i = 0; i < SLICES; i++) {
        double rest_ns = fmax(times->slice_ns - of->ns[CPU_TIME][i], 0);

        of->ns[WAIT_TIME][i] = fmin(of->ns[WAIT_TIME][i], rest_ns);
        of->sums[WAIT_TIME] += of->ns[WAIT_TIME][i];
    }
}

/* Threads that computed most come first, and threads that only waited last. */
static int compare_threads(const void *a, const void *b)
{
    const struct thread_times *one = a, *other = b;
    double left = one->sums[CPU_TIME] + one->sums[KERNEL_TIME];
    double right = other->sums[CPU_TIME] + other->sums[KERNEL_TIME];

    if (left != right)
        return left < right ? 1 : -1;
    return one->thread < other->thread ? -1 : 1;
}

static void times_init(struct timeline_times *times, const struct session *session)
{
    size_t count = session->threads.count;

    times->session = session;
    times->slice_ns = fmax((double)session->process.wall_ns / SLICES, 1);
    times->threads = pool_get_zeros(count + 1, sizeof *times->threads);
    add_samples(times);
    add_waits(times);
    for (uint32_t i = 0; i < count; i++) {
        times->threads[i].thread = i;
        add_kernels(times, i);
        settle_waits(times, &times->threads[i]);
    }
    times->queues = timeline_queues_find(session, times->slice_ns, &times->untimed);
    qsort(times->threads, count, sizeof *times->threads, compare_threads);
}

/* ---- rows for programs ----------------------------------------------------------------- */

static void add_row(struct table *table, const struct timeline_times *times,
                    const struct thread_times *of, size_t slice)
{
    const struct session *session = times->session;
    struct value *row = table_add_row(table);

    value_set_unsigned(&row[THREAD], session_thread_at(session, of->thread)->id);
    value_set_rounded(&row[FROM], times->slice_ns * (double)slice);
    if (session->sampling.period_ns > 0)
        value_set_rounded(&row[CPU], of->ns[CPU_TIME][slice]);
    value_set_rounded(&row[KERNELS], of->ns[KERNEL_TIME][slice]);
    value_set_rounded(&row[WAITING], of->ns[WAIT_TIME][slice]);
}

static void fill_table(struct table *table, const struct timeline_times *times)
{
    for (size_t i = 0; i < times->session->threads.count; i++)
        for (size_t slice = 0; slice < SLICES; slice++)
            add_row(table, times, &times->threads[i], slice);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct timeline_times times;

    times_init(&times, session);
    (void)options;
    table_init(table, &schema);
    fill_table(table, &times);
}

/* ---- strips for people ------------------------------------------------------------------ */

static void add_points(struct plot_series *strip, const struct timeline_times *times,
                       const struct thread_times *of, enum quantity quantity)
{
    for (size_t i = 0; i < SLICES; i++)
        plot_add_point(&strip->points, times->slice_ns * (double)i,
                       of->ns[quantity][i] / times->slice_ns);
}

/* A share of the thread's time: a full block is all of the slice. */
static void add_strip(struct plot *plot, const struct timeline_times *times,
                      const struct thread_times *of, enum quantity quantity)
{
    static const char *const words[] = {"on a processor", "in kernels", "waiting"};
    uint32_t id = session_thread_at(times->session, of->thread)->id;
    char share[UNITS_SIZE];
    const char *label;
    struct plot_series *strip;

    if (of->sums[quantity] <= 0)
        return;
    label = id == times->session->process.pid ? plot_keep(plot, "main %s", words[quantity])
                                              : plot_keep(plot, "%u %s", id, words[quantity]);
    strip = label ? plot_add_series(plot, label, 0) : NULL;
    strip->top = 1;
    strip->note = plot_keep(
        plot, "%s", units_format_percent(share, of->sums[quantity] / times->slice_ns / SLICES));
    add_points(strip, times, of, quantity);
}

static void add_threads(struct plot *plot, const struct timeline_times *times, size_t most)
{
    for (size_t i = 0; i < times->session->threads.count && i < most; i++)
        for (enum quantity quantity = 0; quantity < QUANTITIES; quantity++)
            add_strip(plot, times, &times->threads[i], quantity);
}

static struct plot_series *add_memory_strip(struct plot *plot, const char *label, double highest)
{
    char most[UNITS_SIZE];
    struct plot_series *strip = plot_add_series(plot, label, 0);

    strip->note = plot_keep(plot, "up to %s", units_format_bytes(most, highest));
    return strip->note ? strip : NULL;
}

static void add_heap(struct plot *plot, const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    struct plot_series *strip;

    if (!memory_is_known(heap) || heap->peak_bytes == 0)
        return;
    strip = add_memory_strip(plot, "live heap", (double)heap->peak_bytes);
    for (size_t i = 0; i < heap->moments.count; i++) {
        const struct session_moment *moment = array_at(&heap->moments, i);

        plot_add_point(&strip->points, (double)moment->time_ns, (double)moment->max_bytes);
    }
}

static void add_resident(struct plot *plot, const struct session *session)
{
    struct plot_series *strip;

    if (session->readings.count == 0)
        return;
    strip = add_memory_strip(plot, "resident memory", (double)session->process.last.peak_rss_bytes);
    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = session_reading_at(session, i);

        if (reading->values.rss_bytes != SESSION_UNKNOWN)
            plot_add_point(&strip->points, (double)reading->time_ns,
                           (double)reading->values.rss_bytes);
    }
}

static void add_notes(struct document *document, const struct timeline_times *times, size_t most)
{
    const struct session *session = times->session;
    struct text_list *lines = document_add_lines(document, NULL);

    text_list_say(lines, timeline_scale_text, said_time(times->slice_ns));
    if (session->sampling.period_ns == 0)
        text_list_say(lines, timeline_no_samples_text);
    if (times->untimed > 0)
        text_list_say(lines, timeline_untimed_text, said_count(times->untimed));
    if (session->threads.count > most)
        text_list_say(lines, timeline_left_out_text, said_count(session->threads.count - most));
}

static void draw(struct plot *plot, const struct timeline_times *times, size_t most)
{
    plot->x_unit = UNIT_NS;
    plot->x_end = (double)times->session->process.wall_ns;
    plot->is_strips = true;
    add_threads(plot, times, most);
    timeline_queues_draw(plot, times->session, times->queues, times->slice_ns);
    add_heap(plot, times->session);
    add_resident(plot, times->session);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    size_t most = analysis_limit(options, THREADS_USUAL);
    struct timeline_times times;
    struct table *table;
    struct plot *plot;

    times_init(&times, session);
    document_init(document);
    document->name = "timeline";
    document->main = "rows";
    table = document_start_table(document, "rows", SECTION_IN_JSON, &schema);
    plot = document_add_plot(document, NULL);
    fill_table(table, &times);
    draw(plot, &times, most);
    add_notes(document, &times, most);
    timeline_queues_add(document, session, times.queues, times.slice_ns);
    timeline_gaps_add(document, session);
}

const struct analysis analysis_timeline = {
    .name = "timeline",
    .help = "What each thread and each queue of a device did over the run, and how memory went.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
};
