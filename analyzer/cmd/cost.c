/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof cost: what runs cost in money, energy and carbon.
 */
#include "base/memory.h"
#include "money/cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_list.h"
#include "cmd/cmd.h"
#include "model/session.h"
#include "model/session_open.h"
#include "options/readers.h"

/* The parsed command line. */
struct request {
    struct cost_terms terms;
    struct known_machine processor;
    struct cmd_options options;
    struct text_list paths; /* the paths of the traces that were read */
};

/* "3.06", "3.06USD", "3.06 EUR" */
static enum status read_price(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct cost_terms *terms = value->field;
    const char *text = value->text;
    char *end;
    double price = strtod(text, &end);
    size_t length;

    while (*end == ' ')
        end++;
    length = strlen(end);
    if (end == text || !(price > 0) || isinf(price) || length >= sizeof terms->currency ||
        strcspn(end, "0123456789.-+ ") != length)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--price-per-hour %.40s: expected a number above 0, such as 3.06 or "
                              "3.06USD",
                              text);
    terms->price_per_hour = price;
    memcpy(terms->currency, end, length + 1);
    return STATUS_OK;
}

static enum status read_per(const struct option_value *value, struct diagnostic *diagnostic)
{
    bool *is_per_processor = value->field;

    *is_per_processor = strcmp(value->text, "processor") == 0;
    if (*is_per_processor || strcmp(value->text, "machine") == 0)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE, "--per %.40s: expected machine or processor",
                          value->text);
}

/* "40%" or "0.4" */
static enum status read_utilization(const struct option_value *value, struct diagnostic *diagnostic)
{
    const char *text = value->text;
    char *end;
    double share = strtod(text, &end);

    if (*end == '%')
        share /= 100;
    if (end == text || !(share > 0 && share <= 1) || strcmp(end, *end == '%' ? "%" : "") != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--utilization %.40s: expected a share such as 40%% or 0.4", text);
    *(double *)value->field = share;
    return STATUS_OK;
}

static enum status read_processor(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct request *request = value->fields;
    enum status status = known_machine_find(value->text, &request->processor, diagnostic);

    if (status || request->processor.is_accelerator)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--processor %.60s: expected the name of one processor of tprof list "
                              "machines",
                              value->text);
    request->terms.machine = &request->processor;
    return STATUS_OK;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/cost_options.def"
#undef OPTION
};

static enum status reckon(struct request *request, const char *named, struct cost *cost,
                          struct diagnostic *diagnostic)
{
    struct cmd_options *options = &request->options;
    struct session session;
    struct cmd_machine machine;
    enum status status = cmd_open_session(&session, named, options, diagnostic);

    if (status)
        return status;
    status = cmd_machine_open(&machine, &session, options, diagnostic);
    if (!status) {
        text_list_add(&request->paths, session.path);
        cost_of_run(cost, &session, &options->analysis, &request->terms);
        cost->path = text_list_at(&request->paths, text_list_count(&request->paths) - 1);
        cmd_machine_close(&machine);
    }
    session_close(&session);
    return status;
}

static enum status render(const struct request *request, const struct cost *costs, size_t count,
                          struct diagnostic *diagnostic)
{
    struct document document;

    cost_report_build(costs, count, &request->terms, &document);
    return cmd_finish_document(&document, &request->options, diagnostic);
}

static enum status report_runs(struct request *request, struct diagnostic *diagnostic)
{
    const struct cmd_options *options = &request->options;
    size_t count = options->trace_count > 0 ? options->trace_count : 1;
    struct cost *costs = memory_get_zeros(count, sizeof *costs);
    enum status status = STATUS_OK;

    text_list_init(&request->paths);
    for (size_t i = 0; i < count && !status; i++)
        status = reckon(request, options->trace_count > 0 ? options->traces[i] : NULL, &costs[i],
                        diagnostic);
    if (!status)
        status = render(request, costs, count, diagnostic);
    text_list_fini(&request->paths);
    free(costs);
    return status;
}

static bool is_job_alone(const struct request *request)
{
    return request->options.trace_count == 0 && isfinite(request->terms.job_flops) &&
           isfinite(request->options.peak) && isfinite(request->terms.target);
}

static enum status report(struct request *request, struct diagnostic *diagnostic)
{
    struct cost_terms *terms = &request->terms;
    struct cost job;

    if (isnan(terms->price_per_hour) && isnan(terms->grams_per_kwh) && isnan(terms->job_flops))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "cost: what does an hour cost? --price-per-hour 3.06, or --carbon "
                              "with the grams of CO2e a kWh");
    if (!is_job_alone(request))
        return report_runs(request, diagnostic);
    terms->peak = request->options.peak;
    cost_of_job(&job, terms);
    return render(request, &job, 1, diagnostic);
}

enum status cmd_cost(int argc, char **argv, struct cmd_outcome *outcome)
{
    const double unknown = (double)NAN;
    struct request request = {.terms = {.price_per_hour = unknown,
                                        .items = unknown,
                                        .runs_per_day = unknown,
                                        .grams_per_kwh = unknown,
                                        .watts = unknown,
                                        .target = unknown,
                                        .job_flops = unknown,
                                        .peak = unknown}};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &request};
    enum status status =
        cmd_parse_many(&request.options, &own, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (!request.options.is_help)
        return report(&request, &outcome->diagnostic);
    cmd_print_help("cost", "--price-per-hour PRICE [OPTIONS] [TRACE...]",
                   "Show the cost of runs in money, energy and carbon, also at another "
                   "utilization.",
                   &own);
    return STATUS_OK;
}
