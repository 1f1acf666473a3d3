/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts on memory that several reports use: the known figures, the window of time for patterns, and
 * memory that is resident but not heap.
 */
#include "heap/memory_facts.h"

#include <math.h>
#include <string.h>

#include "analysis/runtimes.h"
#include "heap/heap_course.h"
#include "heap/leaks_options.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

bool memory_is_known(const struct session_heap *heap)
{
    return (heap->is_exact || heap->is_estimated) && heap->peak_bytes != SESSION_UNKNOWN;
}

bool memory_is_estimate(const struct session_heap *heap, double error)
{
    return heap->sample_bytes > 0 || error != 0;
}

/* Samples that the user requested are drawn from the start, which is no stage. */
static bool is_drawn_at(const struct session *session, enum trace_stage stage, uint64_t time_ns)
{
    return session->heap.sample_bytes > 0 || time_ns >= session->stages.exact_ns[stage];
}

bool memory_is_estimate_at(const struct session *session, uint64_t time_ns)
{
    const struct session_heap *heap = &session->heap;

    return heap->is_estimated && heap->course_unit == SESSION_HEAP_REQUESTED &&
           is_drawn_at(session, TRACE_STAGE_BLOCKS, time_ns);
}

bool memory_peak_is_estimate(const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    return heap->has_estimated_sites &&
           (is_drawn_at(session, TRACE_STAGE_CHAINS, heap->peak_time_ns) ||
            is_drawn_at(session, TRACE_STAGE_BLOCKS, heap->peak_time_ns));
}

uint64_t memory_if_known(const struct session_heap *heap, uint64_t number)
{
    return memory_is_known(heap) ? number : SESSION_UNKNOWN;
}

const char *memory_why_unknown(const struct session_heap *heap)
{
    return heap->reason ? heap->reason : "records are missing";
}

struct said memory_unknown_sentence(void)
{
    return heap_unknown_text;
}

const char *memory_why_unrecorded(const struct session_heap *heap)
{
    return heap->reason ? heap->reason : "it was not recorded";
}

uint64_t memory_peak_time_ns(const struct session_heap *heap)
{
    return memory_is_known(heap) && heap->peak_bytes > 0 ? heap->peak_time_ns : SESSION_UNKNOWN;
}

unsigned memory_find_mark(const struct session_heap *heap, uint64_t time_ns)
{
    unsigned mark = 0;

    while (mark < heap->mark_count && heap->mark_ns[mark] < time_ns)
        mark++;
    return mark;
}

enum { LIKE_TEETH = 3 }; /* falls: with fewer, the final one is no tooth */

static const double warmup_share = 0.20;   /* share of the time, unless the user sets it */
static const double teardown_share = 0.02; /* frees at the end say nothing */
static const double like_share = 0.50;     /* of the final fall: earlier ones are like it */
static const double fall_share = 0.10;     /* least share of the heap that a final fall frees */
static const double steps_share = 0.10;    /* or in several steps, as by an interpreter */
static const double told_share = 0.125;    /* of the peak: a move that has a record of its own */
static const double kept_share = 0.50;     /* share of the heap: freeing more at the end is a
                                              teardown */

static uint64_t end_of(const struct session *session)
{
    const struct array *moments = &session->heap.moments;
    uint64_t last = session->process.wall_ns;

    if (moments->count > 0) {
        const struct session_moment *moment = array_at(moments, moments->count - 1);

        last = moment->time_ns > last ? moment->time_ns : last;
    }
    return last;
}

struct memory_window memory_find_window(const struct session *session,
                                        const struct analysis_options *options)
{
    double end = (double)end_of(session);
    uint64_t warmup = options->leaks->warmup_ns == SESSION_UNKNOWN ? (uint64_t)(warmup_share * end)
                                                                   : options->leaks->warmup_ns;

    return (struct memory_window){warmup, (uint64_t)((1 - teardown_share) * end)};
}

