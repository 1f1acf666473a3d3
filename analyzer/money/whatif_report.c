/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The answer to `tprof whatif`: a row a machine, a row a kernel, and what both rest on.
 */
#include "money/whatif_report.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "document/fields.h"
#include "figures/kernel_rows.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "money/crossover.h"
#include "money/reference.h"

enum { STANDARD_KERNELS = 10 };

/* One answer in the making. */
struct report {
    const struct whatif_question *question;
    const struct groups *groups;
    struct wall wall;
    struct crossover_line line; /* of products here */
    struct crossover_line reference_line;
};

/* ---- machines -------------------------------------------------------------------- */

enum machine_column {
    NAME,
    SPEEDUP,
    WHOLE,
    SPEEDUP_BEST,
    WHOLE_BEST,
    BOUND,
    BOUND_SHARE,
    KERNELS,
    KERNELS_BEST,
    TRANSFER,
    CROSSOVER,
    CROSSOVER_MOVED,
    ORDER,
    ORDER_MOVED,
    KIND,
    THREADS,
    PEAK_F32,
    PEAK_F64,
    BANDWIDTH,
    LINK,
    LAUNCH,
    ROOFLESS,
    UNJUDGED,
    SOURCE
};

static const struct column machine_columns[] = {
    [NAME] = {"machine", "machine", "as known_machines or its file names it", UNIT_TEXT, 0},
    [SPEEDUP] = {"speedup", "as here",
                 "wall time here by that there, with kernels as near to the "
                 "roof as here",
                 UNIT_RATIO, 0},
    [WHOLE] = {"wall_ns", "wall", "time there, with kernels as near to the roof as here", UNIT_NS,
               2},
    [SPEEDUP_BEST] = {"best_speedup", "at best", "the same with kernels at the roof", UNIT_RATIO,
                      0},
    [WHOLE_BEST] = {"best_wall_ns", "wall at best", "the same with kernels at the roof", UNIT_NS,
                    4},
    [BOUND] = {"bound", "bound by",
               "what bounds most of the kernels' time there: compute, memory or "
               "launch",
               UNIT_TEXT, 1},
    [BOUND_SHARE] = {"bound_fraction", "of it", "of the kernels' time there", UNIT_FRACTION, 5},
    [KERNELS] = {"kernel_ns", "kernels", "there, as near to the roof as here, over all threads",
                 UNIT_NS, 5},
    [KERNELS_BEST] = {"best_kernel_ns", "kernels at best", "there, at the roof", UNIT_NS, 6},
    [TRANSFER] = {"transfer_ns", "+ transfers",
                  "estimate: all operands of all calls over the link, once each", UNIT_NS, 3},
    [CROSSOVER] = {"crossover", "faster from",
                   "order n of products n x n x n from which on, or up to which, it is faster, "
                   "with operands there",
                   UNIT_TEXT, 1},
    [CROSSOVER_MOVED] = {"crossover_moved", "if moved",
                         "the same where each product's operands cross the link", UNIT_TEXT, 2},
    [ORDER] = {"crossover_order", NULL, "the n in crossover; null: never, always or not known",
               UNIT_COUNT, 0},
    [ORDER_MOVED] = {"crossover_moved_order", NULL,
                     "the n in crossover_moved; null: never, always or not known", UNIT_COUNT, 0},
    [KIND] = {"kind", NULL, "accelerator or processor", UNIT_TEXT, 0},
    [THREADS] = {"threads", NULL, "that a call takes there; null: all", UNIT_COUNT, 0},
    [PEAK_F32] = {"peak_f32", NULL, "of other work than products", UNIT_FLOPS_PER_SECOND, 0},
    [PEAK_F64] = {"peak_f64", NULL, "of other work than products", UNIT_FLOPS_PER_SECOND, 0},
    [BANDWIDTH] = {"bandwidth", NULL, "of its memory", UNIT_BYTES_PER_SECOND, 0},
    [LINK] = {"link", NULL, "from the host, one way", UNIT_BYTES_PER_SECOND, 0},
    [LAUNCH] = {"launch_ns", NULL, "that a call costs there", UNIT_NS, 0},
    [ROOFLESS] = {"roofless_ns", NULL, "here, of kernels without a roof there", UNIT_NS, 0},
    [UNJUDGED] = {"unjudged_ns", NULL, "here, of kernels whose part of the roof here is not known",
                  UNIT_NS, 0},
    [SOURCE] = {"source", "limits from", "where its limits are from", UNIT_TEXT, 7},
};

