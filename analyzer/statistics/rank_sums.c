/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting subsets of ranks, a rank at a time.
 */
#include "statistics/rank_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static size_t add_up(const size_t *doubled_ranks, size_t count)
{
    size_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += doubled_ranks[i];
    return sum;
}

/* Row k of the table counts subsets of k ranks.  Rows and sums fall, so that no
 * subset takes a rank twice. */
static void take_rank(double *table, size_t size, size_t picked, size_t rank)
{
    for (size_t k = picked; k > 0; k--)
        for (size_t sum = size - 1; sum >= rank && sum < size; sum--)
            table[k * size + sum] += table[(k - 1) * size + sum - rank];
}

void rank_sums_init(struct rank_sums *sums, const size_t *doubled_ranks, size_t count,
                    size_t picked)
{
    size_t size = add_up(doubled_ranks, count) + 1;
    double *table = memory_get_zeros((picked + 1) * size, sizeof *table);

    *sums = (struct rank_sums){.size = size};
    sums->ways = memory_get_zeros(size, sizeof *sums->ways);
    table[0] = 1;
    for (size_t i = 0; i < count; i++)
        take_rank(table, size, picked, doubled_ranks[i]);
    memcpy(sums->ways, table + picked * size, size * sizeof *table);
    for (size_t i = 0; i < size; i++)
        sums->all += sums->ways[i];
    free(table);
}

void rank_sums_fini(struct rank_sums *sums)
{
    free(sums->ways);
    sums->ways = NULL;
}

double rank_sums_beyond(const struct rank_sums *sums, double centre, double distance)
{
    double ways = 0;

    for (size_t i = 0; i < sums->size; i++)
        if (fabs((double)i - centre) >= distance)
            ways += sums->ways[i];
    return ways / sums->all;
}
