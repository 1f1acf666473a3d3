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
#include "cmd/own_options.h"
#include "model/session.h"
#include "model/session_open.h"

#define OWN_OPTIONS "cmd/cost_options.def"
#include "cmd/own_rows.def"

/* What the command line asks for. */
struct request {
    struct cost_terms terms;
    struct known_machine processor;
    struct cmd_options options;
    struct text_list paths; /* of the traces that were read */
};

/* "3.06", "3.06USD", "3.06 EUR" */
static enum status read_price(struct cost_terms *terms, const char *text,
                              struct diagnostic *diagnostic)
{
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

static enum status read_per(struct cost_terms *terms, const char *text,
                            struct diagnostic *diagnostic)
{
    terms->is_per_processor = strcmp(text, "processor") == 0;
    if (terms->is_per_processor || strcmp(text, "machine") == 0)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE, "--per %.40s: expected machine or processor",
                          text);
}

/* "40%" or "0.4" */
static enum status read_utilization(struct cost_terms *terms, const char *text,
                                    struct diagnostic *diagnostic)
{
    char *end;
    double share = strtod(text, &end);

    if (*end == '%')
        share /= 100;
    if (end == text || !(share > 0 && share <= 1) || strcmp(end, *end == '%' ? "%" : "") != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--utilization %.40s: expected a share such as 40%% or 0.4", text);
    terms->target = share;
    return STATUS_OK;
}

static enum status read_processor(struct request *request, const char *text,
                                  struct diagnostic *diagnostic)
{
    enum status status = known_machine_find(text, &request->processor, diagnostic);

    if (status || request->processor.is_accelerator)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--processor %.60s: expected the name of one processor of tprof list "
                              "machines",
                              text);
    request->terms.machine = &request->processor;
    return STATUS_OK;
}

static enum status read_own(void *of, size_t row, const char *text, struct diagnostic *diagnostic)
{
    struct request *request = of;
    struct cost_terms *terms = &request->terms;

    switch ((enum option_row)row) {
    case ROW_PRICE: return read_price(terms, text, diagnostic);
    case ROW_PER: return read_per(terms, text, diagnostic);
    case ROW_ITEMS: return own_options_number(&rows[row], text, &terms->items, diagnostic);
    case ROW_RUNS: return own_options_number(&rows[row], text, &terms->runs_per_day, diagnostic);
    case ROW_CARBON: return own_options_number(&rows[row], text, &terms->grams_per_kwh, diagnostic);
    case ROW_WATTS: return own_options_number(&rows[row], text, &terms->watts, diagnostic);
    case ROW_PROCESSOR: return read_processor(request, text, diagnostic);
    case ROW_UTILIZATION: return read_utilization(terms, text, diagnostic);
    case ROW_FLOPS: return own_options_number(&rows[row], text, &terms->job_flops, diagnostic);
    case ROWS: break;
    }
    return STATUS_OK;
}

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

static enum status run(const struct own_options *own, const struct own_rest *rest,
                       struct request *request, struct diagnostic *diagnostic)
{
    enum status status = cmd_parse_many(&request->options, rest->count, rest->words, diagnostic);

    if (status)
        return status;
    if (!request->options.is_help)
        return report(request, diagnostic);
    cmd_print_help(
        "cost", "--price-per-hour PRICE [OPTIONS] [TRACE...]",
        "Show the cost of runs in money, energy and carbon, also at another utilization.");
    own_options_print(own);
    return STATUS_OK;
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
    const struct own_options own = {"cost", rows, ROWS, read_own, &request};
    struct own_rest rest;
    enum status status = own_options_take(&own, argc, argv, &rest, &outcome->diagnostic);

    if (!status)
        status = run(&own, &rest, &request, &outcome->diagnostic);
    own_rest_free(&rest);
    return status;
}
