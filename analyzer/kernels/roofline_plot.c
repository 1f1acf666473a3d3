/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The drawing of a roofline: a slope for the bandwidth of each level, a flat roof
 * for the peak of each precision that the rows have.
 */
#include <math.h>

#include "base/units.h"
#include "kernels/roofline_parts.h"

/* Intensities that the drawing shows at least. */
static const double least_intensity = 0.1, most_intensity = 100;

struct span {
    double low;
    double high;
};

static bool is_drawn(const struct roofline_row *row)
{
    return row->label != 0;
}

static struct span find_span(const struct roofline *roofline)
{
    struct span span = {least_intensity, most_intensity};

    for (size_t i = 0; i < roofline->rows.count; i++) {
        const struct roofline_row *row = array_at(&roofline->rows, i);

        if (!is_drawn(row))
            continue;
        span.low = fmin(span.low, row->judgement.intensity);
        span.high = fmax(span.high, row->judgement.intensity);
    }
    return span;
}

static void add_line(struct plot_series *series, struct plot_point from, struct plot_point to,
                     double spread)
{
    if (!series)
        return;
    series->is_line = true;
    series->spread = spread > 0 && spread < 1 ? spread : 0;
    plot_add_point(&series->points, from.x, from.y);
    plot_add_point(&series->points, to.x, to.y);
}

static bool is_used(const struct roofline *roofline, enum machine_precision precision)
{
    for (size_t i = 0; i < roofline->rows.count; i++) {
        const struct roofline_row *row = array_at(&roofline->rows, i);

        if (is_drawn(row) && row->judgement.precision == precision)
            return true;
    }
    return false;
}

/* The highest drawn peak, where all slopes end. */
static double highest_peak(const struct roofline *roofline)
{
    const struct judge *judge = &roofline->judge;
    double highest = (double)NAN;

    for (int i = 0; i <= MACHINE_PRECISIONS; i++)
        if (is_used(roofline, (enum machine_precision)i))
            highest = fmax(highest,
                           judge_peak(judge->machine, (enum machine_precision)i, judge->threads));
    return isnan(highest) ? judge_peak(judge->machine, MACHINE_PRECISIONS, judge->threads)
                          : highest;
}

static void add_slope(struct plot *plot, const struct roofline *roofline, enum machine_level level,
                      struct span span)
{
    static const char marks[] = {'1', '2', '3', '/'};
    double rate = machine_bandwidth(roofline->judge.machine, level, roofline->judge.threads);
    double peak = highest_peak(roofline), end;
    char text[UNITS_SIZE];
    const char *label;

    if (isnan(rate) || isnan(peak))
        return;
    end = fmin(peak / rate, span.high);
    label =
        plot_keep(plot, "%s, %s", machine_level_name(level), units_format_byte_rate(text, rate));
    add_line(plot_add_series(plot, label, marks[level]),
             (struct plot_point){span.low, span.low * rate}, (struct plot_point){end, end * rate},
             machine_bandwidth_spread(roofline->judge.machine, level, roofline->judge.threads));
}

/* From where the fastest level reaches the peak. */
static void add_flat(struct plot *plot, const struct roofline *roofline,
                     enum machine_precision precision, struct span span)
{
    static const char marks[] = {'=', '-', '~', '~', '~'};
    const struct machine *machine = roofline->judge.machine;
    double peak = machine_peak(machine, precision, roofline->judge.threads), fastest = 0;
    char text[UNITS_SIZE];
    const char *label;

    for (int i = 0; i < MACHINE_LEVELS; i++)
        fastest = fmax(fastest,
                       machine_bandwidth(machine, (enum machine_level)i, roofline->judge.threads));
    if (isnan(peak) || !is_used(roofline, precision))
        return;
    label = plot_keep(plot, "peak %s, %s", machine_precision_name(precision),
                      units_format_flop_rate(text, peak));
    add_line(plot_add_series(plot, label, marks[precision]),
             (struct plot_point){fmax(span.low, fastest > 0 ? peak / fastest : 0), peak},
             (struct plot_point){span.high, peak},
             machine_peak_spread(machine, precision, roofline->judge.threads));
}

static void add_roofs(struct plot *plot, const struct roofline *roofline, struct span span)
{
    for (int i = 0; i < MACHINE_LEVELS; i++)
        add_slope(plot, roofline, (enum machine_level)i, span);
    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        add_flat(plot, roofline, (enum machine_precision)i, span);
}

/* The first rows are drawn over the others. */
static void add_points(struct plot *plot, const struct roofline *roofline)
{
    for (size_t i = roofline->rows.count; i > 0; i--) {
        const struct roofline_row *row = array_at(&roofline->rows, i - 1);
        struct plot_series *series = is_drawn(row) ? plot_add_series(plot, NULL, row->label) : NULL;

        if (!is_drawn(row))
            continue;
        plot_add_point(&series->points, row->judgement.intensity, row->judgement.flops_per_second);
        series->region = row->region;
    }
}

void roofline_add_plot(struct document *document, const struct roofline *roofline)
{
    struct plot *plot;

    if (!roofline->judge.machine || roofline->rows.count == 0)
        return;
    plot = document_add_plot(document, "Roofline");
    plot->is_logarithmic = true;
    plot->label = "FLOP/B, by FLOP/s; letters are rows of the table below";
    plot->x_unit = UNIT_REAL;
    plot->y_unit = UNIT_FLOPS_PER_SECOND;
    add_roofs(plot, roofline, find_span(roofline));
    add_points(plot, roofline);
}
