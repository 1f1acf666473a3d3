/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grouping ops.
 *
 * Inclusive figures count only for the outermost op of a group: an op may be inside of another of
 * its name.
 */
#include "ops/ops_rows.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "model/op_texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_unknown.h"
#include "ops/op_stages.h"
#include "ops/op_sums.h"
#include "rows/dimensions.h"

/* Returns: the path below the folder that Python imports from, else the file's own name. */
static const char *shorten(const char *file)
{
    static const char *const roots[] = {"/site-packages/", "/dist-packages/"};
    const char *slash = strrchr(file, '/');

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strstr(file, roots[i]))
            return strstr(file, roots[i]) + strlen(roots[i]);
    return slash ? slash + 1 : file;
}

static void append_site(struct text *text, const struct session *session, uint64_t site,
                        enum analysis_by by)
{
    const struct symbols_frame *frame = NULL;

    if (site != 0)
        session_find_site_python(session, site, &frame);
    if (!frame)
        text_append(text, "(no Python code)");
    else if (by == ANALYSIS_BY_LINE && frame->file)
        text_appendf(text, "%s:%u", shorten(frame->file), frame->line);
    else if (by == ANALYSIS_BY_FILE && frame->file)
        text_append(text, shorten(frame->file));
    else
        text_append(text, frame->function ? frame->function : "?");
}

/* An op's place is the Python code that called it. */
static void append_name(struct text *text, const struct session *session,
                        const struct session_op *op, enum analysis_by by)
{
    const struct fact fact = {.region = op->region, .layer = op->layer};

    if (by == ANALYSIS_BY_LINE || by == ANALYSIS_BY_PYTHON || by == ANALYSIS_BY_FILE)
        append_site(text, session, op->line, by);
    else if (by == ANALYSIS_BY_MODULE || by == ANALYSIS_BY_REGION)
        dimension_find(by)(text, session, &fact);
    else
        text_append(text, op->name);
}

static const char *class_of(const struct session *session, uint32_t layer)
{
    return layer != 0 ? ((const struct session_layer *)array_at(&session->layers, layer))->name
                      : NULL;
}

/* Returns: the row of an op. */
static uint32_t find_row(struct ops_rows *rows, const struct session_op *op, enum analysis_by by)
{
    const char *inputs = by == ANALYSIS_BY_SHAPE ? op->inputs : NULL;
    struct text name;
    uint32_t index;

    text_init(&name);
    append_name(&name, rows->session, op, by);
    fold_by_text(&rows->fold, name.bytes);
    fold_by_text(&rows->fold, inputs);
    if (fold_find(&rows->fold, &index))
        *(struct ops_row *)array_at(&rows->rows, index) =
            (struct ops_row){.name = fold_keep(&rows->fold, name.bytes),
                             .inputs = inputs,
                             .framework = op->framework,
                             .class = rows->is_by_module ? class_of(rows->session, op->layer)
                                                         : NULL};
    return index;
}

/* Ask whether an op is inside another op of the same row. */
static bool is_inside(const struct session *session, const uint32_t *row_of, uint32_t index)
{
    uint32_t row = row_of[index];

    for (index = session_op_at(session, index)->parent; index != 0;
         index = session_op_at(session, index)->parent)
        if (row_of[index] == row)
            return true;
    return false;
}

static void count_inclusive(struct ops_row *row, const struct session_op *op,
                            const struct op_sum *inside)
{
    row->outer_calls += op->calls;
    row->total_ns += op->inclusive_ns;
    row->kernels += inside->kernels;
    row->flops += inside->flops;
    row->is_ruled = row->is_ruled || inside->is_ruled;
    row->device = row->device ? row->device : inside->device;
    row->bytes += inside->bytes;
    row->peak_bytes += inside->peak_bytes;
    row->kept_bytes += inside->kept_bytes;
    row->kept_blocks += inside->kept_blocks;
    row->backward_calls += inside->backward_calls;
    row->backward_ns += inside->backward_ns;
    row->backward_flops += inside->backward_flops;
}

static bool is_type(const struct op_tensor *tensor, const char *type)
{
    return tensor->type_size == strlen(type) && memcmp(tensor->type, type, tensor->type_size) == 0;
}

/* torch.autocast converts tensors inside the op, which then calls itself. */
static bool is_autocast(const struct session *session, const struct session_op *op)
{
    const struct session_op *around = session_op_at(session, op->parent);
    const char *outer_inputs = around->inputs, *inner_inputs = op->inputs;
    struct op_tensor outer, inner;

    if (op->parent == 0 || strcmp(around->name, op->name) != 0)
        return false;
    while (op_tensor_next(&outer_inputs, &outer) && op_tensor_next(&inner_inputs, &inner))
        if (is_type(&outer, "f32") && (is_type(&inner, "bf16") || is_type(&inner, "f16")))
            return true;
    return false;
}

