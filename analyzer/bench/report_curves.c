/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curves of how parts grow, time by size.  Both axes are logarithmic, so a power is a line;
 * programs also show their measured points.
 */
#include <math.h>

#include "bench/report_parts.h"

enum { CURVES = 5 };

static const char marks[CURVES] = {'o', '+', '*', 'x', '#'};

/* A share of the whole time: smaller parts get no curve. */
static const double least_share = 0.01;

static bool is_drawn(const struct scaling_item *item)
{
    const struct scaling_size *size = item->sizes.items;
    size_t known = 0;

    if (item->subject != RUN_WHOLE && !(item->share >= least_share))
        return false;

    for (size_t i = 0; i < item->sizes.count; i++)
        known += size[i].x > 0 && size[i].time_ns > 0;
    return known > 1;
}

static const char *keep_name(struct plot *plot, const struct scaling_item *item)
{
    if (item->subject == RUN_WHOLE)
        return "whole";
    return plot_keep(plot, "%.80s", item->name);
}

static void add_points(struct plot *plot, const struct scaling_item *item, char mark)
{
    const char *label = keep_name(plot, item);
    struct plot_series *series = label ? plot_add_series(plot, label, mark) : NULL;

    if (series)
        series->goes_on = item->time.refusal == FIT_OK;
    for (size_t i = 0; i < item->sizes.count; i++) {
        const struct scaling_size *size = array_at(&item->sizes, i);

        if (size->x > 0 && size->time_ns > 0)
            plot_add_point(&series->points, size->x, size->time_ns);
    }
}

/* The power that its time follows, from the smallest size to the largest. */
static void add_power(struct plot *plot, const struct scaling_item *item)
{
    const struct scaling_size *first = array_at(&item->sizes, 0);
    const struct scaling_size *last = array_at(&item->sizes, item->sizes.count - 1);
    const struct fit_power *power = &item->time.power;
    struct plot_series *series;

    if (item->time.refusal != FIT_OK)
        return;
    series = plot_add_series(plot, NULL, '.');
    series->is_line = true;
    plot_add_point(&series->points, first->x, power->coefficient * pow(first->x, power->exponent));
    plot_add_point(&series->points, last->x, power->coefficient * pow(last->x, power->exponent));
}

static void add_curves(struct plot *plot, const struct scaling *scaling)
{
    size_t drawn = 0;

    for (size_t i = 0; i < scaling->items.count && drawn < CURVES; i++) {
        const struct scaling_item *item = array_at(&scaling->items, i);

        if (!is_drawn(item))
            continue;
        add_power(plot, item);
        add_points(plot, item, marks[drawn++]);
    }
}

static bool has_curves(const struct scaling *scaling)
{
    for (size_t i = 0; i < scaling->items.count; i++)
        if (is_drawn(array_at(&scaling->items, i)))
            return true;
    return false;
}

void report_add_curves(struct document *document, const struct scaling *scaling, const char *x)
{
    struct plot *plot;

    if (!has_curves(scaling))
        return;
    plot = document_add_plot(document, "Time by size");
    plot->is_logarithmic = true;
    plot->label = plot_keep(plot, "%.60s, by time; lines are the powers that fit", x);
    plot->x_unit = UNIT_REAL;
    plot->y_unit = UNIT_NS;
    add_curves(plot, scaling);
}

enum measured_column { OF_KIND, OF_NAME, OF_SIZE, OF_TIME, OF_KERNELS, OF_FLOPS, OF_COMMAND };

static const struct column measured_columns[] = {
    [OF_KIND] = {"kind", NULL, "as in scaling", UNIT_TEXT, 0},
    [OF_NAME] = {"name", NULL, "as in scaling", UNIT_TEXT, 0},
    [OF_SIZE] = {"size", NULL, "at which it ran", UNIT_REAL, 0},
    [OF_TIME] = {"time_ns", NULL, "there, the median of the runs", UNIT_NS, 0},
    [OF_KERNELS] = {"kernels_ns", NULL, "its time in kernels, the same", UNIT_NS, 0},
    [OF_FLOPS] = {"flops", NULL, "of a run", UNIT_FLOPS, 0},
    [OF_COMMAND] = {"command", NULL, "label of the command", UNIT_TEXT, 0},
};

static const struct table_schema measured_schema = {
    "scaling_points", NULL, measured_columns, sizeof measured_columns / sizeof *measured_columns,
    NULL};

static void add_measured(struct table *table, const struct scaling *scaling,
                         const struct scaling_item *item, const struct scaling_size *size)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[OF_KIND], run_subject_name(item->subject));
    if (item->name[0])
        value_set_text(&row[OF_NAME], item->name);
    if (scaling->label)
        value_set_text(&row[OF_COMMAND], scaling->label);
    value_set_real(&row[OF_SIZE], size->x);
    value_set_real(&row[OF_TIME], size->time_ns);
    value_set_real(&row[OF_KERNELS], size->kernel_ns);
    value_set_real(&row[OF_FLOPS], size->flops);
}

static void add_measured_of(struct table *table, const struct scaling *scaling)
{
    for (size_t i = 0; i < scaling->items.count; i++) {
        const struct scaling_item *item = array_at(&scaling->items, i);

        for (size_t j = 0; j < item->sizes.count; j++)
            add_measured(table, scaling, item, array_at(&item->sizes, j));
    }
}

void report_add_measured(struct document *document, const struct array *scalings)
{
    struct table *table =
        document_start_table(document, "scaling_points", SECTION_IN_JSON, &measured_schema);

    for (size_t i = 0; i < scalings->count; i++)
        add_measured_of(table, array_at(scalings, i));
}
