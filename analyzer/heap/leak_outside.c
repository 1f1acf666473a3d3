/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that grows outside of malloc.
 *
 * Mapped memory is known at the end of each moment, resident memory at each reading.  Both are
 * tested for a trend, like the floor of the heap.  A rise that is mostly one step is a single
 * mapping; growth only in the first half has ended.
 */
#include "heap/leak_outside.h"

#include <math.h>

#include "heap/resident.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "statistics/trend.h"

enum {
    POINTS = 64,
    LEAST_POINTS = 10,
    MAPPED_LEAST = 1 << 20,  /* bytes: one arena of an allocator is no leak */
    RESIDENT_LEAST = 4 << 20 /* bytes: pages of code and of files come one by one */
};

static const double bins_share = 0.10; /* share of a heap's growth, in free pieces between blocks */

static const double material_share = 0.05; /* share of the highest value */
static const double step_share = 0.50;     /* share of the growth, in one step */
static const double late_share = 0.25;     /* share of the growth, in the second half */
static const double undated_share = 0.50;  /* share of the resident memory at the end */

static void add_point(struct heap_course *course, uint64_t time_ns, double bytes)
{
    if (course->count == SESSION_MOMENTS)
        return;
    course->x[course->count] = (double)time_ns;
    course->y[course->count++] = bytes;
}

/* Keeps POINTS points, evenly spaced, including the last. */
static void thin_out(struct heap_course *course)
{
    size_t count = course->count < POINTS ? course->count : POINTS;

    for (size_t i = 0; i < count; i++) {
        size_t from = (i + 1) * course->count / count - 1;

        course->x[i] = course->x[from];
        course->y[i] = course->y[from];
    }
    course->count = count;
}

static void take_mapped(struct heap_course *course, const struct session *session,
                        const struct memory_window *window)
{
    const struct session_moment *moment = session->heap.moments.items;

    for (size_t i = 0; i < session->heap.moments.count; i++)
        if (moment[i].time_ns >= window->from_ns && moment[i].time_ns <= window->to_ns &&
            moment[i].mapped_bytes != SESSION_UNKNOWN)
            add_point(course, moment[i].time_ns, (double)moment[i].mapped_bytes);
}

/* Returns: the bytes that malloc adds to the live blocks of a time. */
static uint64_t headers_at(const struct session *session, uint64_t time_ns)
{
    const struct session_moment *moment = session_moment_of(&session->heap, time_ns);

    return moment && moment->last_blocks != SESSION_UNKNOWN
               ? RESIDENT_BLOCK_HEADER * moment->last_blocks
               : 0;
}

/* Returns: the growth that malloc's free pieces explain, while the heap grew itself. */
static double find_bins(const struct session *session, const struct memory_window *window)
{
    const struct session_moment *first = session_moment_of(&session->heap, window->from_ns);
    const struct session_moment *last = session_moment_of(&session->heap, window->to_ns);
    uint64_t highest = 0;

    for (const struct session_moment *moment = first; moment && moment <= last; moment++)
        highest = moment->max_bytes > highest ? moment->max_bytes : highest;
    return first ? bins_share * (double)(highest - first->max_bytes) : 0;
}

/* A heap that is not touched yet is no memory that is missing. */
static void take_resident(struct heap_course *course, const struct session *session,
                          const struct memory_window *window)
{
    const struct session_reading *reading = session->readings.items;

    for (size_t i = 0; i < session->readings.count; i++) {
        uint64_t rss = reading[i].values.rss_bytes, live = reading[i].live_heap_bytes;
        uint64_t used;

        if (reading[i].time_ns < window->from_ns || reading[i].time_ns > window->to_ns ||
            rss == SESSION_UNKNOWN || live == SESSION_UNKNOWN)
            continue;
        used = live + headers_at(session, reading[i].time_ns);
        add_point(course, reading[i].time_ns, rss > used ? (double)(rss - used) : 0);
    }
}

static double largest_step(const struct heap_course *course)
{
    double largest = 0;

    for (size_t i = 1; i < course->count; i++)
        largest = fmax(largest, course->y[i] - course->y[i - 1]);
    return largest;
}

static bool is_steady(const struct heap_course *course, double growth_bytes)
{
    double late = course->y[course->count - 1] - course->y[course->count / 2];

    return largest_step(course) < step_share * growth_bytes && late >= late_share * growth_bytes;
}

/* The growth is 0 if it is random, a single step, or too small. */
static void find_growth(double *growth_bytes, struct heap_course *course, double least,
                        double confidence)
{
    struct trend trend;
    double growth;

    thin_out(course);
    *growth_bytes = NAN;
    if (course->count < LEAST_POINTS)
        return;
    trend_find(&trend, course->x, course->y, course->count, confidence);
    growth = course->y[course->count - 1] - course->y[0];
    *growth_bytes = 0;
    if (trend.low > 0 && growth >= least &&
        growth >= material_share * course->y[course->count - 1] && is_steady(course, growth))
        *growth_bytes = growth;
}

