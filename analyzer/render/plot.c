/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot in characters.
 *
 * Called by the renderers for people.  One column of characters is a stretch of time.  The area
 * shows the highest value in it, so that no peak is lost, in eighths of a character if Unicode
 * blocks are available.
 */
#include "render/plot.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "render/cell.h"
#include "render/display.h"
#include "render/scatter.h"
#include "render/strips.h"

enum {
    PLOT_WIDTH = 80,        /* width of the plot if the page has none */
    PLOT_MAX_COLUMNS = 200, /* a wider plot shows no more */
    PLOT_MIN_COLUMNS = 16,
    PLOT_LABEL = 9, /* "1023 KiB", and a blank */
    PLOT_ROWS = 12,
    PLOT_LOW_ROWS = 4,
    PLOT_TICK_ROWS = 4,     /* rows between two labels of the vertical axis */
    PLOT_TICK_COLUMNS = 16, /* columns between two labels of the horizontal one */
    EIGHTHS = 8
};

struct plot_grid {
    const struct plot *plot;
    const struct render_options *options;
    size_t columns;
    size_t rows;
    double top;                              /* value at the upper edge */
    double heights[PLOT_MAX_COLUMNS];        /* heights of the area */
    char marks[PLOT_ROWS][PLOT_MAX_COLUMNS]; /* 0 where there is none */
};

static double find_top(const struct plot *plot)
{
    const struct plot_series *series = plot->series.items;
    double top = plot_highest(&plot->area);

    for (size_t i = 0; i < plot->series.count; i++)
        if (plot_shows(plot, &series[i]))
            top = fmax(top, plot_highest(&series[i].points));
    return top > 0 ? top : 1;
}

static size_t find_column(const struct plot_grid *grid, double x)
{
    double column = grid->plot->x_end > 0 ? x / grid->plot->x_end * (double)grid->columns : 0;

    if (!(column > 0))
        return 0;
    return column < (double)grid->columns ? (size_t)column : grid->columns - 1;
}

/* A point counts in every column that its stretch touches. */
static void fill_area(struct plot_grid *grid)
{
    const struct plot_point *point = grid->plot->area.items;
    size_t count = grid->plot->area.count;

    for (size_t i = 0; i < count; i++) {
        size_t last = i + 1 < count ? find_column(grid, point[i + 1].x) : grid->columns - 1;
        size_t column = find_column(grid, point[i].x);

        /* The next item's first column belongs to it, unless both share the column. */
        if (i + 1 < count && last > column)
            last--;
        for (; column <= last; column++)
            grid->heights[column] = fmax(grid->heights[column], point[i].y);
    }
}

static size_t find_row(const struct plot_grid *grid, double y)
{
    double row = y / grid->top * (double)grid->rows;

    if (!(row > 0))
        return 0;
    return row < (double)grid->rows ? (size_t)row : grid->rows - 1;
}

static void fill_marks(struct plot_grid *grid)
{
    const struct plot_series *series = grid->plot->series.items;

    for (size_t i = 0; i < grid->plot->series.count; i++) {
        const struct plot_point *point = series[i].points.items;

        for (size_t j = 0; j < series[i].points.count && plot_shows(grid->plot, &series[i]); j++)
            grid->marks[find_row(grid, point[j].y)][find_column(grid, point[j].x)] = series[i].mark;
    }
}

static void grid_init(struct plot_grid *grid, const struct plot *plot,
                      const struct render_options *options)
{
    size_t width = options->width ? options->width : PLOT_WIDTH;
    size_t columns = width > PLOT_LABEL + 2 ? width - PLOT_LABEL - 2 : 0;

    memset(grid, 0, sizeof *grid);
    grid->plot = plot;
    grid->options = options;
    grid->columns = columns < PLOT_MIN_COLUMNS   ? PLOT_MIN_COLUMNS
                    : columns > PLOT_MAX_COLUMNS ? PLOT_MAX_COLUMNS
                                                 : columns;
    grid->rows = plot->is_low ? PLOT_LOW_ROWS : PLOT_ROWS;
    grid->top = find_top(plot);
    fill_area(grid);
    fill_marks(grid);
}

static void append_label(struct text *out, const struct plot_grid *grid, size_t row)
{
    char label[UNITS_SIZE] = "";

    /* The label belongs to the upper edge of its row. */
    if ((grid->rows - 1 - row) % PLOT_TICK_ROWS == 0)
        cell_format_number(label, grid->top * (double)(row + 1) / (double)grid->rows,
                           grid->plot->y_unit);
    text_appendf(out, "%*s ", PLOT_LABEL - 1, label);
    if (grid->options->unicode)
        text_append(out, label[0] ? "┤" : "│");
    else
        text_append(out, label[0] ? "+" : "|");
}

