/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sums of each phase of a program, from one session.
 *
 * Readings have the exact sums of the process, but only at intervals.  A border between two
 * readings splits their difference in proportion: to samples for processor time, to long calls for
 * read bytes; without these, to time.  Blocks are counted in at least a thousand stretches of the
 * heap's course; a border within a stretch splits it.
 *
 * Decision: doc/decisions/phases.
 */
#include "steps/phase_sums.h"

#include <math.h>
#include <stddef.h>

#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/wait_split.h"

/* ---- sums of readings --------------------------------------------------- */

/* A sum of the process: at readings, and the known part between readings. */
struct course_sum {
    double (*value)(const struct trace_reading *reading);
    double (*seen)(const struct session *session, uint64_t from_ns, uint64_t to_ns);
};

static double known(uint64_t value)
{
    return value == SESSION_UNKNOWN ? (double)NAN : (double)value;
}

static double read_cpu(const struct trace_reading *reading)
{
    return known(reading->user_ns) + known(reading->system_ns);
}

static double read_bytes(const struct trace_reading *reading)
{
    return known(reading->called_bytes);
}

static double see_samples(const struct session *session, uint64_t from_ns, uint64_t to_ns)
{
    const struct session_tick *tick = session->ticks.items;
    double periods = 0;

    for (size_t i = 0; i < session->ticks.count; i++)
        if (tick[i].time_ns >= from_ns && tick[i].time_ns < to_ns)
            periods += tick[i].periods;
    return periods * (double)session->sampling.period_ns * session->sampling.ticks_of;
}

static double see_input(const struct session *session, uint64_t from_ns, uint64_t to_ns)
{
    double bytes = 0;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);

        if (call->end_ns >= from_ns && call->end_ns < to_ns &&
            session_wait_at(session, call->wait)->is_input)
            bytes += (double)call->bytes;
    }
    return bytes;
}

static const struct course_sum cpu_sum = {read_cpu, see_samples};
static const struct course_sum input_sum = {read_bytes, see_input};

/* Two readings that follow one another.  Where the last is missing, `to_value` is unknown. */
struct stretch {
    uint64_t from_ns;
    uint64_t to_ns;
    double from_value;
    double to_value;
};

static struct stretch find_stretch(const struct session *session, const struct course_sum *sum,
                                   uint64_t time_ns)
{
    const struct session_process *process = &session->process;
    struct stretch stretch = {0, process->wall_ns, 0, (double)NAN};

    if (process->has_last)
        stretch.to_value = sum->value(&process->last);
    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = session_reading_at(session, i);
        double value = sum->value(&reading->values);

        if (isnan(value))
            continue;
        if (reading->time_ns > time_ns) {
            stretch.to_ns = reading->time_ns;
            stretch.to_value = value;
            break;
        }
        stretch.from_ns = reading->time_ns;
        stretch.from_value = value;
    }
    return stretch;
}

/* Returns: the sum up to an instant; after the last reading of a killed process, only the observed
 * part. */
static double sum_until(const struct session *session, const struct course_sum *sum,
                        uint64_t time_ns)
{
    struct stretch stretch = find_stretch(session, sum, time_ns);
    double before = sum->seen(session, stretch.from_ns, time_ns);
    double all = before + sum->seen(session, time_ns, stretch.to_ns);

    if (isnan(stretch.to_value))
        return stretch.from_value + before;
    if (all <= 0) {
        before = (double)(time_ns - stretch.from_ns);
        all = (double)(stretch.to_ns - stretch.from_ns);
    }
    if (all <= 0)
        return stretch.to_value;
    return stretch.from_value + (stretch.to_value - stretch.from_value) * before / all;
}

static bool is_read(const struct session *session, const struct course_sum *sum)
{
    return !isnan(sum->value(&session->process.last)) &&
           (session->process.has_last || session->readings.count > 0);
}

static double sum_between(const struct session *session, const struct course_sum *sum,
                          const uint64_t *border_ns)
{
    if (!is_read(session, sum))
        return (double)NAN;
    return fmax(0, sum_until(session, sum, border_ns[1]) - sum_until(session, sum, border_ns[0]));
}

/* ---- waiting ------------------------------------------------------------ */

