/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a benchmark, composed of its parts.
 */
#include "bench/report.h"

#include "bench/report_parts.h"
#include "bench/texts.h"
#include "document/fields.h"

static void list_names(const struct array *names, struct text_list *list)
{
    const char *const *name = names->items;

    text_list_init(list);
    for (size_t i = 0; i < names->count; i++)
        text_list_add(list, name[i]);
}

static void put_names(struct record *record, const char *key, const struct array *names)
{
    struct text_list list;

    list_names(names, &list);
    fields_put_list(record, key, &list);
    text_list_fini(&list);
}

static const char *reference_word(const struct results_options *options)
{
    return options->choice == REFERENCE_FIRST     ? "first"
           : options->choice == REFERENCE_FASTEST ? "fastest"
                                                  : options->reference;
}

static void add_choices(struct record *fields, const struct bench_report *report)
{
    const struct results *results = report->results;
    unsigned least, most;

    plan_find_warmup(results->plan, &least, &most);
    put_names(fields, "parameters", &results->plan->names);
    put_names(fields, "metrics", &results->plan->metric_names);
    fields_put_text(fields, "measure", measure_words(results->options.measure));
    fields_put_text(fields, "region", results->options.region);
    fields_put_text(fields, "reference", reference_word(&results->options));
    fields_put_count(fields, "tests", UNIT_COUNT, results->tests);
    fields_put_count(fields, "least_warmup", UNIT_COUNT, least);
    fields_put_count(fields, "most_warmup", UNIT_COUNT, most);
    fields_put_rounded(fields, "memory_limit_bytes", UNIT_BYTES, report->limits.memory_bytes);
    fields_put_rounded(fields, "latency_limit_ns", UNIT_NS, report->limits.latency_ns);
}

static void add_how(struct bench_report *report)
{
    struct record *fields = document_add_record(&report->document, "bench", NULL, SECTION_IN_JSON);

    fields_put_count(fields, "seed", UNIT_COUNT, report->seed);
    fields_put_real(fields, "confidence", UNIT_REAL, report->results->options.confidence);
    fields_put_bool(fields, "is_interrupted", report->is_interrupted);
    fields_put_text(fields, "swept", report->swept);
    fields_put_list(fields, "warnings", report->warnings);
    add_choices(fields, report);
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

/* The curves are for a page; a terminal shows the curves of the sweep. */
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

static void add_of(struct document *document, const struct scaling *scaling, const char *x)
{
    struct record *fields = document_add_record(document, "scaling_of", NULL, SECTION_IN_JSON);

    fields_put_text(fields, "size", x);
    fields_put_real(fields, "confidence", UNIT_REAL, scaling->confidence);
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
