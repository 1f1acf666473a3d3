/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the steps.  Marked regions take precedence over ops, and ops over inference.  Among regions
 * with several calls, one named like a step takes precedence, then the one with the most time, then
 * the outermost.  Without such a region, steps are inferred from repeating kernels in the thread
 * with the most kernel time.
 */
#include "steps/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "document/table.h"
#include "kernels/creators.h"
#include "kernels/roles.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "steps/period.h"
#include "steps/step_sizes.h"
#include "steps/steps_parts.h"
#include "steps/texts.h"

static const uint32_t left_out = UINT32_MAX; /* no slot has this number */

enum {
    LEAST_STEPS = 2,
    ENOUGH_STEPS = 3,
    LEVELS_MAX = 8,
    LEAST_INSIDE = 2 /* calls of an inner repeat */
};

static const char *const words[] = {
#define STEP_WORD(word) word,
#include "spec/step_words.def"
#undef STEP_WORD
    NULL};

/* The calls of a region in a thread. */
struct turns {
    uint32_t region;
    uint32_t thread;
    size_t count;
    uint64_t sum_ns;
};

static int compare_turns(const void *left, const void *right)
{
    const struct turns *one = left, *other = right;

    if (one->region != other->region)
        return one->region < other->region ? -1 : 1;
    return one->thread < other->thread ? -1 : one->thread > other->thread;
}

/* Gather the laps by region and thread. */
static void count_turns(struct array *turns, const struct session *session)
{
    const struct session_lap *lap = session->laps.items;
    struct turns *sorted;
    size_t kept = 0;

    for (size_t i = 0; i < session->laps.count; i++) {
        struct turns *one = array_add(turns);

        *one = (struct turns){lap[i].region, lap[i].thread, 1, lap[i].end_ns - lap[i].start_ns};
    }
    sorted = turns->items;
    if (turns->count > 0)
        qsort(sorted, turns->count, sizeof *sorted, compare_turns);
    for (size_t i = 1; i < turns->count; i++) {
        if (compare_turns(&sorted[kept], &sorted[i]) != 0) {
            sorted[++kept] = sorted[i];
            continue;
        }
        sorted[kept].count++;
        sorted[kept].sum_ns += sorted[i].sum_ns;
    }
    array_truncate(turns, turns->count > 0 ? kept + 1 : 0);
}

/* Whether the laps of one region are more likely the steps than another region's laps. */
static bool is_rather(const struct session *session, const struct turns *one,
                      const struct turns *other)
{
    const struct session_region *region = session_region_at(session, one->region);
    const struct session_region *with = session_region_at(session, other->region);
    bool is_named = role_name_has_any(region->label, words);

    if (is_named != role_name_has_any(with->label, words))
        return is_named;
    if (one->sum_ns != other->sum_ns)
        return one->sum_ns > other->sum_ns;
    return region->depth < with->depth;
}

/* Calls that a library marks are no steps of the program. */
static const struct turns *choose_turns(const struct session *session, const struct array *turns)
{
    const struct turns *one = turns->items, *chosen = NULL;

    for (size_t i = 0; i < turns->count; i++)
        if (one[i].count >= LEAST_STEPS &&
            !session_region_is_own(session_region_at(session, one[i].region)) &&
            !session_region_at(session, one[i].region)->look.is_library &&
            (!chosen || is_rather(session, &one[i], chosen)))
            chosen = &one[i];
    return chosen;
}

/* The inner call of a recursive region ends first: its outer call replaces it. */
static void add_lap(struct steps *steps, const struct session_lap *lap)
{
    const struct step *before = steps->steps.items;
    struct step *step;

    while (steps->steps.count > 0 && before[steps->steps.count - 1].start_ns >= lap->start_ns)
        array_truncate(&steps->steps, steps->steps.count - 1);
    step = array_add(&steps->steps);
    *step = (struct step){.start_ns = lap->start_ns, .end_ns = lap->end_ns};
}

static void take_laps(struct steps *steps, const struct session *session, const struct turns *turns)
{
    steps->source = STEPS_REGION;
    steps->region = turns->region;
    steps->thread = turns->thread;
    for (size_t i = 0; i < session->laps.count; i++) {
        const struct session_lap *lap = session_lap_at(session, i);

        if (lap->region == turns->region && lap->thread == turns->thread)
            add_lap(steps, lap);
    }
}

static void find_regions(struct steps *steps, const struct session *session)
{
    const struct turns *chosen;
    struct array turns;

    array_init(&turns, sizeof(struct turns));
    count_turns(&turns, session);
    chosen = choose_turns(session, &turns);
    if (chosen)
        take_laps(steps, session, chosen);
}

/* Find the thread with the most kernel time. */
static uint32_t find_thread(const struct session *session)
{
    const struct session_thread *thread = session->threads.items;
    uint32_t longest = 0;

    for (uint32_t i = 1; i < session->courses.count; i++)
        if (course_of(session, i)->calls.count > 0 &&
            (course_of(session, longest)->calls.count == 0 ||
             thread[i].kernel_ns > thread[longest].kernel_ns))
            longest = i;
    return longest;
}

