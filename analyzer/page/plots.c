/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Areas, lines and points as SVG, stretched to the width of the page.
 *
 * Words are HTML next to the drawing: inside it they would be stretched, too.
 *
 * Decision: doc/decisions/page-without-libraries.
 *
 * To read: https://www.w3.org/TR/SVG2/paths.html.
 */
#include "page/plots.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "page/texts.h"
#include "render/cell.h"

enum {
    PLOTS_SIDE = 1000, /* side of the drawing, in its own units, both ways */
    FEW_DECADES = 2,   /* a longer axis needs no labels between decades */
    PLOTS_LABELS = 4,  /* parts of a linear axis between labels */
    PLACES_MOST = 200, /* the most points of a series that show their figures */
    PLOTS_COLOURS = 6  /* .c0 ...  in page.css */
};

#define STEP_SLACK 1e-9 /* tolerance, so that 100 is not below 100 */

struct plots_axis {
    double from; /* exponents of ten where it is logarithmic */
    double to;
    bool is_logarithmic;
    enum unit unit;
};

struct plots_frame {
    struct plots_axis x;
    struct plots_axis y;
};

/* 1, 2 and 5 of a decade are labels that read well.
 * Returns: the exponent of the largest such number that is not above; for -x, that of the smallest
 * not below, as 1/5, 1/2 and 1 are such numbers, too. */
static double step_below(double exponent)
{
    const double steps[] = {log10(5), log10(2), 0};
    double decade = floor(exponent + STEP_SLACK);
    size_t i = 0;

    while (decade + steps[i] > exponent + STEP_SLACK)
        i++;
    return decade + steps[i];
}

static void stretch(struct plots_axis *axis, double number)
{
    double at = axis->is_logarithmic ? log10(number) : number;

    if (!isfinite(at))
        return;
    axis->from = fmin(axis->from, axis->is_logarithmic ? step_below(at) : at);
    axis->to = fmax(axis->to, axis->is_logarithmic ? -step_below(-at) : at);
}

static void stretch_by(struct plots_frame *frame, const struct array *points)
{
    const struct plot_point *point = points->items;

    for (size_t i = 0; i < points->count; i++) {
        stretch(&frame->x, point[i].x);
        stretch(&frame->y, point[i].y);
    }
}

static struct plots_frame find_frame(const struct plot *plot)
{
    const struct plot_series *series = plot->series.items;
    double from = plot->is_logarithmic ? (double)INFINITY : 0;
    double to = plot->is_logarithmic ? (double)-INFINITY : 0;
    struct plots_frame frame = {{from, fmax(to, plot->is_logarithmic ? to : plot->x_end),
                                 plot->is_logarithmic, plot->x_unit},
                                {from, to, plot->is_logarithmic, plot->y_unit}};

    stretch_by(&frame, &plot->area);
    stretch_by(&frame, &plot->path);
    for (size_t i = 0; i < plot->bars.count; i++) {
        const struct plot_bar *bar = array_at(&plot->bars, i);

        stretch(&frame.y, bar->y_low);
        stretch(&frame.y, bar->y_high);
    }
    for (size_t i = 0; i < plot->series.count; i++)
        if (plot_shows(plot, &series[i]))
            stretch_by(&frame, &series[i].points);
    return frame;
}

static bool is_empty(const struct plots_frame *frame)
{
    return !(frame->x.to > frame->x.from) || !(frame->y.to > frame->y.from);
}

/* Returns: from 0 to 1. */
static double part_of(const struct plots_axis *axis, double number)
{
    double at = axis->is_logarithmic ? log10(number) : number;

    return (at - axis->from) / (axis->to - axis->from);
}

static double x_of(const struct plots_frame *frame, double x)
{
    return PLOTS_SIDE * part_of(&frame->x, x);
}

static double y_of(const struct plots_frame *frame, double y)
{
    return PLOTS_SIDE * (1 - part_of(&frame->y, y));
}

/* Each point reaches up to the next one. */
static void put_area(struct html *html, const struct plot *plot, const struct plots_frame *frame)
{
    const struct plot_point *point = plot->area.items;

    if (plot->area.count == 0)
        return;
    html_putf(html, "<path class=\"area\" d=\"M%.1f %d", x_of(frame, point[0].x), PLOTS_SIDE);
    for (size_t i = 0; i < plot->area.count; i++)
        html_putf(html, "H%.1fV%.1f", x_of(frame, point[i].x), y_of(frame, point[i].y));
    html_putf(html, "H%dV%dZ\"/>\n", PLOTS_SIDE, PLOTS_SIDE);
}