void memory_append_shape(struct text *text, const struct heap_shape *shape,
                         const struct memory_window *window)
{
    if (shape->pattern == HEAP_UNKNOWN) {
        say(text, shape_unknown_text);
        return;
    }
    say(text, shape_range_text, said_words(heap_pattern_name(shape->pattern)),
        said_bytes(shape->lowest), said_bytes(shape->highest), said_time((double)window->from_ns));
    if (shape->pattern == HEAP_SAW_TOOTH)
        say_part(text, shape_teeth_text, said_count(shape->teeth));
}

void memory_append_pattern(struct text *text, const struct session *session,
                           const struct analysis_options *options)
{
    struct memory_window window = memory_find_window(session, options);
    struct heap_shape shape = heap_course_classify(&session->heap, window.from_ns, window.to_ns);

    memory_append_shape(text, &shape, &window);
}

static const double gap_share = 0.30; /* FRAG: of resident memory; also the least part of a gap */

static uint64_t or_none(uint64_t bytes)
{
    return bytes == SESSION_UNKNOWN ? 0 : bytes;
}

static bool set_gap(struct memory_gap *gap, uint64_t resident, uint64_t live, uint64_t mapped)
{
    if (resident == SESSION_UNKNOWN || live == SESSION_UNKNOWN || resident == 0)
        return false;
    gap->resident_bytes = resident;
    gap->live_bytes = live;
    gap->mapped_bytes = or_none(mapped);
    gap->gap_bytes = resident > live ? resident - live : 0;
    gap->fraction = (double)gap->gap_bytes / (double)resident;
    return true;
}

static bool set_gap_of_reading(struct memory_gap *gap, const struct session_reading *reading)
{
    gap->time_ns = reading->time_ns;
    gap->shared_bytes = or_none(reading->shared_bytes);
    return set_gap(gap, reading->values.rss_bytes, reading->live_heap_bytes, reading->mapped_bytes);
}

static const uint64_t loading_most = 32 << 20; /* bytes that loading libraries may take */
static const double inherited_share = 0.50;    /* share of the highest resident memory */

bool memory_is_inherited(const struct session *session)
{
    const struct session_process *process = &session->process;
    uint64_t first = process->first.rss_bytes, peak = process->last.peak_rss_bytes;

    if (session->heap.sample_bytes == 0 && memory_is_known(&session->heap) &&
        session->heap.unknown_frees > 0)
        return true;
    return first != SESSION_UNKNOWN && peak != SESSION_UNKNOWN && first > loading_most &&
           (double)first >= inherited_share * (double)peak;
}

void memory_append_inherited(struct text *text, const struct session *session)
{
    uint64_t first = session->process.first.rss_bytes;

    if (first == SESSION_UNKNOWN)
        say(text, inherited_blocks_text);
    else
        say(text, inherited_bytes_text, said_bytes((double)first));
}

/* The header has no shared bytes of the end, so those of the last reading are used, as files
 * stay. */
static uint64_t find_last_shared(const struct session *session)
{
    uint64_t bytes = SESSION_UNKNOWN;

    for (size_t i = session->readings.count; i > 0 && bytes == SESSION_UNKNOWN; i--)
        bytes = session_reading_at(session, i - 1)->shared_bytes;
    return or_none(bytes);
}

static bool set_gap_at_end(struct memory_gap *gap, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    if (!memory_is_known(heap) || !session->process.has_last)
        return false;
    gap->time_ns = session->process.wall_ns;
    gap->shared_bytes = find_last_shared(session);
    return set_gap(gap, session->process.last.rss_bytes, heap->live_bytes, heap->mapped_bytes);
}

/* An exec that failed leaves an end, and readings after it. */
bool memory_find_last_gap(struct memory_gap *gap, const struct session *session)
{
    struct memory_gap end;
    bool has_end = set_gap_at_end(&end, session), is_found = false;

    if (memory_is_inherited(session))
        return false;
    for (size_t i = session->readings.count; i > 0 && !is_found; i--)
        is_found = set_gap_of_reading(gap, session_reading_at(session, i - 1));
    if (has_end && (!is_found || gap->time_ns <= end.time_ns))
        *gap = end;
    return is_found || has_end;
}

