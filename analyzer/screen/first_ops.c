/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ops of PyTorch on the first screen: the words of a row, and the split of their time into forward,
 * gradients, optimizer and data.
 */
#include "screen/first_ops.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpu/cpu_row.h"
#include "cpu/own_lines.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_unknown.h"
#include "ops/op_stages.h"
#include "ops/ops_rows.h"
#include "places/places.h"
#include "screen/texts.h"

/* If ops take less, they do not describe the program. */
static const double least_ops = 0.05; /* share of the wall time */

bool first_ops_ended(const struct session *session)
{
    return session->framework.is_there && session->framework.off_ns != SESSION_UNKNOWN;
}

/* If ops came too densely for further recording, there are many. */
bool first_has_ops(const struct session *session)
{
    return first_ops_ended(session) ||
           (session->ops.count > 1 && (double)op_stages_sum(session).all_ns >=
                                          least_ops * (double)session->process.wall_ns);
}

/* ---- a row ---- */

static const struct ops_row *find_row(const struct ops_rows *ops, const char *name)
{
    for (size_t i = 0; i < ops->rows.count; i++) {
        const struct ops_row *row = array_at(&ops->rows, i);

        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

static bool has_rate(const struct ops_row *op)
{
    return op->flops > 0 && op->total_ns > 0 && !op->device;
}

/* Returns: the share of an op's time that is for gradients. */
static double find_backward_share(const struct session *session, const char *name)
{
    double all_ns = 0, backward_ns = 0;

    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);

        if (strcmp(op->name, name) != 0)
            continue;
        all_ns += (double)op->exclusive_ns;
        if (op_stage_of(session, i) == OP_STAGE_BACKWARD)
            backward_ns += (double)op->exclusive_ns;
    }
    return all_ns > 0 ? backward_ns / all_ns : 0;
}

/* A smaller share is not worth mentioning; a larger one needs no other class. */
static const double least_backward = 0.01, nearly_all = 0.99;

static void append_backward(struct text *what, const struct session *session, const char *name)
{
    double share = find_backward_share(session, name);

    if (share >= nearly_all)
        say_part(what, first_op_backward_text);
    else if (share >= least_backward)
        say_part(what, share > 0.5 ? first_op_mostly_backward_text : first_op_partly_backward_text);
}

static bool is_of_row(const struct cpu_time *time, size_t sample, const void *of)
{
    const uint32_t *row = of;

    return time->sample_row[sample] == *row;
}

/* The program's own line that called it for most of its time. */
static void append_line(struct text *what, const struct cpu_time *time, uint32_t row)
{
    struct own_lines lines;

    own_lines_init_of(&lines, time, is_of_row, &row);
    if (lines.rows.count > 0) {
        const struct own_line *line = array_at(&lines.rows, 0);

        text_append(what, ", ");
        place_append_short(what, line->place);
    }
}

/* "SGD.step" of "Optimizer.step#SGD.step". */
static const char *shorten(const char *name)
{
    const char *mark = strchr(name, '#');

    return mark && mark[1] ? mark + 1 : name;
}

void first_append_op(struct text *what, const struct ops_rows *ops, const struct cpu_time *time,
                     uint32_t row)
{
    const struct cpu_row *of = array_at(&time->rows, row);
    const struct ops_row *op =
        first_ops_ended(time->session) ? NULL : find_row(ops, of->name);

    text_append(what, shorten(of->name));
    if (op) {
        text_append(what, "  ");
        say_part(what, first_kernel_calls_text, said_count(op->calls));
        if (has_rate(op))
            say_part(what, first_kernel_rate_text,
                     said_flop_rate((double)op->flops * 1e9 / (double)op->total_ns));
    }
    if (op && op->device)
        say_part(what, op_kind_of(of->name) == OP_KIND_READ ? first_op_waits_text
                                                            : first_op_device_text,
                 said_words(op->device));
    if (op)
        append_backward(what, time->session, of->name);
    append_line(what, time, row);
}

/* ---- modules ---- */

/* Layers of one class: "Linear". */
struct class_sum {
    const char *name;
    double ns;
};

enum { CLASSES_SHOWN = 3, CLASSES_MOST = 64 };

static struct class_sum *find_class(struct class_sum *classes, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(classes[i].name, name) == 0)
            return &classes[i];
    if (*count == CLASSES_MOST)
        return NULL;
    classes[*count] = (struct class_sum){.name = name};
    return &classes[(*count)++];
}

/* A forward op also counts the time of its gradients, as backward ops are in no layer. */
static void sum_classes(struct class_sum *classes, size_t *count, const struct session *session)
{
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);
        const struct session_layer *layer = array_at(&session->layers, op->layer);
        struct class_sum *sum = op->layer != 0 ? find_class(classes, count, layer->name) : NULL;

        if (sum && op_stage_of(session, i) == OP_STAGE_FORWARD)
            sum->ns += (double)op->exclusive_ns + op->backward_ns;
    }
}

static int compare_classes(const void *left, const void *right)
{
    const struct class_sum *a = left, *b = right;

    return a->ns != b->ns ? (a->ns < b->ns) - (a->ns > b->ns) : strcmp(a->name, b->name);
}

/* share of the time in ops; a smaller one is not worth mentioning */
static const double least_class = 0.01;

void first_say_modules(struct text_list *notes, const struct session *session)
{
    double all_ns = (double)op_stages_sum(session).all_ns;
    struct class_sum classes[CLASSES_MOST];
    size_t count = 0;
    struct text line;

    sum_classes(classes, &count, session);
    qsort(classes, count, sizeof *classes, compare_classes);
    text_init(&line);
    for (size_t i = 0; i < count && i < CLASSES_SHOWN; i++) {
        if (classes[i].ns < least_class * all_ns)
            break;
        text_append(&line, i > 0 ? ", " : "");
        text_appendf(&line, "%s ", classes[i].name);
        say_part(&line, first_library_text, said_share(classes[i].ns / all_ns));
    }
    if (line.size > 0)
        text_list_say(notes, first_modules_text, said_words(line.bytes));
}

/* ---- stages ---- */

void first_say_op_stages(struct text_list *notes, const struct session *session)
{
    const struct op_stages sum = op_stages_sum(session);
    static const struct said *const words[OP_STAGES] = {
        [OP_STAGE_FORWARD] = &first_op_forward_text,
        [OP_STAGE_BACKWARD] = &first_op_gradients_text,
        [OP_STAGE_OPTIMIZER] = &first_op_optimizer_text,
        [OP_STAGE_DATA] = &first_op_data_text,
    };
    struct text line;

    text_init(&line);
    for (int i = 0; i < OP_STAGES; i++) {
        if (sum.ns[i] == 0)
            continue;
        text_append(&line, line.size > 0 ? ", " : "");
        say_part(&line, *words[i], said_share((double)sum.ns[i] / (double)sum.all_ns));
    }
    text_list_say(notes, first_op_stages_text, said_time((double)sum.all_ns),
                  said_words(line.bytes));
}
