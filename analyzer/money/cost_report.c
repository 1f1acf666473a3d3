/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs as a document: lines for one run, a table for several, JSON of all.
 */
#include <math.h>

#include "base/text.h"
#include "base/units.h"
#include "figures/judge.h"
#include "figures/utilization.h"
#include "money/cost.h"

/* ---- for programs, and for several runs --------------------------------------------- */

static const char *const energy_names[] = {
    NULL, "metered, whole machine", "estimate: the watts given", "estimate: thermal design power"};

/* In the order of their columns. */
static const struct column columns[] = {
    {"trace", "trace", "its file", UNIT_TEXT, 0},
    {"wall_s", NULL, "seconds of a run", UNIT_REAL, 0},
    {"processors", NULL, "that it was allowed", UNIT_COUNT, 0},
    {"price_per_hour", NULL, "of all that is paid for", UNIT_REAL, 0},
    {"currency", NULL, "of the price, as it was typed", UNIT_TEXT, 0},
    {"cost", "a run", "price by time", UNIT_REAL, 0},
    {"used_fraction", "used", "of the paid processor time", UNIT_FRACTION, 3},
    {"items", NULL, "of a run", UNIT_COUNT, 0},
    {"cost_per_1000_items", "1000 items", "of a run's cost", UNIT_REAL, 1},
    {"flops", NULL, "that are known", UNIT_FLOPS, 0},
    {"unknown_flops_fraction", NULL, "of kernel time", UNIT_FRACTION, 0},
    {"cost_per_tflop", "a TFLOP", "10^12 known FLOPs", UNIT_REAL, 2},
    {"cost_per_year", "a year", "at the runs a day that were given", UNIT_REAL, 1},
    {"machines", NULL, "busy all the time, for so many runs a day", UNIT_REAL, 0},
    {"mfu", "MFU", "matrix products against the peak of all allowed processors", UNIT_FRACTION, 2},
    {"mfu_of", NULL, "how the model's FLOPs are told from those computed again", UNIT_TEXT, 0},
    {"target", NULL, "utilization aimed at", UNIT_FRACTION, 0},
    {"target_cost", "at the target", "a run whose time is its products' at that utilization",
     UNIT_REAL, 2},
    {"target_cost_per_year", NULL, "the same a year", UNIT_REAL, 0},
    {"energy_joules", "energy (J)", "of a run", UNIT_REAL, 2},
    {"energy_from", "by", "metered, or how it was estimated", UNIT_TEXT, 4},
    {"carbon_grams", "CO2e (g)", "of a run, by the grams a kWh that were given", UNIT_REAL, 2},
    {"carbon_grams_per_year", NULL, "at the runs a day that were given", UNIT_REAL, 0},
    {"job_flops", NULL, "of the job to predict", UNIT_FLOPS, 0},
    {"job_hours", NULL, "of the job at this run's rate", UNIT_REAL, 0},
    {"job_cost", "the job", "at this run's rate", UNIT_REAL, 3},
    {"target_job_hours", NULL, "of the job at the utilization aimed at", UNIT_REAL, 0},
    {"target_job_cost", NULL, "of the job at the utilization aimed at", UNIT_REAL, 0},
};

static const struct table_schema schema = {"runs", "Costs", columns,
                                           sizeof columns / sizeof *columns, NULL};

static void set_count(struct value *value, double count)
{
    if (isfinite(count) && count < 0x1p63)
        value_set_integer(value, llround(count));
}

static enum status set_row(struct value *row, const struct cost *cost,
                           const struct cost_terms *terms)
{
    const char *currency = terms->currency[0] ? terms->currency : NULL;

    if (value_set_text(row++, cost->path))
        return STATUS_OUT_OF_MEMORY;
    value_set_real(row++, cost->wall_seconds);
    set_count(row++, cost->processors);
    value_set_real(row++, cost->price_per_hour);
    if (value_set_text(row++, currency))
        return STATUS_OUT_OF_MEMORY;
    value_set_real(row++, cost->run);
    value_set_real(row++, cost->used_fraction);
    set_count(row++, cost->items);
    value_set_real(row++, cost->per_1000_items);
    value_set_rounded(row++, cost->flops);
    value_set_real(row++, cost->unknown_flops_fraction);
    value_set_real(row++, cost->per_tflop);
    value_set_real(row++, cost->per_year);
    value_set_real(row++, cost->machines);
    value_set_real(row++, cost->utilization.mfu);
    if (value_set_text(row++, utilization_model_name(&cost->utilization)))
        return STATUS_OUT_OF_MEMORY;
    value_set_real(row++, terms->target);
    value_set_real(row++, cost->target_run);
    value_set_real(row++, cost->target_year);
    value_set_real(row++, cost->energy_joules);
    if (value_set_text(row++, energy_names[cost->energy_from]))
        return STATUS_OUT_OF_MEMORY;
    value_set_real(row++, cost->carbon_grams);
    value_set_real(row++, cost->carbon_year_grams);
    value_set_rounded(row++, terms->job_flops);
    value_set_real(row++, cost->job_hours);
    value_set_real(row++, cost->job);
    value_set_real(row++, cost->target_job_hours);
    value_set_real(row, cost->target_job);
    return STATUS_OK;
}

