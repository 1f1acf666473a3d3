/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bound for untimed calls, from the time between drawn calls.
 *
 * A stretch is the time between two drawn calls that are consecutive in the records of a thread.
 * Its number of untimed calls is the drawn gap: 128 on average, evenly distributed from 1 to 255.
 * Let E be the time of a stretch without tprof's own cost, and g its untimed calls. g times their
 * mean is at most E, so the mean is at most sum E / sum g.  The difference is the program's own
 * work between the calls, such as its loop: the bound is too high by it, and never too low.
 *
 * The sum of all gaps is known: it is the count of the untimed calls.  So if every stretch counts,
 * the mean has no sampling error.  Two kinds of stretches do not count: those above four times the
 * median, as a long gap alone makes at most twice the median, and those that another record
 * interrupts.  A long stretch is interrupted more often than a short one: an interrupted gap has
 * E[g^2] / E[g] = 4/3 of the overall mean.  If a share f is interrupted, the others have (1 - 4f/3)
 * / (1 - f) of the overall mean, which is exact up to every second one.
 *
 * Calls of other slots may lie in a stretch.  A slot is alone if the drawn call before each of its
 * own is nearly always its own, too; then the calls between are also its own.  All other slots of a
 * thread are one group: their calls share the time in proportion to their drawn times.
 */
#include "model/untimed.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/course.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

/* Fewer stretches say nothing: even with 30, the gaps alone leave an error of a tenth. */
enum { STRETCHES_LEAST = 30, USUAL_MEDIANS = 4, ALONE_PARTS = 16 };

/* The time from the end of a drawn call to the start of the next record, which is also a drawn
 * call. */
struct stretch {
    uint32_t before; /* the slots of these calls */
    uint32_t after;
    uint32_t group;
    uint32_t drawn_ns; /* time of the second call */
    uint64_t ns;
};

/* The drawn calls of a slot. */
struct draws {
    size_t seen;     /* in the course, the first ones too */
    size_t drawn;    /* number of drawn calls */
    size_t behind;   /* those after a call of the same slot */
    size_t usual;    /* those whose stretch counts */
    double usual_ns; /* time of these */
};

struct work {
    const struct session *session;
    const struct untimed_drawn *of; /* drawn calls by slot */
    struct draws *draws;            /* draws by slot */
    bool *leaves_out;               /* by thread: calls of other kernels were left out, too */
    struct array stretches;
};

static bool has_drawn(const struct work *work, size_t slot)
{
    return work->of[slot].first != SIZE_MAX;
}

static void add_stretch(struct work *work, const struct course_call *before,
                        const struct course_call *after)
{
    uint64_t end_ns = course_end_ns(before), drawn_ns = course_length_ns(after);
    struct stretch *stretch = array_add_raw(&work->stretches);

    *stretch = (struct stretch){.before = before->slot,
                                .after = after->slot,
                                .drawn_ns = drawn_ns < UINT32_MAX ? (uint32_t)drawn_ns : UINT32_MAX,
                                .ns = after->start_ns > end_ns ? after->start_ns - end_ns : 0};
    work->draws[after->slot].behind += before->slot == after->slot;
}

/* Count a call.  Returns: whether it was drawn. */
static bool count_call(struct work *work, uint32_t slot)
{
    struct draws *draws = &work->draws[slot];
    bool is_drawn = draws->seen++ >= work->of[slot].first;

    draws->drawn += is_drawn;
    return is_drawn;
}

static bool is_usual(const struct work *work, const struct course_call *call)
{
    return (double)course_length_ns(call) <= work->of[call->slot].most_ns;
}

static void gather_course(struct work *work, const struct session_course *course)
{
    const struct course_call *calls = course->calls.items, *before = NULL;

    for (size_t i = 0; i < course->calls.count; i++) {
        bool is_drawn = count_call(work, calls[i].slot);

        if (is_drawn && before && is_usual(work, &calls[i]))
            add_stretch(work, before, &calls[i]);
        before = is_drawn ? &calls[i] : NULL;
    }
}

