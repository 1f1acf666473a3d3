/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of calls that were counted and not timed.
 *
 * Each untimed call takes the mean time of the usual drawn calls of its slot, as the draw does not
 * depend on the calls.  The time between drawn calls is an upper bound for it: model/untimed.h.  A
 * drawn call far above the others was interrupted: it represents only itself.  A slot without usual
 * calls takes the mean of its kernel and shape in other slots.  Without these, it takes the time of
 * its first call, at most that of a pass over its bytes.  A thread's time in kernels is at most its
 * lifetime.  Untimed calls of level-1 BLAS, which do not wait, take at most its processor time.
 *
 * Decisions: doc/decisions/sampled-level-1, sampling-by-bytes, untimed-calls.
 */
#include "model/estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/untimed.h"

/* A call of level-1 BLAS is a pass over its bytes.  A core of the last ten years reads at least 4
 * GB/s from memory, and a call itself costs less than 10 us: a first call beyond both started
 * something. */
static const double pass_bytes_per_ns = 4, pass_call_ns = 10e3;

/* A call this far above the median of its slot did not compute all the time.  Interrupts take some
 * microseconds and cold memory makes a call tens of times as long; a scheduler takes the processor
 * away for most of a millisecond or more. */
static const double interrupted_least_ns = 200e3, interrupted_times = 100;

/* The estimated time of an untimed call. */
struct estimates_call {
    double mean_ns; /* NAN: no call was drawn */
    double variance;
    double count;       /* drawn calls that these are of */
    double interrupted; /* interrupted calls are those above the other drawn calls, if these are
                           known */
    double interrupted_ns;
    double excess_error_ns; /* standard error of the stretches' correction of the mean */
};

