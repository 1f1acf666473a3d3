/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How y grows with x: the best of a few orders, a power, or a line.  Uses least squares; errors are
 * assumed to be independent.
 */
#ifndef STATISTICS_FIT_H
#define STATISTICS_FIT_H

#include <stddef.h>

#include "statistics/interval.h"

enum fit_order {
#define ORDER(id, text, function) FIT_##id,
#include "statistics/orders.def"
#undef ORDER
    FIT_ORDERS
};

/* Why points allow no fit. */
enum fit_refusal {
    FIT_OK,
    FIT_TOO_FEW_SIZES, /* fewer than three that differ */
    FIT_TOO_NARROW,    /* the largest is less than four times the smallest */
    FIT_NOT_POSITIVE   /* an x or y is not above 0, or not finite */
};

/* Check whether points can show an order or a power.  A line needs three points
 * only. */
enum fit_refusal fit_check(const double *x, const double *y, size_t count);

/* The text of a refusal, to follow "cannot fit: ".  Returns: NULL for FIT_OK. */
const char *fit_refusal_text(enum fit_refusal refusal);

/* "n lg n". */
const char *fit_order_text(enum fit_order order);

struct fit_orders {
    enum fit_order best;
    double coefficient[FIT_ORDERS];
    double error[FIT_ORDERS]; /* root of the mean square of the residuals, by the mean of y */
};

/* Fit each order separately, through 0; the points must pass fit_check.
 * Source: the complexity reports of google/benchmark. */
struct fit_orders fit_orders_of(const double *x, const double *y, size_t count);

/* y = coefficient x^exponent */
struct fit_power {
    double exponent;
    struct statistics_interval exponent_interval;
    double coefficient;
    double r_squared; /* of the logarithms */
};

/* Fit a line through the logarithms; the points pass fit_check. */
struct fit_power fit_power_of(const double *x, const double *y, size_t count, double confidence);

struct fit_line {
    double intercept;
    double slope;
    struct statistics_interval intercept_interval; /* t; NAN with two points */
    struct statistics_interval slope_interval;
    double r_squared; /* NAN when all y are equal */
};

/* Fit a line.  All NAN when fewer than two x differ. */
struct fit_line fit_line_of(const double *x, const double *y, size_t count, double confidence);

#endif
