/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps of another size.  Consecutive calls of one kernel and shape are a run; the runs of a step
 * are compared with those of the stretch.
 */
#include "steps/step_sizes.h"

#include <stdbool.h>

#include "base/pool.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"

enum {
    LEAST_RUNS = 3, /* fewer are in much that is no step */
    PLACES_MAX = 32
};

static const struct session_slot *slot_at(const struct step_course *course, size_t index)
{
    return session_slot_at(course->session, course->calls[index].slot);
}

/* The batch is one value of a shape: with several values another stays the same. */
static bool shares_a_value(const struct session_slot *one, const struct session_slot *other)
{
    for (unsigned i = 0; i < one->dims; i++)
        if (one->shape[i] == other->shape[i])
            return true;
    return one->dims <= 1;
}

static bool is_like(const struct session_slot *one, const struct session_slot *other)
{
    return one->binding == other->binding && one->kernel == other->kernel &&
           one->dims == other->dims && shares_a_value(one, other);
}

uint32_t *step_sizes_find_runs(const uint32_t *symbols, size_t count)
{
    uint32_t *ends = pool_get((count + 1) * sizeof *ends);

    for (size_t i = count; i-- > 0;)
        ends[i] = i + 1 < count && symbols[i + 1] == symbols[i] ? ends[i + 1] : (uint32_t)(i + 1);
    return ends;
}

/* A run may have millions of calls, and each run of a step may look at it.
 * Returns: the index behind the run that starts at `first`. */
static size_t skip_run(const struct step_course *course, size_t first, size_t end)
{
    return course->run_ends[first] < end ? course->run_ends[first] : end;
}

static size_t count_runs(const struct step_course *course, size_t first, size_t end)
{
    size_t runs = 0;

    for (size_t at = first; at < end; at = skip_run(course, at, end))
        runs++;
    return runs;
}

/* Positions in the stretch where the next run of the step may start.  Further positions are not
 * followed: a step may be missed then, but none is invented. */
struct places {
    size_t at[PLACES_MAX];
    size_t count;
};

static void add_place(struct places *places, size_t at)
{
    for (size_t i = 0; i < places->count; i++)
        if (places->at[i] == at)
            return;
    if (places->count < PLACES_MAX)
        places->at[places->count++] = at;
}

/* The present match: a run of the step, and the end of the stretch. */
struct follower {
    const struct step_course *course;
    size_t run, length; /* its first call, and how many it has */
    size_t end;
    bool is_last;
};

/* Two kernels of a step may have the same shape by chance but not in a step of another size, or
 * vice versa.  So a run of several calls may match several runs there, or a part of one. */
static void follow_from(const struct follower *of, size_t at, struct places *next)
{
    for (size_t i = 0; i < of->length && at < of->end; i++) {
        size_t behind;

        if (!is_like(slot_at(of->course, of->run), slot_at(of->course, at)))
            return;
        behind = skip_run(of->course, at, of->end);
        add_place(next, behind);
        if (behind - at > 1 && !of->is_last)
            add_place(next, at);
        at = behind;
    }
}

/* Returns: the end if the whole stretch is the step; else the first of the positions. */
static size_t choose_end(const struct places *places, size_t end)
{
    size_t chosen = end;

    for (size_t i = 0; i < places->count; i++) {
        if (places->at[i] == end)
            return end;
        if (places->at[i] < chosen)
            chosen = places->at[i];
    }
    return chosen;
}

size_t step_sizes_match(const struct step_course *course, const struct step_stretch *step,
                        const struct step_stretch *stretch)
{
    const size_t step_end = step->first + step->count;
    struct follower of = {.course = course, .end = stretch->first + stretch->count};
    struct places places = {{stretch->first}, 1};
    size_t runs = count_runs(course, step->first, step_end), end, found;

    for (size_t at = step->first; at < step_end && places.count > 0; at += of.length) {
        struct places next = {.count = 0};

        of.run = at;
        of.length = skip_run(course, at, step_end) - at;
        of.is_last = at + of.length == step_end;
        for (size_t i = 0; i < places.count; i++)
            follow_from(&of, places.at[i], &next);
        places = next;
    }
    if (places.count == 0)
        return 0;
    end = choose_end(&places, of.end);
    found = count_runs(course, stretch->first, end);
    return runs >= LEAST_RUNS && found >= LEAST_RUNS && 2 * found >= runs ? end - stretch->first
                                                                          : 0;
}
