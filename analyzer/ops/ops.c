/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of tprof ops: the time of a framework's operations, by their own starts and ends.
 */
#include "ops/ops.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/devices.h"
#include "base/text.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_unknown.h"
#include "ops/ops_rows.h"
#include "ops/texts.h"

enum {
    OP,
    INPUTS,
    CALLS,
    TOTAL,
    SELF,
    SHARE,
    MEAN,
    BACKWARD,
    BACKWARD_CALLS,
    BACKWARD_FLOPS,
    KERNELS,
    ON_DEVICE,
    COMMANDS,
    FLOPS,
    RATE,
    BYTES,
    ALLOCATIONS,
    ALLOCATED,
    PEAK,
    KEPT,
    KEPT_BLOCKS,
    IS_BACKWARD,
    NO_GRAD,
    AUTOCAST,
    FRAMEWORK,
    DEVICE,
    PATH,
    CLASS
};

static const struct column columns[] = {
    [OP] = {"name", "op", "the op, or what --by asks for", UNIT_PLACE, 0},
    [INPUTS] = {"inputs", NULL, "types and sizes of its tensors, with --by shape", UNIT_TEXT, 0},
    [CALLS] = {"calls", "calls", "that ended", UNIT_COUNT, 0},
    [TOTAL] = {"total_ns", "total", "elapsed time with the ops inside", UNIT_NS, 0},
    [SELF] = {"self_ns", "self", "elapsed time without the ops inside", UNIT_NS, 0},
    [SHARE] = {"share", "share",
               "self time, of the time in all ops; of a module with its ops' backward ops",
               UNIT_FRACTION, 0},
    [MEAN] = {"mean_ns", "mean", "total by calls; null where it is in others of its row", UNIT_NS,
              4},
    [BACKWARD] = {"backward_ns", "backward",
                  "elapsed time of the ops that computed its gradients; null: none did", UNIT_NS,
                  1},
    [BACKWARD_CALLS] = {"backward_calls", NULL, "of these ops", UNIT_COUNT, 9},
    [BACKWARD_FLOPS] = {"backward_flops", NULL, "of these ops; null: none is known", UNIT_FLOPS, 2},
    [KERNELS] = {"kernel_ns", "kernels", "time in kernels that it called itself", UNIT_NS, 5},
    [ON_DEVICE] =
        {"device_ns", "on device",
         "time on devices of the commands that it asked for itself; null: unknown, or none",
         UNIT_NS, 2},
    [COMMANDS] = {"commands", NULL, "of devices that it asked for itself", UNIT_COUNT, 9},
    [FLOPS] = {"flops", "FLOPs", "of kernels in it and in the ops inside, or by its inputs",
               UNIT_FLOPS, 2},
    [RATE] = {"flops_per_second", "rate",
              "FLOPs by total time; null on a device, which is not timed", UNIT_FLOPS_PER_SECOND,
              6},
    [BYTES] = {"bytes", "bytes", "that these kernels read and write at least", UNIT_BYTES, 8},
    [ALLOCATIONS] = {"allocations", "allocs", "blocks obtained in it, not in ops inside",
                     UNIT_COUNT, 7},
    [ALLOCATED] = {"allocated_bytes", "allocated", "bytes obtained in it, not in ops inside",
                   UNIT_BYTES, 3},
    [PEAK] = {"peak_bytes", "at peak",
              "live at the peak of the heap, obtained in it and in the ops inside", UNIT_BYTES, 7},
    [KEPT] = {"kept_bytes", "kept",
              "obtained in it and in the ops inside, and kept for the backward pass", UNIT_BYTES,
              6},
    [KEPT_BLOCKS] = {"kept_blocks", NULL, "of these", UNIT_COUNT, 9},
    [IS_BACKWARD] = {"is_backward", NULL, "it computes gradients of another op", UNIT_BOOL, 9},
    [NO_GRAD] = {"no_grad_calls", "no grad",
                 "calls by the program that left no record for gradients, as in torch.no_grad",
                 UNIT_COUNT, 8},
    [AUTOCAST] = {"autocast_calls", "autocast",
                  "calls whose inputs torch.autocast converted to 16 bits", UNIT_COUNT, 8},
    [FRAMEWORK] = {"framework", NULL, "whose op it is: torch", UNIT_TEXT, 9},
    [DEVICE] = {"device", NULL, "cuda: tensors are there; null: all are in the processor's memory",
                UNIT_TEXT, 9},
    [PATH] = {"path", NULL, "of a module: its whole name, which is shortened for people", UNIT_TEXT,
              9},
    [CLASS] = {"class", NULL, "of a module: its class", UNIT_TEXT, 9},
};

static const struct table_schema schema = {"ops", "Ops", columns, sizeof columns / sizeof *columns,
                                           "share"};

static void set_times(struct value *cells, const struct ops_rows *rows, const struct ops_row *row)
{
    static const unsigned char estimates[] = {CALLS, TOTAL, SELF, SHARE, MEAN};

    value_set_unsigned(&cells[CALLS], row->calls);
    value_set_unsigned(&cells[TOTAL], row->total_ns);
    value_set_unsigned(&cells[SELF], row->self_ns);
    value_set_ratio(&cells[SHARE], row->share_ns, rows->all_ns);
    value_set_ratio(&cells[MEAN], row->total_ns, row->outer_calls);
    if (row->is_estimated)
        values_mark_estimates(cells, estimates, sizeof estimates);
    if (row->backward_calls == 0)
        return;
    value_set_rounded(&cells[BACKWARD], row->backward_ns);
    value_set_unsigned(&cells[BACKWARD_CALLS], row->backward_calls);
    if (row->backward_flops > 0)
        value_set_count(&cells[BACKWARD_FLOPS], row->backward_flops);
}

