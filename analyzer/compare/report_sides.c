/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of all sides: architectures, versions, settings, and the columns that the user derives.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/cells.h"
#include "compare/derive.h"
#include "compare/report_parts.h"
#include "compare/texts.h"
#include "compare/words.h"

enum side_column {
    C_LABEL,
    C_RUNS,
    C_PARAMETERS,
    C_FORWARD,
    C_WALL,
    C_RATE,
    C_PEAK_RSS,
    C_PEAK_MB,
    C_PEAK_HEAP,
    C_FLOPS,
    C_GFLOPS,
    C_ACCURACY,
    C_COST,
    C_COST_DELTA,
    C_FIXED
};

static const struct column fixed[] = {
    [C_LABEL] = {"label", "model", "of the side", UNIT_TEXT, 0},
    [C_RUNS] = {"runs", "runs", "of this side; figures are their medians", UNIT_COUNT, 7},
    [C_PARAMETERS] = {"parameters_m", "params (M)", "metric `parameters`, in millions", UNIT_REAL,
                      1},
    [C_FORWARD] = {"forward_ns", "forward", "time inside a call of the region `forward`", UNIT_NS,
                   1},
    [C_WALL] = {"wall_ns", "wall", "from start to end", UNIT_NS, 0},
    [C_RATE] = {"items_per_second", "items/s", "items by wall time", UNIT_PER_SECOND, 4},
    [C_PEAK_RSS] = {"peak_rss_bytes", "peak RSS", "highest resident memory", UNIT_BYTES, 1},
    [C_PEAK_MB] = {"peak_mb", NULL, "the same, in MiB", UNIT_REAL, 9},
    [C_PEAK_HEAP] = {"peak_heap_bytes", "peak heap", "highest live heap", UNIT_BYTES, 5},
    [C_FLOPS] = {"flops", "FLOPs", "known FLOPs of the run", UNIT_FLOPS, 1},
    [C_GFLOPS] = {"gflops", NULL, "the same, in 10^9: a count, not a rate", UNIT_REAL, 9},
    [C_ACCURACY] = {"accuracy", "accuracy", "metric `accuracy`, or what --set says", UNIT_REAL, 1},
    [C_COST] = {"cost_per_run", "cost a run", "wall time at the price by the hour", UNIT_REAL, 3},
    [C_COST_DELTA] = {"cost_delta_per_run", "against first", "cost less that of the first side",
                      UNIT_REAL, 3},
};
_Static_assert(sizeof fixed / sizeof *fixed == C_FIXED, "columns");

/* Without a price the cost is for no one to see. */
static bool is_wanted(size_t column, const struct report_request *request)
{
    return (column != C_COST && column != C_COST_DELTA) || !isnan(request->price_per_hour);
}

static const char *make_cost_title(struct report *report, const struct report_request *request)
{
    const char *currency = request->currency;

    snprintf(report->cost_title, sizeof report->cost_title, "%s%s%s%s", fixed[C_COST].title,
             currency[0] ? " (" : "", currency, currency[0] ? ")" : "");
    return report->cost_title;
}

static void make_columns(struct report *report, const struct report_request *request)
{
    for (size_t i = 0; i < C_FIXED + request->derived_count; i++) {
        struct column *column = array_add(&report->columns);

        if (i < C_FIXED)
            *column = fixed[i];
        else
            *column = (struct column){request->derived[i - C_FIXED].name,
                                      request->derived[i - C_FIXED].name,
                                      request->derived[i - C_FIXED].expression, UNIT_REAL, 0};
        if (i == C_COST)
            column->title = make_cost_title(report, request);
        if (!is_wanted(i, request))
            column->title = NULL;
    }
    report->sides_schema =
        (struct table_schema){"sides", "Sides", report->columns.items, report->columns.count, NULL};
}

/* A call of the outermost region that is called so. */
static double forward_ns(const struct run *run, const void *label)
{
    for (size_t i = 0; i < run->rows.count; i++) {
        const struct run_row *row = array_at(&run->rows, i);
        const char *slash = strrchr(row->name, '/');

        if (row->subject == RUN_REGION && strcmp(slash ? slash + 1 : row->name, label) == 0)
            return row->values[RUN_INCLUSIVE] / row->values[RUN_CALLS];
    }
    return (double)NAN;
}

static double cost(const struct run_side *side, const struct report_request *request)
{
    return side_whole(side, RUN_WALL) / 3600e9 * request->price_per_hour;
}

static void set_fixed(struct value *row, const struct run_side *side,
                      const struct report_request *request)
{
    value_set_text(&row[C_LABEL], side->label);
    value_set_unsigned(&row[C_RUNS], side->runs.count);
    value_set_real(&row[C_PARAMETERS], side_metric(side, "parameters") / 1e6);
    cells_set_number(&row[C_FORWARD], RUN_INCLUSIVE, side_median(side, forward_ns, "forward"));
    cells_set_number(&row[C_WALL], RUN_WALL, side_whole(side, RUN_WALL));
    value_set_real(&row[C_RATE], side_whole(side, RUN_ITEM_RATE));
    cells_set_number(&row[C_PEAK_RSS], RUN_PEAK_RSS, side_whole(side, RUN_PEAK_RSS));
    value_set_real(&row[C_PEAK_MB], side_whole(side, RUN_PEAK_RSS) / (1 << 20));
    cells_set_number(&row[C_PEAK_HEAP], RUN_PEAK_HEAP, side_whole(side, RUN_PEAK_HEAP));
    cells_set_number(&row[C_FLOPS], RUN_FLOPS, side_whole(side, RUN_FLOPS));
    value_set_real(&row[C_GFLOPS], side_whole(side, RUN_FLOPS) / 1e9);
    value_set_real(&row[C_ACCURACY], side_metric(side, "accuracy"));
    value_set_real(&row[C_COST], cost(side, request));
    value_set_real(&row[C_COST_DELTA], cost(side, request) - cost(&request->sides[0], request));
}