static uint64_t overlap_ns(const struct session_wait_call *call, const uint64_t *border_ns)
{
    uint64_t from_ns = call->start_ns > border_ns[0] ? call->start_ns : border_ns[0];
    uint64_t to_ns = call->end_ns < border_ns[1] ? call->end_ns : border_ns[1];

    return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* A part of a call may be processor time, such as for copying read data. */
static double waiting_part(const struct session_wait *wait)
{
    return wait->total_ns > 0 ? (double)wait->waiting_ns / (double)wait->total_ns : 1;
}

static double sum_calls(const struct session *session, uint32_t thread, const uint64_t *border_ns)
{
    double sum_ns = 0;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);

        if (wait->thread == thread)
            sum_ns += (double)overlap_ns(call, border_ns) * waiting_part(wait);
    }
    return sum_ns;
}

/* The thread's clocks give the exact sum of its waiting.  In the rest of its waiting calls the
 * thread was ready, without a processor. */
static double sum_waiting(const struct session *session, uint32_t thread,
                          const uint64_t *border_ns)
{
    const uint64_t whole[2] = {0, session->process.wall_ns};
    double all_ns = sum_calls(session, thread, whole);
    double exact_ns = wait_split_of(session, thread).waiting_ns;
    double part = all_ns > exact_ns ? exact_ns / all_ns : 1; /* 1: unknown */

    return sum_calls(session, thread, border_ns) * part;
}

/* ---- the heap ----------------------------------------------------------- */

static uint64_t end_of(const struct session *session, size_t moment)
{
    const struct array *moments = &session->heap.moments;

    return moment + 1 < moments->count
               ? ((const struct session_moment *)array_at(moments, moment + 1))->time_ns
               : session->process.wall_ns;
}

struct blocks {
    double count;
    double bytes;
    double slack; /* blocks of the stretch with the instant in it: count is wrong by less */
};

static struct blocks blocks_until(const struct session *session, uint64_t time_ns)
{
    const struct session_moment *moment = session->heap.moments.items;
    struct blocks before = {0, 0, 0};

    for (size_t i = 0; i < session->heap.moments.count; i++) {
        uint64_t end_ns = end_of(session, i);
        const struct blocks after = {(double)moment[i].obtained_blocks,
                                     (double)moment[i].obtained_bytes, 0};

        if (end_ns > time_ns && end_ns > moment[i].time_ns && time_ns > moment[i].time_ns) {
            double part =
                (double)(time_ns - moment[i].time_ns) / (double)(end_ns - moment[i].time_ns);

            before.slack = after.count - before.count;
            before.count += (after.count - before.count) * part;
            before.bytes += (after.bytes - before.bytes) * part;
        }
        if (end_ns > time_ns)
            break;
        before = after;
    }
    return before;
}

/* A border that is off by less than this share of the blocks does not matter. */
static const double slack_least = 0.01;

/* With drawn blocks, the course has only proportions, but the totals are exact. */
static double scale(uint64_t whole, double drawn)
{
    return drawn > 0 ? (double)whole / drawn : 1;
}

static void count_blocks(struct phase_sum *sum, const struct session *session,
                         const uint64_t *border_ns)
{
    const struct session_heap *heap = &session->heap;
    const struct blocks from = blocks_until(session, border_ns[0]);
    const struct blocks to = blocks_until(session, border_ns[1]);
    const struct blocks all = blocks_until(session, session->process.wall_ns);

    sum->allocations = sum->allocated_bytes = (double)NAN;
    if (heap->allocations == SESSION_UNKNOWN || (all.count == 0 && heap->allocations > 0))
        return;
    sum->has_estimated_blocks = heap->is_estimated || from.slack + to.slack >
                                                           slack_least * (to.count - from.count);
    sum->allocations = (to.count - from.count) * scale(heap->allocations, all.count);
    sum->allocated_bytes = (to.bytes - from.bytes) * scale(heap->allocated_bytes, all.bytes);
}

static double find_peak(const struct session *session, const uint64_t *border_ns)
{
    const struct session_moment *moment = session->heap.moments.items;
    double peak = (double)NAN;

    for (size_t i = 0; i < session->heap.moments.count; i++)
        if (end_of(session, i) > border_ns[0] && moment[i].time_ns < border_ns[1])
            peak = fmax(peak, (double)moment[i].max_bytes);
    return peak;
}

void phase_sums_find(struct phase_sum *sums, const struct session *session,
                     const struct phases *phases)
{
    for (int i = 0; i < PHASES; i++) {
        const uint64_t *border_ns = &phases->border_ns[i];

        sums[i] = (struct phase_sum){
            .cpu_ns = sum_between(session, &cpu_sum, border_ns),
            .waiting_ns = sum_waiting(session, phases->thread, border_ns),
            .read_bytes = sum_between(session, &input_sum, border_ns),
            .peak_bytes = find_peak(session, border_ns),
        };
        count_blocks(&sums[i], session, border_ns);
    }
}
