/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What threads waited for, and what kernels were called for: the stacks of the calls that were
 * recorded, which need no samples.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "export/stacks_parts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "places/places.h"
#include "waits/wait_split.h"

/* ---- waiting ---------------------------------------------------------------------------- */

/* What it waited in, and for which file. */
static void enter_wait(struct export_stacks *stacks, struct export_stack **stack,
                       const struct session_wait *wait)
{
    stacks_enter(stacks, stack, &(struct export_frame){.name = wait->function});

    if (wait->name)
        stacks_enter(stacks, stack, &(struct export_frame){.name = wait->name});
}

static void enter_chain(struct export_stacks *stacks, struct export_stack **stack, uint32_t call,
                        struct array *chain)
{
    array_truncate(chain, 0);
    if (call != SESSION_NONE)
        places_fill_chain(stacks->time.places, call, chain);
    for (size_t i = chain->count; i-- > 0;) {
        const struct place *place = array_at(chain, i);
        size_t number;

        if (place->function->is_starter)
            continue;
        stacks_find_place(stacks, place, &number);
        stacks_enter_number(stacks, stack, number);
    }
}

/* The chain is that of the longest call, and stands for all from the same place. */
static void add_wait(struct export_stacks *stacks, const struct session_wait *wait,
                     struct array *chain)
{
    const struct stacks_owner owner = {wait->thread, wait->region, wait->op, SESSION_NONE};
    struct export_stack *stack = &stacks->root;

    stacks_enter_owner(stacks, &stack, &owner);
    enter_chain(stacks, &stack, wait->chain, chain);
    enter_wait(stacks, &stack, wait);
    stack->weights[EXPORT_WAITING] += (double)wait->waiting_ns;
}

static void add_calls(struct export_stacks *stacks)
{
    const struct session *session = stacks->session;
    struct array chain;

    array_init(&chain, sizeof(struct place));
    for (size_t i = 0; i < session->waits.count; i++)
        if (session_wait_at(session, i)->waiting_ns > 0)
            add_wait(stacks, session_wait_at(session, i), &chain);
    array_fini(&chain);
}

/* ---- wall time -------------------------------------------------------------------------- */

static void enter_region(struct export_stacks *stacks, struct export_stack **stack, uint32_t region)
{
    const struct session_region *of;

    if (region == 0)
        return;
    of = session_region_at(stacks->session, region);
    enter_region(stacks, stack, of->parent);
    stacks_enter(stacks, stack, &(struct export_frame){.name = of->label});
}

static void enter_op(struct export_stacks *stacks, struct export_stack **stack, uint32_t op)
{
    const struct session_op *of;

    if (op == 0 || op >= stacks->session->ops.count)
        return;
    of = session_op_at(stacks->session, op);
    enter_op(stacks, stack, of->parent);
    stacks_enter(stacks, stack, &(struct export_frame){.name = of->name ? of->name : "?"});
}

/* The time of a region, of an op or of what has a name, in the stack of its owner. */
static void add_wall(struct export_stacks *stacks, const struct stacks_owner *owner,
                     const char *name, double ns)
{
    struct export_stack *stack = &stacks->root;

    if (!(ns > 0))
        return;
    stacks_enter_owner(stacks, &stack, owner);
    enter_region(stacks, &stack, owner->region);
    enter_op(stacks, &stack, owner->op);
    if (name)
        stacks_enter(stacks, &stack, &(struct export_frame){.name = name});
    stack->weights[EXPORT_WALL] += ns;
}

/* Processor time, and waiting in calls that were seen.  Returns: the sum. */
static double copy_seen(struct export_stacks *stacks)
{
    double seen_ns = 0;

    for (struct branch *branch = branches_last(&stacks->branches); branch;
         branch = branches_before(branch)) {
        struct export_stack *stack = (struct export_stack *)branch;

        stack->weights[EXPORT_WALL] = stack->weights[EXPORT_CPU] + stack->weights[EXPORT_WAITING];
        seen_ns += stack->weights[EXPORT_WALL];
    }
    return seen_ns;
}

/* The lives of all threads are the whole.  What is seen of it can be more: the threads of a process
 * that were not recorded have processor time, too. */
static void add_rests(struct export_stacks *stacks)
{
    const struct session *session = stacks->session;
    double rest_ns = (double)session->thread_ns - copy_seen(stacks);

    for (uint32_t i = 0; i < session->threads.count; i++) {
        double delay_ns = fmin(wait_split_of(session, i).delay_ns, rest_ns);

        if (!(delay_ns > 0))
            continue;
        add_wall(stacks, &(struct stacks_owner){i, 0, 0, SESSION_NONE},
                 "ready, without a processor", delay_ns);
        rest_ns -= delay_ns;
    }
    add_wall(stacks, &(struct stacks_owner){SESSION_NONE, 0, 0, SESSION_NONE},
             "waiting in calls that tprof does not see", rest_ns);
}

/* ---- ops without samples ------------------------------------------------------------------ */

/* Returns: the region around the outermost op around one. */
static uint32_t find_region_around(const struct session *session, uint32_t op)
{
    while (session_op_at(session, op)->parent != 0)
        op = session_op_at(session, op)->parent;
    return session_op_at(session, op)->region;
}

