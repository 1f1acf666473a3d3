/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees of functions by threads, weighed by processor time, waiting and memory; and of
 * kernels by regions and ops, weighed by time, calls, FLOPs and bytes.
 */
#include "page/stacks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "export/stacks.h"
#include "figures/places.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "page/call_tree.h"

/* ---- functions ------------------------------------------------------------------------ */

/* The weights of exports, and waiting behind them. */
enum { STACKS_WAITING = EXPORT_WEIGHTS, STACKS_WEIGHTS };

_Static_assert((int)STACKS_WEIGHTS <= (int)CALL_TREE_WEIGHTS, "a tree has room for them");

static void append_where(struct text *where, const struct export_frame *frame)
{
    if (frame->library)
        text_append(where, frame->library);
    else if (frame->file)
        text_append(where, frame->file);
    if (frame->line > 0)
        text_appendf(where, ":%u", (unsigned)frame->line);
}

static enum status find_frame(struct call_tree *tree, const struct export_frame *of,
                              size_t *number)
{
    struct call_tree_frame frame = {of->name, NULL,
                                    of->is_thread   ? CALL_TREE_THREAD
                                    : of->is_python ? CALL_TREE_PYTHON
                                                    : CALL_TREE_NATIVE};
    enum status status;
    struct text where;

    text_init(&where);
    append_where(&where, of);
    frame.where = where.bytes;
    status = text_status(&where);
    if (!status)
        status = call_tree_find(tree, &frame, number);
    text_fini(&where);
    return status;
}

static enum status find_frames(struct call_tree *tree, const struct export_stacks *stacks,
                               size_t *numbers)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < stacks->frames.count && !status; i++)
        status = find_frame(tree, array_at(&stacks->frames, i), &numbers[i]);
    return status;
}

static bool is_empty(const struct export_stack *stack)
{
    for (size_t i = 0; i < EXPORT_WEIGHTS; i++)
        if (stack->wholes[i] > 0)
            return false;
    return true;
}

/* Stacks come from the last on: callers first. */
static enum status copy_stacks(struct call_tree *tree, const struct export_stacks *stacks,
                               const size_t *numbers, struct call_tree_node **nodes)
{
    enum status status = STATUS_OK;

    for (size_t i = stacks->stacks.count; i-- > 0 && !status;) {
        const struct export_stack *stack = export_stack_at(stacks, i);
        const struct export_stack *around = export_stack_around(stacks, stack);

        if (is_empty(stack))
            continue;
        nodes[i] = around ? nodes[around->index] : &tree->root;
        status = call_tree_enter_number(tree, &nodes[i], numbers[stack->branch.key.name]);
        for (size_t j = 0; j < EXPORT_WEIGHTS && !status; j++)
            nodes[i]->weights[j] += stack->weights[j];
    }
    return status;
}

static enum status add_stacks(struct call_tree *tree, const struct export_stacks *stacks)
{
    size_t *numbers = calloc(stacks->frames.count + 1, sizeof *numbers);
    struct call_tree_node **nodes = calloc(stacks->stacks.count + 1, sizeof *nodes);
    enum status status = numbers && nodes ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (!status)
        status = find_frames(tree, stacks, numbers);
    if (!status)
        status = copy_stacks(tree, stacks, numbers, nodes);
    free(nodes);
    free(numbers);
    return status;
}

static enum status enter_place(struct call_tree *tree, struct call_tree_node **node,
                               const struct place *place)
{
    struct export_frame frame = {.library = place->function->module, .file = place->file,
                                 .line = place->line, .is_python = place->function->is_python};
    enum status status;
    struct text name;
    size_t number;

    if (place->function->is_starter)
        return STATUS_OK;
    text_init(&name);
    places_append_function(&name, place->function, false);
    frame.name = name.bytes;
    status = text_status(&name);
    if (!status)
        status = find_frame(tree, &frame, &number);
    if (!status)
        status = call_tree_enter_number(tree, node, number);
    text_fini(&name);
    return status;
}

static enum status enter_thread(struct call_tree *tree, struct call_tree_node **node,
                                const struct session *session, uint32_t thread)
{
    char name[32];

    if (thread >= session->threads.count)
        return STATUS_OK;
    snprintf(name, sizeof name, "thread %u", (unsigned)session_thread_at(session, thread)->id);
    return call_tree_enter(tree, node, &(struct call_tree_frame){name, "", CALL_TREE_THREAD});
}

/* What it waited in, and for which file. */
static enum status enter_call(struct call_tree *tree, struct call_tree_node **node,
                              const struct session_wait *wait)
{
    enum status status =
        call_tree_enter(tree, node, &(struct call_tree_frame){wait->function, "", CALL_TREE_NATIVE});

    if (!status && wait->name)
        status = call_tree_enter(tree, node, &(struct call_tree_frame){wait->name, "", CALL_TREE_NATIVE});
    return status;
}

/* The chain is that of the longest call, and stands for all from the same place. */
static enum status add_wait(struct call_tree *tree, const struct export_stacks *stacks,
                            const struct session_wait *wait, struct array *chain)
{
    struct call_tree_node *node = &tree->root;
    enum status status = enter_thread(tree, &node, stacks->session, wait->thread);

    array_truncate(chain, 0);
    if (!status && wait->chain != SESSION_NONE)
        status = places_fill_chain(stacks->time.places, wait->chain, chain);
    for (size_t i = chain->count; i-- > 0 && !status;)
        status = enter_place(tree, &node, array_at(chain, i));
    if (!status)
        status = enter_call(tree, &node, wait);
    if (!status)
        node->weights[STACKS_WAITING] += (double)wait->waiting_ns;
    return status;
}

