/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees of functions by threads, weighted by processor time, waiting and memory; and of
 * kernels by regions and ops, weighted by time, calls, FLOPs and bytes.
 */
#include "page/stacks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "page/flame_data.h"
#include "stacks/call_chains.h"
#include "stacks/call_tree.h"

/* ---- functions ------------------------------------------------------------------------ */

/* Calls of kernels have a tree of their own.  The time of all threads replaces an unknown processor
 * time. */
static const enum export_weight shown[] = {EXPORT_CPU,  EXPORT_ALLOCATIONS, EXPORT_ALLOCATED,
                                           EXPORT_PEAK, EXPORT_LIVE,        EXPORT_WAITING};
enum { STACKS_WEIGHTS = sizeof shown / sizeof *shown };

_Static_assert((int)STACKS_WEIGHTS <= (int)FLAME_WEIGHTS, "the page has room for them");

static void put_tree(struct html *html, struct call_tree *tree, enum export_weight time,
                     const bool *has)
{
    struct flame_data data = {
        .name = "functions", .tree = tree, .weight_count = STACKS_WEIGHTS, .is_part = true};

    for (size_t i = 0; i < STACKS_WEIGHTS; i++) {
        const enum export_weight weight = shown[i] == EXPORT_CPU ? time : shown[i];
        const struct export_weight_row *row = export_weight_at(weight);
        const char *unit = strcmp(row->unit, "nanoseconds") == 0 ? "ns" : row->unit;

        data.weights[i] = (struct flame_weight){row->help, unit, weight, has[weight]};
    }
    call_tree_sum_up(tree);
    flame_data_put(html, &data);
}

static void put_functions(struct html *html, const struct page_request *request)
{
    struct export_stacks stacks;

    export_stacks_init(&stacks, EXPORT_BY_THREAD, CALL_FRAMES_BY_PLACE);
    export_stacks_add(&stacks, request->session, stacks.tree.root);
    put_tree(html, &stacks.tree, export_stacks_choose(&stacks, EXPORT_WEIGHTS), stacks.has);
}

/* ---- of a job ------------------------------------------------------------------------- */

void stacks_init_job(struct stacks_job *job)
{
    *job = (struct stacks_job){.has = {false}};
    export_stacks_init(&job->stacks, EXPORT_BY_FUNCTION, CALL_FRAMES_BY_PLACE);
}

void stacks_add_process(struct stacks_job *job, const struct session *session, const char *name)
{
    const struct call_frame frame = {.name = name, .library = "process",
                                     .kind = CALL_FRAME_THREAD};
    struct call_tree *tree = &job->stacks.tree;
    size_t first = tree->count;

    export_stacks_add(&job->stacks, session, call_tree_enter_frame(tree, tree->root, &frame));
    for (int i = 0; i < EXPORT_WEIGHTS; i++)
        job->has[i] |= job->stacks.has[i];
    if (export_stacks_choose(&job->stacks, EXPORT_WEIGHTS) == EXPORT_CPU)
        return;
    for (size_t i = first; i < tree->count; i++) {
        struct call_node *node = call_tree_at(tree, i);

        node->weights[EXPORT_CPU].own = node->weights[EXPORT_WALL].own;
    }
}

void stacks_put_job(struct html *html, struct stacks_job *job)
{
    put_tree(html, &job->stacks.tree, EXPORT_CPU, job->has);
}

/* ---- kernels -------------------------------------------------------------------------- */

enum work_weight { WORK_TIME, WORK_CALLS, WORK_FLOPS, WORK_BYTES, WORK_WEIGHTS };

static struct call_node *enter_kernel(struct call_tree *tree, struct call_node *node,
                                      const struct session *session,
                                      const struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(session, slot->binding);
    const char *library = binding->module ? text_base_name(binding->module->path) : "";
    struct call_frame frame = {.name = session_name_slot(session, slot), .library = library,
                               .kind = CALL_FRAME_KERNEL};
    char shape[400] = "";

    node = call_tree_enter_frame(tree, node, &frame);
    if (slot->kernel && slot->dims == slot->kernel->shape_count)
        catalog_format_shape(slot->kernel, slot->shape, shape, sizeof shape);
    if (!shape[0])
        return node;
    frame = (struct call_frame){.name = shape, .kind = CALL_FRAME_KERNEL};
    return call_tree_enter_frame(tree, node, &frame);
}

static void weigh(struct call_node *node, const struct session *session,
                  const struct session_slot *slot)
{
    long double calls = (long double)slot->calls;

    node->weights[WORK_TIME].own += (double)session_without_cost(session, slot, slot->self_ns);
    node->weights[WORK_CALLS].own += (double)slot->calls;
    if (!slot->nested && !isnan(slot->flops_each))
        node->weights[WORK_FLOPS].own += (double)(slot->flops_each * calls);
    if (!slot->nested && !isnan(slot->bytes_each))
        node->weights[WORK_BYTES].own += (double)(slot->bytes_each * calls);
}

static void add_slot(struct call_tree *tree, const struct session *session,
                     const struct session_slot *slot)
{
    const struct call_scope scope = {session, slot->region, slot->op, true};
    struct call_node *node = call_chains_enter_scope(tree, tree->root, &scope);

    weigh(enter_kernel(tree, node, session, slot), session, slot);
}

static void put_kernels(struct html *html, const struct page_request *request)
{
    const struct session *session = request->session;
    struct call_tree tree;
    const struct flame_data data = {
        .name = "regions, ops and kernels",
        .tree = &tree,
        .weights = {{"time in kernels", "ns", WORK_TIME, true},
                    {"calls of kernels", "count", WORK_CALLS, true},
                    {"FLOPs", "flops", WORK_FLOPS, true},
                    {"bytes moved by kernels", "bytes", WORK_BYTES, true}},
        .weight_count = WORK_WEIGHTS,
    };

    call_tree_init(&tree, WORK_WEIGHTS);
    for (size_t i = 0; i < session->slots.count; i++)
        add_slot(&tree, session, session_slot_at(session, i));
    call_tree_sum_up(&tree);
    flame_data_put(html, &data);
}

void stacks_put(struct html *html, const struct page_request *request)
{
    html_put(html, "[");
    put_functions(html, request);
    html_put(html, ",\n");
    put_kernels(html, request);
    html_put(html, "]");
}