/* ---- for people -------------------------------------------------------------------- */

struct view {
    const struct cost *cost;
    const struct cost_terms *terms;
};

static void append_money(struct text *line, double amount, const struct cost_terms *terms)
{
    char number[UNITS_SIZE];

    text_appendf(line, "%s%s%s", units_format_real(number, amount), terms->currency[0] ? " " : "",
                 terms->currency);
}

static void append_price(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;

    if (isnan(view->terms->price_per_hour))
        return;
    append_money(line, view->terms->price_per_hour, view->terms);
    if (!view->terms->is_per_processor)
        text_append(line, " an hour of the machine");
    else if (isnan(cost->processors))
        text_append(line, " an hour of each processor, whose number is unknown");
    else {
        text_appendf(line, " an hour of each of %.0f allowed processors, together ",
                     cost->processors);
        append_money(line, cost->price_per_hour, view->terms);
    }
}

static void append_run(struct text *line, const void *of)
{
    const struct view *view = of;
    char time[UNITS_SIZE], share[UNITS_SIZE];

    if (isnan(view->cost->run))
        return;
    append_money(line, view->cost->run, view->terms);
    text_appendf(line, " for %s", units_format_time(time, 1e9 * view->cost->wall_seconds));
    if (isfinite(view->cost->used_fraction))
        text_appendf(line, "; %s of the processor time in it was used",
                     units_format_percent(share, view->cost->used_fraction));
}

static void append_items(struct text *line, const void *of)
{
    const struct view *view = of;
    char count[UNITS_SIZE];

    if (isnan(view->cost->run))
        return;
    if (isnan(view->cost->items)) {
        text_append(line, "unknown: the program counted none; --items N tells them");
        return;
    }
    append_money(line, view->cost->per_1000_items, view->terms);
    text_appendf(line, ", with %s item%s in this run",
                 units_format_count(count, llround(view->cost->items)),
                 units_choose((uint64_t)llround(view->cost->items), "", "s"));
}

static void append_tflop(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;
    char flops[UNITS_SIZE], share[UNITS_SIZE];

    if (isnan(cost->run))
        return;
    if (isnan(cost->per_tflop)) {
        text_append(line, "unknown: no FLOPs are known of this run");
        return;
    }
    append_money(line, cost->per_tflop, view->terms);
    text_appendf(line, ", with %s in this run", units_format_flops(flops, cost->flops));
    if (cost->unknown_flops_fraction > 0)
        text_appendf(line, " and %s of kernel time of unknown FLOPs",
                     units_format_percent(share, cost->unknown_flops_fraction));
}

static void append_year(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;
    char runs[UNITS_SIZE], machines[UNITS_SIZE];

    if (isnan(view->terms->runs_per_day) || isnan(cost->machines))
        return;
    if (isfinite(cost->per_year)) {
        append_money(line, cost->per_year, view->terms);
        text_append(line, " ");
    }
    text_appendf(line, "at %s run%s a day, which keep%s %s machine%s busy",
                 units_format_real(runs, view->terms->runs_per_day),
                 units_choose(view->terms->runs_per_day == 1, "", "s"),
                 units_choose(view->terms->runs_per_day == 1, "s", ""),
                 units_format_real(machines, cost->machines),
                 units_choose(cost->machines == 1, "", "s"));
}

static void append_no_utilization(struct text *line, const struct utilization *of)
{
    if (!utilization_has_reason(of)) {
        text_append(line, "unknown without the machine's peak: tprof calibrate measures it, --peak "
                          "gives it");
        return;
    }
    utilization_append_reason(line, of);
    if (!utilization_is_whole(of))
        text_append(line, " --peak gives one of all precisions.");
}