static const struct table_schema machine_schema = {
    "machines", "The same kernels elsewhere", machine_columns,
    sizeof machine_columns / sizeof *machine_columns, NULL};

/* What bounds most of the kernels' time there. */
static void set_bound(struct value *row, const struct whatif *whatif, enum status *status)
{
    double ns[WHATIF_LAUNCH + 1] = {0}, all_ns = 0;
    enum whatif_bound most = WHATIF_UNKNOWN;

    for (size_t i = 0; i < whatif->rows.count; i++) {
        const struct whatif_row *kernel = array_at(&whatif->rows, i);

        if (kernel->bound == WHATIF_UNKNOWN)
            continue;
        ns[kernel->bound] += kernel->there_ns;
        all_ns += kernel->there_ns;
        if (ns[kernel->bound] > ns[most])
            most = kernel->bound;
    }
    if (all_ns > 0)
        value_set_real(&row[BOUND_SHARE], ns[most] / all_ns);
    *status = value_set_text(&row[BOUND], whatif_bound_name(most));
}

static void set_time(struct value *value, double ns)
{
    if (isfinite(ns))
        value_set_integer(value, llround(ns));
}

/* A call of a processor costs what it costs here, as nothing else is known of it. */
static struct crossover_line line_of(const struct report *report, const struct whatif_place *place)
{
    const struct crossover_line *here = &report->line;
    double best = machine_gemm(&place->machine, here->precision, place->threads);

    if (isnan(best))
        best = whatif_peak(place, here->precision, true);
    if (here->precision == MACHINE_PRECISIONS)
        best = (double)NAN;
    return (struct crossover_line){
        .precision = here->precision,
        .call_ns = place->is_accelerator ? place->launch_ns : here->call_ns + place->launch_ns,
        .flop_ns = 1e9 / best,
    };
}

