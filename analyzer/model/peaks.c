/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The highest value of a quantity since each of many past moments.
 *
 * The maxima since past moments only fall with time, so they form a stack of steps that falls
 * strictly from bottom to top.  If the value rises, the top step rises, and removes the steps below
 * that are not higher.  Each step is removed once, so a change has a constant cost on average.
 */
#include "model/peaks.h"

#include <assert.h>

#include "model/moments.h"

/* All moments from `first` up to the next step's have the same maximum since then. */
struct peaks_step {
    uint64_t first;
    uint64_t highest;
    uint64_t count; /* number of moments still remembered */
};

void peaks_init(struct peaks *peaks)
{
    *peaks = (struct peaks){.top = UINT64_MAX};
    array_init(&peaks->steps, sizeof(struct peaks_step));
}

void peaks_fini(struct peaks *peaks)
{
    array_fini(&peaks->steps);
}

/* Without a moment to look back to, no value matters. */
static void note_top(struct peaks *peaks)
{
    const struct peaks_step *step = peaks->steps.items;
    size_t count = peaks->steps.count;

    peaks->top = count > 0 ? step[count - 1].highest : UINT64_MAX;
}

void peaks_raise_top(struct peaks *peaks, uint64_t value)
{
    struct peaks_step *step = peaks->steps.items;
    size_t count = peaks->steps.count;

    step[count - 1].highest = value;
    while (count > 1 && step[count - 2].highest <= value) {
        step[count - 2].count += step[count - 1].count;
        step[count - 2].highest = value;
        count--;
    }
    array_truncate(&peaks->steps, count);
    peaks->top = value;
}

void peaks_mark(struct peaks *peaks, uint64_t value, uint64_t *moment)
{
    struct peaks_step *step = array_add(&peaks->steps);

    *moment = peaks->moments++;
    *step = (struct peaks_step){.first = *moment, .count = 1};
    peaks_raise_top(peaks, value);
}

/* Returns: the index of the step that holds the moment. */
static size_t find(const struct peaks *peaks, uint64_t moment)
{
    const struct peaks_step *step = peaks->steps.items;
    size_t low = 0;
    size_t high = peaks->steps.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (step[middle].first <= moment)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t peaks_forget(struct peaks *peaks, uint64_t moment)
{
    struct peaks_step *step = peaks->steps.items;
    size_t count = peaks->steps.count;

    assert(count > 0 && moment < peaks->moments);
    size_t at = find(peaks, moment);
    uint64_t highest = step[at].highest;
    step[at].count--;
    while (count > 0 && step[count - 1].count == 0)
        count--;
    array_truncate(&peaks->steps, count);
    note_top(peaks);
    return highest;
}

void peaks_scale(struct peaks *peaks, double ratio)
{
    struct peaks_step *step = peaks->steps.items;

    for (size_t i = 0; i < peaks->steps.count; i++)
        step[i].highest = moments_scale(step[i].highest, ratio);
    note_top(peaks);
}