static void append_utilization(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;
    char target[UNITS_SIZE];

    if (isnan(cost->wall_seconds))
        return;
    if (isnan(cost->utilization.mfu)) {
        append_no_utilization(line, &cost->utilization);
        return;
    }
    utilization_append_mfu(line, &cost->utilization);
    utilization_append_doubt(line, cost->utilization.is_impossible &&
                                       judge_is_impossible(cost->utilization.mfu));
    if (isnan(cost->target_run))
        return;
    text_appendf(line, " At %s a run would cost ",
                 units_format_percent(target, view->terms->target));
    append_money(line, cost->target_run, view->terms);
    if (isfinite(cost->target_year)) {
        text_append(line, ", a year ");
        append_money(line, cost->target_year, view->terms);
    }
    text_append(line, ".");
}

static void append_energy(struct text *line, const void *of)
{
    const struct view *view = of;
    static const char *const words[] = {
        NULL, "metered of the whole machine while this ran, whoever used it (RAPL)",
        "an estimate: --watts over the wall time",
        "an estimate: the processor's thermal design power by core and processor time, without "
        "idle power and cooling"};
    const struct cost *cost = view->cost;
    char energy[UNITS_SIZE];

    if (isnan(cost->wall_seconds))
        return;
    if (cost->energy_from == COST_ENERGY_UNKNOWN && cost->is_use_unread)
        text_append(line, "unknown: it was not metered, and processor time was not read at the "
                          "end; --watts gives an estimate");
    else if (cost->energy_from == COST_ENERGY_UNKNOWN)
        text_append(line, "unknown: it was not metered, and this processor is not among the known "
                          "machines; --watts or --processor give an estimate");
    else
        text_appendf(line, "%s J, %s", units_format_real(energy, cost->energy_joules),
                     words[cost->energy_from]);
}

static void append_carbon(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;
    bool is_estimate = cost->energy_from > COST_ENERGY_METERED;
    char grams[UNITS_SIZE], rate[UNITS_SIZE], year[UNITS_SIZE];

    if (isnan(view->terms->grams_per_kwh) || isnan(cost->wall_seconds))
        return;
    if (isnan(cost->carbon_grams)) {
        text_append(line, "unknown, as the energy is");
        return;
    }
    text_appendf(line, "%s g of CO2e at %s g a kWh", units_format_real(grams, cost->carbon_grams),
                 units_format_real(rate, view->terms->grams_per_kwh));
    if (isfinite(cost->carbon_year_grams))
        text_appendf(line, ", %s kg a year",
                     units_format_real(year, 1e-3 * cost->carbon_year_grams));
    if (is_estimate)
        text_append(line, ", by the estimate above");
}

static void append_hours(struct text *line, double hours, double money,
                         const struct cost_terms *terms)
{
    char number[UNITS_SIZE];

    text_appendf(line, "%s h", units_format_real(number, hours));
    if (isfinite(money)) {
        text_append(line, ", ");
        append_money(line, money, terms);
    }
}

static void append_job(struct text *line, const void *of)
{
    const struct view *view = of;
    const struct cost *cost = view->cost;
    char flops[UNITS_SIZE], target[UNITS_SIZE];

    if (isnan(view->terms->job_flops))
        return;
    text_appendf(line, "%s", units_format_flops(flops, view->terms->job_flops));
    if (isfinite(cost->job_hours)) {
        text_append(line, ": at the rate of this run ");
        append_hours(line, cost->job_hours, cost->job, view->terms);
    }
    if (isfinite(cost->target_job_hours)) {
        text_appendf(line, "%s at a utilization of %s ", isfinite(cost->job_hours) ? ";" : ":",
                     units_format_percent(target, view->terms->target));
        append_hours(line, cost->target_job_hours, cost->target_job, view->terms);
    }
    if (isnan(cost->job_hours) && isnan(cost->target_job_hours))
        text_append(line, ": unknown, as no FLOPs are known of this run");
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

static enum status add_lines(struct document *document, const struct view *view)
{
    struct record *record = document_add_record(document, "cost", "Cost", SECTION_IN_TEXT);

    return record_add_lines(record, lines, sizeof lines / sizeof *lines, view);
}

/* ---- the document ------------------------------------------------------------------ */

static enum status add_table(struct document *document, const struct cost *costs, size_t count,
                             const struct cost_terms *terms)
{
    struct table *table =
        document_add_table(document, "runs", count == 1 ? SECTION_IN_JSON : SECTION_IN_BOTH);
    enum status status = table ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (!status)
        table_init(table, &schema);
    for (size_t i = 0; i < count && !status; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_row(row, &costs[i], terms) : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

enum status cost_report_build(const struct cost *costs, size_t count,
                              const struct cost_terms *terms, struct document *document)
{
    const struct view view = {costs, terms};
    enum status status = STATUS_OK;

    document_init(document);
    document->name = "cost";
    document->main = "runs";
    if (count == 1)
        status = add_lines(document, &view);
    return status ? status : add_table(document, costs, count, terms);
}