static void gather(struct work *work)
{
    for (size_t i = 0; i < work->session->courses.count; i++)
        gather_course(work, array_at(&work->session->courses, i));
}

/* Calls that were left out took their part of the gaps, and not all that were timed are drawn. */
static void find_left_out(struct work *work)
{
    const struct session_slot *slot = work->session->slots.items;

    for (size_t i = 0; i < work->session->slots.count; i++)
        if (!has_drawn(work, i) && slot[i].calls > slot[i].timed_calls)
            work->leaves_out[slot[i].thread] = true;
}

static bool is_alone(const struct draws *draws)
{
    return draws->behind * ALONE_PARTS >= draws->drawn * (ALONE_PARTS - 1);
}

/* Returns: the number of a slot that is alone, or one beyond all slots for the other slots of its
 * thread; SESSION_NONE if these are left out. */
static uint32_t group_of(const struct work *work, uint32_t index)
{
    const struct session_slot *slot = session_slot_at(work->session, index);

    if (is_alone(&work->draws[index]))
        return index;
    return work->leaves_out[slot->thread] ? SESSION_NONE
                                          : (uint32_t)work->session->slots.count + slot->thread;
}

static int compare_stretches(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->ns > b->ns) - (a->ns < b->ns);
}

/* Stretches between groups belong to none, and come last. */
static void sort(struct work *work)
{
    struct stretch *stretch = work->stretches.items;

    for (size_t i = 0; i < work->stretches.count; i++) {
        uint32_t group = group_of(work, stretch[i].after);

        stretch[i].group = group == group_of(work, stretch[i].before) ? group : SESSION_NONE;
    }
    if (work->stretches.count > 0)
        qsort(stretch, work->stretches.count, sizeof *stretch, compare_stretches);
}

/* The stretches of a group that count, shortest first. */
struct group {
    const struct stretch *stretches;
    size_t count;
    double gap;       /* mean number of untimed calls in a stretch */
    double passed_ns; /* for one untimed call */
    double error_ns;  /* standard error of the drawn calls' excess */
};

static size_t count_usual(const struct stretch *stretches, size_t count)
{
    uint64_t most_ns = USUAL_MEDIANS * stretches[(count - 1) / 2].ns;

    while (stretches[count - 1].ns > most_ns)
        count--;
    return count;
}

/* Returns: the first slot of a group, from `number` on; the count of all slots when there is
 * none. */
static uint32_t find_member(const struct work *work, uint32_t number, uint32_t from)
{
    uint32_t count = (uint32_t)work->session->slots.count;

    if (number < count)
        return from <= number ? number : count;
    while (from < count && (!has_drawn(work, from) || group_of(work, from) != number))
        from++;
    return from;
}

/* Returns: the mean gap of the stretches that count; NAN if too few count. */
static double find_gap(const struct work *work, const struct group *group)
{
    const struct session_slot *slot = work->session->slots.items;
    uint32_t number = group->stretches->group;
    double drawn = 0, untimed = 0, spoilt;

    if (group->count < STRETCHES_LEAST)
        return (double)NAN;
    for (uint32_t i = find_member(work, number, 0); i < work->session->slots.count;
         i = find_member(work, number, i + 1)) {
        drawn += (double)slot[i].timed_calls - (double)work->of[i].first;
        untimed += (double)(slot[i].calls - slot[i].timed_calls);
    }
    spoilt = fmax(0, 1 - (double)group->count / drawn);
    return spoilt > 0.5 ? (double)NAN : untimed / drawn * (1 - spoilt * 4 / 3) / (1 - spoilt);
}

static double drawn_ns(const struct session *session, const struct stretch *stretch)
{
    const struct session_slot *slot = session_slot_at(session, stretch->after);

    return (double)stretch->drawn_ns - session_inner_cost_ns(session, slot);
}

/* Returns: an upper bound for an untimed call, from one stretch.  The cost of counting is
 * subtracted from each untimed call, and the cost outside of its own time from the drawn call. */