/* Threads that allocate or call kernels take the readings: a program without such threads has only
 * the first and the last.  What malloc may have kept of the heap's peak is no leak. */
static double find_undated(const struct session *session)
{
    uint64_t first = session->process.first.rss_bytes, peak = session->heap.peak_bytes;
    struct memory_gap gap;
    double growth, kept;

    if (first == SESSION_UNKNOWN || !memory_find_gap(&gap, session))
        return NAN;
    growth = (double)gap.gap_bytes - (double)first;
    if (memory_knows_kept(&gap, session))
        kept = (double)memory_find_fragments(&gap, session);
    else
        kept = peak > gap.live_bytes ? bins_share * (double)(peak - gap.live_bytes) : 0;
    growth -= kept;
    return growth >= RESIDENT_LEAST && growth >= undated_share * (double)gap.resident_bytes ? growth
                                                                                            : 0;
}

void leak_outside_find(struct leak_outside *outside, const struct session *session,
                       const struct memory_window *window, double confidence)
{
    struct heap_course mapped = {.count = 0}, resident = {.count = 0};

    take_mapped(&mapped, session, window);
    take_resident(&resident, session, window);
    find_growth(&outside->mapped_bytes, &mapped, MAPPED_LEAST, confidence);
    find_growth(&outside->resident_bytes, &resident,
                fmax(RESIDENT_LEAST, find_bins(session, window)), confidence);
    outside->undated_bytes = isnan(outside->resident_bytes) ? find_undated(session) : 0;
}

/* Between two times, the value is interpolated linearly. */
static double hidden_at(const struct heap_course *hidden, double time)
{
    size_t next = 0;

    while (next < hidden->count && hidden->x[next] < time)
        next++;
    if (next == hidden->count)
        return hidden->y[next - 1];
    if (next == 0)
        return hidden->y[0];
    double part = (time - hidden->x[next - 1]) / (hidden->x[next] - hidden->x[next - 1]);
    return hidden->y[next - 1] + part * (hidden->y[next] - hidden->y[next - 1]);
}

static void take_off(struct heap_course *course, const struct heap_course *hidden)
{
    for (size_t i = 0; i < course->count; i++)
        course->y[i] = fmax(course->y[i] - hidden_at(hidden, course->x[i]), 0);
}

/* Hidden memory is unknown before the first of its times and after the last. */
static struct memory_window find_known(const struct memory_window *window,
                                       const struct heap_course *hidden)
{
    struct memory_window known = *window;

    known.from_ns = (uint64_t)fmax((double)window->from_ns, hidden->x[0]);
    known.to_ns = (uint64_t)fmin((double)window->to_ns, hidden->x[hidden->count - 1]);
    return known;
}

/* With too few times for a trend, use only the growth. */
static double find_difference(const struct heap_course *course)
{
    double growth = course->y[course->count - 1] - course->y[0];

    return growth >= MAPPED_LEAST ? growth : 0;
}

void leak_outside_find_rest(struct leak_outside *outside, const struct session *session,
                            const struct leak_outside_rest *rest, double confidence)
{
    struct heap_course mapped = rest->mapped, resident = {.count = 0};
    const struct heap_course *hidden = &rest->hidden;
    const struct memory_window known = find_known(&rest->window, hidden);

    take_resident(&resident, session, &known);
    take_off(&resident, hidden);
    find_growth(&outside->mapped_bytes, &mapped, MAPPED_LEAST, confidence);
    if (isnan(outside->mapped_bytes))
        outside->mapped_bytes = find_difference(&rest->mapped);
    find_growth(&outside->resident_bytes, &resident, RESIDENT_LEAST, confidence);
    outside->undated_bytes = isnan(outside->resident_bytes) ? find_undated(session) : 0;
    if (outside->undated_bytes - hidden->y[hidden->count - 1] < RESIDENT_LEAST)
        outside->undated_bytes = 0;
}

bool leak_outside_grew(const struct leak_outside *outside)
{
    return outside->mapped_bytes > 0 || outside->resident_bytes > 0 || outside->undated_bytes > 0;
}

void leak_outside_say(struct text *text, const struct leak_outside *outside)
{
    if (outside->mapped_bytes > 0)
        say(text, outside_mapped_text, said_bytes(outside->mapped_bytes));
    if (outside->resident_bytes > 0)
        say(text, outside_resident_text, said_bytes(outside->resident_bytes));
    if (outside->undated_bytes > 0)
        say(text, outside_undated_text, said_bytes(outside->undated_bytes));
}
