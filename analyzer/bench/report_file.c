/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the JSON of a benchmark.  The file may come from another command, or be edited or
 * truncated: each error is reported with its place.
 *
 * Cells are taken unchanged.  Sweeps and curves are computed from the numbers in the cells.
 */
#include "bench/report_file.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/report_parts.h"
#include "bench/texts.h"
#include "runs/json_file.h"

enum { KNOWN_VERSION = 1 };

struct parser {
    struct report_file *file;
    const char *path;
    struct diagnostic *diagnostic;
};

static enum status refuse(const struct parser *parser, const char *key, const char *expected)
{
    return diagnostic_set(parser->diagnostic, STATUS_CORRUPT,
                          "%.200s: %.60s: expected %s; write the results anew: tprof bench --json "
                          "-o FILE",
                          parser->path, key, expected);
}

static double number_in(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double number_of(const json_t *object, const char *key)
{
    return number_in(json_object_get(object, key));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static struct statistics_interval interval_of(const json_t *object, const char *key)
{
    const json_t *interval = json_object_get(object, key);

    return (struct statistics_interval){number_in(json_array_get(interval, 0)),
                                        number_in(json_array_get(interval, 1))};
}

/* ---- cells ------------------------------------------------------------------------------- */

static bool is_number(enum unit unit)
{
    return unit != UNIT_TEXT && unit != UNIT_PLACE && unit != UNIT_BOOL && unit != UNIT_ROWS;
}

static bool fits(const json_t *json, enum unit unit)
{
    if (json_is_string(json))
        return unit == UNIT_TEXT || unit == UNIT_PLACE;
    if (json_is_boolean(json))
        return unit == UNIT_BOOL;
    if (json_is_array(json))
        return is_number(unit) && json_array_size(json) == 2;
    return !json || json_is_null(json) ||
           (json_is_number(json) && (is_number(unit) || unit == UNIT_TEXT));
}

static void set_value(struct value *value, const json_t *json)
{
    if (json_is_string(json)) {
        value_set_text(value, json_string_value(json));
        return;
    }
    if (json_is_integer(json))
        value_set_integer(value, json_integer_value(json));
    else if (json_is_real(json))
        value_set_real(value, json_real_value(json));
    else if (json_is_boolean(json))
        value_set_bool(value, json_is_true(json));
    else if (json_is_array(json))
        value_set_interval(value, number_in(json_array_get(json, 0)),
                           number_in(json_array_get(json, 1)));
}

static enum status set_row(const struct parser *parser, const struct table_schema *schema,
                           struct value *row, const json_t *object)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < schema->column_count && !status; i++) {
        const json_t *json = json_object_get(object, schema->columns[i].key);

        if (fits(json, schema->columns[i].unit)) {
            set_value(&row[i], json);
        } else
            status = refuse(parser, schema->columns[i].key, "a value of its kind");
    }
    return status;
}

/* ---- the plan and its points ------------------------------------------------------------- */

static enum status read_names(struct parser *parser, const json_t *list, struct array *names)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        const char *kept = name ? plan_keep(&parser->file->plan, name) : NULL;
        const char **place = kept ? array_add(names) : NULL;

        if (!name)
            return refuse(parser, "bench.parameters", "a list of texts");
        *place = kept;
    }
    return STATUS_OK;
}

static unsigned count_of(const json_t *object, const char *key)
{
    double number = number_of(object, key);

    return number >= 0 && number <= UINT_MAX ? (unsigned)number : 0;
}

static enum status read_measure(struct parser *parser, const json_t *how)
{
    struct results_options *options = &parser->file->results.options;
    struct plan *plan = &parser->file->plan;
    const char *reference = plan_keep(plan, text_of(how, "reference"));

    options->region = plan_keep(plan, text_of(how, "region"));
    results_choose_reference(options, reference);
    options->confidence = number_of(how, "confidence");
    if (!(options->confidence > 0 && options->confidence < 1))
        return refuse(parser, "bench.confidence", "a number between 0 and 1");
    if (!measure_find(text_of(how, "measure"), &options->measure))
        return refuse(parser, "bench.measure", "wall, cpu, kernels or region");
    return STATUS_OK;
}