/* A slot as a key of comparison, with or without its shape. */
struct slot_key {
    const struct session_slot *slot;
    bool has_shape;
};

static int compare_shapes(const struct session_slot *one, const struct session_slot *other)
{
    if (one->dims != other->dims)
        return one->dims < other->dims ? -1 : 1;
    return memcmp(one->shape, other->shape, one->dims * sizeof *one->shape);
}

static int compare_keys(const void *left, const void *right)
{
    const struct slot_key *one = left, *other = right;

    if (one->slot->binding != other->slot->binding)
        return one->slot->binding < other->slot->binding ? -1 : 1;
    if (one->slot->kernel != other->slot->kernel)
        return one->slot->kernel < other->slot->kernel ? -1 : 1;
    return one->has_shape ? compare_shapes(one->slot, other->slot) : 0;
}

/* Number the slots; equal ones share a number.
 * Returns: one number for each slot. */
static uint32_t *number_slots(const struct session *session, bool has_shape)
{
    size_t count = session->slots.count;
    const struct session_slot *slots = session->slots.items;
    uint32_t *numbers = pool_get((count + 1) * sizeof *numbers);
    struct slot_key *keys = pool_get((count + 1) * sizeof *keys);
    uint32_t number = 0;

    for (size_t i = 0; i < count; i++)
        keys[i] = (struct slot_key){&slots[i], has_shape};
    if (count > 0)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) {
        number += i > 0 && compare_keys(&keys[i - 1], &keys[i]) != 0;
        numbers[keys[i].slot - slots] = number;
    }
    return numbers;
}

/* Leaves out kernels with sampled timing, because a course lacks some of their calls.  Leaves out
 * calls that make, free or only query an object, because they come outside of steps, or only in the
 * first. */
static bool is_left_out(const struct session *session, const struct session_slot *slot)
{
    bool is_idle = slot->kernel && slot->kernel->class == CATALOG_OTHER && slot->flops_each == 0;

    return slot->timed_calls < slot->calls || is_idle ||
           creators_find(session_name_slot(session, slot));
}

/* Number the slots whose calls are searched for steps; other slots get left_out. */
static uint32_t *number_listed(const struct session *session, bool has_shape)
{
    uint32_t *numbers = number_slots(session, has_shape);

    for (size_t i = 0; i < session->slots.count; i++)
        if (is_left_out(session, session_slot_at(session, i)))
            numbers[i] = left_out;
    return numbers;
}

/* The calls of a course that are searched, with their symbols. */
struct listing {
    uint32_t *symbols;
    const struct course_call *calls;
    struct course_call *copied; /* NULL: the search uses all calls of the course, in place */
    size_t count;
};

static size_t count_listed(const struct array *course, const uint32_t *numbers)
{
    const struct course_call *calls = course->items;
    size_t count = 0;

    for (size_t i = 0; i < course->count; i++)
        count += numbers[calls[i].slot] != left_out;
    return count;
}

static void fill_listing(struct listing *listing, const struct array *course,
                         const uint32_t *numbers)
{
    const struct course_call *calls = course->items;

    for (size_t i = 0; i < course->count; i++) {
        if (numbers[calls[i].slot] == left_out)
            continue;
        listing->symbols[listing->count] = numbers[calls[i].slot];
        if (listing->copied)
            listing->copied[listing->count] = calls[i];
        listing->count++;
    }
}

static void list_numbered(struct listing *listing, const struct array *course,
                          const uint32_t *numbers)
{
    size_t count = count_listed(course, numbers);
    bool is_copied = count < course->count;

    *listing = (struct listing){
        .symbols = pool_get((count + 1) * sizeof *listing->symbols),
        .copied = is_copied ? pool_get((count + 1) * sizeof *listing->copied) : NULL,
    };
    listing->calls = is_copied ? listing->copied : course->items;
    fill_listing(listing, course, numbers);
}

static void list_calls(struct listing *listing, const struct session *session,
                       const struct session_course *course, bool has_shape)
{
    uint32_t *numbers = number_listed(session, has_shape);

    list_numbered(listing, &course->calls, numbers);
}

static void add_level(struct steps *steps, const struct period *period)
{
    struct steps_level *level = array_add(&steps->levels);

    *level = (struct steps_level){.calls = period->length,
                                  .repeats = period->starts.count,
                                  .first = *(const size_t *)period->starts.items};
}

/* Search a repeat for inner repeats that cover at least half of it. */
static void find_levels(struct steps *steps, const uint32_t *symbols, size_t first, size_t length)
{
    struct period_sequence within = {symbols + first, length, LEAST_STEPS};

    while (steps->levels.count < LEVELS_MAX) {
        struct period period;

        period_find(&period, &within);
        if (period.length < LEAST_INSIDE ||
            2 * period.length * period.starts.count < within.count) {
            break;
        }
        add_level(steps, &period);
        within.symbols += *(const size_t *)period.starts.items;
        within.count = period.length;
    }
}

