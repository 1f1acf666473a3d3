/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of threads that work for a kernel of another thread.
 *
 * Each tick is looked up in the courses of the other threads.  The samples themselves name the op
 * that was open.
 */
#include "model/cpu_workers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/course.h"
#include "model/python.h"
#include "model/sample_split.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

struct credit {
    struct session *session;
    unsigned char *runs_in; /* by binding and module: a sample inside the kernel was in the
                               module */
    uint32_t *slots;        /* by tick: the kernel that gets it, or NONE */
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

/* Returns: the call of a course that was open at a time; NULL: none is known. */
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

/* Threads that call one kernel in one region have a slot each. */
static bool is_one_kernel(const struct session *session, uint32_t one, uint32_t other)
{
    const struct session_slot *left = session_slot_at(session, one);
    const struct session_slot *right = session_slot_at(session, other);

    return left->binding == right->binding && left->kernel == right->kernel &&
           left->region == right->region;
}

/* Returns: the slot of the only kernel open in other threads; NONE: there is none, or there are
 * several. */
static uint32_t find_only(const struct session *session, uint32_t thread, uint64_t time_ns)
{
    uint32_t only = SESSION_NONE;

    for (uint32_t i = 0; i < session->courses.count; i++) {
        const struct session_course *course = course_of(session, i);
        const struct course_call *open =
            i == thread || course->calls.count == 0 ? NULL : find_open(course, time_ns);

        if (open && only != SESSION_NONE && !is_one_kernel(session, open->slot, only))
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
           course_of(session, sample->thread)->calls.count == 0;
}

static uint32_t find_kernel(const struct credit *credit, const struct session_tick *tick)
{
    const struct session *session = credit->session;
    const struct session_sample *sample = session_sample_at(session, tick->sample);
    uint32_t slot, binding;

    if (!may_work_for_others(session, sample) || module_of(session, sample) == SESSION_NONE)
        return SESSION_NONE;
    slot = find_only(session, sample->thread, tick->time_ns);
    if (slot == SESSION_NONE)
        return SESSION_NONE;
    binding = session_slot_at(session, slot)->binding;
    return credit->runs_in[pair_of(session, binding, module_of(session, sample))] ? slot
                                                                                  : SESSION_NONE;
}

static void give(void *of, struct session_sample *sample, uint32_t slot)
{
    sample->slot = slot;
    sample->region = session_slot_at(of, slot)->region;
    sample->op = session_slot_at(of, slot)->op;
    sample->flags |= SESSION_SAMPLE_WORKER;
}

static void fill(struct credit *credit)
{
    struct session *session = credit->session;
    const struct session_tick *tick = session->ticks.items;

    credit->runs_in = memory_get_zeros(session->bindings.count + 1, session->modules.count + 1);
    credit->slots = memory_get_zeros(session->ticks.count + 1, sizeof *credit->slots);
    note_modules(credit);
    for (size_t i = 0; i < session->ticks.count; i++)
        credit->slots[i] = find_kernel(credit, &tick[i]);
    sample_split(session, credit->slots, give, session);
}

/* ---- ops ---- */

/* Code that oneDNN or a compiler generates at run time is in no module: it counts as a module of
 * its own, after the others. */
static uint32_t code_of(const struct session *session, const struct session_sample *sample)
{
    uint32_t module = module_of(session, sample);

    return module != SESSION_NONE ? module : (uint32_t)session->modules.count;
}

static void note_code_of_ops(const struct session *session, bool *runs_ops)
{
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        if (sample->op != 0 && sample->call != 0)
            runs_ops[code_of(session, sample)] = true;
    }
}

static bool is_python(const struct session *session, uint32_t call)
{
    while (call != 0 && !python_is_call(session_call_at(session, call)->address))
        call = session_call_at(session, call)->parent;
    return call != 0;
}

/* PyTorch's own threads run the parts of an op. */
static void credit_ops(struct session *session)
{
    bool *runs_ops = memory_get_zeros(session->modules.count + 1, sizeof *runs_ops);
    struct session_sample *sample = session->samples.items;

    note_code_of_ops(session, runs_ops);
    for (size_t i = 0; i < session->samples.count; i++)
        if (sample[i].other_op != 0 && may_work_for_others(session, &sample[i]) &&
            runs_ops[code_of(session, &sample[i])] && !is_python(session, sample[i].call))
            sample[i].op = sample[i].other_op;
    free(runs_ops);
}

void cpu_workers_credit(struct session *session)
{
    struct credit credit = {.session = session};

    fill(&credit);
    free(credit.runs_in);
    free(credit.slots);
    credit_ops(session);
}
