/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The answer to `tprof whatif`: other machines, and another recording.
 */
#include "money/whatif_report.h"

#include <math.h>

#include "document/fields.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "money/reference.h"
#include "money/texts.h"
#include "money/whatif_report_parts.h"

/* The keys of a line through the times of products. */
struct line_keys {
    const char *precision, *call, *rate, *sizes, *refusal;
};

static void put_line(struct record *record, const struct line_keys *keys,
                     const struct crossover_line *line)
{
    fields_put_text(record, keys->precision, machine_precision_name(line->precision));
    fields_put_real(record, keys->call, UNIT_REAL, line->refusal ? (double)NAN : line->call_ns);
    fields_put_real(record, keys->rate, UNIT_FLOPS_PER_SECOND, 1e9 / line->flop_ns);
    fields_put_count(record, keys->sizes, UNIT_COUNT, line->sizes);
    fields_put_text(record, keys->refusal, line->refusal);
}

/* Two lines can cross only if both were fitted, to products in one precision. */
static struct crossover cross_reference(const struct whatif_report *report)
{
    const struct crossover_line *there = &report->reference_line;

    if (report->line.refusal || there->refusal || report->line.precision != there->precision)
        return (struct crossover){CROSSOVER_UNKNOWN, (double)NAN};
    return crossover_find(&report->line, there, (double)NAN);
}

static void add_reference_line(struct document *document, const struct whatif_report *report)
{
    static const char *const kinds[] = {"from", "up to", "always", "never", NULL};
    static const struct line_keys keys = {"precision", "call_ns", "flops_per_second", "sizes",
                                          "refusal"};
    struct crossover crossover = cross_reference(report);
    struct record *record =
        document_add_record(document, "reference_products", NULL, SECTION_IN_JSON);

    put_line(record, &keys, &report->reference_line);
    fields_put_text(record, "crossover", kinds[crossover.kind]);
    fields_put_count(record, "crossover_order", UNIT_COUNT,
                     isnan(crossover.order) ? SESSION_UNKNOWN : (uint64_t)crossover.order);
}

static void note_reference(struct table *table, const struct whatif_report *report)
{
    static const struct said *const texts[] = {
        &against_products_from_text, &against_products_up_to_text, &against_products_always_text,
        &against_products_never_text};
    const struct crossover_line *there = &report->reference_line;
    struct crossover crossover = cross_reference(report);
    struct text faster;

    if (crossover.kind == CROSSOVER_UNKNOWN)
        return;
    text_init(&faster);
    if (isnan(crossover.order))
        say(&faster, *texts[crossover.kind]);
    else
        say(&faster, *texts[crossover.kind], said_count((uint64_t)crossover.order));
    table_say(table, against_products_text, said_time(there->call_ns),
              said_flop_rate(1e9 / there->flop_ns), said_count(there->sizes),
              said_words(faster.bytes));
}

static void add_reference(struct document *document, struct whatif_report *report)
{
    const struct whatif_question *question = report->question;
    struct reference reference;
    struct groups groups;

    reference_init(&reference, question->session, question->reference, question->options);
    reference_add(document, &reference, question->reference_path);
    groups_init(&groups, question->reference, question->options);
    crossover_fit(&report->reference_line, &groups);
    add_reference_line(document, report);
    note_reference(document_find_table(document, "operations"), report);
}

static void add_here(struct document *document, const struct whatif_report *report)
{
    static const struct line_keys keys = {"product_precision", "product_call_ns",
                                          "product_flops_per_second", "product_sizes",
                                          "product_refusal"};
    const struct machine *machine = report->question->options->machine;
    uint64_t wall_ns = report->question->session->process.wall_ns;
    double kernel_ns = (double)group_work_ns(&report->groups->work);
    struct record *record = document_add_record(document, "here", NULL, SECTION_IN_JSON);

    fields_put_count(record, "wall_ns", UNIT_NS, wall_ns);
    fields_put_real(record, "kernel_fraction", UNIT_FRACTION,
                    wall_of_threads(&report->wall, kernel_ns) / (double)wall_ns);
    fields_put_count(record, "kernel_ns", UNIT_NS, (uint64_t)kernel_ns);
    fields_put_text(record, "calibration", machine ? machine->source : NULL);
    put_line(record, &keys, &report->line);
}

static void add_place(struct table *machines, struct table *kernels,
                      const struct whatif_report *report, const struct whatif_place *place)
{
    const struct whatif_question *question = report->question;
    const struct whatif_source source = {question->session, question->options, report->groups,
                                         &report->wall};
    struct whatif whatif;
    whatif_init(&whatif, &source, place);

    whatif_add_machine(machines, report, &whatif);
    whatif_add_kernels(kernels, &whatif);
}

static void add_places(struct document *document, const struct whatif_report *report)
{
    const struct whatif_question *question = report->question;
    struct table *machines = whatif_start_machines(document);
    struct table *kernels = whatif_start_kernels(document, question);

    for (size_t i = 0; i < question->place_count; i++)
        add_place(machines, kernels, report, &question->places[i]);
    whatif_end_kernels(kernels, question);
}

void whatif_report_build(const struct whatif_question *question, struct document *document)
{
    struct whatif_report report = {.question = question};
    struct groups groups;
    groups_init(&groups, question->session, question->options);

    document_init(document);
    document->name = "whatif";
    document->main = question->place_count > 0 ? "machines" : "operations";
    report.groups = &groups;

    wall_init(&report.wall, question->session);
    crossover_fit(&report.line, &groups);
    add_here(document, &report);
    if (question->place_count > 0)
        add_places(document, &report);
    if (question->reference)

        add_reference(document, &report);
}
