/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a heap leaks.
 *
 * A leak raises the floor of the heap: the memory that is left after everything temporary is freed.
 * So the trend is sought in the lowest values of equal stretches of time; or, if the teeth of a saw
 * are longer than these, in its troughs, one point for each tooth.  The slope's interval takes
 * autocorrelation into account (trend.c).
 *
 * A slope above 0 is not yet a leak.  The growth must matter.  It must not be a single step, such
 * as a table that is filled once, and it must still exist at the end.  The first and last values by
 * themselves decide nothing.
 *
 * Every program grows while it starts, longer if it has an interpreter, and its loaded modules come
 * from the same few places.  So a short window decides only if the program repeats kernels or
 * regions in it, or if the user gave the length of the start-up.  Growth that ended before the last
 * third decides nothing.  Nor does growth at one place after another: a leak stays at its place,
 * while a program that loads moves from place to place.
 *
 * Many runtimes and destructors free everything at exit, even leaks.  So the heap is judged up to
 * its final fall, and memory freed in the fall counts as kept: a killed program would have kept it.
 *
 * A container that doubles its room grows by jumps, two or three of them after the warm-up.  Half
 * of the time lies behind the last jump, and the interval of a slope includes 0 (heap_jumps.h).  If
 * the floor rose and stayed up, but no slope, no jumps and no end of the growth are certain, the
 * verdict stays open.
 *
 * A leak that starts late makes no rising line over the whole window.  So without such a line the
 * last third is examined separately.  A floor that rises there above all earlier values may be a
 * phase or a leak, so the verdict stays open.
 *
 * Decision: doc/decisions/leak-verdict.
 */
#include "heap/leak_verdict.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "analysis/runtimes.h"
#include "heap/heap_jumps.h"
#include "heap/leak_growers.h"
#include "heap/leak_points.h"
#include "heap/leaks_options.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "statistics/trend.h"

/* Programs start in some tenths of a second; three packages of R took 1.5 s. */
static const uint64_t least_ns = 500000000, least_of_language_ns = 5000000000;
/* An interpreter's repeated calls may only be loading: numpy was imported for 300 ms. */
static const uint64_t least_repeating_language_ns = 1000000000;

enum {
    LEAST_REPEATS = 64, /* kernel calls and regions in a window that may be shorter */
    LEAST_POINTS = 10   /* after the warm-up */
};

static const double material_share = 0.01;   /* growth, of the level; a leak matters from 1 % on */
static const double kept_share = 0.50;       /* share of the growth that still exists at the end */
static const double longest_teardown = 0.25; /* share of the time */
static const double lasting_share = 0.10;    /* share of the growth at places that go on growing */
static const double explained_share = 0.50;  /* share of the growth by all suspects, or by a single
                                                one */
static const double remade_share = 0.75;     /* share of the growth in copied blocks */
static const double same_share = 0.025;      /* share of the teeth: the same low values */
static const double late_length = 0.10;      /* share of the window: shorter rises prove nothing */

/* The session to judge, and the options. */
struct leak_subject {
    const struct session *session;
    const struct analysis_options *options;
};

enum leak_verdict leak_verdict_of(enum leak_reason reason)
{
    switch (reason) {
    case LEAK_GROWS:
    case LEAK_JUMPS:
    case LEAK_KEPT:
    case LEAK_MAPPED: return LEAK_SEEN;
    case LEAK_HEAP_UNKNOWN:
    case LEAK_TOO_SHORT:
    case LEAK_AT_START:
    case LEAK_BY_TURNS:
    case LEAK_AT_END:
    case LEAK_UNSTEADY:
    case LEAK_SCATTERED:
    case LEAK_REMADE:
    case LEAK_IN_START:
    case LEAK_OUTSIDE:
    case LEAK_TOO_FEW_TEETH: return LEAK_UNDECIDED;
    case LEAK_FELL_BACK:
    case LEAK_NO_TREND:
    case LEAK_IMMATERIAL:
    case LEAK_ONE_STEP:
    case LEAK_STOPPED:
    case LEAK_STARTED:
    case LEAK_GIVEN_BACK:
    case LEAK_SUPPRESSED:
    case LEAK_OUTSIDE_SUPPRESSED: break;
    }
    return LEAK_NOT_SEEN;
}

static bool is_inside(const struct memory_window *window, uint64_t ns)
{
    return ns >= window->from_ns && ns <= window->to_ns;
}

