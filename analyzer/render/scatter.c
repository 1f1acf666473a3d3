/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot on logarithmic axes.
 *
 * Called by plot.c.  The axes reach from the half decade below the smallest to that
 * above the largest number of the points and of the bends of the lines.
 */
#include "render/scatter.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "render/cell.h"
#include "render/display.h"

enum {
    SCATTER_WIDTH = 80, /* width of the plot if the page has none */
    SCATTER_MAX_COLUMNS = 120,
    SCATTER_MIN_COLUMNS = 16,
    SCATTER_LABEL = 13, /* "100 GFLOP/s", and a blank */
    SCATTER_MARGIN = 1, /* columns behind the grid, into which a label may extend */
    SCATTER_ROWS = 18
};

/* Decades of an axis. */
struct scatter_axis {
    double from; /* exponents of ten */
    double to;
    size_t cells;
};

struct scatter_grid {
    const struct plot *plot;
    const struct render_options *options;
    struct scatter_axis x;
    struct scatter_axis y;
    char marks[SCATTER_ROWS][SCATTER_MAX_COLUMNS]; /* 0 where there is none */
};

static void stretch(struct scatter_axis *axis, double number)
{
    double exponent = log10(number);

    if (!isfinite(exponent))
        return;
    axis->from = fmin(axis->from, floor(2 * exponent) / 2);
    axis->to = fmax(axis->to, ceil(2 * exponent) / 2);
}

/* At least one decade, so that the axis shows a decade's label. */
static void widen(struct scatter_axis *axis)
{
    if (axis->to - axis->from < 1)
        axis->to = axis->from + 1;
}

static bool find_axes(struct scatter_grid *grid)
{
    const struct plot_series *series = grid->plot->series.items;

    grid->x.from = grid->y.from = (double)INFINITY;
    grid->x.to = grid->y.to = (double)-INFINITY;
    for (size_t i = 0; i < grid->plot->series.count; i++) {
        const struct plot_point *point = series[i].points.items;

        for (size_t j = 0; j < series[i].points.count; j++) {
            stretch(&grid->x, point[j].x);
            stretch(&grid->y, point[j].y);
        }
    }
    widen(&grid->x);
    widen(&grid->y);
    return isfinite(grid->x.from) && isfinite(grid->y.from);
}

/* Returns: the cell of a number on an axis; may be outside of the axis. */
static double place(const struct scatter_axis *axis, double number)
{
    return (log10(number) - axis->from) / (axis->to - axis->from) * (double)(axis->cells - 1);
}

static void set(struct scatter_grid *grid, double column, double row, char mark)
{
    double x = round(column), y = round(row);

    if (x >= 0 && x < (double)grid->x.cells && y >= 0 && y < (double)grid->y.cells)
        grid->marks[(size_t)y][(size_t)x] = mark;
}

/* As many marks as the longer side of the line has cells. */
static void draw_line(struct scatter_grid *grid, const struct plot_point *from,
                      const struct plot_point *to, char mark)
{
    double x = place(&grid->x, from->x), y = place(&grid->y, from->y);
    double dx = place(&grid->x, to->x) - x, dy = place(&grid->y, to->y) - y;
    double steps = fmax(1, fmax(fabs(round(dx)), fabs(round(dy))));

    if (!isfinite(steps))
        return;
    for (double i = 0; i <= steps; i++)
        set(grid, x + dx * i / steps, y + dy * i / steps, mark);
}

static void draw_series(struct scatter_grid *grid, const struct plot_series *series)
{
    const struct plot_point *point = series->points.items;

    for (size_t i = 0; i < series->points.count; i++)
        if (!series->is_line)
            set(grid, place(&grid->x, point[i].x), place(&grid->y, point[i].y), series->mark);
        else if (i > 0)
            draw_line(grid, &point[i - 1], &point[i], series->mark);
}

static void grid_init(struct scatter_grid *grid, const struct plot *plot,
                      const struct render_options *options)
{
    size_t width = options->width ? options->width : SCATTER_WIDTH;
    size_t columns =
        width > SCATTER_LABEL + 1 + SCATTER_MARGIN ? width - SCATTER_LABEL - 1 - SCATTER_MARGIN : 0;

    memset(grid, 0, sizeof *grid);
    grid->plot = plot;
    grid->options = options;
    grid->y.cells = SCATTER_ROWS;
    grid->x.cells = columns < SCATTER_MIN_COLUMNS   ? SCATTER_MIN_COLUMNS
                    : columns > SCATTER_MAX_COLUMNS ? SCATTER_MAX_COLUMNS
                                                    : columns;
}

