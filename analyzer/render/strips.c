/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strips drawn with characters.  A column shows the mean of a series over its stretch of time, in
 * eighths of a block if Unicode blocks are available; each point is valid up to the next one.
 */
#include "render/strips.h"

#include <math.h>

#include "base/units.h"
#include "render/cell.h"
#include "render/display.h"

enum {
    WIDTH = 80,         /* width of the strips if the page has none */
    MOST_COLUMNS = 120, /* a wider strip shows no more */
    LEAST_COLUMNS = 16,
    LABEL_MOST = 24,
    NOTE_MOST = 16,
    TICK_COLUMNS = 16,
    EIGHTHS = 8
};

struct strips {
    const struct plot *plot;
    const struct render_options *options;
    size_t label; /* columns of the widest label */
    size_t columns;
};

static size_t widest(const struct plot *plot, bool is_note, size_t most)
{
    const struct plot_series *series = plot->series.items;
    size_t width = 0;

    for (size_t i = 0; i < plot->series.count; i++) {
        const char *text = is_note ? series[i].note : series[i].label;
        size_t columns = text ? display_width(text) : 0;

        width = columns > width ? columns : width;
    }
    return width < most ? width : most;
}

static struct strips measure(const struct plot *plot, const struct render_options *options)
{
    struct strips strips = {plot, options, widest(plot, false, LABEL_MOST), LEAST_COLUMNS};
    size_t width = options->width ? options->width : WIDTH;
    size_t taken = strips.label + widest(plot, true, NOTE_MOST) + 4;

    if (width > taken + LEAST_COLUMNS)
        strips.columns = width - taken;
    if (strips.columns > MOST_COLUMNS)
        strips.columns = MOST_COLUMNS;
    return strips;
}

/* Returns: the mean of a series over a column; NAN before the series starts. */
static double find_mean(const struct strips *strips, const struct plot_series *series,
                        size_t column)
{
    const struct plot_point *point = series->points.items;
    double width = strips->plot->x_end / (double)strips->columns;
    double from = width * (double)column, to = from + width, sum = 0, whole = 0;

    for (size_t i = 0; i < series->points.count && point[i].x < to; i++) {
        double end = i + 1 < series->points.count ? point[i + 1].x : strips->plot->x_end;
        double length = fmin(end, to) - fmax(point[i].x, from);

        if (!(length > 0))
            continue;
        sum += point[i].y * length;
        whole += length;
    }
    return whole > 0 ? sum / whole : (double)NAN;
}

static double find_top(const struct plot_series *series)
{
    double top = series->top > 0 ? series->top : plot_highest(&series->points);

    return top > 0 ? top : 1;
}

/* A nonzero value is visible, however small. */
static void append_block(struct text *out, const struct strips *strips, double height)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char marks[] = " .:-=+*#@";
    long eighths = isnan(height) ? 0 : lround(height * EIGHTHS);

    if (height > 0 && eighths < 1)
        eighths = 1;
    eighths = eighths < 0 ? 0 : eighths > EIGHTHS ? EIGHTHS : eighths;
    if (strips->options->unicode)
        text_append(out, blocks[eighths]);
    else
        text_append_bytes(out, &marks[eighths], 1);
}

static void append_strip(struct text *out, const struct strips *strips,
                         const struct plot_series *series)
{
    const char *edge = strips->options->unicode ? "│" : "|";
    size_t width = display_width(series->label);
    double top = find_top(series);

    text_append(out, " ");
    display_append_shortened(out, series->label, strips->label, strips->options->unicode);
    display_append_spaces(out, width < strips->label ? strips->label - width : 0);
    text_append(out, edge);
    for (size_t column = 0; column < strips->columns; column++)
        append_block(out, strips, find_mean(strips, series, column) / top);
    text_append(out, edge);
    if (series->note)
        text_appendf(out, " %s", series->note);
    text_append(out, "\n");
}

static void append_times(struct text *out, const struct strips *strips)
{
    display_append_spaces(out, strips->label + 2);
    for (size_t column = 0; column + TICK_COLUMNS / 2 < strips->columns; column += TICK_COLUMNS) {
        double x = strips->plot->x_end * (double)column / (double)strips->columns;
        bool is_last = column + TICK_COLUMNS + TICK_COLUMNS / 2 >= strips->columns;
        char label[UNITS_SIZE];

        cell_format_number(label, x, strips->plot->x_unit);
        text_appendf(out, is_last ? "%s" : "%-16s", label);
    }
    text_append(out, "\n");
}

void strips_append(struct text *out, const struct plot *plot, const struct render_options *options)
{
    const struct plot_series *series = plot->series.items;
    const struct strips strips = measure(plot, options);

    if (plot->series.count == 0) {
        text_append(out, "  (nothing to draw)\n");
        return;
    }
    for (size_t i = 0; i < plot->series.count; i++)
        append_strip(out, &strips, &series[i]);
    append_times(out, &strips);
}
