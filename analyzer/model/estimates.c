/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimates.c: the time of calls that were counted and not timed.
 *
 * Each of them takes what the drawn calls of its slot took in the mean, which is
 * unbiased as the gaps are drawn without looking at the calls.  Without a drawn
 * call it takes what those of its kernel and shape took in other slots; without
 * these what its slot's first call took, at most the time of a pass over its
 * bytes.  No thread spends more time in kernels than it lived.
 */
#include "model/estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A call of level-1 BLAS is a pass over its bytes.  A core of the last ten years
 * reads 4 GB/s from memory or more, and a call costs less than 10 us of its own: a
 * first call beyond both started something. */
static const double pass_bytes_per_ns = 4, pass_call_ns = 10e3;

/* What a call that was not timed is taken to have taken. */
struct estimates_call {
    double mean_ns; /* NAN: no call was drawn */
    double variance;
    double count; /* drawn calls that these are of */
};

/* ---- drawn calls ------------------------------------------------------- */

static double estimates_variance(const uint64_t *ns, size_t count)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < count; i++) {
        double away = (double)ns[i] - mean;

        mean += away / (double)(i + 1);
        squares += away * ((double)ns[i] - mean);
    }
    return count > 1 ? squares / (double)(count - 1) : (double)NAN;
}

/* When the first call's record is gone, all that are left are of drawn calls;
 * without records the first is taken to have been the longest. */
static struct estimates_call estimates_drawn(const struct session_slot *slot)
{
    const uint64_t *ns = slot->durations_ns.items;
    size_t seen = slot->durations_ns.count;
    bool has_first = seen > 0 && seen >= slot->recorded_calls;
    double drawn = (double)slot->timed_calls - 1, sum_ns = 0;

    if (drawn < 1)
        return (struct estimates_call){(double)NAN, (double)NAN, 0};
    if (seen == 0 || has_first) {
        sum_ns = (double)slot->total_ns - (double)(has_first ? ns[0] : slot->max_ns);
        return (struct estimates_call){
            fmax(sum_ns, 0) / drawn, has_first ? estimates_variance(ns + 1, seen - 1) : (double)NAN,
            drawn};
    }
    for (size_t i = 0; i < seen; i++)
        sum_ns += (double)ns[i];
    return (struct estimates_call){sum_ns / (double)seen, estimates_variance(ns, seen),
                                   (double)seen};
}

/* ---- slots of one kernel and shape ------------------------------------- */

struct estimates_like {
    const struct session_slot *slot;
    uint32_t index;
};

static int estimates_compare_work(const struct session_slot *a, const struct session_slot *b)
{
    if (a->binding != b->binding)
        return a->binding < b->binding ? -1 : 1;
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    if (a->dims != b->dims)
        return a->dims < b->dims ? -1 : 1;
    return memcmp(a->shape, b->shape, a->dims * sizeof *a->shape);
}