static enum status set_crossover(struct value *text, struct value *order,
                                 const struct crossover *crossover)
{
    char words[40];

    switch (crossover->kind) {
    case CROSSOVER_FROM:
        snprintf(words, sizeof words, "n = %.0f", crossover->order);
        value_set_integer(order, llround(crossover->order));
        return value_set_text(text, words);
    case CROSSOVER_UP_TO:
        snprintf(words, sizeof words, "up to n = %.0f", crossover->order);
        value_set_integer(order, llround(crossover->order));
        return value_set_text(text, words);
    case CROSSOVER_ALWAYS: return value_set_text(text, "always");
    case CROSSOVER_NEVER: return value_set_text(text, "never");
    case CROSSOVER_UNKNOWN: return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status set_crossovers(struct value *row, const struct report *report,
                                  const struct whatif_place *place)
{
    struct crossover_line there = line_of(report, place);
    struct crossover stays = crossover_find(&report->line, &there, (double)NAN);
    struct crossover moves = crossover_find(&report->line, &there, place->link_bytes_per_second);
    enum status status = set_crossover(&row[CROSSOVER], &row[ORDER], &stays);

    if (!status && isfinite(place->link_bytes_per_second))
        status = set_crossover(&row[CROSSOVER_MOVED], &row[ORDER_MOVED], &moves);
    return status;
}

static void set_limits(struct value *row, const struct whatif_place *place)
{
    const struct machine *machine = &place->machine;

    if (place->threads > 0)
        value_set_unsigned(&row[THREADS], place->threads);
    value_set_real(&row[PEAK_F32], machine_peak(machine, MACHINE_F32, place->threads));
    value_set_real(&row[PEAK_F64], machine_peak(machine, MACHINE_F64, place->threads));
    value_set_real(&row[BANDWIDTH], machine_bandwidth(machine, MACHINE_DRAM, place->threads));
    value_set_real(&row[LINK], place->link_bytes_per_second);
    set_time(&row[LAUNCH], place->launch_ns);
}

static void set_times(struct value *row, const struct whatif_sums *sums)
{
    value_set_real(&row[SPEEDUP], sums->wall_ns / sums->whole_there_ns);
    value_set_real(&row[SPEEDUP_BEST], sums->wall_ns / sums->whole_best_ns);
    set_time(&row[WHOLE], sums->whole_there_ns);
    set_time(&row[WHOLE_BEST], sums->whole_best_ns);
    if (isnan(sums->kernel_fraction))
        return;
    set_time(&row[KERNELS], sums->there_ns);
    set_time(&row[KERNELS_BEST], sums->best_ns);
    set_time(&row[TRANSFER], sums->transfer_ns);
    set_time(&row[ROOFLESS], sums->roofless_ns);
    set_time(&row[UNJUDGED], sums->unjudged_ns);
}

static enum status set_machine(struct value *row, const struct report *report,
                               const struct whatif *whatif)
{
    const struct whatif_place *place = whatif->place;
    enum status status = value_set_text(&row[NAME], place->name);

    set_times(row, &whatif->sums);
    set_limits(row, place);
    if (!status)
        set_bound(row, whatif, &status);
    if (!status)
        status = value_set_text(&row[KIND], place->is_accelerator ? "accelerator" : "processor");
    if (!status)
        status = value_set_text(&row[SOURCE], place->machine.source);
    if (!status)
        status = set_crossovers(row, report, place);
    return status;
}

/* ---- kernels --------------------------------------------------------------------- */

enum kernel_column {
    KERNEL,
    SHAPE,
    HERE,
    THERE,
    BEST,
    FASTER,
    BOUND_HERE,
    BOUND_THERE,
    ROOF_SHARE,
    MOVED,
    CALLS,
    LIBRARY,
    MACHINE
};

static const struct column kernel_columns[] = {
    [KERNEL] = {"name", "kernel", "the symbol, or the kernel that the object stands for", UNIT_TEXT,
                0},
    [SHAPE] = {"shape", "shape", "the sizes that the call was made with", UNIT_TEXT, 0},
    [HERE] = {"here_ns", "here", "of the calls that own their FLOPs", UNIT_NS, 0},
    [THERE] = {"there_ns", "there", "as near to the roof as here; null: no roof there", UNIT_NS, 0},
    [BEST] = {"best_ns", "at best", "there, at the roof", UNIT_NS, 1},
    [FASTER] = {"speedup", "faster", "time here by that there", UNIT_RATIO, 0},
    [BOUND_HERE] = {"bound_here", "bound here", "compute, memory or latency", UNIT_TEXT, 2},
    [BOUND_THERE] = {"bound_there", "bound there", "compute, memory or launch", UNIT_TEXT, 0},
    [ROOF_SHARE] = {"roof_fraction", "of roof here", "least time by time; null: taken as all",
                    UNIT_FRACTION, 3},
    [MOVED] = {"transfer_ns", "transfers", "estimate: all operands over the link, once a call",
               UNIT_NS, 4},
    [CALLS] = {"calls", "calls", "that own their FLOPs", UNIT_COUNT, 5},
    [LIBRARY] = {"library", "library", "the file that holds the function", UNIT_TEXT, 9},
    [MACHINE] = {"machine", NULL, "there", UNIT_TEXT, 0},
};

static const struct table_schema kernel_schema = {"kernels", "Kernels there", kernel_columns,
                                                  sizeof kernel_columns / sizeof *kernel_columns,
                                                  NULL};

static enum status set_kernel(struct value *cells, const struct whatif *whatif,
                              const struct whatif_row *row)
{
    enum status status =
        kernel_rows_set_names(&cells[KERNEL], &cells[SHAPE], &cells[LIBRARY], row->group);

    set_time(&cells[HERE], row->here_ns);
    set_time(&cells[THERE], row->there_ns);
    set_time(&cells[BEST], row->best_ns);
    set_time(&cells[MOVED], row->transfer_ns);
    value_set_real(&cells[FASTER], row->here_ns / row->there_ns);
    if (!row->here.is_invalid)
        value_set_real(&cells[ROOF_SHARE], row->here.roof_fraction);
    value_set_unsigned(&cells[CALLS], row->group->owning_calls);
    if (!status)
        status = value_set_text(&cells[BOUND_HERE], judge_bound_name(row->here.bound));
    if (!status)
        status = value_set_text(&cells[BOUND_THERE], whatif_bound_name(row->bound));
    return status ? status : value_set_text(&cells[MACHINE], whatif->place->name);
}

static enum status add_kernels(struct table *table, const struct whatif *whatif)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < whatif->rows.count && !status; i++) {
        struct value *cells = table_add_row(table);

        status =
            cells ? set_kernel(cells, whatif, array_at(&whatif->rows, i)) : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

/* ---- what it rests on -------------------------------------------------------------- */

static enum status note_roofless(struct table *table, const struct whatif *whatif)
{
    const struct whatif_sums *sums = &whatif->sums;
    char part[UNITS_SIZE], all[UNITS_SIZE];

    if (sums->roofless_ns <= 0)
        return STATUS_OK;
    return table_add_note(table,
                          "%s: %s of %s in kernels have no roof there, as their FLOPs, bytes or "
                          "the peak of their precision are not known; they are left as they are.",
                          whatif->place->name, units_format_time(part, sums->roofless_ns),
                          units_format_time(all, sums->here_ns));
}

static enum status note_whole(struct table *table, const struct whatif *whatif)
{
    const struct whatif_sums *sums = &whatif->sums;
    char share[UNITS_SIZE];

    if (isnan(sums->kernel_fraction))
        return table_add_note(table, "No kernel was recorded: nothing can be placed elsewhere.");
    return table_add_note(table,
                          "Kernels are %s of the wall time; the rest is taken to last as long as "
                          "here, so no machine is more than %.3gx faster.",
                          units_format_percent(share, sums->kernel_fraction),
                          1 / (1 - sums->kernel_fraction));
}

static enum status note_efficiency(struct table *table, const struct report *report,
                                   const struct whatif *whatif)
{
    const struct analysis_options *options = report->question->options;

    if (!options->machine)
        return table_add_note(table,
                              "How near to the roof kernels are here is not known (%s), so that "
                              "\"as here\" is \"at best\".",
                              options->no_machine ? options->no_machine : "no calibration");
    if (whatif->sums.unjudged_ns <= 0)
        return STATUS_OK;
    return table_add_note(table, "Kernels whose part of the roof here is not known are taken to "
                                 "reach all of it there.");
}

static bool has_accelerator(const struct whatif_question *question)
{
    for (size_t i = 0; i < question->place_count; i++)
        if (question->places[i].is_accelerator)
            return true;
    return false;
}

/* The launch cost is one for all of them. */
static enum status note_accelerators(struct table *table, const struct whatif_question *question)
{
    char launch[UNITS_SIZE];
    size_t i = 0;

    if (!has_accelerator(question))
        return STATUS_OK;
    while (!question->places[i].is_accelerator)
        i++;
    return table_add_note(
        table,
        "Accelerators: each call costs %s there, an assumption (--launch says otherwise).  "
        "Transfers are an estimate from above: every operand of every call over the link, once; "
        "operands that stay there cost nothing.",
        units_format_time(launch, question->places[i].launch_ns));
}

/* What fits a cache there is judged too low. */
static enum status note_caches(struct table *table, const struct whatif_question *question)
{
    for (size_t i = 0; i < question->place_count; i++)
        if (question->places[i].machine.caches.count == 0)
            return table_add_note(table, "Where only the bandwidth of memory is known, bytes that "
                                         "would fit a cache come from "
                                         "there too.");
    return STATUS_OK;
}

static enum status note_crossover(struct table *table, const struct report *report)
{
    const struct crossover_line *line = &report->line;
    char call[UNITS_SIZE], rate[UNITS_SIZE];

    if (line->precision == MACHINE_PRECISIONS)
        return STATUS_OK;
    if (line->refusal)
        return table_add_note(table,
                              "Faster from: products of n by n matrices in %s take here F / %s in "
                              "the mean; no cost of a call is known, as %s.",
                              machine_precision_name(line->precision),
                              units_format_flop_rate(rate, 1e9 / line->flop_ns), line->refusal);
    return table_add_note(table,
                          "Faster from: products of n by n matrices in %s take here %s + F / %s, "
                          "fitted to %zu sizes, and there the cost of a call + F / peak.",
                          machine_precision_name(line->precision),
                          units_format_time(call, line->call_ns),
                          units_format_flop_rate(rate, 1e9 / line->flop_ns), line->sizes);
}

static enum status add_notes(struct table *table, const struct report *report,
                             const struct whatif *whatif, bool is_first)
{
    enum status status = is_first ? note_whole(table, whatif) : STATUS_OK;

    if (!status && is_first)
        status = note_efficiency(table, report, whatif);
    if (!status && is_first)
        status = note_crossover(table, report);
    if (!status && is_first)
        status = note_caches(table, report->question);
    if (!status && is_first)
        status = note_accelerators(table, report->question);
    return status ? status : note_roofless(table, whatif);
}

/* ---- against the line of a reference -------------------------------------------------- */

static const struct column line_columns[] = {
    FIELD("precision", UNIT_TEXT),
    FIELD("call_ns", UNIT_REAL),
    FIELD("flops_per_second", UNIT_FLOPS_PER_SECOND),
    FIELD("sizes", UNIT_COUNT),
    FIELD("refusal", UNIT_TEXT),
    FIELD("crossover", UNIT_TEXT),
    FIELD("crossover_order", UNIT_COUNT),
};

/* Two lines cross where both were fitted, to products in one precision. */
static struct crossover cross_reference(const struct report *report)
{
    const struct crossover_line *there = &report->reference_line;

    if (report->line.refusal || there->refusal || report->line.precision != there->precision)
        return (struct crossover){CROSSOVER_UNKNOWN, (double)NAN};
    return crossover_find(&report->line, there, (double)NAN);
}

static enum status add_reference_line(struct document *document, const struct report *report)
{
    static const char *const kinds[] = {"from", "up to", "always", "never", NULL};
    const struct crossover_line *line = &report->reference_line;
    struct crossover crossover = cross_reference(report);
    struct fields fields = fields_begin(
        document_add_record(document, "reference_products", NULL, SECTION_IN_JSON), line_columns);

    fields_add_text(&fields, machine_precision_name(line->precision));
    fields_add_real(&fields, line->refusal ? (double)NAN : line->call_ns);
    fields_add_real(&fields, 1e9 / line->flop_ns);
    fields_add_count(&fields, line->sizes);
    fields_add_text(&fields, line->refusal);
    fields_add_text(&fields, kinds[crossover.kind]);
    fields_add_count(&fields, isnan(crossover.order) ? SESSION_UNKNOWN : (uint64_t)crossover.order);
    return fields.status;
}

static enum status note_reference(struct table *table, const struct report *report)
{
    const struct crossover_line *there = &report->reference_line;
    struct crossover crossover = cross_reference(report);
    char call[UNITS_SIZE], rate[UNITS_SIZE], from[40] = "";

    if (crossover.kind == CROSSOVER_UNKNOWN)
        return STATUS_OK;
    if (crossover.kind == CROSSOVER_FROM)
        snprintf(from, sizeof from, "faster from n = %.0f on", crossover.order);
    else if (crossover.kind == CROSSOVER_UP_TO)
        snprintf(from, sizeof from, "faster up to n = %.0f", crossover.order);
    else
        snprintf(from, sizeof from, "%s faster",
                 crossover.kind == CROSSOVER_ALWAYS ? "always" : "never");
    return table_add_note(table,
                          "Products of n by n matrices take %s + F / %s in the reference, fitted "
                          "to %zu sizes: it is %s.",
                          units_format_time(call, there->call_ns),
                          units_format_flop_rate(rate, 1e9 / there->flop_ns), there->sizes, from);
}

static enum status add_reference(struct document *document, struct report *report)
{
    const struct whatif_question *question = report->question;
    struct reference reference;
    struct groups groups;
    enum status status =
        reference_init(&reference, question->session, question->reference, question->options);

    if (!status)
        status = reference_add(document, &reference, question->reference_path);
    reference_fini(&reference);
    if (status)
        return status;
    status = groups_init(&groups, question->reference, question->options);
    if (!status)
        status = crossover_fit(&report->reference_line, &groups);
    groups_fini(&groups);
    if (!status)
        status = add_reference_line(document, report);
    return status ? status : note_reference(document_find_table(document, "operations"), report);
}

/* ---- the document ------------------------------------------------------------------ */

static const struct column here_columns[] = {
    FIELD("wall_ns", UNIT_NS),
    FIELD("kernel_fraction", UNIT_FRACTION),
    FIELD("kernel_ns", UNIT_NS),
    FIELD("calibration", UNIT_TEXT),
    FIELD("product_precision", UNIT_TEXT),
    FIELD("product_call_ns", UNIT_REAL),
    FIELD("product_flops_per_second", UNIT_FLOPS_PER_SECOND),
    FIELD("product_sizes", UNIT_COUNT),
    FIELD("product_refusal", UNIT_TEXT),
};

static enum status add_here(struct document *document, const struct report *report)
{
    const struct whatif_question *question = report->question;
    const struct crossover_line *line = &report->line;
    double kernel_ns = (double)group_work_ns(&report->groups->work);
    struct fields fields =
        fields_begin(document_add_record(document, "here", NULL, SECTION_IN_JSON), here_columns);

    fields_add_count(&fields, question->session->process.wall_ns);
    fields_add_real(&fields, wall_of_threads(&report->wall, kernel_ns) /
                                 (double)question->session->process.wall_ns);
    fields_add_count(&fields, (uint64_t)kernel_ns);
    fields_add_text(&fields,
                    question->options->machine ? question->options->machine->source : NULL);
    fields_add_text(&fields, machine_precision_name(line->precision));
    fields_add_real(&fields, line->refusal ? (double)NAN : line->call_ns);
    fields_add_real(&fields, 1e9 / line->flop_ns);
    fields_add_count(&fields, line->sizes);
    fields_add_text(&fields, line->refusal);
    return fields.status;
}

struct tables {
    struct table *machines;
    struct table *kernels;
};

static enum status add_place(struct tables *tables, const struct report *report,
                             const struct whatif_place *place)
{
    const struct whatif_question *question = report->question;
    const struct whatif_source source = {question->session, question->options, report->groups,
                                         &report->wall};
    struct whatif whatif;
    struct value *row = table_add_row(tables->machines);
    enum status status = whatif_init(&whatif, &source, place);

    if (!status && !row)
        status = STATUS_OUT_OF_MEMORY;
    if (!status)
        status = set_machine(row, report, &whatif);
    if (!status)
        status = add_notes(tables->machines, report, &whatif, place == question->places);
    if (!status)
        status = add_kernels(tables->kernels, &whatif);
    whatif_fini(&whatif);
    return status;
}

/* For people a table of kernels says little unless it is of one machine. */
static enum status add_places(struct document *document, const struct report *report)
{
    const struct whatif_question *question = report->question;
    enum section_place place = question->place_count == 1 ? SECTION_IN_BOTH : SECTION_IN_JSON;
    struct tables tables = {document_add_table(document, "machines", SECTION_IN_BOTH),
                            document_add_table(document, "kernels", place)};
    size_t limit = question->options->limit;
    enum status status = STATUS_OK;

    if (tables.machines)
        table_init(tables.machines, &machine_schema);
    if (tables.kernels)
        table_init(tables.kernels, &kernel_schema);
    if (!tables.machines || !tables.kernels)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < question->place_count && !status; i++)
        status = add_place(&tables, report, &question->places[i]);
    if (!status && place == SECTION_IN_BOTH)
        table_truncate(tables.kernels, limit > 0 ? limit : STANDARD_KERNELS);
    return status;
}

enum status whatif_report_build(const struct whatif_question *question, struct document *document)
{
    struct report report = {.question = question};
    struct groups groups;
    enum status status = groups_init(&groups, question->session, question->options);

    document_init(document);
    document->name = "whatif";
    document->main = question->place_count > 0 ? "machines" : "operations";
    report.groups = &groups;
    if (!status)
        status = wall_init(&report.wall, question->session);
    if (!status)
        status = crossover_fit(&report.line, &groups);
    if (!status)
        status = add_here(document, &report);
    if (!status && question->place_count > 0)
        status = add_places(document, &report);
    if (!status && question->reference)
        status = add_reference(document, &report);
    groups_fini(&groups);
    return status;
}