/* A fall is measured from the highest value still to come, so only the last tooth of a saw is a
 * fall.  A fall may rest for as long as a teardown may take; from `rests_ns` on for any time. */
static struct memory_teardown find_fall(const struct session *session, uint64_t rests_ns)
{
    const struct array *moments = &session->heap.moments;
    const uint64_t end_ns = end_of(session);
    uint64_t rest_ns = (uint64_t)(teardown_share * (double)end_ns);
    struct memory_teardown teardown = {end_ns, 0, 0};

    for (size_t i = moments->count; i > 0; i--) {
        const struct session_moment *moment = array_at(moments, i - 1);

        if (moment->max_bytes <= teardown.height_bytes)
            continue;
        if (moment->time_ns + rest_ns < teardown.from_ns && moment->time_ns < rests_ns)
            break;
        teardown = (struct memory_teardown){moment->time_ns, moment->max_bytes, 0};
    }
    return teardown;
}

/* Returns: the start of that part of the time at its end. */
static uint64_t last_part_of(const struct session *session, double share)
{
    return (uint64_t)((1 - share) * (double)end_of(session));
}

static bool is_most_freed(const struct memory_teardown *teardown, const struct session *session)
{
    return memory_is_known(&session->heap) &&
           (double)session->heap.live_bytes < kept_share * (double)teardown->height_bytes;
}

/* Returns: the lowest that the heap was for a while before a fall; 0 at the start. */
static uint64_t find_floor(const struct session *session, uint64_t before_ns)
{
    const struct session_moment *moment = session->heap.moments.items;
    uint64_t rest_ns = (uint64_t)(teardown_share * (double)end_of(session));
    size_t i = session->heap.moments.count;
    uint64_t floor = UINT64_MAX;

    for (; i > 0; i--) {
        if (moment[i - 1].time_ns >= before_ns)
            continue;
        floor = moment[i - 1].min_bytes < floor ? moment[i - 1].min_bytes : floor;
        if (moment[i - 1].time_ns + rest_ns < before_ns)
            return floor;
    }
    return 0;
}

/* Whether the heap fell like that several times before, and as low in the second half of the run:
 * then it only went on as it did. */
static bool is_tooth(const struct memory_teardown *fall, const struct session *session)
{
    double live = (double)session->heap.live_bytes;
    double least = like_share * ((double)fall->height_bytes - live);
    uint64_t to_ns = fall->from_ns > 0 ? fall->from_ns - 1 : 0;
    struct heap_course low;

    if (heap_course_count_teeth(&session->heap, 0, to_ns, least) < LIKE_TEETH)
        return false;
    heap_course_floor(&low, &session->heap, end_of(session) / 2, to_ns, 1);
    return low.count > 0 && live >= low.y[0];
}

/* An interpreter frees in steps, with its own work in between.  The first sample in its end comes
 * after the first of its frees. */
static bool find_fall_of_runtime(struct memory_teardown *fall, const struct session *session,
                                 places_finder find)
{
    uint64_t from_ns = runtimes_find_end(session, find);
    uint64_t before_ns = (uint64_t)(teardown_share * (double)end_of(session));

    if (from_ns != SESSION_UNKNOWN)
        *fall = find_fall(session, from_ns > before_ns ? from_ns - before_ns : 0);
    else if (runtimes_find_language(session))
        *fall = find_fall(session, last_part_of(session, steps_share));
    else
        return false;
    return is_most_freed(fall, session);
}

/* A last block that came and went like others is no fall. */
bool memory_find_fall(struct memory_teardown *fall, const struct session *session,
                      places_finder find)
{
    uint64_t live = session->heap.live_bytes;

    if (!find_fall_of_runtime(fall, session, find))
        *fall = find_fall(session, UINT64_MAX);
    fall->floor_bytes = find_floor(session, fall->from_ns);
    return memory_is_known(&session->heap) && fall->floor_bytes >= live + HEAP_LEAST_CHANGE &&
           (double)live < (1 - fall_share) * (double)fall->floor_bytes && !is_tooth(fall, session);
}

