/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs as a document: lines for one run, a table for several, JSON of all.
 */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "kernels/judge.h"
#include "kernels/utilization.h"
#include "money/cost.h"
#include "money/texts.h"

static const char *const energy_names[] = {
    NULL, "metered, whole machine", "estimate: the watts given", "estimate: thermal design power"};

static const struct column columns[] = {
#define COLUMN(key, title, help, unit, priority, kind, from) {key, title, help, unit, priority},
#include "money/cost_columns.def"
#undef COLUMN
};

static const struct table_schema schema = {"runs", "Costs", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* Cells that are filled from the left. */
struct cells {
    struct value *next;
    enum status status;
};

static void set_text(struct cells *cells, const char *text)
{
    value_set_text(cells->next++, text);
}

static void set_real(struct cells *cells, double real)
{
    value_set_real(cells->next++, real);
}

static void set_whole(struct cells *cells, double real)
{
    value_set_rounded(cells->next++, real);
}

static void set_row(struct value *row, const struct cost *cost, const struct cost_terms *terms)
{
    struct cells cells = {row, STATUS_OK};

#define COLUMN(key, title, help, unit, priority, kind, from) set_##kind(&cells, from);
#include "money/cost_columns.def"
#undef COLUMN
}

/* A cost for people, line by line. */
struct view {
    const struct cost *cost;
    const struct cost_terms *terms;
    char currency[COST_CURRENCY_SIZE + 1]; /* the currency after a number: with a space, or empty */
};

static struct view view_of(const struct cost *cost, const struct cost_terms *terms)
{
    struct view view = {cost, terms, ""};

    if (terms->currency[0])
        snprintf(view.currency, sizeof view.currency, " %s", terms->currency);
    return view;
}

static void append_price(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;
    struct said price = said_real(view->terms->price_per_hour),
                currency = said_words(view->currency);

    if (isnan(view->terms->price_per_hour))
        return;
    if (!view->terms->is_per_processor)
        say(line, cost_price_text, price, currency);
    else if (isnan(cost->processors))
        say(line, cost_price_processor_text, price, currency);
    else
        say(line, cost_price_processors_text, price, currency,
            said_count((uint64_t)cost->processors), said_real(cost->price_per_hour), currency);
}

static void append_run(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(cost->run))
        return;
    say(line, cost_run_text, said_real(cost->run), said_words(view->currency),
        said_time(1e9 * cost->wall_seconds));
    if (isfinite(cost->used_fraction))
        say(line, cost_run_used_text, said_share(cost->used_fraction));
}

static void append_items(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(cost->run))
        return;
    if (isnan(cost->items))
        say(line, cost_items_none_text);
    else
        say(line, cost_items_text, said_real(cost->per_1000_items), said_words(view->currency),
            said_count((uint64_t)llround(cost->items)));
}

static void append_tflop(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(cost->run))
        return;
    if (isnan(cost->per_tflop)) {
        say(line, cost_tflop_none_text);
        return;
    }
    say(line, cost_tflop_text, said_real(cost->per_tflop), said_words(view->currency),
        said_flops(cost->flops));
    if (cost->unknown_flops_fraction > 0)
        say(line, cost_tflop_unknown_text, said_share(cost->unknown_flops_fraction));
}

static void append_year(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(view->terms->runs_per_day) || isnan(cost->machines))
        return;
    if (isfinite(cost->per_year))
        say(line, cost_year_text, said_real(cost->per_year), said_words(view->currency));
    say(line, cost_year_runs_text, said_real(view->terms->runs_per_day), said_real(cost->machines));
}

static void append_no_utilization(struct text *line, const struct utilization *of)
{
    if (!utilization_has_reason(of)) {
        say(line, cost_no_peak_text);
        return;
    }
    utilization_append_reason(line, of);
    if (!utilization_is_whole(of))
        say(line, cost_partial_peak_text);
}