struct naming {
    const struct run_side *side;
    const struct report_request *request;
};

static bool is_metric_of(const struct run_side *side, const char *name)
{
    for (size_t i = 0; i < side->runs.count; i++)
        if (run_find_row(array_at(&side->runs, i), RUN_METRIC, name, ""))
            return true;
    return false;
}

/* A metric of any side is a name; on sides without it, it is unknown. */
static bool find_metric(const struct naming *naming, const char *name, double *value)
{
    for (size_t i = 0; i < naming->request->count; i++)
        if (is_metric_of(&naming->request->sides[i], name)) {
            *value = side_metric(naming->side, name);
            return true;
        }
    return false;
}

/* "wall_ns"; "wall_s" is the same in seconds, "peak_rss_mb" in MiB. */
static bool find_quantity(const struct naming *naming, const char *name, double *value)
{
    static const struct {
        const char *ending;
        const char *of;
        double divisor;
    } units[] = {{"", "", 1}, {"_s", "_ns", 1e9}, {"_ms", "_ns", 1e6}, {"_mb", "_bytes", 1 << 20}};
    size_t size = strlen(name);

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t ending = strlen(units[i].ending);
        enum run_quantity quantity;
        char key[64];

        if (size >= sizeof key - 8 || !text_ends_with(name, size, units[i].ending))
            continue;
        memcpy(key, name, size - ending);
        strcpy(key + size - ending, units[i].of);
        quantity = run_quantity_find(key);
        if (quantity == RUN_QUANTITIES)
            continue;
        *value = side_whole(naming->side, quantity) / units[i].divisor;
        return true;
    }
    return false;
}

static bool find_name(const void *of, const char *text, size_t size, double *value)
{
    char name[64];

    if (size >= sizeof name)
        return false;
    memcpy(name, text, size);
    name[size] = '\0';
    return find_metric(of, name, value) || find_quantity(of, name, value);
}

static enum status set_derived(struct value *row, const struct run_side *side,
                               const struct report_request *request, struct diagnostic *diagnostic)
{
    const struct naming naming = {side, request};
    enum status status = STATUS_OK;

    for (size_t i = 0; i < request->derived_count && !status; i++) {
        double value = (double)NAN;

        status =
            derive_evaluate(request->derived[i].expression, find_name, &naming, &value, diagnostic);
        value_set_real(&row[C_FIXED + i], value);
    }
    return status;
}

static void add_notes(struct table *table)
{
    for (size_t i = 0; i < table_row_count(table); i++)
        if (table_row(table, i)[C_FORWARD].kind == VALUE_NULL) {
            table_say(table, compare_sides_unknown_text);
            return;
        }
}

static enum status fill(struct table *table, const struct report_request *request,
                        struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < request->count && !status; i++) {
        struct value *row = table_add_row(table);

        set_fixed(row, &request->sides[i], request);
        status = STATUS_OK;
        if (!status)
            status = set_derived(row, &request->sides[i], request, diagnostic);
    }
    if (status)
        return status;
    add_notes(table);
    return STATUS_OK;
}

enum status report_add_sides(struct report *report, const struct report_request *request,
                             struct diagnostic *diagnostic)
{
    struct table *table = document_add_table(
        &report->document, "sides", request->shows_sides ? SECTION_IN_BOTH : SECTION_IN_JSON);

    make_columns(report, request);
    table_init(table, &report->sides_schema);
    return fill(table, request, diagnostic);
}

enum { W_LABEL, W_WALL, W_STEP, W_SINCE, W_SPEEDUP, W_STEP_RATIO, W_COLUMNS };

static const struct column chain_columns[] = {
    [W_LABEL] = {"label", "version", "of the side", UNIT_TEXT, 0},
    [W_WALL] = {"wall_ns", "wall", "median of its runs", UNIT_NS, 1},
    [W_STEP] = {"step", "against the one before", "in words", UNIT_TEXT, 1},
    [W_SINCE] = {"since_first", "against the first", "in words", UNIT_TEXT, 0},
    [W_SPEEDUP] = {"speedup", NULL, "the first by this", UNIT_RATIO, 9},
    [W_STEP_RATIO] = {"step_speedup", NULL, "the one before by this", UNIT_RATIO, 9},
};

const struct table_schema report_chain_schema = {"chain", "Step by step", chain_columns, W_COLUMNS,
                                                 NULL};

static void set_step(struct value *words, struct value *speedup, const struct run_side *base,
                     const struct run_side *side, const struct report_request *request)
{
    const struct figure *wall;
    struct compared compared;
    struct text line;

    compared_init(&compared, base, side, &request->figure);
    text_init(&line);
    wall = compared_whole(&compared, RUN_WALL);
    if (wall) {
        words_append_verdict(&line, wall);
        value_set_real(speedup, 1 / wall->ratio);
        value_set_text(words, line.bytes);
    }
    text_fini(&line);
    compared_fini(&compared);
}

void report_add_chain(struct table *table, const struct report_request *request)
{
    for (size_t i = 0; i < request->count; i++) {
        const struct run_side *side = &request->sides[i];
        struct value *row = table_add_row(table);

        value_set_text(&row[W_LABEL], side->label);
        cells_set_number(&row[W_WALL], RUN_WALL, side_whole(side, RUN_WALL));
        if (i == 0)
            continue;
        set_step(&row[W_STEP], &row[W_STEP_RATIO], side - 1, side, request);
        set_step(&row[W_SINCE], &row[W_SPEEDUP], &request->sides[0], side, request);
    }
}
