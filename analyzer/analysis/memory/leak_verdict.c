/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a heap leaks.
 *
 * What a leak raises is the floor of the heap: what is still there after
 * everything temporary has gone.  So the trend is looked for in the lowest
 * values of equal stretches of time, or, where the teeth of a saw are longer than
 * these, in its troughs, one point a tooth.  The slope's interval takes autocorrelation into
 * account (trend.c).
 *
 * A slope above 0 is not yet a leak.  The growth must matter; it must not be a
 * single step, such as a table that is filled once; and it must still be there
 * at the end.  First and last value alone decide nothing.
 *
 * Every program grows while it starts, one with an interpreter for longer, and what that loads
 * comes from the same few places.  So a short window decides only where the
 * program repeats something in it, kernels or regions, or where the user said how
 * long the start-up is; and growth that ended before the last third decides nothing.  Nor
 * does growth at one place after another: a leak goes on where it is, a program that loads
 * goes from place to place.
 *
 * Many runtimes free all at exit, a leak too.  So growth that went on to a teardown decides
 * nothing: what is freed then, a killed program would have kept.
 *
 * A leak that begins late raises no line through the whole window.  So where none is seen,
 * the last third is looked at alone: a floor that rises there, above all that was before,
 * is a phase or a leak, and nobody can tell.
 */
#include "analysis/memory/leak_verdict.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "analysis/runtimes.h"
#include "model/course.h"
#include "statistics/ranks.h"

/* Programs start in some tenths of a second; three packages of R took 1.5 s. */
static const uint64_t least_ns = 500000000, least_of_language_ns = 5000000000;

enum {
    LEAST_REPEATS = 64, /* kernel calls and regions in a window that may be shorter */
    POINTS = 64,        /* of the trend: each rests on several moments */
    LEAST_POINTS = 10,  /* after the warm-up */
    PARTS = 4,          /* of the window; where a place grows in most of them it goes on */
    MOST_PARTS = 3,
    LEAST_MARKS = 2 * PARTS
};

static const double material_share = 0.01;   /* growth, of the level; a leak matters from 1 % on */
static const double kept_share = 0.50;       /* of the growth, still there at the end */
static const double longest_teardown = 0.25; /* of the time */
static const double late_share = 0.10;       /* of what steady growth has in the last third */
static const double lasting_share = 0.10;    /* of the growth, by places that go on */
static const double late_length = 0.10;      /* of the window: what rises for less tells nothing */

static enum leak_verdict verdict_of(enum leak_reason reason)
{
    switch (reason) {
    case LEAK_GROWS: return LEAK_SEEN;
    case LEAK_HEAP_UNKNOWN:
    case LEAK_TOO_SHORT:
    case LEAK_AT_START:
    case LEAK_BY_TURNS:
    case LEAK_AT_END:
    case LEAK_FREED_AT_END:
    case LEAK_OUTSIDE:
    case LEAK_TOO_FEW_TEETH: return LEAK_UNDECIDED;
    case LEAK_NO_TREND:
    case LEAK_IMMATERIAL:
    case LEAK_ONE_STEP:
    case LEAK_GIVEN_BACK:
    case LEAK_SUPPRESSED:
    case LEAK_OUTSIDE_SUPPRESSED: break;
    }
    return LEAK_NOT_SEEN;
}

static double median_of(const double *values, size_t count)
{
    double sorted[SESSION_MOMENTS];

    memcpy(sorted, values, count * sizeof *sorted);
    return ranks_median(sorted, count);
}

/* ---- start-up ------------------------------------------------------------ */

static bool is_inside(const struct memory_window *window, uint64_t ns)
{
    return ns >= window->from_ns && ns <= window->to_ns;
}

/* Returns: the kernels' calls and the regions that began in a window. */
static size_t count_repeats(const struct session *session, const struct memory_window *window)
{
    const struct session_lap *lap = session->laps.items;
    size_t count = 0;

    for (size_t i = 0; i < session->laps.count; i++)
        count += is_inside(window, lap[i].start_ns);
    for (uint32_t i = 0; i < session->courses.count; i++) {
        const struct session_course *course = course_of(session, i);
        const struct course_call *call = course->calls.items;

        for (size_t j = 0; j < course->calls.count; j++)
            count += is_inside(window, call[j].start_ns);
    }
    return count;
}