static void count(struct ops_rows *rows, const uint32_t *row_of, uint32_t index,
                  const struct op_sum *inside)
{
    const struct session_op *op = session_op_at(rows->session, index);
    struct ops_row *row = array_at(&rows->rows, row_of[index]);

    row->calls += op->calls;
    row->is_estimated = row->is_estimated || op->is_estimated;
    row->is_backward = row->is_backward || op->is_backward;
    row->self_ns += op->exclusive_ns;
    row->share_ns += (double)op->exclusive_ns;
    row->kernel_ns += inside->kernel_ns;
    row->device_ns += inside->device_ns;
    row->commands += inside->commands;
    row->untimed += inside->untimed;
    row->allocations += op->allocations;
    row->allocated_bytes += op->allocated_bytes;
    row->no_grad_calls += op->no_grad_calls;
    row->autocast_calls += is_autocast(rows->session, op) ? op->calls : 0;
    rows->all_ns += op->exclusive_ns;
    if (!is_inside(rows->session, row_of, index))
        count_inclusive(row, op, inside);
}

/* The sums of an outermost op also count in the layers around the innermost one. */
static void count_in_layers(struct ops_rows *rows, struct session_op op,
                            const struct op_sum *inside)
{
    const struct session_layer *layer = array_at(&rows->session->layers, op.layer);

    for (op.layer = layer->outer; op.layer != 0; op.layer = layer->outer) {
        uint32_t row = find_row(rows, &op, ANALYSIS_BY_MODULE);

        count_inclusive(array_at(&rows->rows, row), &op, inside);
        layer = array_at(&rows->session->layers, op.layer);
    }
}

static void gather(struct ops_rows *rows, enum analysis_by by, uint32_t *row_of,
                   const struct op_sum *inside)
{
    for (uint32_t i = 1; i < rows->session->ops.count; i++) {
        const struct session_op *op = session_op_at(rows->session, i);

        row_of[i] = find_row(rows, op, by);
        count(rows, row_of, i, &inside[i]);
        if (by == ANALYSIS_BY_MODULE && op->parent == 0 && op->layer != 0)
            count_in_layers(rows, *op, &inside[i]);
    }
}

/* The ops of a backward pass run in no module, so they count for the ops whose gradients they
 * compute. */
static void share_backward(struct ops_rows *rows, const uint32_t *row_of)
{
    struct ops_row *none = NULL;
    double tied_ns = 0;

    for (uint32_t i = 1; i < rows->session->ops.count; i++) {
        const struct session_op *op = session_op_at(rows->session, i);
        struct ops_row *row = array_at(&rows->rows, row_of[i]);

        if (op->layer == 0) {
            none = row;
            continue;
        }
        row->share_ns += op->backward_ns;
        tied_ns += op->backward_ns;
    }
    if (none)
        none->share_ns = fmax(0, none->share_ns - tied_ns);
}

static bool is_forward(const struct session *session, uint32_t op)
{
    return op != 0 && op_stage_of(session, op) == OP_STAGE_FORWARD;
}

/* An inner op has the outer op's stage, or its own. */
static void sum_flops(struct ops_rows *rows, const struct op_sum *inside)
{
    for (uint32_t i = 1; i < rows->session->ops.count; i++) {
        uint32_t around = session_op_at(rows->session, i)->parent;

        if (around == 0)
            rows->flops += inside[i].flops;
        if (is_forward(rows->session, i) != is_forward(rows->session, around))
            rows->forward_flops += is_forward(rows->session, i) ? inside[i].flops
                                                                : -inside[i].flops;
    }
}

/* Each block has a record, and none was lost. */
static bool is_known(const struct session *session, uint64_t bytes)
{
    const struct session_heap *heap = &session->heap;

    return bytes != SESSION_UNKNOWN && (heap->is_exact || heap->has_estimated_sites);
}

void ops_rows_init(struct ops_rows *rows, const struct session *session, enum analysis_by by)
{
    struct op_sum *inside = op_sums_new(session);
    uint32_t *row_of = pool_get_zeros(session->ops.count, sizeof *row_of);
    const struct session_op *root = session_op_at(session, 0);

    *rows = (struct ops_rows){.session = session,
                              .is_by_module = by == ANALYSIS_BY_MODULE,
                              .knows_peak = is_known(session, root->peak_bytes),
                              .knows_kept = is_known(session, root->kept_bytes),
                              .knows_inputs = !session->process.imported &&
                                              session->framework.fact.inputs_off ==
                                                  TRACE_OPS_OFF_NONE};
    array_init(&rows->rows, sizeof(struct ops_row));
    fold_init(&rows->fold, &rows->rows);
    gather(rows, by, row_of, inside);
    if (rows->is_by_module)
        share_backward(rows, row_of);
    sum_flops(rows, inside);
}