/* An op without kernel calls did nothing that tprof counts; that does not mean it did nothing. */
static void set_work(struct value *cells, const struct ops_rows *rows, const struct ops_row *row)
{
    static const unsigned char estimates[] = {FLOPS, RATE};

    value_set_unsigned(&cells[KERNELS], row->kernel_ns);
    if (row->commands > 0)
        value_set_unsigned(&cells[COMMANDS], row->commands);
    if (row->commands > 0 && row->untimed == 0)
        value_set_unsigned(&cells[ON_DEVICE], row->device_ns);
    if (row->kernels > 0 || row->is_ruled) {
        value_set_count(&cells[FLOPS], row->flops);
        if (!row->device)
            value_set_ratio(&cells[RATE], row->flops * 1e9L, row->total_ns);
    }
    if (row->kernels > 0)
        value_set_count(&cells[BYTES], row->bytes);
    if (row->is_ruled)
        values_mark_estimates(cells, estimates, sizeof estimates);
    if (rows->session->heap.allocations != SESSION_UNKNOWN) {
        value_set_known(&cells[ALLOCATIONS], row->allocations);
        value_set_known(&cells[ALLOCATED], row->allocated_bytes);
    }
    if (rows->knows_peak)
        value_set_unsigned(&cells[PEAK], row->peak_bytes);
    if (rows->knows_kept) {
        value_set_unsigned(&cells[KEPT], row->kept_bytes);
        value_set_unsigned(&cells[KEPT_BLOCKS], row->kept_blocks);
    }
    value_set_bool(&cells[IS_BACKWARD], row->is_backward);
    if (!rows->knows_inputs)
        return;
    value_set_unsigned(&cells[NO_GRAD], row->no_grad_calls);
    value_set_unsigned(&cells[AUTOCAST], row->autocast_calls);
}

enum { NAME_MOST = 32 };

static bool is_inside_character(const char *at)
{
    return (*at & 0xc0) == 0x80;
}

/* "...erLayer#2/MultiheadAttention": a long path of modules keeps its end, the most useful part. */
static void append_name(struct text *name, const char *path)
{
    static const char cut[] = "...";
    size_t size = strlen(path);
    const char *end = path;

    if (size > NAME_MOST) {
        text_append(name, cut);
        end += size - (NAME_MOST - strlen(cut));
    }
    while (is_inside_character(end))
        end++;
    text_append(name, end);
}

static void set_row(struct value *cells, const struct ops_rows *rows, const struct ops_row *row)
{
    struct text name;

    set_times(cells, rows, row);
    set_work(cells, rows, row);
    text_init(&name);
    if (rows->is_by_module)
        append_name(&name, row->name);
    else
        text_append(&name, row->name);
    if (row->inputs)
        text_appendf(&name, " %s", row->inputs);
    value_take_text(&cells[OP], &name);
    value_set_text(&cells[INPUTS], row->inputs);
    value_set_text(&cells[PATH], rows->is_by_module ? row->name : NULL);
    value_set_text(&cells[CLASS], row->class);
    value_set_text(&cells[DEVICE], row->device);
    value_set_text(&cells[FRAMEWORK], row->framework);
}

static void fill(struct table *table, const struct ops_rows *rows)
{
    for (size_t i = 0; i < rows->rows.count; i++) {
        struct value *cells = table_add_row(table);

        set_row(cells, rows, array_at(&rows->rows, i));
    }
}

static void say_inputs(struct table *table, const struct session *session)
{
    const struct trace_ops *fact = &session->framework.fact;

    if (fact->inputs_off != TRACE_OPS_OFF_NONE) {
        table_say(table, ops_no_inputs_text, said_words(session_ops_off_words(fact->inputs_off)));
        return;
    }
    if (fact->refused > 0) {
        table_say(table, ops_refused_text, said_count(fact->refused));
        return;
    }
}

/* "Linear#2": if no attribute leads to a layer, its number replaces the attribute. */
static bool has_numbers(const struct session *session)
{
    const struct session_layer *layers = session->layers.items;

    for (size_t i = 0; i < session->layers.count; i++)
        if (layers[i].has_twins && !layers[i].path)
            return true;
    return false;
}

static void say_notes(struct table *table, const struct ops_rows *rows)
{
    const struct session *session = rows->session;

    if (!session->framework.is_there) {
        table_say(table, ops_none_text);
        return;
    }
    if (session->framework.fact.off != TRACE_OPS_OFF_NONE && rows->all_ns == 0) {
        table_say(table, ops_off_text,
                  said_words(session_ops_off_words(session->framework.fact.off)));
        return;
    }
    if (rows->all_ns == 0) {
        table_say(table, ops_idle_text);
        return;
    }
    table_say(table, ops_whole_text, said_time((double)rows->all_ns),
              said_share((double)rows->all_ns / (double)session->thread_ns),
              said_time((double)session->thread_ns));
    table_say(table, rows->is_by_module ? ops_of_modules_text : ops_shares_text);
    if (has_numbers(session))
        table_say(table, ops_numbers_text);
    if (session->framework.fact.off == TRACE_OPS_OFF_BUDGET)
        table_say(table, ops_stopped_text, said_time((double)session->framework.off_ns));
    devices_add_note(table, session);
    say_inputs(table, session);
}

void ops_build(const struct session *session, const struct analysis_options *options,
               struct table *table)
{
    struct ops_rows rows;

    ops_rows_init(&rows, session, options->by);
    table_init(table, &schema);
    fill(table, &rows);
    say_notes(table, &rows);
}