static double passed_ns(const struct session *session, const struct stretch *stretch, double gap)
{
    const struct session_overhead *cost = &session->overhead;

    return ((double)stretch->ns - (cost->kernel_ns - cost->kernel_inner_ns)) / gap -
           cost->counted_ns;
}

static void sum_group(const struct work *work, struct group *group)
{
    double excess_ns = 0, squares = 0;

    for (size_t i = 0; i < group->count; i++) {
        const struct stretch *stretch = &group->stretches[i];
        struct draws *draws = &work->draws[stretch->after];
        double ns = drawn_ns(work->session, stretch);
        double passed = passed_ns(work->session, stretch, group->gap);
        double away = ns - passed - excess_ns;

        draws->usual++;
        draws->usual_ns += ns;
        group->passed_ns += (passed - group->passed_ns) / (double)(i + 1);
        excess_ns += away / (double)(i + 1);
        squares += away * away * (double)i / (double)(i + 1);
    }
    group->error_ns = sqrt(squares / (double)(group->count - 1) / (double)group->count);
}

/* Returns: the mean time of a slot's drawn calls; 0 if none counts. */
static double mean_drawn_ns(const struct work *work, uint32_t slot)
{
    const struct draws *draws = &work->draws[slot];

    return draws->usual > 0 ? fmax(0, draws->usual_ns) / (double)draws->usual : 0;
}

/* Returns: the same for a group, with each slot weighted by its untimed calls instead of its drawn
 * ones. */
static double weigh_drawn_ns(const struct work *work, uint32_t number)
{
    const struct session_slot *slot = work->session->slots.items;
    double sum_ns = 0, untimed = 0;

    for (uint32_t i = find_member(work, number, 0); i < work->session->slots.count;
         i = find_member(work, number, i + 1))
        if (work->draws[i].usual > 0) {
            sum_ns += (double)(slot[i].calls - slot[i].timed_calls) * mean_drawn_ns(work, i);
            untimed += (double)(slot[i].calls - slot[i].timed_calls);
        }
    return untimed > 0 ? sum_ns / untimed : 0;
}

/* Each slot gets a part in proportion to its own drawn calls. */
static void share_excess(const struct work *work, const struct group *group,
                         struct untimed_excess *excess)
{
    uint32_t number = group->stretches->group;
    double whole_ns = weigh_drawn_ns(work, number);

    if (whole_ns <= fmax(0, group->passed_ns))
        return;
    for (uint32_t i = find_member(work, number, 0); i < work->session->slots.count;
         i = find_member(work, number, i + 1)) {
        double part = mean_drawn_ns(work, i) / whole_ns;

        excess[i].ns = part * (whole_ns - fmax(0, group->passed_ns));
        excess[i].error_ns = part * group->error_ns;
    }
}

static void find_excess(const struct work *work, struct untimed_excess *excess)
{
    const struct stretch *stretch = work->stretches.items;
    size_t count = work->stretches.count, end;

    for (size_t first = 0; first < count && stretch[first].group != SESSION_NONE; first = end) {
        struct group group = {.stretches = &stretch[first]};

        for (end = first + 1; end < count && stretch[end].group == stretch[first].group;)
            end++;
        group.count = count_usual(group.stretches, end - first);
        group.gap = find_gap(work, &group);
        if (isnan(group.gap))
            continue;
        sum_group(work, &group);
        share_excess(work, &group, excess);
    }
}

void untimed_find(const struct session *session, const struct untimed_drawn *drawn,
                  struct untimed_excess *excess)
{
    struct work work = {.session = session,
                        .of = drawn,
                        .draws = memory_get_zeros(session->slots.count + 1, sizeof *work.draws),
                        .leaves_out =
                            memory_get_zeros(session->threads.count + 1, sizeof *work.leaves_out)};

    array_init(&work.stretches, sizeof(struct stretch));
    gather(&work);
    find_left_out(&work);
    sort(&work);
    find_excess(&work, excess);
    free(work.draws);
    free(work.leaves_out);
    array_fini(&work.stretches);
}
