/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stacks of recorded waits, commands of devices and calls of kernels, which need no samples.
 */
#include <math.h>

#include "base/pool.h"
#include "base/text.h"
#include "devices/queue_tracks.h"
#include "export/stacks_parts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/wait_split.h"

/* ---- waiting ---------------------------------------------------------------------------- */

/* The chain of the longest call represents all calls from the same place.  The chain ends with the
 * waiting call and its file. */
static void add_wait(struct stacks_source *source, const struct session_wait *wait)
{
    const struct stacks_owner owner = {wait->thread, wait->region, wait->op, SESSION_NONE};
    struct call_node *node = stacks_enter_owner(source, &owner);

    if (wait->chain != SESSION_NONE)
        node = call_chains_enter(&source->chains, node, wait->chain);
    node = stacks_enter_name(source, node, wait->function);
    if (wait->name)
        node = stacks_enter_name(source, node, wait->name);
    stacks_add_seen(source, node, EXPORT_WAITING, (double)wait->waiting_ns);
}

static void add_calls(struct stacks_source *source)
{
    const struct session *session = source->session;

    for (size_t i = 0; i < session->waits.count; i++)
        if (session_wait_at(session, i)->waiting_ns > 0)
            add_wait(source, session_wait_at(session, i));
}

/* ---- wall time -------------------------------------------------------------------------- */

/* The time of a region, an op or another named owner, in the stack of this owner. */
static void add_wall(struct stacks_source *source, const struct stacks_owner *owner,
                     const char *name, double ns)
{
    const struct call_scope scope = {source->session, owner->region, owner->op, false};
    struct call_node *node;

    if (!(ns > 0))
        return;
    node = stacks_enter_owner(source, owner);
    node = call_chains_enter_scope(&source->stacks->tree, node, &scope);
    if (name)
        node = stacks_enter_name(source, node, name);
    node->weights[EXPORT_WALL].own += ns;
}

/* The whole is the lives of all threads.  The stacks may sum up to more: unrecorded threads of the
 * process have processor time, too. */
static void add_rests(struct stacks_source *source)
{
    const struct session *session = source->session;
    double rest_ns = (double)session->thread_ns - source->seen_ns;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        double delay_ns = fmin(wait_split_of(session, i).delay_ns, rest_ns);

        if (!(delay_ns > 0))
            continue;
        add_wall(source, &(struct stacks_owner){i, 0, 0, SESSION_NONE},
                 "ready, without a processor", delay_ns);
        rest_ns -= delay_ns;
    }
    add_wall(source, &(struct stacks_owner){SESSION_NONE, 0, 0, SESSION_NONE},
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

/* Find the time of each region without the regions and ops directly inside it.  A region in an op
 * has no time of its own: the time belongs to the op. */
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

/* Add the time of each op and region without inner ones: some imported traces have no other
 * time. */
static void add_ops(struct stacks_source *source)
{
    const struct session *session = source->session;
    double *own_ns = pool_get_zeros(session->regions.count, sizeof *own_ns);

    find_region_times(session, own_ns);
    for (uint32_t i = 1; i < session->regions.count; i++)
        add_wall(source, &(struct stacks_owner){SESSION_NONE, i, 0, SESSION_NONE}, NULL, own_ns[i]);
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct stacks_owner owner = {SESSION_NONE, find_region_around(session, i), i,
                                           SESSION_NONE};

        add_wall(source, &owner, NULL, (double)session_op_at(session, i)->exclusive_ns);
    }
}

void stacks_add_waits(struct stacks_source *source)
{
    const struct session *session = source->session;
    bool *has = source->stacks->has;

    add_calls(source);
    if (!has[EXPORT_CPU] && session->process.imported) {
        has[EXPORT_WALL] = session->ops.count > 1;
        if (has[EXPORT_WALL])
            add_ops(source);
        return;
    }
    has[EXPORT_WAITING] = session->waits.count > 0;
    has[EXPORT_WALL] = has[EXPORT_CPU];
    if (has[EXPORT_WALL])
        add_rests(source);
}