static void read_warnings(struct parser *parser, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *warning = json_string_value(json_array_get(list, i));

        text_list_add(&parser->file->warnings, warning ? warning : "");
    }
}

static enum status read_how(struct parser *parser, const json_t *how)
{
    struct report_file *file = parser->file;
    const char *swept = json_string_value(json_object_get(how, "swept"));
    enum status status;

    if (!json_is_object(how))
        return refuse(parser, "bench", "an object");
    status = read_measure(parser, how);
    if (!status)
        status = read_names(parser, json_object_get(how, "parameters"), &file->plan.names);
    if (!status)
        status = read_names(parser, json_object_get(how, "metrics"), &file->plan.metric_names);
    if (!status)
        read_warnings(parser, json_object_get(how, "warnings"));
    file->results.tests = count_of(how, "tests");
    file->report.limits = (struct bench_sweep_limits){number_of(how, "memory_limit_bytes"),
                                                      number_of(how, "latency_limit_ns")};
    file->report.is_interrupted = json_is_true(json_object_get(how, "is_interrupted"));
    if (!status && swept) {
        file->report.swept = plan_keep(&file->plan, swept);
        status = STATUS_OK;
    }
    return status;
}

/* Points hold pointers to commands, so all commands are added first. */
static void read_commands(struct parser *parser, const json_t *points, const json_t *how)
{
    struct plan *plan = &parser->file->plan;
    struct plan_command *command = NULL;

    for (size_t i = 0; i < json_array_size(points); i++) {
        const char *label = text_of(json_array_get(points, i), "command");
        size_t known = 0;

        command = plan->commands.items;
        while (known < plan->commands.count && strcmp(command[known].label, label) != 0)
            known++;
        if (known < plan->commands.count)
            continue;
        command = plan_add_command(plan);
        command->warmup = count_of(how, known == 0 ? "least_warmup" : "most_warmup");
        command->label = plan_keep(plan, label);
    }
}

/* "n"; or "parameter_n" where a column has that name. */
static const json_t *find_parameter(const json_t *row, const char *name)
{
    char key[PATH_MAX];

    snprintf(key, sizeof key, "parameter_%s", name);
    return json_object_get(row, json_object_get(row, key) ? key : name);
}

static const char *keep_parameter(struct plan *plan, const json_t *value)
{
    char number[64];

    if (json_is_string(value))
        return plan_keep(plan, json_string_value(value));
    snprintf(number, sizeof number, "%.17g", json_number_value(value));
    return plan_keep(plan, number);
}

static void read_parameters(struct parser *parser, const json_t *row, struct plan_point *point)
{
    struct plan *plan = &parser->file->plan;
    const char *const *name = plan->names.items;

    for (size_t i = 0; i < plan->names.count; i++) {
        const json_t *value = find_parameter(row, name[i]);
        const char *text = NULL;
        struct parameter_value *place;

        if (!json_is_string(value) && !json_is_number(value))
            continue;
        text = keep_parameter(plan, value);
        place = text ? array_add(&point->values) : NULL;
        *place = (struct parameter_value){name[i], text, text};
    }
}

static const struct plan_command *find_command(const struct plan *plan, const char *label)
{
    const struct plan_command *command = plan->commands.items;

    while (strcmp(command->label, label) != 0)
        command++;
    return command;
}

static void add_point(struct parser *parser, const json_t *row)
{
    struct plan *plan = &parser->file->plan;
    struct plan_point *point = array_add(&plan->points);

    *point = (struct plan_point){.command = find_command(plan, text_of(row, "command")),
                                 .label = "",
                                 .items = number_of(row, "items"),
                                 .batches = number_of(row, "time_ns") /
                                            number_of(row, "latency_ns")};
    array_init(&point->words, sizeof(const char *));
    array_init(&point->values, sizeof(struct parameter_value));
    read_parameters(parser, row, point);
}

