/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Splits gaps among the waits and builds of the thread that ended them.
 */
#include "devices/gaps.h"

#include <stdlib.h>

#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

static const struct {
    const char *key;
    const char *words;
} causes[GAP_CAUSES] = {
#define GAP(cause, key, words) [GAP_##cause] = {key, words},
#include "devices/gap_causes.def"
#undef GAP
};

const char *gap_cause_key(enum gap_cause cause)
{
    return causes[cause].key;
}

const char *gap_cause_words(enum gap_cause cause)
{
    return causes[cause].words;
}

/* Something that a thread did, from start to end. */
struct deed {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t thread;
    enum gap_cause cause;
};

static enum gap_cause cause_of(const struct session_wait *wait)
{
    if (wait->class == TRACE_WAIT_CLASS_DEVICE)
        return GAP_DEVICE;
    if (wait->class == TRACE_WAIT_CLASS_IO || wait->class == TRACE_WAIT_CLASS_NETWORK)
        return GAP_FILES;
    return GAP_LOCKS;
}

static int compare_deeds(const void *left, const void *right)
{
    const struct deed *a = left, *b = right;

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->end_ns < b->end_ns ? -1 : a->end_ns > b->end_ns;
}

static void gather_deeds(struct array *deeds, const struct session *session)
{
    const struct session_devices *devices = &session->devices;

    array_init(deeds, sizeof(struct deed));
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);
        struct deed *deed = array_add(deeds);

        *deed = (struct deed){call->start_ns, call->end_ns, wait->thread, cause_of(wait)};
    }
    for (size_t i = 0; i < devices->commands.count; i++) {
        const struct session_command *command = session_command_at(devices, i);
        const struct session_command_sum *sum = session_command_sum_at(devices, command->sum);

        if (sum->kind == TRACE_COMMAND_BUILD) {
            struct deed *deed = array_add(deeds);

            *deed =
                (struct deed){command->call_start_ns, command->call_end_ns, sum->thread, GAP_BUILD};
        }
    }
    if (deeds->count > 0)
        qsort(deeds->items, deeds->count, sizeof(struct deed), compare_deeds);
}

/* Returns: the first deed of a thread that ends after a time. */
static size_t find_deed(const struct array *deeds, uint32_t thread, uint64_t time_ns)
{
    const struct deed *items = deeds->items;
    size_t low = 0, high = deeds->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct deed *deed = &items[middle];

        if (deed->thread < thread || (deed->thread == thread && deed->end_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double overlap(uint64_t a_start, uint64_t a_end, uint64_t b_start, uint64_t b_end)
{
    uint64_t start = a_start > b_start ? a_start : b_start;
    uint64_t end = a_end < b_end ? a_end : b_end;

    return end > start ? (double)(end - start) : 0;
}

/* The part of a gap before the call that ended it. */
static void split_before(double parts[GAP_CAUSES], const struct array *deeds, uint32_t thread,
                         const struct busy_span *before)
{
    const struct deed *items = deeds->items;
    double rest = overlap(before->start_ns, before->end_ns, before->start_ns, before->end_ns);

    for (size_t i = find_deed(deeds, thread, before->start_ns);
         i < deeds->count && items[i].thread == thread; i++) {
        double ns = overlap(before->start_ns, before->end_ns, items[i].start_ns, items[i].end_ns);

        if (items[i].start_ns >= before->end_ns)
            break;
        ns = ns < rest ? ns : rest;
        parts[items[i].cause] += ns;
        rest -= ns;
    }
    parts[GAP_CODE] += rest;
}

static void split(double parts[GAP_CAUSES], const struct session *session,
                  const struct array *deeds, const struct busy_span *gap)
{
    const struct session_devices *devices = &session->devices;
    const struct session_command *next;
    struct busy_span before = *gap;

    if (gap->next == SESSION_NONE) {
        parts[GAP_END] += (double)(gap->end_ns - gap->start_ns);
        return;
    }
    next = session_command_at(devices, gap->next);
    if (before.end_ns > next->call_start_ns)
        before.end_ns = next->call_start_ns > gap->start_ns ? next->call_start_ns : gap->start_ns;
    parts[GAP_LAUNCH] += (double)(gap->end_ns - before.end_ns);
    split_before(parts, deeds, session_command_sum_at(devices, next->sum)->thread, &before);
}

static void add(struct gap_sum sums[GAP_CAUSES], const double parts[GAP_CAUSES], uint32_t chain)
{
    enum gap_cause most = GAP_CODE;

    for (enum gap_cause i = 0; i < GAP_CAUSES; i++) {
        sums[i].ns += parts[i];
        if (parts[i] > parts[most])
            most = i;
        if (parts[i] > sums[i].longest_ns) {
            sums[i].longest_ns = parts[i];
            sums[i].chain = chain;
        }
    }
    sums[most].gaps++;
}

void gaps_sum(struct gap_sum sums[GAP_CAUSES], const struct session *session,
              const struct busy *busy)
{
    struct array deeds;

    for (int i = 0; i < GAP_CAUSES; i++)
        sums[i] = (struct gap_sum){.chain = SESSION_NONE};
    gather_deeds(&deeds, session);
    for (size_t i = 0; i < busy->gaps.count; i++) {
        const struct busy_span *gap = array_at(&busy->gaps, i);
        double parts[GAP_CAUSES] = {0};

        split(parts, session, &deeds, gap);
        add(sums, parts,
            gap->next == SESSION_NONE ? SESSION_NONE
                                      : session_command_at(&session->devices, gap->next)->chain);
    }
    array_fini(&deeds);
}