/* A reading with little heap is as useless as one after the teardown. */
static bool find_gap_before(struct memory_gap *gap, const struct session *session,
                            const struct memory_teardown *teardown)
{
    bool is_found = false;

    for (size_t i = session->readings.count; i > 0 && !is_found; i--) {
        const struct session_reading *reading = session_reading_at(session, i - 1);

        is_found = reading->time_ns <= teardown->from_ns && set_gap_of_reading(gap, reading) &&
                   (double)gap->live_bytes >= kept_share * (double)teardown->height_bytes;
    }
    return is_found;
}

/* Where the shim counts the heap, a move of less than an eighth of its peak is written only when a
 * reading is: what seems to fall at the end may have fallen long before. */
static bool is_dated(const struct memory_teardown *teardown, const struct session *session)
{
    return session->heap.course_unit == SESSION_HEAP_REQUESTED ||
           (double)teardown->height_bytes >= told_share * (double)session->heap.peak_bytes;
}

bool memory_find_gap(struct memory_gap *gap, const struct session *session)
{
    const struct memory_teardown teardown = find_fall(session, last_part_of(session, steps_share));
    bool is_found = memory_find_last_gap(gap, session);

    gap->is_before_teardown =
        is_found && is_dated(&teardown, session) && is_most_freed(&teardown, session);
    return gap->is_before_teardown ? find_gap_before(gap, session, &teardown) : is_found;
}

/* The dead part of its peak is the most that malloc can have kept. */
bool memory_gap_is_ordinary(const struct memory_gap *gap, const struct session *session)
{
    uint64_t own = session->process.own_bytes, peak = session->heap.peak_bytes;
    uint64_t kept_most = peak > gap->live_bytes ? peak - gap->live_bytes : 0;

    return gap->gap_bytes < loading_most + (own == SESSION_UNKNOWN ? 0 : own) &&
           (double)kept_most + (double)gap->mapped_bytes < gap_share * (double)gap->gap_bytes;
}

const char *memory_gap_when(const struct memory_gap *gap, const struct session *session)
{
    if (gap->is_before_teardown)
        return "before the final frees";
    return session->process.has_last ? "at the end" : "at the last reading";
}

void memory_say_gap(struct text *text, const struct memory_gap *gap, const char *when)
{
    say(text, gap_not_heap_text, said_bytes((double)gap->gap_bytes), said_share(gap->fraction),
        said_bytes((double)gap->resident_bytes), said_words(when), said_time((double)gap->time_ns));
}

/* Freed blocks stay resident, so of readings near the peak the one with the largest heap counts. */
static bool is_fuller(const struct memory_gap *one, const struct memory_gap *other)
{
    const double near = 0.02;
    double difference = (double)one->resident_bytes - (double)other->resident_bytes;

    if (fabs(difference) <= near * (double)other->resident_bytes)
        return one->live_bytes > other->live_bytes && one->live_bytes <= one->resident_bytes;
    return difference > 0;
}

bool memory_find_peak_gap(struct memory_gap *gap, const struct session *session)
{
    struct memory_gap one;
    bool is_found = memory_find_last_gap(gap, session);

    for (size_t i = 0; i < session->readings.count && is_found; i++)
        if (set_gap_of_reading(&one, session_reading_at(session, i)) && is_fuller(&one, gap))
            *gap = one;
    return is_found;
}

bool memory_is_c_library(const char *path)
{
    static const char name[] = "libc.so";

    return path && strncmp(text_base_name(path), name, sizeof name - 1) == 0;
}

void memory_append_mapped_kinds(struct text *text, const struct session_heap *heap)
{
    uint64_t files = heap->peak_mapped_file_bytes, reserved = heap->peak_mapped_reserved_bytes;

    if (files == 0 && reserved == 0)
        return;
    text_append(text, " (");
    if (files > 0)
        say_part(text, mapped_files_text, said_bytes((double)files));
    text_append(text, files > 0 && reserved > 0 ? ", " : "");
    if (reserved > 0)
        say_part(text, mapped_reserved_text, said_bytes((double)reserved));
    text_append(text, ")");
}