uint64_t leak_least_ns(const struct session *session)
{
    return runtimes_find_language(session) ? least_of_language_ns : least_ns;
}

static bool is_long_enough(const struct session *session, const struct analysis_options *options,
                           const struct memory_window *window)
{
    return options->warmup_ns != SESSION_UNKNOWN ||
           (window->to_ns > window->from_ns &&
            window->to_ns - window->from_ns >= leak_least_ns(session)) ||
           count_repeats(session, window) >= LEAST_REPEATS;
}

/* Of steady growth a third is in the last third of the points.  Medians of a sixth
 * of the points at either end of it tell, where there are enough. */
static bool has_stopped(const struct heap_course *course, double growth_bytes)
{
    size_t sixth = course->count / 6;
    double late;

    if (course->count < POINTS / 2)
        return false;
    late = median_of(&course->y[course->count - sixth], sixth) -
           median_of(&course->y[course->count - 3 * sixth], sixth);
    return late < late_share * growth_bytes / 3;
}

/* Returns: what a site grew by from one mark to another.  `parts`: of that time in which it
 * did. */
static double growth_of_site(unsigned *parts, const struct session_mark *site, unsigned first,
                             unsigned last)
{
    const uint64_t *live_bytes = site->live_bytes;

    *parts = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        unsigned from = first + (last - first) * i / PARTS;
        unsigned to = first + (last - first) * (i + 1) / PARTS;

        *parts += live_bytes[to] > live_bytes[from];
    }
    return fmax(0, (double)live_bytes[last] - (double)live_bytes[first]);
}

/* Also where that cannot be told: sites are not told apart or have a sampled block now and
 * then, or there are too few marks. */
static bool goes_on(const struct session_heap *heap, const struct memory_window *window)
{
    const struct session_mark *site = heap->marks.items;
    unsigned first = memory_find_mark(heap, window->from_ns), last = first, parts;
    double growth = 0, lasting = 0;

    while (last + 1 < heap->mark_count && heap->mark_ns[last + 1] <= window->to_ns)
        last++;
    if (!heap->has_chains || heap->sample_bytes > 0 || last - first < LEAST_MARKS)
        return true;
    for (size_t i = 0; i < heap->marks.count; i++) {
        double by = growth_of_site(&parts, &site[i], first, last);

        growth += by;
        lasting += parts >= MOST_PARTS ? by : 0;
    }
    return lasting >= lasting_share * growth;
}

/* ---- growth -------------------------------------------------------------- */

/* Returns: by how much the heap's floor differs in a window. */
static double range_of(const struct session_heap *heap, const struct memory_window *window)
{
    const struct session_moment *moment = heap->moments.items;
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < heap->moments.count; i++) {
        if (!is_inside(window, moment[i].time_ns))
            continue;
        low = fmin(low, (double)moment[i].min_bytes);
        high = fmax(high, (double)moment[i].min_bytes);
    }
    return fmax(0, high - low);
}

static size_t find_largest_step(const struct heap_course *course)
{
    size_t largest = 1;

    for (size_t i = 2; i < course->count; i++)
        if (course->y[i] - course->y[i - 1] > course->y[largest] - course->y[largest - 1])
            largest = i;
    return largest;
}

/* The heap rises before the largest step or after it, too: Kendall's scores of
 * both sides, added up as Hirsch and Slack (Water Resources Research 20 (1984)
 * 727) do those of seasons, are more than chance. */
static enum status is_one_step(bool *is_one, const struct heap_course *course,
                               const struct trend *trend, double confidence)
{
    size_t step = find_largest_step(course);
    struct trend_score before, after;
    enum status status = trend_find_score(&before, course->y, step);

    if (!status)
        status = trend_find_score(&after, course->y + step, course->count - step);
    if (status)
        return status;
    *is_one = before.score + after.score <=
              gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) *
                  sqrt((before.variance + after.variance) * trend->dependence);
    return STATUS_OK;
}

static bool is_material(double growth_bytes, double level_bytes)
{
    return growth_bytes >= HEAP_LEAST_CHANGE && growth_bytes >= material_share * level_bytes;
}

/* Against the growth, not against the heap as it was: a program may tidy up what
 * it had before and keep what it leaked. */
static bool was_given_back(const struct session_heap *heap, const struct leak_judgement *judgement)
{
    return (double)heap->live_bytes < kept_share * judgement->growth_bytes;
}

