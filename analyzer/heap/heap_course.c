/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The course of the live heap.
 *
 * How a pattern is recognized, on all moments of the window:
 *   flat       highest and lowest value are within a tenth of the highest, because a plot of one
 *              screen does not show less, or within a page: a block of a few bytes that comes and
 *              goes is no pattern; but a rise of a hundredth on a straight line is linear;
 *   saw-tooth  at least two falls larger than a fifth of the range, which undo half or more of the
 *              rises;
 *   linear     rises persist, and a straight line explains 98 % of the variance; so do eight
 *              equal steps or more;
 *   stairs     rises persist, and an eighth of the stretches of time has four fifths of the growth:
 *              in a steady rise it would have an eighth;
 *   linear     also when neither holds, but a line explains nine tenths;
 *   irregular  the rest, falling heaps among it.
 * Turning points must exceed a fifth of the range, so noise on a rise does not make teeth.
 */
#include "heap/heap_course.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "model/session_heap.h"

enum {
    LEAST_MOMENTS = 8, /* in the window; fewer have no shape */
    LEAST_TEETH = 2,
    LEAST_TURNS = 4, /* of troughs, and of crests, in a perfect order */
    STRETCHES = 128
};

static const double flat_range = 0.10;      /* share of the highest value */
static const double seen_range = 0.01;     /* below, a line is flat too */
static const double turning_range = 0.20;   /* share of the range */
static const double saw_tooth_falls = 0.50; /* share of the rises */
static const double stairs_growth = 0.80;   /* in this part of the stretches: */
static const double stairs_stretches = 0.125;
static const double linear_variance = 0.98;
static const double rough_variance = 0.90;
static const double single_step = 0.75; /* share of the growth of all turns */

const char *heap_pattern_name(enum heap_pattern pattern)
{
    switch (pattern) {
    case HEAP_UNKNOWN: break;
    case HEAP_FLAT: return "flat";
    case HEAP_SAW_TOOTH: return "saw-tooth";
    case HEAP_STAIRS: return "stairs";
    case HEAP_LINEAR: return "linear";
    case HEAP_IRREGULAR: return "irregular";
    }
    return NULL;
}

struct window {
    const struct session_moment *moments;
    size_t count;
};

static struct window find_window(const struct session_heap *heap, uint64_t from_ns, uint64_t to_ns)
{
    const struct session_moment *moment = heap->moments.items;
    size_t first = 0, last = heap->moments.count;

    while (first < last && moment[first].time_ns < from_ns)
        first++;
    while (last > first && moment[last - 1].time_ns > to_ns)
        last--;
    return (struct window){moment + first, last - first};
}

/* Replace neighbouring points by their lowest, until there are at most `limit`. */
static void thin_out(struct heap_course *course, size_t limit)
{
    size_t count = course->count < limit ? course->count : limit;

    for (size_t i = 0; i < count; i++) {
        size_t lowest = i * course->count / count;
        size_t end = (i + 1) * course->count / count;

        for (size_t j = lowest + 1; j < end; j++)
            if (course->y[j] < course->y[lowest])
                lowest = j;
        course->x[i] = course->x[lowest];
        course->y[i] = course->y[lowest];
    }
    course->count = count;
}

static void add_point(struct heap_course *course, double x, double y)
{
    if (course->count == SESSION_MOMENTS)
        return;
    course->x[course->count] = x;
    course->y[course->count++] = y;
}

void heap_course_floor(struct heap_course *course, const struct session_heap *heap,
                       uint64_t from_ns, uint64_t to_ns, size_t limit)
{
    struct window window = find_window(heap, from_ns, to_ns);

    course->count = 0;
    for (size_t i = 0; i < window.count; i++)
        add_point(course, (double)window.moments[i].time_ns, (double)window.moments[i].min_bytes);
    thin_out(course, limit);
}

/* Follows a series.  It reports a turn once the series has gone back by more than `threshold`. */
struct turner {
    double threshold;
    double low, high; /* since the last turn */
    double low_x;
    bool is_rising;
    double trough; /* the last */
    double crest;
    struct heap_shape *shape;    /* the shape that counts turns, or NULL */
    struct heap_course *troughs; /* the troughs to fill, or NULL */
    struct heap_course *crests;  /* the crests to fill, or NULL */
    double high_x;
};