/* What regions have beside the regions and ops right in them.  A region in an op has no time of its
 * own: it is the op's.  `own_ns` has the time of each region. */
static void find_region_times(const struct session *session, double *own_ns)
{
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);

        if (op->parent == 0)
            own_ns[op->region] -= (double)op->inclusive_ns;
        else if (session_op_at(session, op->parent)->region != op->region)
            own_ns[op->region] = -INFINITY;
    }
    for (size_t i = session->regions.count; i-- > 1;) {
        const struct session_region *region = session_region_at(session, (uint32_t)i);

        own_ns[i] += (double)region->inclusive_ns;
        if (own_ns[i] > -INFINITY)
            own_ns[region->parent] -= (double)region->inclusive_ns;
    }
}

/* The time of each op and region without those inside, which tells what threads did where nothing
 * else does. */
static void add_ops(struct export_stacks *stacks)
{
    const struct session *session = stacks->session;
    double *own_ns = memory_get_zeros(session->regions.count, sizeof *own_ns);

    find_region_times(session, own_ns);
    for (uint32_t i = 1; i < session->regions.count; i++)
        add_wall(stacks, &(struct stacks_owner){SESSION_NONE, i, 0, SESSION_NONE}, NULL, own_ns[i]);
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct stacks_owner owner = {SESSION_NONE, find_region_around(session, i), i,
                                           SESSION_NONE};

        add_wall(stacks, &owner, NULL, (double)session_op_at(session, i)->exclusive_ns);
    }
    free(own_ns);
}

void stacks_add_waits(struct export_stacks *stacks)
{
    add_calls(stacks);

    if (!stacks->has[EXPORT_CPU] && stacks->session->process.imported) {
        stacks->has[EXPORT_WALL] = stacks->session->ops.count > 1;
        if (stacks->has[EXPORT_WALL])
            add_ops(stacks);
        return;
    }
    stacks->has[EXPORT_WAITING] = stacks->session->waits.count > 0;
    stacks->has[EXPORT_WALL] = stacks->has[EXPORT_CPU];
    if (!(!stacks->has[EXPORT_WALL]))
        add_rests(stacks);
}

/* ---- kernels ---------------------------------------------------------------------------- */

/* The function that calls, with those that it was inlined into. */
static void enter_caller(struct export_stacks *stacks, struct export_stack **stack, uint64_t site)
{
    const struct session_module *module = session_find_module(stacks->session, site);
    const struct symbols_frame *frames = NULL;
    size_t count = 0;

    if (site)
        session_find_site_frames(stacks->session, site, &frames, &count);
    for (size_t i = count; i-- > 0;)
        if (frames[i].function)
            stacks_enter(
                stacks, stack,
                &(struct export_frame){.name = frames[i].function,
                                       .library = module ? text_base_name(module->path) : NULL,
                                       .file = frames[i].file,
                                       .line = frames[i].line,
                                       .is_inlined = frames[i].is_inlined});
}

static void enter_kernel(struct export_stacks *stacks, struct export_stack **stack,
                         const struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(stacks->session, slot->binding);
    const struct export_frame frame = {
        .name = session_name_slot(stacks->session, slot),
        .library = binding->module ? text_base_name(binding->module->path) : NULL};

    if (slot->op != 0)
        enter_op(stacks, stack, slot->op);
    else
        enter_caller(stacks, stack, slot->site);
    stacks_enter(stacks, stack, &frame);
}

/* A kernel inside another that owns its FLOPs has no more than its calls. */
static void weigh(struct export_stacks *stacks, struct export_stack *stack,
                  const struct session_slot *slot)
{
    long double calls = (long double)slot->calls;
    bool has_flops = !isnan(slot->flops_each), has_bytes = !isnan(slot->bytes_each);

    stack->weights[EXPORT_CALLS] += (double)slot->calls;
    if (slot->nested)
        return;
    if (has_flops)
        stack->weights[EXPORT_FLOPS] += (double)(slot->flops_each * calls);
    else
        stacks->unknown_calls += slot->calls;
    if (has_bytes)
        stack->weights[EXPORT_MOVED] += (double)(slot->bytes_each * calls);
    stacks->has[EXPORT_FLOPS] = stacks->has[EXPORT_FLOPS] || has_flops;
    stacks->has[EXPORT_MOVED] = stacks->has[EXPORT_MOVED] || has_bytes;
}

static void add_slot(struct export_stacks *stacks, uint32_t index)
{
    const struct session_slot *slot = session_slot_at(stacks->session, index);
    const struct stacks_owner owner = {slot->thread, slot->region, slot->op, index};
    struct export_stack *stack = &stacks->root;

    stacks_enter_owner(stacks, &stack, &owner);
    enter_kernel(stacks, &stack, slot);
    weigh(stacks, stack, slot);
}

void stacks_add_kernels(struct export_stacks *stacks)
{
    stacks->has[EXPORT_CALLS] = stacks->session->slots.count > 0;
    for (uint32_t i = 0; i < stacks->session->slots.count; i++)
        add_slot(stacks, i);
}