static enum status add_waits(struct call_tree *tree, const struct export_stacks *stacks)
{
    const struct session *session = stacks->session;
    enum status status = STATUS_OK;
    struct array chain;

    array_init(&chain, sizeof(struct place));
    for (size_t i = 0; i < session->waits.count && !status; i++)
        if (session_wait_at(session, i)->waiting_ns > 0)
            status = add_wait(tree, stacks, session_wait_at(session, i), &chain);
    array_fini(&chain);
    return status;
}

static void name_weights(struct call_tree_weight weights[STACKS_WEIGHTS],
                         const struct export_stacks *stacks)
{
    static const char *const units[] = {
        [EXPORT_CPU] = "ns",         [EXPORT_ALLOCATIONS] = "count", [EXPORT_ALLOCATED] = "bytes",
        [EXPORT_PEAK] = "bytes",     [EXPORT_LIVE] = "bytes",
    };

    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        weights[i] =
            (struct call_tree_weight){export_weight_at(i)->help, units[i], stacks->has[i]};
    weights[STACKS_WAITING] = (struct call_tree_weight){"waiting", "ns", true};
}

static enum status put_functions(struct html *html, const struct page_request *request)
{
    struct call_tree_weight weights[STACKS_WEIGHTS];
    struct export_stacks stacks;
    struct call_tree tree;
    enum status status = export_stacks_init(&stacks, request->session, EXPORT_BY_THREAD);

    name_weights(weights, &stacks);
    call_tree_init(&tree, weights, STACKS_WEIGHTS);
    if (!status)
        status = add_stacks(&tree, &stacks);
    if (!status)
        status = add_waits(&tree, &stacks);
    if (!status)
        status = call_tree_put(html, &tree, "functions");
    call_tree_fini(&tree);
    export_stacks_fini(&stacks);
    return status;
}

/* ---- kernels -------------------------------------------------------------------------- */

enum work_weight { WORK_TIME, WORK_CALLS, WORK_FLOPS, WORK_BYTES, WORK_WEIGHTS };

static enum status enter_region(struct call_tree *tree, struct call_tree_node **node,
                                const struct session *session, uint32_t region)
{
    const struct session_region *of = session_region_at(session, region);
    enum status status;

    if (region == 0)
        return STATUS_OK;
    status = enter_region(tree, node, session, of->parent);
    return status ? status
                  : call_tree_enter(tree, node, &(struct call_tree_frame){of->label, "", CALL_TREE_REGION});
}

static enum status enter_op(struct call_tree *tree, struct call_tree_node **node,
                            const struct session *session, uint32_t op)
{
    const struct session_op *of;
    enum status status;

    if (op == 0 || op >= session->ops.count)
        return STATUS_OK;
    of = session_op_at(session, op);
    status = enter_op(tree, node, session, of->parent);
    return status ? status : call_tree_enter(tree, node, &(struct call_tree_frame){of->name, "", CALL_TREE_OP});
}

static enum status enter_kernel(struct call_tree *tree, struct call_tree_node **node,
                                const struct session *session, const struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(session, slot->binding);
    const char *library = binding->module ? text_base_name(binding->module->path) : "";
    struct call_tree_frame frame = {session_name_slot(session, slot), library, CALL_TREE_KERNEL};
    char shape[400] = "";
    enum status status = call_tree_enter(tree, node, &frame);

    if (slot->kernel && slot->dims == slot->kernel->shape_count)
        catalog_format_shape(slot->kernel, slot->shape, shape, sizeof shape);
    if (!status && shape[0])
        status = call_tree_enter(tree, node, &(struct call_tree_frame){shape, "", CALL_TREE_KERNEL});
    return status;
}

/* A kernel inside another that owns its FLOPs has no more than its time. */
static void weigh(struct call_tree_node *node, const struct session *session,
                  const struct session_slot *slot)
{
    long double calls = (long double)slot->calls;

    node->weights[WORK_TIME] += (double)session_without_cost(session, slot, slot->self_ns);
    node->weights[WORK_CALLS] += (double)slot->calls;
    if (!slot->nested && !isnan(slot->flops_each))
        node->weights[WORK_FLOPS] += (double)(slot->flops_each * calls);
    if (!slot->nested && !isnan(slot->bytes_each))
        node->weights[WORK_BYTES] += (double)(slot->bytes_each * calls);
}

static enum status add_slot(struct call_tree *tree, const struct session *session,
                            const struct session_slot *slot)
{
    struct call_tree_node *node = &tree->root;
    enum status status = enter_region(tree, &node, session, slot->region);

    if (!status)
        status = enter_op(tree, &node, session, slot->op);
    if (!status)
        status = enter_kernel(tree, &node, session, slot);
    if (!status)
        weigh(node, session, slot);
    return status;
}

static enum status put_kernels(struct html *html, const struct page_request *request)
{
    static const struct call_tree_weight weights[WORK_WEIGHTS] = {
        {"time in kernels", "ns", true},
        {"calls of kernels", "count", true},
        {"FLOPs", "flops", true},
        {"bytes moved by kernels", "bytes", true},
    };
    const struct session *session = request->session;
    enum status status = STATUS_OK;
    struct call_tree tree;

    call_tree_init(&tree, weights, WORK_WEIGHTS);
    for (size_t i = 0; i < session->slots.count && !status; i++)
        status = add_slot(&tree, session, session_slot_at(session, i));
    if (!status)
        status = call_tree_put(html, &tree, "regions, ops and kernels");
    call_tree_fini(&tree);
    return status;
}

enum status stacks_put(struct html *html, const struct page_request *request)
{
    enum status status;

    html_put(html, "[");
    status = put_functions(html, request);
    html_put(html, ",\n");
    if (!status)
        status = put_kernels(html, request);
    html_put(html, "]");
    return status;
}
