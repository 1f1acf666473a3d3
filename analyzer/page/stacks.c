/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees of functions by threads, weighed by processor time, waiting and memory; and of
 * kernels by regions and ops, weighed by time, calls, FLOPs and bytes.
 */
#include "page/stacks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "export/stacks.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "page/call_tree.h"

/* ---- functions ------------------------------------------------------------------------ */

/* What kernels are called for has a tree of its own. */
static const enum export_weight shown[] = {EXPORT_CPU,  EXPORT_ALLOCATIONS, EXPORT_ALLOCATED,
                                           EXPORT_PEAK, EXPORT_LIVE,        EXPORT_WAITING};
enum { STACKS_WEIGHTS = sizeof shown / sizeof *shown };

/* Returns: a weight that is shown.  Where there is no processor time, that of all threads stands in
 * its place. */
static enum export_weight weight_at(const struct export_stacks *stacks, size_t index)
{
    return shown[index] == EXPORT_CPU ? export_stacks_choose(stacks, EXPORT_WEIGHTS)
                                      : shown[index];
}

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

static void find_frame(struct call_tree *tree, const struct export_frame *of, size_t *number)
{
    struct call_tree_frame frame = {of->name, NULL,
                                    of->is_thread   ? CALL_TREE_THREAD
                                    : of->is_python ? CALL_TREE_PYTHON
                                                    : CALL_TREE_NATIVE};
    struct text where;

    text_init(&where);
    append_where(&where, of);
    frame.where = where.bytes;
    call_tree_find(tree, &frame, number);
    text_fini(&where);
}

static void find_frames(struct call_tree *tree, const struct export_stacks *stacks, size_t *numbers)
{
    for (size_t i = 0; i < stacks->frames.count; i++)
        find_frame(tree, array_at(&stacks->frames, i), &numbers[i]);
}

static bool is_empty(const struct export_stacks *stacks, const struct export_stack *stack)
{
    for (size_t i = 0; i < STACKS_WEIGHTS; i++)
        if (stack->wholes[weight_at(stacks, i)] > 0)
            return false;
    return true;
}

/* Stacks come from the last on: callers first.  The last of the nodes is what all are inside of. */
static void copy_stacks(struct call_tree *tree, const struct export_stacks *stacks,
                        const size_t *numbers, struct call_tree_node **nodes)
{
    struct call_tree_node *root = nodes[stacks->stacks.count];

    for (size_t i = stacks->stacks.count; i-- > 0;) {
        const struct export_stack *stack = export_stack_at(stacks, i);
        const struct export_stack *around = export_stack_around(stacks, stack);

        if (is_empty(stacks, stack))
            continue;
        nodes[i] = around ? nodes[around->index] : root;
        call_tree_enter_number(tree, &nodes[i], numbers[stack->branch.key.name]);
        for (size_t j = 0; j < STACKS_WEIGHTS; j++)
            nodes[i]->weights[j] += stack->weights[weight_at(stacks, j)];
    }
}

static void add_stacks(struct call_tree *tree, const struct export_stacks *stacks,
                       struct call_tree_node *root)
{
    size_t *numbers = memory_get_zeros(stacks->frames.count + 1, sizeof *numbers);
    struct call_tree_node **nodes = memory_get_zeros(stacks->stacks.count + 1, sizeof *nodes);

    find_frames(tree, stacks, numbers);
    nodes[stacks->stacks.count] = root;
    copy_stacks(tree, stacks, numbers, nodes);
    free(nodes);
    free(numbers);
}

static void name_weights(struct call_tree_weight weights[STACKS_WEIGHTS],
                         const struct export_stacks *stacks)
{
    for (size_t i = 0; i < STACKS_WEIGHTS; i++) {
        const enum export_weight weight = weight_at(stacks, i);
        const struct export_weight_row *row = export_weight_at(weight);
        const char *unit = strcmp(row->unit, "nanoseconds") == 0 ? "ns" : row->unit;

        weights[i] = (struct call_tree_weight){row->help, unit, stacks->has[weight]};
    }
}