static int estimates_compare(const void *left, const void *right)
{
    const struct estimates_like *a = left, *b = right;
    int order = estimates_compare_work(a->slot, b->slot);

    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Merges the drawn calls of slots of one work. */
static struct estimates_call estimates_pool(const struct estimates_like *like, size_t count)
{
    double sum_ns = 0, drawn = 0;

    for (size_t i = 0; i < count; i++) {
        struct estimates_call of = estimates_drawn(like[i].slot);

        if (of.count > 0) {
            sum_ns += of.mean_ns * of.count;
            drawn += of.count;
        }
    }
    return (struct estimates_call){drawn > 0 ? sum_ns / drawn : (double)NAN, (double)NAN, drawn};
}

/* ---- slots ------------------------------------------------------------- */

static double estimates_first_ns(const struct session_slot *slot)
{
    double first_ns = (double)slot->total_ns / (double)slot->timed_calls;

    if (!slot->kernel || !slot->kernel->is_sampled || isnan(slot->bytes_each))
        return first_ns;
    return fmin(first_ns, pass_call_ns + (double)slot->bytes_each / pass_bytes_per_ns);
}

/* The error of a sum of `untimed` draws that is told by the mean of `count`. */
static double estimates_error(const struct estimates_call *call, double untimed)
{
    return sqrt(call->variance * untimed * (untimed + call->count) / call->count);
}

/* Nanoseconds that the untimed calls of a slot are taken to have taken. */
static double estimates_rest(struct session_slot *slot, const struct estimates_call *pool)
{
    double untimed = (double)(slot->calls - slot->timed_calls);
    struct estimates_call call = estimates_drawn(slot);

    slot->total_error_ns = 0;
    if (slot->calls == slot->timed_calls)
        return 0;
    slot->total_error_ns = estimates_error(&call, untimed);
    if (isnan(call.mean_ns))
        call.mean_ns = pool->mean_ns;
    if (isnan(call.mean_ns))
        call.mean_ns = estimates_first_ns(slot);
    return untimed * call.mean_ns;
}

/* ---- threads ----------------------------------------------------------- */

struct estimates_thread {
    double timed_ns; /* without the kernels inside */
    double rest_ns;
};

static double estimates_self_share(const struct session_slot *slot)
{
    return slot->total_ns > 0 ? (double)slot->self_ns / (double)slot->total_ns : 1;
}

/* Returns: the part of the rest that a thread's life has room for. */
static double estimates_fit(const struct session_thread *thread, const struct estimates_thread *of)
{
    double lived_ns =
        thread->last_ns > thread->first_ns ? (double)(thread->last_ns - thread->first_ns) : 0;

    if (of->timed_ns + of->rest_ns <= lived_ns)
        return 1;
    return lived_ns > of->timed_ns ? (lived_ns - of->timed_ns) / of->rest_ns : 0;
}

static void estimates_add(struct session *session, const double *rests_ns,
                          const struct estimates_thread *threads)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        struct session_slot *slot = array_at(&session->slots, i);
        struct session_thread *thread = array_at(&session->threads, slot->thread);
        struct session_region *region = array_at(&session->regions, slot->region);

        if (rests_ns[i] > 0) {
            double rest_ns = rests_ns[i] * estimates_fit(thread, &threads[slot->thread]);
            double self_ns = rest_ns * estimates_self_share(slot);

            slot->total_ns += (uint64_t)llround(rest_ns);
            slot->self_ns += (uint64_t)llround(self_ns);
        }
        thread->kernel_ns += slot->self_ns;
        region->kernel_ns += slot->self_ns;
    }
}

static void estimates_sum_threads(const struct session *session, const double *rests_ns,
                                  struct estimates_thread *threads)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = array_at(&session->slots, i);
        struct estimates_thread *thread = &threads[slot->thread];

        thread->timed_ns += (double)slot->self_ns;
        thread->rest_ns += rests_ns[i] * estimates_self_share(slot);
    }
}

/* ---- all --------------------------------------------------------------- */

static void estimates_find_rests(struct session *session, const struct estimates_like *like,
                                 double *rests_ns)
{
    size_t count = session->slots.count, end;

    for (size_t first = 0; first < count; first = end) {
        struct estimates_call pool;

        for (end = first + 1; end < count; end++)
            if (estimates_compare_work(like[first].slot, like[end].slot) != 0)
                break;
        pool = estimates_pool(&like[first], end - first);
        for (size_t i = first; i < end; i++)
            rests_ns[like[i].index] =
                estimates_rest(array_at(&session->slots, like[i].index), &pool);
    }
}

enum status estimates_fill(struct session *session)
{
    size_t count = session->slots.count;
    struct estimates_like *like = calloc(count + 1, sizeof *like);
    double *rests_ns = calloc(count + 1, sizeof *rests_ns);
    struct estimates_thread *threads = calloc(session->threads.count + 1, sizeof *threads);
    enum status status = like && rests_ns && threads ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (!status) {
        for (size_t i = 0; i < count; i++)
            like[i] = (struct estimates_like){array_at(&session->slots, i), (uint32_t)i};
        qsort(like, count, sizeof *like, estimates_compare);
        estimates_find_rests(session, like, rests_ns);
        estimates_sum_threads(session, rests_ns, threads);
        estimates_add(session, rests_ns, threads);
    }
    free(like);
    free(rests_ns);
    free(threads);
    return status;
}
