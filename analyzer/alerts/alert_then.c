/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of a span of time, by region, by op and by line, and its waits.
 */
#include "alerts/alert_then.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/own_lines.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

enum { SAMPLES_LOOKED_AT = 64 };

/* A sample of the session, and its periods in the span. */
struct weighed {
    uint32_t sample;
    uint64_t periods;
};

static const struct session_sample *sample_of(const struct session *session, uint32_t index)
{
    return array_at(&session->samples, index);
}

/* Returns: the periods of each sample in the span, of the pool in use. */
static uint64_t *weigh(const struct session *session, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t *periods = pool_get_zeros(session->samples.count + 1, sizeof *periods);
    const struct session_tick *tick = session->ticks.items;

    for (size_t i = 0; i < session->ticks.count; i++)
        if (tick[i].time_ns >= from_ns && tick[i].time_ns <= to_ns)
            periods[tick[i].sample] += tick[i].periods;
    return periods;
}

static int compare_weighed(const void *left, const void *right)
{
    const struct weighed *a = left, *b = right;

    return (a->periods < b->periods) - (a->periods > b->periods);
}

/* Returns: the samples with periods, the most first; `count` of them. */
static struct weighed *sort(const struct session *session, const uint64_t *periods, size_t *count)
{
    struct weighed *all = pool_get((session->samples.count + 1) * sizeof *all);

    *count = 0;
    for (uint32_t i = 0; i < session->samples.count; i++)
        if (periods[i] > 0)
            all[(*count)++] = (struct weighed){i, periods[i]};
    qsort(all, *count, sizeof *all, compare_weighed);
    return all;
}

static uint32_t region_of(const struct session_sample *sample)
{
    return sample->region;
}

static uint32_t op_of(const struct session_sample *sample)
{
    return sample->op;
}

/* Returns: the index that has the most periods; 0: none has, or the index 0 has. */
static uint32_t find_most(const struct session *session, const uint64_t *periods, size_t indices,
                          uint32_t (*index_of)(const struct session_sample *))
{
    uint64_t *sums = pool_get_zeros(indices + 1, sizeof *sums);
    uint32_t most = 0;

    for (uint32_t i = 0; i < session->samples.count; i++) {
        uint32_t index = index_of(sample_of(session, i));

        if (index < indices)
            sums[index] += periods[i];
    }
    for (uint32_t i = 1; i < indices; i++)
        if (sums[i] > sums[most])
            most = i;
    return most;
}

/* The own line of a sample, or the name of its kernel. */
static void append_place(struct text *text, const struct session *session, struct places *places,
                         const struct session_sample *sample)
{
    const struct place *place =
        sample->call != 0 ? own_lines_find(session, places, sample->call) : NULL;

    if (place)
        place_append_short(text, place);
    else if (sample->slot != SESSION_NONE)
        text_append(text, session_name_slot(session, session_slot_at(session, sample->slot)));
}

/* A place by its text, with its periods. */
struct named {
    struct text text;
    uint64_t periods;
};

static void add_named(struct array *all, struct text *text, uint64_t periods)
{
    struct named *named = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (strcmp(named[i].text.bytes, text->bytes) == 0) {
            named[i].periods += periods;
            return;
        }
    named = array_add(all);
    *named = (struct named){*text, periods};
}

static void find_place(struct alert_then *then, const struct session *session,
                       struct places *places, const uint64_t *periods)
{
    const struct named *most = NULL, *named;
    struct array all;
    size_t count;
    struct weighed *weighed = sort(session, periods, &count);

    array_init(&all, sizeof(struct named));
    for (size_t i = 0; i < count && i < SAMPLES_LOOKED_AT; i++) {
        struct text text;

        text_init(&text);
        append_place(&text, session, places, sample_of(session, weighed[i].sample));
        if (text.size > 0)
            add_named(&all, &text, weighed[i].periods);
    }
    named = all.items;
    for (size_t i = 0; i < all.count; i++)
        if (!most || named[i].periods > most->periods)
            most = &named[i];
    if (most)
        text_append(&then->place, most->text.bytes);
}

static uint64_t overlap(const struct session_wait_call *call, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t start_ns = call->start_ns > from_ns ? call->start_ns : from_ns;
    uint64_t end_ns = call->end_ns < to_ns ? call->end_ns : to_ns;

    return end_ns > start_ns ? end_ns - start_ns : 0;
}

/* A worker that has no work waits, too, but nobody waits for that. */
static void find_waiting(struct alert_then *then, const struct session *session, uint64_t from_ns,
                         uint64_t to_ns)
{
    uint64_t *sums = pool_get_zeros(session->waits.count + 1, sizeof *sums);
    size_t most = 0;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);

        if (session_wait_at(session, call->wait)->class != TRACE_WAIT_CLASS_IDLE)
            sums[call->wait] += overlap(call, from_ns, to_ns);
    }
    for (size_t i = 1; i < session->waits.count; i++)
        if (sums[i] > sums[most])
            most = i;
    if (sums[most] == 0)
        return;
    text_append(&then->waiting, session_wait_at(session, most)->function);
    if (session_wait_at(session, most)->name)
        text_appendf(&then->waiting, " %s", session_wait_at(session, most)->name);
}

/* A region without samples may have been open all the time. */
static void find_open_region(struct alert_then *then, const struct session *session,
                             uint64_t from_ns, uint64_t to_ns)
{
    const struct session_lap *lap = session->laps.items;
    uint64_t most_ns = 0;

    for (size_t i = 0; i < session->laps.count; i++) {
        uint64_t start_ns = lap[i].start_ns > from_ns ? lap[i].start_ns : from_ns;
        uint64_t end_ns = lap[i].end_ns < to_ns ? lap[i].end_ns : to_ns;

        if (end_ns > start_ns && end_ns - start_ns >= most_ns && lap[i].region != 0) {
            most_ns = end_ns - start_ns;
            then->region = session_region_at(session, lap[i].region)->path;
        }
    }
}

void alert_then_find(struct alert_then *then, const struct session *session, struct places *places,
                     uint64_t from_ns, uint64_t to_ns)
{
    const uint64_t *periods = weigh(session, from_ns, to_ns);
    uint32_t region = find_most(session, periods, session->regions.count, region_of);
    uint32_t op = find_most(session, periods, session->ops.count, op_of);

    *then = (struct alert_then){0};
    text_init(&then->place);
    text_init(&then->waiting);
    if (region != 0)
        then->region = session_region_at(session, region)->path;
    else
        find_open_region(then, session, from_ns, to_ns);
    if (op != 0)
        then->op = ((const struct session_op *)array_at(&session->ops, op))->name;
    find_place(then, session, places, periods);
    find_waiting(then, session, from_ns, to_ns);
}