/* Judges the points by what they show, whatever became of the heap at the end. */
static enum status weigh(struct leak_judgement *judgement, const struct heap_course *course,
                         const struct session_heap *heap, double confidence)
{
    bool is_one = false;
    enum status status;

    judgement->reason = LEAK_NO_TREND;
    if (!(judgement->trend.low > 0))
        return STATUS_OK;
    judgement->reason = LEAK_IMMATERIAL;
    if (!is_material(judgement->growth_bytes, judgement->level_bytes))
        return STATUS_OK;
    status = is_one_step(&is_one, course, &judgement->trend, confidence);
    judgement->reason = is_one                                         ? LEAK_ONE_STEP
                        : has_stopped(course, judgement->growth_bytes) ? LEAK_AT_START
                        : !goes_on(heap, &judgement->window)           ? LEAK_BY_TURNS
                                                                       : LEAK_GROWS;
    return status;
}

static void take_course(struct heap_course *course, const struct leak_judgement *judgement,
                        const struct session_heap *heap, uint64_t from_ns)
{
    uint64_t to_ns = judgement->window.to_ns;

    if (judgement->is_by_troughs)
        heap_course_troughs(course, heap, from_ns, to_ns, POINTS);
    else
        heap_course_floor(course, heap, from_ns, to_ns, POINTS);
}

/* Take the points of the trend.  Returns: whether there are enough. */
static bool take_points(struct leak_judgement *judgement, struct heap_course *course,
                        const struct session_heap *heap)
{
    uint64_t from_ns = judgement->window.from_ns;

    take_course(course, judgement, heap, from_ns);
    judgement->reason = LEAK_TOO_SHORT;
    if (course->count < LEAST_POINTS)
        return false;
    judgement->is_by_troughs =
        judgement->shape.pattern == HEAP_SAW_TOOTH && judgement->shape.teeth < POINTS;
    if (judgement->is_by_troughs)
        take_course(course, judgement, heap, from_ns);
    judgement->reason = LEAK_TOO_FEW_TEETH;
    return course->count >= TREND_LEAST_POINTS;
}

/* ---- the end ------------------------------------------------------------- */

static double highest_of(const double *values, size_t count)
{
    double highest = 0;

    for (size_t i = 0; i < count; i++)
        highest = fmax(highest, values[i]);
    return highest;
}

/* Returns: the first point of the last third from which on all are above all before that
 * third; as many as there are points when none is. */
static size_t find_late_begin(const struct heap_course *course, double highest)
{
    size_t first = course->count, least = course->count - course->count / 3;

    while (first > least && course->y[first - 1] > highest)
        first--;
    return first;
}

/* The points rise, and not by one step alone. */
static enum status is_rising(bool *is, const struct heap_course *course, double confidence)
{
    struct trend trend;
    enum status status = trend_find(&trend, course->x, course->y, course->count, confidence);
    bool is_one = false;

    if (!status)
        status = is_one_step(&is_one, course, &trend, confidence);
    *is = trend.low > 0 && !is_one;
    return status;
}

/* Looks at the end alone: finer, and without what was before, from which a rise that
 * begins late cannot be told. */
static enum status weigh_end(struct leak_judgement *judgement, const struct heap_course *whole,
                             const struct session_heap *heap, double confidence)
{
    double highest = highest_of(whole->y, whole->count - whole->count / 3);
    size_t begin = find_late_begin(whole, highest);
    struct heap_course end;
    enum status status;
    bool is = false;

    if ((double)(whole->count - begin) < late_length * (double)whole->count)
        return STATUS_OK;
    take_course(&end, judgement, heap, (uint64_t)whole->x[begin]);
    if (end.count < LEAST_POINTS)
        return STATUS_OK;
    double growth = median_of(&end.y[end.count - end.count / 3], end.count / 3) - highest;
    if (!is_material(growth, judgement->level_bytes) ||
        (double)heap->live_bytes < kept_share * growth)
        return STATUS_OK;
    status = is_rising(&is, &end, confidence);
    if (!is)
        return status;
    judgement->reason = LEAK_AT_END;
    judgement->late_bytes = growth;
    return status;
}

/* ---- the judgement ------------------------------------------------------- */