/* A nonzero value is visible, however small. */
static void append_block(struct text *out, const struct plot_grid *grid, size_t row, size_t column)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double height = grid->heights[column] / grid->top * (double)grid->rows - (double)row;
    long eighths = lround(height * EIGHTHS);

    if (row == 0 && grid->heights[column] > 0 && eighths < 1)
        eighths = 1;
    eighths = eighths < 0 ? 0 : eighths > EIGHTHS ? EIGHTHS : eighths;
    if (grid->options->unicode)
        text_append(out, blocks[eighths]);
    else
        text_append(out, eighths > EIGHTHS / 2 ? "#" : eighths > 0 ? "." : " ");
}

static void append_row(struct text *out, const struct plot_grid *grid, size_t row)
{
    append_label(out, grid, row);
    for (size_t column = 0; column < grid->columns; column++) {
        char mark[2] = {grid->marks[row][column], '\0'};

        if (mark[0])
            text_append(out, mark);
        else
            append_block(out, grid, row, column);
    }
    text_append(out, "\n");
}

static void append_axis(struct text *out, const struct plot_grid *grid)
{
    bool unicode = grid->options->unicode;

    text_appendf(out, "%*s %s", PLOT_LABEL - 1, "0", unicode ? "└" : "+");
    for (size_t column = 0; column < grid->columns; column++) {
        bool is_tick = column % PLOT_TICK_COLUMNS == 0;

        if (unicode)
            text_append(out, is_tick ? "┬" : "─");
        else
            text_append(out, is_tick ? "+" : "-");
    }
    text_append(out, "\n");
}

static void append_times(struct text *out, const struct plot_grid *grid)
{
    text_appendf(out, "%*s", PLOT_LABEL + 1, "");
    for (size_t column = 0; column + PLOT_TICK_COLUMNS / 2 < grid->columns;
         column += PLOT_TICK_COLUMNS) {
        char label[UNITS_SIZE];
        double x = grid->plot->x_end * (double)column / (double)grid->columns;

        cell_format_number(label, x, grid->plot->x_unit);
        if (column + PLOT_TICK_COLUMNS + PLOT_TICK_COLUMNS / 2 < grid->columns)
            text_appendf(out, "%-*s", PLOT_TICK_COLUMNS, label);
        else
            text_append(out, label);
    }
    text_append(out, "\n");
}

static void append_above(struct text *out, const struct plot *plot,
                         const struct plot_series *series, struct display_margins margins)
{
    char highest[UNITS_SIZE];
    struct text words;

    text_init(&words);
    text_appendf(&words, "%s: up to %s, above this plot", series->label,
                 cell_format_number(highest, plot_highest(&series->points), plot->y_unit));
    display_append_key(out, NULL, words.bytes, margins);
    text_fini(&words);
}

/* Words name a series that is not drawn. */
static void append_legend(struct text *out, const struct plot_grid *grid)
{
    const struct display_margins margins = {.start = PLOT_LABEL + 1, .width = grid->options->width};
    const struct plot_series *series = grid->plot->series.items;

    display_append_key(out, grid->options->unicode ? "█" : "#", grid->plot->label, margins);
    for (size_t i = 0; i < grid->plot->series.count; i++) {
        if (series[i].points.count == 0)
            continue;
        if (plot_shows(grid->plot, &series[i]))
            display_append_key(out, (char[]){series[i].mark, '\0'}, series[i].label, margins);
        else
            append_above(out, grid->plot, &series[i], margins);
    }
}

void plot_append(struct text *out, const struct plot *plot, const struct render_options *options)
{
    struct plot_grid grid;

    if (plot->is_logarithmic) {
        scatter_append(out, plot, options);
        return;
    }
    if (plot->is_strips) {
        strips_append(out, plot, options);
        return;
    }
    if (plot->area.count == 0) {
        text_append(out, "  (nothing to draw)\n");
        return;
    }
    grid_init(&grid, plot, options);
    for (size_t row = grid.rows; row > 0; row--)
        append_row(out, &grid, row - 1);
    append_axis(out, &grid);
    append_times(out, &grid);
    if (plot->label)
        append_legend(out, &grid);
}