/* Sweeps are made from these results. */
static void add_result(struct parser *parser, const json_t *row, size_t index)
{
    struct report_file *file = parser->file;
    struct result *result = array_add(&file->results.points);
    bool is_compared = json_is_number(json_object_get(row, "p_value"));

    *result = (struct result){.point = array_at(&file->plan.points, index),
                              .items = number_of(row, "items"),
                              .peak_rss_bytes = number_of(row, "peak_rss_bytes"),
                              .verdict = is_compared ? VERDICT_SAME : VERDICT_NONE};
    result->time.count = count_of(row, "runs");
    result->time.median = number_of(row, "time_ns");
    result->time.median_interval = interval_of(row, "time_interval_ns");
    array_init(&result->times_ns, sizeof(double));
    array_init(&result->metrics, sizeof(double));
    for (size_t i = 0; i < file->plan.metric_names.count; i++) {
        double *metric = array_add(&result->metrics);

        *metric = (double)NAN;
    }
}

static enum status read_points(struct parser *parser, const json_t *points, const json_t *how)
{
    if (!json_is_array(points))
        return refuse(parser, "points", "a list");
    read_commands(parser, points, how);
    for (size_t i = 0; i < json_array_size(points); i++)
        add_point(parser, json_array_get(points, i));
    for (size_t i = 0; i < json_array_size(points); i++)
        add_result(parser, json_array_get(points, i), i);
    return STATUS_OK;
}

/* Replaces the computed cells by those of the file. */
static enum status fill_points(struct parser *parser, const json_t *points)
{
    struct table *table = document_main_table(&parser->file->report.document);
    enum status status = STATUS_OK;

    for (size_t i = 0; i < table_row_count(table) && !status; i++) {
        struct value *row = table_row(table, i);

        for (size_t j = 0; j < table->schema->column_count; j++) {
            value_fini(&row[j]);
            row[j] = (struct value){.kind = VALUE_NULL};
        }
        status = set_row(parser, table->schema, row, json_array_get(points, i));
    }
    return status;
}

/* ---- curves ------------------------------------------------------------------------------ */

static enum status add_measured(struct parser *parser, struct scaling *scaling, const json_t *row)
{
    struct scaling_point point = {.name = text_of(row, "name"),
                                  .x = number_of(row, "size"),
                                  .time_ns = number_of(row, "time_ns"),
                                  .kernel_ns = number_of(row, "kernels_ns"),
                                  .flops = number_of(row, "flops")};

    if (!run_subject_find(text_of(row, "kind"), &point.subject) || point.subject > RUN_REGION)
        return refuse(parser, "scaling_points.kind", "whole, kernel or region");
    if (isnan(point.x))
        return refuse(parser, "scaling_points.size", "a number");
    scaling_add_point(scaling, &point);
    return STATUS_OK;
}

/* `label` is that of a command; NULL: there is only one command. */
static enum status read_scaling(struct parser *parser, const json_t *points, const char *label,
                                struct scaling *scaling)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < json_array_size(points) && !status; i++) {
        const json_t *row = json_array_get(points, i);

        if (!label || strcmp(text_of(row, "command"), label) == 0)
            status = add_measured(parser, scaling, row);
    }
    return status;
}

static enum status add_sweep(struct parser *parser, const json_t *root,
                             const struct plan_command *command)
{
    struct bench_report *report = &parser->file->report;
    struct bench_sweep *sweep = array_add(&report->sweeps);
    struct scaling *scaling = array_add(&report->scalings);
    enum status status;

    scaling_init(scaling, command->label);
    bench_sweep_init(sweep, report->results, command, report->swept, &report->limits);
    status = read_scaling(parser, json_object_get(root, "scaling_points"), command->label, scaling);
    if (status)
        return status;
    scaling_fit(scaling, report->results->options.confidence);
    return STATUS_OK;
}

static enum status add_sweeps(struct parser *parser, const json_t *root)
{
    const struct plan *plan = &parser->file->plan;
    enum status status = STATUS_OK;

    for (size_t i = 0; parser->file->report.swept && i < plan->commands.count && !status; i++)
        status = add_sweep(parser, root, array_at(&plan->commands, i));
    return status;
}

static enum status read_functions(struct parser *parser, const json_t *rows)
{
    struct bench_report *report = &parser->file->report;
    struct table *table = rows ? report_start_functions(report) : NULL;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < json_array_size(rows) && !status; i++)
        status = set_row(parser, table->schema, table_add_row(table), json_array_get(rows, i));
    if (!status && table)
        report->functions = table;
    return status;
}

