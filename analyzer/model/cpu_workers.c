/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of the threads that work for a kernel which another thread called.
 *
 * Samples are sums over their ticks, so those of one sum may belong to several kernels: each tick
 * is looked up in the courses of the other threads, and the sum is split as its ticks are.
 */
#include "model/cpu_workers.h"

#include <stdlib.h>

#include "model/course.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* The ticks of a sample that fell into one kernel. */
struct share {
    uint32_t sample, slot;
    uint32_t made;  /* index in samples of what became of it */
    uint64_t count; /* of ticks */
    uint64_t periods;
};

struct credit {
    struct session *session;
    unsigned char *runs_in; /* by binding and module: a sample inside the kernel was there */
    uint32_t *slots;        /* by tick: the kernel that it is credited to, or NONE */
    uint64_t *periods;      /* by sample: of its ticks */
    struct array shares;    /* of struct share, by sample and slot */
};

static size_t pair_of(const struct session *session, uint32_t binding, uint32_t module)
{
    return (size_t)binding * session->modules.count + module;
}

static uint32_t module_of(const struct session *session, const struct session_sample *sample)
{
    return session_call_at(session, sample->call)->module;
}

static void note_modules(struct credit *credit)
{
    const struct session *session = credit->session;

    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        if (sample->slot == SESSION_NONE || module_of(session, sample) == SESSION_NONE)
            continue;
        uint32_t binding = session_slot_at(session, sample->slot)->binding;
        credit->runs_in[pair_of(session, binding, module_of(session, sample))] = 1;
    }
}

