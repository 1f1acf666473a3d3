/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of rows, the largest first.
 */
#include "heap/ranking.h"

#include <stdint.h>
#include <stdlib.h>

void ranking_init(struct array *ranking)
{
    array_init(ranking, sizeof(struct ranked));
}

void ranking_add(struct array *ranking, const void *of, double amount, double second)
{
    struct ranked *ranked = array_add(ranking);

    *ranked = (struct ranked){of, amount, second};
}

static int compare(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    int order = (left->amount < right->amount) - (left->amount > right->amount);

    if (order == 0)
        order = (left->second < right->second) - (left->second > right->second);
    if (order == 0)
        order = ((uintptr_t)left->of > (uintptr_t)right->of) -
                ((uintptr_t)left->of < (uintptr_t)right->of);
    return order;
}

void ranking_sort(struct array *ranking)
{
    if (ranking->count > 1)
        qsort(ranking->items, ranking->count, sizeof(struct ranked), compare);
}