/* Series of the same thing share a colour. */
static size_t colour_of(const struct plot *plot, size_t index)
{
    const struct plot_series *series = plot->series.items;
    size_t colour = 0;

    for (size_t i = 1; i <= index; i++)
        colour += !series[i].goes_on;
    return colour;
}

/* A point is a line without length, whose ends are round. */
static void put_series(struct html *html, const struct plot_series *series, size_t colour,
                       const struct plots_frame *frame)
{
    const struct plot_point *point = series->points.items;

    html_putf(html, "<path class=\"%s c%zu\" d=\"", series->is_line ? "curve" : "dots",
              colour % PLOTS_COLOURS);
    for (size_t i = 0; i < series->points.count; i++) {
        html_putf(html, "%s%.1f %.1f", i > 0 && series->is_line ? "L" : "M",
                  x_of(frame, point[i].x), y_of(frame, point[i].y));
        html_put(html, series->is_line ? "" : "h0");
    }
    html_put(html, "\"/>\n");
}

/* A band below a line that may be lower. */
static void put_band(struct html *html, const struct plot_series *series, size_t colour,
                     const struct plots_frame *frame)
{
    const struct plot_point *point = series->points.items;
    size_t count = series->points.count;

    if (series->spread <= 0)
        return;
    html_putf(html, "<path class=\"region c%zu\" d=\"M", colour % PLOTS_COLOURS);
    for (size_t i = 0; i < count; i++)
        html_putf(html, "%.1f %.1fL", x_of(frame, point[i].x), y_of(frame, point[i].y));
    for (size_t i = count; i > 0; i--)
        html_putf(html, "%.1f %.1f%s", x_of(frame, point[i - 1].x),
                  y_of(frame, point[i - 1].y * (1 - series->spread)), i > 1 ? "L" : "Z\"/>\n");
}

/* A bound that is not known is where the point is. */
static struct plot_region region_of(const struct plot_series *series)
{
    const struct plot_point *point = series->points.items;
    struct plot_region region = series->region;

    region.x_low = fmin(point->x, region.x_low);
    region.x_high = fmax(point->x, region.x_high);
    region.y_low = fmin(point->y, region.y_low);
    region.y_high = fmax(point->y, region.y_high);
    return region;
}

/* A region that is exact in one direction is a bar of a few units there. */
static void put_region(struct html *html, const struct plot_series *series,
                       const struct plots_frame *frame)
{
    const double least = 8;
    struct plot_region region = region_of(series);
    double left = x_of(frame, region.x_low), right = x_of(frame, region.x_high);
    double top = y_of(frame, region.y_high), bottom = y_of(frame, region.y_low);

    if (bottom - top < least) {
        top = (top + bottom - least) / 2;
        bottom = top + least;
    }
    left = fmax(left, 0);
    html_putf(html,
              "<rect class=\"region\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
              left, top, fmax(right - left, 2), bottom - top);
}

static void put_regions(struct html *html, const struct plot *plot,
                        const struct plots_frame *frame)
{
    const struct plot_series *series = plot->series.items;

    for (size_t i = 0; i < plot->series.count; i++)
        if (series[i].is_line)
            put_band(html, &series[i], colour_of(plot, i), frame);
        else if (plot_has_region(&series[i]) && series[i].points.count == 1)
            put_region(html, &series[i], frame);
}

/* Below the points. */
static void put_course(struct html *html, const struct plot *plot, const struct plots_frame *frame)
{
    const struct plot_point *point = plot->path.items;
    const struct plot_bar *bar = plot->bars.items;

    if (plot->path.count > 1)
        html_put(html, "<path class=\"course\" d=\"");
    for (size_t i = 0; i < plot->path.count && plot->path.count > 1; i++)
        html_putf(html, "%s%.1f %.1f", i > 0 ? "L" : "M", x_of(frame, point[i].x),
                  y_of(frame, point[i].y));
    if (plot->path.count > 1)
        html_put(html, "\"/>\n");
    if (plot->bars.count > 0)
        html_put(html, "<path class=\"ends\" d=\"");
    for (size_t i = 0; i < plot->bars.count; i++)
        html_putf(html, "M%.1f %.1fV%.1f", x_of(frame, bar[i].x), y_of(frame, bar[i].y_low),
                  y_of(frame, bar[i].y_high));
    if (plot->bars.count > 0)
        html_put(html, "\"/>\n");
}

