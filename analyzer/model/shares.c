/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shares of rows of drawn blocks in a known total.
 */
#include "model/shares.h"

#include <math.h>

double shares_scale(const struct shares_sum *all, double known_rest)
{
    if (isnan(known_rest))
        return 1;
    return all->rest > 0 ? known_rest / all->rest : 0;
}

double shares_of_none(const struct shares_sum *all, double known_rest)
{
    return known_rest > 0 && !(all->rest > 0) ? known_rest : 0;
}

void shares_add(struct shares_sum *to, const struct shares_sum *row)
{
    to->drawn += row->drawn;
    to->rest += row->rest;
    to->variance += row->variance;
}

/* The missing certainty when one row has nearly all. */
static double vary_succession(const struct shares_sum *row, const struct shares_sum *all)
{
    double like = all->variance > 0 ? all->rest * all->rest / all->variance : INFINITY;
    double off = row->rest / (like + 1);

    return 2 * off * off;
}

struct shares_part shares_of(const struct shares_sum *row, const struct shares_sum *all,
                             double known_rest)
{
    double scale = shares_scale(all, known_rest);
    double share = all->rest > 0 ? row->rest / all->rest : 0;
    double variance = row->variance;

    if (!isnan(known_rest))
        variance = row->variance * (1 - 2 * share) + share * share * all->variance +
                   vary_succession(row, all);
    return (struct shares_part){row->drawn + scale * row->rest,
                                variance > 0 ? scale * scale * variance : 0};
}