size_t leak_count_calls(const struct session *session, const struct memory_window *window)
{
    size_t count = 0;

    for (uint32_t i = 0; i < session->courses.count; i++) {
        const struct session_course *course = course_of(session, i);
        const struct course_call *call = course->calls.items;

        for (size_t j = 0; j < course->calls.count; j++)
            count += is_inside(window, call[j].start_ns);
    }
    return count;
}

/* Returns: the kernels' calls and the regions that began in a window. */
static size_t count_repeats(const struct session *session, const struct memory_window *window)
{
    const struct session_lap *lap = session->laps.items;
    size_t count = leak_count_calls(session, window);

    for (size_t i = 0; i < session->laps.count; i++)
        count += is_inside(window, lap[i].start_ns);
    return count;
}

uint64_t leak_least_ns(const struct session *session)
{
    return runtimes_find_language(session) ? least_of_language_ns : least_ns;
}

static bool is_long_enough(const struct session *session, const struct analysis_options *options,
                           const struct memory_window *window)
{
    uint64_t span_ns = window->to_ns > window->from_ns ? window->to_ns - window->from_ns : 0;

    if (options->leaks->warmup_ns != SESSION_UNKNOWN || span_ns >= leak_least_ns(session))
        return true;
    if (runtimes_find_language(session) && span_ns < least_repeating_language_ns)
        return false;
    return count_repeats(session, window) >= LEAST_REPEATS;
}

/* Also true when it is unknown: sites are not distinguished, or rarely sampled, or there are too
 * few marks. */
static bool goes_on(const struct leak_growers *growers)
{
    return !growers->is_known || growers->lasting_bytes >= lasting_share * growers->bytes;
}

/* A little growth at a thousand places is a program at work. */
static bool is_explained(const struct leak_growers *growers, double growth_bytes)
{
    return !growers->is_known ||
           growers->suspect_bytes >= explained_share * growers->share_of_time * growth_bytes;
}

/* Jumps of one container are at one place; those of a program that loads are not. */
static bool is_at_one_place(const struct leak_growers *growers)
{
    return !growers->is_known || growers->largest_bytes >= explained_share * growers->bytes;
}

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

/* The growth by the slope is no more than the floor rose by. */
static void take_growth(struct leak_judgement *judgement, const struct session_heap *heap)
{
    const struct memory_window *window = &judgement->window;

    judgement->growth_bytes = fmin(
        judgement->trend.slope * (double)(window->to_ns - window->from_ns), range_of(heap, window));
}

static bool is_material(double growth_bytes, double level_bytes)
{
    return growth_bytes >= HEAP_LEAST_CHANGE && growth_bytes >= material_share * level_bytes;
}

/* Against the growth, not against the former heap: a program may free its older memory and keep its
 * leaks. */
static bool was_given_back(const struct session_heap *heap, const struct leak_judgement *judgement)
{
    return (double)heap->live_bytes < kept_share * judgement->growth_bytes;
}

/* The rates at which room was used up are the slope and its interval. */
static void take_rates(struct leak_judgement *judgement, const struct heap_jumps *jumps)
{
    judgement->reason = LEAK_JUMPS;
    judgement->is_by_jumps = true;
    judgement->trend = (struct trend){jumps->count, jumps->slope, jumps->low, jumps->high, 1};
}

/* Judges points that rose without a certain slope. */
static void weigh_rise(struct leak_judgement *judgement, const struct leak_subject *of,
                       const struct heap_course *course)
{
    struct heap_jumps jumps =
        heap_jumps_find(&of->session->heap, judgement->window.from_ns / 2, judgement->window.to_ns);
    struct leak_growers growers =
        leak_growers_find(of->session, &judgement->window, of->options->leaks->posterior);

    judgement->stopped_ns = jumps.last_ns;
    judgement->jumps = jumps.count;
    switch (jumps.kind) {
    case HEAP_NO_JUMPS:
        judgement->stopped_ns = leak_find_end_of_rise(course);
        judgement->reason =
            leak_has_stopped(course, judgement->growth_bytes) ? LEAK_STOPPED : LEAK_UNSTEADY;
        return;
    case HEAP_JUMPS_GO_ON:
        judgement->reason = LEAK_UNSTEADY;
        if (is_at_one_place(&growers))
            take_rates(judgement, &jumps);
        return;
    case HEAP_ONE_JUMP: judgement->reason = LEAK_ONE_STEP; return;
    case HEAP_JUMPS_STOPPED: judgement->reason = LEAK_STOPPED; return;
    case HEAP_JUMPS_UNCLEAR: judgement->reason = LEAK_UNSTEADY; return;
    }
}