static int compare_ns(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* Find the time beyond which a call of a slot was interrupted.  The lower of the two medians
 * counts: one call of two may be interrupted. */
static void find_usual(const struct session_slot *slot, double *most_ns)
{
    size_t count = slot->durations_ns.count;
    uint64_t *sorted;

    *most_ns = INFINITY;
    if (count == 0)
        return;
    sorted = memory_get(count * sizeof *sorted);
    memcpy(sorted, slot->durations_ns.items, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_ns);
    *most_ns = fmax(interrupted_least_ns, interrupted_times * (double)sorted[(count - 1) / 2]);
    free(sorted);
}

/* Sums over drawn calls. */
struct estimates_sums {
    double count, ns, mean, squares; /* of the usual calls */
    double interrupted, interrupted_ns;
    double longest_ns;
};

static void sum_call(struct estimates_sums *sums, double ns, double most_ns)
{
    double away = ns - sums->mean;

    sums->longest_ns = fmax(sums->longest_ns, ns);
    if (ns > most_ns) {
        sums->interrupted++;
        sums->interrupted_ns += ns;
        return;
    }
    sums->count++;
    sums->ns += ns;
    sums->mean += away / sums->count;
    sums->squares += away * (ns - sums->mean);
}

static struct estimates_call find_mean(double sum_ns, double count,
                                       const struct estimates_sums *sums)
{
    struct estimates_call call = {.mean_ns = (double)NAN,
                                  .variance = (double)NAN,
                                  .interrupted = sums->interrupted,
                                  .interrupted_ns = sums->interrupted_ns};

    if (count < 1)
        return call;
    call.mean_ns = fmax(sum_ns, 0) / count;
    if (sums->count > 1)
        call.variance = sums->squares / (sums->count - 1);
    call.count = count;
    return call;
}

static bool is_counted(const struct session_slot *slot)
{
    return slot->kernel && slot->kernel->is_sampled;
}

/* The first calls of a slot, which were timed in any case. */
struct estimates_first {
    size_t count;
    double ns, longest_ns;
};

static struct estimates_first find_first(const struct session_slot *slot, uint64_t long_ns)
{
    const uint64_t *ns = slot->durations_ns.items;
    struct estimates_first first = {0, 0, 0};
    bool goes_on = true;

    for (; goes_on && first.count < slot->durations_ns.count; first.count++) {
        double each_ns = (double)ns[first.count];

        first.ns += each_ns;
        first.longest_ns = fmax(first.longest_ns, each_ns);
        goes_on = is_counted(slot) && ns[first.count] > long_ns;
    }
    return first;
}

static bool records_first(const struct session_slot *slot)
{
    return slot->durations_ns.count > 0 && slot->durations_ns.count >= slot->recorded_calls;
}

/* If the first calls' records are gone, all remaining records are of drawn calls.  Without records,
 * the first call is assumed to have been the longest.  Of the timed calls without a record, the
 * longest is known. */
static void find_drawn(const struct session_slot *slot, uint64_t long_ns,
                       struct estimates_call *call)
{
    const uint64_t *ns = slot->durations_ns.items;
    size_t seen = slot->durations_ns.count;
    bool has_first = records_first(slot);
    struct estimates_first first = {1, (double)slot->max_ns, (double)slot->max_ns};
    struct estimates_sums sums = {0};
    double most_ns;

    find_usual(slot, &most_ns);
    if (has_first)
        first = find_first(slot, long_ns);
    for (size_t i = has_first ? first.count : 0; i < seen; i++)
        sum_call(&sums, (double)ns[i], most_ns);
    if (seen > 0 && !has_first) {
        *call = find_mean(sums.ns, sums.count, &sums);
        return;
    }
    if (has_first &&
        (double)slot->max_ns > fmax(most_ns, fmax(first.longest_ns, sums.longest_ns))) {
        sums.interrupted++;
        sums.interrupted_ns += (double)slot->max_ns;
    }
    *call = find_mean((double)slot->total_ns - first.ns - sums.interrupted_ns,
                      (double)slot->timed_calls - (double)first.count - sums.interrupted, &sums);
}

struct estimates_like {
    const struct session_slot *slot;
    uint32_t index;
    struct untimed_excess excess;
};

static int compare_work(const struct session_slot *a, const struct session_slot *b)
{
    if (a->binding != b->binding)
        return a->binding < b->binding ? -1 : 1;
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    if (a->dims != b->dims)
        return a->dims < b->dims ? -1 : 1;
    return memcmp(a->shape, b->shape, a->dims * sizeof *a->shape);
}

static int compare(const void *left, const void *right)
{
    const struct estimates_like *a = left, *b = right;
    int order = compare_work(a->slot, b->slot);

    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static void take_excess(struct estimates_call *call, const struct untimed_excess *excess)
{
    if (call->count < 1)
        return;
    call->mean_ns -= excess->ns;
    call->excess_error_ns = excess->error_ns;
}

/* Merges the drawn calls of slots with the same work; fills the drawn calls of each, by slot. */
static void pool_drawn(const struct estimates_like *like, size_t count, uint64_t long_ns,
                       struct estimates_call *drawn, struct estimates_call *pool)
{
    double sum_ns = 0, calls = 0;

    for (size_t i = 0; i < count; i++) {
        struct estimates_call *of = &drawn[like[i].index];

        find_drawn(like[i].slot, long_ns, of);
        take_excess(of, &like[i].excess);
        if (of->count > 0) {
            sum_ns += of->mean_ns * of->count;
            calls += of->count;
        }
    }
    *pool = (struct estimates_call){.mean_ns = calls > 0 ? sum_ns / calls : (double)NAN,
                                    .variance = (double)NAN,
                                    .count = calls};
}

static double first_call_ns(const struct session_slot *slot, const struct estimates_call *call)
{
    double first_ns = fmax(0, (double)slot->total_ns - call->interrupted_ns) /
                      fmax(1, (double)slot->timed_calls - call->interrupted);

    if (!slot->kernel || !slot->kernel->is_sampled || isnan(slot->bytes_each))
        return first_ns;
    return fmin(first_ns, pass_call_ns + (double)slot->bytes_each / pass_bytes_per_ns);
}

/* The error of a sum of `untimed` draws estimated by the mean of `count`, and of the subtracted
 * excess. */
static double error(const struct estimates_call *call, double untimed)
{
    return hypot(sqrt(call->variance * untimed * (untimed + call->count) / call->count),
                 untimed * call->excess_error_ns);
}

/* Untimed calls lack the cost of timing, but the total includes it for all calls: it is subtracted
 * when the total is read. */
static double untimed_cost(const struct session *session, const struct session_slot *slot)
{
    return session_inner_cost_ns(session, slot) * (double)(slot->calls - slot->timed_calls);
}

/* Returns: the estimated nanoseconds of a slot's untimed calls.  Fills the mean of a call if other
 * slots estimate it. */
static double rest(const struct session *session, struct session_slot *slot,
                   struct estimates_call *call, const struct estimates_call *pool)
{
    double untimed = (double)(slot->calls - slot->timed_calls);

    slot->total_error_ns = 0;
    if (slot->calls == slot->timed_calls)
        return 0;
    slot->total_error_ns = error(call, untimed);
    slot->interrupted_calls = (uint64_t)call->interrupted;
    if (isnan(call->mean_ns))
        call->mean_ns = pool->mean_ns;
    if (isnan(call->mean_ns))
        call->mean_ns = first_call_ns(slot, call);
    return fmax(0, untimed * call->mean_ns - untimed_cost(session, slot));
}

/* Without the kernels inside, and without our own cost. */
struct estimates_thread {
    double timed_ns;
    double timed_counted_ns; /* lower bound of the part computed in level-1 BLAS */
    double counted_ns;       /* time of untimed calls of level-1 BLAS */
    double left_out_ns;      /* time of the other untimed calls */
};

static double self_share(const struct session_slot *slot)
{
    return slot->total_ns > 0 ? (double)slot->self_ns / (double)slot->total_ns : 1;
}

static double timed_self(const struct session *session, const struct session_slot *slot)
{
    double cost_ns = session_inner_cost_ns(session, slot) * (double)slot->timed_calls;

    return fmax(0, (double)slot->self_ns - cost_ns);
}

/* A first or interrupted call may have waited for most of its time, without processor time: it
 * counts as computing as long as the usual ones.  Kernels that are timed completely have no mean
 * here. */
static double timed_computed(const struct session_slot *slot, const struct estimates_call *call,
                             double timed_ns)
{
    double each_ns = call->mean_ns > 0 ? call->mean_ns : first_call_ns(slot, call);

    return fmin(timed_ns, each_ns * (double)slot->timed_calls);
}

/* Returns: the part of some time that a room has place for. */
static double share_of(double ns, double room_ns)
{
    return ns <= room_ns ? 1 : fmax(0, room_ns) / ns;
}

/* Returns: the share of the time wanted on a processor that the thread got: timed calls have the
 * same share on average as all time. */
static double had_share(const struct session_thread *thread)
{
    if (thread->delay_ns == SESSION_UNKNOWN || thread->cpu_ns == 0)
        return 1;
    return (double)thread->cpu_ns / (double)(thread->cpu_ns + thread->delay_ns);
}

/* Returns: the part of the counted time that the thread's processor time has room for. */
static double fit_computed(const struct session_thread *thread, const struct estimates_thread *of)
{
    if (thread->cpu_ns == SESSION_UNKNOWN)
        return 1;
    return share_of(of->counted_ns,
                    (double)thread->cpu_ns - of->timed_counted_ns * had_share(thread));
}

/* Returns: the part of all untimed calls, fit as above, that its life has room for. */
static double fit_lived(const struct session_thread *thread, const struct estimates_thread *of)
{
    double lived_ns =
        thread->last_ns > thread->first_ns ? (double)(thread->last_ns - thread->first_ns) : 0;
    double untimed_ns = of->left_out_ns + of->counted_ns * fit_computed(thread, of);

    return share_of(untimed_ns, lived_ns - of->timed_ns);
}

/* Returns: the time of a slot's untimed calls that their thread had. */
static double fit(const struct session_thread *thread, const struct estimates_thread *of,
                  const struct session_slot *slot, double rest_ns)
{
    if (rest_ns <= 0)
        return 0;
    if (is_counted(slot))
        rest_ns *= fit_computed(thread, of);
    return rest_ns * fit_lived(thread, of);
}

static void add(struct session *session, const double *rests_ns,
                const struct estimates_thread *threads)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        struct session_slot *slot = array_at(&session->slots, i);
        struct session_thread *thread = array_at(&session->threads, slot->thread);
        struct session_region *region = array_at(&session->regions, slot->region);
        double share = self_share(slot), cost_ns = untimed_cost(session, slot);
        double rest_ns = fit(thread, &threads[slot->thread], slot, rests_ns[i]);
        uint64_t self_ns;

        slot->estimated_ns = (uint64_t)llround(rest_ns);
        slot->total_ns += (uint64_t)llround(rest_ns + cost_ns);
        slot->self_ns += (uint64_t)llround(rest_ns * share + cost_ns);
        self_ns = session_without_cost(session, slot, slot->self_ns);
        thread->kernel_ns += self_ns;
        region->kernel_ns += self_ns;
    }
}

