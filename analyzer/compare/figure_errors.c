/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error of the ratio of a figure when a side is an estimate.
 *
 * The error of a side is the largest of its runs' errors.  Errors of several runs may coincide,
 * because a program obtains the same blocks in each run.  So more runs do not make the error
 * smaller.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "compare/figure.h"

static double find_error(const struct array *rows, enum run_quantity quantity)
{
    double most = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct run_row *row = *(const struct run_row **)array_at(rows, i);

        most = fmax(most, row->errors[quantity]);
    }
    return most;
}

bool figure_is_estimate(const struct figure *figure)
{
    return figure->base_error > 0 || figure->changed_error > 0;
}

/* Measured values already differ from run to run by their error. */
static bool is_widened(const struct figure *figure)
{
    return run_quantity_at(figure->quantity)->kind == RUN_EXACT && figure_is_estimate(figure);
}

static double relative(double error, double value, double deviations)
{
    return error > 0 ? deviations * error / value : 0;
}

/* With one run a side and errors of samples: how far these errors alone may move the ratio.  For
 * small errors, the logarithm of a ratio has the sum of their squares. */
static bool is_sampled(const struct figure *figure)
{
    return figure->basis == FIGURE_OF_ONE && figure->part->subject == RUN_FUNCTION &&
           figure_is_estimate(figure) && figure->base > 0 && figure->changed > 0;
}

static void set_sampled(struct figure *figure, double deviations)
{
    double off = deviations * hypot(figure->base_error / figure->base,
                                    figure->changed_error / figure->changed);

    figure->error_ratio = (struct statistics_interval){exp(-off), exp(off)};
    figure->ratio_interval = (struct statistics_interval){figure->ratio * exp(-off),
                                                          figure->ratio * exp(off)};
}

bool figure_is_chance(const struct figure *figure)
{
    return is_sampled(figure) && figure->ratio_interval.low <= 1 &&
           figure->ratio_interval.high >= 1;
}

void figure_find_errors(struct figure *figure, double confidence)
{
    double deviations = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2), base, changed;

    figure->base_error = find_error(&figure->part->base, figure->quantity);
    figure->changed_error = find_error(&figure->part->changed, figure->quantity);
    figure->error_ratio = (struct statistics_interval){1, 1};
    if (is_sampled(figure))
        set_sampled(figure, deviations);
    if (!is_widened(figure))
        return;
    base = relative(figure->base_error, figure->base, deviations);
    changed = relative(figure->changed_error, figure->changed, deviations);
    figure->error_ratio.low = changed < 1 ? (1 - changed) / (1 + base) : 0;
    figure->error_ratio.high = base < 1 ? (1 + changed) / (1 - base) : (double)INFINITY;
}

static double known(double bound)
{
    return isfinite(bound) ? bound : (double)NAN;
}

void figure_widen(struct figure *figure)
{
    if (!is_widened(figure))
        return;
    figure->ratio_interval.low *= figure->error_ratio.low;
    figure->ratio_interval.high = known(figure->ratio_interval.high * figure->error_ratio.high);
}

bool figure_is_more(const struct figure *figure, double bound)
{
    return !is_widened(figure) || figure->ratio * figure->error_ratio.low > bound;
}

bool figure_is_less(const struct figure *figure, double bound)
{
    return !is_widened(figure) || figure->ratio * figure->error_ratio.high < bound;
}