/* Judges points with a slope above 0. */
static void weigh_slope(struct leak_judgement *judgement, const struct leak_subject *of,
                        const struct heap_course *course)
{
    struct leak_growers growers;
    bool is_one = false;

    judgement->reason = LEAK_IMMATERIAL;
    if (!is_material(judgement->growth_bytes, judgement->level_bytes))
        return;
    growers = leak_growers_find(of->session, &judgement->window, of->options->leaks->posterior);
    judgement->suspect_bytes = growers.is_known ? growers.suspect_bytes : (double)NAN;
    leak_is_one_step(&is_one, course, &judgement->trend, of->options->confidence);
    judgement->reason = is_one                                              ? LEAK_ONE_STEP
                        : leak_has_stopped(course, judgement->growth_bytes) ? LEAK_AT_START
                        : !goes_on(&growers)                                ? LEAK_BY_TURNS
                        : !is_explained(&growers, judgement->growth_bytes)  ? LEAK_SCATTERED
                                                                            : LEAK_GROWS;
}

/* A container that doubles passes for one that has stopped, or for one step. */
static bool may_jump(enum leak_reason reason)
{
    return reason == LEAK_NO_TREND || reason == LEAK_ONE_STEP || reason == LEAK_AT_START;
}

/* Judges only the points, whatever happened to the heap at the end. */
static void weigh(struct leak_judgement *judgement, const struct leak_subject *of,
                  const struct heap_course *course)
{
    double growth_bytes = leak_find_net_growth(course);
    struct leak_judgement risen = *judgement;

    judgement->reason = LEAK_NO_TREND;
    if (judgement->trend.low > 0)
        weigh_slope(judgement, of, course);
    if (!may_jump(judgement->reason) || !is_material(growth_bytes, judgement->level_bytes))
        return;
    risen.growth_bytes = growth_bytes;
    weigh_rise(&risen, of, course);
    if (judgement->reason == LEAK_NO_TREND || risen.jumps > 1)
        *judgement = risen;
}

static void take_course(struct heap_course *course, const struct leak_judgement *judgement,
                        const struct session_heap *heap, uint64_t from_ns)
{
    uint64_t to_ns = judgement->window.to_ns;

    if (judgement->is_by_troughs)
        heap_course_troughs(course, heap, from_ns, to_ns, LEAK_POINTS);
    else
        heap_course_floor(course, heap, from_ns, to_ns, LEAK_POINTS);
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
        judgement->shape.pattern == HEAP_SAW_TOOTH && judgement->shape.teeth < LEAK_POINTS;
    if (judgement->is_by_troughs)
        take_course(course, judgement, heap, from_ns);
    judgement->reason = LEAK_TOO_FEW_TEETH;
    return course->count >= TREND_LEAST_POINTS;
}

/* Examines only the end, with finer points: the time before would hide a late rise. */
static void weigh_end(struct leak_judgement *judgement, const struct heap_course *whole,
                      const struct leak_subject *of)
{
    double highest = gsl_stats_max(whole->y, 1, whole->count - whole->count / 3);
    size_t begin = leak_find_late_begin(whole, highest);
    struct heap_course end;
    bool is = false;

    if ((double)(whole->count - begin) < late_length * (double)whole->count)
        return;
    take_course(&end, judgement, &of->session->heap, (uint64_t)whole->x[begin]);
    if (end.count < LEAST_POINTS)
        return;
    double growth = leak_median(&end.y[end.count - end.count / 3], end.count / 3) - highest;
    if (!is_material(growth, judgement->level_bytes))
        return;
    leak_is_rising(&is, &end, of->options->confidence);
    if (!is)
        return;
    judgement->late_bytes = growth;
    judgement->reason =
        (double)of->session->heap.live_bytes < kept_share * growth ? LEAK_GIVEN_BACK : LEAK_AT_END;
}

/* If the last third never falls below all of the first, teeth do not explain the rise. */
static void weigh_lasting_rise(struct leak_judgement *judgement, const struct leak_subject *of,
                               const struct heap_course *course)
{
    struct leak_judgement risen = *judgement;

    risen.is_by_troughs = false;
    trend_find(&risen.trend, course->x, course->y, course->count, of->options->confidence);
    take_growth(&risen, &of->session->heap);
    if (!(risen.trend.low > 0))
        return;
    weigh_slope(&risen, of, course);
    if (risen.reason == LEAK_GROWS)
        *judgement = risen;
}

