/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The share of a sort of samples, with its interval.
 *
 * A sample comes at each tick, not at random.  If a program stays in one function for many ticks,
 * only the ticks at its start and end are random.  Let a function come and go as a Markov process,
 * whose correlation from one sample to the next is r = e^-2x.  Then the share of samples differs
 * from the share of the time by a variance of p (1 - p) / n times coth x - 1 / x: times 1 where
 * neighbours are independent, and times x / 3 where they are long equal.
 *
 * Decision: doc/decisions/sampled-time.
 */
#include "cpu/cpu_sort.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Equal neighbours must be more than chance: one-sided, 95 %. */
static const double chance = 1.645;

/* Wilson's interval of a share: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209. */
static struct statistics_interval wilson(double share, double count, double z)
{
    double scale = 1 + z * z / count;
    double middle = (share + z * z / (2 * count)) / scale;
    double half =
        z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale;

    return (struct statistics_interval){fmax(0, middle - half), fmin(1, middle + half)};
}

/* Returns: the variance of the share, relative to that of independent samples.  The rarer of the
 * two, this sort or all others, shows how often it follows itself. */
static double variance_part(const struct cpu_sort *sort)
{
    double rarer = fmin(sort->count, sort->of - sort->count);
    double part = rarer / sort->of;
    double stays, correlation, x;

    if (isnan(sort->runs) || rarer < 1)
        return 1;
    stays = wilson(fmax(0, 1 - sort->runs / rarer), rarer, chance).low;
    correlation = (stays - part) / (1 - part);
    if (!(correlation > 0))
        return 1;
    x = -log(correlation) / 2;
    return x > 0 ? 1 / tanh(x) - 1 / x : 0;
}

struct statistics_interval cpu_sort_interval(const struct cpu_sort *sort, double confidence)
{
    double z = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2);
    double part = variance_part(sort);

    if (!(sort->of > 0))
        return (struct statistics_interval){NAN, NAN};
    return wilson(sort->count / sort->of, sort->of / fmax(part, 1 / sort->of), z);
}