/* ---- the file ---------------------------------------------------------------------------- */

static enum status read_bench(struct parser *parser, const json_t *root)
{
    struct report_file *file = parser->file;
    const json_t *how = json_object_get(root, "bench"), *points = json_object_get(root, "points");
    enum status status = read_how(parser, how);

    if (!status)
        status = read_points(parser, points, how);
    if (!status)
        status = add_sweeps(parser, root);
    if (!status)
        bench_report_points(&file->report);
    if (!status)
        status = fill_points(parser, points);
    if (!status)
        status = read_functions(parser, json_object_get(root, "functions"));
    file->document = &file->report.document;
    file->title = "tprof bench";
    if (status)
        return status;
    bench_report_rest(&file->report);
    return STATUS_OK;
}

static enum status read_growth(struct parser *parser, const json_t *root)
{
    struct report_file *file = parser->file;
    const json_t *of = json_object_get(root, "scaling_of");
    const json_t *points = json_object_get(root, "scaling_points");
    double confidence = number_of(of, "confidence");
    const char *size = plan_keep(&file->plan, text_of(of, "size"));
    enum status status;

    if (!(confidence > 0 && confidence < 1))
        return refuse(parser, "scaling_of.confidence", "a number between 0 and 1");
    status = read_scaling(parser, points, NULL, &file->scaling);
    if (!status)
        scaling_fit(&file->scaling, confidence);
    if (status)
        return status;
    document_fini(&file->of_scaling);
    file->document = &file->of_scaling;
    file->title = "tprof scaling";
    scaling_report(&file->of_scaling, &file->scaling, size);
    return STATUS_OK;
}

static bool has_results(const json_t *root)
{
    const char *table = text_of(root, "table");

    return strcmp(table, "bench") == 0 || strcmp(table, "scaling") == 0;
}

static enum status read_root(struct parser *parser, const json_t *root)
{
    const char *table = text_of(root, "table");
    double version = number_of(root, "schema_version");

    if (!has_results(root))
        return diagnostic_set(
            parser->diagnostic, STATUS_CORRUPT,
            "%.200s: expected a trace or the JSON of tprof bench, found JSON of %s%.40s; "
            "tprof bench --json -o FILE writes what tprof html shows",
            parser->path, table[0] ? "" : "another kind", table);
    if (!(version <= KNOWN_VERSION))
        return diagnostic_set(parser->diagnostic, STATUS_UNSUPPORTED,
                              "%.200s: made by a later tprof (schema_version %g, known up to %d)",
                              parser->path, version, KNOWN_VERSION);
    return strcmp(table, "bench") == 0 ? read_bench(parser, root) : read_growth(parser, root);
}

bool report_file_is_at(const char *path)
{
    struct diagnostic diagnostic;
    json_t *root = NULL;
    bool is_there = !json_file_load(&root, path, report_file_text.words, &diagnostic) &&
                    has_results(root);

    json_decref(root);
    return is_there;
}

enum status report_file_open(struct report_file *file, const char *path,
                             struct diagnostic *diagnostic)
{
    struct parser parser = {file, path, diagnostic};
    json_t *root = NULL;
    enum status status;

    *file = (struct report_file){.document = NULL};
    array_init(&file->samples, sizeof(struct sample));
    array_init(&file->results.points, sizeof(struct result));
    text_list_init(&file->warnings);
    document_init(&file->of_scaling);
    file->results.plan = &file->plan;
    file->results.samples = &file->samples;
    bench_report_init(&file->report, &file->results);
    file->report.warnings = &file->warnings;
    plan_init(&file->plan);
    scaling_init(&file->scaling, NULL);
    status = json_file_load(&root, path, report_file_text.words, diagnostic);
    if (!status)
        status = read_root(&parser, root);
    json_decref(root);
    return status;
}

void report_file_close(struct report_file *file)
{
    bench_report_fini(&file->report);
    document_fini(&file->of_scaling);
    scaling_fini(&file->scaling);
    results_fini(&file->results);
    plan_fini(&file->plan);
    text_list_fini(&file->warnings);
    array_fini(&file->samples);
}
