/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a benchmark, put together of its parts.
 */
#include "bench/report.h"

#include "bench/report_parts.h"
#include "bench/texts.h"
#include "document/fields.h"

static const struct column how_columns[] = {
    {"seed", NULL, "of the order of the runs", UNIT_COUNT, 0},
    {"confidence", NULL, "of all intervals and tests", UNIT_REAL, 0},
    {"is_interrupted", NULL, "whether it was ended before it was done", UNIT_BOOL, 0},
    {"swept", NULL, "the one parameter with several values, if they are numbers", UNIT_TEXT, 0},
    {"warnings", NULL, "what makes the times doubtful", UNIT_TEXT, 0},
    {"parameters", NULL, "names of all parameters", UNIT_TEXT, 0},
    {"metrics", NULL, "names of all metrics", UNIT_TEXT, 0},
    {"measure", NULL, "the time that is compared: wall, cpu, kernels or region", UNIT_TEXT, 0},
    {"region", NULL, "whose time that is", UNIT_TEXT, 0},
    {"reference", NULL, "first, fastest, or the label of what others are compared with", UNIT_TEXT,
     0},
    {"tests", NULL, "for which p is adjusted", UNIT_COUNT, 0},
    {"least_warmup", NULL, "runs of a command that do not count, the fewest", UNIT_COUNT, 0},
    {"most_warmup", NULL, "and the most", UNIT_COUNT, 0},
    {"memory_limit_bytes", NULL, "of --memory-limit", UNIT_BYTES, 0},
    {"latency_limit_ns", NULL, "of --latency-limit", UNIT_NS, 0},
};

static void list_names(const struct array *names, struct text_list *list)
{
    const char *const *name = names->items;

    text_list_init(list);
    for (size_t i = 0; i < names->count; i++)
        text_list_add(list, name[i]);
}

static void add_names(struct fields *fields, const struct array *names)
{
    struct text_list list;

    list_names(names, &list);
    fields_add_list(fields, &list);
    text_list_fini(&list);
}

static const char *reference_word(const struct results_options *options)
{
    return options->choice == REFERENCE_FIRST     ? "first"
           : options->choice == REFERENCE_FASTEST ? "fastest"
                                                  : options->reference;
}

static void add_choices(struct fields *fields, const struct bench_report *report)
{
    const struct results *results = report->results;
    unsigned least, most;

    plan_find_warmup(results->plan, &least, &most);
    add_names(fields, &results->plan->names);
    add_names(fields, &results->plan->metric_names);
    fields_add_text(fields, measure_words(results->options.measure));
    fields_add_text(fields, results->options.region);
    fields_add_text(fields, reference_word(&results->options));
    fields_add_count(fields, results->tests);
    fields_add_count(fields, least);
    fields_add_count(fields, most);
    fields_add_rounded(fields, report->limits.memory_bytes);
    fields_add_rounded(fields, report->limits.latency_ns);
}

static void add_how(struct bench_report *report)
{
    struct fields fields = fields_begin(
        document_add_record(&report->document, "bench", NULL, SECTION_IN_JSON), how_columns);

    fields_add_count(&fields, report->seed);
    fields_add_real(&fields, report->results->options.confidence);
    fields_add_bool(&fields, report->is_interrupted);
    fields_add_text(&fields, report->swept);
    fields_add_list(&fields, report->warnings);
    add_choices(&fields, report);
}

static void add_warnings(struct bench_report *report)
{
    struct text_list *lines;

    if (text_list_count(report->warnings) == 0)
        return;
    lines = document_add_lines(&report->document, "Doubts");
    for (size_t i = 0; i < text_list_count(report->warnings); i++)
        text_list_add(lines, text_list_at(report->warnings, i));
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

/* On a page; a terminal has the curves of the sweep. */
static void add_curves(struct bench_report *report)
{
    const struct scaling *scaling = report->scalings.items;

    for (size_t i = 0; i < report->scalings.count; i++) {
        size_t sections = document_section_count(&report->document);

        report_add_curves(&report->document, &scaling[i], report->swept);
        if (document_section_count(&report->document) == sections)
            continue;
        document_fold(&report->document);
        if (report->scalings.count > 1)
            document_say_head(&report->document, NULL, scaling_curves_text,
                              said_words(scaling[i].label));
    }
}

void bench_report_rest(struct bench_report *report)
{
    add_how(report);

    report_add_runs(report);
    report_add_points(report);
    if (!(report->swept && report->results->plan->commands.count == 1))

        report_add_functions(report);
    report_add_sweeps(report);
    if (report->scalings.count > 0)

        report_add_scaling(&report->document, &report->scalings, report->swept,
                           has_exponents(report) ? SECTION_IN_BOTH : SECTION_IN_JSON);
    if (report->scalings.count > 0)

        report_add_measured(&report->document, &report->scalings);
    add_curves(report);
    add_warnings(report);
}

static const struct column of_columns[] = {
    {"size", NULL, "what sizes are called", UNIT_TEXT, 0},
    {"confidence", NULL, "of the intervals", UNIT_REAL, 0},
};

static void add_of(struct document *document, const struct scaling *scaling, const char *x)
{
    struct fields fields = fields_begin(
        document_add_record(document, "scaling_of", NULL, SECTION_IN_JSON), of_columns);

    fields_add_text(&fields, x);
    fields_add_real(&fields, scaling->confidence);
}

void scaling_report(struct document *document, const struct scaling *scaling, const char *x)
{
    struct scaling alone = *scaling;
    const struct array scalings = {.items = &alone, .count = 1, .item_size = sizeof alone};

    document_init(document);
    document->name = "scaling";
    document->main = "scaling";
    report_add_scaling(document, &scalings, x, SECTION_IN_BOTH);
    add_of(document, scaling, x);
    report_add_measured(document, &scalings);
    report_add_curves(document, scaling, x);
}