static void put_shapes(struct html *html, const struct plot *plot, const struct plots_frame *frame)
{
    const struct plot_series *series = plot->series.items;

    html_putf(html,
              "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\n",
              PLOTS_SIDE, PLOTS_SIDE);
    put_area(html, plot, frame);
    put_regions(html, plot, frame);
    put_course(html, plot, frame);
    for (size_t i = 0; i < plot->series.count; i++)
        if (plot_shows(plot, &series[i]) && (series[i].label || series[i].is_line))
            put_series(html, &series[i], colour_of(plot, i), frame);
    html_put(html, "</svg>\n");
}

/* The figure of a point along an axis, with the bounds of its region. */
static void put_figure(struct html *html, const struct plots_axis *axis, double number,
                       const double bounds[2])
{
    char buffer[UNITS_SIZE];

    html_put(html, cell_format_number(buffer, number, axis->unit));
    if (!(bounds[0] < bounds[1]))
        return;
    html_putf(html, " (%s", cell_format_number(buffer, bounds[0], axis->unit));
    html_putf(html, " .. %s)", cell_format_number(buffer, bounds[1], axis->unit));
}

/* Letters are rows of a table.  Each shows its figures where the pointer rests. */
static void put_letter(struct html *html, const struct plots_frame *frame,
                       const struct plot_series *series, const struct plot_point *point)
{
    const struct plot_region *region = &series->region;

    html_putf(html, "<b style=\"left:%.1f%%;top:%.1f%%\" title=\"%c: ",
              x_of(frame, point->x) * 100 / PLOTS_SIDE, y_of(frame, point->y) * 100 / PLOTS_SIDE,
              series->mark);
    put_figure(html, &frame->x, point->x, (double[]){region->x_low, region->x_high});
    html_put(html, ", ");
    put_figure(html, &frame->y, point->y, (double[]){region->y_low, region->y_high});
    html_putf(html, "\">%c</b>\n", series->mark);
}

static const struct plot_bar *bar_at(const struct plot *plot, double x)
{
    const struct plot_bar *bar = plot->bars.items;

    for (size_t i = 0; i < plot->bars.count; i++)
        if (bar[i].x >= x && bar[i].x <= x)
            return &bar[i];
    return NULL;
}

/* A point that shows its figures where the pointer rests. */
static void put_place(struct html *html, const struct plot *plot, const struct plots_frame *frame,
                      const struct plot_series *series, const struct plot_point *point)
{
    const struct plot_bar *bar = bar_at(plot, point->x);
    double none[] = {0, 0}, bounds[] = {bar ? bar->y_low : 0, bar ? bar->y_high : 0};

    html_putf(html, "<b class=\"place\" style=\"left:%.1f%%;top:%.1f%%\" title=\"",
              x_of(frame, point->x) * 100 / PLOTS_SIDE, y_of(frame, point->y) * 100 / PLOTS_SIDE);
    html_text(html, series->label);
    html_put(html, ": ");
    put_figure(html, &frame->x, point->x, none);
    html_put(html, ", ");
    put_figure(html, &frame->y, point->y, bounds);
    html_put(html, "\"></b>\n");
}

static void put_places(struct html *html, const struct plot *plot,
                       const struct plots_frame *frame)
{
    const struct plot_series *series = plot->series.items;

    for (size_t i = 0; i < plot->series.count; i++)
        for (size_t j = 0; j < series[i].points.count && plot->is_logarithmic && series[i].label &&
                           !series[i].is_line && j < PLACES_MOST;
             j++)
            put_place(html, plot, frame, &series[i], array_at(&series[i].points, j));
}

static void put_letters(struct html *html, const struct plot *plot,
                        const struct plots_frame *frame)
{
    const struct plot_series *series = plot->series.items;

    for (size_t i = 0; i < plot->series.count; i++)
        for (size_t j = 0; j < series[i].points.count && !series[i].label && !series[i].is_line;
             j++)
            put_letter(html, frame, &series[i], array_at(&series[i].points, j));
}

