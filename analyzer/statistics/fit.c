/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Least squares.  GSL's own fits need arrays of the transformed points.  Here
 * each point is transformed in the loop, so nothing is allocated and nothing
 * can fail.
 */
#include "statistics/fit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

/* Up to three. */
static size_t count_sizes(const double *x, size_t count)
{
    size_t second = 0;

    for (size_t i = 1; i < count; i++) {
        if (second == 0 && x[i] != x[0])
            second = i;
        if (second > 0 && x[i] != x[0] && x[i] != x[second])
            return 3;
    }
    return second > 0 ? 2 : 1;
}

static double find_span(const double *x, size_t count)
{
    double least = x[0], most = x[0];

    for (size_t i = 1; i < count; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    return most / least;
}

enum fit_refusal fit_check(const double *x, const double *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_positive(x[i]) || !is_positive(y[i]))
            return FIT_NOT_POSITIVE;
    if (count < 3 || count_sizes(x, count) < 3)
        return FIT_TOO_FEW_SIZES;
    return find_span(x, count) < 4 ? FIT_TOO_NARROW : FIT_OK;
}

const char *fit_refusal_text(enum fit_refusal refusal)
{
    switch (refusal) {
    case FIT_OK: return NULL;
    case FIT_TOO_FEW_SIZES: return "at least three different sizes are needed";
    case FIT_TOO_NARROW: return "the largest size must be at least four times the smallest";
    case FIT_NOT_POSITIVE: return "sizes and values must be above 0";
    }
    return NULL;
}

const char *fit_order_text(enum fit_order order)
{
    static const char *const texts[] = {
#define ORDER(id, text, function) text,
#include "statistics/orders.def"
#undef ORDER
    };

    return texts[order];
}

#define ORDER(id, text, function)                                                                  \
    static double grow_##id(double x)                                                              \
    {                                                                                              \
        (void)x;                                                                                   \
        return function;                                                                           \
    }
#include "statistics/orders.def"
#undef ORDER

typedef double (*growth)(double x);

static const growth growths[] = {
#define ORDER(id, text, function) grow_##id,
#include "statistics/orders.def"
#undef ORDER
};

static double find_coefficient(growth of, const double *x, const double *y, size_t count)
{
    double product = 0, square = 0;

    for (size_t i = 0; i < count; i++) {
        product += of(x[i]) * y[i];
        square += of(x[i]) * of(x[i]);
    }
    return product / square;
}

static void try_order(struct fit_orders *fit, enum fit_order order, const double *x,
                      const double *y, size_t count)
{
    double coefficient = find_coefficient(growths[order], x, y, count), square = 0, sum = 0;

    for (size_t i = 0; i < count; i++) {
        double left = y[i] - coefficient * growths[order](x[i]);

        square += left * left;
        sum += y[i];
    }
    fit->coefficient[order] = coefficient;
    fit->error[order] = sqrt(square / (double)count) / (sum / (double)count);
}

struct fit_orders fit_orders_of(const double *x, const double *y, size_t count)
{
    struct fit_orders fit = {.best = FIT_ONE};

    for (unsigned i = 0; i < FIT_ORDERS; i++) {
        try_order(&fit, (enum fit_order)i, x, y, count);
        if (fit.error[i] < fit.error[fit.best])
            fit.best = (enum fit_order)i;
    }
    return fit;
}

static double keep(double value)
{
    return value;
}

/* The points of a fit, or their logarithms. */
struct points {
    growth of;
    const double *x;
    const double *y;
    size_t count;
};

/* Sums of squares and products about the means. */
struct sums {
    double x_mean, y_mean;
    double xx, xy, yy;
};

static struct sums add_up(const struct points *points)
{
    struct sums sums = {0, 0, 0, 0, 0};

    for (size_t i = 0; i < points->count; i++) {
        sums.x_mean += (points->of(points->x[i]) - sums.x_mean) / (double)(i + 1);
        sums.y_mean += (points->of(points->y[i]) - sums.y_mean) / (double)(i + 1);
    }
    for (size_t i = 0; i < points->count; i++) {
        double dx = points->of(points->x[i]) - sums.x_mean;
        double dy = points->of(points->y[i]) - sums.y_mean;

        sums.xx += dx * dx;
        sums.xy += dx * dy;
        sums.yy += dy * dy;
    }
    return sums;
}

/* Point by point: the difference of the sums would leave rounding errors of a
 * line that fits well. */
static double add_up_left(const struct points *points, const struct sums *sums, double slope)
{
    double square = 0;

    for (size_t i = 0; i < points->count; i++) {
        double left = points->of(points->y[i]) - sums->y_mean -
                      slope * (points->of(points->x[i]) - sums->x_mean);

        square += left * left;
    }
    return square;
}

static struct statistics_interval about(double centre, double half)
{
    return (struct statistics_interval){centre - half, centre + half};
}

static struct fit_line find_line(const struct points *points, double confidence)
{
    const struct statistics_interval unknown = {NAN, NAN};
    struct fit_line line = {NAN, NAN, unknown, unknown, NAN};
    struct sums sums = add_up(points);
    double n = (double)points->count, left, error;

    if (!(sums.xx > 0))
        return line;
    line.slope = sums.xy / sums.xx;
    line.intercept = sums.y_mean - line.slope * sums.x_mean;
    left = add_up_left(points, &sums, line.slope);
    if (sums.yy > 0)
        line.r_squared = 1 - left / sums.yy;
    if (points->count < 3)
        return line;
    error = gsl_cdf_tdist_Pinv((1 + confidence) / 2, n - 2) * sqrt(left / (n - 2));
    line.slope_interval = about(line.slope, error / sqrt(sums.xx));
    line.intercept_interval =
        about(line.intercept, error * sqrt(1 / n + sums.x_mean * sums.x_mean / sums.xx));
    return line;
}

struct fit_line fit_line_of(const double *x, const double *y, size_t count, double confidence)
{
    return find_line(&(struct points){keep, x, y, count}, confidence);
}

struct fit_power fit_power_of(const double *x, const double *y, size_t count, double confidence)
{
    struct fit_line line = find_line(&(struct points){log, x, y, count}, confidence);

    return (struct fit_power){line.slope, line.slope_interval, exp(line.intercept), line.r_squared};
}