/* The decade whose row this is, if one is. */
static bool is_decade(const struct scatter_axis *axis, size_t cell, double *number)
{
    for (double exponent = ceil(axis->from); exponent <= axis->to; exponent++) {
        *number = pow(10, exponent);
        if (round(place(axis, *number)) == (double)cell)
            return true;
    }
    return false;
}

static void append_row(struct text *out, const struct scatter_grid *grid, size_t row)
{
    char label[UNITS_SIZE] = "";
    bool unicode = grid->options->unicode;
    size_t end = grid->x.cells;
    double number;

    if (is_decade(&grid->y, row, &number))
        cell_format_number(label, number, grid->plot->y_unit);
    text_appendf(out, "%*s ", SCATTER_LABEL - 1, label);
    if (unicode)
        text_append(out, label[0] ? "┤" : "│");
    else
        text_append(out, label[0] ? "+" : "|");
    while (end > 0 && grid->marks[row][end - 1] == 0)
        end--;
    for (size_t i = 0; i < end; i++)
        text_appendf(out, "%c", grid->marks[row][i] ? grid->marks[row][i] : ' ');
    text_append(out, "\n");
}

static void append_axis(struct text *out, const struct scatter_grid *grid)
{
    bool unicode = grid->options->unicode;
    double number;

    text_appendf(out, "%*s %s", SCATTER_LABEL - 1, "", unicode ? "└" : "+");
    for (size_t i = 0; i < grid->x.cells; i++) {
        bool is_tick = is_decade(&grid->x, i, &number);

        if (unicode)
            text_append(out, is_tick ? "┬" : "─");
        else
            text_append(out, is_tick ? "+" : "-");
    }
    text_append(out, "\n");
}

/* Returns: the column where a label starts: under its tick, or further left so that it fits. */
static size_t label_start(const struct scatter_grid *grid, size_t tick, size_t length)
{
    size_t end = grid->x.cells + SCATTER_MARGIN;

    return tick + length > end && length <= end ? end - length : tick;
}

/* A label is left out where the one before has not ended. */
static void append_decades(struct text *out, const struct scatter_grid *grid)
{
    size_t used = 0;

    text_appendf(out, "%*s", SCATTER_LABEL + 1, "");
    for (size_t i = 0; i < grid->x.cells; i++) {
        char label[UNITS_SIZE];
        double number;

        if (!is_decade(&grid->x, i, &number))
            continue;
        cell_format_number(label, number, grid->plot->x_unit);
        size_t start = label_start(grid, i, strlen(label));
        if (used > 0 && start <= used)
            continue;
        text_appendf(out, "%*s%s", (int)(start - used), "", label);
        used = start + strlen(label);
    }
    text_append(out, "\n");
}

static void append_legend(struct text *out, const struct plot *plot,
                          const struct render_options *options)
{
    const struct display_margins margins = {.start = SCATTER_LABEL + 1, .width = options->width};
    const struct plot_series *series = plot->series.items;

    if (plot->label)
        display_append_key(out, NULL, plot->label, margins);
    for (size_t i = 0; i < plot->series.count; i++)
        if (series[i].label)
            display_append_key(out, (char[]){series[i].mark, '\0'}, series[i].label, margins);
}

void scatter_append(struct text *out, const struct plot *plot, const struct render_options *options)
{
    struct scatter_grid grid;
    const struct plot_series *series = plot->series.items;

    grid_init(&grid, plot, options);
    if (!find_axes(&grid)) {
        text_append(out, "  (nothing to draw)\n");
        return;
    }
    for (size_t i = 0; i < plot->series.count; i++)
        draw_series(&grid, &series[i]);
    for (size_t row = SCATTER_ROWS; row > 0; row--)
        append_row(out, &grid, row - 1);
    append_axis(out, &grid);
    append_decades(out, &grid);
    append_legend(out, plot, options);
}