/* Too few teeth for an interval of the slope, but all are higher than the one before. */
static bool weigh_turns(struct leak_judgement *judgement, const struct leak_subject *of)
{
    const struct session_heap *heap = &of->session->heap;
    const struct memory_window *window = &judgement->window;
    struct leak_growers growers;
    struct leak_judgement risen = *judgement;
    struct heap_course troughs;

    if (!heap_course_rises_by_turns(&troughs, heap, window->from_ns, window->to_ns))
        return false;
    risen.is_by_troughs = true;
    risen.level_bytes = leak_median(troughs.y, troughs.count);
    trend_find(&risen.trend, troughs.x, troughs.y, troughs.count, of->options->confidence);
    take_growth(&risen, heap);
    growers = leak_growers_find(of->session, window, of->options->leaks->posterior);
    if (!is_material(risen.growth_bytes, risen.level_bytes) || !goes_on(&growers) ||
        !is_explained(&growers, risen.growth_bytes))
        return false;
    risen.suspect_bytes = growers.is_known ? growers.suspect_bytes : (double)NAN;
    risen.reason = LEAK_GROWS;
    *judgement = risen;
    return true;
}

/* Too few teeth for a trend of troughs: the lowest values of the first and the last third may be
 * plain enough. */
static void weigh_thirds(struct leak_judgement *judgement, const struct leak_subject *of,
                         const struct heap_course *course)
{
    size_t third = course->count / 3;
    const double *last = &course->y[course->count - third];
    double low, late_low;

    if (third == 0)
        return;
    low = gsl_stats_min(course->y, 1, third);
    late_low = gsl_stats_min(last, 1, third);
    judgement->level_bytes = leak_median(course->y, course->count);
    if (!is_material(late_low - low, judgement->level_bytes) ||
        late_low - low < same_share * (judgement->shape.highest - judgement->shape.lowest)) {
        judgement->reason = LEAK_FELL_BACK;
        judgement->low_bytes = low;
        judgement->late_low_bytes = late_low;
    } else if (late_low > gsl_stats_max(course->y, 1, third)) {
        weigh_lasting_rise(judgement, of, course);
    }
}

/* A container that moves exists twice for a moment, which looks like a few teeth. */
static void weigh_few_teeth(struct leak_judgement *judgement, struct heap_course *course,
                            const struct leak_subject *of)
{
    struct leak_judgement risen = *judgement;

    risen.is_by_troughs = false;
    take_course(course, &risen, &of->session->heap, risen.window.from_ns);
    risen.level_bytes = leak_median(course->y, course->count);
    risen.growth_bytes = leak_find_net_growth(course);
    if (is_material(risen.growth_bytes, risen.level_bytes))
        weigh_rise(&risen, of, course);
    if (risen.reason == LEAK_JUMPS)
        *judgement = risen;
    else if (!weigh_turns(judgement, of))
        weigh_thirds(judgement, of, course);
}

/* Judges the window of a judgement, if it has enough points. */
static void judge_window(struct leak_judgement *judgement, struct heap_course *course,
                         const struct leak_subject *of)
{
    const struct session_heap *heap = &of->session->heap;

    course->count = 0;
    if (!take_points(judgement, course, heap)) {
        if (judgement->reason == LEAK_TOO_FEW_TEETH)
            weigh_few_teeth(judgement, course, of);
        return;
    }
    trend_find(&judgement->trend, course->x, course->y, course->count, of->options->confidence);
    judgement->level_bytes = leak_median(course->y, course->count);
    take_growth(judgement, heap);
    weigh(judgement, of, course);
}

/* Growth that lasted to the end, and was freed by the final fall, counts as kept.  Other growth
 * that is gone was freed by a program that went on. */
static void weigh_what_is_left(struct leak_judgement *judgement, const struct session_heap *heap)
{
    bool has_grown = judgement->trend.low > 0 || leak_verdict_of(judgement->reason) == LEAK_SEEN;

    if (!has_grown || judgement->reason == LEAK_IMMATERIAL || !was_given_back(heap, judgement))
        return;
    if (judgement->has_fall && judgement->reason == LEAK_SCATTERED)
        return;
    judgement->reason = judgement->has_fall && leak_verdict_of(judgement->reason) == LEAK_SEEN
                            ? LEAK_KEPT
                            : LEAK_GIVEN_BACK;
}

