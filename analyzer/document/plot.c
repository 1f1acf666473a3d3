/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A course over time, for people.
 *
 * Filled by analyses, drawn by render/plot.c.
 */
#include "document/plot.h"

#include <math.h>
#include <stdarg.h>

static const double marks_limit = 4;

void plot_init(struct plot *plot)
{
    *plot = (struct plot){.x_unit = UNIT_NS, .y_unit = UNIT_BYTES};
    array_init_owned(&plot->area, sizeof(struct plot_point));
    array_init_owned(&plot->path, sizeof(struct plot_point));
    array_init_owned(&plot->bars, sizeof(struct plot_bar));
    array_init_owned(&plot->series, sizeof(struct plot_series));
    text_list_init_owned(&plot->texts);
}

void plot_fini(struct plot *plot)
{
    struct plot_series *series = plot->series.items;

    for (size_t i = 0; i < plot->series.count; i++)
        array_fini(&series[i].points);
    array_fini(&plot->series);
    array_fini(&plot->area);
    array_fini(&plot->path);
    array_fini(&plot->bars);
    text_list_fini(&plot->texts);
}

void plot_add_point(struct array *points, double x, double y)
{
    struct plot_point *point = array_add(points);

    *point = (struct plot_point){x, y};
}

void plot_add_bar(struct plot *plot, double x, double low, double high)
{
    bool is_known = isfinite(low) && isfinite(high);
    struct plot_bar *bar = is_known ? array_add(&plot->bars) : NULL;

    if (bar)
        *bar = (struct plot_bar){x, low, high};
}

struct plot_series *plot_add_series(struct plot *plot, const char *label, char mark)
{
    struct plot_series *series = array_add(&plot->series);

    *series = (struct plot_series){.label = label, .mark = mark};
    array_init_owned(&series->points, sizeof(struct plot_point));
    return series;
}

const char *plot_keep(struct plot *plot, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_list_add_formatted(&plot->texts, format, arguments);
    va_end(arguments);
    return text_list_at(&plot->texts, text_list_count(&plot->texts) - 1);
}

bool plot_has_region(const struct plot_series *series)
{
    const struct plot_region *region = &series->region;

    return region->x_high > region->x_low || region->y_high > region->y_low;
}

double plot_highest(const struct array *points)
{
    const struct plot_point *point = points->items;
    double highest = 0;

    for (size_t i = 0; i < points->count; i++)
        highest = fmax(highest, point[i].y);
    return highest;
}

bool plot_shows(const struct plot *plot, const struct plot_series *series)
{
    return plot->is_logarithmic || plot->area.count == 0 ||
           plot_highest(&series->points) <= marks_limit * plot_highest(&plot->area);
}