/* ---- commands of devices, and kernels ---------------------------------------------------- */

/* The calling function, and the functions that it was inlined into. */
static struct call_node *enter_caller(struct stacks_source *source, struct call_node *node,
                                      uint64_t site)
{
    const struct session_module *module = session_find_module(source->session, site);
    const struct symbols_frame *frames = NULL;
    size_t count = 0;

    if (site)
        session_find_site_frames(source->session, site, &frames, &count);
    for (size_t i = count; i-- > 0;) {
        const struct call_frame frame = {.name = frames[i].function,
                                         .library = module ? text_base_name(module->path) : NULL,
                                         .file = frames[i].file,
                                         .line = frames[i].line,
                                         .is_inlined = frames[i].is_inlined};

        if (frame.name)
            node = call_tree_enter_frame(&source->stacks->tree, node, &frame);
    }
    return node;
}

/* The chain of the first command represents all commands from the same place. */
static void add_command(struct stacks_source *source, const struct session_command_sum *sum)
{
    const struct stacks_owner owner = {sum->thread, sum->region, sum->op, SESSION_NONE};
    struct call_node *node = stacks_enter_owner(source, &owner);

    if (sum->chain != SESSION_NONE)
        node = call_chains_enter(&source->chains, node, sum->chain);
    else
        node = enter_caller(source, node, sum->site);
    node = stacks_enter_name(source, node, command_name(sum));
    node->weights[EXPORT_DEVICE].own += (double)sum->run_ns;
}

/* A build is work of the host.  A device's time is no time of the thread that asked. */
void stacks_add_commands(struct stacks_source *source)
{
    const struct session_devices *devices = &source->session->devices;

    for (size_t i = 0; i < devices->sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(devices, i);

        if (sum->timed == 0 || sum->kind == TRACE_COMMAND_BUILD)
            continue;
        add_command(source, sum);
        source->stacks->has[EXPORT_DEVICE] = true;
    }
}

static struct call_node *enter_kernel(struct stacks_source *source, struct call_node *node,
                                      const struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(source->session, slot->binding);
    const struct call_scope scope = {.session = source->session, .op = slot->op};
    const struct call_frame frame = {
        .name = session_name_slot(source->session, slot),
        .library = binding->module ? text_base_name(binding->module->path) : NULL};

    node = slot->op != 0 ? call_chains_enter_scope(&source->stacks->tree, node, &scope)
                         : enter_caller(source, node, slot->site);
    return call_tree_enter_frame(&source->stacks->tree, node, &frame);
}

/* A kernel inside another that owns its FLOPs has no more than its calls. */
static void weigh(struct export_stacks *stacks, struct call_node *node,
                  const struct session_slot *slot)
{
    long double calls = (long double)slot->calls;
    bool has_flops = !isnan(slot->flops_each), has_bytes = !isnan(slot->bytes_each);

    node->weights[EXPORT_CALLS].own += (double)slot->calls;
    if (slot->nested)
        return;
    if (has_flops)
        node->weights[EXPORT_FLOPS].own += (double)(slot->flops_each * calls);
    else
        stacks->unknown_calls += slot->calls;
    if (has_bytes)
        node->weights[EXPORT_MOVED].own += (double)(slot->bytes_each * calls);
    stacks->has[EXPORT_FLOPS] = stacks->has[EXPORT_FLOPS] || has_flops;
    stacks->has[EXPORT_MOVED] = stacks->has[EXPORT_MOVED] || has_bytes;
}

static void add_slot(struct stacks_source *source, uint32_t index)
{
    const struct session_slot *slot = session_slot_at(source->session, index);
    const struct stacks_owner owner = {slot->thread, slot->region, slot->op, index};
    struct call_node *node = stacks_enter_owner(source, &owner);

    weigh(source->stacks, enter_kernel(source, node, slot), slot);
}

void stacks_add_kernels(struct stacks_source *source)
{
    source->stacks->has[EXPORT_CALLS] = source->session->slots.count > 0;
    for (uint32_t i = 0; i < source->session->slots.count; i++)
        add_slot(source, i);
}
