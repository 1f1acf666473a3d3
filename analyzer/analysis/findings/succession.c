/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the courses of all threads: reports are made of ten million calls.
 */
#include "analysis/findings/succession.h"

#include <math.h>
#include <stdlib.h>

#include "model/course.h"

/* The part of our own cost that stands between two calls. */
static double outer_cost_ns(const struct session *session)
{
    return fmax(0, session->overhead.kernel_ns - session->overhead.kernel_inner_ns);
}

double succession_stands_for(const struct session_slot *slot)
{
    return slot->timed_calls > 0 ? fmax(1, (double)slot->calls / (double)slot->timed_calls) : 1;
}

/* A thread's course on the way. */
struct walk {
    const struct session *session;
    struct successions *successions;
    const bool *passes; /* whether a slot's calls only pass over data, by slot */
    double cost_ns;
    uint64_t chain_calls;
    double chain_ns;
    double longest_ns;
};

static void end_chain(struct walk *walk)
{
    struct chains *chains = &walk->successions->chains;

    if (walk->chain_calls > 1) {
        chains->count++;
        chains->calls += walk->chain_calls;
        chains->thread_ns += walk->chain_ns;
        chains->fused_ns += walk->chain_ns - walk->longest_ns;
    }
    walk->chain_calls = 0;
    walk->chain_ns = walk->longest_ns = 0;
}

static void follow_chain(struct walk *walk, const struct course_call *call, bool is_close)
{
    double length_ns = (double)course_length_ns(call);

    if (!walk->passes[call->slot] || !is_close)
        end_chain(walk);
    if (!walk->passes[call->slot])
        return;
    walk->chain_calls++;
    walk->chain_ns += length_ns;
    walk->longest_ns = fmax(walk->longest_ns, length_ns);
}

/* The gap before a call, and those before the calls that were counted since the last. */
static void follow_gaps(struct succession *of, const struct session_slot *slot, double gap_ns)
{
    double count = succession_stands_for(slot);
    double inside_ns = (count - 1) * (double)slot->total_ns / fmax(1, (double)slot->calls);

    if (gap_ns >= count * SUCCESSION_CLOSE_NS) {
        of->far_gaps += count;
        of->far_gap_ns += fmax(0, gap_ns - inside_ns);
        return;
    }
    of->close_gaps += count;
    of->close_gap_ns += fmax(0, gap_ns - inside_ns);
}

static void follow_call(struct walk *walk, const struct course_call *before,
                        const struct course_call *call)
{
    struct succession *of = (struct succession *)walk->successions->slots.items + call->slot;
    double gap_ns = (double)call->start_ns - (double)course_end_ns(before) - walk->cost_ns;

    of->calls++;
    of->runs += before->slot != call->slot;
    follow_gaps(of, array_at(&walk->session->slots, call->slot), gap_ns);
    follow_chain(walk, call, gap_ns < SUCCESSION_CLOSE_NS);
}

static void follow_course(struct walk *walk, const struct session_course *course)
{
    const struct course_call *calls = course->calls.items;
    struct succession *slots = walk->successions->slots.items;

    if (course->calls.count == 0)
        return;
    slots[calls[0].slot].calls++;
    slots[calls[0].slot].runs++;
    follow_chain(walk, &calls[0], false);
    for (size_t i = 1; i < course->calls.count; i++)
        follow_call(walk, &calls[i - 1], &calls[i]);
    end_chain(walk);
}

static enum status follow_all(struct successions *successions, const struct session *session)
{
    bool *passes = calloc(session->slots.count + 1, sizeof *passes);
    struct walk walk = {session, successions, passes, outer_cost_ns(session), 0, 0, 0};

    if (!passes)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct catalog_kernel *kernel =
            ((const struct session_slot *)array_at(&session->slots, i))->kernel;

        passes[i] =
            kernel && (kernel->class == CATALOG_ELEMENTWISE || kernel->class == CATALOG_MOVEMENT);
    }
    for (uint32_t i = 0; i < session->courses.count; i++) {
        successions->is_known |= course_of(session, i)->calls.count > 0;
        follow_course(&walk, course_of(session, i));
    }
    free(passes);
    return STATUS_OK;
}

enum status successions_init(struct successions *successions, const struct session *session)
{
    enum status status;

    *successions = (struct successions){.is_known = false};
    array_init(&successions->slots, sizeof(struct succession));
    status = array_reserve(&successions->slots, session->slots.count);
    for (size_t i = 0; i < session->slots.count && !status; i++)
        status = array_add(&successions->slots) ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    if (!status)
        status = follow_all(successions, session);
    if (status)
        successions_fini(successions);
    return status;
}

void successions_fini(struct successions *successions)
{
    array_fini(&successions->slots);
}