static void turn_down(struct turner *turner)
{
    turner->is_rising = false;
    turner->crest = turner->high;
    if (turner->shape)
        turner->shape->rises += turner->high - turner->trough;
    if (turner->crests)
        add_point(turner->crests, turner->high_x, turner->high);
}

static void turn_up(struct turner *turner)
{
    turner->is_rising = true;
    turner->trough = turner->low;
    if (turner->shape) {
        turner->shape->falls += turner->crest - turner->low;
        turner->shape->teeth++;
    }
    if (turner->troughs)
        add_point(turner->troughs, turner->low_x, turner->low);
}

static void follow(struct turner *turner, double x, double value)
{
    if (turner->is_rising) {
        if (value > turner->high) {
            turner->high = value;
            turner->high_x = x;
        }
        if (turner->high - value <= turner->threshold)
            return;
        turn_down(turner);
        turner->low = value;
        turner->low_x = x;
        return;
    }
    if (value < turner->low) {
        turner->low = value;
        turner->low_x = x;
    }
    if (value - turner->low > turner->threshold) {
        turn_up(turner);
        turner->high = value;
        turner->high_x = x;
    }
}

/* A moment does not record which of its extremes came first.  The shorter path is assumed: if the
 * heap ended no lower than it began, the low came first.  So a step is not counted as a fall. */
static void follow_moment(struct turner *turner, const struct session_moment *moment,
                          uint64_t begin_bytes)
{
    bool is_low_first = moment->last_bytes >= begin_bytes;
    double x = (double)moment->time_ns;

    follow(turner, x, (double)(is_low_first ? moment->min_bytes : moment->max_bytes));
    follow(turner, x, (double)(is_low_first ? moment->max_bytes : moment->min_bytes));
}

/* An unfinished rise or fall at the end counts, too, but is no tooth. */
static void count_rest(const struct turner *turner)
{
    if (turner->is_rising)
        turner->shape->rises += turner->high - turner->trough;
    else
        turner->shape->falls += turner->crest - turner->low;
}

static void follow_window(struct turner *turner, const struct window *window)
{
    const struct session_moment *moment = window->moments;
    uint64_t begin_bytes = moment[0].min_bytes;

    turner->low = turner->high = turner->trough = turner->crest = (double)begin_bytes;
    turner->is_rising = true;
    for (size_t i = 0; i < window->count; i++) {
        follow_moment(turner, &moment[i], begin_bytes);
        begin_bytes = moment[i].last_bytes;
    }
    if (turner->shape)
        count_rest(turner);
}

static void measure_range(struct heap_shape *shape, const struct window *window)
{
    shape->lowest = (double)window->moments[0].min_bytes;
    for (size_t i = 0; i < window->count; i++) {
        shape->lowest = fmin(shape->lowest, (double)window->moments[i].min_bytes);
        shape->highest = fmax(shape->highest, (double)window->moments[i].max_bytes);
    }
}

unsigned heap_course_count_teeth(const struct session_heap *heap, uint64_t from_ns, uint64_t to_ns,
                                 double least)
{
    struct window window = find_window(heap, from_ns, to_ns);
    struct heap_shape shape = {0};
    struct turner turner = {.shape = &shape, .threshold = least};

    if (window.count > 0)
        follow_window(&turner, &window);
    return shape.teeth;
}

/* The turns that exceed a fifth of the range, in a window that has moments. */
static void find_turns(struct turner *turner, const struct window *window)
{
    struct heap_shape shape = {0};

    measure_range(&shape, window);
    turner->threshold = turning_range * (shape.highest - shape.lowest);
    follow_window(turner, window);
}

void heap_course_troughs(struct heap_course *course, const struct session_heap *heap,
                         uint64_t from_ns, uint64_t to_ns, size_t limit)
{
    struct window window = find_window(heap, from_ns, to_ns);
    struct turner turner = {.troughs = course};

    course->count = 0;
    if (window.count == 0)
        return;
    find_turns(&turner, &window);
    thin_out(course, limit);
}