static void sum_threads(const struct session *session, const double *rests_ns,
                        const struct estimates_call *drawn, struct estimates_thread *threads)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);
        struct estimates_thread *thread = &threads[slot->thread];
        double timed_ns = timed_self(session, slot);
        double rest_ns = rests_ns[i] * self_share(slot);

        thread->timed_ns += timed_ns;
        if (is_counted(slot)) {
            thread->timed_counted_ns += timed_computed(slot, &drawn[i], timed_ns);
            thread->counted_ns += rest_ns;
        } else {
            thread->left_out_ns += rest_ns;
        }
    }
}

static void fill_drawn(const struct session_slot *slot, uint64_t long_ns,
                       struct untimed_drawn *drawn)
{
    drawn->first = SIZE_MAX;
    if (!is_counted(slot))
        return;
    drawn->first = records_first(slot) ? find_first(slot, long_ns).count : 0;
    find_usual(slot, &drawn->most_ns);
}

static void find_excess(const struct session *session, uint64_t long_ns,
                        struct estimates_like *like)
{
    size_t count = session->slots.count;
    struct untimed_drawn *drawn = memory_get_zeros(count + 1, sizeof *drawn);
    struct untimed_excess *excess = memory_get_zeros(count + 1, sizeof *excess);

    for (size_t i = 0; i < count; i++)
        fill_drawn(like[i].slot, long_ns, &drawn[i]);
    untimed_find(session, drawn, excess);
    for (size_t i = 0; i < count; i++)
        like[i].excess = excess[i];
    free(drawn);
    free(excess);
}

