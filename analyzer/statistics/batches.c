/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Means of values in a row.
 *
 * Decision: doc/decisions/gate-statistics.
 */
#include "statistics/batches.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double most_rho = 0.1;

/* Independent values give a correlation within +-z / sqrt(n) (Bartlett). */
static double find_rho(const double *values, size_t count, double confidence)
{
    double chance = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) / sqrt((double)count);
    double rho = count > 2 ? gsl_stats_lag1_autocorrelation(values, 1, count) : 0;

    return rho > most_rho && rho > chance ? rho : 0;
}

/* The correlation of the means of `size` values; each value is `rho` times the previous one plus a
 * random part.  It follows from sums of rho^|i - j| over i and j in two neighbouring batches, and
 * in one batch. */
static double rho_of_means(double rho, size_t size)
{
    double far = 1 - pow(rho, (double)size);

    return rho * far * far / ((double)size * (1 - rho * rho) - 2 * rho * far);
}

static size_t find_factor(double rho, size_t most)
{
    size_t factor = 1;

    while (factor < most && (factor == 1 || rho_of_means(rho, factor) > most_rho))
        factor++;
    return factor;
}

size_t batches_take(double *values, size_t count, size_t size)
{
    size_t means = count / size, first = count - means * size;

    for (size_t i = 0; i < means && size > 1; i++)
        values[i] = gsl_stats_mean(values + first + i * size, 1, size);
    return means;
}

/* Fast changes hide slow ones until means are taken, so the means are tested again. */
void batches_find_size(const double *values, size_t count, double confidence, size_t *size)
{
    double *means = memory_get((count + 1) * sizeof *means);
    size_t left = count;
    double rho;

    *size = 1;
    memcpy(means, values, count * sizeof *means);
    while ((rho = find_rho(means, left, confidence)) > 0 && left >= 4) {
        size_t factor = find_factor(rho, left / 2);

        left = batches_take(means, left, factor);
        *size *= factor;
    }
    free(means);
}