/* A step lasts until the thread's next kernel starts. */
static void add_step(struct steps *steps, const struct listing *listing, size_t first,
                     size_t length)
{
    const struct course_call *calls = listing->calls;
    struct step *step = array_add(&steps->steps);
    size_t next = first + length;

    steps->is_last_cut = next == listing->count;
    *step =
        (struct step){.start_ns = calls[first].start_ns,
                      .end_ns = steps->is_last_cut ? course_end_ns(&calls[next - 1])
                                                   : calls[next].start_ns};
}

/* Search the calls behind a step for steps of another size. */
static void count_resized(struct steps *steps, const struct step_course *course,
                          const struct step_stretch *step, size_t next)
{
    struct step_stretch left = {step->first + step->count, next - step->first - step->count};
    size_t matched;

    while ((matched = step_sizes_match(course, step, &left)) > 0) {
        steps->resized++;
        steps->resized_calls += matched;
        left.first += matched;
        left.count -= matched;
    }
}

static void count_all_resized(struct steps *steps, const struct session *session,
                              const struct listing *listing, const struct period *period)
{
    uint32_t *run_ends = step_sizes_find_runs(listing->symbols, listing->count);
    const struct step_course course = {session, listing->calls, listing->symbols, run_ends};
    const size_t *starts = period->starts.items;

    for (size_t i = 0; i < period->starts.count; i++)
        count_resized(steps, &course, &(struct step_stretch){starts[i], period->length},
                      i + 1 < period->starts.count ? starts[i + 1] : listing->count);
}

static void count_strays(struct steps *steps, const struct period *period)
{
    const size_t *starts = period->starts.items;
    size_t last = period->starts.count - 1;

    steps->before = starts[0];
    steps->after = steps->calls - starts[last] - period->length;
    for (size_t i = 1; i <= last; i++) {
        size_t between = starts[i] - starts[i - 1] - period->length;

        steps->strays += between;
        steps->stray_places += between > 0;
    }
}

static void take_period(struct steps *steps, const struct listing *listing,
                        const struct period *period)
{
    const size_t *starts = period->starts.items;

    add_level(steps, period);
    array_reserve(&steps->steps, period->starts.count);
    for (size_t i = 0; i < period->starts.count; i++)
        add_step(steps, listing, starts[i], period->length);
    count_strays(steps, period);
    find_levels(steps, listing->symbols, starts[0], period->length);
}

static void find_calls(struct steps *steps, const struct session *session, enum steps_source source)
{
    struct listing listing;
    struct period period;

    list_calls(&listing, session, course_of(session, steps->thread), source == STEPS_CALLS);
    steps->calls = listing.count;
    period_find(&period, &(struct period_sequence){listing.symbols, listing.count, ENOUGH_STEPS});
    if (period.length > 0) {
        steps->source = source;
        if (source == STEPS_CALLS)
            count_all_resized(steps, session, &listing, &period);
        take_period(steps, &listing, &period);
    }
}

static bool is_thread_whole(const struct session *session, uint32_t thread)
{
    const struct session_thread *of = session_thread_at(session, thread);

    return of->lost_records == 0 && session->losses.overwritten_records == 0 &&
           session->losses.torn_chunks == 0;
}

static void find_kernels(struct steps *steps, const struct session *session)
{
    steps->thread = find_thread(session);
    steps->reason = steps_drawn_text.words;
    if (session->has_drawn_calls)
        return;
    steps->reason = NULL;
    steps->is_whole = session->threads.count > 0 && is_thread_whole(session, steps->thread);
    find_calls(steps, session, STEPS_CALLS);
    if (steps->source == STEPS_NONE)
        find_calls(steps, session, STEPS_KERNELS);
    if (steps->source == STEPS_NONE)
        steps->reason =
            steps->calls < LEAST_STEPS ? steps_few_calls_text.words : steps_no_sequence_text.words;
}

/* If not all ops were recorded, kernels show more. */
static void find_inferred(struct steps *steps, const struct session *session)
{
    bool has_all = steps_has_all_ops(session);

    if (has_all)
        steps_find_ops(steps, session);
    if (steps->source != STEPS_NONE || steps->reason)
        return;
    find_kernels(steps, session);
    if (has_all || steps->source != STEPS_NONE)
        return;
    steps_find_ops(steps, session);
}

void steps_init(struct steps *steps, const struct session *session)
{
    *steps = (struct steps){.source = STEPS_NONE};
    array_init(&steps->steps, sizeof(struct step));
    array_init(&steps->levels, sizeof(struct steps_level));
    find_regions(steps, session);
    if (steps->source == STEPS_NONE)
        find_inferred(steps, session);
}

void steps_say_none(struct table *table, const struct steps *steps)
{
    table_say(table, steps_not_found_text, said_words(steps->reason));
}

bool steps_are_told(const struct steps *steps)
{
    return steps->source == STEPS_REGION || steps->source == STEPS_OPTIMIZER ||
           steps->source == STEPS_BACKWARD || steps->source == STEPS_MODULE;
}

size_t steps_count_whole(const struct steps *steps)
{
    return steps->steps.count - (steps->is_last_cut ? 1 : 0);
}