static void put_label(struct html *html, const struct plots_axis *axis, bool is_x, double part)
{
    char label[UNITS_SIZE];
    double at = axis->from + part * (axis->to - axis->from);
    double number = axis->is_logarithmic ? pow(10, at) : at;
    double place = 100 * (is_x ? part : 1 - part);

    cell_format_number(label, number, axis->unit);
    html_putf(html, "<i class=\"%c%s\" style=\"%s:%.1f%%\">%s</i>\n", is_x ? 'x' : 'y',
              part > 0.99   ? " last"
              : part < 0.01 ? " first"
                            : "",
              is_x ? "left" : "top", place, number == 0 ? "0" : label);
}

/* If there are few decades, 2 and 5 of each have labels, too. */
static void put_decades(struct html *html, const struct plots_axis *axis, bool is_x)
{
    static const double parts[] = {1, 2, 5};
    double size = axis->to - axis->from;
    size_t count = size < FEW_DECADES ? 3 : 1;

    for (double decade = floor(axis->from); decade <= axis->to; decade++)
        for (size_t i = 0; i < count; i++) {
            double part = (decade + log10(parts[i]) - axis->from) / size;

            if (part > -STEP_SLACK && part < 1 + STEP_SLACK)
                put_label(html, axis, is_x, part);
        }
}

/* Decades, or equal parts. */
static void put_labels(struct html *html, const struct plots_axis *axis, bool is_x)
{
    if (axis->is_logarithmic)
        put_decades(html, axis, is_x);
    else
        for (int i = 0; i <= PLOTS_LABELS; i++)
            put_label(html, axis, is_x, (double)i / PLOTS_LABELS);
}

static void put_key(struct html *html, const char *label, const char *shape, size_t colour)
{
    html_putf(html, "<span><i class=\"%s c%zu\"></i>", shape, colour % PLOTS_COLOURS);
    html_text(html, label);
    html_put(html, "</span>\n");
}

static void put_above(struct html *html, const struct plot *plot, const struct plot_series *series)
{
    char highest[UNITS_SIZE];

    html_put(html, "<span>");
    html_text(html, series->label);
    html_putf(html, ": up to %s, above this plot</span>\n",
              cell_format_number(highest, plot_highest(&series->points), plot->y_unit));
}

static bool has_regions(const struct plot *plot)
{
    const struct plot_series *series = plot->series.items;

    for (size_t i = 0; i < plot->series.count; i++)
        if (series[i].spread > 0 || plot_has_region(&series[i]))
            return true;
    return false;
}

static void put_legend(struct html *html, const struct plot *plot)
{
    const struct plot_series *series = plot->series.items;

    html_put(html, "<figcaption>");
    if (plot->label)
        put_key(html, plot->label, plot->is_logarithmic ? "none" : "area", 0);
    for (size_t i = 0; i < plot->series.count; i++)
        if (series[i].label && series[i].points.count > 0) {
            if (plot_shows(plot, &series[i]))
                put_key(html, series[i].label, series[i].is_line ? "curve" : "dots",
                        colour_of(plot, i));
            else
                put_above(html, plot, &series[i]);
        }
    if (plot->bars.count > 0)
        html_put(html, "<span><i class=\"ends\"></i>interval of the median</span>\n");
    if (has_regions(plot)) {
        html_put(html, "<span><i class=\"region\"></i>");
        html_text(html, page_regions_text.words);
        html_put(html, "</span>\n");
    }
    html_put(html, "</figcaption>");
}

void plots_put(struct html *html, const struct plot *plot)
{
    struct plots_frame frame = find_frame(plot);

    if (is_empty(&frame)) {
        html_put(html, "<p class=\"note\">(nothing to draw)</p>\n");
        return;
    }
    html_putf(html, "<figure class=\"plot%s\"><div>\n", plot->is_low ? " low" : "");
    put_shapes(html, plot, &frame);
    put_letters(html, plot, &frame);
    put_places(html, plot, &frame);
    put_labels(html, &frame.x, true);
    put_labels(html, &frame.y, false);
    html_put(html, "</div>");
    put_legend(html, plot);
    html_put(html, "</figure>\n");
}
