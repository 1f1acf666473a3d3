/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the ticks of a trace to nanoseconds since its start.
 *
 * Both clocks run evenly, so time is a straight line through the start pair.  Its slope is the
 * median of the slopes from the start to the pairs in the later half of the recording (Theil 1950,
 * with one end fixed): a pair that an interrupt tore apart moves the mean, but not the median.  An
 * error e in a pair at distance d makes an error e / d in the slope, so the far half has the least
 * error.
 */
#include "model/clock.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/texts.h"
#include "reader/reader_chunks.h"

/* At shorter distances, the 50 ns or so within which a pair is taken exceed one part in 20000. */
static const uint64_t clock_least_distance_ns = 1000000;

/* A doubt is added for a pair this far off the line, and by a thousandth of the recording. */
static const double clock_doubtful_ns = 1e6;

enum { CLOCK_DOUBTFUL_PART = 1000 };

/* The slowest counter is 1 MHz (Arm allows that); nothing counts at 100 GHz. */
static const double clock_slowest = 1e3;
static const double clock_fastest = 1e-2;

/* A pair, from the start. */
struct clock_point {
    uint64_t ticks;
    uint64_t ns;
};

static void add_point(struct array *points, const struct trace_clock_pair *start,
                      const struct trace_clock_pair *pair)
{
    if (pair->ticks <= start->ticks || pair->monotonic_ns <= start->monotonic_ns)
        return;

    struct clock_point *point = array_add(points);
    point->ticks = pair->ticks - start->ticks;
    point->ns = pair->monotonic_ns - start->monotonic_ns;
}

static void gather(struct array *points, const struct reader *reader)
{
    const struct trace_header *header = &reader->header;
    const struct reader_chunk *chunks = reader->chunks.items;

    add_point(points, &header->start, &header->end);
    for (size_t i = 0; i < reader->chunks.count; i++)
        add_point(points, &header->start, &chunks[i].clock);
}

static double find_slope(const struct clock_point *point)
{
    return (double)point->ns / (double)point->ticks;
}

static bool is_plausible(const struct clock_point *point)
{
    double slope = find_slope(point);

    return slope >= clock_fastest && slope <= clock_slowest;
}

/* Drops the points that are damaged, and those of the nearer half. */
static void keep_far(struct array *points)
{
    struct clock_point *point = points->items;
    uint64_t farthest = 0;
    size_t kept = 0;

    for (size_t i = 0; i < points->count; i++)
        if (is_plausible(&point[i]) && point[i].ns > farthest)
            farthest = point[i].ns;
    for (size_t i = 0; i < points->count; i++)
        if (is_plausible(&point[i]) && point[i].ns >= farthest / 2)
            point[kept++] = point[i];
    array_truncate(points, kept);
}

static int compare(const void *left, const void *right)
{
    double a = find_slope(left);
    double b = find_slope(right);

    return (a > b) - (a < b);
}

/* Returns: the distance of the farthest point. */
static uint64_t find_farthest(const struct array *points)
{
    const struct clock_point *point = points->items;
    uint64_t farthest = 0;

    for (size_t i = 0; i < points->count; i++)
        farthest = point[i].ns > farthest ? point[i].ns : farthest;
    return farthest;
}

/* Returns: how far the worst point is off the line. */
static double worst_error(const struct clock *clock, const struct array *points)
{
    const struct clock_point *point = points->items;
    double worst = 0;

    for (size_t i = 0; i < points->count; i++) {
        double error = (double)point[i].ticks * clock->ns_per_tick - (double)point[i].ns;
        worst = fmax(worst, fabs(error));
    }
    return worst;
}

static void doubt_length(const struct clock *clock, struct text_list *doubts)
{
    if (clock->last_ns >= clock_least_distance_ns)
        return;
    if (clock->last_ns > 0)
        text_list_say(doubts, clock_short_text);
    else
        text_list_say(doubts, clock_one_instant_text);
}

static void doubt_points(const struct clock *clock, const struct array *points,
                         struct text_list *doubts)
{
    double worst = worst_error(clock, points);

    if (worst < clock_doubtful_ns || worst < (double)clock->last_ns / CLOCK_DOUBTFUL_PART)
        return;
    text_list_say(doubts, clock_disagrees_text, said_time(worst));
}

static void fit(struct clock *clock, struct array *points, struct text_list *doubts)
{
    keep_far(points);
    clock->last_ns = find_farthest(points);
    if (points->count > 0) {
        qsort(points->items, points->count, sizeof(struct clock_point), compare);
        clock->ns_per_tick = find_slope(array_at(points, points->count / 2));
    }
    doubt_length(clock, doubts);
    doubt_points(clock, points, doubts);
}

void clock_measure(struct clock *clock, const struct reader *reader, struct text_list *doubts)
{
    struct array points;

    array_init(&points, sizeof(struct clock_point));
    *clock = (struct clock){.start_ticks = reader->header.start.ticks, .ns_per_tick = 1};
    gather(&points, reader);
    fit(clock, &points, doubts);
    if (reader->header.clock == TRACE_CLOCK_MONOTONIC)
        clock->ns_per_tick = 1;
    array_fini(&points);
}

/* A double holds 2^53 ticks to the tick: a month at 3 GHz.  Beyond, the error
 * is one part in 2^53.  A value that does not fit is cut: its conversion would
 * be undefined. */
uint64_t clock_convert_length(const struct clock *clock, uint64_t ticks)
{
    double ns = (double)ticks * clock->ns_per_tick + 0.5;

    return ns < 0x1p64 ? (uint64_t)ns : UINT64_MAX;
}

uint64_t clock_convert(const struct clock *clock, uint64_t ticks)
{
    if (ticks <= clock->start_ticks)
        return 0;
    return clock_convert_length(clock, ticks - clock->start_ticks);
}

uint64_t clock_find_length(const struct clock *clock, uint64_t ns)
{
    uint64_t low = 0;
    uint64_t high = UINT64_MAX;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (clock_convert_length(clock, middle) >= ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