/* A table that is copied for each new row grows like a leak, and is one live block. */
static bool is_remade(const struct leak_judgement *judgement, const struct session *session)
{
    double bytes = leak_find_remade(session, &judgement->window);

    return (judgement->reason == LEAK_GROWS || judgement->reason == LEAK_KEPT) &&
           bytes >= remade_share * judgement->growth_bytes;
}

static void judge(struct leak_judgement *judgement, const struct leak_subject *of)
{
    struct heap_course course;
    judge_window(judgement, &course, of);
    enum leak_reason reason = judgement->reason;

    weigh_what_is_left(judgement, &of->session->heap);
    if (is_remade(judgement, of->session))
        judgement->reason = LEAK_REMADE;
    if (judgement->reason == LEAK_GIVEN_BACK ||
        (leak_verdict_of(reason) != LEAK_NOT_SEEN && reason != LEAK_UNSTEADY))
        return;
    weigh_end(judgement, &course, of);
}

/* A rise by less than a tenth looks flat, but it is not flat in a leaking heap. */
static void name_pattern(struct leak_judgement *judgement, const struct session_heap *heap)
{
    if (judgement->is_by_jumps ||
        (leak_verdict_of(judgement->reason) == LEAK_SEEN && judgement->shape.pattern == HEAP_FLAT))
        judgement->shape.pattern =
            heap_course_classify_rise(heap, judgement->window.from_ns, judgement->window.to_ns);
}

/* The heap by itself cannot prove that no memory leaks. */
static void judge_outside(struct leak_judgement *judgement, const struct session *session,
                          double confidence)
{
    leak_outside_find(&judgement->outside, session, &judgement->window, confidence);

    if (leak_verdict_of(judgement->reason) == LEAK_NOT_SEEN &&
        leak_outside_grew(&judgement->outside))
        judgement->reason = LEAK_OUTSIDE;
}

/* Memory freed in the final fall existed while the program worked, so the window ends at the start
 * of the fall.  A long fall is a phase of the program. */
static void end_before_fall(struct leak_judgement *judgement, const struct session *session,
                            places_finder find)
{
    struct memory_window *window = &judgement->window;
    struct memory_teardown fall;

    if (!memory_find_fall(&fall, session, find) ||
        (double)fall.from_ns < (1 - longest_teardown) * (double)window->to_ns ||
        fall.from_ns <= window->from_ns)
        return;
    judgement->has_fall = true;
    judgement->fall = fall;
    if (fall.from_ns <= window->to_ns)
        window->to_ns = fall.from_ns - 1;
}

static struct leak_judgement begin_judgement(const struct memory_window *window)
{
    return (struct leak_judgement){
        .reason = LEAK_HEAP_UNKNOWN,
        .window = *window,
        .trend = {0, NAN, NAN, NAN, 1},
        .level_bytes = NAN,
        .growth_bytes = NAN,
        .late_bytes = NAN,
        .stopped_ns = NAN,
        .suspect_bytes = NAN,
        .start_ns = NAN,
        .start_bytes = NAN,
        .low_bytes = NAN,
        .late_low_bytes = NAN,
        .outside = {NAN, NAN, NAN},
    };
}

static void judge_heap(struct leak_judgement *judgement, const struct leak_subject *of)
{
    const struct session_heap *heap = &of->session->heap;

    end_before_fall(judgement, of->session, of->options->find_frames);
    judgement->shape =
        heap_course_classify(heap, judgement->window.from_ns, judgement->window.to_ns);
    judgement->reason = LEAK_TOO_SHORT;
    if (is_long_enough(of->session, of->options, &judgement->window))
        judge(judgement, of);
    name_pattern(judgement, heap);
}

void leak_judge_in(struct leak_judgement *judgement, const struct session *session,
                   const struct analysis_options *options, const struct memory_window *window)
{
    const struct leak_subject of = {session, options};

    *judgement = begin_judgement(window);
    if (memory_is_known(&session->heap))
        judge_heap(judgement, &of);
    judge_outside(judgement, session, options->confidence);
    judgement->verdict = leak_verdict_of(judgement->reason);
}

void leak_judge(struct leak_judgement *judgement, const struct session *session,
                const struct analysis_options *options)
{
    const struct memory_window window = memory_find_window(session, options);

    leak_judge_in(judgement, session, options, &window);
}

void leak_ask_part(bool *grows, const struct heap_course *part, double confidence)
{
    struct trend trend;

    trend_find(&trend, part->x, part->y, part->count, confidence);
    *grows = false;
    if (trend.low > 0)
        *grows = is_material(trend.slope * (part->x[part->count - 1] - part->x[0]),
                             leak_median(part->y, part->count));
}