static void put_functions(struct html *html, const struct page_request *request)
{
    struct call_tree_weight weights[STACKS_WEIGHTS];
    struct export_stacks stacks;
    struct call_tree tree;

    export_stacks_init(&stacks, request->session, EXPORT_BY_THREAD);
    name_weights(weights, &stacks);
    call_tree_init(&tree, weights, STACKS_WEIGHTS);
    add_stacks(&tree, &stacks, &tree.root);
    call_tree_put(html, &tree, "functions");
    call_tree_fini(&tree);
    export_stacks_fini(&stacks);
}

/* ---- of a job ------------------------------------------------------------------------- */

void stacks_init_job(struct call_tree *tree)
{
    static const struct export_stacks none;
    struct call_tree_weight weights[STACKS_WEIGHTS];

    name_weights(weights, &none);
    call_tree_init(tree, weights, STACKS_WEIGHTS);
}

void stacks_add_process(struct call_tree *tree, const struct session *session, const char *name)
{
    const struct call_tree_frame frame = {name, "process", CALL_TREE_THREAD};
    struct call_tree_node *node = &tree->root;
    struct export_stacks stacks;

    export_stacks_init(&stacks, session, EXPORT_BY_FUNCTION);
    for (size_t i = 0; i < STACKS_WEIGHTS; i++)
        tree->weights[i].is_known |= stacks.has[shown[i]];
    call_tree_enter(tree, &node, &frame);
    add_stacks(tree, &stacks, node);
    export_stacks_fini(&stacks);
}

/* ---- kernels -------------------------------------------------------------------------- */

enum work_weight { WORK_TIME, WORK_CALLS, WORK_FLOPS, WORK_BYTES, WORK_WEIGHTS };

static void enter_region(struct call_tree *tree, struct call_tree_node **node,
                         const struct session *session, uint32_t region)
{
    const struct session_region *of = session_region_at(session, region);

    if (region == 0)
        return;
    enter_region(tree, node, session, of->parent);
    call_tree_enter(tree, node, &(struct call_tree_frame){of->label, "", CALL_TREE_REGION});
}

static void enter_op(struct call_tree *tree, struct call_tree_node **node,
                     const struct session *session, uint32_t op)
{
    const struct session_op *of;

    if (op == 0 || op >= session->ops.count)
        return;
    of = session_op_at(session, op);
    enter_op(tree, node, session, of->parent);
    call_tree_enter(tree, node, &(struct call_tree_frame){of->name, "", CALL_TREE_OP});
}

static void enter_kernel(struct call_tree *tree, struct call_tree_node **node,
                         const struct session *session, const struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(session, slot->binding);
    const char *library = binding->module ? text_base_name(binding->module->path) : "";
    struct call_tree_frame frame = {session_name_slot(session, slot), library, CALL_TREE_KERNEL};
    char shape[400] = "";

    call_tree_enter(tree, node, &frame);
    if (slot->kernel && slot->dims == slot->kernel->shape_count)
        catalog_format_shape(slot->kernel, slot->shape, shape, sizeof shape);
    if (shape[0])
        call_tree_enter(tree, node, &(struct call_tree_frame){shape, "", CALL_TREE_KERNEL});
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

static void add_slot(struct call_tree *tree, const struct session *session,
                     const struct session_slot *slot)
{
    struct call_tree_node *node = &tree->root;

    enter_region(tree, &node, session, slot->region);
    enter_op(tree, &node, session, slot->op);
    enter_kernel(tree, &node, session, slot);
    weigh(node, session, slot);
}

static void put_kernels(struct html *html, const struct page_request *request)
{
    static const struct call_tree_weight weights[WORK_WEIGHTS] = {
        {"time in kernels", "ns", true},
        {"calls of kernels", "count", true},
        {"FLOPs", "flops", true},
        {"bytes moved by kernels", "bytes", true},
    };
    const struct session *session = request->session;
    struct call_tree tree;

    call_tree_init(&tree, weights, WORK_WEIGHTS);
    for (size_t i = 0; i < session->slots.count; i++)
        add_slot(&tree, session, session_slot_at(session, i));
    call_tree_put(html, &tree, "regions, ops and kernels");
    call_tree_fini(&tree);
}

void stacks_put(struct html *html, const struct page_request *request)
{
    html_put(html, "[");
    put_functions(html, request);
    html_put(html, ",\n");
    put_kernels(html, request);
    html_put(html, "]");
}