/* Judges the window of a judgement, where it has points enough. */
static enum status judge_window(struct leak_judgement *judgement, struct heap_course *course,
                                const struct session_heap *heap, double confidence)
{
    const struct memory_window *window = &judgement->window;
    enum status status;

    if (!take_points(judgement, course, heap))
        return STATUS_OK;
    status = trend_find(&judgement->trend, course->x, course->y, course->count, confidence);
    if (status)
        return status;
    judgement->level_bytes = median_of(course->y, course->count);
    judgement->growth_bytes = fmin(
        judgement->trend.slope * (double)(window->to_ns - window->from_ns), range_of(heap, window));
    return weigh(judgement, course, heap, confidence);
}

/* Judges once more, without the teardown, in which the trend may be lost: growth that only the
 * teardown ended is freed by a leaking program too.  A long fall is a phase of the program. */
static enum status judge_teardown(struct leak_judgement *judgement, const struct session *session,
                                  double confidence)
{
    struct leak_judgement part = *judgement;
    struct memory_window *window = &part.window;
    struct memory_teardown teardown;
    struct heap_course course;
    enum status status;

    if (!memory_find_teardown(&teardown, session) ||
        (double)teardown.from_ns < (1 - longest_teardown) * (double)window->to_ns)
        return STATUS_OK;
    window->to_ns = teardown.from_ns < window->to_ns ? teardown.from_ns : window->to_ns;
    if (window->to_ns <= window->from_ns)
        return STATUS_OK;
    part.shape = heap_course_classify(&session->heap, window->from_ns, window->to_ns);
    status = judge_window(&part, &course, &session->heap, confidence);
    if (part.reason != LEAK_GROWS || !was_given_back(&session->heap, &part))
        return status;
    *judgement = part;
    judgement->reason = LEAK_FREED_AT_END;
    return status;
}

static enum status judge(struct leak_judgement *judgement, const struct session *session,
                         double confidence)
{
    const struct session_heap *heap = &session->heap;
    struct heap_course course;
    enum status status = judge_window(judgement, &course, heap, confidence);

    if (judgement->trend.low > 0 && judgement->reason != LEAK_IMMATERIAL &&
        was_given_back(heap, judgement))
        judgement->reason = LEAK_GIVEN_BACK;
    if (!status && verdict_of(judgement->reason) == LEAK_NOT_SEEN)
        status = judge_teardown(judgement, session, confidence);
    if (status || verdict_of(judgement->reason) != LEAK_NOT_SEEN ||
        judgement->reason == LEAK_GIVEN_BACK)
        return status;
    return weigh_end(judgement, &course, heap, confidence);
}

/* Nobody may say that no memory leaks who saw a part of it alone. */
static enum status judge_outside(struct leak_judgement *judgement, const struct session *session,
                                 double confidence)
{
    enum status status =
        leak_outside_find(&judgement->outside, session, &judgement->window, confidence);

    if (verdict_of(judgement->reason) == LEAK_NOT_SEEN && leak_outside_grew(&judgement->outside))
        judgement->reason = LEAK_OUTSIDE;
    return status;
}

enum status leak_judge(struct leak_judgement *judgement, const struct session *session,
                       const struct analysis_options *options)
{
    enum status status = STATUS_OK;

    *judgement = (struct leak_judgement){
        .reason = LEAK_HEAP_UNKNOWN,
        .window = memory_find_window(session, options),
        .trend = {0, NAN, NAN, NAN, 1},
        .level_bytes = NAN,
        .growth_bytes = NAN,
        .late_bytes = NAN,
        .outside = {NAN, NAN, NAN},
    };
    if (memory_is_known(&session->heap)) {
        judgement->shape = heap_course_classify(&session->heap, judgement->window.from_ns,
                                                judgement->window.to_ns);
        judgement->reason = LEAK_TOO_SHORT;
        if (is_long_enough(session, options, &judgement->window))
            status = judge(judgement, session, options->confidence);
    }
    if (!status)
        status = judge_outside(judgement, session, options->confidence);
    judgement->verdict = verdict_of(judgement->reason);
    return status;
}

enum status leak_ask_part(bool *grows, const struct heap_course *part, double confidence)
{
    struct trend trend;
    enum status status = trend_find(&trend, part->x, part->y, part->count, confidence);

    *grows = false;
    if (!status && trend.low > 0)
        *grows = is_material(trend.slope * (part->x[part->count - 1] - part->x[0]),
                             median_of(part->y, part->count));
    return status;
}
