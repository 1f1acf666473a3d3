/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a benchmark, put together of its parts.
 */
#include "bench/report.h"

#include "bench/report_parts.h"
#include "document/fields.h"

static const struct column how_columns[] = {
    {"seed", NULL, "of the order of the runs", UNIT_COUNT, 0},
    {"confidence", NULL, "of all intervals and tests", UNIT_REAL, 0},
    {"is_interrupted", NULL, "whether it was ended before it was done", UNIT_BOOL, 0},
    {"swept", NULL, "the one parameter with several values, if they are numbers", UNIT_TEXT, 0},
    {"warnings", NULL, "what makes the times doubtful", UNIT_TEXT, 0},
};

static enum status add_how(struct bench_report *report)
{
    struct fields fields = fields_begin(
        document_add_record(&report->document, "bench", NULL, SECTION_IN_JSON), how_columns);

    fields_add_count(&fields, report->seed);
    fields_add_real(&fields, report->results->options.confidence);
    fields_add_bool(&fields, report->is_interrupted);
    fields_add_text(&fields, report->swept);
    fields_add_list(&fields, report->warnings);
    return fields.status;
}

static enum status add_warnings(struct bench_report *report)
{
    struct text_list *lines;
    enum status status = STATUS_OK;

    if (text_list_count(report->warnings) == 0)
        return STATUS_OK;
    lines = document_add_lines(&report->document, "Doubts");
    if (!lines)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < text_list_count(report->warnings) && !status; i++)
        status = text_list_add(lines, text_list_at(report->warnings, i));
    return status;
}

/* Too few sizes are nothing that people need a table for. */
static bool has_exponents(const struct bench_report *report)
{
    const struct scaling *scaling = report->scalings.items;

    for (size_t i = 0; i < report->scalings.count; i++)
        for (size_t j = 0; j < scaling[i].items.count; j++)
            if (((struct scaling_item *)array_at(&scaling[i].items, j))->time.refusal == FIT_OK)
                return true;
    return false;
}

enum status bench_report_rest(struct bench_report *report)
{
    enum status status = add_how(report);

    if (!status)
        status = report_add_runs(report);
    if (!status)
        status = report_add_points(report);
    if (!status && !(report->swept && report->results->plan->commands.count == 1))
        status = report_add_functions(report);
    if (!status)
        status = report_add_sweeps(report);
    if (!status && report->scalings.count > 0)
        status = report_add_scaling(&report->document, &report->scalings, report->swept,
                                    has_exponents(report) ? SECTION_IN_BOTH : SECTION_IN_JSON);
    return status ? status : add_warnings(report);
}

enum status scaling_report(struct document *document, const struct scaling *scaling, const char *x)
{
    struct scaling alone = *scaling;
    const struct array scalings = {.items = &alone, .count = 1, .item_size = sizeof alone};
    enum status status;

    document_init(document);
    document->name = "scaling";
    document->main = "scaling";
    status = report_add_scaling(document, &scalings, x, SECTION_IN_BOTH);
    return status ? status : report_add_curves(document, scaling, x);
}
