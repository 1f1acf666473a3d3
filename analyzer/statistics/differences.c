/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences in sorted order.  Counting the differences up to a bound takes one pass over both
 * samples, since the rows of the matrix of differences are sorted.  So the interval around the
 * wanted difference is halved until few enough differences are left to sort.
 */
#include "statistics/differences.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FEW = 1 << 14 }; /* differences that are worth sorting: one or two passes' time */

/* Differences above `low` and up to `high`.  `below` of all are `low` or less,
 * `upto` are `high` or less. */
struct window {
    double low;
    double high;
    uint64_t below;
    uint64_t upto;
};

static uint64_t count_up_to(const struct differences *of, double bound)
{
    uint64_t count = 0;

    for (size_t i = 0, j = 0; i < of->changed_count; i++) {
        while (j < of->base_count && of->changed[i] - of->base[j] > bound)
            j++;
        count += of->base_count - j;
    }
    return count;
}

/* Numbers in the order of the doubles. */
static uint64_t number_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double double_of(uint64_t number)
{
    uint64_t bits = number >> 63 ? number & ~(UINT64_C(1) << 63) : ~number;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Halve the doubles between the bounds, not their distance: 64 times is the most.
 * Returns: whether there was a bound between the two. */
static bool halve(struct window *window, const struct differences *of, uint64_t rank)
{
    uint64_t low = number_of(window->low), high = number_of(window->high);
    double middle = double_of(low + (high - low) / 2);
    uint64_t count;

    if (high - low < 2)
        return false;
    count = count_up_to(of, middle);
    if (count >= rank) {
        window->high = middle;
        window->upto = count;
    } else {
        window->low = middle;
        window->below = count;
    }
    return true;
}

static size_t collect(double *found, const struct differences *of, const struct window *window)
{
    size_t count = 0;

    for (size_t i = 0, first = 0; i < of->changed_count; i++) {
        while (first < of->base_count && of->changed[i] - of->base[first] > window->high)
            first++;
        for (size_t j = first; j < of->base_count && of->changed[i] - of->base[j] > window->low;
             j++)
            found[count++] = of->changed[i] - of->base[j];
    }
    return count;
}

static void sort_window(const struct differences *of, const struct window *window, uint64_t rank,
                        double *value)
{
    double *found = memory_get((size_t)(window->upto - window->below) * sizeof *found);

    gsl_sort(found, 1, collect(found, of, window));
    *value = found[rank - window->below - 1];
    free(found);
}

void differences_find(const struct differences *of, uint64_t rank, double *value)
{
    double lowest = of->changed[0] - of->base[of->base_count - 1];
    double highest = of->changed[of->changed_count - 1] - of->base[0];
    struct window window = {nextafter(lowest, -INFINITY), highest, 0,
                            (uint64_t)of->base_count * of->changed_count};

    while (window.upto - window.below > FEW)
        if (!halve(&window, of, rank)) {
            *value = window.high;
            return;
        }
    sort_window(of, &window, rank, value);
}

void differences_find_median(const struct differences *of, double *median)
{
    uint64_t count = (uint64_t)of->base_count * of->changed_count;
    double low, high;

    differences_find(of, (count + 1) / 2, &low);
    differences_find(of, count / 2 + 1, &high);
    *median = low + (high - low) / 2;
}