static void append_utilization(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;
    struct said currency = said_words(view->currency);

    if (isnan(cost->wall_seconds))
        return;
    if (isnan(cost->utilization.mfu)) {
        append_no_utilization(line, &cost->utilization);
        return;
    }
    utilization_append_mfu(line, &cost->utilization);
    utilization_append_doubt(line, cost->utilization.is_impossible &&
                                       judge_is_impossible(cost->utilization.mfu));
    if (isfinite(cost->target_run))
        say(line, cost_target_text, said_share(view->terms->target), said_real(cost->target_run),
            currency);
    if (isfinite(cost->target_year))
        say(line, cost_target_year_text, said_real(cost->target_year), currency);
}

/* By where the energy is from. */
static const struct said *const energy_texts[] = {NULL, &cost_energy_metered_text,
                                                  &cost_energy_watts_text, &cost_energy_tdp_text};

static void append_energy(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(cost->wall_seconds))
        return;
    if (cost->energy_from != COST_ENERGY_UNKNOWN)
        say(line, *energy_texts[cost->energy_from], said_real(cost->energy_joules));
    else
        say(line, cost->is_use_unread ? cost_energy_unread_text : cost_energy_unknown_text);
}

static void append_carbon(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(view->terms->grams_per_kwh) || isnan(cost->wall_seconds))
        return;
    if (isnan(cost->carbon_grams)) {
        say(line, cost_carbon_unknown_text);
        return;
    }
    say(line, cost_carbon_text, said_real(cost->carbon_grams),
        said_real(view->terms->grams_per_kwh));
    if (isfinite(cost->carbon_year_grams))
        say(line, cost_carbon_year_text, said_real(1e-3 * cost->carbon_year_grams));
    if (cost->energy_from > COST_ENERGY_METERED)
        say(line, cost_carbon_estimate_text);
}

static void say_hours(struct text *line, double hours, double money, const struct view *view)
{
    say(line, cost_hours_text, said_real(hours));
    if (isfinite(money))
        say_part(line, cost_hours_money_text, said_real(money), said_words(view->currency));
    text_append(line, ".");
}

static void append_job(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(view->terms->job_flops))
        return;
    say(line, cost_job_text, said_flops(view->terms->job_flops));
    if (isfinite(cost->job_hours)) {
        say(line, cost_job_here_text);
        say_hours(line, cost->job_hours, cost->job, view);
    }
    if (isfinite(cost->target_job_hours)) {
        say(line, cost_job_target_text, said_share(view->terms->target));
        say_hours(line, cost->target_job_hours, cost->target_job, view);
    }
    if (isnan(cost->job_hours) && isnan(cost->target_job_hours))
        say(line, cost_job_unknown_text);
}

static const struct record_line lines[] = {
    {{"price", "Price", NULL, UNIT_TEXT, 0}, append_price},
    {{"run", "This run", NULL, UNIT_TEXT, 0}, append_run},
    {{"items", "1000 items", NULL, UNIT_TEXT, 0}, append_items},
    {{"tflop", "A TFLOP", NULL, UNIT_TEXT, 0}, append_tflop},
    {{"year", "A year", NULL, UNIT_TEXT, 0}, append_year},
    {{"utilization", "Utilization", NULL, UNIT_TEXT, 0}, append_utilization},
    {{"energy", "Energy", NULL, UNIT_TEXT, 0}, append_energy},
    {{"carbon", "Carbon", NULL, UNIT_TEXT, 0}, append_carbon},
    {{"job", "The job", NULL, UNIT_TEXT, 0}, append_job},
};

static void add_lines(struct document *document, const struct view *view)
{
    struct record *record = document_add_record(document, "cost", "Cost", SECTION_IN_TEXT);

    record_add_lines(record, lines, sizeof lines / sizeof *lines, view);
}

void cost_report_build(const struct cost *costs, size_t count, const struct cost_terms *terms,
                       struct document *document)
{
    const struct view view = view_of(costs, terms);
    struct table *table;

    document_init(document);
    document->name = "cost";
    document->main = "runs";
    if (count == 1)
        add_lines(document, &view);
    table = document_start_table(document, "runs", count == 1 ? SECTION_IN_JSON : SECTION_IN_BOTH,
                                 &schema);
    for (size_t i = 0; i < count; i++) {
        struct value *row = table_add_row(table);

        set_row(row, &costs[i], terms);
    }
}