/* Most works are timed whole, and need no look at their calls. */
static bool has_untimed(const struct estimates_like *like, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (like[i].slot->calls > like[i].slot->timed_calls)
            return true;
    return false;
}

static void find_rests(struct session *session, uint64_t long_ns, const struct estimates_like *like,
                       struct estimates_call *drawn, double *rests_ns)
{
    size_t count = session->slots.count, end;

    for (size_t first = 0; first < count; first = end) {
        struct estimates_call pool;

        for (end = first + 1; end < count; end++)
            if (compare_work(like[first].slot, like[end].slot) != 0)
                break;
        if (!has_untimed(&like[first], end - first))
            continue;
        pool_drawn(&like[first], end - first, long_ns, drawn, &pool);
        for (size_t i = first; i < end; i++) {
            uint32_t index = like[i].index;

            rests_ns[index] = rest(session, array_at(&session->slots, index), &drawn[index], &pool);
        }
    }
}

static void fill_slots(struct session *session, uint64_t long_ns, struct estimates_like *like,
                       struct estimates_call *drawn, double *rests_ns)
{
    size_t count = session->slots.count;

    for (size_t i = 0; i < count; i++)
        like[i] =
            (struct estimates_like){.slot = session_slot_at(session, i), .index = (uint32_t)i};
    find_excess(session, long_ns, like);
    qsort(like, count, sizeof *like, compare);
    find_rests(session, long_ns, like, drawn, rests_ns);
}

void estimates_fill(struct session *session, const struct clock *clock)
{
    uint64_t long_ns = clock_convert_length(clock, TRACE_LONG_TICKS);
    size_t count = session->slots.count;
    struct estimates_like *like = memory_get_zeros(count + 1, sizeof *like);
    struct estimates_call *drawn = memory_get_zeros(count + 1, sizeof *drawn);
    double *rests_ns = memory_get_zeros(count + 1, sizeof *rests_ns);
    struct estimates_thread *threads =
        memory_get_zeros(session->threads.count + 1, sizeof *threads);

    fill_slots(session, long_ns, like, drawn, rests_ns);
    sum_threads(session, rests_ns, drawn, threads);
    add(session, rests_ns, threads);
    free(like);
    free(drawn);
    free(rests_ns);
    free(threads);
}