/* Also by more than one step. */
static bool is_rising_always(const struct heap_course *course)
{
    double growth = course->y[course->count - 1] - course->y[0];

    for (size_t i = 1; i < course->count; i++) {
        double step = course->y[i] - course->y[i - 1];

        if (step <= 0 || step > single_step * growth)
            return false;
    }
    return true;
}

bool heap_course_rises_by_turns(struct heap_course *troughs, const struct session_heap *heap,
                                uint64_t from_ns, uint64_t to_ns)
{
    struct window window = find_window(heap, from_ns, to_ns);
    struct heap_course crests = {.count = 0};
    struct turner turner = {.troughs = troughs, .crests = &crests};

    troughs->count = 0;
    if (window.count == 0)
        return false;
    find_turns(&turner, &window);
    return troughs->count >= LEAST_TURNS && crests.count >= LEAST_TURNS &&
           is_rising_always(troughs) && is_rising_always(&crests);
}

static bool is_stairs(const struct heap_course *course)
{
    double steps[STRETCHES];
    size_t count = course->count - 1;
    size_t largest = (size_t)ceil(stairs_stretches * (double)count);
    double growth = course->y[count] - course->y[0], sum = 0;

    for (size_t i = 0; i < count; i++)
        steps[i] = course->y[i + 1] - course->y[i];
    gsl_sort(steps, 1, count);
    for (size_t i = 0; i < largest; i++)
        sum += steps[count - 1 - i];
    return growth > 0 && sum >= stairs_growth * growth;
}

/* Returns: how much of the variance a rising line explains; 0 for a falling one. */
static double explained_by_line(const struct heap_course *course)
{
    double correlation = gsl_stats_correlation(course->x, 1, course->y, 1, course->count);

    return correlation > 0 ? correlation * correlation : 0;
}

static enum heap_pattern classify_rise(const struct heap_course *course)
{
    double explained = explained_by_line(course);

    if (explained >= linear_variance)
        return HEAP_LINEAR;
    if (is_stairs(course))
        return HEAP_STAIRS;
    return explained >= rough_variance ? HEAP_LINEAR : HEAP_IRREGULAR;
}

/* A small rise looks flat.  But if the points lie on a line, it is significant, and may be a
 * leak. */
static bool is_flat(const struct heap_shape *shape, const struct heap_course *course)
{
    double range = shape->highest - shape->lowest;

    if (range < HEAP_LEAST_CHANGE || range < seen_range * shape->highest)
        return true;
    return range <= flat_range * shape->highest && explained_by_line(course) < linear_variance;
}

enum heap_pattern heap_course_classify_rise(const struct session_heap *heap, uint64_t from_ns,
                                            uint64_t to_ns)
{
    struct heap_course course;

    heap_course_floor(&course, heap, from_ns, to_ns, STRETCHES);
    return course.count < LEAST_MOMENTS ? HEAP_UNKNOWN : classify_rise(&course);
}

struct heap_shape heap_course_classify(const struct session_heap *heap, uint64_t from_ns,
                                       uint64_t to_ns)
{
    struct window window = find_window(heap, from_ns, to_ns);
    struct heap_shape shape = {.pattern = HEAP_UNKNOWN};
    struct turner turner = {.shape = &shape};
    struct heap_course course;

    if (window.count < LEAST_MOMENTS)
        return shape;
    measure_range(&shape, &window);
    turner.threshold = turning_range * (shape.highest - shape.lowest);
    follow_window(&turner, &window);
    heap_course_floor(&course, heap, from_ns, to_ns, STRETCHES);
    if (is_flat(&shape, &course))
        shape.pattern = HEAP_FLAT;
    else if (shape.teeth >= LEAST_TEETH && shape.falls >= saw_tooth_falls * shape.rises)
        shape.pattern = HEAP_SAW_TOOTH;
    else if (shape.falls >= saw_tooth_falls * shape.rises)
        shape.pattern = HEAP_IRREGULAR;
    else
        shape.pattern = classify_rise(&course);
    return shape;
}
