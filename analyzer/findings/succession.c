/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the courses of all threads: reports are made of ten million calls.
 */
#include "findings/succession.h"

#include <math.h>
#include <string.h>

#include "analysis/runtimes.h"
#include "base/pool.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/slots.h"

/* Common to all timed calls of a slot. */
struct timed {
    double stands_for; /* number of calls represented, itself included */
    double others_ns;  /* time of the other represented calls */
    double cost_ns;    /* tprof's cost for these calls, outside of them */
    bool passes;       /* the calls only pass over data */
    bool absorbs;      /* products that take passes after them over, as post-ops */
};

/* A walk through the calls of a thread. */
struct walk {
    struct successions *successions;
    const struct timed *timed; /* calls by slot */
    uint64_t chain_calls;
    double chain_ns;
    double longest_ns;
    bool is_absorbed;   /* the chain follows a product that absorbs passes */
    bool after_product; /* so does the next call, if it is close */
};

static void end_chain(struct walk *walk)
{
    struct chains *chains = &walk->successions->chains;

    if (walk->chain_calls > 1) {
        chains->count++;
        chains->calls += walk->chain_calls;
        chains->thread_ns += walk->chain_ns;
        chains->fused_ns += walk->chain_ns - (walk->is_absorbed ? 0 : walk->longest_ns);
    }
    walk->chain_calls = 0;
    walk->chain_ns = walk->longest_ns = 0;
}

static void follow_chain(struct walk *walk, const struct course_call *call, bool is_close)
{
    double length_ns = (double)course_length_ns(call);

    if (!walk->timed[call->slot].passes || !is_close)
        end_chain(walk);
    if (walk->chain_calls == 0)
        walk->is_absorbed = is_close && walk->after_product;
    walk->after_product = walk->timed[call->slot].absorbs;
    if (!walk->timed[call->slot].passes)
        return;
    walk->chain_calls++;
    walk->chain_ns += length_ns;
    walk->longest_ns = fmax(walk->longest_ns, length_ns);
}

/* The gap before a call, and the gaps before the calls counted since the last record.  Counted
 * calls may precede calls of another slot, where they look like gaps.  Then the rest here is below
 * zero, and the sum over all slots is right.  Returns: whether the gaps are close. */
static bool follow_gaps(struct succession *of, const struct timed *timed, double gap_ns,
                        double close_ns)
{
    double free_ns = gap_ns - timed->others_ns;

    if (free_ns >= timed->stands_for * close_ns) {
        of->far_gaps += timed->stands_for;
        of->far_gap_ns += free_ns;
        return false;
    }
    of->close_gaps += timed->stands_for;
    of->close_gap_ns += free_ns;
    return true;
}

/* Behind a call of the same slot, the calls counted since then are repeats, too.  Behind a call of
 * another slot, they were between calls of others, as in a loop over several kernels.  Each then
 * separates two calls that seem to follow one another. */
static double count_repeats(const struct timed *timed, bool is_same, bool is_close)
{
    if (!is_same)
        return 1 - timed->stands_for;
    return is_close ? timed->stands_for : 0;
}

/* After a long pass, a longer gap need not be other work: other programs may have had the processor
 * and the caches before. */
static double aside_ns(const struct course_call *call)
{
    const double aside = 0.05; /* as a share of the pass */

    return fmax(SUCCESSION_CLOSE_NS, aside * (double)course_length_ns(call));
}

static void follow_call(struct walk *walk, const struct course_call *before,
                        const struct course_call *call)
{
    struct succession *of = (struct succession *)walk->successions->slots.items + call->slot;
    const struct timed *timed = &walk->timed[call->slot];
    double gap_ns = (double)call->start_ns - (double)course_end_ns(before) - timed->cost_ns;
    bool is_same = before->slot == call->slot;

    of->calls++;
    of->runs += !is_same;
    of->repeats +=
        count_repeats(timed, is_same, follow_gaps(of, timed, gap_ns, walk->successions->close_ns));
    follow_chain(walk, call, gap_ns < aside_ns(call));
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

static struct timed find_timed(const struct session *session, const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slot->kernel;
    double stands_for = slots_stands_for(slot);
    double each_ns = (double)slots_times(session, slot).total_ns / fmax(1, (double)slot->calls);

    return (struct timed){
        stands_for, (stands_for - 1) * each_ns, slots_outer_cost_ns(session, slot),
        kernel && (kernel->class == CATALOG_ELEMENTWISE || kernel->class == CATALOG_MOVEMENT),
        kernel && kernel->class == CATALOG_MATMUL && kernel->adapter &&
            strcmp(kernel->adapter, "onednn") == 0};
}

static void follow_all(struct successions *successions, const struct session *session)
{
    struct timed *timed = pool_get_zeros(session->slots.count + 1, sizeof *timed);
    struct walk walk = {.successions = successions, .timed = timed};

    for (size_t i = 0; i < session->slots.count; i++)
        timed[i] = find_timed(session, session_slot_at(session, i));
    for (uint32_t i = 0; i < session->courses.count; i++) {
        successions->is_known |= course_of(session, i)->calls.count > 0;
        follow_course(&walk, course_of(session, i));
    }
}

void successions_init(struct successions *successions, const struct session *session)
{
    *successions = (struct successions){.runtime = runtimes_find(session)};
    successions->close_ns = successions->runtime ? SUCCESSION_CLOSE_NS : SUCCESSION_DIRECT_NS;
    array_init(&successions->slots, sizeof(struct succession));
    array_reserve(&successions->slots, session->slots.count);
    for (size_t i = 0; i < session->slots.count; i++)
        array_add(&successions->slots);
    follow_all(successions, session);
}

