/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "places/line_sums.h"

void line_sums_init(struct array *sums)
{
    array_init(sums, sizeof(struct line_sum));
}

void line_sums_add(struct array *sums, const struct place *place, double amount)
{
    line_sums_add_estimate(sums, place, amount, 0);
}

void line_sums_add_estimate(struct array *sums, const struct place *place, double amount,
                            double error)
{
    struct line_sum *line = places_find_row(sums, place);

    line->sum += amount;
    line->variance += error * error;
}

const struct line_sum *line_sums_most(const struct array *sums)
{
    const struct line_sum *line = sums->items, *most = NULL;

    for (size_t i = 0; i < sums->count; i++)
        if (!most || line[i].sum > most->sum)
            most = &line[i];
    return most;
}
