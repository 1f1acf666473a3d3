/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The course of the live heap, in stretches of equal length.
 *
 * An event costs two comparisons.  Closing a stretch is rare, and all doubling together is less
 * than twice the work of closing.
 */
#include "model/moments.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/session_heap.h"

/* Less than a microsecond: no recording is too short for some stretches. */
static const uint64_t moments_first_length = 1024;

/* Later than this, in ticks since the start, is damage; the end of no stretch
 * overflows. */
static const uint64_t moments_latest = UINT64_MAX / 2;

void moments_fini(struct moments *moments)
{
    free(moments->closed);
    free(moments->ratios);
    *moments = (struct moments){0};
}

static uint64_t since_start(const struct moments *moments, uint64_t ticks)
{
    uint64_t since = ticks > moments->start ? ticks - moments->start : 0;

    return since < moments_latest ? since : moments_latest;
}

/* Returns: the end of the open stretch since the start. */
static uint64_t open_end(const struct moments *moments)
{
    return (moments->count + 1) * moments->length;
}

static void set_end(struct moments *moments)
{
    uint64_t end = open_end(moments);

    moments->end = end < UINT64_MAX - moments->start ? moments->start + end : UINT64_MAX;
}

void moments_init(struct moments *moments, uint64_t start, uint64_t end)
{
    *moments = (struct moments){
        .closed = memory_get_zeros(SESSION_MOMENTS, sizeof *moments->closed),
        .ratios = memory_get_zeros(SESSION_MOMENTS, sizeof *moments->ratios),
        .start = start,
        .length = moments_first_length,
    };
    while (since_start(moments, end) >= SESSION_MOMENTS * moments->length)
        moments->length *= 2;
    set_end(moments);
}

static void merge_pairs(struct moments *moments)
{
    struct session_moment *moment = moments->closed;

    for (size_t i = 0; i < SESSION_MOMENTS / 2; i++) {
        struct session_moment first = moment[2 * i];
        struct session_moment pair = moment[2 * i + 1];

        pair.time_ns = first.time_ns;
        pair.min_bytes = first.min_bytes < pair.min_bytes ? first.min_bytes : pair.min_bytes;
        pair.max_bytes = first.max_bytes > pair.max_bytes ? first.max_bytes : pair.max_bytes;
        moment[i] = pair;
        moments->ratios[i] = moments->ratios[2 * i + 1];
    }
    moments->count = SESSION_MOMENTS / 2;
    moments->length *= 2;
}

static void close_open(struct moments *moments, const struct moments_state *state)
{
    moments->closed[moments->count] = (struct session_moment){
        .time_ns = moments->count * moments->length,
        .min_bytes = moments->min,
        .max_bytes = moments->max,
        .last_bytes = state->bytes,
        .last_blocks = state->blocks,
        .mapped_bytes = state->mapped_bytes,
        .obtained_blocks = state->obtained_blocks,
        .obtained_bytes = state->obtained_bytes,
    };
    moments->ratios[moments->count] = state->ratio;
    moments->count++;
    moments->min = moments->max = state->bytes;
}

void moments_close(struct moments *moments, uint64_t ticks, const struct moments_state *state)
{
    uint64_t now = since_start(moments, ticks);

    while (now >= open_end(moments)) {
        close_open(moments, state);
        if (moments->count == SESSION_MOMENTS)
            merge_pairs(moments);
    }
    set_end(moments);
}

void moments_finish(struct moments *moments, uint64_t ticks, const struct moments_state *state)
{
    moments_close(moments, ticks, state);
    close_open(moments, state);
}

void moments_settle_ratios(struct moments *moments, double last)
{
    for (size_t i = moments->count; i > 0; i--) {
        if (moments->ratios[i - 1] > 0)
            last = moments->ratios[i - 1];
        moments->ratios[i - 1] = last;
    }
}

void moments_convert(struct moments *moments, double last)
{
    for (size_t i = 0; i < moments->count; i++) {
        struct session_moment *moment = &moments->closed[i];
        double ratio = moments->ratios[i];

        moment->min_bytes = moments_scale(moment->min_bytes, ratio);
        moment->max_bytes = moments_scale(moment->max_bytes, ratio);
        moment->last_bytes = moments_scale(moment->last_bytes, ratio);
    }
    moments->min = moments_scale(moments->min, last);
    moments->max = moments_scale(moments->max, last);
}