/* Returns: the call of a course that is open at a time; NULL: none is known. */
static const struct course_call *find_open(const struct session_course *course, uint64_t time_ns)
{
    const struct course_call *calls = course->calls.items;
    size_t low = 0, high = course->calls.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (calls[middle].start_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && course_end_ns(&calls[low - 1]) > time_ns ? &calls[low - 1] : NULL;
}

/* Returns: the slot of the only kernel that is open in other threads; NONE: there is none, or
 * there are several. */
static uint32_t find_only(const struct session *session, uint32_t thread, uint64_t time_ns)
{
    uint32_t only = SESSION_NONE;

    for (uint32_t i = 0; i < session->courses.count; i++) {
        const struct session_course *course = course_of(session, i);
        const struct course_call *open =
            i == thread || course->calls.count == 0 ? NULL : find_open(course, time_ns);

        if (open && only != SESSION_NONE && open->slot != only)
            return SESSION_NONE;
        if (open)
            only = open->slot;
    }
    return only;
}

/* A thread that calls kernels of its own works for itself. */
static bool may_work_for_others(const struct session *session, const struct session_sample *sample)
{
    return sample->slot == SESSION_NONE && sample->thread != SESSION_NONE && sample->call != 0 &&
           module_of(session, sample) != SESSION_NONE &&
           course_of(session, sample->thread)->calls.count == 0;
}

static uint32_t find_kernel(const struct credit *credit, const struct session_tick *tick)
{
    const struct session *session = credit->session;
    const struct session_sample *sample = session_sample_at(session, tick->sample);
    uint32_t slot, binding;

    if (!may_work_for_others(session, sample))
        return SESSION_NONE;
    slot = find_only(session, sample->thread, tick->time_ns);
    if (slot == SESSION_NONE)
        return SESSION_NONE;
    binding = session_slot_at(session, slot)->binding;
    return credit->runs_in[pair_of(session, binding, module_of(session, sample))] ? slot
                                                                                  : SESSION_NONE;
}

static int compare_shares(const void *left, const void *right)
{
    const struct share *a = left, *b = right;

    if (a->sample != b->sample)
        return a->sample < b->sample ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

/* One share a tick, then one a sample and slot. */
static void join_shares(struct array *shares)
{
    struct share *share = shares->items;
    size_t kept = 0;

    if (shares->count == 0)
        return;
    qsort(share, shares->count, sizeof *share, compare_shares);
    for (size_t i = 1; i < shares->count; i++) {
        if (compare_shares(&share[kept], &share[i]) == 0) {
            share[kept].count += share[i].count;
            share[kept].periods += share[i].periods;
        } else {
            share[++kept] = share[i];
        }
    }
    array_truncate(shares, kept + 1);
}

static enum status look_up_ticks(struct credit *credit)
{
    const struct session_tick *tick = credit->session->ticks.items;

    for (size_t i = 0; i < credit->session->ticks.count; i++) {
        credit->periods[tick[i].sample] += tick[i].periods;
        credit->slots[i] = find_kernel(credit, &tick[i]);
        if (credit->slots[i] == SESSION_NONE)
            continue;
        struct share *share = array_add(&credit->shares);
        if (!share)
            return STATUS_OUT_OF_MEMORY;
        *share = (struct share){.sample = tick[i].sample,
                                .slot = credit->slots[i],
                                .count = 1,
                                .periods = tick[i].periods};
    }
    join_shares(&credit->shares);
    return STATUS_OK;
}

static void give(struct session_sample *sample, const struct session *session, uint32_t slot)
{
    sample->slot = slot;
    sample->region = session_slot_at(session, slot)->region;
    sample->flags |= SESSION_SAMPLE_WORKER;
}

/* Of samples whose ticks were dropped in part, the others are taken to be alike. */
static enum status split(struct credit *credit, struct share *share)
{
    struct session *session = credit->session;
    double part = (double)share->periods / (double)credit->periods[share->sample];
    struct session_sample *whole = array_at(&session->samples, share->sample);
    struct session_sample taken = *whole;

    share->made = share->sample;
    taken.periods = (uint64_t)(part * (double)whole->periods + 0.5);
    taken.count = (uint64_t)(part * (double)whole->count + 0.5);
    credit->periods[share->sample] -= share->periods;
    if (credit->periods[share->sample] == 0 || taken.periods >= whole->periods ||
        taken.count >= whole->count) {
        give(whole, session, share->slot);
        return STATUS_OK;
    }
    whole->periods -= taken.periods;
    whole->count -= taken.count;
    share->made = (uint32_t)session->samples.count;
    give(&taken, session, share->slot);
    whole = array_add(&session->samples);
    if (!whole)
        return STATUS_OUT_OF_MEMORY;
    *whole = taken;
    return STATUS_OK;
}

static void point_ticks(struct credit *credit)
{
    struct session_tick *tick = credit->session->ticks.items;

    for (size_t i = 0; i < credit->session->ticks.count; i++) {
        const struct share key = {.sample = tick[i].sample, .slot = credit->slots[i]};
        const struct share *share =
            key.slot == SESSION_NONE
                ? NULL
                : bsearch(&key, credit->shares.items, credit->shares.count, sizeof key,
                          compare_shares);

        if (share)
            tick[i].sample = share->made;
    }
}

static enum status fill(struct credit *credit)
{
    const struct session *session = credit->session;
    enum status status;

    credit->runs_in = calloc(session->bindings.count + 1, session->modules.count + 1);
    credit->slots = calloc(session->ticks.count + 1, sizeof *credit->slots);
    credit->periods = calloc(session->samples.count + 1, sizeof *credit->periods);
    if (!credit->runs_in || !credit->slots || !credit->periods)
        return STATUS_OUT_OF_MEMORY;
    note_modules(credit);
    status = look_up_ticks(credit);
    for (size_t i = 0; i < credit->shares.count && !status; i++)
        status = split(credit, array_at(&credit->shares, i));
    if (!status)
        point_ticks(credit);
    return status;
}

enum status cpu_workers_credit(struct session *session)
{
    struct credit credit = {.session = session};
    enum status status;

    array_init(&credit.shares, sizeof(struct share));
    status = fill(&credit);
    array_fini(&credit.shares);
    free(credit.runs_in);
    free(credit.slots);
    free(credit.periods);
    return status;
}
