/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof compare: two or more sides, compared.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/incident.h"
#include "cmd/sides.h"
#include "compare/report.h"
#include "options/readers.h"

static const char arguments[] = "[OPTIONS] BASE NEW...  or  BASE... -- NEW... [-- NEW...]";
static const char help[] =
    "Show the changes from BASE to NEW: structure, time, memory, metrics.  A side is a trace, a "
    "directory of traces, or a file of tprof baseline.  With --, each side is all traces up to "
    "the next --.  Several traces of a side are runs of one program.";

enum { SETTINGS_MAX = 64 };

/* The parsed command line. */
struct request {
    struct cmd_options options;
    struct report_request report;
    const char *labels;
    const char *settings[SETTINGS_MAX]; /* the words of --set, read once the sides are known */
    size_t setting_count;
};

static enum status add_derived(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct report_request *report = value->field;
    const char *text = value->text;
    const char *equals = strchr(text, '=');
    struct report_derived *derived = &report->derived[report->derived_count];

    if (!equals || equals == text)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--derive %.100s: expected NAME=EXPRESSION, such as "
                              "eff=accuracy/wall_s",
                              text);
    if (report->derived_count == REPORT_DERIVED_MAX)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--derive: at most %d columns",
                              REPORT_DERIVED_MAX);
    derived->name = memory_copy_part(text, (size_t)(equals - text));
    derived->expression = equals + 1;
    report->derived_count++;
    report->shows_sides = true;
    return STATUS_OK;
}

static enum status add_setting(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct request *request = value->fields;

    if (request->setting_count == SETTINGS_MAX)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--set: at most %d metrics", SETTINGS_MAX);
    request->settings[request->setting_count++] = value->text;
    request->report.shows_sides = true;
    return STATUS_OK;
}

/* "3.06", or "3.06USD". */
static enum status read_price(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct report_request *report = value->field;
    const char *text = value->text;
    char *end;
    double price = strtod(text, &end);

    if (end == text || !(price > 0) || isinf(price) || strlen(end) >= sizeof report->currency)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--price-per-hour %.40s: expected a number above 0, such as 3.06 or "
                              "3.06USD",
                              text);
    report->shows_sides = true;
    report->price_per_hour = price;
    snprintf(report->currency, sizeof report->currency, "%s", end);
    return STATUS_OK;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/compare_options.def"
#undef OPTION
};

static void free_derived(struct report_request *report)
{
    for (size_t i = 0; i < report->derived_count; i++)
        free((char *)(uintptr_t)report->derived[i].name);
}

/* "LABEL:NAME=NUMBER" or "NAME=NUMBER". */
struct setting {
    char label[128]; /* empty: every side */
    char name[128];
    double value;
};

static enum status read_setting(struct setting *setting, const char *text,
                                struct diagnostic *diagnostic)
{
    const char *equals = strrchr(text, '='), *colon = strchr(text, ':');
    const char *name = colon && equals && colon < equals ? colon + 1 : text;
    char *end = NULL;

    setting->value = equals ? strtod(equals + 1, &end) : (double)NAN;
    if (!equals || equals == name || end == equals + 1 || *end != '\0' ||
        !isfinite(setting->value) || (size_t)(equals - text) >= sizeof setting->name)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--set %.100s: expected NAME=NUMBER or LABEL:NAME=NUMBER, such as "
                              "accuracy=0.93",
                              text);
    snprintf(setting->label, sizeof setting->label, "%.*s",
             name > text ? (int)(name - 1 - text) : 0, text);
    snprintf(setting->name, sizeof setting->name, "%.*s", (int)(equals - name), name);
    return STATUS_OK;
}

static void set_metric(struct run_side *side, const struct setting *setting)
{
    for (size_t i = 0; i < side->runs.count; i++)
        run_add_value(array_at(&side->runs, i), setting->name, setting->value);
}

static enum status apply_setting(struct sides *sides, const char *text,
                                 struct diagnostic *diagnostic)
{
    struct setting setting;
    bool is_found = false;
    enum status status = read_setting(&setting, text, diagnostic);

    for (size_t i = 0; i < sides->all.count && !status; i++) {
        struct run_side *side = array_at(&sides->all, i);

        if (setting.label[0] != '\0' && strcmp(setting.label, side->label) != 0)
            continue;
        is_found = true;
        set_metric(side, &setting);
    }
    if (!status && !is_found)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "--set %.100s: no side is called '%.60s'; name them with --labels",
                                text, setting.label);
    return status;
}

/* Rows are sorted by how much they matter. */
static const struct analysis shape = {.name = "compare", .help = help};

static enum status render(struct request *request, struct diagnostic *diagnostic)
{
    struct report report;
    struct table *structure;
    enum status status = report_compare(&report, &request->report, diagnostic);

    if (!status)
        status = cmd_arrange(document_main_table(&report.document), &shape, &request->options,
                             diagnostic);
    structure = document_find_table(&report.document, "structure");
    if (structure && request->options.limit > 0)
        table_truncate(structure, request->options.limit);
    if (!status)
        status = cmd_render_document(&report.document, &request->options, diagnostic);
    report_fini(&report);
    return status;
}

static enum status check_count(const struct sides *sides, struct diagnostic *diagnostic)
{
    if (sides->all.count > 1)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "compare: expected two sides or more, found %zu: tprof compare BASE NEW, "
                          "or BASE... -- NEW...",
                          sides->all.count);
}

/* One trace: a quiet stretch, and the incident. */
static enum status read_incident(struct sides *sides, const struct cmd_options *options,
                                 struct diagnostic *diagnostic)
{
    const char *trace = options->trace_count == 1 ? options->traces[0] : NULL;
    struct cmd_options quiet = *options;
    enum status status;

    if (options->trace_count > 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "compare --incident: expected one trace, found %zu",
                              options->trace_count);
    status = incident_find_quiet(&quiet.window, trace, options, diagnostic);
    quiet.incident = 0;
    if (!status)
        status = sides_add_trace(sides, trace, &quiet, diagnostic);
    if (!status)
        status = sides_add_trace(sides, trace, options, diagnostic);
    return status;
}

static enum status compare(struct request *request, struct diagnostic *diagnostic)
{
    bool is_incident = request->options.incident > 0;
    struct sides sides;
    enum status status;

    sides_init(&sides);
    status = is_incident ? read_incident(&sides, &request->options, diagnostic)
                         : sides_read_all(&sides, &request->options, diagnostic);
    if (is_incident && !request->labels)
        request->labels = "quiet,incident";
    if (!status)
        status = check_count(&sides, diagnostic);
    if (!status)
        status = sides_label(&sides, request->labels, diagnostic);
    for (size_t i = 0; i < request->setting_count && !status; i++)
        status = apply_setting(&sides, request->settings[i], diagnostic);
    request->report.sides = sides.all.items;
    request->report.count = sides.all.count;
    request->report.figure.confidence = request->options.analysis.confidence;
    request->report.shows_sides |= sides.all.count > 2;
    if (!status)
        status = render(request, diagnostic);
    sides_fini(&sides);
    return status;
}

enum status cmd_compare(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct request request = {.report = {.price_per_hour = (double)NAN}};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &request};
    enum status status;

    sides_mark_separators(argc, argv);
    status = cmd_parse_many(&request.options, &own, argc, argv, &outcome->diagnostic);
    if (!status)
        status = cmd_check_by(&request.options, "compare", &outcome->diagnostic);
    if (!status && request.options.is_help)
        cmd_print_help(argv[0], arguments, help, &own);
    else if (!status)
        status = compare(&request, &outcome->diagnostic);
    free_derived(&request.report);
    return status;
}
